#include "mgnn/task/run_folder.h"

#include <fmt/chrono.h>

#include <ctime>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "mgnn/base/clock.h"
#include "mgnn/base/csv.h"
#include "mgnn/base/file.h"
#include "mgnn/base/folder.h"
#include "mgnn/io/text_writer.h"

namespace mgnn {
namespace {

using Json = nlohmann::ordered_json;
namespace fs = std::filesystem;

constexpr const char* kConfig = "config.toml";
constexpr const char* kModel = "model.safetensors";

std::string checkpoint_name(size_t run) { return fmt::format("checkpoint-{}.safetensors", run); }

void remove_checkpoints(const std::string& folder) {
  std::error_code ignored;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder, ignored))
    if (entry.path().filename().string().starts_with("checkpoint-"))
      fs::remove(entry.path(), ignored);
}

Json json_of(const MeanStd& scores, const std::vector<Repetition>& runs, bool test) {
  Json each = Json::array();
  bool any = false;  // a score of no items is null
  for (const Repetition& run : runs) {
    const Scores& found = test ? run.test : run.validation;
    any |= found.count > 0;
    each.push_back(found.count > 0 ? Json(found.metric) : Json(nullptr));
  }
  return {{"mean", any ? Json(scores.mean) : Json(nullptr)},
          {"std", any ? Json(scores.std) : Json(nullptr)},
          {"runs", each}};
}

std::vector<const char*> split_parts(const Split* split, int64_t items) {
  std::vector<const char*> part(size_t(items), "");
  if (!split) return part;
  for (const NodeId i : split->train) part[size_t(i)] = "train";
  for (const NodeId i : split->validation) part[size_t(i)] = "validation";
  for (const NodeId i : split->test) part[size_t(i)] = "test";
  return part;
}

std::string item_name(const Dataset& dataset, int64_t item) {
  return (dataset.is_set() ? dataset.graph_ids : dataset.ids).name(NodeId(item));
}

void write_ids(const std::string& path, const Dataset& dataset) {
  TextWriter file(path);
  file.text("node\tid\n");
  for (NodeId v = 0; v < dataset.graph.num_nodes(); v++) {
    file.number(v);
    file.text("\t" + dataset.ids.name(v) + "\n");
  }
  file.commit();
}

}  // namespace

RunFolder RunFolder::create(const std::string& path, Config& config, bool force) {
  const RunFolder folder(path);
  if (file_exists(path) && !is_directory(path))
    fail_usage("{}: is a file; a run needs a folder", path);
  if (!force && (file_exists(folder.file(kConfig)) || file_exists(folder.file(kModel))))
    fail_usage("{}: has a run already; use --force to replace it, or --resume {}", path, path);
  make_folder(path);
  if (force) remove_checkpoints(path);
  write_file(folder.file(kConfig), toml_of(config));
  return folder;
}

RunFolder RunFolder::open(const std::string& path) {
  const RunFolder folder(path);
  if (!file_exists(folder.file(kConfig)))
    fail_data("{}: there is no run to resume: it has no {}", path, kConfig);
  return folder;
}

Watch RunFolder::watch(int64_t every, bool resume) const {
  Watch watch;
  watch.checkpoint_every = every;
  watch.checkpoint = [folder = *this](size_t run, const Repetition& state) {
    write_checkpoint(folder.file(checkpoint_name(run)), state);
  };
  if (resume)
    watch.restore = [folder = *this](size_t run, Repetition& state) {
      const std::string path = folder.file(checkpoint_name(run));
      if (file_exists(path)) read_checkpoint(path, state);
    };
  return watch;
}

void RunFolder::finish(Config& config, const Dataset& dataset, const Result& result,
                       const Json& facts) const {
  write_model(file(kModel), config, dataset, result, true);
  TextWriter metrics(file("metrics.jsonl"));
  for (const Repetition& run : result.runs)
    for (const EpochRecord& r : run.state.history)
      metrics.text(Json{{"seed", run.seed},
                        {"fold", run.fold},
                        {"epoch", r.epoch},
                        {"train_loss", r.train_loss},
                        {"validation_loss", r.validation.loss},
                        {"validation_" + result.name_of_validation(), r.validation.metric}}
                       .dump() +
                   "\n");
  metrics.commit();
  if (!dataset.is_set()) write_ids(file("ids.tsv"), dataset);
  const Repetition& best = result.runs[result.best];
  if (result.task == "link")
    write_pair_predictions(file("predictions.csv"), dataset, result.pairs, best.calibration, true);
  else if (result.logits.rows > 0)
    write_predictions(file("predictions.csv"), dataset, dataset.class_names,
                      softmax_rows(result.logits, best.temperature), &best.split, true);
  write_file(file("run.json"), facts.dump(2) + "\n");
  remove_checkpoints(path_);
}

