// Trains a network for links, and lists the likeliest pairs that no edge joins.
//   ranking [DATA] [MODEL]     a dataset's name or an edge list (default: the embedded knowledge
//                              graph toykg), and where to write the network (default: ranking.safetensors)
#include <mgnn/mgnn.h>

#include <cstdio>

int main(int argc, char** argv) try {
  const std::string path = argc > 2 ? argv[2] : "ranking.safetensors";
  const std::unique_ptr<mgnn::Config> config =
      mgnn::resolve_config({.sets = {{"task", "link"},
                                     {"data.source", argc > 1 ? argv[1] : "toykg"},
                                     {"train.epochs", int64_t(100)}}});
  const mgnn::Dataset data = mgnn::load_for_training(*config);
  const mgnn::Result result = mgnn::run_task(*config, data);
  std::printf("%s %.3f on held-out links\n", result.metric.name.c_str(), result.test().mean);
  mgnn::write_model(path, *config, data, result, /*overwrite=*/true);

  mgnn::TrainedModel model = mgnn::read_model(path);
  const mgnn::Ranking ranking = mgnn::rank_links(model, data, {.top = 5});
  for (size_t i = 0; i < ranking.pairs.size(); i++)
    std::printf("%zu\t%s\t%s\t%.3f\n", i + 1, data.ids.name(ranking.pairs[i].from).c_str(),
                data.ids.name(ranking.pairs[i].to).c_str(), ranking.probability[i]);
} catch (const mgnn::Error& error) {
  std::fprintf(stderr, "ranking: %s\n", error.what());
  return int(error.kind());
}
