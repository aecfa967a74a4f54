#include "mgnn/task/search.h"

#include <gtest/gtest.h>

#include "tests/util.h"

namespace mgnn {
namespace {

using testing::error_of;
using testing::TempDir;

std::unique_ptr<Config> config(Settings settings) {
  settings.emplace_back("data.source=roles");
  return resolve_config({.sets = std::move(settings)});
}

const SearchDimension* named(const std::vector<SearchDimension>& space, std::string_view name) {
  for (const SearchDimension& d : space)
    if (d.name == name) return &d;
  return nullptr;
}

TEST(SearchSpace, HasTheNumberOfLayers) {
  for (const Method& method : methods()) {
    const auto settings = config({std::string("model.name=") + method.name, "profile=none"});
    const Options options = settings->options();
    const bool has_layers = std::any_of(options.begin(), options.end(),
                                        [](const Option& o) { return o.name == "model.layers"; });
    const SearchDimension* d = named(default_space(options), "model.layers");
    EXPECT_EQ(d != nullptr, has_layers) << method.name;
  }
  const auto space = [](const char* layers) {
    const auto settings = config({"model.name=gcn", std::string("layers=") + layers});
    return named(default_space(settings->options()), "model.layers")->choices;
  };
  using Choices = std::vector<std::string>;
  EXPECT_EQ(space("32"), (Choices{"32", "32,32", "32,32,32"}));
  EXPECT_EQ(space("16,8"), (Choices{"16", "16,8", "16,8,8"}));
  EXPECT_EQ(space("5,4,3,2"), (Choices{"5", "5,4", "5,4,3", "5,4,3,2"}));
}

// Settings that were drawn, without training anything for long.
std::vector<SearchTrial> trials(const Settings& settings, const std::vector<std::string>& space,
                                int64_t count, const TrialFolder* folder = nullptr) {
  const auto c = config(settings);
  const Dataset data = load_for_training(*c);
  SearchOptions options{.trials = count, .seed = 1};
  for (const std::string& text : space)
    options.space.push_back(parse_dimension(text, c->options()));
  if (space.empty()) options.space = default_space(c->options());
  return search(c->layers, data, options, {}, folder);
}

TEST(Search, DrawsWholeNumbersWhereTheyAreNeeded) {
  std::set<std::string> drawn;
  for (const SearchTrial& trial :
       trials({"model.name=gat", "train.epochs=1", "layers=2"}, {"model.heads=1..4"}, 40))
    if (!trial.settings.empty()) drawn.insert(text_of(trial.settings[0].value));
  EXPECT_EQ(drawn, (std::set<std::string>{"1", "2", "3", "4"}));
  const auto c = config({"model.name=gat"});
  EXPECT_NE(error_of([&] { parse_dimension("heads=1.2..1.8", c->options()); }), "");
}

TEST(Search, TriesAllNumbersOfLayers) {
  std::set<std::string> layers;
  for (const SearchTrial& trial : trials({"model.name=gcn", "train.epochs=1", "layers=4"}, {}, 30))
    for (const Setting& setting : trial.settings)
      if (setting.name == "model.layers") layers.insert(text_of(setting.value));
  EXPECT_EQ(layers, (std::set<std::string>{"4", "4,4", "4,4,4"}));
}

TEST(TrialFolder, FinishedTrialsAreNotRunAgain) {
  const TempDir dir;
  const Settings settings = {"model.name=gcn", "train.epochs=5", "seeds=2"};
  const TrialFolder folder = TrialFolder::create(dir / "f", {{"verb", "search"}}, false);
  const std::vector<SearchTrial> first = trials(settings, {}, 4, &folder);
  // A trial that says another score shows that it was read, not run.
  auto changed = *folder.find("trial-2");
  changed["mean"] = 0.125;
  folder.add("trial-2", changed);
  std::filesystem::remove(dir / "f/trial-4.json");
  const std::vector<SearchTrial> again = trials(settings, {}, 4, &folder);
  ASSERT_EQ(again.size(), 4u);
  EXPECT_EQ(again[1].validation.mean, 0.125);
  for (const size_t t : {0u, 2u, 3u}) {
    EXPECT_EQ(again[t].settings, first[t].settings);
    EXPECT_EQ(again[t].validation.mean, first[t].validation.mean);
    EXPECT_EQ(again[t].validation.std, first[t].validation.std);
    EXPECT_EQ(again[t].epochs, first[t].epochs);
    EXPECT_EQ(again[t].metric.name, first[t].metric.name);
  }
}

TEST(TrialFolder, WhatIsNotATrialOfTheSearchIsRefused) {
  const TempDir dir;
  const Settings settings = {"model.name=gcn", "train.epochs=2"};
  const TrialFolder folder = TrialFolder::create(dir / "f", {{"verb", "search"}}, false);
  trials(settings, {}, 2, &folder);
  dir.file("f/trial-2.json", "{\"settings\": [\"model.dropout=0.1\"]}");
  EXPECT_NE(error_of([&] { trials(settings, {}, 2, &folder); }).find("other settings"),
            std::string::npos);
  dir.file("f/trial-2.json", "{}");
  EXPECT_NE(error_of([&] { trials(settings, {}, 2, &folder); }).find("not a trial of a search"),
            std::string::npos);
  dir.file("f/trial-2.json", "{\"settings\": [");
  EXPECT_NE(error_of([&] { trials(settings, {}, 2, &folder); }).find("not a JSON object"),
            std::string::npos);
}

TEST(TrialFolder, PlansThatDifferAreRefused) {
  const TempDir dir;
  const TrialFolder::Json plan = {{"data", "a"}, {"configuration", "x = 1\ny = 2\n"}};
  { const TrialFolder folder = TrialFolder::create(dir / "f", plan, false); }
  EXPECT_NE(
      error_of([&] { TrialFolder::create(dir / "f", plan, false); }).find("has a run already"),
      std::string::npos);
  const TrialFolder folder = TrialFolder::open(dir / "f");
  folder.check_plan(plan);
  TrialFolder::Json other = plan;
  other["configuration"] = "x = 1\ny = 3\n";
  EXPECT_EQ(
      error_of([&] { folder.check_plan(other); }),
      dir / "f" + ": was begun with a different configuration: \"y = 2\" then, \"y = 3\" now");
  other = plan;
  other["data"] = "b";
  EXPECT_EQ(error_of([&] { folder.check_plan(other); }),
            dir / "f" + ": the data are not those that it was begun with");
  EXPECT_NE(error_of([&] { TrialFolder::open(dir / "none"); }).find("nothing to resume"),
            std::string::npos);
}

}  // namespace
}  // namespace mgnn