std::string default_run_path(const std::string& task, const std::string& model,
                             const std::string& data) {
  const std::string begin =
      fmt::format("runs/{:%Y-%m-%d}-{}-{}-{}", fmt::localtime(std::time(nullptr)), task, model,
                  fs::path(data).stem().string());
  std::string path = begin;
  for (int i = 2; file_exists(path); i++) path = fmt::format("{}-{}", begin, i);
  return path;
}

Json json_of(const Result& result, const std::string& model, const std::string& dataset) {
  Json json = {{"task", result.task},
               {"model", model},
               {"dataset", dataset},
               {"metric", result.metric},
               {"test", json_of(result.test(), result.runs, true)},
               {"validation", json_of(result.validation(), result.runs, false)},
               {"epochs", result.epochs()},
               {"seconds_per_epoch", result.seconds_per_epoch()},
               {"seconds_total", result.seconds_total},
               {"parameters", result.parameters},
               {"peak_memory_bytes", peak_memory_bytes()}};
  if (!result.validation_metric.empty()) json["validation_metric"] = result.validation_metric;
  if (!result.probe.empty()) {
    const MeanStd probe = mean_std(result.probe);
    json["probe"] = {{"mean", probe.mean}, {"std", probe.std}, {"runs", result.probe}};
  }
  const MatrixOf<int64_t> confusion = result.confusion();
  for (int64_t c = 0; c < confusion.rows; c++) {
    const auto row = confusion.row(c);
    json["confusion"].push_back(std::vector<int64_t>(row.begin(), row.end()));
  }
  for (const auto& [name, value] : result.runs[0].also) {
    const MeanStd score = result.also(name);
    Json& entry = json["also"][name] = {{"mean", score.mean}, {"std", score.std}};
    for (const Repetition& run : result.runs) entry["runs"].push_back(run.also.at(name));
  }
  return json;
}

void write_curves(const std::string& path, const Result& result, bool overwrite) {
  TextWriter file(path, overwrite);
  file.text("run,seed,fold,epoch,train_loss,validation_loss,validation_" +
            result.name_of_validation() + "\n");
  for (size_t r = 0; r < result.runs.size(); r++)
    for (const EpochRecord& record : result.runs[r].state.history)
      file.text(fmt::format("{},{},{},{},{},{},{}\n", r, result.runs[r].seed, result.runs[r].fold,
                            record.epoch, record.train_loss, record.validation.loss,
                            record.validation.metric));
  file.commit();
}

void write_pair_predictions(const std::string& path, const Dataset& dataset,
                            const PairScores& pairs, const Calibration& calibration,
                            bool overwrite) {
  TextWriter file(path, overwrite);
  file.text("from,to,score,probability,edge,split\n");
  for (size_t i = 0; i < pairs.pairs.size(); i++) {
    const Edge pair = pairs.pairs[i];
    file.text(csv_field(dataset.ids.name(pair.from)) + "," + csv_field(dataset.ids.name(pair.to)) +
              ",");
    file.number(pairs.score[i]);
    file.text(",");
    file.number(float(calibration.probability(double(pairs.score[i]))));
    file.text(pairs.positive[i] ? ",yes," : ",no,");
    file.text(i < pairs.num_validation ? "validation\n" : "test\n");
  }
  file.commit();
}

void write_predictions(const std::string& path, const Dataset& dataset,
                       const std::vector<std::string>& class_names, const Matrix& probability,
                       const Split* split, bool overwrite) {
  TextWriter file(path, overwrite);
  const std::vector<const char*> part = split_parts(split, probability.rows);
  file.text(dataset.is_set() ? "graph" : "id");
  file.text(",predicted,probability,label,split");
  for (const std::string& name : class_names) file.text("," + csv_field("p(" + name + ")"));
  file.text("\n");
  for (int64_t i = 0; i < probability.rows; i++) {
    const int32_t best = best_class(probability.row(i));
    const int32_t label = dataset.label.empty() ? -1 : dataset.label[size_t(i)];
    file.text(csv_field(item_name(dataset, i)) + "," + csv_field(class_names[size_t(best)]) + ",");
    file.number(probability(i, best));
    file.text("," + (label >= 0 ? csv_field(dataset.class_names[size_t(label)]) : "") + "," +
              part[size_t(i)]);
    for (const float p : probability.row(i)) {
      file.text(",");
      file.number(p);
    }
    file.text("\n");
  }
  file.commit();
}

}  // namespace mgnn
