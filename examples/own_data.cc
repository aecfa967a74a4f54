// From tables of one's own to a trained network, with an honest score.
//   own_data EDGES NODES MODEL     an edge list, a table with the columns id and label, and the
//                                  file to write; club-edges.tsv and club-nodes.csv are an example
#include <mgnn/mgnn.h>

#include <cstdio>

int main(int argc, char** argv) try {
  if (argc != 4) mgnn::fail_usage("own_data EDGES NODES MODEL");
  const std::unique_ptr<mgnn::Config> config = mgnn::resolve_config(
      {.sets = {{"data.source", argv[1]},
                {"data.nodes", argv[2]},
                {"data.undirected", true},
                {"data.features", "degree-profile"},  // the tables have none of their own
                {"model.name", "mgnn"},
                {"train.epochs", int64_t(200)},
                {"seeds", int64_t(3)}}});
  const mgnn::Dataset data = mgnn::load_for_training(*config);
  const mgnn::Result result = mgnn::run_task(*config, data);
  for (const std::string& note : config->notes) std::printf("note: %s\n", note.c_str());
  // The epoch is selected by validation data; test data are evaluated once, with its weights.
  std::printf("%s of %s: %s %.3f ± %.3f on test nodes, %zu seeds\n", config->model.c_str(),
              data.name.c_str(), result.metric.name.c_str(), result.test().mean, result.test().std,
              result.runs.size());
  mgnn::write_model(argv[3], *config, data, result, /*overwrite=*/true);
  std::printf("%s: %ld parameters\n", argv[3], long(result.parameters));
} catch (const mgnn::Error& error) {
  std::fprintf(stderr, "own_data: %s\n", error.what());
  return int(error.kind());
}
