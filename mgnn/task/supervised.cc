#include "mgnn/task/supervised.h"

#include <fmt/format.h>

namespace mgnn {

Targets Targets::of(std::span<const NodeId> items) const {
  Targets part{
      .class_weight = class_weight, .mean = mean, .deviation = deviation, .num_labels = num_labels};
  for (const NodeId i : items) {
    if (!label.empty()) part.label.push_back(label[i]);
    if (!number.empty()) part.number.push_back(number[i]);
    if (!has_label.empty())
      part.has_label.insert(part.has_label.end(), has_label.begin() + i * num_labels,
                            has_label.begin() + (i + 1) * num_labels);
  }
  return part;
}

Shape node_shape(const Dataset& dataset, int64_t outputs) {
  return {.in = num_features(dataset.features),
          .out = outputs,
          .level = Level::node,
          .nodes = dataset.graph.num_nodes(),
          .relations = int64_t(dataset.relations.size())};
}

Shape graph_shape(const Dataset& dataset, int64_t outputs) {
  return {.in = num_features(dataset.features),
          .out = outputs,
          .level = Level::graph,
          .relations = int64_t(dataset.relations.size())};
}

void check_one_graph(const Dataset& dataset, const char* otherwise) {
  if (dataset.is_set())
    fail_usage(Hint(Hint::setting, fmt::format("task={}", otherwise)),
               "{} is a set of graphs, not one graph", dataset.name);
}

void check_set_of_graphs(const Dataset& dataset, const char* otherwise) {
  if (!dataset.is_set())
    fail_usage(Hint(Hint::setting, fmt::format("task={}", otherwise)),
               "{} is one graph, not a set of graphs", dataset.name);
}

void check_run(const Dataset& dataset, const RunOptions& options) {
  check(options.seeds > 0, "seeds is 0; use at least 1");
  check(options.batch_size > 0, "batch_size is 0; use at least 1");
  if (num_features(dataset.features) == 0)
    fail_data(Hint(Hint::setting, "features=structure"), "{}: nodes have no features",
              dataset.name);
}

Hint label_hint(const Dataset& dataset) {
  return dataset.is_set() ? Hint(Hint::setting, "task=unsupervised") : Hint::label_column;
}

Matrix Supervision::averaged(std::span<const Repetition> members, Numbers&) const {
  return members[0].output;
}

std::vector<Repetition> with_members(std::vector<Repetition> runs, const Supervision& supervision) {
  const int64_t members = supervision.num_members();
  if (members == 1) return runs;
  std::vector<Repetition> all;
  for (const Repetition& run : runs)
    for (int64_t m = 0; m < members; m++) {
      all.push_back(run);
      all.back().member = m;
    }
  return all;
}

namespace {

Repetition joined(std::span<Repetition> members, const Supervision& supervision,
                  const TargetsOfRun& targets_of) {
  Repetition run{.seed = members[0].seed,
                 .fold = members[0].fold,
                 .split = std::move(members[0].split),
                 .test_set = members[0].test_set};
  const Targets targets = targets_of(run);
  const auto judge = [&](const Matrix& output) {
    supervision.judge(run, {output, targets, run.split.validation},
                      {output, targets, run.split.test});
  };
  run.output = supervision.averaged(members, run.fitted);
  judge(run.output);
  if (supervision.smooths()) {
    run.output = supervision.smoothed(std::move(run.output), targets, run);
    judge(run.output);
  }
  run.state = std::move(members[0].state);
  for (Repetition& member : members.subspan(1)) run.others.push_back(std::move(member.state));
  return run;
}

}  // namespace

void join_members(Result& result, const Supervision& supervision, const TargetsOfRun& targets,
                  Select select) {
  const size_t members = size_t(supervision.num_members());
  result.ensemble = int64_t(members);
  result.smooths = supervision.smooths();
  if (members == 1) return;
  std::vector<Repetition> runs;
  for (size_t r = 0; r < result.runs.size(); r += members)
    runs.push_back(joined(std::span(result.runs).subspan(r, members), supervision, targets));
  result.runs = std::move(runs);
  result.best = best_run(result.runs, select, supervision.metric());
  result.parameters *= int64_t(members);
}

Prediction predict_members(TrainedModel& model, Average average, const PredictWith& predict) {
  Prediction result = predict(model.weights);
  if (model.others.empty()) return result;
  std::vector<Matrix> outputs, representations;
  outputs.push_back(std::move(result.output));
  representations.push_back(std::move(result.representation));
  Parameters weights = model.weights;
  for (const Array<float>& other : model.others) {
    weights.value = other;
    Prediction next = predict(weights);
    outputs.push_back(std::move(next.output));
    representations.push_back(std::move(next.representation));
  }
  return {average(outputs, model.fitted), side_by_side(representations)};
}

Matrix side_by_side(std::span<const Matrix> parts) {
  int64_t cols = 0;
  for (const Matrix& part : parts) cols += part.cols;
  Matrix all(parts[0].rows, cols);
  for (int64_t r = 0; r < all.rows; r++) {
    float* to = all.row(r).data();
    for (const Matrix& part : parts) to = std::copy_n(part.row(r).data(), part.cols, to);
  }
  return all;
}

std::string item_name(const Dataset& dataset, int64_t item) {
  return (dataset.is_set() ? dataset.graph_ids : dataset.ids).name(NodeId(item));
}

std::vector<const char*> split_parts(const Split* split, int64_t items) {
  std::vector<const char*> part(size_t(items), "");
  if (!split) return part;
  for (const NodeId i : split->train) part[i] = "train";
  for (const NodeId i : split->validation) part[i] = "validation";
  for (const NodeId i : split->test) part[i] = "test";
  return part;
}

std::string split_sizes(const Split& split) {
  return fmt::format("{} / {} / {} items to train, validate, test", split.train.size(),
                     split.validation.size(), split.test.size());
}

}  // namespace mgnn
