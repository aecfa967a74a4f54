#include <algorithm>
#include <limits>
#include <unordered_set>

#include "c/buffers.h"
#include "c/handles.h"
#include "mgnn/base/parallel.h"
#include "mgnn/base/toml.h"
#include "mgnn/data/load.h"

namespace mgnn::c {
namespace {

constexpr int64_t kMaxNodes = std::numeric_limits<NodeId>::max();

NodeId num_nodes_of(int64_t nodes) {
  check(nodes >= 0 && nodes < kMaxNodes, "{} nodes; use 0 to {}", nodes, kMaxNodes - 1);
  return NodeId(nodes);
}

// Calls use(pointer of that type).
template <class Use>
void with_type(int32_t type, const void* array, Use use) {
  if (type == MGNN_INT32) return use(static_cast<const int32_t*>(array));
  if (type == MGNN_INT64) return use(static_cast<const int64_t*>(array));
  fail_usage("type {} of indices; use MGNN_INT32 or MGNN_INT64", type);
}

template <class Index>
int64_t largest_of(const Index* source, const Index* target, int64_t arcs, int64_t stride) {
  int64_t most = -1;
#pragma omp parallel for schedule(static) reduction(max : most) if (worth_threads(arcs))
  for (int64_t i = 0; i < arcs; i++)
    most = std::max({most, int64_t(source[i * stride]), int64_t(target[i * stride])});
  return most;
}

// Arc number i is `of(i)`. Nodes outside 0 .. nodes - 1 are told with the first such arc.
template <class Of>
Array<Edge> edge_array(int64_t arcs, int64_t nodes, Of of) {
  Array<Edge> edges(static_cast<size_t>(arcs));
  int64_t wrong = arcs;
#pragma omp parallel for schedule(static) reduction(min : wrong) if (worth_threads(arcs))
  for (int64_t i = 0; i < arcs; i++) {
    const auto [from, to] = of(i);
    if (from < 0 || from >= nodes || to < 0 || to >= nodes) wrong = std::min(wrong, i);
    edges[i] = {NodeId(from), NodeId(to)};
  }
  if (wrong < arcs)
    fail_usage("arc {} joins {} and {}, but nodes are 0 to {}", wrong, of(wrong).first,
               of(wrong).second, nodes - 1);
  return edges;
}

BuildOptions options_of(uint32_t flags) {
  check((flags & ~uint32_t(MGNN_UNDIRECTED)) == 0, "flags {:#x} are not known", flags);
  return {.symmetrise = (flags & MGNN_UNDIRECTED) != 0};
}

mgnn_graph* built(int64_t nodes, Array<Edge> edges, uint32_t flags) {
  BuiltGraph result = build_graph(NodeId(nodes), std::move(edges), options_of(flags));
  return new_graph(std::move(result.graph), {}, result.stats);
}

template <class Index>
void check_rows(const Index* indptr, int64_t rows) {
  check(indptr[0] == 0, "indptr begins with {}, not 0", indptr[0]);
  for (int64_t r = 0; r < rows; r++)
    if (indptr[r + 1] < indptr[r])
      fail_usage("indptr: row {} ends before it begins, {} after {}", r, indptr[r + 1], indptr[r]);
}

bool is_blank(std::string_view line) {
  const size_t first = line.find_first_not_of(" \t\r");
  return first == line.npos || line[first] == '#';
}

std::string_view trimmed(std::string_view text) {
  const size_t first = text.find_first_not_of(" \t\r");
  if (first == text.npos) return {};
  return text.substr(first, text.find_last_not_of(" \t\r") + 1 - first);
}

// A line of TOML, or of key=value.
void add_line(std::string_view line, Settings& settings) {
  try {
    for (Setting& setting : parse_toml(line, "settings")) settings.push_back(std::move(setting));
  } catch (const Error&) {
    Setting setting(line);
    const std::string value = std::get<std::string>(setting.value);
    settings.emplace_back(std::string(trimmed(setting.name)), std::string(trimmed(value)));
  }
}

Json json_of(const DegreeSummary& degrees) {
  return {{"min", degrees.min},
          {"max", degrees.max},
          {"mean", degrees.mean},
          {"median", degrees.median}};
}

// Each of them once.
void check_different(const NodeIds& ids, int64_t count) {
  std::unordered_set<std::string> seen;
  for (int64_t i = 0; i < count; i++)
    if (!seen.insert(ids.name(NodeId(i))).second)
      fail_usage("two nodes are called {}", in_quotes(ids.name(NodeId(i))));
}

NodeIds copied(const mgnn_ids& given, int64_t nodes) {
  NodeIds ids;
  if (given.kind == MGNN_NO_IDS) return ids;
  check(given.count == nodes, "{} names for {} nodes", given.count, nodes);
  if (given.kind == MGNN_INTEGER_IDS) {
    if (nodes > 0) ids.number.assign(&needed(given.number, "number"), given.number + nodes);
    return ids;
  }
  check(given.kind == MGNN_STRING_IDS, "kind {} of names is not known", given.kind);
  needed(given.start, "start");
  check_rows(given.start, nodes);
  if (given.start[nodes] > 0)
    ids.text.assign(&needed(given.text, "text"), given.text + given.start[nodes]);
  ids.text_start.assign(given.start, given.start + nodes + 1);
  return ids;
}

}  // namespace

mgnn_graph* new_graph(std::shared_ptr<const Graph> graph, std::shared_ptr<const NodeIds> ids,
                      const BuildStats& build) {
  return new mgnn_graph{std::move(graph), std::move(ids), build};
}

mgnn_graph* new_graph(Graph graph, NodeIds ids, const BuildStats& build) {
  return new_graph(std::make_shared<const Graph>(std::move(graph)),
                   std::make_shared<const NodeIds>(std::move(ids)), build);
}

std::vector<NodeId> node_list(const int64_t* nodes, int64_t count, int64_t end, const char* name) {
  check(count >= 0, "{} has {} elements", name, count);
  std::vector<NodeId> list;
  list.reserve(size_t(count));
  if (count > 0) needed(nodes, name);
  for (int64_t i = 0; i < count; i++) {
    check(nodes[i] >= 0 && nodes[i] < end, "{}: {} is not one of 0 to {}", name, nodes[i], end - 1);
    list.push_back(NodeId(nodes[i]));
  }
  return list;
}

std::vector<NodeId> graph_starts(const int64_t* start, int64_t num_graphs, int64_t num_nodes) {
  check(num_graphs > 0, "graph_start: {} graphs", num_graphs);
  std::vector<NodeId> list = node_list(start, num_graphs + 1, num_nodes + 1, "graph_start");
  check(list.front() == 0 && list.back() == num_nodes && std::is_sorted(list.begin(), list.end()),
        "graph_start does not ascend from 0 to the {} nodes", num_nodes);
  return list;
}

Csr csr_of(int64_t rows, int64_t cols, const void* indptr, int32_t indptr_type, const void* indices,
           int32_t indices_type) {
  check(rows >= 0 && rows < kMaxNodes && cols >= 0 && cols < kMaxNodes, "invalid shape ({}, {})",
        rows, cols);
  need(indptr, "indptr");
  Array<Offset> start(size_t(rows) + 1);
  with_type(indptr_type, indptr, [&](const auto* at) {
    check_rows(at, rows);
    std::copy_n(at, rows + 1, start.begin());
  });
  const Offset entries = start.back();
  if (entries > 0) need(indices, "indices");
  Array<NodeId> index(static_cast<size_t>(entries));
  with_type(indices_type, indices, [&](const auto* at) {
    for (int64_t r = 0; r < rows; r++)
      for (Offset e = start[r]; e < start[r + 1]; e++) {
        check(at[e] >= 0 && at[e] < cols, "row {}: column {} is not one of 0 to {}", r, at[e],
              cols - 1);
        check(e == start[r] || at[e - 1] < at[e], "row {}: its columns do not ascend", r);
        index[e] = NodeId(at[e]);
      }
  });
  return {NodeId(rows), NodeId(cols), std::move(start), std::move(index)};
}

std::vector<std::string> names_of(int64_t count, const char* const* names, const char* what) {
  check(count >= 0, "{} {}", count, what);
  std::vector<std::string> list;
  if (count > 0) needed(names, what);
  for (int64_t i = 0; i < count; i++) list.emplace_back(&needed(names[i], what));
  return list;
}

Settings settings_of(const char* text) {
  Settings settings;
  if (!text) return settings;
  try {
    return parse_toml(text, "settings");
  } catch (const Error&) {  // lines of key=value, then
  }
  std::string_view rest = text;
  while (!rest.empty()) {
    const std::string_view line = rest.substr(0, rest.find('\n'));
    if (!is_blank(line)) add_line(line, settings);
    rest.remove_prefix(std::min(rest.size(), line.size() + 1));
  }
  return settings;
}

mgnn_ids ids_of(const NodeIds& ids, int64_t count) {
  mgnn_ids known{.count = count};
  if (ids.are_strings()) {
    known.kind = MGNN_STRING_IDS;
    known.text = ids.text.data(), known.start = ids.text_start.data();
  } else if (!ids.trivial()) {
    known.kind = MGNN_INTEGER_IDS;
    known.number = ids.number.data();
  }
  return known;
}

}  // namespace mgnn::c

