// What arcs carry, weights and relations, from a file of data to a prediction.
#include <nlohmann/json.hpp>

#include "mgnn/base/file.h"
#include "mgnn/io/safetensors.h"
#include "mgnn/task/trained_model.h"
#include "tests/util.h"

namespace mgnn {
namespace {

using testing::error_of, testing::TempDir;

constexpr int kNodes = 60;

struct Files {
  TempDir dir;
  std::string weighted = dir / "weighted.csv", plain = dir / "plain.csv", ones = dir / "ones.csv",
              typed = dir / "typed.csv", nodes = dir / "nodes.csv";

  Files() {
    std::string with = "from,to,weight\n", without = "from,to\n", one = with,
                kinds = "from,to,relation\n", table = "id,label,x,y\n";
    for (int i = 0; i < kNodes; i++)
      for (const int step : {1, 7, 11}) {
        const std::string ends = fmt::format("n{},n{}", i, (i + step) % kNodes);
        with += fmt::format("{},{}\n", ends, 0.25 * (1 + (i * step) % 9));
        without += ends + "\n";
        one += ends + ",1\n";
        kinds += fmt::format("{},{}\n", ends, step == 1 ? "next" : "far");
      }
    for (int i = 0; i < kNodes; i++)
      table += fmt::format("n{},{},{},{}\n", i, i % 3 ? "a" : "b", i % 7, (i * i) % 11);
    write_file(weighted, with);
    write_file(plain, without);
    write_file(ones, one);
    write_file(typed, kinds);
    write_file(nodes, table);
  }

