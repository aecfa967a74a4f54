#include "mgnn/task/link_split.h"

#include "tests/task/links.h"

namespace mgnn {
namespace {

using testing::error_of, testing::Pair, testing::plain, testing::random_graph, testing::toykg,
    testing::unordered;

TEST(LinkSplit, PartsCoverWhatIsAskedAbout) {
  const std::vector<LinkOptions> questions = {
      {}, {.relation = "treats"}, {.between = "disease,gene"}, {.decoder = Decoder::bilinear}};
  for (const LinkOptions& options : questions) {
    const NodePairs asked = asked_pairs(toykg(), options);
    const LinkSplit split = link_split(toykg(), options, Rng(1));
    EXPECT_EQ(split.train.size() + split.validation.size() + split.test.size(), asked.size());
    EXPECT_NEAR(double(split.test.size()) / double(asked.size()), 0.1, 0.02);
    EXPECT_NEAR(double(split.validation.size()) / double(asked.size()), 0.05, 0.02);
    const auto train = unordered({&split.train});
    for (const Pair& pair : unordered({&split.validation, &split.test}))
      EXPECT_FALSE(train.contains(pair));
    for (size_t i = 0; i < split.train.size(); i++)
      EXPECT_TRUE(split.graph.has_arc(split.train.from[i], split.train.to[i]) ||
                  split.graph.has_arc(split.train.to[i], split.train.from[i]));
  }
}

TEST(LinkSplit, ReciprocalArcsStayTogether) {
  for (uint64_t seed = 0; seed < 5; seed++)
    for (const Decoder decoder : {Decoder::inner, Decoder::source_target}) {
      const Graph graph = random_graph(40, 0.3, seed);  // a third of the pairs are reciprocal
      const LinkSplit split = link_split(plain(graph), {.decoder = decoder}, Rng(seed));
      const auto held_out = unordered({&split.validation, &split.test});
      for (const Edge& arc : arcs(graph))
        EXPECT_EQ(split.graph.has_arc(arc.from, arc.to),
                  !held_out.contains(std::minmax(arc.from, arc.to)));
      for (const Edge& arc : arcs(split.graph)) EXPECT_TRUE(graph.has_arc(arc.from, arc.to));
    }
}

TEST(LinkSplit, PairsOfTypesBeginWithTheFirst) {
  const NodePairs asked = asked_pairs(toykg(), {.between = "gene,disease"});
  ASSERT_GT(asked.size(), 0u);
  for (size_t i = 0; i < asked.size(); i++) {
    EXPECT_EQ(toykg().node_type_names[size_t(toykg().node_type[size_t(asked.from[i])])], "gene");
    EXPECT_EQ(toykg().node_type_names[size_t(toykg().node_type[size_t(asked.to[i])])], "disease");
  }
  EXPECT_EQ(asked.size(), asked_pairs(toykg(), {.relation = "associates"}).size());
}

TEST(LinkSplit, MistakesAreTold) {
  const auto told = [](const Dataset& dataset, const LinkOptions& options) {
    return error_of([&] { link_split(dataset, options, Rng(0)); });
  };
  EXPECT_EQ(told(toykg(), {.relation = "treat"}),
            "toykg: there is no relation \"treat\"; there are binds, associates, participates, "
            "interacts, treats");
  EXPECT_EQ(told(toykg(), {.between = "gene,protein"}),
            "toykg: there is no node type \"protein\"; there are compound, gene, disease, pathway");
  EXPECT_EQ(told(toykg(), {.between = "gene"}),
            "between is \"gene\"; name two node types, as in Disease,Gene");
  EXPECT_EQ(told(toykg(), {.relation = "treats", .between = "gene,disease"}),
            "relation and between exclude each other; use one of them");
  EXPECT_EQ(told(plain(random_graph(5, 0.5, 1)), {.relation = "x"}),
            "plain: there are no relations");
  Dataset few = toykg();
  few.relations.push_back({"rare", {{0, 1}, {1, 2}, {2, 0}}});
  EXPECT_EQ(told(few, {.relation = "rare"}),
            "toykg: relation \"rare\" has 3 edges, too few to learn from some and be tested on "
            "others; at least 20 are needed");
}

}  // namespace
}  // namespace mgnn
