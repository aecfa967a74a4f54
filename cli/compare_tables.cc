#include "cli/compare_tables.h"

#include <fmt/format.h>

#include <set>

#include "mgnn/task/run_folder.h"
#include "mgnn/task/significance.h"

namespace mgnn {
namespace {

using Json = nlohmann::ordered_json;

int64_t num_runs(const Compared& model) { return int64_t(model["test"]["runs"].size()); }

// Scores of two networks on the test items of the same runs.
struct PairedScores {
  std::vector<double> first, second;
};
PairedScores paired(const Compared& first, const Compared& second) {
  PairedScores scores;
  const Json &a = first["test"]["runs"], &b = second["test"]["runs"];
  for (size_t i = 0; i < std::min(a.size(), b.size()); i++)
    if (a[i].is_number() && b[i].is_number()) {
      scores.first.push_back(a[i]);
      scores.second.push_back(b[i]);
    }
  return scores;
}

std::string counted(int64_t count, const char* what) {
  return fmt::format("{} {}{}", count, what, count == 1 ? "" : "s");
}

Json p_value(const Comparison& comparison, const Compared& model) {
  if (&model == &comparison.models[0]) return nullptr;
  const PairedScores scores = paired(model, comparison.models[0]);
  const std::optional<double> p = paired_p_value(scores.first, scores.second);
  return p ? Json(*p) : Json(nullptr);
}

Json difference(const Comparison& comparison, const Compared& model) {
  const Json &mean = model["test"]["mean"], &first = comparison.models[0]["test"]["mean"];
  if (!mean.is_number() || !first.is_number()) return nullptr;
  return double(mean) - double(first);
}

Cell cell_of(const Json& number, double factor = 1) {
  if (!number.is_number()) return {};
  if (number.is_number_integer()) return number.get<int64_t>();
  return factor * double(number);
}

// Whether deviations and p-values are over test sets, initialisations of weights, or some of both.
struct Spread {
  const char* over;
  std::string caveat;
};
Spread spread_of(const Compared& model) {
  const int64_t runs = num_runs(model), sets = model["test_sets"];
  if (sets == 1)
    return {
        "initialisations",
        "all runs share one test set, so that they are over initialisations only and say nothing "
        "of other test items"};
  if (sets < runs)
    return {
        "initialisations and test sets",
        fmt::format("{} runs share {} test sets and are not independent, so that p is too small",
                    runs, sets)};
  return {"test sets", "the data of the runs overlap, so that p is rather too small"};
}

}  // namespace

Compared compared(const Task& task, const Result& result, const std::string& model,
                  const Dataset& dataset) {
  Compared entry = json_of(task, result, model, dataset.name);
  entry["seconds_inference"] =
      result.seconds_inference > 0 ? Json(result.seconds_inference) : Json(nullptr);
  std::set<uint64_t> seeds;
  for (const Repetition& run : result.runs) seeds.insert(run.seed);
  entry["seeds"] = seeds.size();
  entry["test_sets"] = result.num_test_sets();
  return Compared::parse(entry.dump());  // as it is when read from a file
}

TextTable table_of(const Comparison& comparison) {
  TextTable table{.columns = {{"model"},
                              {"test", Align::decimal, 4},
                              {"±", Align::decimal, 4, "test_std"},
                              {"validation", Align::decimal, 4},
                              {"±", Align::decimal, 4, "validation_std"},
                              {"difference", Align::decimal, 4},
                              {"p", Align::decimal, 4, "p_value"},
                              {"weights", Align::right, 0, "parameters"},
                              {"epochs", Align::right},
                              {"ms/epoch", Align::decimal, 2, "ms_per_epoch"},
                              {"total s", Align::decimal, 1, "seconds_total"},
                              {"inference ms", Align::decimal, 2, "ms_inference"}},
                  .rows = {}};
  for (const Compared& model : comparison.models) {
    const bool first = &model == &comparison.models[0];
    const bool trained = int64_t(model["epochs"]) > 0;
    const auto if_trained = [&](const Json& value, double factor = 1) {
      return trained ? cell_of(value, factor) : Cell();
    };
    table.rows.push_back({model["model"].get<std::string>(), cell_of(model["test"]["mean"]),
                          cell_of(model["test"]["std"]), if_trained(model["validation"]["mean"]),
                          if_trained(model["validation"]["std"]),
                          first ? Cell() : cell_of(difference(comparison, model)),
                          cell_of(p_value(comparison, model)), if_trained(model["parameters"]),
                          if_trained(model["epochs"]), if_trained(model["seconds_per_epoch"], 1e3),
                          cell_of(model["seconds_total"]),
                          cell_of(model["seconds_inference"], 1e3)});
  }
  return table;
}

Json json_of(const Comparison& comparison) {
  const Compared& first = comparison.models[0];
  Json json;
  json["dataset"] = first["dataset"];
  json["task"] = first["task"];
  json["metric"] = first["metric"];
  json["directed"] = comparison.directed;
  json["direction"] =
      comparison.directed ? std::string(name_of(comparison.direction)) : "undirected";
  json["seeds"] = first["seeds"];
  json["test_sets"] = first["test_sets"];
  json["compared_with"] = first["model"];
  json["p_value_of"] = {{"test", "two-sided paired t-test of the difference of test scores"},
                        {"paired_by", "seed and split"},
                        {"pairs", num_runs(first)},
                        {"over", spread_of(first).over}};
  for (const Compared& model : comparison.models) {
    Json entry = model;
    entry["difference"] = difference(comparison, model);
    entry["p_value"] = p_value(comparison, model);
    json["models"].push_back(entry);
  }
  return json;
}

std::string headline(const Comparison& comparison) {
  const Compared& first = comparison.models[0];
  return fmt::format("{} of {}: {} of {} ({}, {}), the same for all", comparison.title,
                     first["dataset"].get<std::string>(), first["metric"].get<std::string>(),
                     counted(num_runs(first), "run"), counted(first["seeds"], "seed"),
                     counted(first["test_sets"], "distinct test set"));
}

std::string direction_line(const Comparison& comparison) {
  const auto name = name_of(comparison.direction);
  switch (comparison.direction) {
    case Direction::undirected:
      return "direction undirected: the reverse of every arc is added, for all networks";
    case Direction::both:
      return comparison.directed ? "directed graph, direction both: messages of in- and "
                                   "out-neighbours, for all networks"
                                 : "undirected graph";
    case Direction::in:
    case Direction::out:
      break;
  }
  if (!comparison.directed)
    return fmt::format("undirected graph, in which direction {} makes no difference", name);
  return fmt::format("directed graph, direction {}: messages of {}-neighbours, for all networks",
                     name, name);
}

std::string significance_line(const Comparison& comparison) {
  if (comparison.models.size() < 2) return "";
  const Compared& first = comparison.models[0];
  const int64_t runs = num_runs(first);
  if (runs < 2)
    return fmt::format("difference to {}; one run has no deviation and no p",
                       first["model"].get<std::string>());
  return fmt::format(
      "difference to {}; p: two-sided paired t-test of it over n = {} runs with the same seed and "
      "split; ± and p are over {}: {}",
      first["model"].get<std::string>(), runs, spread_of(first).over, spread_of(first).caveat);
}

}  // namespace mgnn
