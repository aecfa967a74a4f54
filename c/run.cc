#include "c/run.h"

#include "mgnn/base/file.h"
#include "mgnn/base/json_text.h"
#include "mgnn/base/lines.h"
#include "mgnn/base/toml.h"
#include "mgnn/task/link_prediction.h"
#include "mgnn/task/ranking.h"
#include "mgnn/task/tasks.h"
#include "mgnn/task/train_report.h"
#include "mgnn/task/weights_file.h"

struct mgnn_ranking {
  mgnn::Ranking ranking;
  std::vector<int32_t> from, to;
  std::vector<float> score;
};

namespace mgnn::c {
namespace {

// What a model file says of its training.
Json facts_of(const TrainedModel& model, const std::string& path) {
  Json facts = {{"task", model.config->task_name}, {"model", model.config->model}};
  for (const char* name : {"dataset", "dataset_sha256", "features_from", "metric", "mgnn.version"})
    if (const auto text = model.facts.find(name); text != model.facts.end())
      facts[name] = text->second;
  for (const char* name : {"validation", "test", "extra_metrics"})
    if (const auto text = model.facts.find(name); text != model.facts.end())
      facts[name] = parsed(path, text->second);
  facts["seed"] = model.config->run.seed;
  facts["parameters"] = model.weights.count();
  return facts;
}

Json file_json(const std::string& path) {
  const FileBytes bytes = map_file(path);
  check_json_depth(bytes.view(), path);
  return parsed(path, std::string(bytes.view()));
}

Json history_in(const std::string& path) {
  Json epochs = Json::array();
  if (!file_exists(path)) return epochs;
  const FileBytes bytes = map_file(path);
  std::string_view rest = bytes.view();
  while (!rest.empty()) {
    const std::string_view line = rest.substr(0, rest.find('\n'));
    check_json_depth(line, path);
    if (!line.empty()) epochs.push_back(parsed(path, std::string(line)));
    rest.remove_prefix(std::min(rest.size(), line.size() + 1));
  }
  return epochs;
}

std::unique_ptr<mgnn_run> opened(const std::string& path) {
  const bool folder = is_directory(path);
  const std::string file = folder ? path + "/model.safetensors" : path;
  if (!file_exists(file)) fail_data(Hint::train, "{}: there is no trained model", file);
  const FileBytes bytes = map_file(file);
  std::unique_ptr<mgnn_run> run = new_run(std::string(bytes.view()), file);
  run->model.path = path;
  if (!folder) return run;
  if (file_exists(path + "/run.json")) run->result.update(file_json(path + "/run.json"));
  run->history = history_in(path + "/metrics.jsonl");
  run->result["run_dir"] = path;
  return run;
}

Matrix predicted(const mgnn_run& run, const Dataset& data, int32_t what) {
  Prediction result = predict(run.model, data);
  check_interrupted();
  if (what == MGNN_REPRESENTATIONS) return std::move(result.representation);
  if (what == MGNN_OUTPUTS) return std::move(result.output);
  check(what == MGNN_PROBABILITIES, "{} is not known to be predicted", what);
  return answers_of(run.model, result.output);
}

void check_for_links(const mgnn_run& run) {
  if (!run.model.config->task().predicts_pairs())
    fail_usage("{}: was trained for {}; pairs are scored by a network trained for links",
               run.model.path, run.model.config->entry().title);
}

NodePairs pairs_of(int64_t count, const int64_t* from, const int64_t* to, int64_t nodes) {
  NodePairs pairs;
  const std::vector<NodeId> u = node_list(from, count, nodes, "from");
  const std::vector<NodeId> v = node_list(to, count, nodes, "to");
  pairs.from.assign(u.begin(), u.end());
  pairs.to.assign(v.begin(), v.end());
  return pairs;
}

std::string report_of(const mgnn_run& run) {
  if (!run.training)
    fail_usage(
        "{}: was opened, and a report shows a training of this process; see `mgnn train "
        "--report`",
        run.model.path);
  Result& result = run.training->result;
  Prediction prediction = predict(run.model, *run.data);
  result.output = std::move(prediction.output);
  result.representation = std::move(prediction.representation);
  check_interrupted();
  const Page page = train_page(*run.training->config, *run.data, result, "", program_facts());
  result.output = result.representation = {};
  return html_of(page);
}

}  // namespace

std::shared_ptr<const Dataset> data_of(const mgnn_run& run, const mgnn_dataset* dataset) {
  if (dataset)
    return std::make_shared<const Dataset>(prepared_for_prediction(run.model, *dataset->data));
  if (run.data) return run.data;
  if (run.model.config->source.empty())
    fail_usage("{}: was trained on data that are in no file; give the dataset", run.model.path);
  return std::make_shared<const Dataset>(load_for_prediction(run.model));
}

std::unique_ptr<mgnn_run> new_run(std::string bytes, const std::string& path) {
  TrainedModel model = parse_model(bytes, path);
  Json facts = facts_of(model, path);
  return std::unique_ptr<mgnn_run>(new mgnn_run{.bytes = std::move(bytes),
                                                .model = std::move(model),
                                                .data = {},
                                                .result = std::move(facts),
                                                .history = Json::array(),
                                                .confusion = nullptr});
}

}  // namespace mgnn::c

