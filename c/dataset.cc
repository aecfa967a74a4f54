#include "mgnn/data/dataset.h"

#include <cmath>

#include "c/buffers.h"
#include "c/handles.h"
#include "mgnn/data/feature_columns.h"
#include "mgnn/data/load.h"
#include "mgnn/data/locate.h"
#include "mgnn/data/registry.h"
#include "mgnn/task/streams.h"

namespace mgnn::c {
namespace {

LoadOptions load_options_of(const Settings& settings) {
  LoadOptions load;
  Options options = load_options(load);
  options.push_back(option("data_dir", load.data_dir, "folder with datasets, looked at first"));
  options.push_back(option("seed", load.seed, "of embedded datasets that are generated"));
  for (const Setting& setting : settings) set_option(options, setting);
  return load;
}

int64_t num_items(const Dataset& d) { return d.is_set() ? d.num_graphs() : d.graph.num_nodes(); }

Json sizes_of(const Split& split) {
  return {{"name", split.name},
          {"train", split.train.size()},
          {"validation", split.validation.size()},
          {"test", split.test.size()}};
}

Json info_of(const Dataset& d) {
  Json json = {{"name", d.name},
               {"nodes", d.graph.num_nodes()},
               {"arcs", d.graph.num_arcs()},
               {"graphs", d.num_graphs()},
               {"is_set", d.is_set()},
               {"items", num_items(d)},
               {"features", num_features(d.features)},
               {"features_from", d.features_from},
               {"num_attributes", d.num_attributes},
               {"feature_names", d.feature_names},
               {"class_names", d.class_names},
               {"multilabel", !d.label_set.empty()},
               {"has_targets", !d.target.empty()},
               {"weighted", !d.arc_weight.empty()},
               {"node_type_names", d.node_type_names},
               {"remarks", d.remarks},
               {"reading", d.reading},
               {"loops_dropped", d.build.loops_dropped},
               {"duplicates_dropped", d.build.duplicates_dropped},
               {"nodes_dropped", d.build.nodes_dropped}};
  json["relations"] = Json::array();
  for (const Relation& relation : d.relations)
    json["relations"].push_back({{"name", relation.name}, {"edges", relation.edges.size()}});
  json["splits"] = Json::array();
  for (const Split& split : d.splits) json["splits"].push_back(sizes_of(split));
  return json;
}

Json json_of(const DatasetEntry& entry, const LoadOptions& load) {
  return {{"name", entry.name},
          {"task", entry.task},
          {"summary", entry.summary},
          {"citation", entry.citation},
          {"here", dataset_folder(entry, load).has_value()},
          {"embedded", entry.embedded},
          {"nodes", entry.nodes},
          {"arcs", entry.arcs},
          {"graphs", entry.graphs},
          {"features", entry.features},
          {"classes", entry.classes}};
}

// As trainings divide items: by class, of those whose answer is known.
std::vector<int32_t> strata_of(const Dataset& d) {
  if (!d.label.empty()) return d.label;
  std::vector<int32_t> known(size_t(num_items(d)), 0);
  for (size_t i = 0; i < known.size(); i++) {
    const bool unknown = (!d.label_set.empty() && d.label_set[i].empty()) ||
                         (!d.target.empty() && std::isnan(d.target[i]));
    if (unknown) known[i] = -1;
  }
  return known;
}

void set_roles(std::span<const NodeId> items, int role, uint8_t* roles) {
  for (const NodeId i : items) roles[i] = uint8_t(role);
}

}  // namespace

mgnn_dataset* new_dataset(Dataset dataset) {
  return new mgnn_dataset{std::make_shared<Dataset>(std::move(dataset))};
}

}  // namespace mgnn::c

using namespace mgnn;
using namespace mgnn::c;

int mgnn_dataset_load(const mgnn_call* call, const char* what, const char* settings,
                      mgnn_dataset** dataset) {
  return in_call(call, [&] {
    needed(dataset, "dataset");
    const std::string source = &needed(what, "what");
    const Settings given = settings_of(settings);
    std::unique_ptr<mgnn_dataset> loaded(new_dataset(load_dataset(source, load_options_of(given))));
    loaded->source = source;
    loaded->settings = given;
    *dataset = loaded.release();
  });
}

int mgnn_datasets(const char* data_dir, mgnn_buffer** json) {
  return guarded([&] {
    needed(json, "json");
    const LoadOptions load{.data_dir = text_of(data_dir)};
    Json list = Json::array();
    for (const DatasetEntry& entry : dataset_entries()) list.push_back(json_of(entry, load));
    *json = new_buffer(list);
  });
}

void mgnn_dataset_free(mgnn_dataset* dataset) { delete dataset; }

