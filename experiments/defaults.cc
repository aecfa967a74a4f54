// How well settings do that nobody tuned: MGNN as it is on data of many kinds, beside the best of a
// search and the largest class.

#include "experiments/comparison.h"
#include "experiments/experiments.h"
#include "mgnn/data/locate.h"

namespace mgnn {
namespace {

struct Kind {
  const char* data;
  const char* what;
};

constexpr Kind kKinds[] = {
    {"cora", "citations, words"},
    {"citeseer", "citations, words, many components"},
    {"pubmed", "citations, many nodes"},
    {"cora-directed", "citations with directions"},
    {"texas", "web pages, few nodes"},
    {"chameleon-filtered", "pages of Wikipedia, directed, neighbours differ"},
    {"squirrel-filtered", "the same, more nodes"},
    {"minesweeper", "a grid, neighbours differ"},
    {"tolokers", "people, dense, two unequal classes"},
    {"usa-airports", "flights, no features"},
    {"hetionet", "a knowledge graph, no features"},
    {"mutag", "molecules, few"},
    {"enzymes", "proteins, six classes"},
    {"aids", "molecules, many, two unequal classes"},
    {"roles", "embedded"},
    {"triads", "embedded"},
};

std::vector<Kind> chosen(const Study& study) {
  const auto usual = study.sized<std::vector<std::string>>(
      {"roles", "triads"}, {"cora", "texas", "usa-airports", "mutag"}, default_data(study));
  const std::vector<std::string>& asked_for = study.options().data;
  const std::vector<std::string>& names = asked_for.empty() ? usual : asked_for;
  std::vector<Kind> kinds;
  for (const Kind& kind : kKinds)
    if (std::find(names.begin(), names.end(), kind.data) != names.end()) kinds.push_back(kind);
  return kinds;
}

bool is_here(const Study& study, const std::string& data) {
  const std::optional<DatasetEntry> entry = find_dataset_entry(data);
  return entry && dataset_folder(*entry, {.data_dir = study.options().data_dir}).has_value();
}

std::vector<std::string> default_settings(const Study& study, const std::string& data) {
  std::vector<std::string> settings = {"profile=none",
                                       level_of(data) == Level::graph ? "task=graph" : "task=node"};
  if (study.options().epochs > 0)
    settings.push_back(fmt::format("train.epochs={}", study.options().epochs));
  else if (study.size() == Size::smallest)
    settings.emplace_back("train.epochs=8");
  return settings;
}

int64_t num_trials(const Study& study, const std::string& data) {
  return study.sized(2, 8, is_large(data) ? 8 : 24);
}

std::string joined(const std::vector<std::string>& settings) {
  return settings.empty() ? "the defaults" : fmt::format("{}", fmt::join(settings, " "));
}

}  // namespace

std::vector<std::string> default_data(const Study&) {
  std::vector<std::string> names;
  for (const Kind& kind : kKinds)
    if (std::string(kind.what) != "embedded") names.emplace_back(kind.data);
  return names;
}

Section defaults(Study& study) {
  TableBlock block{"Test accuracy without tuning",
                   {.columns = {text_column("dataset"),
                                text_column("what"),
                                score_column("largest class", "largest_class"),
                                score_column("defaults", "defaults"),
                                score_column("± std", "defaults_std"),
                                score_column("best of search", "tuned"),
                                score_column("± std ", "tuned_std"),
                                score_column("difference"),
                                {"runs", Align::right},
                                {"trials", Align::right}},
                    .rows = {}}};
  std::vector<std::string> absent;
  for (const Kind& kind : chosen(study)) {
    const std::string data = kind.data;
    if (study.options().compute && !is_here(study, data)) {
      absent.push_back(data);
      continue;
    }
    const int64_t seeds = num_seeds(study, level_of(data)), trials = num_trials(study, data);
    const std::vector<std::string> settings = default_settings(study, data);
    const CellScores plain = train_cells(study, data, "mgnn", settings, seeds);
    const std::vector<std::string> best =
        searched_settings(study, data, "mgnn", settings, {}, trials);
    std::vector<std::string> tuned_settings = settings;
    tuned_settings.insert(tuned_settings.end(), best.begin(), best.end());
    const CellScores tuned = train_cells(study, data, "mgnn", tuned_settings, seeds);
    block.table.rows.push_back({data, kind.what, plain.largest_class, plain.score().mean,
                                deviation_cell(plain), tuned.score().mean, deviation_cell(tuned),
                                plain.score().mean - tuned.score().mean, int64_t(plain.test.size()),
                                trials});
    block.tips.push_back(
        {"", "", "", plain.from, plain.from, tuned.from, joined(best), "", "", ""});
  }
  Section section{"Defaults", {}};
  std::string text =
      "MGNN with the settings that data get which no profile knows, next to the best of a search "
      "on "
      "validation items of a split that is not reported here (its settings are in the HTML "
      "report), "
      "and to the share of the largest class among test items. Same seeds and splits in a row. ";
  if (!absent.empty())
    text += fmt::format("Not on this machine, and left out: {}. ", fmt::join(absent, ", "));
  section.blocks.push_back(Paragraph{text});
  section.blocks.push_back(std::move(block));
  return section;
}

}  // namespace mgnn
