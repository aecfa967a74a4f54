#include "mgnn/models/operators.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <memory>

#include "mgnn/base/parallel.h"
#include "mgnn/models/layers.h"

namespace mgnn {

namespace {

Array<double> column_sums(const Csr& pattern, std::span<const double> value) {
  Array<double> sum(size_t(pattern.cols), 0.);
  for (size_t e = 0; e < value.size(); e++) sum[pattern.index[e]] += value[e];
  return sum;
}

// (arcs) in the order of graph.in. REQUIRES: arcs have weights.
Array<double> weights_of_in(const GraphView& view) {
  const Array<Offset> place = transposed_places(view.graph.out, view.graph.in);
  Array<double> weight(place.size());
  for (size_t e = 0; e < place.size(); e++) weight[e] = double(view.arc_weight[place[e]]);
  return weight;
}

Array<double> inverses(std::span<const double> degree) {
  Array<double> result(degree.size());
  std::transform(degree.begin(), degree.end(), result.begin(),
                 [](double d) { return d > 0 ? 1 / d : 0.; });
  return result;
}

}  // namespace

Array<float> rounded(std::span<const double> value) {
  Array<float> result(value.size());
  std::transform(value.begin(), value.end(), result.begin(), [](double v) { return float(v); });
  return result;
}

Csr message_pattern(const Graph& graph, SelfLoops loops) {
  return loops == SelfLoops::added ? with_diagonal(graph.in, DiagonalRows::all) : graph.in;
}

Array<double> message_weights(const GraphView& view, const Csr& pattern) {
  Array<double> weight(size_t(pattern.nnz()), 1.);
  if (view.arc_weight.empty()) return weight;
  const Array<double> of_arcs = weights_of_in(view);
  const Array<Offset> place = places_in(view.graph.in, pattern);
  for (size_t e = 0; e < place.size(); e++) weight[place[e]] = of_arcs[e];
  return weight;
}

Array<double> message_values(const Csr& pattern, std::span<const double> weight, MessageNorm norm) {
  const Array<double> received = row_sums(pattern, weight), sent = column_sums(pattern, weight);
  Array<double> left(size_t(pattern.rows), 1.), right(left);
  switch (norm) {
    case MessageNorm::sym_in:
      left = right = inverse_roots(received);
      break;
    case MessageNorm::both:
      left = inverse_roots(received);
      right = inverse_roots(sent);
      break;
    case MessageNorm::row:
      left = inverses(received);
      break;
    case MessageNorm::col:
      right = inverses(sent);
      break;
    case MessageNorm::none:
      break;
  }
  return scaled_both_sides(pattern, weight, left, right);
}

Operator message_operator(const GraphView& view, MessageNorm norm, SelfLoops loops) {
  Csr pattern = message_pattern(view.graph, loops);
  const Array<double> value = message_values(pattern, message_weights(view, pattern), norm);
  return make_operator(std::move(pattern), rounded(value));
}

Operator normalised_adjacency(const GraphView& view, Normalisation kind) {
  const Graph& graph = view.graph;
  if (kind == Normalisation::published) {  // -Âᵀ of A itself, so degrees are out-degrees
    Array<double> weight = message_weights(view, graph.in);
    const Array<double> roots = inverse_roots(column_sums(graph.in, weight));
    for (double& w : weight) w = -w;
    return make_operator(graph.in, rounded(scaled_both_sides(graph.in, weight, roots, roots)));
  }
  Csr pattern = kind == Normalisation::centred ? with_diagonal(graph.in) : graph.in;
  Array<double> weight = message_weights(view, pattern);
  if (kind == Normalisation::centred)
    for (NodeId r = 0; r < pattern.rows; r++)
      for (Offset e = pattern.start[r]; e < pattern.start[r + 1]; e++)
        if (pattern.index[e] == r) weight[e] = 0;
  const Array<double> value = normalised(pattern, weight, kind);
  return make_operator(std::move(pattern), rounded(value));
}

Operators attention_operators(const GraphView& view) {
  Csr pattern = message_pattern(view.graph, SelfLoops::added);
  Operators result;
  if (!view.arc_weight.empty()) {
    Array<double> weight = message_weights(view, pattern);
    for (double& w : weight) w = std::log(w);
    result.log_weight = rounded(weight);
  }
  result.neighbours_and_self = make_pattern(std::move(pattern));
  return result;
}

template <class T>
Var<T> with_log_weights(Step<T>& step, Var<T> score) {
  const Array<float>& log_weight = step.batch.operators.log_weight;
  if (log_weight.empty()) return score;
  const std::vector<float> ones(size_t(score.cols), 1.f);
  const Var<T> column = constant_of(step, score.rows, 1, log_weight);
  return add(score, matmul(column, step.tape.converted(1, score.cols, ones.data())));
}
template Var<float> with_log_weights(Step<float>&, Var<float>);
template Var<double> with_log_weights(Step<double>&, Var<double>);

namespace {

// Matrices without their factors, and where the motifs find them.
struct DistinctMatrices {
  Csr pattern;
  int64_t count = 0;
  std::function<Array<double>(int64_t)> values;
  std::array<MotifRef, kNumMotifs> of;
};

DistinctMatrices distinct_counts(MotifMatrices m) {
  const auto shared = std::make_shared<MotifMatrices>(std::move(m));
  const auto values = [shared](int64_t a) {
    const Array<uint32_t>& value = shared->values[size_t(a)];
    return Array<double>(value.begin(), value.end());
  };
  return {shared->pattern, int64_t(shared->values.size()), values, shared->of};
}

DistinctMatrices distinct_weights(WeightedMotifMatrices m) {
  DistinctMatrices result{.pattern = std::move(m.pattern), .count = 0, .values = {}, .of = {}};
  std::vector<Array<double>> matrices;
  for (const int k : m.motifs.numbers()) {
    Array<double>& value = m.value[k - 1];
    const bool zero = std::all_of(value.begin(), value.end(), [](double x) { return x == 0; });
    result.of[k - 1].array = zero ? MotifRef::kZero : int(matrices.size());
    if (!zero) matrices.push_back(std::move(value));
  }
  result.count = int64_t(matrices.size());
  result.values = [matrices = std::move(matrices)](int64_t a) { return matrices[size_t(a)]; };
  return result;
}

}  // namespace

MotifBundle motif_bundle(const GraphView& view, const MotifOptions& options, Normalisation kind,
                         MotifWeights weights) {
  const bool weighted = weights != MotifWeights::none && !view.arc_weight.empty();
  const DistinctMatrices m =
      weighted
          ? distinct_weights(weighted_motif_matrices(view.graph, view.arc_weight, weights, options))
          : distinct_counts(motif_matrices(view.graph, options));
  const bool centred = kind == Normalisation::centred;  // needs the diagonal
  const Csr pattern = centred ? with_diagonal(m.pattern) : m.pattern;
  const Array<Offset> place = centred ? places_in(m.pattern, pattern) : Array<Offset>{};
  const auto nnz = size_t(pattern.nnz());
  // If there is no motif at all, one matrix of zeros, to which none refers.
  const size_t count = std::max<size_t>(size_t(m.count), 1);
  MotifBundle bundle{options.motifs, {}, pattern, Array<float>(nnz * count, 0.f)};
  bundle.map.distinct = int64_t(count);
  Array<double> wider(centred ? nnz : 0);
  for (int64_t a = 0; a < m.count; a++) {
    Array<double> value = m.values(a);
    if (centred) {
      std::fill(wider.begin(), wider.end(), 0.);
      for (size_t e = 0; e < value.size(); e++) wider[place[e]] = value[e];
    }
    const Array<double> result = normalised(pattern, centred ? wider : value, kind);
    for (size_t e = 0; e < nnz; e++) bundle.value[e * count + size_t(a)] = float(result[e]);
  }
  for (const int k : options.motifs.numbers()) {
    const MotifRef& ref = m.of[k - 1];
    bundle.map.index.push_back(ref.array);
    // Normalisation cancels factors.
    bundle.map.factor.push_back(kind == Normalisation::none ? float(ref.factor) : 1.f);
  }
  return bundle;
}

Option motif_set_option(MotifSet& motifs) {
  return text_option(
      "motifs", motifs, "LIST",
      [](MotifSet set) { return set.empty() ? std::string("none") : set.text(); },
      [](const std::string& text) { return text == "none" ? MotifSet() : parse_motifs(text); },
      "motifs to use: all, none, closed, open, or a list such as 1,4,13");
}

Option counting_option(Counting& counting) {
  return choice("counting", counting, "what is an instance of a motif");
}

Option motif_weights_option(MotifWeights& weights) {
  return choice("motif_weights", weights,
                "what an instance adds to a motif matrix: 1, or the mean or product of the weights "
                "of its arcs");
}

void divide_by_row_counts(MotifBundle& bundle) {
  const auto count = size_t(bundle.map.distinct);
  for (NodeId r = 0; r < bundle.pattern.rows; r++)
    for (size_t a = 0; a < count; a++) {
      int64_t entries = 0;
      for (Offset e = bundle.pattern.start[r]; e < bundle.pattern.start[r + 1]; e++)
        entries += bundle.value[size_t(e) * count + a] != 0;
      for (Offset e = bundle.pattern.start[r]; e < bundle.pattern.start[r + 1]; e++)
        bundle.value[size_t(e) * count + a] /= float(std::max<int64_t>(entries, 1));
    }
}

namespace {

// Every motif refers to a matrix of its own.
BundleMap identity_map(int64_t motifs) {
  BundleMap map{motifs, {}, {}};
  for (int64_t k = 0; k < motifs; k++) {
    map.index.push_back(int32_t(k));
    map.factor.push_back(1.f);
  }
  return map;
}

// (nnz, K): the matrices of all motifs, interleaved.
Array<float> expanded_values(const MotifBundle& bundle) {
  const BundleMap& map = bundle.map;
  const auto nnz = size_t(bundle.pattern.nnz()), motifs = map.index.size();
  Array<float> value(nnz * motifs, 0.f);
  for (size_t k = 0; k < motifs; k++)
    if (const int32_t array = map.index[k]; array >= 0)
      for (size_t e = 0; e < nnz; e++)
        value[e * motifs + k] =
            map.factor[k] * bundle.value[e * size_t(map.distinct) + size_t(array)];
  return value;
}

}  // namespace

MotifOperators interleaved_motifs(MotifBundle bundle) {
  Operator distinct =
      make_operator(std::move(bundle.pattern), std::move(bundle.value), bundle.map.distinct);
  return {.set = bundle.set, .map = std::move(bundle.map), .interleaved = std::move(distinct)};
}

MotifOperators separate_motifs(const MotifBundle& bundle) {
  MotifOperators result{.set = bundle.set, .map = identity_map(bundle.map.size())};
  const Array<float> values = expanded_values(bundle);
  const size_t motifs = bundle.map.index.size();
  for (size_t k = 0; k < motifs; k++) {
    Array<float> value(size_t(bundle.pattern.nnz()));
    for (size_t e = 0; e < value.size(); e++) value[e] = values[e * motifs + k];
    result.separate.push_back(make_operator(bundle.pattern, std::move(value)));
  }
  return result;
}

MotifOperators motif_values(MotifBundle bundle) {
  return {.set = bundle.set,
          .map = std::move(bundle.map),
          .pattern = make_pattern(std::move(bundle.pattern)),
          .value = std::move(bundle.value)};
}

MotifOperators expanded_motif_values(MotifBundle bundle) {
  bundle.value = expanded_values(bundle);
  bundle.map = identity_map(bundle.map.size());
  return motif_values(std::move(bundle));
}

namespace {

int32_t& index_of(MotifOperators& motifs, int motif) {
  const std::vector<int> numbers = motifs.set.numbers();
  const auto k = std::find(numbers.begin(), numbers.end(), motif) - numbers.begin();
  return motifs.map.index[k];
}

}  // namespace

ScopedMotifRemoval::ScopedMotifRemoval(Operators& operators, int motif)
    : index_(index_of(operators.motifs, motif)), before_(index_) {
  index_ = -1;
}

}  // namespace mgnn
