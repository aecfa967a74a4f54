// Graphs with types of nodes and relations, as small folders, and what is wrong with broken ones.
#include "mgnn/data/hetnet.h"

#include "mgnn/data/chem2bio2rdf.h"
#include "mgnn/data/load.h"
#include "tests/data/damage.h"
#include "tests/data/files.h"

namespace mgnn {
namespace {

using testing::damage_every_file, testing::error_with, testing::Files, testing::TempDir,
    testing::write_files;

// ---- hetnets

const Files kHetnet = {
    {"nodes.tsv",
     "id\tlabel\tkind\thetionet_id\tname\n0\t1\tGene\tGene::9\tTP53\n"
     "1\t0\tDisease\tDisease::1\t\"x\n2\t1\tGene\tGene::8\t\n"},
    {"edges.tsv", "src\tdst\tmetaedge\n1\t0\tDaG\n0\t2\tGiG\n2\t0\tGiG\n1\t0\tDuG\n"},
    {"metaedges.tsv",
     "metaedge\tedges_here\tstatus\tboth_directions\nDaG\t1\tcomplete\t0\n"
     "DuG\t1\tpartial\t0\nGiG\t1\tcomplete\t1\n"}};

TEST(Hetnet, ReadsTypedNodesAndEdges) {
  const TempDir dir;
  write_files(dir, kHetnet);
  const Dataset dataset = load_hetnet(dir.path());
  EXPECT_EQ(dataset.node_type_names, (std::vector<std::string>{"Disease", "Gene"}));
  EXPECT_EQ(dataset.node_type, (std::vector<int32_t>{1, 0, 1}));
  EXPECT_EQ(dataset.label, dataset.node_type);
  EXPECT_EQ(arcs(dataset.graph), (Array<Edge>{{0, 2}, {1, 0}, {2, 0}}));
  EXPECT_EQ(dataset.build.duplicates_dropped, 1);
  ASSERT_EQ(dataset.relations.size(), 3u);
  EXPECT_EQ(dataset.relations[2].name, "GiG");
  EXPECT_EQ(dataset.ids.name(0), "Gene::9");
  EXPECT_EQ(dataset.remarks[0], "1 of the 3 relations are incomplete; metaedges.tsv says which");
}

TEST(Hetnet, ReadsHetionetsOwnLayout) {
  const TempDir dir;
  dir.file("h-nodes.tsv", "id\tname\tkind\nGene::9\tA\tGene\nGene::8\tB\tGene\nD::1\tC\tDisease\n");
  dir.file("h-edges.sif",
           "source\tmetaedge\ttarget\nGene::9\tGiG\tGene::8\nGene::9\tGr>G\tGene::8\n"
           "D::1\tDaG\tGene::8\n");
  const Dataset dataset = load_hetnet(dir.path());
  ASSERT_EQ(dataset.relations.size(), 3u);
  EXPECT_EQ(dataset.relations[0].edges, (Array<Edge>{{2, 1}}));          // DaG
  EXPECT_EQ(dataset.relations[1].edges, (Array<Edge>{{0, 1}, {1, 0}}));  // GiG is symmetric
  EXPECT_EQ(dataset.relations[2].edges, (Array<Edge>{{0, 1}}));          // Gr>G is not
}

TEST(Hetnet, SaysWhatIsWrong) {
  const auto error = [](const char* name, const char* content) {
    return error_with(kHetnet, name, content, load_hetnet);
  };
  EXPECT_EQ(error("nodes.tsv", "id\tsort\n0\tx\n"),
            "D/nodes.tsv:1: there is no column \"kind\"; the columns are \"id\", \"sort\"");
  EXPECT_EQ(error("nodes.tsv", "id\tkind\n0\tx\n0\tx\n"),
            "D/nodes.tsv:3: node \"0\" is listed twice");
  EXPECT_EQ(error("nodes.tsv", "id\tkind\n\tx\n"), "D/nodes.tsv:2: the id is missing");
  EXPECT_EQ(error("nodes.tsv", "id\tkind\n0\t\n"), "D/nodes.tsv:2: the kind is missing");
  EXPECT_EQ(error("nodes.tsv", "id\tkind\n"), "D/nodes.tsv:1: there are no nodes");
  EXPECT_EQ(error("nodes.tsv", ""), "D/nodes.tsv: is empty; a header line is expected");
  EXPECT_EQ(error("edges.tsv", "src\tdst\tmetaedge\n0\t9\tGiG\n"),
            "D/edges.tsv:2: node \"9\" is not in D/nodes.tsv");
  EXPECT_EQ(error("edges.tsv", "src\tdst\tmetaedge\n0\t1\t\n"),
            "D/edges.tsv:2: the metaedge is missing");
  EXPECT_EQ(error("edges.tsv", "src\tdst\tmetaedge\n1\t0\tDaG\n"),
            "D/metaedges.tsv:3: \"DuG\" should have 1 arcs, but the edges file has 0; is it cut?");
  EXPECT_EQ(error("metaedges.tsv", "metaedge\tedges_here\nDaG\tmany\n"),
            "D/metaedges.tsv:2: expected a number of edges, got \"many\"");
  EXPECT_EQ(error("edges.tsv", "(none)"),
            "D: nodes.tsv and edges.tsv, or *-nodes.tsv and *-edges.sif, are missing");
}

TEST(Hetnet, SurvivesDamage) {
  const TempDir dir;
  write_files(dir, kHetnet);
  EXPECT_GT(damage_every_file(dir.path(), 20, 100, [&] { return load_hetnet(dir.path()); }), 50);
}

// ---- Chem2Bio2RDF

const std::string kRdf = "http://chem2bio2rdf.org/";
const Files kTriples = {{"raw/chem2bio2rdf.txt", kRdf + "uniprot/resource/gene/PPARG\tbind\t" +
                                                     kRdf +
                                                     "pubchem/resource/pubchem_compound/5591\n" +
                                                     kRdf + "uniprot/resource/gene/PPARG\thprd\t" +
                                                     kRdf + "uniprot/resource/gene/A/B\n"}};

TEST(Chem2Bio2Rdf, ReadsTriples) {
  const TempDir dir;
  write_files(dir, kTriples);
  const Dataset dataset = load_chem2bio2rdf(dir.path());
  EXPECT_EQ(dataset.num_classes(), 10);
  EXPECT_EQ(dataset.label, (std::vector<int32_t>{2, 0, 2}));  // …/gene/A/B: the part before too
  EXPECT_EQ(arcs(dataset.graph), (Array<Edge>{{0, 1}, {0, 2}}));
  ASSERT_EQ(dataset.relations.size(), 2u);
  EXPECT_EQ(dataset.relations[0].name, "bind");
  EXPECT_EQ(load_dataset(dir.path()).name, "chem2bio2rdf");
}

TEST(Chem2Bio2Rdf, SaysWhatIsWrong) {
  const auto error = [](const std::string& content) {
    return error_with(kTriples, "raw/chem2bio2rdf.txt", content, load_chem2bio2rdf);
  };
  const std::string gene = kRdf + "x/gene/1";
  EXPECT_EQ(error(gene + "\tr\n"),
            "D/raw/chem2bio2rdf.txt:1: expected subject, predicate and object, got 2 columns");
  EXPECT_EQ(error(gene + "\tr\thttp://a/b/c\n"),
            "D/raw/chem2bio2rdf.txt:1: \"http://a/b/c\" is of none of the ten kinds (…/gene/X, "
            "…/tissue/X, …)");
  EXPECT_EQ(error("(none)"), "D: the file chem2bio2rdf.txt is missing");
  EXPECT_NE(error("").find("there are no triples"), std::string::npos);
}

TEST(Chem2Bio2Rdf, SurvivesDamage) {
  const TempDir dir;
  write_files(dir, kTriples);
  EXPECT_GT(damage_every_file(dir.path(), 20, 200, [&] { return load_chem2bio2rdf(dir.path()); }),
            20);
}

}  // namespace
}  // namespace mgnn
