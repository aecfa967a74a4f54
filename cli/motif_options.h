// The flags of every verb that counts motifs.
#pragma once

#include <CLI/App.hpp>
#include <string>

#include "mgnn/motif/motifs.h"

namespace mgnn {

// Adds --counting.
void add_counting_option(CLI::App& command, Counting& counting);

// Adds --motifs.
void add_motifs_option(CLI::App& command, MotifSet& motifs);

// Names, drawings and triad codes of the motifs, for the help text.
std::string motif_legend();

}  // namespace mgnn
