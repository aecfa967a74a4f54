#include "mgnn/data/select_splits.h"

#include <fmt/ranges.h>

#include "mgnn/base/error.h"
#include "mgnn/base/lines.h"
#include "mgnn/data/splits.h"

namespace mgnn {
namespace {

constexpr std::string_view kSklearn = "sklearn:", kPublicTest = "public-test";

uint32_t random_state(std::string_view name) {
  const std::string_view text = name.substr(kSklearn.size());
  uint32_t value = 0;
  check(parse_number(text, value),
        "the split sklearn:{} has no random_state; give an integer of 0 to {}, as in sklearn:0",
        text, UINT32_MAX);
  return value;
}

[[noreturn]] void fail_unknown(const Dataset& dataset, const SplitOptions& options,
                               std::vector<std::string> names) {
  for (const Split& split : dataset.splits) names.push_back(split.name);
  fail_usage(
      "{}: there is no split {}; {}", dataset.name, in_quotes(options.name),
      did_you_mean(options.name, names, fmt::format("there are {}", fmt::join(names, ", "))));
}

std::vector<Split> own_splits(const Dataset& dataset, const std::string& name) {
  std::vector<Split> splits;
  for (const Split& split : dataset.splits)
    if (split.name.starts_with(name)) splits.push_back(split);
  return splits;
}

Split node_split(const Dataset& dataset, const std::vector<int32_t>& label,
                 const SplitOptions& options, const Rng& rng, int64_t repetition) {
  if (options.name == "random") {
    if (options.num_validation == 0 && options.num_test == 0) return default_split(label, rng);
    return random_split(label, NodeId(options.num_validation), NodeId(options.num_test), rng);
  }
  std::vector<std::string> names = {"random"};
  for (const Split& split : dataset.splits) {
    if (split.name != "public") continue;
    names.emplace_back(kPublicTest);
    if (options.name == kPublicTest) {
      check_labelled(split, label, dataset);
      return halved_test_split(split, label, rng);
    }
  }
  const std::vector<Split> splits = own_splits(dataset, options.name);
  if (splits.empty()) fail_unknown(dataset, options, names);
  return splits[size_t(repetition) % splits.size()];
}

std::vector<Split> graph_splits(const Dataset& dataset, const std::vector<int32_t>& label,
                                const SplitOptions& options, const Rng& rng) {
  const bool sklearn = options.name.starts_with(kSklearn);
  if (!sklearn && options.name != "random") {
    std::vector<Split> splits = own_splits(dataset, options.name);
    if (splits.empty()) fail_unknown(dataset, options, {"random", "sklearn:0"});
    return splits;
  }
  check(options.folds >= 3,
        "folds is {}; one is for test and one for validation, so use at least 3", options.folds);
  const int count = int(std::min<int64_t>(options.folds, INT32_MAX));
  const std::vector<int> fold = sklearn ? sklearn_folds(label, count, random_state(options.name))
                                        : stratified_folds(label, count, rng);
  std::vector<Split> splits;
  for (int f = 0; f < count; f++) splits.push_back(fold_split(fold, count, f));
  return splits;
}

}  // namespace

std::vector<Split> select_splits(const Dataset& dataset, const std::vector<int32_t>& label,
                                 const SplitOptions& options, const Rng& rng, int64_t repetition) {
  std::vector<Split> splits;
  if (dataset.is_set())
    splits = graph_splits(dataset, label, options, rng);
  else
    splits.push_back(node_split(dataset, label, options, rng, repetition));
  for (const Split& split : splits) {
    if (split.train.empty())
      fail_data("{}: the split {} has no {} to train on", dataset.name, in_quotes(split.name),
                dataset.is_set() ? "graphs" : "nodes");
    check_labelled(split, label, dataset);
  }
  return splits;
}

}  // namespace mgnn
