// The flags of every verb that reads a graph.
#pragma once

#include <CLI/App.hpp>
#include <string>

#include "cli/verb.h"
#include "mgnn/data/load.h"
#include "mgnn/data/registry.h"

namespace mgnn {

// What to read, and how: filled by the flags that `add_graph_options` adds to a verb.
struct GraphSource {
  std::string what;
  LoadOptions options;
  Settings stated = {};  // by flags, with their names in configurations: data.nodes

  // The dataset, with the global flags taken into account. `load` tells the notes.
  Dataset load(const Globals& globals) const;
  Dataset load_without_notes(const Globals& globals) const;
};

// Adds the argument DATA (required unless `source.what` has a default) and all flags that say how
// to read it. `source` must outlive the parsing.
void add_graph_options(CLI::App& command, GraphSource& source);

// The dataset of that name; throws Error (usage) with the nearest name if there is none.
DatasetEntry known_entry(const std::string& name);

}  // namespace mgnn
