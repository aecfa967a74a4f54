#include <algorithm>

#include "mgnn/base/error.h"
#include "mgnn/base/human.h"
#include "mgnn/base/lines.h"
#include "mgnn/data/dataset.h"
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
  fail_usage("{}: there is no split {}; {}", dataset.name, in_quotes(options.name),
             did_you_mean(options.name, names, "there are " + human_list(names)));
}

std::vector<Split> own_splits(const Dataset& dataset, const std::string& name) {
  std::vector<Split> splits;
  for (const Split& split : dataset.splits)
    if (split.name.starts_with(name)) splits.push_back(split);
  return splits;
}

int64_t count_unlabelled(const Split& split, const std::vector<int32_t>& label) {
  int64_t count = 0;
  if (label.empty()) return count;
  for (const auto* part : {&split.train, &split.validation, &split.test})
    count += std::count_if(part->begin(), part->end(), [&](NodeId i) { return label[i] < 0; });
  return count;
}

// As the user gave it, but for items without a class, and with items that validate.
Split usable(Split split, const std::vector<int32_t>& label, Rng rng) {
  for (auto* part : {&split.train, &split.validation, &split.test})
    std::erase_if(*part, [&](NodeId i) { return label[i] < 0; });
  if (!split.validation.empty() || split.train.size() < 2) return split;
  rng.shuffle(std::span(split.train));
  const auto first = split.train.end() - int64_t(std::max<size_t>(split.train.size() / 5, 1));
  split.validation.assign(first, split.train.end());
  split.train.erase(first, split.train.end());
  std::sort(split.train.begin(), split.train.end());
  std::sort(split.validation.begin(), split.validation.end());
  return split;
}

Split node_split(const Dataset& dataset, const std::vector<int32_t>& label,
                 const SplitOptions& options, const Rng& rng, int64_t repetition) {
  if (options.name == "random") {
    if (options.num_validation == 0 && options.num_test == 0) return default_split(label, rng);
    return random_split(label, options.num_validation, options.num_test, rng);
  }
  std::vector<std::string> names = {"random"};
  for (const Split& split : dataset.splits) {
    if (split.name != "public") continue;
    names.emplace_back(kPublicTest);
    if (options.name == kPublicTest)
      return halved_test_split(usable(split, label, rng), label, rng);
  }
  const std::vector<Split> splits = own_splits(dataset, options.name);
  if (splits.empty()) fail_unknown(dataset, options, names);
  return usable(splits[size_t(repetition) % splits.size()], label, rng);
}

std::vector<Split> graph_splits(const Dataset& dataset, const std::vector<int32_t>& label,
                                const SplitOptions& options, const Rng& rng) {
  const bool sklearn = options.name.starts_with(kSklearn);
  if (!sklearn && options.name != "random") {
    std::vector<Split> splits = own_splits(dataset, options.name);
    if (splits.empty()) fail_unknown(dataset, options, {"random", "sklearn:0"});
    for (size_t i = 0; i < splits.size(); i++) splits[i] = usable(splits[i], label, rng.split(i));
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

std::string split_name(const Dataset& dataset, const SplitOptions& options) {
  if (options.name != "auto") return options.name;
  for (const char* own : {"table", "file"})
    for (const Split& split : dataset.splits)
      if (split.name.starts_with(own)) return own;
  return "random";
}

std::string split_note(const Dataset& dataset, const std::vector<int32_t>& label,
                       const SplitOptions& options) {
  const std::string name = split_name(dataset, options);
  const std::vector<Split> splits = own_splits(dataset, name);
  if (splits.empty() || name == "random") return "";
  const Split& split = splits[0];
  std::string note;
  if (options.name == "auto") note = fmt::format("; split {} chooses another", in_quotes("random"));
  if (const int64_t count = count_unlabelled(split, label); count > 0)
    note += fmt::format("; {} of its items have no label and are left out", human_count(count));
  if (split.validation.empty())
    note +=
        split.train.size() < 2 ? "; nothing validates" : "; a fifth of its training items validate";
  if (note.empty()) return "";
  const std::string used =
      splits.size() > 1 && !dataset.is_set()
          ? fmt::format("the {} splits of the data are used in turn, one by each seed",
                        splits.size())
          : fmt::format("the split {} of the data is used", in_quotes(split.name));
  return fmt::format("{}: {}{}", dataset.name, used, note);
}

std::vector<Split> select_splits(const Dataset& dataset, const std::vector<int32_t>& label,
                                 const SplitOptions& given, const Rng& rng, int64_t repetition) {
  SplitOptions options = given;
  options.name = split_name(dataset, given);
  std::vector<Split> splits;
  if (dataset.is_set())
    splits = graph_splits(dataset, label, options, rng);
  else
    splits.push_back(node_split(dataset, label, options, rng, repetition));
  for (const Split& split : splits) {
    if (split.train.empty())
      fail_data("{}: the split {} has no {} to train on", dataset.name, in_quotes(split.name),
                dataset.is_set() ? "graphs" : "nodes");
  }
  return splits;
}

}  // namespace mgnn
