// Half-trained networks as files (safetensors).
#pragma once

#include <functional>
#include <string>

#include "mgnn/task/config.h"
#include "mgnn/task/result.h"

namespace mgnn {

using Warning = std::function<void(const std::string& sentence)>;

// Everything that `train` needs to go on. `data`: fingerprint_for_training of what is learned from.
void write_checkpoint(const std::string& path, const Repetition& run, const std::string& data);
// Into a repetition whose weights are laid out. Throws Error (data) if they do not fit, or if the
// training was begun with other data.
void read_checkpoint(const std::string& path, Repetition& run, const std::string& data);

struct CheckpointOptions {
  int64_t every = 0;    // epochs; 0: not by epochs, only every five minutes and when interrupted
  bool resume = false;  // read those that are there
  std::string data;     // fingerprint_for_training
  // Given a sentence if a checkpoint cannot be written; the training goes on, and the next one may
  // succeed. Without it the training ends with Error.
  Warning warn = {};
};
// What `train_all` needs to write checkpoints: <prefix>N.safetensors for repetition N.
TrainingCallbacks checkpoints_at(const std::string& prefix, const CheckpointOptions& options);
// Throws Error (failed) if one cannot be removed.
void remove_checkpoints(const std::string& prefix);
// One sentence if checkpoints were written with other instructions than the kernels have here, so
// that sums are rounded differently from there on; else empty.
std::string note_on_checkpoints(const std::string& prefix);

// The same from rank to rank. REQUIRES: at least one step was made.
std::string checkpoint_bytes(const Repetition& run);
void read_checkpoint_bytes(std::string_view bytes, Repetition& run);

}  // namespace mgnn
