// The first profile of a model and dataset but `paper` and `fair` is its default.

#include "mgnn/task/profiles.h"

#include <algorithm>
#include <array>

#include "mgnn/base/error.h"
#include "mgnn/task/fair_profiles.h"

namespace mgnn {

std::span<const Profile> profiles() {
  static constexpr const char* kReleased = "code released with the paper";
  static constexpr const char* kSearched =
      "mgnn search NAME --profile published --seeds 3 -s 100 --trials 40, as in docs/training.md";
  static constexpr const char* kSearchedGraphs =
      "mgnn search NAME on the validation folds of seed 100, as in docs/training.md";
  // It names the optimiser and its rate and no weight decay, so there is none.
  static constexpr const char* kStated = "section on experiments of the paper";
  // The paper says that graphs are sums of their nodes. The pooling networks of the benchmark that
  // its code builds on have means, and with them come the paper's figures (docs/results.md).
  static constexpr const char* kBenchmark =
      "settings of the authors' released code; readout of the benchmark it builds on";
  // Networks whose layers have a width and nothing else that the paper speaks of.
  static constexpr const char* kPlain =
      "gcn sage gin mixhop motifnet gdc cadnet egat esage egat+sage";
  // Hetionet takes the place of Chem2Bio2RDF.
  static constexpr const char* kTwoLayers = "pubmed chem2bio2rdf hetionet";
  static constexpr const char* kAutoencoder =
      "settings of graph autoencoders (Kipf, Welling 2016), as in docs/links.md";
  static constexpr const char* kTriedOnCora =
      "a few trials on Cora, by validation AUROC of seeds 100 to 102, as in docs/links.md";
  static constexpr std::array kProfiles = {
      Profile{"mgnn", "cora", "tuned",
              "model.counting=published model.normalisation=symmetric model.layers=32 "
              "model.per_motif=10 model.input_dropout=0.74 model.dropout=0.55 "
              "model.motif_dropout=0.34 model.attention_dropout=0.48 model.gate=sigmoid "
              "model.delta_init=xavier-uniform train.learning_rate=0.0065 train.weight_decay=0.011",
              kSearched},
      Profile{"mgnn", "cora", "published",
              "model.counting=published model.normalisation=published model.layers=16 "
              "model.input_dropout=0.5 model.dropout=0.6 model.motif_dropout=0.1 "
              "model.attention_dropout=0.1 model.gate=sigmoid model.delta_init=xavier-uniform "
              "train.learning_rate=0.011 train.weight_decay=0.016",
              kReleased},
      Profile{"mgnn", "citeseer", "published",
              "model.counting=published model.normalisation=published model.layers=16 "
              "model.input_dropout=0.5 model.dropout=0.1 model.motif_dropout=0.5 "
              "model.attention_dropout=0.5 model.gate=sigmoid model.delta_init=kaiming-uniform "
              "model.head_init=kaiming-uniform train.learning_rate=0.011 train.weight_decay=0.02",
              kReleased},
      Profile{"mgnn", "citeseer", "tuned",
              "model.counting=published model.normalisation=symmetric model.layers=32 "
              "model.per_motif=10 model.input_dropout=0.74 model.dropout=0.55 "
              "model.motif_dropout=0.34 model.attention_dropout=0.48 model.gate=sigmoid "
              "model.delta_init=kaiming-uniform model.head_init=kaiming-uniform "
              "train.learning_rate=0.0065 train.weight_decay=0.011",
              kSearched},
      Profile{"mgnn", "pubmed", "tuned",
              "model.counting=published model.normalisation=symmetric model.layers=16,3 "
              "model.input_dropout=0.32 model.dropout=0.18 model.motif_dropout=0.08 "
              "model.attention_dropout=0 model.gate=tanh model.delta_init=xavier-normal "
              "model.head_init=normal train.learning_rate=0.011 train.weight_decay=0.0021",
              "mgnn search pubmed --profile published --seeds 2 -s 100 --trials 12, as in "
              "docs/training.md"},
      Profile{"mgnn", "pubmed", "published",
              "model.counting=published model.normalisation=published model.layers=16,3 "
              "model.input_dropout=0 model.dropout=0 model.motif_dropout=0.3 "
              "model.attention_dropout=0 model.gate=tanh model.delta_init=xavier-normal "
              "model.head_init=normal train.learning_rate=0.005 train.weight_decay=0.002",
              kReleased},
      Profile{"mgnn", "chem2bio2rdf", "published",
              "model.counting=published model.normalisation=published model.layers=16,10 "
              "model.input_dropout=0 model.dropout=0 model.motif_dropout=0.3 "
              "model.attention_dropout=0 model.gate=tanh model.delta_init=xavier-normal "
              "model.head_init=normal train.learning_rate=0.011 train.weight_decay=0.005",
              kReleased},
      Profile{"mgnn", "hetionet", "published",
              "model.counting=published model.normalisation=published model.layers=16,11 "
              "model.input_dropout=0 model.dropout=0 model.motif_dropout=0.3 "
              "model.attention_dropout=0 model.gate=tanh model.delta_init=xavier-normal "
              "model.head_init=normal train.learning_rate=0.011 train.weight_decay=0.005",
              "code released with the paper, for Chem2Bio2RDF, whose place hetionet takes"},
      Profile{"mgnn", "enzymes", "tuned",
              "model.layers=32,32,32 model.delta=false model.input_dropout=0 model.dropout=0.073 "
              "train.select=accuracy train.learning_rate=0.0026 train.weight_decay=2.7e-05 "
              "train.batch_size=128 train.epochs=100 train.patience=0",
              kSearchedGraphs},
      Profile{
          "mgnn", "mutag aids", "published",
          "model.counting=published model.normalisation=published model.base_init=kaiming-uniform "
          "model.released_init=true model.rectify=false data.standardise=false "
          "data.split=sklearn:12345 model.layers=16,2,2 "
          "model.input_dropout=0.5 model.dropout=0.5 model.motif_dropout=0.3 "
          "model.attention_dropout=0.3 model.gate=tanh model.delta_init=kaiming-uniform "
          "train.learning_rate=0.01 train.weight_decay=0.005 train.batch_size=128 "
          "train.epochs=300 train.patience=0",
          kReleased},
      Profile{
          "mgnn", "enzymes", "published",
          "model.counting=published model.normalisation=published model.base_init=kaiming-uniform "
          "model.released_init=true model.rectify=false data.standardise=false "
          "data.split=sklearn:12345 model.layers=16,6,6 "
          "model.input_dropout=0.5 model.dropout=0.5 model.motif_dropout=0.3 "
          "model.attention_dropout=0.3 model.gate=tanh model.delta_init=kaiming-uniform "
          "train.learning_rate=0.01 train.weight_decay=0.005 train.batch_size=128 "
          "train.epochs=300 train.patience=0",
          kReleased},
      Profile{"mgnn", "mutag", "tuned",
              "data.split=random model.layers=16,16,16 model.input_dropout=0.041 model.dropout=0.4 "
              "model.motif_dropout=0.024 model.attention_dropout=0.1 train.learning_rate=0.012 "
              "train.weight_decay=0.00085",
              kSearchedGraphs, "classification", "published"},
      Profile{"mgnn", "aids", "tuned",
              "data.split=random data.standardise=true model.layers=16,16,16 "
              "model.input_dropout=0.18 model.dropout=0.25 train.learning_rate=0.0092 "
              "train.weight_decay=0.0033 train.epochs=100",
              kSearchedGraphs, "classification", "published"},
      Profile{kPlain, "cora citeseer", "paper",
              "model.layers=16 model.input_dropout=0.5 model.dropout=0.5 "
              "train.learning_rate=0.011 train.weight_decay=0 train.epochs=3000 train.patience=0",
              kStated},
      Profile{kPlain, kTwoLayers, "paper",
              "model.layers=16,16 model.input_dropout=0.5 model.dropout=0.5 "
              "train.learning_rate=0.011 train.weight_decay=0 train.epochs=3000 train.patience=0",
              kStated},
      Profile{"gat bgnn", "cora citeseer", "paper",
              "model.layers=8 model.heads=13 model.input_dropout=0.5 model.dropout=0.5 "
              "model.attention_dropout=0.5 "
              "train.learning_rate=0.011 train.weight_decay=0 train.epochs=3000 train.patience=0",
              kStated},
      Profile{"gat bgnn", kTwoLayers, "paper",
              "model.layers=8,8 model.heads=13 model.input_dropout=0.5 model.dropout=0.5 "
              "model.attention_dropout=0.5 "
              "train.learning_rate=0.011 train.weight_decay=0 train.epochs=3000 train.patience=0",
              kStated},
      Profile{kPlain, "mutag enzymes aids", "paper",
              "model.layers=16,16,16 model.input_dropout=0 model.dropout=0.5 model.readout=sum "
              "data.split=sklearn:12345 train.learning_rate=0.01 train.weight_decay=0.005 "
              "train.batch_size=128 train.epochs=300 train.patience=0",
              kReleased},
      Profile{"gat", "mutag enzymes aids", "paper",
              "model.layers=8,8,8 model.heads=13 model.input_dropout=0 model.dropout=0.5 "
              "model.readout=sum data.split=sklearn:12345 train.learning_rate=0.01 "
              "train.weight_decay=0.005 train.batch_size=128 train.epochs=300 train.patience=0",
              kReleased},
      Profile{"graclus topkpool edgepool asap", "mutag enzymes aids", "paper",
              "model.layers=16,16,16 model.dropout=0.5 model.readout=mean "
              "data.split=sklearn:12345 train.learning_rate=0.01 train.weight_decay=0.005 "
              "train.batch_size=128 "
              "train.epochs=300 train.patience=0",
              kBenchmark},
      Profile{"globalatt", "mutag enzymes aids", "paper",
              "model.layers=16,16,16 model.dropout=0.5 "
              "data.split=sklearn:12345 train.learning_rate=0.01 train.weight_decay=0.005 "
              "train.batch_size=128 "
              "train.epochs=300 train.patience=0",
              kReleased},
      Profile{"gcn", "*", "gae",
              "model.layers=32 model.input_dropout=0 model.dropout=0 train.weight_decay=0 "
              "train.learning_rate=0.01 train.epochs=200 train.patience=0",
              kAutoencoder, "link"},
      Profile{"mgnn", "*", "gae",
              "model.layers=32 model.input_dropout=0.5 model.dropout=0 model.motif_dropout=0 "
              "model.attention_dropout=0 train.weight_decay=0 train.learning_rate=0.003 "
              "train.epochs=400 train.patience=0",
              kTriedOnCora, "link"},
      Profile{"*", "*", "gae",
              "train.weight_decay=0 train.learning_rate=0.01 train.epochs=200 train.patience=0",
              kAutoencoder, "link"},
  };
  static const std::vector<Profile> all = [] {
    std::vector<Profile> both(kProfiles.begin(), kProfiles.end());
    both.insert(both.end(), fair_profiles().begin(), fair_profiles().end());
    return both;
  }();
  return all;
}

namespace {

std::vector<std::string> words(std::string_view text) {
  std::vector<std::string> found;
  while (!text.empty()) {
    const size_t blank = text.find(' ');
    if (blank != 0) found.emplace_back(text.substr(0, blank));
    text = blank == std::string_view::npos ? std::string_view() : text.substr(blank + 1);
  }
  return found;
}

bool lists(const char* names, std::string_view name) {
  const std::vector<std::string> all = words(names);
  return names[0] == '*' || std::find(all.begin(), all.end(), name) != all.end();
}

bool fits(const Profile& profile, std::string_view model, std::string_view dataset,
          std::string_view task) {
  return lists(profile.model, model) && lists(profile.dataset, dataset) &&
         profile.task == (task == "link" ? task : "classification");
}

// Thousands of epochs, and settings for comparisons, are for those who ask for them.
bool by_itself(const Profile& profile) {
  return profile.name != std::string_view("paper") && profile.name != std::string_view("fair");
}

Settings with_base(const Profile& profile, std::string_view model, std::string_view dataset,
                   std::string_view task) {
  Settings settings;
  if (*profile.base) settings = profile_settings(model, dataset, profile.base, task);
  for (const std::string& setting : words(profile.settings)) settings.emplace_back(setting);
  return settings;
}

}  // namespace

bool has_profile(std::string_view model, std::string_view dataset, std::string_view name) {
  for (const Profile& profile : profiles())
    if (fits(profile, model, dataset, "auto") && name == profile.name) return true;
  return false;
}

Settings profile_settings(std::string_view model, std::string_view dataset, std::string_view name,
                          std::string_view task) {
  if (name == "none") return {};
  std::vector<std::string> known = {"auto", "none"};
  for (const Profile& profile : profiles()) {
    if (!fits(profile, model, dataset, task)) continue;
    if (name == profile.name || (name == "auto" && by_itself(profile)))
      return with_base(profile, model, dataset, task);
    known.emplace_back(profile.name);
  }
  if (name == "auto") return {};
  std::string list;
  for (const std::string& one : known) list += (list.empty() ? "" : ", ") + one;
  fail_usage("there is no profile {} of {} for {}; {}", in_quotes(name), model, in_quotes(dataset),
             did_you_mean(name, known, "there are " + list));
}

}  // namespace mgnn
