// Half-trained networks as files (safetensors).
#pragma once

#include "mgnn/task/result.h"

namespace mgnn {

// Everything that `train` needs to go on.
void write_checkpoint(const std::string& path, const Repetition& run);
// Into a repetition whose weights are laid out. Throws Error (data) if they do not fit.
void read_checkpoint(const std::string& path, Repetition& run);

}  // namespace mgnn
