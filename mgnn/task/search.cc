// Random search: better than a grid when few of the settings matter (Bergstra, Bengio 2012).

#include "mgnn/task/search.h"

#include <fmt/format.h>

#include <charconv>
#include <cmath>

#include "mgnn/base/interrupt.h"

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
  const double value = d.range.logarithmic ? d.range.low * std::pow(d.range.high / d.range.low, u)
                                           : d.range.low + u * (d.range.high - d.range.low);
  return fmt::format("{:.2g}", value);
}

}  // namespace

SearchDimension parse_dimension(const std::string& text, const Options& options) {
  const size_t equals = text.find('=');
  if (equals == std::string::npos)
    fail_usage("{}: write key=low..high, key=low~high (logarithmic) or key=a|b", in_quotes(text));
  SearchDimension d{find_option(options, text.substr(0, equals)).name};
  const std::string value = text.substr(equals + 1);
  const size_t dots = value.find(".."), wave = value.find('~');
  if (value.find('|') != std::string::npos) {
    d.choices = split_at(value, '|');
  } else if (dots != std::string::npos || wave != std::string::npos) {
    const bool logarithmic = wave != std::string::npos;
    const size_t at = logarithmic ? wave : dots;
    const double low = number_in(text, value.substr(0, at));
    const double high = number_in(text, value.substr(at + (logarithmic ? 1 : 2)));
    if (low > high || (logarithmic && low <= 0))
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
    if (one.search) space.push_back({one.name, *one.search, {}});
  return space;
}

std::vector<SearchTrial> search(const ConfigLayers& layers, const Dataset& dataset,
                                const SearchOptions& options,
                                const std::function<void(const SearchTrial&)>& tried) {
  std::vector<SearchTrial> trials;
  for (int64_t t = 0; t < options.trials; t++) {
    check_interrupted();
    SearchTrial trial;
    Rng rng = Rng(options.seed).split(uint64_t(t));
    if (t > 0)
      for (const SearchDimension& d : options.space)
        trial.settings.emplace_back(d.name, drawn(d, rng));
    ConfigLayers with = layers;
    with.sets.insert(with.sets.end(), trial.settings.begin(), trial.settings.end());
    const std::unique_ptr<Config> config = resolve_config(std::move(with));
    const Result result = run_task(*config, dataset);
    trial.metric = result.validation_metric.name.empty() ? result.metric : result.validation_metric;
    trial.validation = result.validation();
    trial.epochs = result.epochs();
    trials.push_back(trial);
    if (tried) tried(trial);
  }
  return trials;
}

}  // namespace mgnn