using namespace mgnn;
using namespace mgnn::c;

int mgnn_run_open(const mgnn_call* call, const char* path, mgnn_run** run) {
  return in_call(call, [&] { needed(run, "run") = opened(&needed(path, "path")).release(); });
}

int mgnn_run_from_bytes(const mgnn_call* call, const char* bytes, int64_t size, mgnn_run** run) {
  return in_call(call, [&] {
    check(size >= 0, "{} bytes", size);
    needed(run, "run") = new_run({&needed(bytes, "bytes"), size_t(size)}, "the bytes").release();
  });
}

void mgnn_run_free(mgnn_run* run) { delete run; }

int mgnn_run_to_bytes(const mgnn_run* run, mgnn_buffer** bytes) {
  return guarded([&] { needed(bytes, "bytes") = new_buffer(needed(run, "run").bytes); });
}

int mgnn_run_save(const mgnn_run* run, const char* path, int32_t overwrite) {
  return guarded(
      [&] { write_file(&needed(path, "path"), needed(run, "run").bytes, overwrite != 0); });
}

int mgnn_run_result(const mgnn_run* run, mgnn_buffer** json) {
  return guarded([&] { needed(json, "json") = new_buffer(needed(run, "run").result); });
}
int mgnn_run_history(const mgnn_run* run, mgnn_buffer** json) {
  return guarded([&] { needed(json, "json") = new_buffer(needed(run, "run").history); });
}
int mgnn_run_confusion(const mgnn_run* run, mgnn_buffer** json) {
  return guarded([&] { needed(json, "json") = new_buffer(needed(run, "run").confusion); });
}
int mgnn_run_config(const mgnn_run* run, mgnn_buffer** toml) {
  return guarded([&] {
    const std::lock_guard lock(needed(run, "run").mutex);
    needed(toml, "toml") = new_buffer(toml_of(*run->model.config));
  });
}

int mgnn_run_report(const mgnn_call* call, const mgnn_run* run, const char* path,
                    int32_t overwrite) {
  return in_call(call, [&] {
    const std::lock_guard lock(needed(run, "run").mutex);
    check_writable(&needed(path, "path"), overwrite != 0);
    const std::string html = report_of(*run);
    check_interrupted();
    write_file(path, html, overwrite != 0);
  });
}

int mgnn_run_num_weights(const mgnn_run* run, int64_t* count) {
  return guarded(
      [&] { needed(count, "count") = std::ssize(needed(run, "run").model.weights.all); });
}

