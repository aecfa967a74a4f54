// What is asked again with arcs removed: fidelity and counterfactuals. Matrices and motif counts are made anew,
// as if the arcs had never been there; features stay.

#include <algorithm>
#include <cmath>
#include <numeric>

#include "mgnn/base/interrupt.h"
#include "mgnn/base/rng.h"
#include "mgnn/explain/explainer.h"
#include "mgnn/task/training.h"

namespace mgnn {
namespace {

std::vector<NodePair> pairs_of(std::span<const ArcShare> arcs) {
  std::vector<NodePair> pairs;
  for (const ArcShare& arc : arcs) pairs.emplace_back(arc.from, arc.to);
  return pairs;
}

// How many graphs may be counted anew.
int64_t affordable(const Dataset& data, const ExplainOptions& options) {
  return options.recounted_arcs / std::max<int64_t>(data.graph.num_arcs(), 1000);
}

// As many others of `all` as are in `chosen`, each set at random.
std::vector<NodePair> drawn(std::span<const NodePair> all, size_t count, Rng rng) {
  std::vector<NodePair> pairs(all.begin(), all.end());
  rng.shuffle(std::span(pairs));
  pairs.resize(std::min(count, pairs.size()));
  return pairs;
}

}  // namespace

Answer Explainer::answer_of(const Output<float>& output, const OutputNumber& number) const {
  Answer answer{.column = number.column};
  if (subject_ == Subject::pair) {
    answer.output = {float(number_in(output, number))};
  } else {
    const float* const row = output.out.value + int64_t(number.row) * output.out.cols;
    answer.output.assign(row, row + output.out.cols);
  }
  answer.score = double(answer.output[size_t(answer.column)]);
  answer.probability = probability_of(answer.output, answer.column);
  return answer;
}

Answer Explainer::answer_on(const Dataset& data, const OutputNumber& number) const {
  check_interrupted();
  Answer answer;
  Parameters weights = model_.weights;
  const Batch batch = whole_batch(data, *model_.model);
  evaluate(*model_.model, weights, batch,
           [&](const Output<float>& output) { answer = answer_of(output, number); });
  return answer;
}

// The nodes that the answer can depend on: two steps for each layer, since a count of a neighbour's
// neighbour scales its row, and one more. Where the answer is not the same there, all of the data.
Explainer::Surroundings Explainer::recount_of(const Asked& asked) const {
  if (subject_ == Subject::graph) return graph_of(asked);
  const OutputNumber& whole = asked.number;
  std::vector<NodeId> centres = {whole.row};
  if (subject_ == Subject::pair) centres.push_back(whole.other);
  const Surroundings all{.data = &seen_, .number = whole};
  Surroundings near{.nodes = ball(seen_.graph, centres, 2 * num_layers_ + 1), .number = whole};
  if (near.nodes.size() * 2 > size_t(seen_.graph.num_nodes())) return all;
  const auto place = [&](NodeId v) {
    return NodeId(std::lower_bound(near.nodes.begin(), near.nodes.end(), v) - near.nodes.begin());
  };
  near.number.row = place(whole.row);
  if (subject_ == Subject::pair) near.number.other = place(whole.other);
  near.own = part_of(seen_, near.nodes, false);
  if (model_.config->model == "bgnn") return all;  // has a weight for every node of the training
  const double difference = answer_on(near.own, near.number).score - asked.answer.score;
  return std::abs(difference) <= 1e-4 * std::max(1., std::abs(asked.answer.score)) ? std::move(near)
                                                                                   : all;
}

namespace {

// What fidelity compares.
double confidence(const Answer& answer) { return answer.probability.value_or(answer.score); }

}  // namespace

void Explainer::put_fidelity(const Asked& asked, const Surroundings& around,
                             std::span<const ArcShare> arcs, const ExplainOptions& options,
                             Explanation& to) const {
  const Dataset& data = around.data ? *around.data : around.own;
  const size_t count = std::min<size_t>(arcs.size() / 2, size_t(std::max<int64_t>(options.top, 1)));
  const int64_t draws =
      std::clamp<int64_t>(affordable(data, options) / 4 - 1, 1, options.random_draws);
  if (count == 0) return;
  const double before = confidence(asked.answer);
  const auto fall = [&](std::span<const NodePair> pairs, PairUse use) {
    return before - confidence(answer_on(with_pairs(data, pairs, use), around.number));
  };
  const std::vector<NodePair> all = pairs_of(arcs), chosen(all.begin(), all.begin() + count);
  Fidelity fidelity{.arcs = int64_t(count),
                    .plus = fall(chosen, PairUse::removed),
                    .minus = fall(chosen, PairUse::kept),
                    .random_draws = draws};
  const Rng rng(options.seed);
  for (int64_t i = 0; i < draws; i++) {
    const std::vector<NodePair> others = drawn(all, count, rng.split(uint64_t(i)));
    fidelity.random_plus += fall(others, PairUse::removed) / double(draws);
    fidelity.random_minus += fall(others, PairUse::kept) / double(draws);
  }
  to.fidelity = fidelity;
}

namespace {

// How far the answer is from another one; negative beyond. None: there is no other one.
std::optional<double> margin(const Answer& answer, Subject subject, bool label_sets) {
  if (!answer.probability) return {};
  if (subject == Subject::pair) return *answer.probability - .5;
  if (label_sets) return answer.score;
  double other = -INFINITY;
  for (size_t c = 0; c < answer.output.size(); c++)
    if (int32_t(c) != answer.column) other = std::max(other, double(answer.output[c]));
  return answer.score - other;
}

}  // namespace

void Explainer::put_counterfactual(const Asked& asked, const Surroundings& around,
                                   std::span<const ArcShare> arcs, const ExplainOptions& options,
                                   Explanation& to) const {
  const bool label_sets = model_.config->task_name.ends_with("multilabel");
  const auto margin_of = [&](const Answer& answer) { return margin(answer, subject_, label_sets); };
  const std::optional<double> before = margin_of(asked.answer);
  if (!before || *before < 0 || arcs.empty()) return;
  const Dataset& data = around.data ? *around.data : around.own;
  const int64_t tries = std::clamp<int64_t>(
      affordable(data, options) / 2 / std::max<int64_t>(options.max_removals, 1), 1, 60);
  std::vector<ArcShare> candidates(
      arcs.begin(), arcs.begin() + std::ptrdiff_t(std::min<size_t>(arcs.size(), size_t(tries))));
  Counterfactual result{.score = asked.answer.score, .probability = asked.answer.probability};
  std::vector<NodePair> removed;
  double reached = *before;
  while (!result.found && int64_t(removed.size()) < options.max_removals && !candidates.empty()) {
    size_t best = 0;
    Answer best_answer;
    double best_margin = INFINITY;
    for (size_t i = 0; i < candidates.size(); i++) {
      if (tries == 1 && i > 0) break;
      std::vector<NodePair> pairs = removed;
      pairs.emplace_back(candidates[i].from, candidates[i].to);
      const Answer answer = answer_on(with_pairs(data, pairs, PairUse::removed), around.number);
      if (const double now = *margin_of(answer); now < best_margin)
        best = i, best_margin = now, best_answer = answer;
    }
    if (tries > 1 && best_margin >= reached) break;  // nothing brings it nearer
    removed.emplace_back(candidates[best].from, candidates[best].to);
    result.arcs.push_back(candidates[best]);
    result.arcs.back().share = result.score - best_answer.score;
    result.score = best_answer.score, result.probability = best_answer.probability;
    result.answer = answer_text(best_answer.output);
    result.found = best_margin < 0;
    reached = best_margin;
    candidates.erase(candidates.begin() + std::ptrdiff_t(best));
  }
  for (ArcShare& arc : result.arcs)
    arc.from = around.name_of(arc.from), arc.to = around.name_of(arc.to);
  to.counterfactual = std::move(result);
}

}  // namespace mgnn
