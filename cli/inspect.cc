#include <CLI/CLI.hpp>
#include <cmath>
#include <memory>
#include <nlohmann/json.hpp>

#include "cli/verb.h"
#include "mgnn/base/human.h"
#include "mgnn/base/json_text.h"
#include "mgnn/task/trained_model.h"

namespace mgnn {
namespace {

using Json = nlohmann::ordered_json;

struct InspectVerb {
  std::string model;
  bool config = false;
};

struct WeightSummary {
  double mean = 0, deviation = 0, low = 0, high = 0;
};
WeightSummary summary(const float* x, int64_t n) {
  if (n == 0) return {};
  WeightSummary s{0, 0, double(x[0]), double(x[0])};
  for (int64_t i = 0; i < n; i++) {
    s.mean += double(x[i]) / double(n);
    s.low = std::min(s.low, double(x[i]));
    s.high = std::max(s.high, double(x[i]));
  }
  for (int64_t i = 0; i < n; i++) s.deviation += std::pow(double(x[i]) - s.mean, 2) / double(n);
  s.deviation = std::sqrt(s.deviation);
  return s;
}

TextTable weights_table(const TrainedModel& model) {
  TextTable table{.columns = {{"weight"},
                              {"rows", Align::right},
                              {"columns", Align::right},
                              {"mean", Align::decimal, 4},
                              {"std", Align::decimal, 4},
                              {"min", Align::decimal, 3},
                              {"max", Align::decimal, 3}},
                  .rows = {}};
  for (const NamedParameter& p : model.weights.all) {
    const WeightSummary s = summary(model.weights.value_of(p), p.size());
    table.rows.push_back({p.name, p.rows, p.cols, s.mean, s.deviation, s.low, s.high});
  }
  return table;
}

// A fact that is not JSON, or nested as none of ours is, is text.
Json parsed_or_discarded(const std::string& text) {
  if (json_depth(text) > kMaxJsonDepth) return Json(Json::value_t::discarded);
  return Json::parse(text, nullptr, /*allow_exceptions=*/false);
}

Json parsed_or_text(const std::string& text) {
  const Json json = parsed_or_discarded(text);
  return json.is_discarded() ? Json(text) : json;
}

// A fact as people read it: no JSON.
std::string readable(const std::string& text) {
  const Json json = parsed_or_discarded(text);
  if (json.is_object() && json.contains("metric"))
    return fmt::format("{:.4f} (loss {:.4f}, {} items)", double(json["metric"]),
                       json.value("loss", 0.0), json.value("count", int64_t(0)));
  if (json.is_number_float()) return fmt::format("{:.4g}", double(json));
  if (!json.is_array()) return text;
  std::string list;
  for (const Json& item : json)
    list += (list.empty() ? "" : ", ") + (item.is_string() ? std::string(item) : item.dump());
  return list;
}

void run(const InspectVerb& verb, const Globals& globals) {
  const TrainedModel model = read_model(verb.model);
  if (verb.config) return print(model.facts.at("config"));
  if (globals.json) {
    Json json = {{"model", model.config->model}, {"parameters", model.weights.count()}};
    for (const auto& [key, value] : model.facts)
      if (!key.starts_with("mgnn.sha256")) json[key] = parsed_or_text(value);
    return print_json(json);
  }
  TextTable facts{.columns = {{""}, {""}}, .rows = {}};
  facts.rows.push_back({std::string("model"), model.config->model});
  for (const char* key :
       {"task", "dataset", "features_from", "classes", "seed", "epoch", "metric", "validation",
        "test", "extra_metrics", "fitted", "dataset_sha256", "mgnn.version"})
    if (const auto fact = model.facts.find(key); fact != model.facts.end())
      facts.rows.push_back({std::string(key), readable(fact->second)});
  print(facts);
  print("\n");
  print(weights_table(model));
  print(fmt::format("\n{} weights in all; --config shows the settings\n",
                    human_count(model.weights.count())));
}

}  // namespace

Action add_inspect(CLI::App& command, const Globals& globals) {
  const auto verb = std::make_shared<InspectVerb>();
  command.add_option("RUN", verb->model, "folder of a run, or its model.safetensors")->required();
  command.add_flag("--config", verb->config, "print the settings it was trained with (TOML)");
  command.footer("  mgnn inspect runs/x\n  mgnn inspect runs/x --config > again.toml");
  return [verb, &globals] { run(*verb, globals); };
}

}  // namespace mgnn
