#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>

#include "mgnn/base/rng.h"
#include "mgnn/explain/explainer.h"
#include "mgnn/task/metrics.h"

namespace mgnn {

Summary Explainer::summary() const {
  if (subject_ == Subject::pair)
    fail_usage(
        "{}: predicts pairs; explain one with --pair, or see the shares of the best with rank",
        model_.path);
  const bool graphs = subject_ == Subject::graph;
  Parameters weights = model_.weights;
  const Batch own = graphs ? whole_batch(seen_, *model_.model) : Batch{};
  const Batch& batch = graphs ? own : batch_;
  std::vector<int32_t> column;
  for (int64_t r = 0; r < outputs_.rows; r++) column.push_back(best_class(outputs_.row(r)));
  std::vector<NodeId> graph_of(graphs ? size_t(seen_.graph.num_nodes()) : 0);
  for (NodeId g = 0; graphs && g < seen_.num_graphs(); g++)
    std::fill(graph_of.begin() + seen_.graph_start[size_t(g)],
              graph_of.begin() + seen_.graph_start[size_t(g) + 1], g);
  const MatrixOf<double> shares =
      motif_shares_of_rows(*model_.model, weights, batch, column, graph_of);
  if (shares.cols == 0)
    fail_usage("{}: {} has no motifs to sum up; explain single items with --node or --graph",
               model_.path, model_.config->model);
  Summary result;
  motif_groups(batch, result.groups, result.absent);
  const std::vector<int> motifs = batch.operators.motifs.set.numbers();
  result.classes =
      model_.class_names.empty() ? std::vector<std::string>{"all"} : model_.class_names;
  const size_t groups = result.groups.size();
  result.items.assign(result.classes.size(), 0);
  result.share.assign(result.classes.size() * groups, 0);
  result.magnitude = result.share;
  for (int64_t r = 0; r < shares.rows; r++) {
    const auto of = size_t(model_.class_names.empty() ? 0 : column[size_t(r)]);
    result.items[of]++;
    for (size_t g = 0; g < groups; g++) {
      double sum = 0;
      for (const int motif : result.groups[g])
        sum += shares(r, std::find(motifs.begin(), motifs.end(), motif) - motifs.begin());
      result.share[of * groups + g] += sum;
      result.magnitude[of * groups + g] += std::abs(sum);
    }
  }
  for (size_t c = 0; c < result.classes.size(); c++)
    for (size_t g = 0; g < groups; g++) {
      const double count = double(std::max<int64_t>(result.items[c], 1));
      result.share[c * groups + g] /= count, result.magnitude[c * groups + g] /= count;
    }
  return result;
}

namespace {

// The numbers of each weight in another order.
Parameters shuffled(const Parameters& weights, uint64_t seed) {
  Parameters result = weights;
  const Rng rng(seed);
  for (size_t i = 0; i < result.all.size(); i++) {
    const NamedParameter& p = result.all[i];
    if (!p.learns) continue;
    Rng own = rng.split(i);
    own.shuffle(std::span(result.value_of(p), size_t(p.size())));
  }
  return result;
}

double correlation(const std::vector<double>& a, const std::vector<double>& b) {
  const auto n = double(a.size());
  const double ma = std::accumulate(a.begin(), a.end(), 0.) / n;
  const double mb = std::accumulate(b.begin(), b.end(), 0.) / n;
  double ab = 0, aa = 0, bb = 0;
  for (size_t i = 0; i < a.size(); i++) {
    ab += (a[i] - ma) * (b[i] - mb);
    aa += (a[i] - ma) * (a[i] - ma), bb += (b[i] - mb) * (b[i] - mb);
  }
  return aa > 0 && bb > 0 ? ab / std::sqrt(aa * bb) : 0;
}

// The arc scores of both, side by side; 0 where one has none.
std::pair<std::vector<double>, std::vector<double>> side_by_side(const std::vector<ArcShare>& a,
                                                                 const std::vector<ArcShare>& b) {
  std::map<NodePair, std::pair<double, double>> shares;
  const auto key = [](const ArcShare& arc) { return NodePair(std::minmax(arc.from, arc.to)); };
  for (const ArcShare& arc : a) shares[key(arc)].first += arc.share;
  for (const ArcShare& arc : b) shares[key(arc)].second += arc.share;
  std::pair<std::vector<double>, std::vector<double>> result;
  for (const auto& [pair, both] : shares) {
    result.first.push_back(both.first);
    result.second.push_back(both.second);
  }
  return result;
}

// The same data with the nodes in the reverse order.
Dataset reversed(const Dataset& data) {
  const NodeId last = data.graph.num_nodes() - 1;
  Dataset result;
  result.name = data.name;
  Array<Edge> edges = arcs(data.graph);
  for (Edge& e : edges) e = {last - e.from, last - e.to};
  result.graph = make_graph(last + 1, edges);
  if (!data.arc_weight.empty())
    result.arc_weight = arc_values(result.graph, edges, data.arc_weight);
  for (const Relation& relation : data.relations) {
    result.relations.push_back(relation);
    for (Edge& e : result.relations.back().edges) e = {last - e.from, last - e.to};
  }
  std::vector<NodeId> order(size_t(last) + 1);
  for (NodeId v = 0; v <= last; v++) order[size_t(v)] = last - v;
  result.features = rows_of(data.features, order);
  result.graph_start = data.graph_start;
  return result;
}

}  // namespace

SanityCheck Explainer::check(const Question& question, uint64_t seed) const {
  const Asked asked = this->asked(question);
  const Surroundings around = recount_of(asked);
  const Dataset& data = around.data ? *around.data : around.own;
  const auto scores = [&](const Dataset& of, const OutputNumber& number, Parameters weights) {
    const Attribution attribution =
        attribute(*model_.model, weights, whole_batch(of, *model_.model), number);
    InstanceOptions options = instances_;
    options.arc_weight = of.arc_weight;
    return spread_over_arcs(attribution, of.graph, options).arcs;
  };
  const std::vector<ArcShare> own = scores(data, around.number, model_.weights);
  const auto [a, b] =
      side_by_side(own, scores(data, around.number, shuffled(model_.weights, seed)));
  const NodeId last = data.graph.num_nodes() - 1;
  OutputNumber renumbered = around.number;
  if (subject_ != Subject::graph) renumbered.row = last - renumbered.row;
  if (subject_ == Subject::pair) renumbered.other = last - renumbered.other;
  std::vector<ArcShare> other = scores(reversed(data), renumbered, model_.weights);
  for (ArcShare& arc : other) arc.from = last - arc.from, arc.to = last - arc.to;
  const auto [c, d] = side_by_side(own, other);
  SanityCheck result{.shuffled_correlation = correlation(a, b)};
  double largest = 0;
  for (size_t i = 0; i < c.size(); i++) {
    result.renumbered_difference = std::max(result.renumbered_difference, std::abs(c[i] - d[i]));
    largest = std::max(largest, std::abs(c[i]));
  }
  result.depends_on_weights = result.shuffled_correlation < 0.9;
  result.equal_for_equal = result.renumbered_difference <= 1e-3 * std::max(largest, 1e-6);
  return result;
}

}  // namespace mgnn
