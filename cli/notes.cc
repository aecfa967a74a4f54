#include "cli/notes.h"

#include <spdlog/spdlog.h>

#include "mgnn/base/error.h"
#include "mgnn/base/human.h"
#include "mgnn/graph/line_graph.h"

namespace mgnn {
namespace {

[[noreturn]] void fail_strict(const std::string& note) { fail_data(Hint::strict, "{}", note); }

}  // namespace

void tell_reading(const Dataset& dataset, const Globals& globals,
                  std::span<const std::string> notes) {
  if (!dataset.reading.empty() && !globals.quiet)
    print_to_stderr(
        fmt::format("mgnn: {}: {} nodes, {} arcs, {}; {}\n", dataset.name,
                    human_count(dataset.graph.num_nodes()), human_count(dataset.graph.num_arcs()),
                    is_undirected(dataset.graph) ? "undirected" : "directed", dataset.reading));
  if (!globals.strict) return;
  if (!dataset.remarks.empty())
    fail_strict(fmt::format("{}: {}", dataset.name, dataset.remarks[0]));
  if (!notes.empty()) fail_strict(notes[0]);
}

void tell_notes(const Dataset& dataset, const Globals& globals,
                std::span<const std::string> notes) {
  tell_reading(dataset, globals, notes);
  for (const std::string& remark : dataset.remarks) spdlog::warn("{}: {}", dataset.name, remark);
  for (const std::string& note : notes) spdlog::warn("{}", note);
}

}  // namespace mgnn
