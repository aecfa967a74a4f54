// Half-trained networks as files (safetensors).
#pragma once

#include "mgnn/task/config.h"
#include "mgnn/task/result.h"

namespace mgnn {

// Everything that `train` needs to go on.
void write_checkpoint(const std::string& path, const Repetition& run);
// Into a repetition whose weights are laid out. Throws Error (data) if they do not fit.
void read_checkpoint(const std::string& path, Repetition& run);

struct CheckpointOptions {
  int64_t every = 0;    // epochs; 0: not by epochs, only every five minutes and when interrupted
  bool resume = false;  // read those that are there
};
// What `train_all` needs to write checkpoints: <prefix>N.safetensors for repetition N.
TrainingCallbacks checkpoints_at(const std::string& prefix, const CheckpointOptions& options);
void remove_checkpoints(const std::string& prefix);

}  // namespace mgnn