using namespace mgnn;
using namespace mgnn::c;

int mgnn_graph_from_arcs(const mgnn_call* call, int64_t num_nodes, int64_t num_arcs,
                         const void* source, const void* target, int64_t stride, int32_t type,
                         uint32_t flags, mgnn_graph** graph) {
  return in_call(call, [&] {
    needed(graph, "graph");
    check(num_arcs >= 0, "{} arcs", num_arcs);
    if (num_arcs > 0) need(source, "source"), need(target, "target");
    with_type(type, source, [&](const auto* from) {
      const auto* to = static_cast<decltype(from)>(target);
      const int64_t nodes =
          num_nodes_of(num_nodes >= 0 ? num_nodes : largest_of(from, to, num_arcs, stride) + 1);
      Array<Edge> edges = edge_array(num_arcs, nodes, [=](int64_t i) {
        return std::pair<int64_t, int64_t>(from[i * stride], to[i * stride]);
      });
      *graph = built(nodes, std::move(edges), flags);
    });
  });
}

int mgnn_graph_from_csr(const mgnn_call* call, int64_t num_nodes, const void* indptr,
                        int32_t indptr_type, const void* indices, int32_t indices_type,
                        uint32_t flags, mgnn_graph** graph) {
  return in_call(call, [&] {
    needed(graph, "graph");
    const NodeId nodes = num_nodes_of(num_nodes);
    need(indptr, "indptr");
    Array<Offset> start(size_t(nodes) + 1);
    with_type(indptr_type, indptr, [&](const auto* at) {
      check_rows(at, nodes);
      std::copy_n(at, int64_t(nodes) + 1, start.begin());
    });
    if (start.back() > 0) need(indices, "indices");
    Array<Edge> edges(static_cast<size_t>(start.back()));
    with_type(indices_type, indices, [&](const auto* at) {
      for (NodeId u = 0; u < nodes; u++)
        for (Offset e = start[u]; e < start[u + 1]; e++) {
          check(at[e] >= 0 && at[e] < nodes, "row {}: column {} is not one of 0 to {}", u, at[e],
                nodes - 1);
          edges[e] = {u, NodeId(at[e])};
        }
    });
    *graph = built(nodes, std::move(edges), flags);
  });
}

