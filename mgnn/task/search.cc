// Random search: better than a grid when few of the settings matter (Bergstra, Bengio 2012). The best of
// those that one seed ranks are trained with more: a maximum over many noisy scores is mostly noise.

#include "mgnn/task/search.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>

#include "mgnn/base/interrupt.h"
#include "mgnn/comm/deal.h"
#include "mgnn/task/task.h"

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
  if (!option.choices.empty()) return {.name = option.name, .range = {}, .choices = option.choices};
  if (option.type == "BOOL")
    return {.name = option.name, .range = {}, .choices = {"false", "true"}};
  SearchDimension d{.name = option.name, .range = *option.search, .whole = option.type == "N"};
  const Value value = option.get();
  if (const auto* items = std::get_if<std::vector<int64_t>>(&value); items && !items->empty())
    for (size_t n = size_t(d.range.low); n <= std::max(size_t(d.range.high), items->size()); n++)
      d.choices.push_back(of_length(*items, n));
  return d;
}

std::string trial_name(int64_t t, int64_t rung) {
  return rung == 0 ? fmt::format("trial-{}", t + 1)
                   : fmt::format("trial-{}-rung-{}", t + 1, rung + 1);
}

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
          {"runs", trial.runs},
          {"epochs", trial.epochs}};
}

// Of a trial in one rung: its runs are added to those of the rungs before.
void read_trial(const TrialFolder::Json& json, int64_t rung, SearchTrial& trial) {
  trial.metric = {json.at("metric"), json.at("larger_is_better")};
  for (const double score : json.at("runs").get<std::vector<double>>()) trial.runs.push_back(score);
  trial.validation = rung == 0 ? MeanStd{json.at("mean"), json.at("std")} : mean_std(trial.runs);
  trial.epochs += json.at("epochs").get<int64_t>();
  trial.rung = rung;
}

// Fills a trial whose settings are drawn. False: it is not finished.
bool restore(const TrialFolder* folder, int64_t rung, SearchTrial& trial) {
  const std::string name = trial_name(trial.number, rung);
  const std::optional<TrialFolder::Json> stored = folder ? folder->find(name) : std::nullopt;
  if (!stored) return false;
  try {
    if (stored->at("settings") != texts_of(trial.settings))
      fail_data("{}: {} has other settings than this search", folder->path(), name);
    read_trial(*stored, rung, trial);
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
        {{"validation",
          {{"mean", trial.validation.mean}, {"std", trial.validation.std}, {"runs", trial.runs}}},
         {"rung", trial.rung + 1},
         {"settings", settings},
         {"epochs", trial.epochs}});
  }
  return list;
}

bool ranks_before(const SearchTrial& a, const SearchTrial& b) {
  if (a.rung != b.rung) return a.rung > b.rung;
  if (a.validation.mean == b.validation.mean) return a.number < b.number;
  return a.metric.better(a.validation.mean, b.validation.mean);
}

std::vector<Rung> parse_rungs(const std::string& text) {
  std::vector<Rung> rungs;
  for (const std::string& part : split_at(text, ',')) {
    Rung rung;
    const size_t x = part.find('x');
    const auto whole = [&](std::string_view digits, int64_t& value) {
      const auto [end, error] =
          std::from_chars(digits.data(), digits.data() + digits.size(), value);
      return error == std::errc() && end == digits.data() + digits.size() && value > 0;
    };
    if (x == std::string::npos || !whole(std::string_view(part).substr(0, x), rung.trials) ||
        !whole(std::string_view(part).substr(x + 1), rung.seeds))
      fail_usage("{}: write trials x seeds, as in 40x1,10x3,3x6", in_quotes(text));
    if (!rungs.empty() && (rung.trials >= rungs.back().trials || rung.seeds <= rungs.back().seeds))
      fail_usage("{}: each rung must have fewer trials and more seeds than the one before",
                 in_quotes(text));
    rungs.push_back(rung);
  }
  return rungs;
}

