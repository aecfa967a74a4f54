// Embeddings judged by logistic regression.
#include <fmt/format.h>

#include "experiments/cells.h"
#include "mgnn/base/toml.h"
#include "mgnn/task/probe.h"
#include "mgnn/task/streams.h"

namespace mgnn {
namespace {

struct ProbeScore {
  double test = 0, validation = 0, c = 1;
};

// The regularisation that validation items prefer; of equal ones the first.
ProbeScore tuned_probe(const Matrix& z, const Dataset& dataset, const Split& split) {
  ProbeScore best{0, -1, 1};
  for (const double c : {0.01, 0.1, 1., 10.}) {
    const LogisticRegression model = fit_logistic_regression(
        z, dataset.label, split.train, dataset.num_classes(), {.c = c, .standardise = true});
    const double validation = accuracy(model, z, dataset.label, split.validation);
    if (validation > best.validation)
      best = {accuracy(model, z, dataset.label, split.test), validation, c};
  }
  return best;
}

Stored fair_embedding(const Matrix& z, const Dataset& dataset, uint64_t seed) {
  const std::vector<Split> splits =
      select_splits(dataset, dataset.label, {}, Rng(seed).split(kSplitStream), 0);
  Json test = Json::array(), validation = Json::array(), c = Json::array();
  for (const Split& split : splits) {
    const ProbeScore score = tuned_probe(z, dataset, split);
    test.push_back(score.test);
    validation.push_back(score.validation);
    c.push_back(score.c);
  }
  return {{{"test", test}, {"validation", validation}, {"c", c}}, {}};
}

bool has_public_split(const std::string& data) {
  return data == "cora" || data == "citeseer" || data == "pubmed";
}

}  // namespace

CellScores embedding_cells(Study& study, const std::string& data, const std::string& name,
                           Protocol setting, int64_t seeds) {
  const EmbeddingMethod& method = find_embedding_method(name);
  const bool paper = setting == Protocol::paper;
  const bool karateclub = paper && !method.karateclub.empty();
  const bool nodes = method.level == Level::node;
  const std::string papers = has_public_split(data) ? "public"
                             : nodes                ? "random"
                                                    : "sklearn:12345";  // as the networks have
  const std::string split = paper ? papers : "random";
  CellScores scores;
  std::string first_command;
  for (int64_t s = 0; s < seeds; s++) {
    const std::unique_ptr<Embedding> embedding = make_embedding(
        method, {}, karateclub ? EmbeddingVariant::karateclub : EmbeddingVariant::paper);
    for (const Option& option : embedding->options()) {
      if (option.name == "seed") option.set(fmt::format("{}", s));
      if (study.size() == Size::smallest && option.name == "epochs") option.set("1");
      if (study.size() == Size::smallest && option.name == "walks") option.set("2");
    }
    Json settings = {{"setting", name_of(setting)}, {"split", split}};
    for (const Option& option : embedding->options()) settings[option.name] = toml_of(option.get());
    const std::string command =
        paper ? fmt::format(
                    "mgnn embed {} --method {} -s {}{} --split {} --no-scale --evaluate --seeds 1",
                    data, name, s, karateclub ? " --variant karateclub" : "", split)
              : fmt::format("mgnn reproduce {} --setting fair --{} --seeds {}{}",
                            nodes ? "node_classification" : "graph_classification",
                            name_of(study.size()), s + 1,
                            study.size() == Size::smallest ? "" : " --data " + data);
    const CellKey key{.kind = "embed",
                      .data = data,
                      .method = name,
                      .seed = uint64_t(s),
                      .settings = settings,
                      .command = command};
    const Stored stored = study.cell(key, [&]() -> Stored {
      const auto config = config_of(study, data, "gcn");
      const Dataset& dataset = study.data(*config);
      const Matrix z = embed(dataset, method, *embedding);
      if (!paper) return fair_embedding(z, dataset, uint64_t(s));
      ProbeOptions options{.seed = uint64_t(s), .seeds = 1, .split = {.name = split}};
      options.regression.standardise = false;
      return {{{"test", probe(z, dataset, options).accuracy}}, {}};
    });
    for (const double score : stored.value["test"]) scores.test.push_back(score);
    scores.from += stored.file + "\n";
    if (s == 0) first_command = command;
  }
  scores.from += first_command;
  return scores;
}

}  // namespace mgnn
