#include "mgnn/data/ogb.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "mgnn/base/error.h"
#include "mgnn/base/folder.h"
#include "mgnn/data/classes.h"
#include "mgnn/data/edges.h"
#include "mgnn/data/feature_columns.h"
#include "mgnn/data/layout.h"
#include "mgnn/io/memory.h"

namespace mgnn {
namespace {

std::string join(const std::string& folder, const std::string& name) { return folder + "/" + name; }

std::string find_csv(const std::string& folder, const std::string& name) {
  return is_directory(folder) ? find_file(folder, name + ".csv") : "";
}

// Lines of one number each.
std::vector<int64_t> read_numbers(const std::string& path) {
  std::vector<int64_t> numbers;
  each_number_row<int64_t>(path, [&](const LineReader& reader, std::span<const int64_t> row) {
    if (row.size() != 1) reader.fail("expected one number, got {}", row.size());
    numbers.push_back(row[0]);
  });
  return numbers;
}

// Edges of nodes from 0 to below `from_nodes` and `to_nodes`, moved behind those before.
Array<Edge> read_edges(const std::string& path, NodeId from_nodes, NodeId to_nodes,
                       NodeId from_start, NodeId to_start) {
  Array<Edge> edges;
  each_number_row<int64_t>(path, [&](const LineReader& reader, std::span<const int64_t> row) {
    if (row.size() != 2) reader.fail("expected two nodes, got {} numbers", row.size());
    if (row[0] < 0 || row[0] >= from_nodes || row[1] < 0 || row[1] >= to_nodes)
      reader.fail("{} -> {} names a node that is not there", row[0], row[1]);
    edges.push_back({NodeId(row[0]) + from_start, NodeId(row[1]) + to_start});
  });
  return edges;
}

// (items) classes, or class sets where there are several columns of 0 and 1, or targets where there are
// fractions. `first`: the item of the first line.
void read_labels(Dataset& dataset, const std::string& path, NodeId first, NodeId count,
                 NodeId items) {
  std::vector<std::vector<double>> rows;
  each_number_row<double>(path, [&](const LineReader& reader, std::span<const double> row) {
    if (!rows.empty() && row.size() != rows[0].size())
      reader.fail("has {} numbers, but the first line {}", row.size(), rows[0].size());
    rows.emplace_back(row.begin(), row.end());
  });
  if (NodeId(rows.size()) != count)
    fail_data("{}: has {} lines for {} items", path, rows.size(), count);
  const auto is_all = [&](auto&& holds) {
    return std::all_of(rows.begin(), rows.end(), [&](const std::vector<double>& row) {
      return std::all_of(row.begin(), row.end(), holds);
    });
  };
  const size_t width = rows.empty() ? 0 : rows[0].size();
  const bool binary = is_all([](double x) { return x == 0 || x == 1; });
  const bool whole =
      is_all([](double x) { return x == std::floor(x) && x >= -1 && x < (1 << 24); });
  if (width > 1 && binary) {
    dataset.label_set.resize(size_t(items));
    for (size_t i = 0; i < rows.size(); i++)
      for (size_t c = 0; c < width; c++)
        if (rows[i][c] == 1) dataset.label_set[size_t(first) + i].push_back(int32_t(c));
    for (size_t c = 0; c < width; c++) dataset.class_names.push_back(std::to_string(c));
  } else if (width > 1) {
    dataset.remarks.push_back(path + ": several answers of an item are not used");
  } else if (whole) {
    if (dataset.label.empty()) dataset.label.assign(size_t(items), -1);
    for (size_t i = 0; i < rows.size(); i++) dataset.label[size_t(first) + i] = int32_t(rows[i][0]);
    const int32_t most = *std::max_element(dataset.label.begin(), dataset.label.end());
    for (int32_t c = dataset.num_classes(); c <= most; c++)
      dataset.class_names.push_back(std::to_string(c));
  } else {
    if (dataset.target.empty())
      dataset.target.assign(size_t(items), std::numeric_limits<double>::quiet_NaN());
    for (size_t i = 0; i < rows.size(); i++) dataset.target[size_t(first) + i] = rows[i][0];
  }
}

void read_features(Dataset& dataset, const std::string& path, NodeId nodes) {
  Array<float> values;
  int64_t rows = 0, width = -1;
  each_number_row<float>(path, [&](const LineReader& reader, std::span<const float> row) {
    if (width >= 0 && int64_t(row.size()) != width)
      reader.fail("has {} numbers, but the first line {}", row.size(), width);
    width = int64_t(row.size());
    rows++;
    values.insert(values.end(), row.begin(), row.end());
  });
  if (rows != nodes) fail_data("{}: has {} lines for {} nodes", path, rows, nodes);
  if (width <= 0) return;
  Matrix features(rows, width);
  std::copy(values.begin(), values.end(), features.data.begin());
  dataset.features = std::move(features);
  dataset.num_attributes = width;
  dataset.features_from = "node-feat";
}

// Adds the items of a file to one part of a split.
void read_part(const std::string& folder, const char* name, NodeId first, NodeId count,
               std::vector<NodeId>& part) {
  const std::string path = need_file(folder, std::string(name) + ".csv");
  for (const int64_t item : read_numbers(path)) {
    if (item < 0 || item >= count) fail_data("{}: there is no item {}", path, item);
    part.push_back(first + NodeId(item));
  }
}

struct Part {
  std::string folder;  // below split/NAME: "" or the type of nodes
  NodeId first, count;
};

void read_splits(Dataset& dataset, const std::string& folder, std::span<const Part> parts) {
  if (!is_directory(join(folder, "split"))) return;
  std::vector<std::string> names = names_in_folder(join(folder, "split"));
  std::sort(names.begin(), names.end());
  for (const std::string& name : names) {
    Split split{.name = name, .train = {}, .validation = {}, .test = {}};
    for (const Part& part : parts) {
      const std::string place =
          join(join(folder, "split"), part.folder.empty() ? name : join(name, part.folder));
      if (!is_directory(place) || find_csv(place, "train").empty()) continue;
      read_part(place, "train", part.first, part.count, split.train);
      read_part(place, "valid", part.first, part.count, split.validation);
      read_part(place, "test", part.first, part.count, split.test);
    }
    for (std::vector<NodeId>* items : {&split.train, &split.validation, &split.test}) {
      std::sort(items->begin(), items->end());
      items->erase(std::unique(items->begin(), items->end()), items->end());
    }
    if (!split.train.empty()) dataset.splits.push_back(std::move(split));
  }
}

NodeId checked_total(const std::vector<int64_t>& counts, const std::string& path) {
  int64_t total = 0;
  for (const int64_t count : counts) {
    if (count < 0 || count > std::numeric_limits<NodeId>::max() - total)
      fail_data("{}: {} nodes cannot be", path, count);
    total += count;
  }
  return NodeId(total);
}

void build(Dataset& dataset, Array<Edge> edges, NodeId nodes, const LoadOptions& options) {
  check_claimed_nodes(nodes, int64_t(edges.size()), dataset.name);
  BuiltGraph built = build_graph(nodes, std::move(edges), {.symmetrise = options.undirected});
  dataset.graph = std::move(built.graph);
  dataset.build = built.stats;
}

Dataset load_plain(const std::string& folder, const LoadOptions& options) {
  const std::string raw = join(folder, "raw");
  Dataset dataset;
  dataset.name = last_name(folder);
  const std::string counts_path = need_file(raw, "num-node-list.csv");
  const std::vector<int64_t> counts = read_numbers(counts_path);
  const NodeId nodes = checked_total(counts, counts_path);
  const std::string edges_path = need_file(raw, "edge.csv");
  Array<Edge> edges = read_edges(edges_path, nodes, nodes, 0, 0);
  const auto graphs = NodeId(counts.size());
  if (graphs > 1) {  // then edges are counted, too, and nodes of each graph begin at 0
    const std::string path = need_file(raw, "num-edge-list.csv");
    const std::vector<int64_t> edge_counts = read_numbers(path);
    dataset.graph_start = {0};
    size_t edge = 0;
    for (size_t g = 0; g < counts.size(); g++) {
      const NodeId start = dataset.graph_start.back();
      const int64_t count = g < edge_counts.size() ? edge_counts[g] : -1;
      if (count < 0 || count > int64_t(edges.size() - edge))
        fail_data("{}: does not fit the edges", path);
      for (const size_t end = edge + size_t(count); edge < end; edge++) {
        if (edges[edge].from >= counts[g] || edges[edge].to >= counts[g])
          fail_at(edges_path, int64_t(edge) + 1, "graph {} has no such node", g);
        edges[edge] = {edges[edge].from + start, edges[edge].to + start};
      }
      dataset.graph_start.push_back(start + NodeId(counts[g]));
    }
    if (edge != edges.size()) fail_data("{}: does not fit the edges", path);
  }
  build(dataset, std::move(edges), nodes, options);
  const NodeId items = graphs > 1 ? graphs : nodes;
  if (const std::string path = find_csv(raw, "node-feat"); !path.empty())
    read_features(dataset, path, nodes);
  if (const std::string path = find_csv(raw, graphs > 1 ? "graph-label" : "node-label");
      !path.empty())
    read_labels(dataset, path, 0, items, items);
  const Part all[] = {{"", 0, items}};
  read_splits(dataset, folder, all);
  return dataset;
}

// Types of nodes in the order of the header of num-node-dict.csv.
Dataset load_typed(const std::string& folder, const LoadOptions& options) {
  const std::string raw = join(folder, "raw");
  Dataset dataset;
  dataset.name = last_name(folder);
  const std::string path = need_file(raw, "num-node-dict.csv");
  const FileBytes bytes = read_bytes(path);
  LineReader reader(path, bytes.view());
  std::string_view header, line, field;
  if (!reader.next(header) || !reader.next(line)) fail_data("{}: expected two lines", path);
  std::vector<int64_t> counts;
  while (next_field(header, ',', field)) dataset.node_type_names.emplace_back(field);
  while (next_field(line, ',', field)) {
    int64_t count = 0;
    if (!parse_number(trimmed(field), count))
      reader.fail("expected a number, got {}", in_quotes(field));
    counts.push_back(count);
  }
  const std::vector<std::string>& types = dataset.node_type_names;
  if (counts.size() != types.size())
    reader.fail("has {} numbers for {} types", counts.size(), types.size());
  const NodeId nodes = checked_total(counts, path);
  check_claimed_nodes(nodes, 0, path);
  std::vector<NodeId> start = {0};
  for (size_t t = 0; t < types.size(); t++) {
    start.push_back(start.back() + NodeId(counts[t]));
    dataset.node_type.insert(dataset.node_type.end(), size_t(counts[t]), int32_t(t));
    for (int64_t i = 0; i < counts[t]; i++)
      dataset.ids.push_back(fmt::format("{}:{}", types[t], i));
  }
  const auto type_called = [&](std::string_view name, const LineReader& where) {
    const auto found = std::find(types.begin(), types.end(), name);
    if (found == types.end()) where.fail("there is no type {} of nodes", in_quotes(name));
    return size_t(found - types.begin());
  };

  Array<Edge> edges;
  const std::string triplets = need_file(raw, "triplet-type-list.csv");
  const FileBytes triplet_bytes = read_bytes(triplets);
  LineReader list(triplets, triplet_bytes.view());
  while (list.next(line)) {
    if (trimmed(line).empty()) continue;
    std::vector<std::string_view> words;
    while (next_field(line, ',', field)) words.push_back(trimmed(field));
    if (words.size() != 3) list.fail("expected a type, a relation and a type");
    const size_t a = type_called(words[0], list), b = type_called(words[2], list);
    const std::string name = fmt::format("{}___{}___{}", words[0], words[1], words[2]);
    if (name.find('/') != name.npos) list.fail("the relation has a slash");
    const std::string place = join(join(raw, "relations"), name);
    if (!is_directory(place)) list.fail("there is no folder relations/{}", name);
    Relation relation{std::string(words[1]),
                      read_edges(need_file(place, "edge.csv"), NodeId(counts[a]), NodeId(counts[b]),
                                 start[a], start[b])};
    edges.insert(edges.end(), relation.edges.begin(), relation.edges.end());
    dataset.relations.push_back(std::move(relation));
  }
  build(dataset, std::move(edges), nodes, options);
  std::vector<Part> parts;
  for (size_t t = 0; t < types.size(); t++) {
    parts.push_back({types[t], start[t], NodeId(counts[t])});
    const std::string place = join(join(raw, "node-label"), types[t]);
    if (const std::string labels = find_csv(place, "node-label"); !labels.empty())
      read_labels(dataset, labels, start[t], NodeId(counts[t]), nodes);
    if (!find_csv(join(join(raw, "node-feat"), types[t]), "node-feat").empty())
      dataset.remarks.push_back(
          fmt::format("features of the nodes of type {} are not used: others have none", types[t]));
  }
  read_splits(dataset, folder, parts);
  return dataset;
}

}  // namespace

bool is_ogb_folder(const std::string& folder) {
  const std::string raw = join(folder, "raw");
  return is_directory(raw) &&
         ((!find_csv(raw, "edge").empty() && !find_csv(raw, "num-node-list").empty()) ||
          (!find_csv(raw, "triplet-type-list").empty() && !find_csv(raw, "num-node-dict").empty()));
}

Dataset load_ogb(const std::string& folder, const LoadOptions& options) {
  return find_csv(join(folder, "raw"), "triplet-type-list").empty() ? load_plain(folder, options)
                                                                    : load_typed(folder, options);
}

// ---- KONECT

namespace {

std::string konect_file(const std::string& folder) {
  for (const std::string& name : file_names(folder))
    if (name.starts_with("out.")) return find_file(folder, name);
  return "";
}

}  // namespace

bool is_konect_folder(const std::string& folder) { return !konect_file(folder).empty(); }

Dataset load_konect(const std::string& folder, const LoadOptions& options) {
  LoadOptions plain = options;  // joined later, as for every folder
  plain.nodes.clear();
  plain.type_features = plain.largest_component = false;
  plain.target_column.clear();
  Dataset dataset = read_graph_file(konect_file(folder), plain);
  dataset.name = last_name(folder);
  return dataset;
}

}  // namespace mgnn
