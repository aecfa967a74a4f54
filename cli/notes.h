// What a verb says on stderr of the data that it read.
#pragma once

#include <span>

#include "cli/verb.h"
#include "mgnn/data/dataset.h"

namespace mgnn {

// One line with what was understood of the user's file, unless --quiet, and with --strict an Error (data)
// of the first note, if there is one.
void tell_reading(const Dataset& dataset, const Globals& globals,
                  std::span<const std::string> notes = {});
// The same, and every note of the dataset and `notes` as a warning.
void tell_notes(const Dataset& dataset, const Globals& globals,
                std::span<const std::string> notes = {});

}  // namespace mgnn
