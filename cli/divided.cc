#include "cli/divided.h"

#include <spdlog/spdlog.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "cli/notes.h"
#include "mgnn/base/file.h"
#include "mgnn/base/folder.h"
#include "mgnn/base/human.h"
#include "mgnn/cluster/read_parts.h"
#include "mgnn/io/numpy.h"
#include "mgnn/io/numpy_graph.h"

namespace mgnn {
namespace {

constexpr const char* kIndex = "index.json";

// Every rank has the whole for a moment.
RankGraph part_of_whole(const GraphSource& source, const Globals& globals) {
  Dataset dataset;
  all_or_none(ranks(), [&] {
    dataset = source.load_without_notes(globals);
    if (!dataset.arc_weight.empty())
      dataset.remarks.push_back("the weights of arcs are not used: instances are counted");
    if (ranks().size() > 1)
      dataset.remarks.push_back(
          "each rank reads all of it; only edge lists that are not compressed are read in parts");
    tell_notes(dataset, globals);
  });
  check_same(ranks(), "the fingerprint of " + source.what,
             fmt::format("{:016x}", fingerprint(dataset.graph)));
  RankGraph graph = part_of_graph(ranks(), dataset.graph);
  if (ranks().rank() == 0) graph.ids = std::move(dataset.ids);
  graph.name = dataset.name;
  return graph;
}

void tell_notes_of_parts(const RankGraph& graph, const Globals& globals) {
  if (globals.strict && !graph.remarks.empty())
    fail_data(Hint::strict, "{}: {}", graph.name, graph.remarks[0]);
  if (!globals.quiet)
    print_to_stderr(fmt::format("mgnn: {}: {} nodes, {} arcs, {}; {}\n", graph.name,
                                human_count(graph.num_nodes), human_count(graph.num_arcs),
                                graph.undirected ? "undirected" : "directed", graph.reading));
  for (const std::string& remark : graph.remarks) spdlog::warn("{}: {}", graph.name, remark);
}

std::string piece_name(int rank) {
  return fmt::format("rows-{:04}-of-{:04}.npz", rank, ranks().size());
}

void write_piece(const std::string& path, const RankGraph& graph, const RankMatrices& part) {
  const std::vector<int64_t> shape = {graph.num_nodes, graph.num_nodes};
  const auto entries = int64_t(part.index.size());
  NpzWriter writer(path);
  writer.write("shape", numpy_array<int64_t>(shape, {2}));
  writer.write("rows", numpy_array<int32_t>(part.node, {int64_t(part.node.size())}));
  writer.write("indptr", numpy_array<int64_t>(part.start, {int64_t(part.start.size())}));
  writer.write("indices", numpy_array<int32_t>(part.index, {entries}));
  if (!graph.ids.trivial()) {
    const std::vector<int64_t> first = {graph.first_id};
    writer.write("first_id", numpy_array<int64_t>(first, {1}));
    writer.write("ids", numpy_ids(graph.ids));
  }
  for (const int motif : part.motifs.numbers()) {
    Array<int64_t> counts(part.index.size());
    for (int64_t e = 0; e < entries; e++) counts[e] = part.count(motif, e);
    writer.write(fmt::format("m{}", motif), numpy_array<int64_t>(counts, {entries}));
  }
  writer.commit();
}

nlohmann::ordered_json index_of(const RankGraph& graph, const RankMatrices& part,
                                const std::vector<std::array<int64_t, 2>>& sizes) {
  nlohmann::ordered_json pieces = nlohmann::ordered_json::array();
  for (int r = 0; r < ranks().size(); r++)
    pieces.push_back({{"file", piece_name(r)}, {"rows", sizes[r][0]}, {"entries", sizes[r][1]}});
  return {{"content", "motif matrices in pieces"},
          {"version", 1},
          {"nodes", graph.num_nodes},
          {"arcs", graph.num_arcs},
          {"counting", name_of(part.counting)},
          {"entry", name_of(part.entry)},
          {"motifs", part.motifs.text()},
          {"graph_fingerprint", fmt::format("{:016x}", graph.fingerprint)},
          {"pieces", pieces}};
}

bool holds_only_pieces(const std::string& folder) {
  const std::vector<std::string> names = names_in_folder(folder);
  return std::all_of(names.begin(), names.end(), [](const std::string& name) {
    return name == kIndex || (name.starts_with("rows-") && name.ends_with(".npz"));
  });
}

}  // namespace

RankGraph load_divided(const GraphSource& source, const Globals& globals) {
  LoadOptions options = source.options;
  options.data_dir = globals.data_dir;
  std::optional<RankGraph> graph = read_edge_list_in_parts(ranks(), source.what, options);
  if (!graph) return part_of_whole(source, globals);
  all_or_none(ranks(), [&] { tell_notes_of_parts(*graph, globals); });
  return std::move(*graph);
}

CountedGraph counted_graph(const RankGraph& graph) {
  return {graph.num_nodes, graph.num_arcs, gather_ids(ranks(), graph), graph.fingerprint};
}

void check_pieces(const std::string& path, bool overwrite) {
  check_overwrite(path, overwrite);
  if (file_exists(path) && !(is_directory(path) && holds_only_pieces(path)))
    fail_usage("{}: is not a folder of pieces of motif matrices; name a new one", path);
}

void write_pieces(const std::string& path, const RankGraph& graph, const RankMatrices& part) {
  const auto sizes = gather(
      ranks(), std::array<int64_t, 2>{int64_t(part.node.size()), int64_t(part.index.size())});
  const auto write_all = [&](const std::string& folder_of_first) {
    const std::string folder = broadcast_text(ranks(), folder_of_first);
    all_or_none(ranks(),
                [&] { write_piece(folder + "/" + piece_name(ranks().rank()), graph, part); });
  };
  if (ranks().rank() > 0) return write_all("");
  replace_folder(path, [&](const std::string& folder) {
    write_all(folder);
    write_file(folder + "/" + kIndex, index_of(graph, part, sizes).dump(2) + "\n");
  });
}

}  // namespace mgnn
