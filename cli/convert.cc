#include <CLI/CLI.hpp>
#include <memory>

#include "cli/graph_options.h"
#include "cli/output_file.h"
#include "cli/verb.h"

namespace mgnn {

Action add_convert(CLI::App& command, const Globals& globals) {
  struct Flags {
    GraphSource source;
    OutputFile output;
  };
  const auto options = std::make_shared<Flags>();
  add_graph_options(command, options->source);
  command.add_option("OUT", options->output.path, "file to write, or - for standard output")
      ->required();
  add_output_options(command, options->output);
  command.footer(
      "  mgnn convert edges.csv graph.npz\n"
      "  mgnn convert cora cora.safetensors\n"
      "  mgnn convert network.gml network.graphml\n"
      "  mgnn convert web.mtx - --format csv | head");
  return [options, &globals] {
    check_output(options->output);
    write_output(options->output, options->source.load(globals), globals.json);
  };
}

}  // namespace mgnn
