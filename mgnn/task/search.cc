// Random search: better than a grid when few of the settings matter (Bergstra, Bengio 2012).

#include "mgnn/task/search.h"

#include <fmt/format.h>

#include <charconv>
#include <cmath>

#include "mgnn/base/interrupt.h"
#include "mgnn/comm/deal.h"

namespace mgnn {
namespace {

std::vector<std::string> split_at(std::string_view text, char mark) {
  std::vector<std::string> parts;
  for (;;) {
    const size_t at = text.find(mark);
    parts.emplace_back(text.substr(0, at));
    if (at == std::string_view::npos) return parts;
    text = text.substr(at + 1);
  }
}

double number_in(const std::string& whole, std::string_view text) {
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size())
    fail_usage("{}: {} is not a number; write key=low..high or key=a|b", in_quotes(whole),
               in_quotes(text));
  return value;
}

std::string drawn(const SearchDimension& d, Rng& rng) {
  if (!d.choices.empty()) return d.choices[rng.below(d.choices.size())];
  const double u = rng.uniform();
  const auto within = [&](double low, double high) {
    return d.range.logarithmic ? low * std::pow(high / low, u) : low + u * (high - low);
  };
  if (!d.whole) return fmt::format("{:.2g}", within(d.range.low, d.range.high));
  const double low = std::ceil(d.range.low), high = std::floor(d.range.high);
  return fmt::format("{:.0f}", std::min(std::floor(within(low, high + 1)), high));
}

// The first `length` items, or the last one repeated.
std::string of_length(std::vector<int64_t> items, size_t length) {
  items.resize(length, items.back());
  return text_of(Value(items));
}

SearchDimension dimension_of(const Option& option) {
  SearchDimension d{.name = option.name, .range = *option.search, .whole = option.type == "N"};
  const Value value = option.get();
  if (const auto* items = std::get_if<std::vector<int64_t>>(&value); items && !items->empty())
    for (size_t n = size_t(d.range.low); n <= std::max(size_t(d.range.high), items->size()); n++)
      d.choices.push_back(of_length(*items, n));
  return d;
}

std::string trial_name(int64_t t) { return fmt::format("trial-{}", t + 1); }

std::vector<std::string> texts_of(const Settings& settings) {
  std::vector<std::string> texts;
  for (const Setting& setting : settings) texts.push_back(setting.text());
  return texts;
}

TrialFolder::Json json_of(const SearchTrial& trial) {
  return {{"settings", texts_of(trial.settings)},
          {"metric", trial.metric.name},
          {"larger_is_better", trial.metric.larger_is_better},
          {"mean", trial.validation.mean},
          {"std", trial.validation.std},
          {"epochs", trial.epochs}};
}

void read_trial(const TrialFolder::Json& json, SearchTrial& trial) {
  trial.metric = {json.at("metric"), json.at("larger_is_better")};
  trial.validation = {json.at("mean"), json.at("std")};
  trial.epochs = json.at("epochs");
}

// Fills a trial whose settings are drawn. False: it is not finished.
bool restore(const TrialFolder* folder, const std::string& name, SearchTrial& trial) {
  const std::optional<TrialFolder::Json> stored = folder ? folder->find(name) : std::nullopt;
  if (!stored) return false;
  try {
    if (stored->at("settings") != texts_of(trial.settings))
      fail_data("{}: {} has other settings than this search", folder->path(), name);
    read_trial(*stored, trial);
  } catch (const nlohmann::json::exception&) {
    fail_data("{}: {}.json is not a trial of a search", folder->path(), name);
  }
  return true;
}

}  // namespace

