#include "cli/output_file.h"

#include <spdlog/spdlog.h>

#include <CLI/CLI.hpp>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "cli/verb.h"
#include "mgnn/base/error.h"
#include "mgnn/base/file.h"
#include "mgnn/base/human.h"
#include "mgnn/data/load.h"

namespace mgnn {

void add_output_options(CLI::App& command, OutputFile& output) {
  command
      .add_option("-f,--format", output.format,
                  "tsv, csv, txt, mtx, npz or h5; h5 holds the whole dataset, the others the "
                  "graph (default: by the file's ending)")
      ->type_name("FORMAT");
  command.add_flag("--force", output.force, "replace a file that is there");
  command.add_flag("-n,--dry-run", output.dry_run, "read and check, but write nothing");
}

void check_output(const OutputFile& output) {
  if (output.path != "-" && !output.force && file_exists(output.path))
    fail_usage("{}: exists already; use --force to replace it", output.path);
}

namespace {

bool is_edge_list(const std::string& format, const std::string& path) {
  const std::string kind =
      format.empty() ? std::filesystem::path(path).extension().string() : format;
  return !kind.ends_with("mtx") && !kind.ends_with("npz") && !kind.ends_with("h5") &&
         !kind.ends_with("hdf5");
}

// An edge list knows its nodes from its edges only.
void warn_of_lost_nodes(const Graph& graph) {
  NodeId isolated = 0;
  for (NodeId u = 0; u < graph.num_nodes(); u++)
    isolated += graph.out.row_size(u) + graph.in.row_size(u) == 0;
  if (isolated > 0)
    spdlog::warn("an edge list cannot hold the {} nodes without arcs; mtx, npz and h5 can",
                 human_count(isolated));
}

}  // namespace

void write_output(const OutputFile& output, const Dataset& dataset, bool json) {
  const std::string nodes = human_count(dataset.graph.num_nodes());
  const std::string arcs = human_count(dataset.graph.num_arcs());
  if (!output.dry_run) {
    const std::string format = output.path == "-" && output.format.empty() ? "tsv" : output.format;
    if (is_edge_list(format, output.path)) warn_of_lost_nodes(dataset.graph);
    write_graph_file(output.path, dataset, format, output.force);
  }
  if (output.path == "-") return;
  if (json)
    return print_json(nlohmann::ordered_json{{"path", output.path},
                                             {"nodes", dataset.graph.num_nodes()},
                                             {"arcs", dataset.graph.num_arcs()},
                                             {"written", !output.dry_run}});
  print(fmt::format("{} {}: {} nodes, {} arcs\n", output.dry_run ? "would write" : "wrote",
                    output.path, nodes, arcs));
}

}  // namespace mgnn