int mgnn_dataset_info(const mgnn_dataset* dataset, mgnn_buffer** json) {
  return guarded([&] { needed(json, "json") = new_buffer(info_of(dataset_of(dataset))); });
}

int mgnn_dataset_graph(const mgnn_dataset* dataset, mgnn_graph** graph) {
  return guarded([&] {
    const auto& data = needed(dataset, "dataset").data;
    needed(graph, "graph") =
        new_graph(std::shared_ptr<const Graph>(data, &data->graph),
                  std::shared_ptr<const NodeIds>(data, &data->ids), data->build);
  });
}

int mgnn_dataset_get_arrays(const mgnn_dataset* dataset, mgnn_dataset_arrays* arrays) {
  return guarded([&] {
    const Dataset& d = dataset_of(dataset);
    const auto some = [](const auto& array) { return array.empty() ? nullptr : array.data(); };
    mgnn_dataset_arrays all{.num_nodes = d.graph.num_nodes(),
                            .num_items = num_items(d),
                            .num_graphs = d.num_graphs(),
                            .graph_start = some(d.graph_start),
                            .num_features = num_features(d.features),
                            .label = some(d.label),
                            .target = some(d.target),
                            .node_type = some(d.node_type),
                            .arc_weight = some(d.arc_weight)};
    if (const auto* dense = std::get_if<Matrix>(&d.features)) all.features = dense->data.data();
    if (const auto* sparse = std::get_if<SparseMatrix>(&d.features)) {
      all.feature_indptr = sparse->pattern.start.data();
      all.feature_indices = sparse->pattern.index.data();
      all.feature_values = sparse->value.data();
    }
    give(all, arrays, "mgnn_dataset_arrays");
  });
}

int mgnn_dataset_graph_ids(const mgnn_dataset* dataset, mgnn_ids* ids) {
  return guarded([&] {
    const Dataset& d = dataset_of(dataset);
    give(ids_of(d.graph_ids, d.num_graphs()), ids, "mgnn_ids");
  });
}

int mgnn_dataset_label_sets(const mgnn_dataset* dataset, int64_t* start, int32_t* labels) {
  return guarded([&] {
    const auto& sets = dataset_of(dataset).label_set;
    check(!sets.empty(), "{}: items do not have several labels", dataset->data->name);
    need(start, "start");
    start[0] = 0;
    for (size_t i = 0; i < sets.size(); i++) {
      start[i + 1] = start[i] + int64_t(sets[i].size());
      if (labels) std::copy(sets[i].begin(), sets[i].end(), labels + start[i]);
    }
  });
}

int mgnn_dataset_relation(const mgnn_dataset* dataset, int64_t i, const char** name, int64_t* count,
                          const int32_t** edges) {
  return guarded([&] {
    const auto& relations = dataset_of(dataset).relations;
    check(i >= 0 && i < std::ssize(relations), "relation {} of {}", i, relations.size());
    static_assert(sizeof(Edge) == 2 * sizeof(int32_t));
    needed(name, "name") = relations[i].name.c_str();
    needed(count, "count") = std::ssize(relations[i].edges);
    needed(edges, "edges") = reinterpret_cast<const int32_t*>(relations[i].edges.data());
  });
}

int mgnn_dataset_split(const mgnn_dataset* dataset, const char* name, uint64_t seed,
                       int64_t repetition, int64_t folds, int64_t fold, uint8_t* role) {
  return guarded([&] {
    const Dataset& d = dataset_of(dataset);
    needed(role, "role");
    check(repetition >= 0, "repetition {}", repetition);
    SplitOptions options{.name = text_of(name, "auto")};
    if (folds > 0) options.folds = folds;
    const uint64_t own_seed = seed + uint64_t(repetition);
    const std::vector<Split> splits =
        select_splits(d, strata_of(d), options, Rng(own_seed).split(kSplitStream), repetition);
    check(fold >= 0 && fold < std::ssize(splits), "fold {} of {}", fold, splits.size());
    std::fill_n(role, num_items(d), uint8_t(MGNN_UNUSED));
    set_roles(splits[fold].train, MGNN_TRAIN, role);
    set_roles(splits[fold].validation, MGNN_VALIDATION, role);
    set_roles(splits[fold].test, MGNN_TEST, role);
  });
}

int mgnn_dataset_write(const mgnn_call* call, const mgnn_dataset* dataset, const char* path,
                       const char* format, int32_t overwrite) {
  return in_call(call, [&] {
    write_graph_file(&needed(path, "path"), dataset_of(dataset),
                     {.format = text_of(format), .overwrite = overwrite != 0});
  });
}
