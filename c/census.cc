#include "mgnn/motif/census.h"

#include <algorithm>

#include "c/buffers.h"
#include "c/handles.h"

namespace mgnn::c {
namespace {

Counting counting_of(const char* name) {
  return parse_name<Counting>("counting", text_of(name, "subgraph"));
}

// (rows, 13) or (rows, 30)
template <class Rows>
void write_rows(const Rows& rows, int64_t* to) {
  if (!to) return;
  for (const auto& row : rows) to = std::copy(row.begin(), row.end(), to);
}

void write_arcs(const Graph& graph, const MotifMatrices& m, int64_t* to) {
  if (!to) return;
  const Array<Offset> place = places_in(graph.out, m.pattern);
  for (const Offset e : place)
    for (int k = 1; k <= kNumMotifs; k++) *to++ = m.count(k, e);
}

template <class Numbers, class T>
void write_numbers(const Numbers& numbers, T* to) {
  if (to) std::copy(numbers.begin(), numbers.end(), to);
}

// By the name of the triad, in the order of the interface.
constexpr const char* kTriads[] = {"003",  "012",  "102", "021D", "021U", "021C", "111D", "111U",
                                   "030T", "030C", "201", "120D", "120U", "120C", "210",  "300"};
static_assert(std::size(kTriads) == MGNN_TRIADS);

Json json_of(const Motif& m) {
  Json arcs = Json::array();
  for (int i = 0; i < m.num_arcs; i++) arcs.push_back({m.arcs[i].from, m.arcs[i].to});
  return {{"number", m.number},
          {"label", motif_label(m.number)},
          {"name", m.name},
          {"triad", m.triad},
          {"closed", m.closed},
          {"arcs", arcs},
          {"automorphisms", m.automorphisms},
          {"drawing", m.drawing},
          {"roles", m.roles}};  // of its nodes 0, 1, 2
}

}  // namespace
}  // namespace mgnn::c

using namespace mgnn;
using namespace mgnn::c;

int mgnn_motif_table(mgnn_buffer** json) {
  return guarded([&] {
    Json motifs = Json::array();
    for (const Motif& m : all_motifs()) motifs.push_back(json_of(m));
    needed(json, "json") = new_buffer(Json{{"motifs", motifs}, {"triads", kTriads}});
  });
}

int mgnn_census(const mgnn_call* call, const mgnn_graph* graph, const mgnn_census_options* options,
                const mgnn_census_counts* counts) {
  return in_call(call, [&] {
    const Graph& g = graph_of(graph);
    const auto asked = given(options, "mgnn_census_options");
    const auto to = given(&needed(counts, "counts"), "mgnn_census_counts");
    check(!to.per_graph || asked.graph_start, "per_graph: there is no graph_start");
    CensusOptions how{.counting = counting_of(asked.counting),
                      .per_node = to.per_node != nullptr,
                      .per_role = to.per_role != nullptr,
                      .per_arc = to.per_arc != nullptr};
    if (asked.graph_start)
      how.graph_start = graph_starts(asked.graph_start, asked.num_graphs, g.num_nodes());
    const Census result = census(g, how);
    check_interrupted();
    write_numbers(result.total, to.total);
    write_rows(result.per_node, to.per_node);
    write_rows(result.per_graph, to.per_graph);
    write_rows(result.per_role, to.per_role);
    write_arcs(g, result.per_arc, to.per_arc);
  });
}

int mgnn_triad_census(const mgnn_call* call, const mgnn_graph* graph, int64_t* count) {
  return in_call(call, [&] {
    needed(count, "count");
    const TriadCensus triads = triad_census(graph_of(graph));
    count[0] = triads.no_arc, count[1] = triads.one_arc, count[2] = triads.one_mutual_pair;
    for (const Motif& m : all_motifs()) {
      const auto* place = std::find(std::begin(kTriads), std::end(kTriads), std::string(m.triad));
      count[place - kTriads] = triads.connected[size_t(m.number - 1)];
    }
  });
}

int mgnn_null_model(const mgnn_call* call, const mgnn_graph* graph, const char* counting,
                    int64_t graphs, uint64_t seed, const mgnn_null_counts* counts) {
  return in_call(call, [&] {
    const Graph& g = graph_of(graph);
    const auto to = given(&needed(counts, "counts"), "mgnn_null_counts");
    check(graphs >= 2 && graphs <= 1'000'000, "{} random graphs; use 2 to 1000000", graphs);
    const Counting kind = counting_of(counting);
    const MotifCounts observed = census(g, {.counting = kind}).total;
    const NullModel null = null_model(observed, kind, int(graphs), rewiring_null(g, Rng(seed)));
    check_interrupted();
    write_numbers(observed, to.observed);
    write_numbers(null.mean, to.mean);
    write_numbers(null.deviation, to.deviation);
    write_numbers(null.z_score, to.z);
    write_numbers(null.p_value, to.p);
    write_numbers(null.q_value, to.q);
  });
}
