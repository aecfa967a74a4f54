// What readers of graphs with attributes refuse, and in which words. tests/data/truth_test.cc has what
// they read.
#include "mgnn/io/attributed.h"

#include "mgnn/io/biology.h"
#include "mgnn/io/dot.h"
#include "mgnn/io/gml.h"
#include "mgnn/io/graphml.h"
#include "mgnn/io/metis.h"
#include "mgnn/io/node_link.h"
#include "mgnn/io/pajek.h"
#include "mgnn/io/rdf.h"
#include "tests/util.h"

namespace mgnn {
namespace {

using testing::error_of;

struct Refused {
  const char *text, *error;
};

template <class Parse>
void expect_errors(Parse&& parse, std::initializer_list<Refused> cases) {
  for (const Refused& c : cases)
    EXPECT_EQ(error_of([&] { parse(c.text); }), std::string("f") + c.error) << c.text;
}

const std::string kDeep(100, '[');

TEST(Attributed, GraphmlIsChecked) {
  const auto parse = [](std::string_view text) { parse_graphml(text, "f"); };
  expect_errors(
      parse,
      {{"<graphml>\n<graph edgedefault='directed'><node id='a'/>",
        ":2: is not well-formed XML: no element found"},
       {"<!DOCTYPE g [<!ENTITY a 'aaa'>]>\n<graphml/>",
        ":1: has a DOCTYPE, which is not read; remove it"},
       {"<graphml/>", ": holds no graph"},
       {"<data key='a'/>", ": holds no graph"},
       {"<graphml><graph edgedefault='directed'/></graphml>", ": holds no nodes"},
       {"<graphml><graph><node id='a'/></graph></graphml>",
        ":1: edgedefault of the graph is \"\"; expected directed or undirected"},
       {"<graphml><graph edgedefault='directed'>\n<node id='a'/>\n<node id='a'/></graph></graphml>",
        ":3: node \"a\" is listed twice, first in line 2"},
       {"<graphml><graph edgedefault='directed'><node id='a'/>\n<edge source='a' "
        "target='b'/></graph></graphml>",
        ":2: an edge names the node \"b\", which is not listed"},
       {"<graphml><graph edgedefault='directed'><node id='a'><data key='k'>1</data></node></graph>"
        "</graphml>",
        ":1: there is no key \"k\""},
       {"<graphml><graph edgedefault='directed'><node/></graph></graphml>", ":1: node has no id"},
       {"<graphml><graph edgedefault='directed'><node id='a'/><hyperedge/></graph></graphml>",
        ":1: has a hyperedge, which is not read"},
       {"<graphml><key id='k' for='edge' attr.name='weight'/><graph edgedefault='directed'><node "
        "id='a'/><edge source='a' target='a'>\n<data key='k'>heavy</data></edge></graph></graphml>",
        ":2: the weight \"heavy\" is not a finite number"},
       {"<graphml><graph edgedefault='directed'><node id='a'/></graph><graph "
        "edgedefault='directed'/></graphml>",
        ":1: has a second graph; put each into a file of its own"}});
  std::string deep;
  for (int i = 0; i < 70; i++) deep += "<a>";
  EXPECT_EQ(error_of([&] { parse(deep); }), "f:1: elements are nested deeper than 64");
}

TEST(Attributed, GexfIsChecked) {
  expect_errors([](std::string_view text) { parse_gexf(text, "f"); },
                {{"<gexf/>", ": holds no graph"},
                 {"<gexf><graph defaultedgetype='sideways'/></gexf>",
                  ":1: type of an edge is \"sideways\"; expected directed, undirected or mutual"},
                 {"<gexf><graph><nodes><node id='a'><attvalues><attvalue for='9' "
                  "value='1'/></attvalues></node></nodes></graph></gexf>",
                  ":1: there is no attribute \"9\""},
                 {"<gexf><graph><nodes><node id='a'/></nodes><edges>\n<edge source='a' "
                  "target='z'/></edges></graph></gexf>",
                  ":2: an edge names the node \"z\", which is not listed"}});
}

TEST(Attributed, GmlIsChecked) {
  expect_errors([](std::string_view text) { parse_gml(text, "f"); },
                {{"graph [ node [ id 1 ]", ":1: a [ is not closed"},
                 {"graph [ node [ label \"x\" ] ]", ":1: a node has no id"},
                 {"graph [\nnode [ id 1 ]\nnode [ id 1 ] ]",
                  ":3: node \"1\" is listed twice, first in line 2"},
                 {"graph [ node [ id 1 ] edge [ source 1 ] ]", ":1: an edge has no target"},
                 {"graph [ directed maybe ]", ":1: directed is \"maybe\"; expected 0 or 1"},
                 {"graph [ node [ id \"1 ] ]", ":1: a text begins with a quote that is not closed"},
                 {"x 1", ": holds no graph"},
                 {"graph [ node ] ]", ":1: the key \"node\" has no value"}});
  // Lists may be nested as deep as they like: nothing is nested with them.
  EXPECT_NE(error_of([] { parse_gml("graph [ x " + kDeep, "f"); }), "");
}

TEST(Attributed, PajekIsChecked) {
  expect_errors(
      [](std::string_view text) { parse_pajek(text, "f"); },
      {{"*Arcs\n1 2\n", ":1: \"*Arcs\" stands before *Vertices"},
       {"*Vertices many\n", ":1: expected the number of vertices behind *Vertices"},
       {"*Vertices 2\n*Arcs\n1 3\n", ":3: expected a vertex from 1 to 2, got \"3\""},
       {"*Vertices 2\n1 \"a\n", ":2: a label begins with a quote that is not closed"},
       {"*Vertices 2\n1 a\n1 b\n", ":3: vertex 1 is listed twice"},
       {"*Vertices 2\n*Matrix\n0 1\n", ":3: the matrix has 1 of 2 rows"},
       {"*Vertices 2\n*Matrix\n0 1 1\n", ":3: the row has 3 numbers; expected 2"},
       {"*Vertices 2\n*Partition x\n",
        ":2: \"*Partition\" is not read; networks have *Vertices, *Arcs, *Edges, *Arcslist, "
        "*Edgeslist and *Matrix"},
       {"*Vertices 999999999999\n",
        ": claims 999,999,999,999 nodes, but has 5 entries; use --max-nodes 999999999999 if that "
        "is "
        "right"}});
}

TEST(Attributed, MetisIsChecked) {
  expect_errors(
      [](std::string_view text) { parse_metis(text, "f"); },
      {{"", ": is empty; expected the numbers of nodes and edges"},
       {"2 1\n2\n", ": has lines of 1 nodes, but says it has 2"},
       {"2 1\n2\n\n", ":2: node 1 has the neighbour 2, but not the other way round"},
       {"2 2\n2\n1\n", ": has 1 edges, but says it has 2"},
       {"2 1\n3\n1\n", ":2: there is no node 3; there are 1 to 2"},
       {"2 1 001\n2 5\n1 6\n", ":2: the edge 1 - 2 has other weights at its two ends"},
       {"2 1 7\n2\n1\n", ":1: the third number is \"7\"; expected up to three digits 0 or 1"},
       {"99999999 1\n", ":1: says it has 99999999 nodes, but is shorter"},
       {"2 1\n2\n1\n5\n", ":4: there are more lines than nodes"}});
}

TEST(Attributed, DotIsChecked) {
  expect_errors([](std::string_view text) { parse_dot(text, "f"); },
                {{"digraph { a -- b }", ":1: -- stands in a digraph, whose edges are ->"},
                 {"graph { a -> b }", ":1: -> stands in a graph, whose edges are --"},
                 {"digraph {\na -> }", ":2: expected a node or an edge, got \"}\""},
                 {"digraph { a", ":1: expected }, got the end of the file"},
                 {"digraph { \"a }", ":1: a text begins with a quote that is not closed"},
                 {"digraph { a } b", ":1: expected the end of the file, got \"b\""},
                 {"digraph { /* }", ":1: a comment is not closed"},
                 {"digraph { a [x=] }", ":1: expected a value, got \"]\""}});
  EXPECT_EQ(error_of([] { parse_dot("graph {" + std::string(100, '{'), "f"); }),
            "f:1: subgraphs are nested deeper than 64");
  std::string product = "graph {{";
  for (int i = 0; i < 2000; i++) product += fmt::format("a{} ", i);
  product += "} -- {";
  for (int i = 0; i < 2000; i++) product += fmt::format("b{} ", i);
  EXPECT_EQ(error_of([&] { parse_dot(product + "}}", "f"); }),
            "f:1: there are far more edges than a file of this size lists");
}

TEST(Attributed, NodeLinkIsChecked) {
  expect_errors(
      [](std::string_view text) { parse_node_link(text, "f"); },
      {{"{\"nodes\": [1], \"links\": []}", ":1: expected an object, got \"1\""},
       {"{\"nodes\": [],\n\"links\": [[\"source\", 1]]}", ":2: expected an object, got a list"},
       {"{\"nodes\": [\n{\"id\": 1}, {\"id\": 1}], \"links\": []}",
        ":2: node \"1\" is listed twice, first in line 2"},
       {"{\"nodes\": [{\"id\": 1}, {\"x\": 1}], \"links\": []}",
        ":1: the node has no id, as others have"},
       {"{\"nodes\": [{\"id\": 1}],\n\"links\": [{\"source\": 1}]}", ":2: the edge has no target"},
       {"[[0, 1]]",
        ": is JSON, but not of nodes and links: an object with the arrays \"nodes\" and \"links\" "
        "or "
        "\"edges\" is expected"}});
  EXPECT_EQ(error_of([] { parse_node_link("{\"a\": " + kDeep, "f"); }),
            "f:1: is nested deeper than 64");
  EXPECT_EQ(error_of([] { parse_node_link("{\"nodes\":\n[}", "f"); }).substr(0, 23),
            "f:2: is not valid JSON ");
}

TEST(Attributed, RdfIsChecked) {
  expect_errors(
      [](std::string_view text) { parse_ntriples(text, "f"); },
      {{"<a> <b> <c>\n",
        ":1: expected an IRI in <>, a blank node _:name or a literal in quotes, got "
        "\"\""},
       {"<a> <b> .\n",
        ":1: expected an IRI in <>, a blank node _:name or a literal in quotes, got "
        "\".\""},
       {"<a> <b <c> .\n", ":1: the IRI \"b <c\" has a character that must be escaped"},
       {"<a> _:p <c> .\n", ":1: the predicate is no IRI"},
       {"\"a\" <p> <c> .\n", ":1: the subject is a literal"},
       {"<a> <p> \"c .\n", ":1: a literal begins with a quote that is not closed"},
       {"<a\\u12> <p> <c> .\n", ":1: \\u\"12\" is no character"},
       {"<a> <p> <c> . <d>\n", ":1: has more behind the dot"},
       {"<< <a> <p> <c> >> <p> <c> .\n", ":1: has a statement within a statement (RDF-star)"},
       {"# nothing\n", ": holds no nodes"}});
  const std::vector<std::string> wanted = {"p:number"};
  const AttributedGraph graph = parse_ntriples("<a> <p> \"1\" .\n<a> <q> \"2\" .\n", "f", wanted);
  ASSERT_EQ(graph.nodes.values.size(), 1U);
  EXPECT_EQ(graph.nodes.values[0].text, "1");
  EXPECT_EQ(graph.remarks, (std::vector<std::string>{"1 literals are not used"}));
}

TEST(Attributed, DatabasesAreChecked) {
  expect_errors([](std::string_view text) { parse_gmt(text, "f"); },
                {{"A\tb\n", ":1: expected a name, a description and genes, separated by tabs"},
                 {"A\tx\tg\nA\tx\tg\n", ":2: the set \"A\" is there twice, first in line 1"},
                 {"\tx\tg\n", ":1: the set has no name"}});
  expect_errors(
      [](std::string_view text) { parse_obo(text, "f"); },
      {{"[Term]\nname: x\n", ":1: the term has no id"},
       {"[Term]\nid: a\n\n[Term]\nid: a\n", ":4: node \"a\" is listed twice, first in line 1"},
       {"[Term]\nid: a\nis_a:\n", ":3: expected the id of a term"}});
  expect_errors([](std::string_view text) { parse_biogrid(text, "f"); },
                {{"#BioGRID Interaction ID\tx\n",
                  ":1: there is no column \"Official Symbol Interactor A\""}});
  expect_errors([](std::string_view text) { parse_mitab(text, "f"); },
                {{"a:1\tb:2\n", ":1: has 2 columns; MITAB has at least 15"}});
  expect_errors([](std::string_view text) { parse_konect_bipartite(text, "f"); },
                {{"% bip\n1 x\n", ":2: expected the number of a node, from 1, got \"x\""}});
}

// A small file may not ask for a large table.
TEST(Attributed, TablesAreAsLargeAsTheirFiles) {
  AttributedBuilder builder("f");
  for (int i = 0; i < 3000; i++) {
    const NodeId u = builder.listed_node(std::to_string(i), 1);
    builder.node_attribute(u, fmt::format("a{}", i), "x", 1);
  }
  const AttributedGraph graph = builder.finish(AttributedBuilder::Unlisted::refused);
  int64_t repeated = 0;
  EXPECT_EQ(
      error_of([&] { node_table(graph, "f", 1000, repeated); }),
      "f: 3,000 attributes of 3,000 nodes are too many for a table, since most have no value");
  EXPECT_EQ(node_table(graph, "f", 10'000'000, repeated).num_columns(), 3000);
}

}  // namespace
}  // namespace mgnn
