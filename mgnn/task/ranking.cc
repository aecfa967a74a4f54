#include "mgnn/task/ranking.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <set>

#include "mgnn/base/clock.h"
#include "mgnn/data/nodes_by_name.h"
#include "mgnn/task/link_report.h"
#include "mgnn/task/rank_pairs.h"
#include "mgnn/task/rank_warnings.h"
#include "mgnn/task/tasks.h"

namespace mgnn {
namespace {

NodeId find_node(const Dataset& dataset, const std::string& name) {
  if (name.empty()) return -1;
  const NodeId node = NodesByName(dataset.ids, dataset.graph.num_nodes()).find(name);
  if (node >= 0) return node;
  std::vector<std::string> names;
  for (NodeId v = 0; v < dataset.graph.num_nodes(); v++) names.push_back(dataset.ids.name(v));
  fail_usage("{}: there is no node {}; {}", dataset.name, in_quotes(name),
             did_you_mean(name, names, "give it as the data do: " + names.front()));
}

LinkOptions link_question(const LinkOptions& trained, const RankOptions& options) {
  check(options.between.empty() || options.relation.empty(),
        "between and relation exclude each other; use one of them");
  LinkOptions question = trained;
  if (!options.between.empty() || !options.relation.empty()) {
    question.between = options.between;
    question.relation = options.relation;
  }
  return question;
}

const NamedParameter* stored_weight(const Parameters& weights, std::string_view name) {
  for (const NamedParameter& p : weights.all)
    if (p.name == name) return &p;
  return nullptr;
}

Matrix weight_matrix(const Parameters& weights, const Parameter& p) {
  Matrix m(p.rows, p.cols);
  std::copy_n(weights.value_of(p), p.size(), m.data.begin());
  return m;
}

// x -> right end of what the bilinear decoder makes of it; see with_decoder.
Matrix times_decoder(const Matrix& x, const Matrix& m) {
  Matrix y = x;
  for (int64_t r = 0; r < x.rows; r++)
    for (int64_t i = 0; i < m.rows; i++)
      for (int64_t c = 0; c < m.cols; c++) y(r, c) += x(r, i) * m(i, c);
  return y;
}

float dot(std::span<const float> a, std::span<const float> b) {
  return std::inner_product(a.begin(), a.end(), b.begin(), 0.f);
}

// to[k] += h_k(v) · (W_k other) / 2, W_k the rows of block k: for all k.
void add_blocks(std::span<const float> h, const Matrix& weight, std::span<const float> other,
                std::span<const MotifBlock> blocks, std::span<float> to) {
  for (size_t k = 0; k < blocks.size(); k++)
    for (int64_t i = blocks[k].first; i < blocks[k].first + blocks[k].count; i++)
      if (h[i] != 0) to[k] += h[i] * dot(weight.row(i), other) / 2;
}

}  // namespace

Contributions motif_contributions(const TrainedModel& model, const Matrix& representation,
                                  const Matrix& out, std::span<const RankedPair> pairs) {
  const std::vector<MotifBlock> blocks = model.model->motif_blocks();
  if (blocks.empty()) return {};
  const Linear last = model.model->output_layer();
  const Decoder decoder = link_options_of(*model.config).decoder;
  const Matrix weight = weight_matrix(model.weights, last.weight),
               b = weight_matrix(model.weights, last.bias);
  EndMatrices w = end_matrices(weight, decoder == Decoder::bilinear ? Decoder::inner : decoder);
  EndMatrices biases = end_matrices(b, decoder == Decoder::bilinear ? Decoder::inner : decoder);
  if (const NamedParameter* m = stored_weight(model.weights, kDecoderWeight)) {
    w.right = times_decoder(weight, weight_matrix(model.weights, *m));
    biases.right = times_decoder(b, weight_matrix(model.weights, *m));
  }
  const EndMatrices ends = end_matrices(out, decoder);
  Contributions result;
  for (const MotifBlock& block : blocks) result.names.push_back(motif_label(block.motif));
  result.names.push_back("bias");
  result.value = Matrix(int64_t(pairs.size()), int64_t(blocks.size()) + 1);
  for (size_t i = 0; i < pairs.size(); i++) {
    const auto [u, v, score] = pairs[i];
    const std::span<float> to = result.value.row(int64_t(i));
    add_blocks(representation.row(u), w.left, ends.right.row(v), blocks, to);
    add_blocks(representation.row(v), w.right, ends.left.row(u), blocks, to);
    to.back() =
        (dot(biases.left.row(0), ends.right.row(v)) + dot(ends.left.row(u), biases.right.row(0))) /
        2;
  }
  return result;
}

namespace {

std::vector<std::string> warnings_of(const TrainedModel& model, const Dataset& dataset,
                                     const LinkOptions& asked, const LinkData& data,
                                     const Matrix& out) {
  const LinkOptions& trained = link_options_of(*model.config);
  const PairScores pairs = held_out_pairs(data);
  const std::vector<float> score = pair_scores(out, trained.decoder, pairs.pairs);
  const size_t count = pairs.num_validation;
  return rank_warnings({.dataset = dataset,
                        .trained = trained,
                        .asked = asked,
                        .training_pairs = data.split.train,
                        .validation_auroc = auroc(std::span(score).first(count),
                                                  std::span(pairs.positive).first(count)),
                        .positives = int64_t(data.split.validation.size()),
                        .negatives = int64_t(data.validation_negatives.size()),
                        .calibration = calibration_of(model)});
}

}  // namespace

namespace {

// Everything that ranks: a network, and perhaps a formula on it.
struct Scorer {
  EndMatrices ends;
  std::optional<PairFeatures> features = {};
  std::optional<PairFormula> formula = {};

