#include "mgnn/motif/motifs.h"

#include <algorithm>

#include "c/handles.h"
#include "mgnn/motif/motif_file.h"

// Counted matrices, or weighted ones: then array k - 1 is that of motif k.
struct mgnn_motifs {
  std::shared_ptr<const mgnn::MotifMatrices> counted;
  std::shared_ptr<const mgnn::WeightedMotifMatrices> weighted;
  mgnn_graph graph;  // whose names go into files
};

namespace mgnn::c {
namespace {

const Csr& pattern_of(const mgnn_motifs* motifs) {
  needed(motifs, "motifs");
  return motifs->counted ? motifs->counted->pattern : motifs->weighted->pattern;
}

MotifSet set_of(const mgnn_motifs& motifs) {
  return motifs.counted ? motifs.counted->motifs : motifs.weighted->motifs;
}

void check_motif(const mgnn_motifs* motifs, int32_t motif) {
  needed(motifs, "motifs");
  check(motif >= 1 && motif <= kNumMotifs, "motif {} is not one of 1 to {}", motif, kNumMotifs);
  check(set_of(*motifs).contains(motif), "motif {} was not counted, only {}", motif,
        set_of(*motifs).text());
}

const Array<double>& weights_of(const mgnn_motifs& motifs, int32_t motif) {
  return motifs.weighted->value[size_t(motif - 1)];
}

Array<double> values_of(const mgnn_motifs& motifs, int32_t motif) {
  if (motifs.weighted) return weights_of(motifs, motif);
  const Array<int64_t> counts = motifs.counted->counts(motif);
  Array<double> values(counts.size());
  std::transform(counts.begin(), counts.end(), values.begin(), [](int64_t n) { return double(n); });
  return values;
}

// Whether every row that is not empty has its diagonal.
bool has_diagonal(const Csr& pattern) { return with_diagonal(pattern).nnz() == pattern.nnz(); }

template <class T>
Array<T> moved_to(const Array<T>& values, std::span<const Offset> place, Offset entries) {
  Array<T> wider(size_t(entries), T(0));
  for (size_t e = 0; e < values.size(); e++) wider[place[e]] = values[e];
  return wider;
}

MotifMatrices with_diagonal_places(const MotifMatrices& m) {
  MotifMatrices wider = m;
  wider.pattern = with_diagonal(m.pattern);
  const Array<Offset> place = places_in(m.pattern, wider.pattern);
  for (auto& values : wider.values) values = moved_to(values, place, wider.pattern.nnz());
  return wider;
}

WeightedMotifMatrices with_diagonal_places(const WeightedMotifMatrices& m) {
  WeightedMotifMatrices wider = m;
  wider.pattern = with_diagonal(m.pattern);
  const Array<Offset> place = places_in(m.pattern, wider.pattern);
  for (const int k : m.motifs.numbers())
    wider.value[size_t(k - 1)] = moved_to(m.value[size_t(k - 1)], place, wider.pattern.nnz());
  return wider;
}

mgnn_motifs_info info_of(const mgnn_motifs& motifs) {
  mgnn_motifs_info info{.num_nodes = pattern_of(&motifs).rows,
                        .entries = pattern_of(&motifs).nnz(),
                        .num_arrays = kNumMotifs,
                        .weighted = motifs.weighted != nullptr};
  if (motifs.counted) info.num_arrays = std::ssize(motifs.counted->values);
  for (int k = 0; k < kNumMotifs; k++) {
    const bool there = set_of(motifs).contains(k + 1);
    info.array[k] = motifs.counted ? motifs.counted->of[size_t(k)].array
                    : there        ? k
                                   : MGNN_NOT_COUNTED;
    info.factor[k] = motifs.counted ? motifs.counted->of[size_t(k)].factor : 1;
  }
  return info;
}
static_assert(MotifRef::kZero == MGNN_ZERO_MATRIX && MotifRef::kAbsent == MGNN_NOT_COUNTED);

MotifOptions options_of(const mgnn_motif_options& asked) {
  check(asked.pair_memory_limit >= 0, "pair_memory_limit is {}", asked.pair_memory_limit);
  return {.counting = parse_name<Counting>("counting", text_of(asked.counting, "subgraph")),
          .entry = parse_name<Entry>("entry", text_of(asked.entry, "edge")),
          .motifs = parse_motifs(text_of(asked.motifs, "all")),
          .pair_memory_limit = asked.pair_memory_limit};
}

// One of the two.
std::unique_ptr<mgnn_motifs> new_motifs(const mgnn_graph& graph,
                                        std::shared_ptr<const MotifMatrices> counted,
                                        std::shared_ptr<const WeightedMotifMatrices> weighted) {
  return std::unique_ptr<mgnn_motifs>(new mgnn_motifs{
      std::move(counted), std::move(weighted), {graph.graph, graph.ids, graph.build}});
}

}  // namespace
}  // namespace mgnn::c

using namespace mgnn;
using namespace mgnn::c;

