// What a stored network says of the data that it was trained on, or of others.
//   predict MODEL [EDGES]     a file that own_data wrote; a graph with the same kind of features
#include <mgnn/mgnn.h>

#include <algorithm>
#include <cstdio>

int main(int argc, char** argv) try {
  if (argc < 2) mgnn::fail_usage("predict MODEL [EDGES]");
  mgnn::TrainedModel model = mgnn::read_model(argv[1]);
  mgnn::Settings other_data;
  if (argc > 2) other_data = {{"data.source", argv[2]}, {"data.nodes", ""}};
  const mgnn::Dataset data = mgnn::load_for_prediction(model, other_data);
  const mgnn::Matrix logits = mgnn::predict(model, data).output;
  const mgnn::Matrix probability = mgnn::softmax_rows(logits, model.fitted.at("temperature"));
  for (mgnn::NodeId v = 0; v < std::min<mgnn::NodeId>(data.graph.num_nodes(), 5); v++) {
    const int32_t best = mgnn::best_class(probability.row(v));
    std::printf("%s\t%s\t%.3f\n", data.ids.name(v).c_str(), model.class_names[best].c_str(),
                double(probability(v, best)));
  }
} catch (const mgnn::Error& error) {
  std::fprintf(stderr, "predict: %s\n", error.what());
  return int(error.kind());
}
