// Small files as people bring them, and what is true of each: read as that, or refused by name.
#include "mgnn/data/load.h"
#include "tests/util.h"

namespace mgnn {
namespace {

using testing::error_of;

struct Truth {
  const char* file;
  int nodes, arcs;
  const char *from, *to;  // one arc by its names
  int relations = 0;
  bool weights = false;
};

const Truth kRead[] = {
    {"string.txt", 3, 2, "9606.A", "9606.B", 0, true},
    {"genes.csv", 3, 2, "TP53", "MDM2", 0, true},
    {"kgx.tsv", 3, 2, "X:1", "Y:2", 1},
    {"triples.tsv", 2, 1, "Paris", "France", 1},
    {"biogrid.tsv", 4, 2, "MAP2K4", "FLNC"},
    {"neo4j.csv", 3, 2, "n1", "n2", 1},
    {"gephi.csv", 3, 2, "a", "b", 0, true},
    {"gephi_undirected.csv", 3, 4, "b", "a", 0, true},
    {"decimal_commas.csv", 3, 2, "2", "3"},
    {"pandas.csv", 3, 2, "a", "b"},
    {"networkx.txt", 3, 2, "2", "3"},
    {"bom.csv", 3, 2, "b, c", "a"},
    {"pipes.txt", 3, 2, "b", "c"},
    {"repeated.csv", 2, 2, "b", "a"},
    {"snap.txt", 3, 3, "2", "0"},
    {"unknown_names.csv", 3, 2, "ann", "bob"},
    {"no_header.csv", 3, 3, "cat", "ann"},
    {"zeros.csv", 3, 2, "7", "0010"},
    {"plus.txt", 3, 2, "+7", "8"},
    {"wide.txt", 3, 2, "18446744073709551616", "1"},
    {"quoted.csv", 3, 2, "Doe, A", "Roe \"R\""},
    {"crlf.csv", 3, 2, "b", "c"},
    {"konect.txt", 3, 4, "2", "1"},
    {"konect_weights.txt", 3, 2, "3", "2", 0, true},
    {"cytoscape.sif", 5, 4, "a", "d", 2},
};

const std::string kFolder = std::string(MGNN_SOURCE_DIR) + "/tests/data/files";

NodeId node_called(const Dataset& dataset, const std::string& name) {
  for (NodeId u = 0; u < dataset.graph.num_nodes(); u++)
    if (dataset.ids.name(u) == name) return u;
  return -1;
}

TEST(Truth, FilesAreReadAsTheyAreMeant) {
  for (const Truth& truth : kRead) {
    SCOPED_TRACE(truth.file);
    const Dataset dataset = load_dataset(kFolder + "/" + truth.file);
    EXPECT_EQ(dataset.graph.num_nodes(), truth.nodes);
    EXPECT_EQ(dataset.graph.num_arcs(), truth.arcs);
    EXPECT_EQ(int(dataset.relations.size()), truth.relations);
    EXPECT_EQ(!dataset.arc_weight.empty(), truth.weights);
    EXPECT_NE(dataset.reading, "");
    const NodeId from = node_called(dataset, truth.from), to = node_called(dataset, truth.to);
    ASSERT_TRUE(from >= 0 && to >= 0);
    EXPECT_TRUE(dataset.graph.has_arc(from, to));
  }
}

TEST(Truth, WhatIsUnclearOrNotReadIsRefused) {
  const std::pair<const char*, const char*> refused[] = {
      {"unclear.tsv", "nothing says which two are the ends"},
      {"pmid.csv", "nothing says which two are the ends"},
      {"ntriples.nt", "RDF"},
      {"sets.gmt", "GMT"},
      {"konect_bip.txt", "whose two columns number different nodes alike"},
      {"graph.graphml", "GraphML"},
      {"nodelink.json", "JSON"},
      {"adjacency_list.txt", "as those of adjacency lists"},
      {"adjacency_matrix.csv", "is a matrix of 3 rows and columns"},
      {"row_names.txt", "are rows named, too?"},
      {"unquoted.csv", "quote cells that hold a separator"},
      {"hash_ids.csv", "quote ids that begin so"},
      {"cytoscape.csv", "nothing says which two are the ends"},
      {"latin1.csv", "is not UTF-8"},
      {"utf16.csv", "is UTF-16"},
      {"graph.gml", "GML"},
      {"pajek.net", "Pajek"},
      {"graph.dot", "DOT"},
      {"small.graph", "METIS"},
      {"turtle.ttl", "RDF"},
  };
  for (const auto& [file, message] : refused) {
    const std::string path = kFolder + "/" + file;
    const std::string error = error_of([&] { load_dataset(path); });
    EXPECT_NE(error.find(message), std::string::npos) << path << ": " << error;
  }
}

}  // namespace
}  // namespace mgnn
