#include "mgnn/base/options.h"

#include <gtest/gtest.h>

#include "mgnn/base/rng.h"
#include "mgnn/base/toml.h"
#include "tests/util.h"

namespace mgnn {
namespace {

using testing::error_of;

struct Fields {
  bool flag = false;
  int64_t count = 3;
  uint64_t seed = 0;
  double rate = 0.5;
  std::string text = "a \"b\"";
  std::vector<std::string> words = {};
  std::vector<int64_t> layers = {16, 3};
  int kind = 1;

  Options options() {
    Options all = {option("flag", flag, ""),
                   option("count", count, ""),
                   option("seed", seed, ""),
                   option("rate", rate, ""),
                   option("text", text, ""),
                   option("words", words, ""),
                   choice<int>("kind", kind, {{"sum", 1}, {"mean", 2}}, "")};
    append(all, {option("layers", layers, "")}, "model.");
    return all;
  }
};

TEST(Options, TextReadsBackTheSame) {
  Fields a, b;
  b.flag = true, b.count = 0, b.rate = 1, b.text = "", b.layers = {}, b.kind = 2;
  const Options from = a.options(), to = b.options();
  copy_values(from, to);
  EXPECT_EQ(b.flag, a.flag);
  EXPECT_EQ(b.count, a.count);
  EXPECT_EQ(b.rate, a.rate);
  EXPECT_EQ(b.text, a.text);
  EXPECT_EQ(b.layers, a.layers);
  EXPECT_EQ(b.kind, a.kind);
}

TEST(Options, AreFoundByTheirLastPart) {
  Fields s;
  set_option(s.options(), "layers=8,4");
  EXPECT_EQ(s.layers, (std::vector<int64_t>{8, 4}));
  set_option(s.options(), "model.layers = [2]");
  EXPECT_EQ(s.layers, (std::vector<int64_t>{2}));
}

const std::vector<std::string> kHardTexts = {
    "",     " ",   " x ",  "\"x\"", "'x'",      "a,b",    "weight, kg", "\"",
    "\\",   "\\n", "a\tb", "a\nb",  "#",        "a=b",    "[a]",        "[1, 2]",
    "true", "1",   "1e5",  "é中😀",  "\x01\x7f", "\"\"\"", "'''",        "x\r"};

// From one struct to another through TOML, and through text as on a command line.
void expect_round_trips(Fields& a, const std::string& what) {
  Fields from_file, from_text;
  const Options options = a.options(), text_options = from_text.options();
  for (const Setting& setting : parse_toml(toml_of(options), "x.toml"))
    set_option(from_file.options(), setting);
  for (size_t i = 0; i < options.size(); i++) text_options[i].set(Value(text_of(options[i].get())));
  for (const Fields* b : {&from_file, &from_text}) {
    EXPECT_EQ(b->flag, a.flag) << what;
    EXPECT_EQ(b->count, a.count) << what;
    EXPECT_EQ(b->seed, a.seed) << what;
    EXPECT_EQ(b->rate, a.rate) << what;
    EXPECT_EQ(b->text, a.text) << what;
    EXPECT_EQ(b->words, a.words) << what;
    EXPECT_EQ(b->layers, a.layers) << what;
    EXPECT_EQ(b->kind, a.kind) << what;
  }
}

TEST(Options, HardTextsGoThroughFilesAndCommandLines) {
  for (const std::string& text : kHardTexts) {
    Fields fields;
    fields.text = text;
    fields.words = {text, "b", text};
    expect_round_trips(fields, text);
    fields.words = {text};
    expect_round_trips(fields, text);
  }
}

TEST(Options, RandomTextsGoThroughFilesAndCommandLines) {
  const std::string alphabet = "ab,\"'\\ \t\n[]#=.\x01";
  Rng rng(1);
  const auto random_text = [&](uint64_t longest) {
    std::string text;
    for (uint64_t i = rng.below(longest); i > 0; i--) text += alphabet[rng.below(alphabet.size())];
    return text;
  };
  for (int round = 0; round < 2000; round++) {
    Fields fields;
    fields.text = random_text(8);
    for (uint64_t w = rng.below(4); w > 0; w--) fields.words.push_back(random_text(6));
    expect_round_trips(fields, fields.text);
  }
}

TEST(Options, ExtremeNumbersGoThroughFilesAndCommandLines) {
  Fields fields;
  fields.count = INT64_MAX;
  fields.layers = {1, INT64_MAX};
  for (const uint64_t seed :
       {uint64_t(0), uint64_t(INT64_MAX), uint64_t(INT64_MAX) + 1, UINT64_MAX})
    for (const double rate : {0., -0., 1., 5e-324, 1.7976931348623157e308, 0.1, 1 / 3., 1e22}) {
      fields.seed = seed;
      fields.rate = rate;
      expect_round_trips(fields, fmt::format("{} {}", seed, rate));
    }
}

TEST(Options, ListsOfACommandLine) {
  using Words = std::vector<std::string>;
  const auto words_in = [](const char* text) { return mgnn::words_in(text, "list"); };
  EXPECT_EQ(words_in("a,b"), (Words{"a", "b"}));
  EXPECT_EQ(words_in(" a , b "), (Words{"a", "b"}));
  EXPECT_EQ(words_in("\"weight, kg\",height"), (Words{"weight, kg", "height"}));
  EXPECT_EQ(words_in("\" a \""), (Words{" a "}));
  EXPECT_EQ(words_in("\"say \"\"x\"\"\""), (Words{"say \"x\""}));
  EXPECT_EQ(words_in("[\"weight, kg\", \"b\"]"), (Words{"weight, kg", "b"}));
  EXPECT_EQ(words_in("[16, 3]"), (Words{"16", "3"}));
  EXPECT_EQ(words_in("a,,b"), (Words{"a", "", "b"}));
  EXPECT_EQ(words_in(""), Words{});
  EXPECT_NE(error_of([&] { words_in("\"a"); }).find("does not end"), std::string::npos);
  EXPECT_NE(error_of([&] { words_in("\"a\"b,c"); }).find("does not end"), std::string::npos);
}

TEST(Options, FlagsSetTextVerbatim) {
  Fields fields;
  set_option(fields.options(), "text= x ");
  EXPECT_EQ(fields.text, " x ");
  set_option(fields.options(), "text=\"x\"");
  EXPECT_EQ(fields.text, "\"x\"");
  set_option(fields.options(), "text=a=b");
  EXPECT_EQ(fields.text, "a=b");
}

TEST(Options, TomlSaysWhereItIsWrong) {
  const auto error = [](const char* toml) { return error_of([&] { parse_toml(toml, "f.toml"); }); };
  EXPECT_NE(error("a = 1\nb = [1, \"x\"]\n").find("f.toml:2"), std::string::npos);
  EXPECT_NE(error("a = 1979-05-27\n").find("f.toml:1"), std::string::npos);
  EXPECT_NE(error("a = \n").find("f.toml:1"), std::string::npos);
}

TEST(Options, TomlHasNoDates) {
  const auto error = [](const char* toml) { return error_of([&] { parse_toml(toml, "f.toml"); }); };
  for (const char* value :
       {"1979-05-27", "1979-05-27T.7:1", "07:32:00", "[1, 1979-05-27T07:32:00Z]"})
    EXPECT_EQ(error((std::string("a-1 = 1e-5\nb = ") + value + "\n").c_str()),
              "f.toml:2: there is a date or time, which no setting is");
  EXPECT_EQ(error("a-1-2 = -1\nb = [-1, 2]  # 1979-05-27\nc = '07:32'\n"), "");
}

TEST(Options, TomlStringsHaveOneLine) {
  const auto error = [](const char* toml) { return error_of([&] { parse_toml(toml, "f.toml"); }); };
  for (const char* string : {"\"\"\"x\"\"\"", "'''x'''"})
    EXPECT_EQ(error((std::string("\na = ") + string).c_str()),
              "f.toml:2: strings of several lines are not known; use \\n between quotes");
  for (const char* string : {"\"x\ny\"", "'x\ny'", "\"x\\\"", "\""})
    EXPECT_EQ(error((std::string("a = ") + string).c_str()),
              "f.toml:1: a string does not end on its line");
  EXPECT_EQ(error("a = 0o\"\xc8\xbd\""), "f.toml:1: \"\"\" stands within a word");
  EXPECT_EQ(error("a = 0x[\"\xc8\xbd\"]"), "f.toml:1: \"[\" stands within a word");
  EXPECT_EQ(error("a = 0x=\"\xc8\xbd\""), "f.toml:1: a value has a second =");
  EXPECT_EQ(error("a = \"\" # \"\"\"\nb = 'it\"s'"), "");
}

TEST(Options, TomlTablesHaveNames) {
  const auto error = [](const char* toml) { return error_of([&] { parse_toml(toml, "f.toml"); }); };
  for (const char* header : {"[[[x]", "[[[[x]]]]", "[ [x] ]", "[*]", "[\xff]", "[\n]", "[.a]",
                             "[[ =]]", "\xc2\xa0[*]", "\v[*]"})
    EXPECT_TRUE(error((std::string("a = 1\n") + header + "\n").c_str()).starts_with("f.toml:2: "))
        << header;
  EXPECT_EQ(error("\xef\xbb\xbf[*]\n"),
            "f.toml:1: the name of a table is missing or begins with \"*\"");
  const Settings settings = parse_toml(
      "list = [\n  1,  # [*\n  2\n]\ntext = \"\\n[*]\"\n [ train ] # x\nepochs = 3\n"
      "['data']\nsource = \"x\"\n",
      "f.toml");
  ASSERT_EQ(settings.size(), 4u);
  EXPECT_EQ(settings[0].name + settings[3].name, "data.sourcetrain.epochs");
}

TEST(Options, SayWhatIsWrong) {
  Fields s;
  const Options all = s.options();
  const auto error = [&](const char* text) { return error_of([&] { set_option(all, text); }); };
  EXPECT_NE(error("cuont=1").find("did you mean count"), std::string::npos);
  EXPECT_NE(error("count=1.5").find("whole number"), std::string::npos);
  EXPECT_NE(error("count=-1").find("negative"), std::string::npos);
  EXPECT_NE(error("count=9223372036854775808").find("whole number"), std::string::npos);
  EXPECT_NE(error("seed=-1").find("negative"), std::string::npos);
  EXPECT_NE(error("seed=99999999999999999999").find("up to 18446744073709551615"),
            std::string::npos);
  EXPECT_NE(error("rate=nan").find("finite"), std::string::npos);
  EXPECT_NE(error("rate=x").find("not a number"), std::string::npos);
  EXPECT_NE(error("kind=summ").find("did you mean sum"), std::string::npos);
  EXPECT_NE(error("layers=1,0").find("positive"), std::string::npos);
  EXPECT_EQ(error("text=\xff"), "text is \"\\xff\", which is not valid UTF-8");
  EXPECT_EQ(error("words=a,\xff"), "words is \"\\xff\", which is not valid UTF-8");
  EXPECT_EQ(error("words=\"a"),
            "words is \"\"a\": a quoted item does not end before a comma; write \"a, b\",c");
  EXPECT_NE(error("flag=maybe").find("true or false"), std::string::npos);
  EXPECT_NE(error("count").find("key=value"), std::string::npos);
}

}  // namespace
}  // namespace mgnn
