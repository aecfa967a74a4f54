#include <CLI/CLI.hpp>
#include <memory>
#include <nlohmann/json.hpp>

#include "cli/describe.h"
#include "cli/graph_options.h"
#include "cli/notes.h"
#include "cli/verb.h"
#include "mgnn/base/clock.h"
#include "mgnn/base/human.h"
#include "mgnn/base/memory.h"

namespace mgnn {

Action add_info(CLI::App& command, const Globals& globals) {
  const auto source = std::make_shared<GraphSource>();
  add_graph_options(command, *source);
  command.footer(
      "  mgnn info cora\n"
      "  mgnn info edges.csv.gz --from-column source --to-column target\n"
      "  mgnn info edges.tsv --nodes nodes.tsv --label-column kind --json\n"
      "  zcat web.txt.gz | mgnn info -");
  return [source, &globals] {
    const Stopwatch watch;
    const Dataset dataset = source->load_without_notes(globals);
    tell_reading(dataset, globals);
    const GraphSummary summary = summarise(dataset.graph);
    if (globals.json) {
      nlohmann::ordered_json json = dataset_json(dataset, summary);
      json["seconds"] = watch.seconds();
      json["peak_memory_bytes"] = peak_memory_bytes();
      return print_json(json);
    }
    print_dataset(dataset, summary);
    print(fmt::format("\n{}, {} of memory\n", human_seconds(watch.seconds()),
                      human_bytes(peak_memory_bytes())));
  };
}

}  // namespace mgnn
