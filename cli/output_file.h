// Where a verb writes its result.
#pragma once

#include <CLI/App.hpp>
#include <string>

#include "mgnn/data/dataset.h"

namespace mgnn {

struct OutputFile {
  std::string path;
  std::string format;  // empty: by the ending of the path
  bool force = false;
  bool dry_run = false;
};

// Adds --format, --force and --dry-run; the caller adds the flag or argument for the path.
void add_output_options(CLI::App& command, OutputFile& output);

// Throws Error (usage) if the file exists and may not be replaced, so that nobody waits for a
// result that is then lost.
void check_output(const OutputFile& output);

// Writes, or prints what would be written. With `json` prints an object of path, format and sizes
// unless the graph itself goes to standard output.
void write_output(const OutputFile& output, const Dataset& dataset, bool json);

}  // namespace mgnn
