#include "experiments/settings.h"

#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <set>

#include "mgnn/base/toml.h"
#include "mgnn/data/registry.h"
#include "mgnn/embed/embedding.h"
#include "mgnn/models/trees.h"
#include "mgnn/task/profiles.h"

namespace mgnn {

extern const std::string_view kSettingsToml;  // made of settings.toml by CMake

std::span<const PaperMethod> node_methods() {
  static constexpr std::array kMethods = {PaperMethod{"DeepWalk", "deepwalk", true},
                                          PaperMethod{"GraRep", "grarep", true},
                                          PaperMethod{"HOPE", "hope", true},
                                          PaperMethod{"Node2Vec", "node2vec", true},
                                          PaperMethod{"GCN", "gcn"},
                                          PaperMethod{"GraphSAGE", "sage"},
                                          PaperMethod{"GAT", "gat"},
                                          PaperMethod{"GIN", "gin"},
                                          PaperMethod{"BGNN", "bgnn"},
                                          PaperMethod{"MotifNet", "motifnet"},
                                          PaperMethod{"MixHop", "mixhop"},
                                          PaperMethod{"GDC", "gdc"},
                                          PaperMethod{"CADNet", "cadnet"},
                                          PaperMethod{"MGNN", "mgnn"}};
  return kMethods;
}

std::span<const PaperMethod> graph_methods() {
  static constexpr std::array kMethods = {PaperMethod{"Graph2Vec", "graph2vec", true},
                                          PaperMethod{"GL2Vec", "gl2vec", true},
                                          PaperMethod{"NetLSD", "netlsd", true},
                                          PaperMethod{"Feather", "feather", true},
                                          PaperMethod{"Graclus", "graclus"},
                                          PaperMethod{"ASAP", "asap"},
                                          PaperMethod{"EdgePool", "edgepool"},
                                          PaperMethod{"TopKPool", "topkpool"},
                                          PaperMethod{"GlobalATT", "globalatt"},
                                          PaperMethod{"GCN", "gcn"},
                                          PaperMethod{"GAT", "gat"},
                                          PaperMethod{"GraphSAGE", "sage"},
                                          PaperMethod{"GIN", "gin"},
                                          PaperMethod{"MotifNet", "motifnet"},
                                          PaperMethod{"MixHop", "mixhop"},
                                          PaperMethod{"GDC", "gdc"},
                                          PaperMethod{"CADNet", "cadnet"},
                                          PaperMethod{"MGNN", "mgnn"}};
  return kMethods;
}

std::span<const PaperMethod> ensemble_methods(Level level) {
  static constexpr std::array kMethods = {
      PaperMethod{"BGNN", "bgnn"},      PaperMethod{"GCN", "gcn"},
      PaperMethod{"GraphSAGE", "sage"}, PaperMethod{"GAT", "gat"},
      PaperMethod{"GIN", "gin"},        PaperMethod{"EGAT", "egat"},
      PaperMethod{"ESAGE", "esage"},    PaperMethod{"EGAT+SAGE", "egat+sage"},
      PaperMethod{"MGNN", "mgnn"}};
  return std::span(kMethods).subspan(level == Level::graph ? 1 : 0);  // BGNN is for nodes
}

bool is_known(const PaperMethod& method) {
  const auto has_name = [&](const auto& entry) {
    return std::string_view(entry.name) == method.ours;
  };
  if (method.embedding)
    return std::any_of(embedding_methods().begin(), embedding_methods().end(), has_name);
  if (method.ours == std::string_view("bgnn") && !has_trees()) return false;
  return std::any_of(methods().begin(), methods().end(), has_name);
}

bool is_chosen(const Study& study, const PaperMethod& method) {
  static const std::set<std::string> kFew = {"deepwalk", "netlsd", "gcn",
                                             "topkpool", "esage",  "mgnn"};
  return is_known(method) && (study.size() != Size::smallest || kFew.contains(method.ours));
}

namespace {

using Names = std::vector<std::string>;

bool lists(const Names& names, const std::string& name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

// Those of `available` that were asked for by name, or `usual` if none was.
Names asked_for(const Study& study, const Names& available, const Names& usual) {
  if (study.options().data.empty()) return usual;
  Names wanted = study.options().data;
  std::erase_if(wanted, [&](const std::string& name) { return !lists(available, name); });
  return wanted;
}

}  // namespace

Names graphs_of_tables(const Study& study) {
  return {"cora", "citeseer", "pubmed", study.knowledge_graph()};
}

Names sets_of_tables(const Study&) { return {"mutag", "enzymes", "aids"}; }

Names data_of_tables(const Study& study) {
  Names names = graphs_of_tables(study);
  for (const std::string& name : sets_of_tables(study)) names.push_back(name);
  return names;
}

void check_data(const Study& study, std::span<const Experiment* const> experiments) {
  Names known;
  for (const Experiment* experiment : experiments)
    for (const std::string& name : experiment->data ? experiment->data(study) : Names())
      if (!lists(known, name)) known.push_back(name);
  for (const std::string& name : study.options().data) {
    if (known.empty())
      fail_usage("--data: {} always has the same data; leave --data out", experiments[0]->name);
    if (!lists(known, name))
      fail_usage("--data: the tables have no {}; {}", in_quotes(name),
                 did_you_mean(name, known, fmt::format("use {}", fmt::join(known, ", "))));
  }
}

Names node_data(const Study& study) {
  const Names available = graphs_of_tables(study);
  return asked_for(study, available,
                   study.sized<Names>({"roles"}, {"cora", "citeseer"}, available));
}

Names graph_data(const Study& study) {
  const Names available = sets_of_tables(study);
  return asked_for(study, available, study.sized<Names>({"triads"}, {"mutag"}, available));
}

Level level_of(const std::string& data) {
  const std::optional<DatasetEntry> entry = find_dataset_entry(data);
  return entry && entry->task == "graph" ? Level::graph : Level::node;
}

bool is_large(const std::string& data) {
  const std::optional<DatasetEntry> entry = find_dataset_entry(data);
  return entry && entry->task != "graph" && entry->nodes > 10'000;
}

int64_t num_seeds(const Study& study, Level level) {
  return level == Level::graph ? study.seeds(1, 1, 5) : study.seeds(2, 3, 5);
}

namespace {

// Quick: enough for most to settle on small graphs, and said in the report.
int64_t epochs_for(const Study& study, const std::string& data, const std::string& method) {
  if (study.options().epochs > 0) return study.options().epochs;
  if (level_of(data) == Level::graph) return study.sized(8, 200, 300);
  return study.sized(8, is_large(data) ? 60 : method == "bgnn" ? 40 : 200, 3000);
}

}  // namespace

std::vector<std::string> paper_settings(const Study& study, const std::string& data,
                                        const std::string& method) {
  const bool graphs = level_of(data) == Level::graph;
  const std::string profile = method != "mgnn"                         ? "paper"
                              : has_profile("mgnn", data, "published") ? "published"
                                                                       : "none";
  std::vector<std::string> settings = {"profile=" + profile};
  if (graphs) settings.emplace_back("data.standardise=false");
  if (data == "hetionet") settings.emplace_back("data.features=degree-profile");
  if (data == study.knowledge_graph()) settings.emplace_back("train.direction=in");
  settings.push_back(fmt::format("train.epochs={}", epochs_for(study, data, method)));
  settings.push_back(
      fmt::format("train.patience={}", study.size() == Size::quick && !graphs ? 50 : 0));
  return settings;
}

std::vector<std::string> untuned_fair_settings(const Study& study, const std::string& data,
                                               const std::string& method) {
  std::vector<std::string> settings = paper_settings(study, data, method);
  settings.emplace_back("data.standardise=true");
  settings.emplace_back("data.split=random");
  if (level_of(data) == Level::graph && method != "globalatt")
    settings.emplace_back("model.readout=sum");
  return settings;
}

const std::vector<std::string>& search_space(const std::string& method) {
  struct Search {
    Names models, space;
  };
  static const std::vector<Search> kSearches = [] {
    std::vector<Search> searches;
    for (const Settings& table : parse_toml_tables(kSettingsToml, "settings.toml", "search")) {
      Search& search = searches.emplace_back();
      const Options fields = {option("models", search.models, ""),
                              option("space", search.space, "")};
      for (const Setting& setting : table) set_option(fields, setting);
    }
    return searches;
  }();
  for (const Search& search : kSearches)
    if (lists(search.models, "*") || lists(search.models, method)) return search.space;
  fail("settings.toml has no search for {}", method);
}

}  // namespace mgnn