SearchDimension parse_dimension(const std::string& text, const Options& options) {
  const size_t equals = text.find('=');
  if (equals == std::string::npos)
    fail_usage("{}: write key=low..high, key=low~high (logarithmic) or key=a|b", in_quotes(text));
  const Option& option = find_option(options, text.substr(0, equals));
  SearchDimension d{.name = option.name, .whole = option.type == "N"};
  const std::string value = text.substr(equals + 1);
  const size_t dots = value.find(".."), wave = value.find('~');
  if (value.find('|') != std::string::npos) {
    d.choices = split_at(value, '|');
  } else if (dots != std::string::npos || wave != std::string::npos) {
    const bool logarithmic = wave != std::string::npos;
    const size_t at = logarithmic ? wave : dots;
    const double low = number_in(text, value.substr(0, at));
    const double high = number_in(text, value.substr(at + (logarithmic ? 1 : 2)));
    if (low > high || (logarithmic && low <= 0) || (d.whole && std::ceil(low) > std::floor(high)))
      fail_usage("{}: there is nothing between these bounds", in_quotes(text));
    d.range = {low, high, logarithmic};
  } else {
    d.choices = {value};
  }
  return d;
}

std::vector<SearchDimension> default_space(const Options& options) {
  std::vector<SearchDimension> space;
  for (const Option& one : options)
    if (one.search) space.push_back(dimension_of(one));
  return space;
}

nlohmann::ordered_json trials_json(const std::vector<SearchTrial>& trials) {
  nlohmann::ordered_json list = nlohmann::ordered_json::array();
  for (const SearchTrial& trial : trials) {
    std::vector<std::string> settings;
    for (const Setting& setting : trial.settings) settings.push_back(setting.text());
    list.push_back(
        {{"validation", {{"mean", trial.validation.mean}, {"std", trial.validation.std}}},
         {"settings", settings},
         {"epochs", trial.epochs}});
  }
  return list;
}

bool finished(const TrialFolder& folder, const SearchOptions& options) {
  for (int64_t t = 0; t < options.trials; t++)
    if (!folder.find(trial_name(t))) return false;
  return true;
}

namespace {

SearchTrial drawn_trial(const SearchOptions& options, int64_t number) {
  SearchTrial trial{.settings = {}, .metric = {}, .validation = {}, .number = number};
  Rng rng = Rng(options.seed).split(uint64_t(number));
  if (number > 0)
    for (const SearchDimension& d : options.space)
      trial.settings.emplace_back(d.name, drawn(d, rng));
  return trial;
}

void train_trial(const ConfigLayers& layers, const Dataset& dataset, const TrialFolder* folder,
                 SearchTrial& trial) {
  check_interrupted();
  ConfigLayers with = layers;
  with.sets.insert(with.sets.end(), trial.settings.begin(), trial.settings.end());
  const std::unique_ptr<Config> config = resolve_config(std::move(with));
  const Result result =
      run_task(*config, dataset,
               folder ? folder->checkpoints(trial_name(trial.number)) : TrainingCallbacks{});
  trial.metric = result.validation_metric.name.empty() ? result.metric : result.validation_metric;
  trial.validation = result.validation();
  trial.epochs = result.epochs();
}

}  // namespace

std::vector<SearchTrial> search(const ConfigLayers& layers, const Dataset& dataset,
                                const SearchOptions& options,
                                const std::function<void(const SearchTrial&)>& tried,
                                const TrialFolder* folder) {
  const std::unique_ptr<Comm> alone = options.ranks ? nullptr : self_comm();
  Comm& ranks = options.ranks ? *options.ranks : *alone;
  std::vector<SearchTrial> trials;
  Deal jobs;
  for (int64_t t = 0; t < options.trials; t++) trials.push_back(drawn_trial(options, t));
  if (ranks.rank() == 0)
    for (SearchTrial& trial : trials) {
      if (!restore(folder, trial_name(trial.number), trial))
        jobs.jobs.push_back(trial.number);
      else if (tried)
        tried(trial);
    }
  jobs.work = [&](int64_t t) {
    SearchTrial trial = trials[t];
    train_trial(layers, dataset, folder, trial);
    return json_of(trial).dump();
  };
  jobs.done = [&](int64_t t, const std::string& text) {
    read_trial(TrialFolder::Json::parse(text), trials[t]);
    if (folder) folder->add(trial_name(t), json_of(trials[t]));
    if (tried) tried(trials[t]);
  };
  deal(ranks, jobs);
  return trials;
}

}  // namespace mgnn