  std::unique_ptr<Config> config(const std::string& edges,
                                 const std::vector<std::string>& more = {}) const {
    ConfigLayers layers;
    for (const std::string& setting : {"data.source=" + edges, "data.nodes=" + nodes,
                                       std::string("train.epochs=3"), std::string("profile=none")})
      layers.flags.emplace_back(setting);
    for (const std::string& setting : more) layers.sets.emplace_back(setting);
    return resolve_config(std::move(layers));
  }
};

Array<float> output_of(Config& config) {
  const Dataset data = load_for_training(config);
  return run_task(config, data).output.data;
}

std::string joined_notes(const Config& config) {
  return fmt::format("{}", fmt::join(config.notes, "; "));
}

const std::vector<std::vector<std::string>> kUse = {{"model.name=gcn"},
                                                    {"model.name=sage", "model.aggregate=mean"},
                                                    {"model.name=gin"},
                                                    {"model.name=gat"},
                                                    {"model.name=mixhop"},
                                                    {"model.name=gdc"},
                                                    {"model.name=mgnn", "model.motifs=none"}};

TEST(ArcsOfData, WeightsAreUsedUnlessTurnedOff) {
  const Files files;
  for (const std::vector<std::string>& network : kUse) {
    SCOPED_TRACE(network[0]);
    std::vector<std::string> off = network;
    off.push_back("data.weighted=false");
    const auto with = files.config(files.weighted, network),
               without = files.config(files.plain, network),
               turned_off = files.config(files.weighted, off);
    const Array<float> unweighted = output_of(*without);
    EXPECT_NE(output_of(*with), unweighted);
    EXPECT_EQ(output_of(*turned_off), unweighted);
    EXPECT_EQ(joined_notes(*with), "");
    EXPECT_EQ(joined_notes(*turned_off), "");
  }
}

// Of MGNN the base layer uses weights; motif matrices do where asked, and else that is said.
TEST(ArcsOfData, MotifsAreWeighedWhereAsked) {
  const Files files;
  const auto counted = files.config(files.weighted, {"model.name=mgnn"}),
             mean = files.config(files.weighted, {"model.name=mgnn", "model.motif_weights=mean"}),
             ones = files.config(files.ones, {"model.name=mgnn", "model.motif_weights=mean"}),
             plain = files.config(files.plain, {"model.name=mgnn"});
  EXPECT_NE(output_of(*counted), output_of(*mean));
  EXPECT_EQ(joined_notes(*counted),
            "weighted: motif matrices count instances, whatever the weights of arcs (setting "
            "motif_weights)");
  EXPECT_EQ(joined_notes(*mean), "");
  const Array<float> a = output_of(*ones), b = output_of(*plain);
  for (size_t i = 0; i < a.size(); i++) EXPECT_NEAR(a[i], b[i], 1e-3);
  const auto lacking = files.config(files.plain, {"model.name=mgnn", "model.motif_weights=mean"});
  EXPECT_EQ(error_of([&] { load_for_training(*lacking); }),
            "motif_weights is mean, but plain has no weights of arcs");
}

TEST(ArcsOfData, WhatIsNotUsedIsSaid) {
  const Files files;
  const auto sage = files.config(files.weighted, {"model.name=sage"});
  const auto plain = files.config(files.plain, {"model.name=sage"});
  EXPECT_EQ(output_of(*sage), output_of(*plain));
  EXPECT_EQ(joined_notes(*sage),
            "weighted: the weights of arcs are not used by sage with these settings");
  EXPECT_EQ(joined_notes(*plain), "");
  const auto gcn = files.config(files.typed, {"model.name=gcn"}),
             rgcn = files.config(files.typed, {"model.name=rgcn"}),
             base = files.config(files.typed, {"model.name=mgnn", "model.base=rgcn"});
  load_for_training(*gcn);
  load_for_training(*rgcn);
  load_for_training(*base);
  EXPECT_EQ(joined_notes(*gcn),
            "typed: the relations of arcs are not used by gcn with these settings");
  EXPECT_EQ(joined_notes(*rgcn), "");
  EXPECT_EQ(joined_notes(*base), "");
}

TEST(ArcsOfData, BadWeightsAreRefusedBeforeTraining) {
  const Files files;
  for (const char* task : {"auto", "link", "unsupervised"}) {
    std::vector<std::string> settings = {"model.name=gat", fmt::format("task={}", task)};
    if (task == std::string("unsupervised"))
      settings.push_back("unsupervised.objective=contrastive");  // whose views have other numbers
    const auto config = files.config(files.weighted, settings);
    Dataset data = load_for_training(*config);
    data.arc_weight[5] = 0;
    EXPECT_EQ(error_of([&] { run_task(*config, data); }),
              "weighted: the arc n1 -> n12 has weight 0, but the network needs finite, positive "
              "weights")
        << task;
  }
}

TEST(ArcsOfData, ReachLearningWithoutLabels) {
  const Files files;
  for (const char* objective : {"gae", "contrastive"})
    for (const char* model : {"gcn", "rgcn"}) {
      SCOPED_TRACE(fmt::format("{} {}", objective, model));
      const bool typed = model == std::string("rgcn");
      const auto vectors = [&](const std::string& edges) {
        const auto config =
            files.config(edges, {fmt::format("model.name={}", model), "task=unsupervised",
                                 fmt::format("unsupervised.objective={}", objective)});
        const Dataset data = load_for_training(*config);
        return run_task(*config, data).runs[0].state.best_weights;
      };
      EXPECT_NE(vectors(typed ? files.typed : files.weighted), vectors(files.plain));
      if (!typed) {
        EXPECT_EQ(vectors(files.ones), vectors(files.plain));
      }
    }
}

// ---- model files

struct Stored {
  std::unique_ptr<Config> config;
  Dataset data;
  Result result;
  TrainedModel model;
};

Stored stored(const Files& files, const std::string& edges,
              const std::vector<std::string>& settings) {
  auto config = files.config(edges, settings);
  Dataset data = load_for_training(*config);
  Result result = run_task(*config, data);
  write_model(files.dir / "m", *config, data, result, true);
  return {std::move(config), std::move(data), std::move(result), read_model(files.dir / "m")};
}

TEST(ArcsOfModels, PredictionUsesWhatTrainingUsed) {
  const Files files;
  for (const auto& [edges, network] :
       std::vector<std::pair<std::string, std::string>>{{files.weighted, "gcn"},
                                                        {files.weighted, "gat"},
                                                        {files.typed, "rgcn"},
                                                        {files.weighted, "rgcn"}}) {
    Stored s = stored(files, edges, {"model.name=" + network});
    EXPECT_EQ(predict(s.model, s.data).output.data, s.result.output.data) << network;
    const Dataset loaded = load_for_prediction(s.model);
    EXPECT_EQ(predict(s.model, loaded).output.data, s.result.output.data) << network;
    EXPECT_TRUE(loaded.remarks == s.data.remarks) << network;
  }
}

TEST(ArcsOfModels, WeightsThatTrainingOrDataLack) {
  const Files files;
  struct Case {
    std::string trained_on, other, acts_as, remark;
  };
  for (const Case& c : std::vector<Case>{
           {files.plain, files.weighted, files.plain,
            "the weights of arcs are not used: the model was trained without"},
           {files.weighted, files.plain, files.ones,
            "there are no weights of arcs, with which the model was trained: all count as 1"}}) {
    SCOPED_TRACE(c.remark);
    Stored s = stored(files, c.trained_on, {"model.name=gcn"});
    const Dataset other = load_for_prediction(s.model, {"data.source=" + c.other});
    const Dataset same = load_for_prediction(s.model, {"data.source=" + c.acts_as});
    EXPECT_EQ(other.arc_weight.empty(), c.other == files.plain);
    const Array<float> output = predict(s.model, other).output.data;
    EXPECT_EQ(output, predict(s.model, same).output.data);
    EXPECT_EQ(output == s.result.output.data, c.acts_as == c.trained_on);
    EXPECT_EQ(other.remarks.back(), c.remark);
  }
}

// A file of before weights were stored: its model knows none.
TEST(ArcsOfModels, FilesThatDoNotSayWereTrainedWithout) {
  const Files files;
  Stored s = stored(files, files.plain, {"model.name=gcn"});
  SafeTensors file = read_safetensors(files.dir / "m");
  file.metadata.erase("arc_weight_sha256");
  file.metadata.erase("relation_names");
  file.metadata.erase("relations_sha256");
  file.metadata.erase("num_attributes");
  write_safetensors(files.dir / "old", file, true);
  TrainedModel old = read_model(files.dir / "old");
  const Dataset other = load_for_prediction(old, {"data.source=" + files.weighted});
  EXPECT_EQ(predict(old, other).output.data, s.result.output.data);
  EXPECT_EQ(old.features.num_attributes, s.model.features.num_attributes);
  file.metadata["num_attributes"] = "9";
  write_safetensors(files.dir / "old", file, true);
  EXPECT_NE(error_of([&] { read_model(files.dir / "old"); }).find("invalid num_attributes \"9\""),
            std::string::npos);
}

TEST(ArcsOfModels, RelationsAreFoundByName) {
  const Files files;
  Stored s = stored(files, files.typed, {"model.name=rgcn"});
  Dataset other = s.data;
  std::swap(other.relations[0], other.relations[1]);
  EXPECT_EQ(predict(s.model, other).output.data, s.result.output.data);
  std::swap(other.relations[0].name, other.relations[1].name);
  EXPECT_NE(predict(s.model, other).output.data, s.result.output.data);
  other.relations[0].name = "new";
  EXPECT_EQ(error_of([&] { predict(s.model, other); }),
            "typed: the relation \"new\" is not one of the 2 that the model was trained with");
  other.relations.clear();
  EXPECT_EQ(error_of([&] { predict(s.model, other); }),
            "typed: has no relations, but the model was trained with 2");
  Dataset fewer = s.data;
  fewer.relations.pop_back();
  EXPECT_NO_THROW(predict(s.model, fewer));
}

TEST(ArcsOfModels, LinksAreThoseOfTheSameWeightsAndRelations) {
  const Files files;
  Stored gcn = stored(files, files.weighted, {"model.name=gcn", "task=link"});
  EXPECT_EQ(predict(gcn.model, gcn.data).output.data, gcn.result.output.data);
  Dataset other = gcn.data;
  other.arc_weight[0] += 1;
  const std::string told = error_of([&] { predict(gcn.model, other); });
  EXPECT_NE(told.find("is not the data that the model was trained on"), std::string::npos) << told;
  Stored rgcn = stored(files, files.typed, {"model.name=rgcn", "task=link"});
  EXPECT_EQ(predict(rgcn.model, rgcn.data).output.data, rgcn.result.output.data);
  other = rgcn.data;
  std::swap(other.relations[0].name, other.relations[1].name);
  EXPECT_NE(error_of([&] { predict(rgcn.model, other); }), "");
}

}  // namespace
}  // namespace mgnn
