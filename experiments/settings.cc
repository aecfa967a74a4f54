#include "experiments/settings.h"

#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <set>

#include "mgnn/base/error.h"
#include "mgnn/embed/embedding.h"
#include "mgnn/models/trees.h"
#include "mgnn/task/profiles.h"

namespace mgnn {

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

std::span<const PaperMethod> ensemble_methods(bool graphs) {
  static constexpr std::array kMethods = {
      PaperMethod{"BGNN", "bgnn"},      PaperMethod{"GCN", "gcn"},
      PaperMethod{"GraphSAGE", "sage"}, PaperMethod{"GAT", "gat"},
      PaperMethod{"GIN", "gin"},        PaperMethod{"EGAT", "egat"},
      PaperMethod{"ESAGE", "esage"},    PaperMethod{"EGAT+SAGE", "egat+sage"},
      PaperMethod{"MGNN", "mgnn"}};
  return std::span(kMethods).subspan(graphs ? 1 : 0);  // BGNN is for nodes
}

bool is_known(const PaperMethod& method) {
  if (method.embedding) {
    for (const EmbeddingMethod& one : embedding_methods())
      if (std::string_view(one.name) == method.ours) return true;
    return false;
  }
  if (method.ours == std::string_view("bgnn") && !has_trees()) return false;
  for (const Method& one : methods())
    if (std::string_view(one.name) == method.ours) return true;
  return false;
}

bool is_chosen(const Study& study, const PaperMethod& method) {
  static const std::set<std::string> kFew = {"deepwalk", "netlsd", "gcn",
                                             "topkpool", "esage",  "mgnn"};
  return is_known(method) && (study.size() != Size::smallest || kFew.contains(method.ours));
}

namespace {

using Names = std::vector<std::string>;

Names graphs_of_tables(const Study& study) {
  return {"cora", "citeseer", "pubmed", study.knowledge_graph()};
}
Names sets_of_tables() { return {"mutag", "enzymes", "aids"}; }

// Those of `all` that were asked for by name, or `usual` if none was.
Names asked_for(const Study& study, const Names& all, Names usual) {
  const Names& wanted = study.options().data;
  if (wanted.empty()) return usual;
  Names found;
  for (const std::string& one : wanted)
    if (std::find(all.begin(), all.end(), one) != all.end()) found.push_back(one);
  return found;
}

}  // namespace

void check_data(const Study& study) {
  Names known = graphs_of_tables(study);
  for (const std::string& one : sets_of_tables()) known.push_back(one);
  for (const std::string& one : study.options().data)
    if (std::find(known.begin(), known.end(), one) == known.end())
      fail_usage("--data: the tables have no {}; {}", in_quotes(one),
                 did_you_mean(one, known, fmt::format("use {}", fmt::join(known, ", "))));
}

Names node_data(const Study& study) {
  const Names all = graphs_of_tables(study);
  return asked_for(study, all, study.sized<Names>({"roles"}, {"cora", "citeseer"}, all));
}

Names graph_data(const Study& study) {
  const Names all = sets_of_tables();
  return asked_for(study, all, study.sized<Names>({"triads"}, {"mutag"}, all));
}

int64_t num_seeds(const Study& study, bool graphs) {
  return graphs ? study.seeds(1, 1, 5) : study.seeds(2, 3, 5);
}

bool is_large(const std::string& data) {
  return data == "pubmed" || data == "hetionet" || data == "chem2bio2rdf";
}

namespace {

bool is_graph_set(const std::string& data) {
  static const std::set<std::string> kSets = {"mutag", "enzymes", "aids", "triads"};
  return kSets.contains(data);
}

// Widths of the network that MGNN is compared with.
std::string layers_of(const std::string& data, const std::string& method) {
  const std::string width = method == "gat" ? "8" : "16";
  if (is_graph_set(data)) return width + "," + width + "," + width;
  const bool one = data == "cora" || data == "citeseer" || data == "roles";
  return one ? width : width + "," + width;
}

// Quick: enough for most to settle on small graphs, and said in the report.
int64_t epochs_for(const Study& study, const std::string& data, const std::string& method,
                   bool graphs) {
  if (study.options().epochs > 0) return study.options().epochs;
  const int64_t quick = graphs ? 200 : is_large(data) ? 60 : method == "bgnn" ? 40 : 200;
  return study.sized<int64_t>(8, quick, graphs ? 300 : 3000);
}

}  // namespace

std::vector<std::string> paper_settings(const Study& study, const std::string& data,
                                        const std::string& method) {
  const bool graphs = is_graph_set(data);
  std::vector<std::string> settings;
  const auto add = [&](const std::string& one) { settings.push_back(one); };
  if (method == "mgnn") {
    add(has_profile("mgnn", data, "published") ? "profile=published" : "profile=none");
  } else if (has_profile(method, data, "paper")) {
    add("profile=paper");
  } else {
    const std::set<std::string> pooling = {"graclus", "asap", "edgepool", "topkpool", "globalatt"};
    const bool ensemble = method.find("sage") != std::string::npos && method != "sage";
    if (!pooling.contains(method) && method != "egat" && !ensemble && method != "bgnn")
      add("model.layers=" + layers_of(data, method));
    if (method == "gat") add("model.heads=13");
    if (method != "bgnn") add("model.dropout=0.5");
    add(graphs ? "train.learning_rate=0.01" : "train.learning_rate=0.011");
    add(graphs ? "train.weight_decay=0.005" : "train.weight_decay=0");
  }
  if (graphs) add("data.standardise=false");
  add(fmt::format("train.epochs={}", epochs_for(study, data, method, graphs)));
  add(fmt::format("train.patience={}", study.size() == Size::quick && !graphs ? 50 : 0));
  return settings;
}

std::vector<std::string> untuned_fair_settings(const Study& study, const std::string& data,
                                               const std::string& method) {
  std::vector<std::string> settings = paper_settings(study, data, method);
  settings.emplace_back("data.standardise=true");
  settings.emplace_back("data.split=random");
  if (is_graph_set(data) && method != "globalatt") settings.emplace_back("model.readout=sum");
  return settings;
}

}  // namespace mgnn