int mgnn_run_weight(const mgnn_run* run, int64_t i, mgnn_weight_info* info) {
  return guarded([&] {
    const Parameters& weights = needed(run, "run").model.weights;
    check(i >= 0 && i < std::ssize(weights.all), "weight {} of {}", i, weights.all.size());
    const NamedParameter& p = weights.all[size_t(i)];
    give({.size = 0,
          .name = p.name.c_str(),
          .rows = p.rows,
          .cols = p.cols,
          .values = weights.value_of(p),
          .learns = p.learns},
         info, "mgnn_weight_info");
  });
}

int mgnn_run_predict(const mgnn_call* call, const mgnn_run* run, const mgnn_dataset* dataset,
                     int32_t what, mgnn_matrix** result) {
  return in_call(call, [&] {
    needed(result, "result");
    const std::lock_guard lock(needed(run, "run").mutex);
    *result = new_matrix(predicted(*run, *data_of(*run, dataset), what));
  });
}

int mgnn_run_score_pairs(const mgnn_call* call, const mgnn_run* run, const mgnn_dataset* dataset,
                         int64_t pairs, const int64_t* from, const int64_t* to, float* score,
                         double* probability) {
  return in_call(call, [&] {
    const std::lock_guard lock(needed(run, "run").mutex);
    check_for_links(*run);
    const std::shared_ptr<const Dataset> data = data_of(*run, dataset);
    const NodePairs asked = pairs_of(pairs, from, to, data->graph.num_nodes());
    const Matrix ends = predict(run->model, *data).output;
    const std::vector<float> scores =
        pair_scores(ends, link_options_of(*run->model.config).decoder, asked);
    check_interrupted();
    const Calibration calibration = calibration_of(run->model);
    if (score) std::copy(scores.begin(), scores.end(), score);
    for (size_t i = 0; probability && i < scores.size(); i++)
      probability[i] = calibration.probability(double(scores[i]));
  });
}

int mgnn_run_rank(const mgnn_call* call, const mgnn_run* run, const mgnn_dataset* dataset,
                  const mgnn_rank_options* options, mgnn_ranking** ranking) {
  return in_call(call, [&] {
    needed(ranking, "ranking");
    const auto asked = given(options, "mgnn_rank_options");
    check(asked.top >= 0, "top is {}", asked.top);
    RankOptions how{.between = text_of(asked.between),
                    .relation = text_of(asked.relation),
                    .partner_of = text_of(asked.partner_of)};
    if (asked.top > 0) how.top = asked.top;
    const std::lock_guard lock(needed(run, "run").mutex);
    auto result = std::make_unique<mgnn_ranking>();
    result->ranking = rank_links(run->model, *data_of(*run, dataset), how);
    check_interrupted();
    for (const RankedPair& pair : result->ranking.pairs) {
      result->from.push_back(pair.from);
      result->to.push_back(pair.to);
      result->score.push_back(pair.score);
    }
    *ranking = result.release();
  });
}

int mgnn_ranking_get_arrays(const mgnn_ranking* ranking, mgnn_ranking_arrays* arrays) {
  return guarded([&] {
    const mgnn_ranking& r = needed(ranking, "ranking");
    give({.size = 0,
          .count = std::ssize(r.from),
          .from = r.from.data(),
          .to = r.to.data(),
          .score = r.score.data(),
          .probability = r.ranking.probability.data(),
          .num_parts = std::ssize(r.ranking.motifs.names),
          .parts = r.ranking.motifs.names.empty() ? nullptr : r.ranking.motifs.value.data.data()},
         arrays, "mgnn_ranking_arrays");
  });
}

int mgnn_ranking_info(const mgnn_ranking* ranking, mgnn_buffer** json) {
  return guarded([&] {
    const Ranking& r = needed(ranking, "ranking").ranking;
    needed(json, "json") = new_buffer(Json{{"parts", r.motifs.names},
                                           {"directed", r.directed},
                                           {"candidates", r.candidates},
                                           {"seconds", r.seconds},
                                           {"warnings", r.warnings}});
  });
}

void mgnn_ranking_free(mgnn_ranking* ranking) { delete ranking; }