namespace {

// Seeds 0: those of the settings.
std::vector<Rung> rungs_of(const SearchOptions& options) {
  return options.rungs.empty() ? std::vector<Rung>{{options.trials, 0}} : options.rungs;
}

// Those of a rung that are to be trained in the next one.
std::vector<int64_t> best_of(const std::vector<SearchTrial>& trials, std::vector<int64_t> numbers,
                             int64_t count) {
  std::sort(numbers.begin(), numbers.end(), [&](int64_t a, int64_t b) {
    return ranks_before(trials[size_t(a)], trials[size_t(b)]);
  });
  numbers.resize(size_t(std::min(count, int64_t(numbers.size()))));
  std::sort(numbers.begin(), numbers.end());
  return numbers;
}

SearchTrial drawn_trial(const SearchOptions& options, int64_t number) {
  SearchTrial trial{.settings = {}, .metric = {}, .validation = {}, .number = number};
  Rng rng = Rng(options.seed).split(uint64_t(number));
  if (number > 0)
    for (const SearchDimension& d : options.space)
      trial.settings.emplace_back(d.name, drawn(d, rng));
  return trial;
}

bool says_which_epoch(const ConfigLayers& layers) {
  for (const Settings* layer : {&layers.file, &layers.flags, &layers.sets})
    for (const Setting& setting : *layer)
      if (last_part(setting.name) == "select") return true;
  return false;
}

// `trial` in rung number r: the seeds that the rungs before have not trained. Its runs, score and epochs
// become those of this rung alone.
void train_trial(const ConfigLayers& layers, const Dataset& dataset, const TrialFolder* folder,
                 const std::vector<Rung>& rungs, int64_t r, SearchTrial& trial) {
  check_interrupted();
  ConfigLayers with = layers;
  with.sets.insert(with.sets.end(), trial.settings.begin(), trial.settings.end());
  const std::unique_ptr<Config> config = resolve_config(std::move(with));
  choose_task(*config, dataset);
  if (config->task().has_classes() && !says_which_epoch(layers))
    config->run.training.select = Select::loss;
  if (const int64_t seeds = rungs[size_t(r)].seeds; seeds > 0) {
    const int64_t before = r > 0 ? rungs[size_t(r) - 1].seeds : 0;
    config->run.seed += uint64_t(before);
    config->run.seeds = seeds - before;
  }
  const Result result =
      run_task(*config, dataset,
               folder ? folder->checkpoints(trial_name(trial.number, r)) : TrainingCallbacks{});
  trial.metric = result.validation_metric.name.empty() ? result.metric : result.validation_metric;
  trial.validation = result.validation();
  trial.epochs = result.epochs();
  trial.runs.clear();
  for (const Repetition& run : result.runs)
    if (run.validation.count > 0) trial.runs.push_back(run.validation.metric);
}

}  // namespace

std::vector<SearchTrial> search(const ConfigLayers& layers, const Dataset& dataset,
                                const SearchOptions& options,
                                const std::function<void(const SearchTrial&)>& tried,
                                const TrialFolder* folder) {
  const std::unique_ptr<Comm> alone = options.ranks ? nullptr : self_comm();
  Comm& ranks = options.ranks ? *options.ranks : *alone;
  std::vector<SearchTrial> trials;
  std::vector<int64_t> alive;
  const std::vector<Rung> rungs = rungs_of(options);
  for (int64_t t = 0; t < rungs[0].trials; t++) {
    trials.push_back(drawn_trial(options, t));
    alive.push_back(t);
  }
  for (int64_t r = 0; r < int64_t(rungs.size()); r++) {
    if (r > 0) alive = best_of(trials, std::move(alive), rungs[size_t(r)].trials);
    Deal jobs;
    if (ranks.rank() == 0)
      for (const int64_t t : alive) {
        if (!restore(folder, r, trials[size_t(t)]))
          jobs.jobs.push_back(t);
        else if (tried)
          tried(trials[size_t(t)]);
      }
    jobs.work = [&](int64_t t) {
      SearchTrial trial = trials[size_t(t)];
      train_trial(layers, dataset, folder, rungs, r, trial);
      return json_of(trial).dump();
    };
    jobs.done = [&](int64_t t, const std::string& text) {
      const TrialFolder::Json json = TrialFolder::Json::parse(text);
      if (folder) folder->add(trial_name(t, r), json);
      read_trial(json, r, trials[size_t(t)]);
      if (tried) tried(trials[size_t(t)]);
    };
    deal(ranks, jobs);
  }
  return trials;
}

bool finished(const TrialFolder& folder, const SearchOptions& options) {
  const std::vector<Rung> rungs = rungs_of(options);
  for (int64_t r = 0; r < int64_t(rungs.size()); r++) {
    int64_t stored = 0;
    for (int64_t t = 0; t < rungs[0].trials; t++)
      stored += folder.find(trial_name(t, r)).has_value();
    if (stored < rungs[size_t(r)].trials) return false;
  }
  return true;
}

int64_t num_trainings(const SearchOptions& options) {
  int64_t sum = 0;
  for (const Rung& rung : rungs_of(options)) sum += rung.trials;
  return sum;
}

}  // namespace mgnn
