// Himmelstein et al. "Systematic integration of biomedical knowledge prioritizes drugs for
// repurposing", eLife 2017.

#include "mgnn/data/hetnet.h"

#include <algorithm>
#include <limits>
#include <map>

#include "mgnn/base/error.h"
#include "mgnn/base/human.h"
#include "mgnn/data/classes.h"
#include "mgnn/data/layout.h"
#include "mgnn/data/nodes_by_name.h"

namespace mgnn {
namespace {

struct HetnetFiles {
  std::string nodes, edges;  // paths; empty if there are none
  bool sif = false;
};

HetnetFiles find_hetnet_files(const std::string& folder) {
  HetnetFiles files{find_file(folder, "nodes.tsv"), find_file(folder, "edges.tsv")};
  if (!files.nodes.empty() && !files.edges.empty()) return files;
  files = {"", "", true};
  for (const std::string& name : file_names(folder)) {
    if (name.ends_with("nodes.tsv")) files.nodes = find_file(folder, name);
    if (name.ends_with("edges.sif")) files.edges = find_file(folder, name);
  }
  return files;
}

struct Nodes {
  std::vector<std::string_view> name, kind;
  NodeIndex index;  // by the id that the edges use
};

Nodes read_nodes(TsvFile& file) {
  Nodes nodes;
  const int id = file.column("id"), kind = file.column("kind");
  const int name = file.find_column("hetionet_id") >= 0 ? file.find_column("hetionet_id") : id;
  std::vector<std::string_view> fields;
  while (file.next(fields)) {
    if (fields[id].empty()) file.fail("the id is missing");
    if (fields[kind].empty()) file.fail("the kind is missing");
    if (nodes.name.size() == size_t(std::numeric_limits<NodeId>::max()))
      file.fail("there are too many nodes");
    if (!nodes.index.insert(fields[id], NodeId(nodes.name.size())))
      file.fail("node {} is listed twice", in_quotes(fields[id]));
    nodes.name.push_back(fields[name]);
    nodes.kind.push_back(fields[kind]);
  }
  if (nodes.name.empty()) file.fail("there are no nodes");
  return nodes;
}

std::vector<Relation> read_relations(const HetnetFiles& files, const Nodes& nodes,
                                     const std::vector<int32_t>& kind) {
  TsvFile file(files.edges, HeaderLine::present);
  const size_t from = size_t(file.column(files.sif ? "source" : "src"));
  const size_t to = size_t(file.column(files.sif ? "target" : "dst"));
  const size_t metaedge = size_t(file.column("metaedge"));
  std::map<std::string, Array<Edge>, std::less<>> edges_of;
  std::vector<std::string_view> fields;
  while (file.next(fields)) {
    const Edge edge{nodes.index.find(fields[from]), nodes.index.find(fields[to])};
    if (edge.from < 0 || edge.to < 0)
      file.fail("node {} is not in {}", in_quotes(fields[edge.from < 0 ? from : to]), files.nodes);
    if (fields[metaedge].empty()) file.fail("the metaedge is missing");
    auto found = edges_of.find(fields[metaedge]);
    if (found == edges_of.end())
      found = edges_of.emplace(std::string(fields[metaedge]), Array<Edge>()).first;
    found->second.push_back(edge);
    const bool symmetric = files.sif && kind[edge.from] == kind[edge.to] &&
                           fields[metaedge].find('>') == std::string_view::npos;
    if (symmetric) found->second.push_back({edge.to, edge.from});
  }
  std::vector<Relation> relations;
  for (auto& [name, edges] : edges_of) relations.push_back({name, std::move(edges)});
  return relations;
}

// metaedges.tsv tells how many edges each relation has here, and which are incomplete.
void check_metaedges(Dataset& dataset, const std::string& path) {
  TsvFile file(path, HeaderLine::present);
  const size_t metaedge = size_t(file.column("metaedge")), here = size_t(file.column("edges_here"));
  const int both = file.find_column("both_directions"), status = file.find_column("status");
  std::vector<std::string_view> fields;
  int64_t all = 0, partial = 0;
  while (file.next(fields)) {
    int64_t expected = 0;
    if (!parse_number(fields[here], expected) || expected < 0 || expected > int64_t(1) << 40)
      file.fail("expected a number of edges, got {}", in_quotes(fields[here]));
    if (both >= 0 && fields[both] == "1") expected *= 2;
    const auto relation =
        std::find_if(dataset.relations.begin(), dataset.relations.end(),
                     [&](const Relation& r) { return r.name == fields[metaedge]; });
    const int64_t found = relation == dataset.relations.end() ? 0 : int64_t(relation->edges.size());
    if (found != expected)
      file.fail("{} should have {} arcs, but the edges file has {}; is it cut?",
                in_quotes(fields[metaedge]), expected, found);
    all++;
    partial += status >= 0 && fields[status].starts_with("partial");
  }
  if (partial > 0)
    dataset.remarks.push_back(fmt::format(
        "{} of the {} relations are incomplete; metaedges.tsv says which", partial, all));
}

}  // namespace

bool is_hetnet_folder(const std::string& folder) {
  const HetnetFiles files = find_hetnet_files(folder);
  return !files.nodes.empty() && !files.edges.empty();
}

Dataset load_hetnet(const std::string& folder) {
  const HetnetFiles files = find_hetnet_files(folder);
  if (files.nodes.empty() || files.edges.empty())
    fail_data("{}: nodes.tsv and edges.tsv, or *-nodes.tsv and *-edges.sif, are missing", folder);
  TsvFile node_file(files.nodes, HeaderLine::present);
  const Nodes nodes = read_nodes(node_file);

  Dataset dataset;
  dataset.name = last_name(folder);
  dataset.ids = node_ids_of(nodes.name);
  Classes kinds = classes_of(nodes.kind);
  dataset.node_type = dataset.label = std::move(kinds.label);
  dataset.node_type_names = dataset.class_names = std::move(kinds.names);
  dataset.relations = read_relations(files, nodes, dataset.node_type);
  if (const std::string path = find_file(folder, "metaedges.tsv"); !files.sif && !path.empty())
    check_metaedges(dataset, path);

  Array<Edge> edges;
  for (const Relation& relation : dataset.relations)
    edges.insert(edges.end(), relation.edges.begin(), relation.edges.end());
  BuiltGraph built = build_graph(NodeId(nodes.name.size()), std::move(edges));
  dataset.graph = std::move(built.graph);
  dataset.build = built.stats;
  return dataset;
}

}  // namespace mgnn
