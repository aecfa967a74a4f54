// Chen et al. "Chem2Bio2RDF: a semantic framework for linking and data mining chemogenomic and
// systems chemical biology data", BMC Bioinformatics 2010.

#include "mgnn/data/chem2bio2rdf.h"

#include <algorithm>
#include <array>
#include <limits>

#include "mgnn/base/error.h"
#include "mgnn/data/classes.h"
#include "mgnn/data/layout.h"
#include "mgnn/data/nodes_by_name.h"

namespace mgnn {
namespace {

constexpr std::array<std::string_view, 10> kKinds = {
    "pubchem_compound", "substructure", "gene", "kegg_pathway", "tissue",
    "omim_disease",     "gene_family",  "GO",   "chebi",        "sider"};

int32_t kind_named(std::string_view name) {
  const auto found = std::find(kKinds.begin(), kKinds.end(), name);
  return found == kKinds.end() ? -1 : int32_t(found - kKinds.begin());
}

// The kind that an address tells, or -1.
int32_t kind_of(std::string_view address) {
  std::vector<std::string_view> parts;
  std::string_view part;
  while (next_field(address, '/', part)) parts.push_back(part);
  for (const size_t back : {2, 3}) {
    if (parts.size() < back) return -1;
    if (const int32_t kind = kind_named(parts[parts.size() - back]); kind >= 0) return kind;
  }
  return -1;
}

struct Triples {
  std::vector<std::string_view> names;
  std::vector<int32_t> kind;
  NodeIndex index;
  std::vector<Relation> relations;
  std::unordered_map<std::string_view, size_t> relation_of;
};

NodeId node_of(Triples& triples, const TsvFile& file, std::string_view address) {
  const NodeId known = triples.index.find(address);
  if (known >= 0) return known;
  const int32_t kind = kind_of(address);
  if (kind < 0)
    file.fail("{} is of none of the ten kinds (…/gene/X, …/tissue/X, …)", in_quotes(address, 80));
  if (triples.names.size() == size_t(std::numeric_limits<NodeId>::max()))
    file.fail("there are too many nodes");
  const NodeId node = NodeId(triples.names.size());
  triples.index.insert(address, node);
  triples.names.push_back(address);
  triples.kind.push_back(kind);
  return node;
}

Triples read_triples(TsvFile& file) {
  Triples triples;
  std::vector<std::string_view> fields;
  while (file.next(fields)) {
    if (fields.size() != 3)
      file.fail("expected subject, predicate and object, got {} columns", fields.size());
    const NodeId from = node_of(triples, file, trimmed(fields[0]));
    const NodeId to = node_of(triples, file, trimmed(fields[2]));
    const auto [found, fresh] = triples.relation_of.emplace(fields[1], triples.relations.size());
    if (fresh) triples.relations.push_back({std::string(fields[1]), {}});
    triples.relations[found->second].edges.push_back({from, to});
  }
  if (triples.names.empty()) file.fail("there are no triples");
  return triples;
}

}  // namespace

std::string find_chem2bio2rdf(const std::string& folder) {
  for (const char* place : {"", "/raw", "/chem2bio2rdf/raw"})
    if (const std::string path = find_file(folder + place, "chem2bio2rdf.txt"); !path.empty())
      return path;
  return "";
}

Dataset load_chem2bio2rdf(const std::string& folder) {
  const std::string path = find_chem2bio2rdf(folder);
  if (path.empty()) fail_data("{}: the file chem2bio2rdf.txt is missing", folder);
  TsvFile file(path, HeaderLine::absent);
  Triples triples = read_triples(file);

  Dataset dataset;
  dataset.name = "chem2bio2rdf";
  dataset.ids = node_ids_of(triples.names);
  dataset.node_type = dataset.label = std::move(triples.kind);
  dataset.class_names.assign(kKinds.begin(), kKinds.end());
  dataset.node_type_names = dataset.class_names;
  dataset.relations = std::move(triples.relations);
  Array<Edge> edges;
  for (const Relation& relation : dataset.relations)
    edges.insert(edges.end(), relation.edges.begin(), relation.edges.end());
  BuiltGraph built = build_graph(NodeId(triples.names.size()), std::move(edges));
  dataset.graph = std::move(built.graph);
  dataset.build = built.stats;
  return dataset;
}

}  // namespace mgnn
