// Edge lists as people have them, with their truth: read right, or refused; never read as another graph.
#include <gtest/gtest.h>

#include "mgnn/io/edge_list.h"
#include "tests/util.h"

namespace mgnn {
namespace {

using testing::error_of;

struct Case {
  const char* name;
  const char* text;
  const char* edges;  // "a>b b>c"
  int relations = 0;
  bool weighted = false;
};

std::string edges_of(const EdgeList& list) {
  std::string text;
  for (const Edge& e : list.edges)
    text += (text.empty() ? "" : " ") + list.ids.name(e.from) + ">" + list.ids.name(e.to);
  return text;
}

const Case kCases[] = {
    {"STRING", "protein1 protein2 combined_score\nA B 900\nB C 400\n", "A>B B>C", 0, true},
    {"gene1,gene2,score", "gene1,gene2,score\nTP53,BRCA1,0.9\nBRCA1,EGFR,0.1\n",
     "TP53>BRCA1 BRCA1>EGFR", 0, true},
    {"unknown names above numbers", "alpha,beta,rho\nx,y,0.5\ny,z,1\n", "x>y y>z"},
    {"KGX", "subject\tpredicate\tobject\nA:1\taffects\tB:2\nB:2\ttreats\tC:3\n", "A:1>B:2 B:2>C:3",
     2},
    {"triples", "head\trelation\ttail\nParis\tcapital_of\tFrance\n", "Paris>France", 1},
    {"BioGRID",
     "#BioGRID Interaction ID\tEntrez Gene Interactor A\tOfficial Symbol Interactor A\tOfficial "
     "Symbol "
     "Interactor B\n103\t6416\tMAP2K4\tFLNC\n117\t84665\tMYPN\tACTN2\n",
     "MAP2K4>FLNC MYPN>ACTN2"},
    {"SNAP", "# Nodes: 3 Edges: 2\n# FromNodeId\tToNodeId\n30\t1412\n30\t3352\n",
     "30>1412 30>3352"},
    {"names behind #", "#alpha\tbeta\tweight\nx\ty\t1\ny\tz\t2\n", "x>y y>z", 0, true},
    {"a sentence behind #", "# two words\nx y\ny z\n", "x>y y>z"},
    {"a sentence with a comma behind #", "# made by x, y\nsource,target\na,b\n", "a>b"},
    {"one end is called target", "target,friend\nb,a\nc,b\n", "a>b b>c"},
    {"one end is called source", "friend,source\nb,a\nc,b\n", "a>b b>c"},
    {"the first end of three", "source,friend,weight\na,b,1\nb,c,2\n", "a>b b>c", 0, true},
    {"SNAP, other way", "# ToNodeId\tFromNodeId\n30\t1412\n", "1412>30"},
    {"Neo4j", ":START_ID,:TYPE,:END_ID\na,KNOWS,b\nb,LIKES,c\n", "a>b b>c", 2},
    {"Gephi", "Source,Target,Type,Weight\na,b,Directed,1\nb,c,Directed,2\n", "a>b b>c", 0, true},
    {"Gephi, undirected", "Source;Target;Type\na;b;Undirected\nb;c;Undirected\n",
     "a>b b>c b>a c>b"},
    {"Gephi, both", "Source;Target;Type;Weight\na;b;Undirected;1\nb;c;Directed;2\nc;c;Mutual;3\n",
     "a>b b>c c>c b>a", 0, true},
    {"pipes", "from|to\na|b\nb|c\n", "a>b b>c"},
    {"commas of numbers between semicolons", "1;2;0,5\n2;3;0,75\n", "1>2 2>3"},
    {"commas of numbers between blanks", "1 2 0,5\n2 3 0,75\n", "1>2 2>3"},
    {"commas between numbers", "1,2\n2,3\n", "1>2 2>3"},
    {"a comma in quotes", "\"from\";to\n\"a, b\";c\n", "a, b>c"},
    {"blanks in names", "Node 1;Node-2\nx;y\n", "x>y"},
    {"integers below names", "first second\n1 2\n2 3\n", "1>2 2>3"},
    {"no header", "a b\nb c\n", "a>b b>c"},
    {"nodes called u and v", "u v\nv w\n", "u>v v>w"},
    {"nodes called from and to", "from to\nto from\n", "from>to to>from"},
    {"weights", "a b 0.5\nb c 1.5\n", "a>b b>c"},
    {"a missing weight first", "a b NA\nb c 1.5\n", "a>b b>c"},
    {"columns of numbers", "1 2 17 1082040961\n3 4 15 1082155839\n", "1>2 3>4"},
    {"leading zeros", "007 010\n010 7\n", "007>010 010>7"},
    {"leading zeros later", "1 2\n2 01\n", "1>2 2>01"},
    {"zero is a number", "0 1\n1 2\n", "0>1 1>2"},
    {"plus signs", "+1 1\n1 2\n", "+1>1 1>2"},
    {"beyond 64 bits", "99999999999999999999999 1\n1 2\n", "99999999999999999999999>1 1>2"},
};

TEST(EdgeHeaders, FilesAsPeopleHaveThem) {
  for (const Case& c : kCases) {
    const EdgeList list = parse_edge_list(c.text, "f");
    EXPECT_EQ(edges_of(list), c.edges) << c.name;
    EXPECT_EQ(int(list.relation_names.size()), c.relations) << c.name;
    EXPECT_EQ(!list.weight.empty(), c.weighted) << c.name;
  }
}

TEST(EdgeHeaders, WhatIsGuessedIsSaid) {
  // Usual names are no guess; what is not used is said.
  EXPECT_EQ(parse_edge_list(kCases[0].text, "f").guess, "");
  EXPECT_EQ(parse_edge_list("source,target\na,b\n", "f").guess, "");
  EXPECT_EQ(parse_edge_list("# Source\tTarget\n1\t2\n", "f").guess, "");
  EXPECT_EQ(parse_edge_list("source,target,since\na,b,1\n", "f").guess,
            "not used: column \"since\"");
  EXPECT_EQ(parse_edge_list("a b 0.5\nb c 1.5\n", "f").guess, "edges are from column 1 to 2");
  EXPECT_EQ(parse_edge_list("first second\n1 2\n", "f").guess,
            "edges are from column 1 (\"first\") to 2 (\"second\")");
  EXPECT_EQ(parse_edge_list("a b\nb c\n", "f").guess, "");
  EXPECT_EQ(
      parse_edge_list("from,to,since,by\na,b,1,2\n", "f").reading,
      "edges are from column 1 (\"from\") to 2 (\"to\"); not used: columns \"since\", \"by\"; "
      "a header; ids are names");
  EXPECT_EQ(parse_edge_list("1 2 0.5\n", "f").reading,
            "edges are from column 1 to 2; not used: column 3; no header; ids are whole numbers");
  // Names that occur nowhere else, above ids that do.
  EXPECT_EQ(parse_edge_list("who,likes\nx,y\ny,z\n", "f").guess,
            "edges are from column 1 (\"who\") to 2 (\"likes\")");
  EXPECT_EQ(parse_edge_list("who,likes\nx,y\ny,z\n", "f").edges.size(), 2u);
  EXPECT_EQ(parse_edge_list("p,q\nx,y\ny,z\n", "f").edges.size(), 3u);  // rather ids
  EXPECT_EQ(
      parse_edge_list("who,likes\nx,y\np,q\n", "f").guess,
      "the first line, \"who,likes\", is read as an edge, though its names occur nowhere else");
  // A line alone may be either.
  EXPECT_EQ(parse_edge_list("a,b\n", "f").guess,
            "the only line, \"a,b\", is read as an edge, not as a header");
  EXPECT_EQ(parse_edge_list("a,b\n", "f", {.header = HeaderLine::absent}).guess, "");
  EXPECT_EQ(parse_edge_list("1,2\n", "f").guess, "");
  EXPECT_EQ(error_of([] { parse_edge_list("a,b\n", "f", {.header = HeaderLine::present}); }),
            "f: holds no edges, only a header line");
  EXPECT_EQ(parse_edge_list("who,likes\nx,y\ny,z\n", "f", {.header = HeaderLine::absent}).guess,
            "");
}

// What Gephi says of each edge is no relation, unless it is asked for as one.
TEST(EdgeHeaders, DirectionsOfEdges) {
  const char* text = "Source,Target,Type,Weight\na,b,Undirected,5\nb,c,Directed,7\n";
  EXPECT_EQ(parse_edge_list(text, "f").weight, (Array<float>{5, 7, 5}));
  EXPECT_NE(parse_edge_list(text, "f").reading.find("directions are column 3 (\"Type\")"),
            std::string::npos);
  EXPECT_EQ(parse_edge_list(text, "f", {.relation_column = "Type"}).relation_names,
            (std::vector<std::string>{"Undirected", "Directed"}));
  std::string later = "Source,Target,Type\n";
  for (int i = 0; i < 30; i++) later += fmt::format("x{},x{},Directed\n", i, i + 1);
  EXPECT_EQ(
      error_of([&] { parse_edge_list(later + "a,b,likes\n", "f"); }),
      "f: a column says of the first edges whether they are directed, but of another \"likes\"");
}

TEST(EdgeHeaders, WeightsMayHaveDecimalCommas) {
  const Array<float> expected = {0.25, -1.5, 1000.125, 3};
  EXPECT_EQ(parse_edge_list("source;target;weight\na;b;0,250\nb;c;-1,5\nc;d;1000,125\nd;a;3\n", "f")
                .weight,
            expected);
  EXPECT_EQ(parse_edge_list("source,target,weight\na,b,\"0,25\"\nb,c,\"-1,5\"\n", "f").weight,
            (Array<float>{0.25, -1.5}));
  // A header is one over such numbers, too.
  EXPECT_EQ(parse_edge_list("x;y;z\na;b;0,25\n", "f").edges.size(), 1u);
  EXPECT_EQ(error_of([] { parse_edge_list("source;target;weight\na;b;1,250\n", "f"); }),
            "f:2: weight \"1,250\" has a comma that may stand before decimals or thousands; write "
            "it without");
  for (const char* weight : {",5", "1,", "1,2,3", "1,5e3", "a,b"})
    EXPECT_EQ(error_of([&] {
                parse_edge_list(fmt::format("source;target;weight\na;b;{}\n", weight), "f");
              }),
              fmt::format("f:2: weight \"{}\" is not a finite number", weight));
}

// The first line of a file of KONECT says direction and weights.
TEST(EdgeHeaders, KonectSaysItsDirection) {
  const EdgeList sym = parse_edge_list("% sym unweighted\n% 2 3 3\n1 2\n2 3\n", "f");
  EXPECT_TRUE(sym.undirected);
  EXPECT_EQ(sym.reading,
            "edges are from column 1 to 2; no header; undirected, as % sym says; ids are whole "
            "numbers");
  const EdgeList asym = parse_edge_list("%  asym\tsigned \r\n1 2 -1 90\r\n2 3 1 91\r\n", "f");
  EXPECT_FALSE(asym.undirected);
  EXPECT_EQ(asym.weight, (Array<float>{-1, 1}));
  EXPECT_EQ(asym.guess, "");
  EXPECT_EQ(asym.reading,
            "edges are from column 1 to 2, weights are column 3; not used: column 4; no header; "
            "directed, as % asym says; ids are whole numbers");
  const EdgeList positive = parse_edge_list("% sym positive\n1 2\n", "f");
  EXPECT_TRUE(positive.weight.empty());
  EXPECT_EQ(positive.guess,
            "the first line says \"sym positive\", but there is no column of weights");
  EXPECT_TRUE(parse_edge_list("% sym unweighted\n1 2 7\n", "f").weight.empty());
  EXPECT_EQ(parse_edge_list("% sym weighted\n1 2 7 8\n", "f", {.weight_column = "4"}).weight,
            (Array<float>{8}));
  EXPECT_EQ(error_of([&] { parse_edge_list("% bip unweighted\n1 1\n", "f"); }),
            "f: is a bipartite graph of KONECT, whose two columns number different nodes alike; "
            "write the ids of one column with another beginning, and leave out the line % bip");
  for (const char* comment :
       {"% sym", "% symmetric unweighted", "% sym unweighted graph", "% a sym"})
    EXPECT_FALSE(parse_edge_list(comment + std::string("\n1 2\n"), "f").undirected) << comment;
  EXPECT_FALSE(parse_edge_list("1 2\n% sym unweighted\n2 3\n", "f").undirected);
}

TEST(EdgeHeaders, WhatIsNotClearIsRefused) {
  for (const char* text :
       {"Paris capital_of France\nBerlin capital_of Germany\n", "PMID,A,B\n101,X,Y\n102,Y,Z\n",
        "x y z w\ny z w x\n", "set\tdescription\tgene\nS1\tfirst\tTP53\n", "1 a b\n2 b c\n"}) {
    const std::string error = error_of([&] { parse_edge_list(text, "f"); });
    EXPECT_NE(error.find("nothing says which two are the ends of an edge"), std::string::npos)
        << text << error;
  }
}

TEST(EdgeHeaders, WhatIsStatedIsUsed) {
  const char* triples = "Paris capital_of France\nBerlin capital_of Germany\n";
  EXPECT_EQ(edges_of(parse_edge_list(triples, "f", {.from_column = "1", .to_column = "3"})),
            "Paris>France Berlin>Germany");
  EXPECT_EQ(edges_of(parse_edge_list(triples, "f", {.from_column = "1", .to_column = "2"})),
            "Paris>capital_of Berlin>capital_of");
  EXPECT_EQ(edges_of(parse_edge_list("a b\nb c\n", "f", {.header = HeaderLine::present})), "b>c");
  EXPECT_EQ(edges_of(parse_edge_list("source target\nb c\n", "f", {.header = HeaderLine::absent})),
            "source>target b>c");
  EXPECT_EQ(edges_of(parse_edge_list("007 8\n", "f", {.ids = IdKind::integer})), "7>8");
  EXPECT_EQ(
      edges_of(parse_edge_list("gene,score,target\na,1,b\nb,2,c\n", "f", {.from_column = "gene"})),
      "a>b b>c");
  EXPECT_EQ(
      error_of([&] { parse_edge_list("target,friend,weight\na,b,1\nb,c,2\n", "f"); }),
      "f:1: column 1 is called \"target\", but nothing says which is the other end of an edge");
  EXPECT_EQ(edges_of(parse_edge_list("#to what,by whom\nx,y\n", "f",
                                     {.from_column = "by whom", .to_column = "to what"})),
            "y>x");
}

}  // namespace
}  // namespace mgnn