int mgnn_motifs_new(const mgnn_call* call, const mgnn_graph* graph,
                    const mgnn_motif_options* options, mgnn_motifs** motifs) {
  return in_call(call, [&] {
    needed(motifs, "motifs");
    const Graph& g = graph_of(graph);
    const auto asked = given(options, "mgnn_motif_options");
    const auto weights = parse_name<MotifWeights>("weights", text_of(asked.weights, "none"));
    const bool weighted = weights != MotifWeights::none;
    check(weighted || !asked.arc_weight, "arc_weight is given, but weights is none");
    std::unique_ptr<mgnn_motifs> result;
    if (weighted) {
      needed(asked.arc_weight, "arc_weight");
      const std::span arc_weight(asked.arc_weight, size_t(g.num_arcs()));
      result = new_motifs(*graph, {},
                          std::make_shared<const WeightedMotifMatrices>(
                              weighted_motif_matrices(g, arc_weight, weights, options_of(asked))));
    } else {
      result = new_motifs(
          *graph, std::make_shared<const MotifMatrices>(motif_matrices(g, options_of(asked))), {});
    }
    check_interrupted();
    *motifs = result.release();
  });
}

void mgnn_motifs_free(mgnn_motifs* motifs) { delete motifs; }

int mgnn_motifs_get_info(const mgnn_motifs* motifs, mgnn_motifs_info* info) {
  return guarded([&] { give(info_of(needed(motifs, "motifs")), info, "mgnn_motifs_info"); });
}

int mgnn_motifs_pattern(const mgnn_motifs* motifs, const int64_t** start, const int32_t** index) {
  return guarded([&] {
    needed(start, "start") = pattern_of(motifs).start.data();
    needed(index, "index") = pattern_of(motifs).index.data();
  });
}

int mgnn_motifs_values(const mgnn_motifs* motifs, int64_t array, const uint32_t** values) {
  return guarded([&] {
    check(needed(motifs, "motifs").counted != nullptr, "these matrices are sums of weights");
    const auto& arrays = motifs->counted->values;
    check(array >= 0 && array < std::ssize(arrays), "array {} of {}", array, arrays.size());
    needed(values, "values") = arrays[size_t(array)].data();
  });
}

int mgnn_motifs_weights(const mgnn_motifs* motifs, int64_t array, const double** values) {
  return guarded([&] {
    check(needed(motifs, "motifs").weighted != nullptr, "these matrices are counts");
    check_motif(motifs, int32_t(std::clamp<int64_t>(array, -1, kNumMotifs)) + 1);
    needed(values, "values") = weights_of(*motifs, int32_t(array) + 1).data();
  });
}

int mgnn_motifs_counts(const mgnn_call* call, const mgnn_motifs* motifs, int32_t motif,
                       int64_t* counts) {
  return in_call(call, [&] {
    check_motif(motifs, motif);
    check(motifs->counted != nullptr, "these matrices are sums of weights");
    const Array<int64_t> all = motifs->counted->counts(motif);
    if (!all.empty()) std::copy(all.begin(), all.end(), &needed(counts, "counts"));
  });
}

int mgnn_motifs_normalised(const mgnn_call* call, const mgnn_motifs* motifs, int32_t motif,
                           const char* kind, double* values) {
  return in_call(call, [&] {
    check_motif(motifs, motif);
    const auto how = parse_name<Normalisation>("normalisation", text_of(kind, "none"));
    const Csr& pattern = pattern_of(motifs);
    check(how != Normalisation::centred || has_diagonal(pattern),
          "centred needs places on the diagonal; use mgnn_motifs_with_diagonal");
    Array<double> value = values_of(*motifs, motif);
    if (how != Normalisation::none) {
      if (std::any_of(value.begin(), value.end(), [](double x) { return x < 0; }))
        fail_data("{} has negative entries, which cannot be normalised", motif_label(motif));
      value = normalised(pattern, value, how);
    }
    if (!value.empty()) std::copy(value.begin(), value.end(), &needed(values, "values"));
  });
}

int mgnn_motifs_with_diagonal(const mgnn_call* call, const mgnn_motifs* motifs,
                              mgnn_motifs** with) {
  return in_call(call, [&] {
    needed(with, "with");
    const mgnn_motifs& m = needed(motifs, "motifs");
    *with = (m.counted
                 ? new_motifs(
                       m.graph,
                       std::make_shared<const MotifMatrices>(with_diagonal_places(*m.counted)), {})
                 : new_motifs(m.graph, {},
                              std::make_shared<const WeightedMotifMatrices>(
                                  with_diagonal_places(*m.weighted))))
                .release();
  });
}

int mgnn_motifs_write(const mgnn_call* call, const mgnn_motifs* motifs, const char* path,
                      const char* normalisation, int32_t overwrite) {
  return in_call(call, [&] {
    const mgnn_motifs& m = needed(motifs, "motifs");
    const std::string to = &needed(path, "path");
    const MotifFileOptions options{
        .format = motif_format_of(to),
        .normalisation = parse_name<Normalisation>("normalisation", text_of(normalisation, "none")),
        .overwrite = overwrite != 0};
    const uint64_t hash = fingerprint(*m.graph.graph);
    if (m.counted)
      write_motif_matrices(to, *m.counted, *m.graph.ids, hash, options);
    else
      write_motif_matrices(to, *m.weighted, *m.graph.ids, hash, options);
  });
}
