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

TEST(Search, ReadsRungs) {
  const std::vector<Rung> rungs = parse_rungs("40x1,10x3,3x6");
  ASSERT_EQ(rungs.size(), 3u);
  EXPECT_EQ(rungs[1].trials, 10);
  EXPECT_EQ(rungs[2].seeds, 6);
  for (const char* text : {"", "4", "4x", "x1", "0x1", "4x1,4x2", "4x2,2x2", "4x1,2x3,", "4x1 2x3"})
    EXPECT_NE(error_of([&] { parse_rungs(text); }), "") << text;
}

// The best go on, with the seeds of the rungs before and new ones; their scores are those of searches of
// one rung over the same seeds.
TEST(Search, SuccessiveHalvingTrainsTheBestWithMoreSeeds) {
  const TempDir dir;
  const auto c = config({"model.name=gcn", "train.epochs=8", "seed=5"});
  const Dataset data = load_for_training(*c);
  SearchOptions options{.trials = 0, .rungs = parse_rungs("6x1,3x2,1x4"), .seed = 1};
  options.space = default_space(c->options());
  EXPECT_EQ(num_trainings(options), 10);
  int64_t called = 0;
  const TrialFolder folder = TrialFolder::create(dir / "f", {{"verb", "search"}}, false);
  const auto count = [&](const SearchTrial&) { called++; };
  EXPECT_FALSE(finished(folder, options));
  std::vector<SearchTrial> halved = search(c->layers, data, options, count, &folder);
  EXPECT_EQ(called, 10);
  EXPECT_TRUE(finished(folder, options));
  std::vector<size_t> in_rung(3, 0);
  for (const SearchTrial& trial : halved) {
    in_rung[size_t(trial.rung)]++;
    EXPECT_EQ(trial.runs.size(), std::vector<size_t>({1, 2, 4})[size_t(trial.rung)]);
  }
  EXPECT_EQ(in_rung, (std::vector<size_t>{3, 2, 1}));
  const auto wide = config({"model.name=gcn", "train.epochs=8", "seed=5", "seeds=4"});
  SearchOptions flat{.trials = 6, .seed = 1};
  flat.space = options.space;
  const std::vector<SearchTrial> all = search(wide->layers, data, flat, {});
  for (size_t t = 0; t < 6; t++) {
    EXPECT_EQ(halved[t].settings, all[t].settings);
    for (size_t r = 0; r < halved[t].runs.size(); r++)
      EXPECT_EQ(halved[t].runs[r], all[t].runs[r]) << t << " " << r;
  }
  // A resumed search has the same result; of a lost file only that training is done again.
  std::filesystem::remove(dir / "f/trial-1.json");
  for (const SearchTrial& trial : halved)
    if (trial.rung == 2)
      std::filesystem::remove(dir / "f" + fmt::format("/trial-{}-rung-3.json", trial.number + 1));
  const std::vector<SearchTrial> again = search(c->layers, data, options, count, &folder);
  for (size_t t = 0; t < 6; t++) {
    EXPECT_EQ(again[t].runs, halved[t].runs);
    EXPECT_EQ(again[t].rung, halved[t].rung);
    EXPECT_EQ(again[t].epochs, halved[t].epochs);
  }
  std::sort(halved.begin(), halved.end(), ranks_before);
  EXPECT_EQ(halved[0].rung, 2);
}

// The score of a trial is that of the epoch with the lowest validation loss, unless settings say another.
TEST(Search, DoesNotTakeTheLargestOfAllEpochs) {
  const Settings settings = {"model.name=gcn", "train.epochs=30", "train.patience=0", "seeds=3"};
  const auto score = [&](const char* select) {
    Settings with = settings;
    if (*select) with.emplace_back(std::string("train.select=") + select);
    return trials(with, {}, 1)[0].validation.mean;
  };
  EXPECT_EQ(score(""), score("loss"));
  EXPECT_LT(score(""), score("metric"));
}

TEST(SearchSpace, HasTheBasesAndChannelsOfMgnn) {
  const auto settings = config({"model.name=mgnn", "profile=none"});
  const std::vector<SearchDimension> space = default_space(settings->options());
  EXPECT_EQ(named(space, "model.base")->choices,
            (std::vector<std::string>{"gcn", "sage", "gin", "gat", "rgcn", "none"}));
  EXPECT_EQ(named(space, "model.skip")->choices, (std::vector<std::string>{"false", "true"}));
  EXPECT_EQ(named(space, "model.diffuse")->range.high, 10);
  EXPECT_TRUE(named(space, "model.diffuse")->whole);
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