int mgnn_graph_load(const mgnn_call* call, const char* what, const char* settings,
                    mgnn_graph** graph) {
  mgnn_dataset* dataset = nullptr;
  const int code = mgnn_dataset_load(call, what, settings, &dataset);
  if (code != MGNN_OK) return code;
  const int result = mgnn_dataset_graph(dataset, graph);
  mgnn_dataset_free(dataset);
  return result;
}

void mgnn_graph_free(mgnn_graph* graph) { delete graph; }

int mgnn_graph_get_info(const mgnn_graph* graph, mgnn_graph_info* info) {
  return guarded([&] {
    const Graph& g = graph_of(graph);
    std::call_once(graph->summarised, [&] {
      graph->fingerprint = fingerprint(g);
      graph->undirected = g.out.start == g.in.start && g.out.index == g.in.index;
    });
    const mgnn_ids ids = ids_of(*graph->ids, g.num_nodes());
    give({.size = 0,
          .num_nodes = g.num_nodes(),
          .num_arcs = g.num_arcs(),
          .arcs_given = graph->build.arcs_given,
          .loops_dropped = graph->build.loops_dropped,
          .duplicates_dropped = graph->build.duplicates_dropped,
          .fingerprint = graph->fingerprint,
          .undirected = graph->undirected,
          .ids = ids.kind},
         info, "mgnn_graph_info");
  });
}

