#include "mgnn/base/options.h"

#include <gtest/gtest.h>

#include "tests/util.h"

namespace mgnn {
namespace {

using testing::error_of;

struct Settings {
  bool flag = false;
  int64_t count = 3;
  double rate = 0.5;
  std::string text = "a \"b\"";
  std::vector<int64_t> layers = {16, 3};
  int kind = 1;

  Options options() {
    Options all = {option("flag", flag, ""), option("count", count, ""), option("rate", rate, ""),
                   option("text", text, ""),
                   choice<int>("kind", kind, {{"sum", 1}, {"mean", 2}}, "")};
    append(all, {option("layers", layers, "")}, "model.");
    return all;
  }
};

TEST(Options, TextReadsBackTheSame) {
  Settings a, b;
  b.flag = true, b.count = 0, b.rate = 1, b.text = "", b.layers = {}, b.kind = 2;
  const Options from = a.options(), to = b.options();
  for (size_t i = 0; i < from.size(); i++) to[i].set(from[i].text());
  EXPECT_EQ(b.flag, a.flag);
  EXPECT_EQ(b.count, a.count);
  EXPECT_EQ(b.rate, a.rate);
  EXPECT_EQ(b.text, a.text);
  EXPECT_EQ(b.layers, a.layers);
  EXPECT_EQ(b.kind, a.kind);
}

TEST(Options, AreFoundByTheirLastPart) {
  Settings s;
  set_option(s.options(), "layers=8,4");
  EXPECT_EQ(s.layers, (std::vector<int64_t>{8, 4}));
  set_option(s.options(), "model.layers = [2]");
  EXPECT_EQ(s.layers, (std::vector<int64_t>{2}));
}

TEST(Options, SayWhatIsWrong) {
  Settings s;
  const Options all = s.options();
  const auto error = [&](const char* text) { return error_of([&] { set_option(all, text); }); };
  EXPECT_NE(error("cuont=1").find("did you mean count"), std::string::npos);
  EXPECT_NE(error("count=1.5").find("whole number"), std::string::npos);
  EXPECT_NE(error("count=-1").find("negative"), std::string::npos);
  EXPECT_NE(error("rate=nan").find("finite"), std::string::npos);
  EXPECT_NE(error("rate=x").find("not a number"), std::string::npos);
  EXPECT_NE(error("kind=summ").find("did you mean sum"), std::string::npos);
  EXPECT_NE(error("layers=1,0").find("positive"), std::string::npos);
  EXPECT_NE(error("flag=maybe").find("true or false"), std::string::npos);
  EXPECT_NE(error("count").find("key=value"), std::string::npos);
}

}  // namespace
}  // namespace mgnn
