#include "mgnn/models/operators.h"

#include <algorithm>

#include "mgnn/base/parallel.h"

namespace mgnn {

const std::vector<std::pair<std::string, MessageNorm>>& message_norm_names() {
  static const std::vector<std::pair<std::string, MessageNorm>> names = {
      {"sym-in", MessageNorm::sym_in},
      {"both", MessageNorm::both},
      {"row", MessageNorm::row},
      {"col", MessageNorm::col},
      {"none", MessageNorm::none}};
  return names;
}

namespace {

Array<double> column_counts(const Csr& pattern) {
  Array<double> count(size_t(pattern.cols), 0.);
  for (const NodeId c : pattern.index) count[size_t(c)]++;
  return count;
}

Array<double> inverses(std::span<const double> degree) {
  Array<double> result(degree.size());
  std::transform(degree.begin(), degree.end(), result.begin(),
                 [](double d) { return d > 0 ? 1 / d : 0.; });
  return result;
}

}  // namespace

Operator rounded_operator(Csr pattern, std::span<const double> value) {
  Array<float> rounded(value.size());
  std::transform(value.begin(), value.end(), rounded.begin(), [](double v) { return float(v); });
  return make_operator(std::move(pattern), std::move(rounded));
}

Csr message_pattern(const Graph& graph, bool loops) {
  return loops ? with_diagonal(graph.in, DiagonalRows::all) : graph.in;
}

Operator message_operator(const Graph& graph, MessageNorm norm, bool loops) {
  Csr pattern = message_pattern(graph, loops);
  const Array<double> ones(size_t(pattern.nnz()), 1.);
  const Array<double> received = row_sums(pattern, ones), sent = column_counts(pattern);
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
  const Array<double> value = scaled_both_sides(pattern, ones, left, right);
  return rounded_operator(std::move(pattern), value);
}

Operator normalised_messages(const Graph& graph, Normalisation kind) {
  if (kind == Normalisation::published) {  // -Âᵀ of A itself, so degrees are out-degrees
    const Array<double> ones(size_t(graph.num_arcs()), 1.), minus_ones(ones.size(), -1.);
    const Array<double> roots = inverse_roots(row_sums(graph.out, ones));
    return rounded_operator(graph.in, scaled_both_sides(graph.in, minus_ones, roots, roots));
  }
  Csr pattern = kind == Normalisation::centred ? with_diagonal(graph.in) : graph.in;
  Array<double> ones(size_t(pattern.nnz()), 1.);
  if (kind == Normalisation::centred)
    for (NodeId r = 0; r < pattern.rows; r++)
      for (Offset e = pattern.start[r]; e < pattern.start[r + 1]; e++)
        if (pattern.index[e] == r) ones[e] = 0;
  const Array<double> value = normalised(pattern, ones, kind);
  return rounded_operator(std::move(pattern), value);
}

namespace {

// Places of the old non-zeros in the new pattern, for `centred`, which needs the diagonal.
struct Placed {
  Csr pattern;
  Array<Offset> place;
};
Placed placed(const Csr& pattern, Normalisation kind) {
  if (kind != Normalisation::centred) return {pattern, {}};
  Placed result{with_diagonal(pattern), {}};
  result.place = places_in(pattern, result.pattern);
  return result;
}

}  // namespace

MotifBundle motif_bundle(const Graph& graph, const MotifOptions& options, Normalisation kind) {
  const MotifMatrices m = motif_matrices(graph, options);
  const Placed to = placed(m.pattern, kind);
  const auto nnz = size_t(to.pattern.nnz());
  // Where there is no motif at all, one matrix of zeros, which none refers to.
  const size_t count = std::max<size_t>(m.values.size(), 1);
  MotifBundle bundle{to.pattern, Array<float>(nnz * count, 0.f), {}};
  bundle.map.distinct = int64_t(count);
  Array<double> value(nnz);
  for (size_t a = 0; a < m.values.size(); a++) {
    std::fill(value.begin(), value.end(), 0.);
    for (size_t e = 0; e < m.values[a].size(); e++)
      value[to.place.empty() ? e : size_t(to.place[e])] = double(m.values[a][e]);
    const Array<double> result = normalised(to.pattern, value, kind);
    for (size_t e = 0; e < nnz; e++) bundle.value[e * count + a] = float(result[e]);
  }
  for (const int k : options.motifs.numbers()) {
    const MotifRef& ref = m.of[size_t(k - 1)];
    bundle.map.index.push_back(ref.array);
    // Normalising takes a factor away.
    bundle.map.factor.push_back(kind == Normalisation::none ? float(ref.factor) : 1.f);
  }
  return bundle;
}

Option motif_set_option(MotifSet& motifs) {
  return text_option(
      "motifs", motifs, "LIST",
      [](MotifSet set) { return set.empty() ? std::string("none") : set.text(); },
      [](const std::string& text) { return text == "none" ? MotifSet() : parse_motifs(text); },
      "all, none, closed, open, or some: 1,4,13");
}

Option counting_option(Counting& counting) {
  return choice("counting", counting, "what is an instance of a motif");
}

std::vector<Operator> motif_operators(const MotifBundle& bundle) {
  std::vector<Operator> all;
  const auto nnz = size_t(bundle.pattern.nnz());
  const auto count = size_t(bundle.map.distinct);
  for (size_t k = 0; k < bundle.map.index.size(); k++) {
    Array<float> value(nnz, 0.f);
    if (const int32_t array = bundle.map.index[k]; array >= 0)
      for (size_t e = 0; e < nnz; e++)
        value[e] = bundle.map.factor[k] * bundle.value[e * count + size_t(array)];
    all.push_back(make_operator(bundle.pattern, std::move(value)));
  }
  return all;
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

Array<float> unshared(const MotifBundle& bundle) {
  const auto nnz = size_t(bundle.pattern.nnz()), motifs = bundle.map.index.size();
  Array<float> value(nnz * motifs, 0.f);
  for (size_t k = 0; k < motifs; k++)
    if (bundle.map.index[k] >= 0)
      for (size_t e = 0; e < nnz; e++)
        value[e * motifs + k] =
            bundle.map.factor[k] *
            bundle.value[e * size_t(bundle.map.distinct) + size_t(bundle.map.index[k])];
  return value;
}

BundleMap each_its_own(int64_t motifs) {
  BundleMap map{motifs, {}, {}};
  for (int64_t k = 0; k < motifs; k++) {
    map.index.push_back(int32_t(k));
    map.factor.push_back(1.f);
  }
  return map;
}

}  // namespace mgnn