  std::vector<RankedPair> best(const RankQuestion& question, const Graph& known,
                               int64_t top) const {
    if (!formula) return rank_pairs(ends.left, ends.right, question, known, top);
    return rank_pairs_by(*features, PairScore(*features, *formula), question, known, top);
  }
};

// Those in which no node but `exempt` is more often than that, in their order.
std::vector<RankedPair> thinned(const std::vector<RankedPair>& pairs, int64_t at_most,
                                NodeId exempt, size_t top) {
  std::map<NodeId, int64_t> count;
  std::vector<RankedPair> kept;
  for (const RankedPair& pair : pairs) {
    const auto full = [&](NodeId v) { return v != exempt && count[v] >= at_most; };
    if (kept.size() == top || full(pair.from) || full(pair.to)) continue;
    count[pair.from]++;
    count[pair.to]++;
    kept.push_back(pair);
  }
  return kept;
}

std::vector<RankedPair> best_pairs(const Scorer& scorer, const RankQuestion& question,
                                   const Graph& known, const RankOptions& options, NodeId exempt) {
  if (options.at_most_per_node <= 0) return scorer.best(question, known, options.top);
  for (int64_t wanted = 4 * options.top;; wanted *= 8) {
    const std::vector<RankedPair> best = scorer.best(question, known, wanted);
    std::vector<RankedPair> kept =
        thinned(best, options.at_most_per_node, exempt, size_t(options.top));
    if (int64_t(kept.size()) == options.top || int64_t(best.size()) < wanted) return kept;
  }
}

std::vector<PairEvidence> evidence_of(const LinkData& data, bool directed,
                                      const std::vector<RankedPair>& pairs) {
  const Graph joined =
      build_graph(data.split.graph.num_nodes(), arcs(data.split.graph), {.symmetrise = true}).graph;
  const LinkEvidence asked = link_evidence(data.split.graph, data.split.train, directed);
  const PairMotifs motifs(
      data.split.graph,
      directed || asked.two_sides
          ? usual_arcs(data.split.graph, data.split.train.from, data.split.train.to)
          : PairArcs::both);
  std::vector<PairEvidence> evidence(pairs.size());
  for (size_t i = 0; i < pairs.size(); i++) {
    const auto [u, v, score] = pairs[i];
    motifs.count(u, std::span(&v, 1), std::span(&evidence[i].instances, 1));
    const auto a = joined.out.row(u), b = joined.out.row(v);
    std::vector<NodeId>& shared = evidence[i].shared;
    std::set_intersection(a.begin(), a.end(), b.begin(), b.end(), std::back_inserter(shared));
    std::stable_sort(shared.begin(), shared.end(), [&](NodeId x, NodeId y) {
      return joined.out.row_size(x) < joined.out.row_size(y);
    });
  }
  return evidence;
}

// By groups of features; their sums and the intercept add up to the scores.
Contributions group_contributions(const Scorer& scorer, const std::vector<RankedPair>& pairs) {
  Contributions result{{"heuristics", "degrees", "counts", "network", "bias"},
                       Matrix(int64_t(pairs.size()), 5)};
  NodePairs ends;
  for (const RankedPair& pair : pairs) ends.push_back({pair.from, pair.to});
  const PairScore score(*scorer.features, *scorer.formula);
  const Matrix x = scorer.features->of_pairs(ends);
  const std::vector<PairFeature>& features = scorer.features->all();
  for (int64_t i = 0; i < x.rows; i++) {
    const std::vector<double> terms = score.terms(x.row(i));
    for (size_t t = 0; t < terms.size(); t++) {
      const auto place = std::find_if(features.begin(), features.end(), [&](const PairFeature& f) {
        return f.name == scorer.formula->terms[t].feature;
      });
      result.value(i, int64_t(place->group)) += float(terms[t]);
    }
    result.value(i, 4) = float(scorer.formula->intercept);
  }
  return result;
}

Scorer scorer_of(const TrainedModel& model, const Dataset& dataset, const LinkData& data,
                 const Matrix& out, RankScore by) {
  const LinkOptions& trained = link_options_of(*model.config);
  Scorer scorer{end_matrices(out, trained.decoder)};
  if (by == RankScore::network) return scorer;
  scorer.formula = formula_in(model.fitted);
  if (!scorer.formula)
    fail_usage(
        "{}: was trained with heuristics none, so that there is nothing to combine the "
        "network with; rank by the network",
        model.path);
  scorer.features.emplace(pair_features(dataset, trained, data, out));
  return scorer;
}

}  // namespace

Ranking rank_links(TrainedModel& model, const Dataset& dataset, const RankOptions& options) {
  if (!model.config->task().predicts_pairs())
    fail_usage("{}: was trained for {}; pairs are ranked by a network trained for links",
               model.path, model.config->entry().title);
  const LinkOptions link = link_question(link_options_of(*model.config), options);
  const NodeId partner = find_node(dataset, options.partner_of);
  const RankQuestion question = rank_question(dataset, link, partner);
  const LinkData data = training_data(model, dataset);
  Matrix out, representation;
  evaluate(*model.model, model.weights, data.batch, [&](const Output<float>& output) {
    out = copied(output.out);
    representation = copied(output.representation);
  });
  const Stopwatch watch;
  const Scorer scorer = scorer_of(model, dataset, data, out, options.score);
  Ranking ranking{.pairs = best_pairs(scorer, question, dataset.graph, options, partner),
                  .directed = question.directed,
                  .candidates = double(question.sources.size()) * double(question.targets.size())};
  ranking.scored_by = options.score;
  ranking.seconds = watch.seconds();
  ranking.evidence = evidence_of(data, question.directed, ranking.pairs);
  ranking.motifs = scorer.formula ? group_contributions(scorer, ranking.pairs)
                                  : motif_contributions(model, representation, out, ranking.pairs);
  const Calibration calibration = calibration_of(model);
  for (const RankedPair& pair : ranking.pairs)
    ranking.probability.push_back(scorer.formula ? scorer.formula->probability(double(pair.score))
                                                 : calibration.probability(double(pair.score)));
  ranking.warnings = warnings_of(model, dataset, link, data, out);
  return ranking;
}

std::string listed(const std::vector<std::string>& names) {
  std::string text;
  for (size_t i = 0; i < std::min<size_t>(names.size(), 5); i++)
    text += (i > 0 ? ", " : "") + in_quotes(names[i]);
  return text + (names.size() > 5 ? ", …" : "");
}

double Support::precision_at(int64_t k) const {
  const auto count = std::min<std::ptrdiff_t>(k, std::ptrdiff_t(supported.size()));
  return count > 0 ? double(std::count(supported.begin(), supported.begin() + count, uint8_t(1))) /
                         double(count)
                   : 0;
}

Support support_of(const std::string& path, const Dataset& dataset,
                   std::span<const RankedPair> pairs, bool directed) {
  Support support;
  const NodePairs listed = read_pairs(path, dataset, support.unknown_ids);
  std::set<std::pair<NodeId, NodeId>> known;
  for (size_t i = 0; i < listed.size(); i++) known.emplace(listed.from[i], listed.to[i]);
  support.listed = int64_t(listed.size());
  for (size_t i = 0; i < listed.size(); i++) {
    const auto [u, v] = listed[i];
    support.edges += dataset.graph.has_arc(u, v) || (!directed && dataset.graph.has_arc(v, u));
  }
  for (const RankedPair& pair : pairs)
    support.supported.push_back(known.contains({pair.from, pair.to}) ||
                                (!directed && known.contains({pair.to, pair.from})));
  return support;
}

}  // namespace mgnn
