#include "mgnn/task/fair_profiles.h"

#include <fmt/format.h>

#include <deque>

namespace mgnn {
namespace {

// What the best trial had drawn; `keeps`: that of the base, of which the first trial is made.
constexpr double keeps = -1;
struct Found {
  std::vector<const char*> models;
  double learning_rate = keeps, weight_decay = keeps, dropout = keeps, input_dropout = keeps;
};

struct Searched {
  const char* dataset;
  bool graphs;
  const char* more;  // settings that all networks have there
  std::vector<Found> found;
};

const std::vector<Searched>& searches() {
  static const std::vector<Searched> all = {
      {"cora",
       false,
       "train.epochs=300 train.patience=50",
       {{{"gcn", "sage"}, 0.0083, 0.00092, 0.19},
        {{"gat", "egat+sage"}, 0.048, 0.00015, 0.63},
        {{"gin"}, 0.017, 0.016, 0.072},
        {{"mixhop", "motifnet", "egat", "esage"}, keeps, 0.0005},
        {{"gdc"}, 0.022, 0.0039, 0.028},
        {{"cadnet"}, 0.0036, 0.0053, 0.077},
        {{"mgnn"}}}},
      {"citeseer",
       false,
       "train.epochs=300 train.patience=50",
       {{{"gcn", "sage", "gat", "egat"}, 0.017, 0.016, 0.072},
        {{"gin"}, 0.0083, 0.00092, 0.19},
        {{"mixhop"}, 0.0025, 0.0085, 0.063},
        {{"motifnet"}, 0.0027, 0.0025, 0.28},
        {{"gdc"}, 0.022, 0.0039, 0.028},
        {{"cadnet"}, 0.0036, 0.0053, 0.077},
        {{"esage"}, 0.0021, 0.0017, 0.14},
        {{"egat+sage"}, 0.0029, 0.011, 0.3},
        {{"mgnn"}}}},
      // An epoch of BGNN is several steps.
      {"cora", false, "train.epochs=100 train.patience=20", {{{"bgnn"}, keeps, 0.0005}}},
      {"citeseer", false, "train.epochs=100 train.patience=20", {{{"bgnn"}, 0.0037, 0.013, 0.38}}},
      {"pubmed",
       false,
       "train.epochs=100 train.patience=20",
       {{{"bgnn"}, 0.0037, 0.0088, 0.38, 0.48}}},
      {"pubmed",
       false,
       "train.epochs=300 train.patience=50",
       {{{"gcn", "motifnet", "gdc", "mgnn"}, 0.0083, 6.3e-05, 0.19, 0.37},
        {{"sage", "gat", "mixhop", "egat+sage"}},
        {{"esage"}, 0.0038, 2.8e-05, 0.41, 0.11},
        {{"gin"}, 0.0037, 0.0088, 0.38, 0.48},
        {{"cadnet", "egat"}, 0.048, 2e-06, 0.63, 0.37}}},
      {"mutag",
       true,
       "train.epochs=300",
       {{{"gcn", "mixhop", "motifnet", "gdc", "cadnet", "asap"}},
        {{"sage", "globalatt"}, 0.0038, 0.00059, 0.41},
        {{"gat", "gin", "egat+sage"}, 0.0025, 0.0085, 0.063},
        {{"graclus"}, 0.0037, 0.013, 0.38},
        {{"topkpool", "edgepool", "egat", "esage"}, 0.0036, 0.0053, 0.077},
        {{"mgnn"}, 0.0037, 0.013, 0.38}}},
      {"enzymes",
       true,
       "train.epochs=300",
       {{{"gcn", "sage", "gin", "mixhop", "motifnet", "mgnn"}, 0.0036, 0.0053, 0.077, 0.27},
        {{"gat"}, 0.0029, 0.011, 0.3, 0.26},
        {{"gdc", "cadnet", "egat", "esage", "egat+sage"}, 0.0025, 0.0085, 0.063, 0.35},
        {{"graclus", "globalatt"}, 0.0021, 0.0017, 0.14},
        {{"topkpool", "edgepool", "asap"}, 0.0025, 0.0085, 0.063}}},
      {"aids",
       true,
       "train.epochs=100",
       {{{"gcn", "gin", "motifnet", "gdc"}, 0.048, 0.00015, 0.63, 0.37},
        {{"sage", "gat", "egat+sage"}, 0.0036, 0.0053, 0.077, 0.27},
        {{"esage"}, 0.0038, 0.00059, 0.41, 0.11},
        {{"mixhop", "cadnet", "egat", "edgepool", "asap", "mgnn"}},
        {{"graclus"}, 0.048, 0.00015, 0.63},
        {{"topkpool"}, 0.0036, 0.0053, 0.077},
        {{"globalatt"}, 0.0021, 0.0017, 0.14}}},
  };
  return all;
}

std::string settings_of(const Searched& searched, const Found& found, std::string_view model) {
  std::string all = searched.more;
  const auto add = [&](std::string_view one) { all.append(" ").append(one); };
  const auto add_number = [&](const char* key, double value) {
    if (value != keeps) add(fmt::format("{}={}", key, value));
  };
  if (searched.graphs) {
    add("data.split=random data.standardise=true");
    if (model == "mgnn")  // as the others begin
      add("model.layers=16,16,16 model.input_dropout=0 train.learning_rate=0.01 "
          "train.weight_decay=0.005 train.batch_size=128 train.patience=0");
    else if (model != "globalatt")
      add("model.readout=sum");
  }
  add_number("train.learning_rate", found.learning_rate);
  add_number("train.weight_decay", found.weight_decay);
  add_number("model.dropout", found.dropout);
  add_number("model.input_dropout", found.input_dropout);
  return all;
}

const char* base_of(const Searched& searched, std::string_view model) {
  if (model != "mgnn") return "paper";
  return searched.graphs ? "" : "published";
}

}  // namespace

std::span<const Profile> fair_profiles() {
  static std::deque<std::string> settings;  // whose addresses stay
  static const std::vector<Profile> all = [] {
    std::vector<Profile> made;
    for (const Searched& searched : searches())
      for (const Found& found : searched.found)
        for (const char* model : found.models)
          made.push_back({model, searched.dataset, "fair",
                          settings.emplace_back(settings_of(searched, found, model)).c_str(),
                          "mgnn search NAME with the same trials for every network, as in "
                          "docs/training.md",
                          "classification", base_of(searched, model)});
    return made;
  }();
  return all;
}

}  // namespace mgnn
