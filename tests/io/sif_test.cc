#include "mgnn/io/sif.h"

#include "tests/util.h"

namespace mgnn {
namespace {

using testing::error_of;

TEST(Sif, LinesHaveAnyNumberOfTargets) {
  for (const char* text : {"a pp b c\nb pd a\nlone\n", "a\tpp\tb\tc\r\nb\tpd\ta\r\nlone\r\n",
                           "\xEF\xBB\xBF"
                           "a  pp b   c \n\nb pd a\nlone"}) {
    const EdgeList list = parse_sif(text, "f");
    EXPECT_EQ(list.num_nodes, 4);
    EXPECT_EQ(list.edges, (Array<Edge>{{0, 1}, {0, 2}, {1, 0}}));
    EXPECT_EQ(list.relation, (Array<int32_t>{0, 0, 1}));
    EXPECT_EQ(list.relation_names, (std::vector<std::string>{"pp", "pd"}));
    EXPECT_EQ(list.ids.name(3), "lone");
  }
  // With tabs, names may have blanks.
  EXPECT_EQ(parse_sif("node one\tis in\tnode two\n", "f").ids.name(1), "node two");
}

TEST(Sif, SaysWhatIsWrong) {
  EXPECT_EQ(error_of([] { parse_sif("a pp b\na pp\n", "f"); }),
            "f:2: has two cells; expected a node, or a node, a relation and nodes");
  EXPECT_EQ(error_of([] { parse_sif("a\tpp\t\tb\n", "f"); }), "f:1: has an empty cell");
  EXPECT_EQ(error_of([] { parse_sif("\n \n", "f"); }), "f: holds no nodes");
}

}  // namespace
}  // namespace mgnn
