#include "cli/output_file.h"

#include <spdlog/spdlog.h>

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include "cli/verb.h"
#include "mgnn/base/error.h"
#include "mgnn/base/file.h"
#include "mgnn/base/human.h"
#include "mgnn/data/drawn_dataset.h"
#include "mgnn/data/formats.h"

namespace mgnn {

void add_force_flag(CLI::App& command, bool& force) {
  command.add_flag("--force", force, "overwrite existing files");
}

void add_output_options(CLI::App& command, OutputFile& output) {
  command
      .add_option("-f,--format", output.format,
                  fmt::format("{}; {} hold the whole dataset, {} classes, types and few features, "
                              "too, the others the graph (default: by the file's ending)",
                              format_names(graph_formats()),
                              format_names(graph_formats(), {.dataset = true}),
                              format_names(graph_formats(), {.attributes = true})))
      ->type_name("FORMAT");
  add_force_flag(command, output.force);
  command.add_flag("-n,--dry-run", output.dry_run, "read and check, but write nothing");
}

void check_output(const OutputFile& output) { check_writable(output.path, output.force); }

namespace {

void warn_of_lost_nodes(const GraphFormat& format, const Graph& graph) {
  NodeId isolated = 0;
  for (NodeId u = 0; u < graph.num_nodes(); u++)
    isolated += graph.out.row_size(u) + graph.in.row_size(u) == 0;
  if (isolated > 0)
    spdlog::warn("{} files do not hold the {} nodes without arcs; {} do", format.name,
                 human_count(isolated), format_names(graph_formats(), {.isolated_nodes = true}));
}

// What the dataset has and a file of the format has no place for.
void warn_of_lost_parts(const GraphFormat& format, const Dataset& d) {
  const FormatParts& parts = format.parts;
  std::vector<std::string> lost;
  const auto add = [&](const char* what, bool present, bool held) {
    if (present && !held) lost.emplace_back(what);
  };
  add("ids", !d.ids.trivial(), parts.ids || parts.dataset);
  add("weights of arcs", !d.arc_weight.empty(), parts.weights || parts.dataset);
  add("graphs of the set", d.is_set(), parts.dataset);
  const int64_t features = num_features(d.features);
  const bool some = parts.attributes;
  add("features", features > 0, parts.dataset || (some && features <= kMaxDrawnFeatures));
  add("classes", !d.label.empty() || !d.label_set.empty(), parts.dataset || (some && !d.is_set()));
  add("targets", !d.target.empty(), parts.dataset || (some && !d.is_set()));
  add("node types", !d.node_type.empty(), parts.dataset || some);
  add("relations", !d.relations.empty(), parts.dataset || parts.relations || some);
  add("splits", !d.splits.empty(), parts.dataset || (some && !d.is_set() && d.splits.size() == 1));
  if (!lost.empty())
    spdlog::warn("{} files do not hold the {}; {} do", format.name, human_list(lost, lost.size()),
                 format_names(graph_formats(), {.dataset = true}));
}

}  // namespace

void write_output(const OutputFile& output, const Dataset& dataset, bool json) {
  const std::string nodes = human_count(dataset.graph.num_nodes());
  const std::string arcs = human_count(dataset.graph.num_arcs());
  if (!output.dry_run) {
    const GraphFormat& format = output_format(graph_formats(), output.format, output.path);
    if (!format.parts.isolated_nodes) warn_of_lost_nodes(format, dataset.graph);
    warn_of_lost_parts(format, dataset);
    write_graph_file(output.path, dataset, {.format = output.format, .overwrite = output.force});
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
