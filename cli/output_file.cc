#include "cli/output_file.h"

#include <spdlog/spdlog.h>

#include <CLI/CLI.hpp>
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

void write_output(const OutputFile& output, const Dataset& dataset, bool json) {
  const std::string nodes = human_count(dataset.graph.num_nodes());
  const std::string arcs = human_count(dataset.graph.num_arcs());
  if (!output.dry_run) {
    const std::string format = output.path == "-" && output.format.empty() ? "tsv" : output.format;
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
