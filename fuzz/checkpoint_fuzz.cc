// Checkpoints of half-trained networks, read into a training that has the weights of the first inputs.
#include "fuzz/scratch.h"
#include "fuzz/tensor_file.h"
#include "mgnn/base/error.h"
#include "mgnn/task/checkpoint.h"
#include "mgnn/task/result.h"

namespace {

using namespace mgnn;

// A network of two weight matrices, as the one in the corpus.
Repetition layout() {
  Repetition run;
  Rng rng(0);
  run.state.weights.add("first.weight", 3, 2, {}, rng);
  run.state.weights.add("last.weight", 2, 2, {}, rng);
  return run;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  static const fuzz::Scratch scratch;
  try {
    Repetition run = layout();
    const std::string path =
        scratch.write("checkpoint.safetensors", fuzz::without_sums(data, size));
    read_checkpoint(path, run, "data");
  } catch (const Error&) {
  }
  return 0;
}
