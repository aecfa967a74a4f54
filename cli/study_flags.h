// The flags that say which tables `mgnn reproduce` makes, on its command line and in documents.
#pragma once

#include <CLI/App.hpp>
#include <optional>

#include "cli/verb.h"
#include "experiments/experiments.h"

namespace mgnn {

struct StudyFlags {
  std::string name = "all", setting = "both", table;
  std::optional<int64_t> seeds, epochs;
  std::vector<std::string> data;
  bool smallest = false, quick = false, full = false;
  std::string results = "results";  // folder
  bool stored = false;              // compute nothing
};

// Adds NAME and all flags but those of the last two fields.
void add_study_flags(CLI::App& command, StudyFlags& flags);

// Throws Error (usage) on impossible flags.
Study study_of(const StudyFlags& flags, const Globals& globals);

// The experiment, or of it only the table that `flags` name. Throws Error (usage) if there is none.
Section section_of(const Experiment& experiment, const StudyFlags& flags, Study& study);

}  // namespace mgnn
