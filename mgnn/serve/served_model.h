// A stored run with its data and all that is computed once for all requests. Fixed once loaded.
#pragma once

#include <memory>
#include <mutex>
#include <optional>

#include "mgnn/data/nodes_by_name.h"
#include "mgnn/motif/census.h"
#include "mgnn/serve/null_model_job.h"
#include "mgnn/task/link_prediction.h"
#include "mgnn/task/rank_pairs.h"
#include "mgnn/task/trained_model.h"

namespace mgnn {

// Names of items, by their beginning and by how they are mistyped.
class NameSearch {
 public:
  NameSearch() = default;
  explicit NameSearch(std::vector<std::string> names);

  // Items whose names begin with `prefix`, upper and lower case alike, in the order of the names; after
  // those that do, those with a word that does.
  std::vector<NodeId> with_prefix(std::string_view prefix, size_t limit) const;
  // At most `limit` names that look like `word`, the nearest first.
  std::vector<std::string> similar(std::string_view word, size_t limit) const;

 private:
  std::vector<std::string> names_;
  std::vector<std::pair<std::string, NodeId>> by_name_;  // lower case, sorted
};

// What a network for links answers with.
struct ServedLinks {
  LinkData data;
  EndMatrices ends;
  Calibration calibration;
  Graph no_arcs;  // of the same nodes
};

class Explainer;  // explain/explainer.h

struct ServedModel {
  std::string name;     // in addresses
  std::string path;     // of the run
  std::string version;  // the first 12 digits of the model file's SHA-256
  // Passes that are not cached use the network; one at a time.
  mutable TrainedModel model;
  mutable std::mutex model_in_use;
  Dataset dataset;
  bool is_set = false;  // items are graphs
  std::optional<NodesByName> item_by_name;
  NameSearch search;
  Matrix output, representation;
  Matrix answers;  // probabilities or numbers; empty if items have no answers
  std::optional<ServedLinks> links;
  std::vector<const char*> part;  // train, validation, test or "" of each item; may be empty
  Census census;                  // with roles of nodes; see CensusOptions::per_role
  double seconds_to_load = 0;
  mutable std::shared_ptr<const Explainer> explains;  // made when it is first asked for
  mutable std::mutex explains_in_use;
  mutable NullModelJob null_model;  // last, so that it ends before what it looks at

  NodeId num_items() const { return is_set ? dataset.num_graphs() : dataset.graph.num_nodes(); }
  std::string item_name(NodeId item) const;
  // Throws HttpError (404) with the nearest names.
  NodeId find_item(const std::string& item) const;
  std::vector<NodeId> find_items(const std::vector<std::string>& items) const;
  std::string type_of(NodeId node) const;  // "" if nodes have no types
};

using ServedModelPointer = std::shared_ptr<const ServedModel>;

// `run`: a folder of a run or a model file, or NAME=RUN. Throws Error as load_for_prediction.
ServedModelPointer load_served_model(const std::string& run, const std::string& data_dir);

// The model file of `run`, as above.
std::string model_file_of(const std::string& run);

// All models of a server. A request keeps the set that it began with.
struct ModelSet {
  std::vector<ServedModelPointer> models;
  int64_t loaded_at = 0;  // seconds since 1970

  const ServedModel& find(std::string_view name) const;  // throws HttpError (404)
};
using ModelSetPointer = std::shared_ptr<const ModelSet>;

// Throws Error (usage) if two runs have one name.
ModelSetPointer load_models(const std::vector<std::string>& runs, const std::string& data_dir);

}  // namespace mgnn