static int rows_of(const mgnn_graph* graph, Csr Graph::*rows, const int64_t** start,
                   const int32_t** index) {
  return guarded([&] {
    needed(start, "start") = (graph_of(graph).*rows).start.data();
    needed(index, "index") = (graph_of(graph).*rows).index.data();
  });
}
int mgnn_graph_out_rows(const mgnn_graph* graph, const int64_t** start, const int32_t** index) {
  return rows_of(graph, &Graph::out, start, index);
}
int mgnn_graph_in_rows(const mgnn_graph* graph, const int64_t** start, const int32_t** index) {
  return rows_of(graph, &Graph::in, start, index);
}

int mgnn_graph_arcs(const mgnn_graph* graph, int64_t* source, int64_t* target) {
  return guarded([&] {
    const Csr& out = graph_of(graph).out;
    if (out.nnz() == 0) return;
    needed(source, "source"), needed(target, "target");
    for (NodeId u = 0; u < out.rows; u++)
      for (Offset e = out.start[u]; e < out.start[u + 1]; e++)
        source[e] = u, target[e] = out.index[e];
  });
}

int mgnn_graph_get_ids(const mgnn_graph* graph, mgnn_ids* ids) {
  return guarded(
      [&] { give(ids_of(*needed(graph, "graph").ids, graph_of(graph).num_nodes()), ids, "ids"); });
}

int mgnn_graph_with_ids(const mgnn_graph* graph, const mgnn_ids* ids, mgnn_graph** named) {
  return guarded([&] {
    needed(named, "named");
    const int64_t nodes = graph_of(graph).num_nodes();
    NodeIds names = copied(given(&needed(ids, "ids"), "mgnn_ids"), nodes);
    if (!names.trivial()) check_different(names, nodes);
    *named =
        new_graph(graph->graph, std::make_shared<const NodeIds>(std::move(names)), graph->build);
  });
}

int mgnn_graph_reversed(const mgnn_call* call, const mgnn_graph* graph, mgnn_graph** reversed) {
  return in_call(call, [&] {
    needed(reversed, "reversed");
    Graph result{.out = graph_of(graph).in, .in = graph_of(graph).out};
    *reversed = new_graph(std::make_shared<const Graph>(std::move(result)), graph->ids,
                          {.arcs_given = graph_of(graph).num_arcs()});
  });
}

int mgnn_graph_undirected(const mgnn_call* call, const mgnn_graph* graph, mgnn_graph** undirected) {
  return in_call(call, [&] {
    needed(undirected, "undirected");
    const Graph& g = graph_of(graph);
    BuiltGraph result = build_graph(g.num_nodes(), arcs(g), {.symmetrise = true});
    *undirected = new_graph(std::make_shared<const Graph>(std::move(result.graph)), graph->ids,
                            {.arcs_given = g.num_arcs()});
  });
}

int mgnn_graph_subgraph(const mgnn_call* call, const mgnn_graph* graph, const int64_t* nodes,
                        int64_t count, mgnn_graph** part) {
  return in_call(call, [&] {
    needed(part, "part");
    const Graph& g = graph_of(graph);
    const std::vector<NodeId> kept = node_list(nodes, count, g.num_nodes(), "nodes");
    for (size_t i = 1; i < kept.size(); i++)
      check(kept[i - 1] < kept[i], "nodes of a subgraph do not ascend: {} after {}", kept[i],
            kept[i - 1]);
    Graph result = induced_subgraph(g, kept);
    const Offset arcs = result.num_arcs();
    *part = new_graph(std::move(result), graph->ids->subset({kept.begin(), kept.end()}),
                      {.arcs_given = arcs});
  });
}

int mgnn_graph_summary(const mgnn_call* call, const mgnn_graph* graph, mgnn_buffer** json) {
  return in_call(call, [&] {
    needed(json, "json");
    const GraphSummary s = summarise(graph_of(graph));
    *json = new_buffer(Json{{"nodes", s.nodes},
                            {"arcs", s.arcs},
                            {"reciprocal_pairs", s.reciprocal_pairs},
                            {"undirected_edges", s.undirected_edges},
                            {"reciprocity", s.reciprocity()},
                            {"isolated", s.isolated},
                            {"components", s.components},
                            {"largest_component", s.largest_component},
                            {"out_degree", json_of(s.out)},
                            {"in_degree", json_of(s.in)}});
  });
}
