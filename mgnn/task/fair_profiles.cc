#include "mgnn/task/fair_profiles.h"

#include <array>

namespace mgnn {

std::span<const Profile> fair_profiles() {
  static constexpr const char* kFair =
      "mgnn search NAME with the same trials for every network, as in docs/training.md";
  static constexpr std::array kProfiles = {
      Profile{"gcn sage", "cora", "fair",
              "train.epochs=300 train.patience=50 train.learning_rate=0.0083 "
              "train.weight_decay=0.00092 model.dropout=0.19",
              kFair, "classification", "paper"},
      Profile{"gat", "cora", "fair",
              "train.epochs=300 train.patience=50 train.learning_rate=0.048 "
              "train.weight_decay=0.00015 model.dropout=0.63",
              kFair, "classification", "paper"},
      Profile{"gin", "cora", "fair",
              "train.epochs=300 train.patience=50 train.learning_rate=0.017 "
              "train.weight_decay=0.016 model.dropout=0.072",
              kFair, "classification", "paper"},
      Profile{"mixhop motifnet", "cora", "fair",
              "train.epochs=300 train.patience=50 train.weight_decay=0.0005", kFair,
              "classification", "paper"},
      Profile{"gdc", "cora", "fair",
              "train.epochs=300 train.patience=50 train.learning_rate=0.022 "
              "train.weight_decay=0.0039 model.dropout=0.028",
              kFair, "classification", "paper"},
      Profile{"cadnet", "cora", "fair",
              "train.epochs=300 train.patience=50 train.learning_rate=0.0036 "
              "train.weight_decay=0.0053 model.dropout=0.077",
              kFair, "classification", "paper"},
      Profile{"mgnn", "cora", "fair", "train.epochs=300 train.patience=50", kFair, "classification",
              "published"},
      Profile{"gcn sage gat", "citeseer", "fair",
              "train.epochs=300 train.patience=50 train.learning_rate=0.017 "
              "train.weight_decay=0.016 model.dropout=0.072",
              kFair, "classification", "paper"},
      Profile{"gin", "citeseer", "fair",
              "train.epochs=300 train.patience=50 train.learning_rate=0.0083 "
              "train.weight_decay=0.00092 model.dropout=0.19",
              kFair, "classification", "paper"},
      Profile{"mixhop", "citeseer", "fair",
              "train.epochs=300 train.patience=50 train.learning_rate=0.0025 "
              "train.weight_decay=0.0085 model.dropout=0.063",
              kFair, "classification", "paper"},
      Profile{"motifnet", "citeseer", "fair",
              "train.epochs=300 train.patience=50 train.learning_rate=0.0027 "
              "train.weight_decay=0.0025 model.dropout=0.28",
              kFair, "classification", "paper"},
      Profile{"gdc", "citeseer", "fair",
              "train.epochs=300 train.patience=50 train.learning_rate=0.022 "
              "train.weight_decay=0.0039 model.dropout=0.028",
              kFair, "classification", "paper"},
      Profile{"cadnet", "citeseer", "fair",
              "train.epochs=300 train.patience=50 train.learning_rate=0.0036 "
              "train.weight_decay=0.0053 model.dropout=0.077",
              kFair, "classification", "paper"},
      Profile{"mgnn", "citeseer", "fair", "train.epochs=300 train.patience=50", kFair,
              "classification", "published"},
      Profile{"gcn mixhop motifnet gdc cadnet asap", "mutag", "fair",
              "data.split=random data.standardise=true model.readout=sum", kFair, "classification",
              "paper"},
      Profile{
          "sage", "mutag", "fair",
          "data.split=random data.standardise=true model.readout=sum train.learning_rate=0.0038 "
          "train.weight_decay=0.00059 model.dropout=0.41",
          kFair, "classification", "paper"},
      Profile{"globalatt", "mutag", "fair",
              "data.split=random data.standardise=true train.learning_rate=0.0038 "
              "train.weight_decay=0.00059 model.dropout=0.41",
              kFair, "classification", "paper"},
      Profile{
          "gat gin", "mutag", "fair",
          "data.split=random data.standardise=true model.readout=sum train.learning_rate=0.0025 "
          "train.weight_decay=0.0085 model.dropout=0.063",
          kFair, "classification", "paper"},
      Profile{
          "graclus", "mutag", "fair",
          "data.split=random data.standardise=true model.readout=sum train.learning_rate=0.0037 "
          "train.weight_decay=0.013 model.dropout=0.38",
          kFair, "classification", "paper"},
      Profile{
          "topkpool edgepool", "mutag", "fair",
          "data.split=random data.standardise=true model.readout=sum train.learning_rate=0.0036 "
          "train.weight_decay=0.0053 model.dropout=0.077",
          kFair, "classification", "paper"},
      Profile{"bgnn", "cora", "fair",
              "train.epochs=100 train.patience=20 train.weight_decay=0.0005", kFair,
              "classification", "paper"},
      Profile{"egat esage", "cora", "fair",
              "train.epochs=300 train.patience=50 train.weight_decay=0.0005", kFair,
              "classification", "paper"},
      Profile{"egat+sage", "cora", "fair",
              "train.epochs=300 train.patience=50 train.learning_rate=0.048 "
              "train.weight_decay=0.00015 model.dropout=0.63",
              kFair, "classification", "paper"},
      Profile{"egat", "citeseer", "fair",
              "train.epochs=300 train.patience=50 train.learning_rate=0.017 "
              "train.weight_decay=0.016 model.dropout=0.072",
              kFair, "classification", "paper"},
      Profile{"esage", "citeseer", "fair",
              "train.epochs=300 train.patience=50 train.learning_rate=0.0021 "
              "train.weight_decay=0.0017 model.dropout=0.14",
              kFair, "classification", "paper"},
      Profile{"egat+sage", "citeseer", "fair",
              "train.epochs=300 train.patience=50 train.learning_rate=0.0029 "
              "train.weight_decay=0.011 model.dropout=0.3",
              kFair, "classification", "paper"},
      Profile{"gcn sage motifnet gdc", "pubmed", "fair",
              "train.epochs=300 train.patience=50 train.learning_rate=0.0083 "
              "train.weight_decay=0.00092 model.dropout=0.19 model.input_dropout=0.37",
              kFair, "classification", "paper"},
      Profile{"gat mixhop", "pubmed", "fair", "train.epochs=300 train.patience=50", kFair,
              "classification", "paper"},
      Profile{"gin", "pubmed", "fair",
              "train.epochs=300 train.patience=50 train.learning_rate=0.0037 "
              "train.weight_decay=0.013 model.dropout=0.38 model.input_dropout=0.48",
              kFair, "classification", "paper"},
      Profile{"cadnet", "pubmed", "fair",
              "train.epochs=300 train.patience=50 train.learning_rate=0.048 "
              "train.weight_decay=0.00015 model.dropout=0.63 model.input_dropout=0.37",
              kFair, "classification", "paper"},
      Profile{"mgnn", "pubmed", "fair",
              "train.epochs=300 train.patience=50 train.learning_rate=0.0083 "
              "train.weight_decay=0.00092 model.dropout=0.19 model.input_dropout=0.37",
              kFair, "classification", "published"},
      Profile{"egat esage", "mutag", "fair",
              "data.split=random data.standardise=true model.readout=sum "
              "train.learning_rate=0.0036 train.weight_decay=0.0053 model.dropout=0.077",
              kFair, "classification", "paper"},
      Profile{"egat+sage", "mutag", "fair",
              "data.split=random data.standardise=true model.readout=sum "
              "train.learning_rate=0.0025 train.weight_decay=0.0085 model.dropout=0.063",
              kFair, "classification", "paper"},
      Profile{"mgnn", "mutag", "fair",
              "data.split=random data.standardise=true model.layers=16,16,16 model.input_dropout=0 "
              "train.learning_rate=0.0037 train.weight_decay=0.013 train.batch_size=128 "
              "train.epochs=300 train.patience=0 model.dropout=0.38",
              kFair, "classification", ""},
      Profile{
          "gcn sage gin mixhop motifnet", "enzymes", "fair",
          "data.split=random data.standardise=true model.readout=sum train.learning_rate=0.0036 "
          "train.weight_decay=0.0053 model.dropout=0.077 model.input_dropout=0.27",
          kFair, "classification", "paper"},
      Profile{
          "gat", "enzymes", "fair",
          "data.split=random data.standardise=true model.readout=sum train.learning_rate=0.0029 "
          "train.weight_decay=0.011 model.dropout=0.3 model.input_dropout=0.26",
          kFair, "classification", "paper"},
      Profile{
          "gdc cadnet", "enzymes", "fair",
          "data.split=random data.standardise=true model.readout=sum train.learning_rate=0.0025 "
          "train.weight_decay=0.0085 model.dropout=0.063 model.input_dropout=0.35",
          kFair, "classification", "paper"},
      Profile{"graclus", "enzymes", "fair",
              "data.split=random data.standardise=true model.readout=sum "
              "train.learning_rate=0.0021 train.weight_decay=0.0017 model.dropout=0.14",
              kFair, "classification", "paper"},
      Profile{"topkpool edgepool asap", "enzymes", "fair",
              "data.split=random data.standardise=true model.readout=sum "
              "train.learning_rate=0.0025 train.weight_decay=0.0085 model.dropout=0.063",
              kFair, "classification", "paper"},
      Profile{"globalatt", "enzymes", "fair",
              "data.split=random data.standardise=true train.learning_rate=0.0021 "
              "train.weight_decay=0.0017 model.dropout=0.14",
              kFair, "classification", "paper"},
      Profile{"mgnn", "enzymes", "fair",
              "data.split=random data.standardise=true model.layers=16,16,16 "
              "model.input_dropout=0.27 train.learning_rate=0.0036 train.weight_decay=0.0053 "
              "train.batch_size=128 train.epochs=300 train.patience=0 model.dropout=0.077",
              kFair, "classification", ""},
      Profile{"gcn gin motifnet gdc", "aids", "fair",
              "data.split=random data.standardise=true model.readout=sum train.epochs=100 "
              "train.learning_rate=0.048 train.weight_decay=0.00015 model.dropout=0.63 "
              "model.input_dropout=0.37",
              kFair, "classification", "paper"},
      Profile{"sage gat", "aids", "fair",
              "data.split=random data.standardise=true model.readout=sum train.epochs=100 "
              "train.learning_rate=0.0036 train.weight_decay=0.0053 model.dropout=0.077 "
              "model.input_dropout=0.27",
              kFair, "classification", "paper"},
      Profile{"mixhop cadnet edgepool asap", "aids", "fair",
              "data.split=random data.standardise=true model.readout=sum train.epochs=100", kFair,
              "classification", "paper"},
      Profile{"graclus", "aids", "fair",
              "data.split=random data.standardise=true model.readout=sum train.epochs=100 "
              "train.learning_rate=0.048 train.weight_decay=0.00015 model.dropout=0.63",
              kFair, "classification", "paper"},
      Profile{"topkpool", "aids", "fair",
              "data.split=random data.standardise=true model.readout=sum train.epochs=100 "
              "train.learning_rate=0.0036 train.weight_decay=0.0053 model.dropout=0.077",
              kFair, "classification", "paper"},
      Profile{"globalatt", "aids", "fair",
              "data.split=random data.standardise=true train.epochs=100 train.learning_rate=0.0021 "
              "train.weight_decay=0.0017 model.dropout=0.14",
              kFair, "classification", "paper"},
      Profile{"mgnn", "aids", "fair",
              "data.split=random data.standardise=true model.layers=16,16,16 model.input_dropout=0 "
              "train.learning_rate=0.01 train.weight_decay=0.005 train.batch_size=128 "
              "train.patience=0 train.epochs=100",
              kFair, "classification", ""},
  };
  return kProfiles;
}

}  // namespace mgnn
