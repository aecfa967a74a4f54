// Every setting of every task, network and embedding method reaches the program unchanged, or is
// refused by an Error that names it: by flag, --set, environment, configuration file, model file.
#include <gtest/gtest.h>

#include <cfloat>
#include <nlohmann/json.hpp>

#include "mgnn/base/toml.h"
#include "mgnn/embed/methods.h"
#include "mgnn/task/tasks.h"
#include "mgnn/task/trained_model.h"
#include "tests/cli/run_command.h"

namespace mgnn {
namespace {

using testing::error_of, testing::run_mgnn, testing::TempDir;

constexpr uint64_t kSeed = 20261117;

// ---- values

const std::vector<std::string> kTexts = {
    "",         " ",      " x ",    "\"x\"", "'x'",  "a,b", "weight, kg", "\"",
    "'",        "\\",     "\\n",    "a\tb",  "a\nb", "\n",  "#",          "a=b",
    "=",        "[a]",    "[1, 2]", "{}",    "true", "1",   "1e5",        "é中😀",
    "\x01\x7f", "\"\"\"", "'''",    "x\r",   "-",    "--",  "-x",         "--epochs",
    "$HOME",    "%s",     "~",      "@f",    "a b",  "\t",  "\\u00e9",    "none",
};
const std::vector<double> kNumbers = {0, 1, 1e-300, 5e-324, DBL_MAX, 0.1 + 0.2, 1 / 3., 1e22, -0.5};
const std::vector<int64_t> kCounts = {0, 1, 10, INT64_MAX - 1, INT64_MAX};
const std::vector<uint64_t> kSeeds = {0, 8, INT64_MAX, uint64_t(INT64_MAX) + 1, UINT64_MAX};

template <class T>
const T& any_of(const std::vector<T>& values, Rng& rng) {
  return values[rng.below(values.size())];
}

std::string random_text(Rng& rng) {
  if (rng.below(2) == 0) return any_of(kTexts, rng);
  const std::string alphabet = "ab,\"'\\ \t\n[]{}#=.-\x01$";
  std::string text;
  for (uint64_t i = rng.below(9); i > 0; i--) text += alphabet[rng.below(alphabet.size())];
  return text;
}

bool is_seed(const Option& option) { return last_part(option.name) == "seed"; }

// A value as the option has it. Options with a text form of their own keep the value they have.
Value random_value(const Option& option, Rng& rng) {
  const Value now = option.get();
  if (is_seed(option)) {
    const uint64_t seed = any_of(kSeeds, rng);
    return seed <= INT64_MAX ? Value(int64_t(seed)) : Value(std::to_string(seed));
  }
  if (!option.choices.empty()) return any_of(option.choices, rng);
  if (last_part(option.name) == "motifs")
    return any_of<std::string>({"all", "none", "M1,M4,M13"}, rng);
  if (last_part(option.name) == "smooth") return any_of<std::string>({"auto", "0.25", "0.5"}, rng);
  if (last_part(option.name) == "augment")
    return any_of<std::string>({"drop-nodes", "subgraph,drop-edges"}, rng);
  if (last_part(option.name) == "profile") return any_of<std::string>({"auto", "none"}, rng);
  if (option.name == "model.name") return now;
  if (std::holds_alternative<bool>(now)) return rng.below(2) == 0;
  if (std::holds_alternative<int64_t>(now)) return any_of(kCounts, rng);
  if (std::holds_alternative<double>(now))
    return rng.below(2) == 0 ? any_of(kNumbers, rng) : std::exp(100 * rng.normal());
  if (std::holds_alternative<std::vector<int64_t>>(now)) {
    std::vector<int64_t> numbers;
    for (uint64_t i = rng.below(4); i > 0; i--) numbers.push_back(1 + any_of(kCounts, rng) / 2);
    return numbers;
  }
  if (std::holds_alternative<std::vector<std::string>>(now)) {
    std::vector<std::string> words;
    for (uint64_t i = rng.below(4); i > 0; i--) words.push_back(random_text(rng));
    return words;
  }
  const std::string text = random_text(rng);
  return option.name == "data.source" && text.empty() ? "x" : text;  // without: a default
}

Settings random_settings(const Options& options, Rng& rng) {
  Settings settings;
  for (const Option& option : options)
    settings.emplace_back(option.name, random_value(option, rng));
  return settings;
}

// What no option of that type takes.
std::vector<std::string> wrong_texts(const Option& option) {
  const Value now = option.get();
  if (is_seed(option)) return {"", "-1", "1.5", "18446744073709551616", "x", "0x10"};
  if (!option.choices.empty()) return {"", "zzz", "a,b", "\xff"};
  if (last_part(option.name) == "motifs") return {"14", "zzz", "\xff"};
  if (last_part(option.name) == "augment") return {"zzz", "drop-edges,,drop-nodes", "\xff"};
  if (std::holds_alternative<bool>(now)) return {"", "maybe", "2", "\xff"};
  if (std::holds_alternative<int64_t>(now)) return {"", "-1", "1.5", "9223372036854775808", "x"};
  if (std::holds_alternative<double>(now)) return {"", "nan", "inf", "-inf", "1e309", "x", "1,5"};
  if (std::holds_alternative<std::vector<int64_t>>(now))
    return {"0", "-1", "1,,2", "x", "9223372036854775808", "\"1"};
  if (std::holds_alternative<std::vector<std::string>>(now)) return {"\xff", "a,\xc3", "\"a"};
  return {"\xff", "a\xed\xa0\x80", "\xc0\x80"};
}

// ---- ways in

std::string environment_name(const std::string& option) {
  std::string name = "MGNN_";
  for (const char c : option) name += c == '.' || c == '-' ? '_' : char(std::toupper(c));
  return name;
}

std::unique_ptr<Config> by_set(const std::string& model, const Settings& settings) {
  ConfigLayers layers{.flags = {{"model.name", model}}};
  for (const Setting& setting : settings) layers.sets.emplace_back(setting.text());
  return resolve_config(std::move(layers));
}

std::unique_ptr<Config> by_environment(const std::string& model, const Settings& settings) {
  struct Clear {
    const Settings& settings;
    ~Clear() {
      for (const Setting& setting : settings) unsetenv(environment_name(setting.name).c_str());
    }
  } clear{settings};
  for (const Setting& setting : settings)
    setenv(environment_name(setting.name).c_str(), text_of(setting.value).c_str(), 1);
  return resolve_config({.flags = {{"model.name", model}}, .read_environment = true});
}

std::unique_ptr<Config> by_file(const std::string& model, const Settings& settings) {
  const TempDir dir;
  std::string text;
  for (const Setting& setting : settings)
    text += fmt::format("{} = {}\n", setting.name, toml_of(setting.value));
  return resolve_config(
      {.file = read_config_file(dir.file("c.toml", text)), .flags = {{"model.name", model}}});
}

// As the metadata of a model file hold it.
std::unique_ptr<Config> by_stored_config(const std::string& model, const Settings& settings) {
  const std::string toml = toml_of(by_set(model, settings)->options());
  return resolve_config({.file = parse_toml(toml, "config")});
}

struct Way {
  const char* name;
  std::unique_ptr<Config> (*config)(const std::string& model, const Settings& settings);
};
const Way kWays[] = {{"--set", by_set},
                     {"environment", by_environment},
                     {"file", by_file},
                     {"stored", by_stored_config}};

void expect_values(const Options& options, const Settings& settings, const std::string& where) {
  for (const Setting& setting : settings)
    EXPECT_EQ(toml_of(find_option(options, setting.name).get()), toml_of(setting.value))
        << setting.name << " by " << where << ", seed " << kSeed;
}

TEST(Settings, OfEveryNetworkArriveAsTheyAre) {
  Rng rng(kSeed);
  for (const Method& method : methods())
    for (int round = 0; round < 6; round++) {
      const auto defaults = resolve_config({.flags = {{"model.name", method.name}}});
      const Settings settings = random_settings(defaults->options(), rng);
      for (const Way& way : kWays)
        expect_values(way.config(method.name, settings)->options(), settings, way.name);
    }
}

TEST(Settings, OfEveryNetworkAreRefusedByName) {
  for (const Method& method : methods()) {
    const auto defaults = resolve_config({.flags = {{"model.name", method.name}}});
    for (const Option& option : defaults->options()) {
      const bool of_all = !option.name.starts_with("model.");
      if (option.name == "model.name" || (of_all && method.name != methods()[0].name)) continue;
      for (const std::string& text : wrong_texts(option))
        for (const auto& [name, config] : kWays) {
          if (config == by_file && text.find_first_of("\xff\xc3\xed\xc0") != text.npos) continue;
          const std::string error = error_of([&] { config(method.name, {{option.name, text}}); });
          EXPECT_NE(error.find(last_part(option.name)), std::string::npos)
              << option.name << " = " << in_quotes(text) << " by " << name << ": " << error;
        }
    }
  }
}

TEST(Settings, UnknownNetworksAndProfilesAreRefused) {
  for (const std::string& text : kTexts) {
    if (text == "none") continue;
    const auto error = [&](const char* name) {
      return error_of([&] { resolve_config({.sets = {{name, text}}}); });
    };
    EXPECT_NE(error("model.name").find("there is no model"), std::string::npos) << text;
    EXPECT_NE(error("profile").find("there is no profile"), std::string::npos) << text;
  }
}

TEST(Settings, OfTheEnvironmentHaveDifferentNames) {
  for (const Method& method : methods()) {
    std::vector<std::string> names;
    for (const Option& option : resolve_config({.flags = {{"model.name", method.name}}})->options())
      names.push_back(environment_name(option.name));
    std::sort(names.begin(), names.end());
    EXPECT_EQ(std::adjacent_find(names.begin(), names.end()), names.end()) << method.name;
  }
}

TEST(Settings, NulsGoThroughFiles) {
  const Settings settings = {{"data.source", std::string("a\0b", 3)},
                             {"data.feature_columns", std::vector<std::string>{{"\0", 1}}}};
  for (const auto way : {by_file, by_stored_config})
    expect_values(way("gcn", settings)->options(), settings, "file");
}

// ---- flags

void expect_json(const nlohmann::json& json, const Settings& settings, const std::string& where) {
  for (const Setting& setting : settings)
    std::visit(
        [&](const auto& value) {
          EXPECT_EQ(json[setting.name], nlohmann::json(value))
              << setting.name << " by " << where << ", seed " << kSeed;
        },
        setting.value);
}

// "--no-trim", "--relation=x"; none for settings of networks, which have no flags.
std::string flag_of(const Setting& setting) {
  if (setting.name.starts_with("model.")) return "";
  std::string flag = setting.name == "data.source" ? "edges" : last_part(setting.name);
  std::replace(flag.begin(), flag.end(), '_', '-');
  if (const auto* on = std::get_if<bool>(&setting.value)) return (*on ? "--" : "--no-") + flag;
  return "--" + flag + "=" + text_of(setting.value);
}

TEST(Settings, ArriveByFlags) {
  Rng rng(kSeed);
  for (int round = 0; round < 25; round++) {
    std::vector<std::string> arguments = {"train", "--show-config", "--json"};
    const auto defaults = resolve_config({});
    Settings settings;
    for (Setting& setting : random_settings(defaults->options(), rng)) {
      if (setting.name.starts_with("model.")) continue;
      if (setting.name == "data.features")
        setting.value = any_of<std::string>({"own", "random"}, rng);
      for (const Setting& other : settings)  // options of several tasks share a flag
        if (last_part(other.name) == last_part(setting.name)) setting.value = other.value;
      settings.push_back(setting);
    }
    settings[0].value = "auto";  // all tasks are shown
    std::vector<std::string> seen;
    for (const Setting& setting : settings) {
      const std::string flag = flag_of(setting);
      if (std::find(seen.begin(), seen.end(), flag) != seen.end()) continue;
      seen.push_back(flag);
      const size_t equals = flag.find('=');
      if (equals == flag.npos || rng.below(2) == 0) {
        arguments.push_back(flag);
      } else {
        arguments.push_back(flag.substr(0, equals));
        arguments.push_back(flag.substr(equals + 1));
      }
    }
    const auto shown = run_mgnn(arguments);
    ASSERT_EQ(shown.exit_code, 0) << shown.err;
    expect_json(nlohmann::json::parse(shown.out), settings, "flag");
  }
}

TEST(Settings, AreRefusedByFlags) {
  const auto defaults = resolve_config({});
  for (const Option& option : defaults->options()) {
    if (option.name.starts_with("model.") || option.name == "data.features") continue;
    const std::string text = any_of(wrong_texts(option), *std::make_unique<Rng>(kSeed));
    const std::string flag = flag_of({option.name, ""}) + text;
    const auto refused = run_mgnn({"train", flag, "--show-config"});
    EXPECT_EQ(refused.exit_code, 2) << flag;
    std::string name = flag.substr(2, flag.find('=') - 2);
    EXPECT_TRUE(refused.err.find(name) != std::string::npos ||
                refused.err.find(last_part(option.name)) != std::string::npos)
        << flag << ": " << refused.err;
  }
}

TEST(Settings, TheLastOfTwoFlagsCounts) {
  for (const bool on : {true, false}) {
    std::vector<std::string> flags = {"--no-trim", "--trim"};
    if (!on) std::swap(flags[0], flags[1]);
    const auto shown = run_mgnn({"train", flags[0], flags[1], "--show-config", "--json"});
    EXPECT_EQ(nlohmann::json::parse(shown.out)["data.trim"], on);
  }
}

TEST(Settings, SeedsAreDecimal) {
  for (const char* verb : {"train", "embed"})
    for (const std::vector<std::string>& seed :
         {std::vector<std::string>{"-s", "010"}, {"--set", "seed=010"}}) {
      const auto shown = run_mgnn({verb, seed[0], seed[1], "--show-config", "--json"});
      EXPECT_EQ(nlohmann::json::parse(shown.out)["seed"], 10) << verb << " " << seed[0];
    }
}

// ---- embeddings

TEST(Settings, OfEveryEmbeddingArriveAsTheyAre) {
  Rng rng(kSeed);
  for (const EmbeddingMethod& method : embedding_methods())
    for (int round = 0; round < 6; round++) {
      const auto defaults = make_embedding(method);
      const Settings settings = random_settings(defaults->options(), rng);
      std::vector<std::string> arguments = {"embed", "--method", method.name, "--show-config",
                                            "--json"};
      for (const Setting& setting : settings) {
        arguments.emplace_back("--set");
        arguments.push_back(setting.text());
      }
      const auto shown = run_mgnn(arguments);
      ASSERT_EQ(shown.exit_code, 0) << shown.err;
      expect_json(nlohmann::json::parse(shown.out), settings, "--set");
      const TempDir dir;  // as it is printed, and from the environment
      arguments.erase(std::find(arguments.begin(), arguments.end(), "--set"), arguments.end());
      std::string toml = fmt::format("method = \"{}\"\n", method.name);
      testing::CommandOptions options;
      for (const Setting& setting : settings) {
        toml += fmt::format("{} = {}\n", setting.name, toml_of(setting.value));
        options.environment.emplace_back(environment_name("embed." + setting.name),
                                         text_of(setting.value));
      }
      const auto of_file =
          run_mgnn({"embed", "-c", dir.file("c.toml", toml), "--show-config", "--json"});
      ASSERT_EQ(of_file.exit_code, 0) << of_file.err;
      EXPECT_EQ(of_file.out, shown.out) << "file";
      const auto of_environment = run_mgnn(arguments, options);
      ASSERT_EQ(of_environment.exit_code, 0) << of_environment.err;
      EXPECT_EQ(of_environment.out, shown.out) << "environment";
      const auto direct = make_embedding(method, settings);
      const auto from_toml = make_embedding(method, parse_toml(toml_of(direct->options()), "x"));
      expect_values(from_toml->options(), settings, "TOML");
    }
}

TEST(Settings, OfEveryEmbeddingAreRefusedByName) {
  for (const EmbeddingMethod& method : embedding_methods())
    for (const Option& option : make_embedding(method)->options())
      for (const std::string& text : wrong_texts(option))
        EXPECT_NE(error_of([&] {
                    make_embedding(method, {{option.name, text}});
                  }).find(option.name),
                  std::string::npos)
            << method.name << " " << option.name << " = " << in_quotes(text);
}

TEST(Settings, OfEmbeddingsGoByTheirOrder) {
  const TempDir dir;
  const std::string file = dir.file("c.toml", "method = \"hope\"\nseed = 7\ndimension = 8\n");
  const auto shown = [&](std::vector<std::string> more, testing::CommandOptions options = {}) {
    std::vector<std::string> arguments = {"embed", "-c", file, "--show-config", "--json"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    const auto result = run_mgnn(arguments, options);
    EXPECT_EQ(result.exit_code, 0) << result.err;
    return nlohmann::json::parse(result.out);
  };
  const testing::CommandOptions environment{.environment = {{"MGNN_EMBED_DIMENSION", "12"}}};
  EXPECT_EQ(shown({})["method"], "hope");
  EXPECT_EQ(shown({})["seed"], 7);
  EXPECT_EQ(shown({"-s", "9"})["seed"], 9);
  EXPECT_EQ(shown({}, environment)["dimension"], 12);
  EXPECT_EQ(shown({"-d", "16"}, environment)["dimension"], 16);
  EXPECT_EQ(shown({"-d", "16", "--set", "dimension=20"}, environment)["dimension"], 20);
  EXPECT_EQ(shown({"--method", "grarep"})["method"], "grarep");
  EXPECT_EQ(
      run_mgnn({"embed", "-c", dir.file("d.toml", "nothing = 1\n"), "--show-config"}).exit_code, 2);
}

// ---- model files

// A dataset that the task has answers in.
Dataset dataset_for(const std::string& task) {
  const TaskEntry& entry = find_task(task);
  const bool graphs = task.starts_with("graph");
  Dataset data = load_dataset(!entry.default_data.empty() ? entry.default_data
                              : graphs                    ? "triads"
                                                          : "roles");
  if (task.ends_with("regression"))
    for (int64_t i = 0; i < (graphs ? data.num_graphs() : data.graph.num_nodes()); i++)
      data.target.push_back(double(i % 7));
  if (task.ends_with("multilabel")) {
    for (const int32_t label : data.label) data.label_set.push_back({label});
    data.label.clear();
  }
  return data;
}

// What decides on the shape of the network, or on which it is.
bool is_structural(const std::string& name) {
  return name == "task" || name == "profile" || name.starts_with("model.") ||
         name.ends_with(".dimension") || name.ends_with(".decoder") || name.ends_with(".objective");
}

TEST(Settings, OfEveryTaskArriveByModelFiles) {
  Rng rng(kSeed);
  const TempDir dir;
  for (const TaskEntry& entry : tasks()) {
    const Dataset data = dataset_for(entry.name);
    const auto config = resolve_config({.sets = {{"task", entry.name},
                                                 "profile=none",
                                                 "model.name=gcn",
                                                 "train.epochs=1",
                                                 "data.folds=3"}});
    const Result result = run_task(*config, data);
    for (int round = 0; round < 10; round++) {
      Settings settings;
      for (const Option& option : config->used_options())
        if (!is_structural(option.name)) {
          settings.emplace_back(option.name, random_value(option, rng));
          option.set(settings.back().value);
        }
      write_model(dir / "m.safetensors", *config, data, result, true);
      expect_values(read_model(dir / "m.safetensors").config->used_options(), settings,
                    "model file of task " + entry.name);
    }
  }
}

// Of a network itself: each value comes back as it is, or asks for other weights than the file has, or is
// none that the network takes; never another one.
TEST(Settings, OfEveryNetworkArriveByModelFiles) {
  Rng rng(kSeed);
  const TempDir dir;
  for (const Method& method : methods()) {
    if (std::string_view(method.name) == "bgnn")
      continue;  // its trees may be absent from the build
    const std::string task = method.supports(Level::node) ? "node" : "graph";
    const Dataset data = dataset_for(task);
    const auto config = resolve_config({.sets = {{"task", task},
                                                 {"model.name", method.name},
                                                 "profile=none",
                                                 "train.epochs=1",
                                                 "data.folds=3"}});
    const Result result = run_task(*config, data);
    int arrived = 0;
    for (const Option& option : config->network->options())
      for (int round = 0; round < 4; round++) {
        const Value before = option.get();
        const Value value = std::holds_alternative<double>(before) ? Value(0.9 * rng.uniform())
                                                                   : random_value(option, rng);
        option.set(value);
        write_model(dir / "m.safetensors", *config, data, result, true);
        option.set(before);
        std::unique_ptr<Config> stored;
        const std::string refused =
            error_of([&] { stored = read_model(dir / "m.safetensors").config; });
        EXPECT_TRUE(stored || !refused.empty());
        if (!stored) continue;
        // Files that do not say which version are of the time when there was one.
        const bool of_one_version =
            last_part(option.name) == "counting" && value == Value(std::string("published"));
        const Value expected = of_one_version ? Value(std::string("published-node")) : value;
        EXPECT_EQ(toml_of(find_option(stored->network->options(), option.name).get()),
                  toml_of(expected))
            << method.name << " " << option.name << ", seed " << kSeed;
        arrived++;
      }
    EXPECT_GE(arrived, 8) << method.name;
  }
}

}  // namespace
}  // namespace mgnn
