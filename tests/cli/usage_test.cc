// Help, version, wrong usage, exit codes: what does not depend on data.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "tests/cli/run_command.h"

namespace mgnn {
namespace {

using testing::CommandResult, testing::run_mgnn;

const std::vector<std::string> kVerbs = {
    "demo",     "info",     "census",   "motifs", "train",      "predict",   "explain", "rank",
    "plan",     "serve",    "inspect",  "search", "compare",    "reproduce", "embed",   "convert",
    "generate", "datasets", "download", "doctor", "completion", "help"};

TEST(Cli, EveryVerbHasHelpWithExamples) {
  for (const std::string& verb : kVerbs) {
    const CommandResult help = run_mgnn({verb, "--help"});
    EXPECT_EQ(help.exit_code, 0) << verb;
    EXPECT_EQ(help.err, "") << verb;
    EXPECT_TRUE(help.out.starts_with("Usage mgnn " + verb)) << help.out;
    EXPECT_NE(help.out.find("Examples\n  "), std::string::npos) << verb;
    EXPECT_NE(help.out.find("--threads N"), std::string::npos) << verb;
    EXPECT_EQ(run_mgnn({"help", verb}).out, help.out) << verb;
  }
}

TEST(Cli, HelpListsTheVerbsOfTheTest) {
  const CommandResult help = run_mgnn({"help"});
  EXPECT_EQ(help.out, run_mgnn({"--help"}).out);
  const size_t from = help.out.find("Verbs\n") + 6;
  std::vector<std::string> listed;
  std::istringstream lines(help.out.substr(from, help.out.find("\n\n", from) - from));
  for (std::string line; std::getline(lines, line);)
    listed.push_back(line.substr(2, line.find(' ', 2) - 2));
  EXPECT_EQ(listed, kVerbs);
}

TEST(Cli, HelpFitsATerminal) {
  for (const std::string& verb : kVerbs) {
    std::istringstream lines(run_mgnn({"help", verb}).out);
    for (std::string line; std::getline(lines, line);) EXPECT_LE(line.size(), 105u) << line;
  }
}

TEST(Cli, TheManualHasEveryVerb) {
  const CommandResult manual = run_mgnn({"help", "--man"});
  EXPECT_EQ(manual.exit_code, 0);
  EXPECT_TRUE(manual.out.starts_with(".TH MGNN 1"));
  for (const std::string& verb : kVerbs)
    EXPECT_NE(manual.out.find(".SH MGNN " + verb), std::string::npos) << verb;
}

TEST(Cli, ShowsItsVersion) {
  const CommandResult version = run_mgnn({"--version"});
  EXPECT_EQ(version.exit_code, 0);
  EXPECT_TRUE(version.out.starts_with("mgnn 0.")) << version.out;
  for (const char* what : {"compiler ", "instructions ", "threads ", "components "})
    EXPECT_NE(version.out.find(what), std::string::npos) << what;
  EXPECT_EQ(run_mgnn({"-V"}).out, version.out);
  const auto json = nlohmann::json::parse(run_mgnn({"--version", "--json", "-j", "3"}).out);
  EXPECT_EQ(json["threads"], "3");
}

TEST(Cli, ThreadsComeFromTheEnvironmentUnlessAFlagSaysElse) {
  const testing::CommandOptions four{.environment = {{"MGNN_THREADS", "4"}}};
  EXPECT_EQ(nlohmann::json::parse(run_mgnn({"-V", "--json"}, four).out)["threads"], "4");
  EXPECT_EQ(nlohmann::json::parse(run_mgnn({"-V", "--json", "-j2"}, four).out)["threads"], "2");
}

TEST(Cli, InstructionSetsCanBeSwitchedOff) {
  const auto version = [](const char* set) {
    return run_mgnn({"-V"}, {.environment = {{"MGNN_ISA", set}}}).out;
  };
  EXPECT_NE(version("generic").find("generic in use"), std::string::npos) << version("generic");
  EXPECT_EQ(version("avx2").find("avx512 in use"), std::string::npos) << version("avx2");
  const auto wrong = run_mgnn({"info", "karate"}, {.environment = {{"MGNN_ISA", "avx3"}}});
  EXPECT_EQ(wrong.exit_code, 2);
  EXPECT_EQ(wrong.err, "mgnn: MGNN_ISA: unknown instruction set \"avx3\"; did you mean avx2?\n");
}

// Wrong usage: exit code 2, one sentence, nothing on standard output.
struct WrongUsage {
  std::vector<std::string> arguments;
  const char* message;
};
const WrongUsage kWrongUsages[] = {
    {{"inof", "x"}, "unknown verb \"inof\"; did you mean info?"},
    {{"zzzzzz"}, "unknown verb \"zzzzzz\"; mgnn help lists the verbs"},
    {{"help", "convrt"}, "unknown verb \"convrt\"; did you mean convert?"},
    {{"help", "zzzzzz"}, "unknown verb \"zzzzzz\"; mgnn help lists the verbs"},
    {{"info"}, "info: DATA is required; see mgnn help info"},
    {{"info", "a", "b"}, "info takes no further argument \"b\"; see mgnn help info"},
    {{"info", "a", "--jsn"}, "unknown flag \"--jsn\"; did you mean --json?"},
    {{"info", "a", "--zzzzzzzz=3"}, "unknown flag \"--zzzzzzzz\"; see mgnn help info"},
    {{"--sed", "3", "demo"}, "unknown flag \"--sed\"; did you mean --seed?"},
    {{"info", "a", "--separator", "comma!"},
     "unknown value \"comma!\" of separator; did you mean comma?"},
    {{"info", "a", "--ids", "zzzzzzz"},
     "unknown value \"zzzzzzz\" of ids; use one of auto, integer, string"},
    {{"info", "a", "-j", "many"}, "info: --threads: \"many\" is not a whole number"},
    {{"info", "a", "-j", "-1"}, "info: --threads: Value -1 not in range 0 to 1024"},
    {{"info", "a", "--seed"}, "info: --seed needs a value"},
    {{"info", "a", "--log-level", "loud"},
     "--log-level: unknown level \"loud\"; use trace, debug, info, warn, error or off"},
    {{"info", "a", "--log-level", "wran"},
     "--log-level: unknown level \"wran\"; did you mean warn?"},
    {{"completion", "bsh"}, "unknown value \"bsh\" of SHELL; did you mean bash?"},
    {{"generate", "sbn", "-o", "-"}, "unknown kind \"sbn\"; did you mean sbm?"},
    {{"generate", "zzzzzz", "-o", "-"},
     "unknown kind \"zzzzzz\"; mgnn help generate lists the kinds"},
    {{"generate", "er"}, "generate: --output is required; see mgnn help generate"},
    {{"generate", "rmat", "--blocks", "3", "-o", "-"},
     "generate rmat takes no --blocks; it takes --nodes, --arcs, --undirected, "
     "--largest-component"},
    {{"generate", "er", "--nodes", "0", "-o", "-"},
     "--nodes is \"0\"; use a whole number from 1 on"},
    {{"generate", "er", "--probability", "-1", "-o", "-"},
     "the probability of an arc is -1, but a probability is from 0 to 1"},
    {{"generate", "karate", "--nodes", "3", "-o", "-"},
     "generate karate takes no --nodes; its size is fixed"},
    {{"download", "croa"}, "unknown dataset \"croa\"; did you mean cora?"},
    {{"datasets", "zzzzzzzz"}, "unknown dataset \"zzzzzzzz\"; mgnn datasets lists those known"},
};

TEST(Cli, WrongUsageGetsOneSentence) {
  for (const WrongUsage& wrong : kWrongUsages) {
    const CommandResult result = run_mgnn(wrong.arguments);
    EXPECT_EQ(result.exit_code, 2) << wrong.message;
    EXPECT_EQ(result.out, "") << wrong.message;
    EXPECT_EQ(result.err, std::string("mgnn: ") + wrong.message + "\n");
  }
}

// Flags of a verb that take a whole number, by its help.
std::vector<std::string> number_flags(const std::string& verb) {
  std::vector<std::string> flags;
  std::istringstream lines(run_mgnn({verb, "--help"}).out);
  for (std::string line; std::getline(lines, line);) {
    const size_t flag = line.find("--"), end = line.find(' ', flag);
    if (flag == std::string::npos || end == std::string::npos || flag > 8) continue;
    const std::string type = line.substr(end + 1, line.find(' ', end + 1) - end - 1);
    if (type == "N" || type == "K") flags.push_back(line.substr(flag, end - flag));
  }
  return flags;
}

TEST(Cli, WholeNumbersAreDecimal) {
  const testing::TempDir dir;
  const std::string run = dir / "run";
  ASSERT_EQ(run_mgnn({"train", "karate", "--epochs", "1", "-o", run}).exit_code, 0);
  const std::map<std::string, std::vector<std::string>> data = {
      {"info", {"karate"}},
      {"census", {"karate"}},
      {"motifs", {"karate", "-o", dir / "m.npz"}},
      {"train", {"karate", "--no-output"}},
      {"predict", {run}},
      {"explain", {run, "--node", "1"}},
      {"rank", {run}},
      {"inspect", {run}},
      {"search", {"karate", "--no-folder"}},
      {"compare", {"karate", "--no-folder"}},
      {"embed", {"karate", "--evaluate"}},
      {"convert", {"karate", "-"}},
      {"generate", {"er", "-o", "-"}},
      {"download", {"karate"}},
      {"completion", {"bash"}}};
  const auto refusal = [&](const std::string& verb, std::vector<std::string> words,
                           const std::string& flag, const char* wrong) {
    words.insert(words.begin(), verb);
    words.insert(words.end(), {flag, wrong});
    const CommandResult refused = run_mgnn(words);
    EXPECT_EQ(refused.exit_code, 2) << verb << " " << flag << " " << wrong;
    return refused.err;
  };
  int count = 0;
  for (const std::string& verb : kVerbs)
    for (const std::string& flag : number_flags(verb)) {
      const auto words = data.find(verb);
      std::string told = refusal(
          verb, words == data.end() ? std::vector<std::string>() : words->second, flag, "0x1F");
      for (const char* kind : {"rmat", "sbm", "config", "toykg", "triads", "roles"})
        if (told.find("takes no " + flag) != std::string::npos)  // another kind of graph does
          told = refusal(verb, {kind, "-o", "-"}, flag, "0x1F");
      EXPECT_NE(told.find("0x1F"), std::string::npos) << verb << " " << flag << ": " << told;
      count++;
    }
  EXPECT_GT(count, 90);
  for (const char* wrong : {"1_0", "1'0", "0b1", "7.5", "ten", "1e1", "-"})
    EXPECT_NE(refusal("rank", {run}, "--top", wrong).find(" is not a whole number"),
              std::string::npos)
        << wrong;
}

TEST(Cli, LeadingZerosDoNotMakeANumberOctal) {
  const auto trials = run_mgnn({"search", "karate", "--model", "gcn", "--epochs", "1", "--trials",
                                "010", "--show", "09", "--no-folder"});
  ASSERT_EQ(trials.exit_code, 0) << trials.err;
  EXPECT_EQ(std::count(trials.out.begin(), trials.out.end(), '\n'), 2 + 9 + 2) << trials.out;
  const auto threads = [](const CommandResult& doctor) {
    return nlohmann::json::parse(doctor.out)["build"]["threads"];
  };
  EXPECT_EQ(threads(run_mgnn({"doctor", "--json", "-j", "010"})), "10");
  EXPECT_EQ(threads(run_mgnn({"doctor", "--json"}, {.environment = {{"MGNN_THREADS", "010"}}})),
            "10");
  EXPECT_EQ(run_mgnn({"info", "karate", "-j", "00"}).exit_code, 0);
}

TEST(Cli, MemoryIsLimited) {
  const CommandResult small = run_mgnn({"generate", "rmat", "--max-memory", "20M", "-o", "-"});
  EXPECT_EQ(small.exit_code, 1);
  EXPECT_NE(small.err.find("(by the limit that was set)"), std::string::npos) << small.err;
  const auto decides = [](const CommandResult& doctor) {
    const std::string text = nlohmann::json::parse(doctor.out)["machine"]["memory"];
    return text.substr(text.find(" by ") + 4);
  };
  EXPECT_EQ(decides(run_mgnn({"doctor", "--json", "--max-memory", "100M"})),
            "the limit that was set");
  EXPECT_EQ(decides(run_mgnn({"doctor", "--json"}, {.environment = {{"MGNN_MAX_MEMORY", "100M"}}})),
            "the limit that was set");
  for (const char* size : {"x", "0", "-1", "1Q"}) {
    const CommandResult wrong = run_mgnn({"info", "karate", "--max-memory", size});
    EXPECT_EQ(wrong.exit_code, 2);
    EXPECT_NE(wrong.err.find("which is not a size"), std::string::npos) << wrong.err;
  }
  EXPECT_EQ(run_mgnn({"info", "karate", "--max-nodes", "-3"}).err,
            "mgnn: --max-nodes is -3; it must not be negative\n");
}

TEST(Cli, WithoutAVerbShowsHelpOnStandardError) {
  const CommandResult result = run_mgnn({});
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_EQ(result.out, "");
  EXPECT_TRUE(result.err.starts_with("Usage mgnn <verb>"));
}

TEST(Cli, AFullDiskIsAnError) {
  const CommandResult result = run_mgnn({"--version"}, {.out_path = "/dev/full"});
  EXPECT_EQ(result.exit_code, 1);
  EXPECT_EQ(result.err, "mgnn: standard output: cannot write: No space left on device\n");
}

TEST(Cli, CompletionKnowsVerbsFlagsAndDatasets) {
  for (const char* shell : {"bash", "zsh", "fish"}) {
    const CommandResult script = run_mgnn({"completion", shell});
    EXPECT_EQ(script.exit_code, 0);
    for (const char* word : {"generate", "separator", "cora", "rmat", "data-dir"})
      EXPECT_NE(script.out.find(word), std::string::npos) << shell << " " << word;
  }
}

// The words that bash offers when Tab is pressed behind `line`.
std::string bash_offers(const std::string& line) {
  const testing::TempDir dir;
  dir.file("mgnn.bash", run_mgnn({"completion", "bash"}).out);
  dir.file("ask.bash", "source '" + dir.path() + "/mgnn.bash'\ncd " + dir.path() +
                           "\nread -ra COMP_WORDS <<<\"$1 \"\n[[ $1 == *' ' ]] && "
                           "COMP_WORDS+=('')\nCOMP_CWORD=$((${#COMP_WORDS[@]} - 1))\n_mgnn\n"
                           "echo \"${COMPREPLY[*]}\" > " +
                           (dir / "offers"));
  if (std::system(("bash " + (dir / "ask.bash") + " '" + line + "'").c_str()) != 0) return "failed";
  return testing::content_of(dir / "offers");
}

TEST(Cli, BashCompletes) {
  EXPECT_EQ(bash_offers("mgnn con"), "convert\n");
  EXPECT_EQ(bash_offers("mgnn info --larg"), "--largest-component\n");
  EXPECT_EQ(bash_offers("mgnn -q info cora-d"), "cora-directed\n");
  EXPECT_EQ(bash_offers("mgnn generate rm"), "rmat\n");
  EXPECT_EQ(bash_offers("mgnn completion f"), "fish\n");
}

}  // namespace
}  // namespace mgnn
