#include "mgnn/task/probe.h"

#include <algorithm>

#include "mgnn/base/error.h"
#include "mgnn/base/parallel.h"
#include "mgnn/data/categories.h"
#include "mgnn/task/streams.h"

namespace mgnn {
namespace {

// A dataset as methods see it.
struct View {
  std::vector<int32_t> node_label, arc_label;
  EmbedInput input;

  explicit View(const Dataset& dataset)
      : node_label(dataset.is_set() ? node_categories(dataset) : std::vector<int32_t>()),
        arc_label(dataset.is_set() ? arc_categories(dataset) : std::vector<int32_t>()),
        input{dataset.graph, dataset.graph_start, dataset.arc_weight, node_label, arc_label} {}
};

}  // namespace

Matrix embed(const Dataset& dataset, const EmbeddingMethod& method, const Embedding& embedding) {
  check(method.level == Level::graph || !dataset.is_set(),
        "{} is a method for the nodes of one graph, but {} is a set of graphs", method.name,
        dataset.name);
  return embedding.run(View(dataset).input);
}

Matrix embed_unseen(const Dataset& fitted, const Dataset& unseen, const Embedding& embedding) {
  return embedding.infer(View(fitted).input, View(unseen).input);
}

std::vector<Split> probe_splits(const Dataset& dataset, const ProbeOptions& o) {
  if (dataset.label.empty() || dataset.num_classes() < 2)
    fail_data("{}: has no classes to tell apart, so an embedding of it cannot be evaluated",
              dataset.name);
  check(o.seeds > 0, "seeds is 0; use at least 1");
  std::vector<Split> splits;
  for (int64_t i = 0; i < o.seeds; i++) {
    const Rng seeded(o.seed + uint64_t(i));
    const Rng rng = dataset.is_set() ? seeded : seeded.split(kSplitStream);
    for (Split& split : select_splits(dataset, dataset.label, o.split, rng, i)) {
      if (dataset.is_set()) {  // nothing is selected, so validation graphs serve for training
        split.train.insert(split.train.end(), split.validation.begin(), split.validation.end());
        std::sort(split.train.begin(), split.train.end());
      }
      splits.push_back(std::move(split));
    }
    if (dataset.is_set() && split_name(dataset, o.split) != "random")
      break;  // the same folds for all seeds
  }
  return splits;
}

Probe probe(const Matrix& z, const Dataset& dataset, const ProbeOptions& options) {
  const std::vector<Split> splits = probe_splits(dataset, options);
  Progress progress("evaluating", int64_t(splits.size()), "splits");
  return probe(z, dataset, splits, options.regression, &progress);
}

Probe probe(const Matrix& z, const Dataset& dataset, std::span<const Split> splits,
            const LogisticRegressionOptions& regression, Progress* progress) {
  check(z.rows == int64_t(dataset.label.size()),
        "{} vectors for {} labels: the vectors of {} are not those of what is labelled", z.rows,
        dataset.label.size(), dataset.name);
  Probe result{std::vector<double>(splits.size())};
  ParallelError error;
#pragma omp parallel for schedule(dynamic, 1) if (splits.size() > 1 && num_threads() > 1)
  for (size_t i = 0; i < splits.size(); i++)
    error.run([&] {
      const LogisticRegression model = fit_logistic_regression(z, dataset.label, splits[i].train,
                                                               dataset.num_classes(), regression);
      result.accuracy[i] = accuracy(model, z, dataset.label, splits[i].test);
      if (progress) progress->advance(1);
    });
  error.rethrow();
  return result;
}

}  // namespace mgnn
