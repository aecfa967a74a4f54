// A training as a page to look at.
#pragma once

#include "mgnn/report/html.h"
#include "mgnn/task/config.h"
#include "mgnn/task/result.h"

namespace mgnn {

using ProgramFacts = std::vector<std::pair<std::string, std::string>>;

// Scores, curves, classes and confusions, motif census and importance, a map of the representation,
// configuration, versions, seeds and the command (empty: not told).
Page train_page(Config& config, const Dataset& dataset, const Result& result,
                const std::string& command, const ProgramFacts& program);

// What a page says of the program that made it.
Section made_with(const std::string& command, const ProgramFacts& program,
                  const std::string& configuration);

}  // namespace mgnn
