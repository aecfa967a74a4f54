#include "mgnn/task/comparison.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "mgnn/task/run_folder.h"
#include "mgnn/task/significance.h"

namespace mgnn {
namespace {

using Json = nlohmann::ordered_json;

int64_t num_runs(const Compared& model) { return int64_t(model["test"]["runs"].size()); }
int64_t num_test_sets(const Compared& model) { return model["test_sets"]; }

// Some runs share a test set, but not all do.
bool shares_test_sets(const Compared& model) {
  return num_test_sets(model) > 1 && num_test_sets(model) < num_runs(model);
}

// Scores of two networks on the same test items: of every run or, where some runs but not all share a
// test set, the means over the runs of each, since runs with one test set are not independent.
struct PairedScores {
  std::vector<double> first, second;
};
PairedScores paired(const Compared& first, const Compared& second) {
  struct Sums {
    double first = 0, second = 0, runs = 0;
  };
  std::vector<Sums> sums;
  const Json &a = first["test"]["runs"], &b = second["test"]["runs"];
  const bool by_set = shares_test_sets(first);
  for (size_t i = 0; i < std::min(a.size(), b.size()); i++) {
    if (!a[i].is_number() || !b[i].is_number()) continue;
    const size_t place = by_set ? first["test_set_of_run"][i].get<size_t>() : i;
    if (sums.size() <= place) sums.resize(place + 1);
    sums[place].first += double(a[i]);
    sums[place].second += double(b[i]);
    sums[place].runs++;
  }
  PairedScores scores;
  for (const Sums& sum : sums)
    if (sum.runs > 0) {
      scores.first.push_back(sum.first / sum.runs);
      scores.second.push_back(sum.second / sum.runs);
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

std::string direction_name(const Comparison& comparison) {
  return comparison.directed ? std::string(name_of(comparison.direction)) : "undirected";
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

// What p-values are over, and of what deviations are.
struct Spread {
  const char* over;
  int64_t pairs;
  const char* paired_by;
  std::string text;  // "± and p are over test sets: …"
};
Spread spread_of(const Compared& model) {
  const int64_t runs = num_runs(model), sets = num_test_sets(model);
  if (sets == 1)
    return {"initialisations", runs, "seed and split",
            "± and p are over initialisations: all runs share one test set, so that they are over "
            "initialisations only and say nothing of other test items"};
  if (sets < runs)
    return {"test sets", sets, "test set, the mean of its runs",
            fmt::format("p is over {} test sets, of each the mean of its runs, ± over all {} runs; "
                        "the data of the test sets overlap, so that p is rather too small",
                        sets, runs)};
  return {
      "test sets", runs, "seed and split",
      "± and p are over test sets: the data of the runs overlap, so that p is rather too small"};
}

// The test set of every run, numbered by first appearance.
std::vector<int64_t> test_set_of_run(const Result& result) {
  std::vector<int64_t> numbers;
  std::vector<uint64_t> sets;
  for (const Repetition& run : result.runs) {
    const auto known = std::find(sets.begin(), sets.end(), run.test_set);
    numbers.push_back(known - sets.begin());
    if (known == sets.end()) sets.push_back(run.test_set);
  }
  return numbers;
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
  entry["test_set_of_run"] = test_set_of_run(result);
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
    const std::string marks =
        marks_of(model.value("ensemble", int64_t(1)), model.value("smoothed", false));
    table.rows.push_back({model["model"].get<std::string>() + marks, cell_of(model["test"]["mean"]),
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

TextTable table_for_others(const Comparison& comparison) {
  TextTable table = table_of(comparison);
  for (const auto& [title, key] : {std::pair{"runs", "runs"}, {"test sets", "test_sets"}})
    table.columns.push_back({title, Align::right, 0, key});
  table.columns.push_back({"direction"});
  for (size_t i = 0; i < table.rows.size(); i++) {
    const Compared& model = comparison.models[i];
    for (Cell& cell :
         std::vector<Cell>{num_runs(model), num_test_sets(model), direction_name(comparison)})
      table.rows[i].push_back(std::move(cell));
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
  json["direction"] = direction_name(comparison);
  json["seeds"] = first["seeds"];
  json["test_sets"] = first["test_sets"];
  json["compared_with"] = first["model"];
  json["p_value_of"] = {{"test", "two-sided paired t-test of the difference of test scores"},
                        {"paired_by", spread_of(first).paired_by},
                        {"pairs", spread_of(first).pairs},
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
  return fmt::format("difference to {}; p: two-sided paired t-test of it over n = {} {}; {}",
                     first["model"].get<std::string>(), spread_of(first).pairs,
                     shares_test_sets(first) ? "test sets" : "runs with the same seed and split",
                     spread_of(first).text);
}

}  // namespace mgnn
