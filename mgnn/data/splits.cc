#include "mgnn/data/splits.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <numeric>
#include <random>
#include <unordered_map>

#include "mgnn/base/error.h"

namespace mgnn {
namespace {

std::vector<NodeId> labelled(const std::vector<int32_t>& label) {
  std::vector<NodeId> items;
  for (size_t i = 0; i < label.size(); i++)
    if (label[i] >= 0) items.push_back(NodeId(i));
  return items;
}

std::vector<NodeId> items_to_fold(const std::vector<int32_t>& label, int num_folds) {
  check(num_folds >= 2, "cross-validation needs at least 2 folds, not {}", num_folds);
  std::vector<NodeId> items = labelled(label);
  check(size_t(num_folds) <= items.size(), "{} folds of {} labelled items leave some empty",
        num_folds, items.size());
  return items;
}

// As numpy.random.RandomState.shuffle does it.
void numpy_shuffle(std::vector<int>& items, std::mt19937& rng) {
  for (size_t i = items.size(); i-- > 1;) {
    const uint32_t mask = std::bit_ceil(uint32_t(i) + 1) - 1;
    uint32_t other = 0;
    do other = uint32_t(rng()) & mask;
    while (other > i);
    std::swap(items[i], items[other]);
  }
}

void sort_parts(auto& split) {
  for (auto* part : {&split.train, &split.validation, &split.test})
    std::sort(part->begin(), part->end());
}

}  // namespace

Split random_split(const std::vector<int32_t>& label, int64_t num_validation, int64_t num_test,
                   Rng rng) {
  std::vector<NodeId> items = labelled(label);
  check(num_validation >= 0 && num_test >= 0, "a split cannot have {} + {} nodes", num_validation,
        num_test);
  const auto count = int64_t(items.size());
  check(num_validation < count && num_test < count - num_validation,
        "{} validation and {} test nodes leave none of {} labelled nodes for training",
        num_validation, num_test, items.size());
  rng.shuffle(std::span(items));
  const auto validation = items.begin(), test = validation + num_validation;
  const auto train = test + num_test;
  Split split{"random", {train, items.end()}, {validation, test}, {test, train}};
  sort_parts(split);
  return split;
}

Split halved_test_split(const Split& given, const std::vector<int32_t>& label, Rng rng) {
  std::vector<NodeId> held_out = given.test;
  check(held_out.size() >= 2, "split {} has {} test nodes, too few to halve", in_quotes(given.name),
        held_out.size());
  rng.shuffle(std::span(held_out));
  const auto middle = held_out.begin() + ptrdiff_t(held_out.size() / 2);
  Split split{given.name + "-test", {}, {held_out.begin(), middle}, {middle, held_out.end()}};
  std::vector<bool> is_held_out(label.size());
  for (const NodeId u : held_out) is_held_out[u] = true;
  for (const NodeId u : labelled(label))
    if (!is_held_out[u]) split.train.push_back(u);
  sort_parts(split);
  return split;
}

Split default_split(const std::vector<int32_t>& label, Rng rng) {
  const NodeId count =
      NodeId(std::count_if(label.begin(), label.end(), [](int c) { return c >= 0; }));
  const NodeId usual = label.size() >= 100'000 ? 5000 : 500;
  const NodeId held_out = count < 4 * usual ? count / 4 : usual;
  return random_split(label, held_out, held_out, rng);
}

std::vector<int> stratified_folds(const std::vector<int32_t>& label, int num_folds, Rng rng) {
  std::vector<NodeId> items = items_to_fold(label, num_folds);
  rng.shuffle(std::span(items));
  std::stable_sort(items.begin(), items.end(),
                   [&](NodeId a, NodeId b) { return label[a] < label[b]; });
  std::vector<int> fold(label.size(), -1);  // dealt like cards, class after class
  for (size_t i = 0; i < items.size(); i++) fold[items[i]] = int(i % size_t(num_folds));
  return fold;
}

std::vector<int> sklearn_folds(const std::vector<int32_t>& label, int num_folds,
                               uint32_t random_state) {
  std::vector<std::vector<NodeId>> classes;  // in the order in which they appear
  std::unordered_map<int32_t, size_t> place;
  for (const NodeId item : items_to_fold(label, num_folds)) {
    const size_t c = place.emplace(label[item], classes.size()).first->second;
    if (c == classes.size()) classes.emplace_back();
    classes[c].push_back(item);
  }
  std::vector<int> fold(label.size(), -1);
  std::mt19937 rng(random_state);
  size_t dealt = 0;  // of all classes before; folds are dealt like cards
  for (const std::vector<NodeId>& members : classes) {
    std::vector<int> folds;
    for (size_t i = 0; i < members.size(); i++)
      folds.push_back(int((dealt + i) % size_t(num_folds)));
    dealt += members.size();
    std::sort(folds.begin(), folds.end());
    numpy_shuffle(folds, rng);
    for (size_t i = 0; i < members.size(); i++) fold[members[i]] = folds[i];
  }
  return fold;
}

Split fold_split(const std::vector<int>& fold, int num_folds, int test_fold) {
  check(num_folds >= 2 && test_fold >= 0 && test_fold < num_folds, "no fold {} among {}", test_fold,
        num_folds);
  Split split{fmt::format("fold {}", test_fold), {}, {}, {}};
  for (size_t i = 0; i < fold.size(); i++) {
    if (fold[i] < 0) continue;
    auto& part = fold[i] == test_fold                     ? split.test
                 : fold[i] == (test_fold + 1) % num_folds ? split.validation
                                                          : split.train;
    part.push_back(NodeId(i));
  }
  return split;
}

EdgeSplit edge_split(std::span<const Edge> edges, double validation_share, double test_share,
                     Rng rng) {
  check(validation_share >= 0 && test_share >= 0 && validation_share + test_share < 1,
        "shares of {} and {} leave no edges for training", validation_share, test_share);
  // Edges between the same two nodes stand together in `order`; `group` is where each lot begins.
  const auto ends = [&](Offset e) { return std::minmax(edges[e].from, edges[e].to); };
  std::vector<Offset> order(edges.size()), group;
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(),
                   [&](Offset a, Offset b) { return ends(a) < ends(b); });
  for (size_t i = 0; i < order.size(); i++)
    if (i == 0 || ends(order[i]) != ends(order[i - 1])) group.push_back(Offset(i));
  rng.shuffle(std::span(group));

  EdgeSplit split;
  const auto wanted = [&](double share) {
    return size_t(std::lround(share * double(edges.size())));
  };
  for (const Offset g : group) {
    auto& part = split.test.size() < wanted(test_share)               ? split.test
                 : split.validation.size() < wanted(validation_share) ? split.validation
                                                                      : split.train;
    for (size_t i = size_t(g); i < order.size() && ends(order[i]) == ends(order[g]); i++)
      part.push_back(order[i]);
  }
  sort_parts(split);
  return split;
}

}  // namespace mgnn
