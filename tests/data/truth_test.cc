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
  int types = 0, classes = 0, features = 0;  // of nodes
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
    // graph programs
    {"graph.graphml", 3, 3, "c & d", "b", 2, true, 0, 2, 2},
    {"igraph.graphml", 3, 4, "bob", "ann"},
    {"graph.gexf", 3, 3, "cat", "bob", 2, true},
    {"graph.gml", 3, 4, "be\"ta", "alpha", 0, true, 0, 0, 1},
    {"pajek.net", 3, 3, "ann b", "bob", 2, true},
    {"twomode.net", 4, 6, "4", "2", 0, false, 2},
    {"graph.dot", 5, 4, "c", "d e", 0, true, 0, 1},
    {"nodelink.json", 3, 2, "b", "c", 0, true, 0, 0, 1},
    {"d3.json", 3, 4, "Valjean", "Myriel", 0, true, 0, 0, 1},
    {"small.graph", 3, 4, "1", "2"},
    {"weighted.graph", 4, 6, "4", "3", 0, true, 0, 0, 1},
    // databases
    {"ntriples.nt", 4, 3, "_:n1", "http://x/\u00E9", 2, false, 3},
    {"nquads.nq", 3, 2, "http://x/b", "http://x/c", 1},
    {"sets.gmt", 5, 4, "TP53 (set)", "BRCA1", 0, false, 2},
    {"ontology.obo", 3, 3, "T:2", "T:3", 2, false, 2},
    {"biogrid_full.tsv", 4, 3, "FLNC (300)", "ACVR1", 2, false, 2},
    {"intact.txt", 4, 2, "uniprotkb:P1", "uniprotkb:P2", 2, true, 2},
    {"apoc.csv", 3, 2, "1", "2", 2, false, 3, 0, 2},
    {"neo4j_import", 3, 3, "Person:2", "Film:1", 2, false, 3, 0, 4},
    {"kgx", 3, 2, "G:2", "G:1", 2, false, 2},
    {"ogb", 4, 3, "3", "0", 0, false, 0, 2, 2},
    {"ogb_graphs", 5, 3, "3", "4", 0, false, 0, 2},
    {"ogb_types", 5, 3, "author:1", "paper:2", 2, false, 2, 2},
    {"konect", 3, 4, "2", "1", 0, true},
    {"konect_bip.txt", 3, 4, "v1", "u2", 0, false, 2},
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
    EXPECT_EQ(int(dataset.node_type_names.size()), truth.types);
    EXPECT_EQ(dataset.num_classes(), truth.classes);
    EXPECT_EQ(num_features(dataset.features), truth.features);
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
      {"adjacency_list.txt", "as those of adjacency lists"},
      {"adjacency_matrix.csv", "is a matrix of 3 rows and columns"},
      {"row_names.txt", "are rows named, too?"},
      {"unquoted.csv", "quote cells that hold a separator"},
      {"hash_ids.csv", "quote ids that begin so"},
      {"cytoscape.csv", "nothing says which two are the ends"},
      {"latin1.csv", "is not UTF-8"},
      {"utf16.csv", "is UTF-16"},
      {"turtle.ttl", "Turtle"},
  };
  for (const auto& [file, message] : refused) {
    const std::string path = kFolder + "/" + file;
    const std::string error = error_of([&] { load_dataset(path); });
    EXPECT_NE(error.find(message), std::string::npos) << path << ": " << error;
  }
}

}  // namespace
}  // namespace mgnn
