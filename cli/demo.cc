#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include "cli/describe.h"
#include "cli/verb.h"
#include "mgnn/data/load.h"

namespace mgnn {

Action add_demo(CLI::App& command, const Globals& globals) {
  command.footer("  mgnn demo\n  mgnn demo --json");
  return [&globals] {
    nlohmann::ordered_json all = nlohmann::ordered_json::array();
    for (const std::string name : {"roles", "karate"}) {
      const Dataset dataset = load_dataset(name, {.seed = globals.seed});
      const GraphSummary summary = summarise(dataset.graph);
      if (globals.json) {
        all.push_back(dataset_json(dataset, summary));
        continue;
      }
      print_dataset(dataset, summary);
      print("\n");
    }
    if (globals.json) return print_json(nlohmann::ordered_json{{"datasets", all}});
    print("Next: mgnn info YOUR_EDGES.txt, mgnn datasets, mgnn help\n");
  };
}

}  // namespace mgnn
