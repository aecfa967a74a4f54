// The library says what is wrong, the tool which flag or verb helps.
#include <gtest/gtest.h>

#include "mgnn/base/file.h"
#include "tests/cli/run_command.h"

namespace mgnn {
namespace {

using testing::run_mgnn, testing::TempDir;

struct Case {
  std::vector<std::string> arguments;  // DIR is a folder with files e.txt and complete.txt
  std::string ending;                  // of the message
};

const Case kCases[] = {
    {{"train", "DIR/e.txt", "--model", "gcn", "--task", "node"},
     "e: nodes have no labels; give a table with --nodes FILE --label-column NAME, or learn "
     "without labels with --task unsupervised\n"},
    {{"train", "DIR/e.txt", "--task", "node-regression"},
     "e: nodes have no numbers to learn; name their column with --target-column\n"},
    {{"train", "DIR/e.txt", "--task", "graph"},
     "e is one graph, not a set of graphs; use --task node\n"},
    {{"train", "triads", "--task", "node"},
     "triads is a set of graphs, not one graph; use --task graph\n"},
    {{"train", "DIR/e.txt", "--task", "link", "--relation", "x"},
     "e: there are no relations; name the column of an edge list with --relation-column\n"},
    {{"train", "DIR/e.txt", "--task", "link", "--between", "a,b"},
     "e: there are no node types; give them in a table with --nodes FILE --type-column NAME\n"},
    {{"train", "roles", "--decoder", "inner"},
     "link.decoder is a setting of link prediction, but the task is node classification; use "
     "--task link\n"},
    {{"train", "roles", "--model", "asap"}, "asap has no output for nodes; use another --model\n"},
    {{"train", "DIR/complete.txt", "--task", "unsupervised", "--features", "constant"},
     "in the graph all nodes are joined, so there is nothing to tell apart; use --objective "
     "contrastive\n"},
    {{"train", "--set", "zzzzzzzzzzzz=1"},
     "there is no setting \"zzzzzzzzzzzz\"; --show-config lists all\n"},
    {{"train", "roles", "-o", "DIR/run"},
     "DIR/run: has a run already; use --force to overwrite it, or --resume DIR/run\n"},
    {{"predict", "DIR/none"},
     "DIR/none: there is no trained model; mgnn train … -o DIR makes one\n"},
    {{"predict", "DIR/run"},
     "DIR/run: was trained without labels, so it predicts no classes; mgnn embed --model DIR/run "
     "-o FILE writes its embedding\n"},
    {{"info", "texas"}, "; mgnn datasets texas lists the files\n"},
};

TEST(Hints, NameFlagsAndVerbs) {
  const TempDir dir;
  dir.file("e.txt", "1 2\n2 3\n");
  dir.file("complete.txt", "1 2\n2 3\n3 1\n");
  const auto trained = run_mgnn({"train", "roles", "--task", "unsupervised", "--model", "gcn",
                                 "--epochs", "1", "-o", dir / "run"});
  ASSERT_EQ(trained.exit_code, 0) << trained.err;
  const auto with_folder = [&](std::string text) {
    for (size_t at = text.find("DIR/"); at != text.npos; at = text.find("DIR/", at))
      text.replace(at, 3, dir.path());
    return text;
  };
  for (const Case& wrong : kCases) {
    std::vector<std::string> arguments;
    for (const std::string& word : wrong.arguments) arguments.push_back(with_folder(word));
    const auto result = run_mgnn(arguments);
    EXPECT_NE(result.exit_code, 0) << wrong.ending;
    EXPECT_TRUE(result.err.ends_with(with_folder(wrong.ending))) << result.err << wrong.ending;
  }
}

}  // namespace
}  // namespace mgnn
