// Trained networks: read, and asked for predictions of a small graph with the features they want.
#include "fuzz/scratch.h"
#include "fuzz/tensor_file.h"
#include "mgnn/base/error.h"
#include "mgnn/base/memory.h"
#include "mgnn/task/trained_model.h"

namespace {

using namespace mgnn;

Dataset small_graph(const TrainedModel& model) {
  Dataset d;
  d.name = "fuzz";
  d.graph = make_graph(4, {{0, 1}, {1, 2}, {2, 0}, {3, 2}, {2, 3}});
  d.feature_names = model.features.names;
  d.num_attributes = model.features.num_attributes;
  if (model.shape.in <= 64) d.features = Matrix(4, NodeId(model.shape.in));
  return d;
}

}  // namespace

extern "C" int LLVMFuzzerInitialize(int*, char***) {
  mgnn::set_memory_limit(int64_t(1) << 30);
  return 0;
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  static const fuzz::Scratch scratch;
  try {
    TrainedModel model =
        read_model(scratch.write("model.safetensors", fuzz::without_sums(data, size)));
    predict(model, small_graph(model));
  } catch (const Error&) {
  }
  return 0;
}
