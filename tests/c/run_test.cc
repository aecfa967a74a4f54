// Datasets of the caller's arrays, training, and what trained networks say.

#include <cmath>
#include <filesystem>
#include <fstream>

#include "tests/c/support.h"

namespace {

namespace fs = std::filesystem;

// Two groups of nodes, joined mostly within; the class is the group.
struct Groups {
  Arcs arcs;
  std::vector<int64_t> label;
  std::vector<float> x;
  static constexpr int64_t kNodes = 120, kColumns = 5;
};
Groups two_groups() {
  Groups groups{.arcs = random_arcs(Groups::kNodes, 900, 11)};
  for (size_t i = 0; i < groups.arcs.from.size(); i++)
    if (i % 8 != 0) groups.arcs.to[i] = groups.arcs.to[i] / 2 * 2 + groups.arcs.from[i] % 2;
  for (int64_t v = 0; v < Groups::kNodes; v++) {
    groups.label.push_back(v % 2);
    for (int64_t c = 0; c < Groups::kColumns; c++)
      groups.x.push_back(float(std::sin(double(v * 7 + c)) + 0.2 * double(v % 2)));
  }
  return groups;
}

DatasetHandle dataset_of(const Groups& groups, bool borrow = false, int* released = nullptr) {
  const GraphHandle graph = graph_of(groups.arcs);
  DatasetHandle dataset = made<DatasetHandle>(
      [&](mgnn_dataset** d) { return mgnn_dataset_new(graph.get(), "groups", d); });
  const int64_t n = Groups::kNodes, columns = Groups::kColumns;
  if (borrow)
    EXPECT_OK(mgnn_dataset_borrow_features(
        dataset.get(), n, columns, groups.x.data(), -1,
        [](void* context) { ++*static_cast<int*>(context); }, released));
  else
    EXPECT_OK(mgnn_dataset_set_features(dataset.get(), n, columns, groups.x.data(), -1));
  const char* names[] = {"even", "odd"};
  EXPECT_OK(mgnn_dataset_set_labels(dataset.get(), n, groups.label.data(), 2, names));
  return dataset;
}

RunHandle trained(const mgnn_dataset* dataset, const char* settings, const char* output = nullptr) {
  auto options = sized<mgnn_train_options>();
  options.settings = settings;
  options.output = output;
  return made<RunHandle>(
      [&](mgnn_run** run) { return mgnn_train(nullptr, dataset, &options, run); });
}

std::vector<float> predicted(const mgnn_run* run, const mgnn_dataset* data,
                             int32_t what = MGNN_PROBABILITIES) {
  const auto matrix = made<MatrixHandle>(
      [&](mgnn_matrix** m) { return mgnn_run_predict(nullptr, run, data, what, m); });
  return values_of(matrix.get());
}

constexpr const char* kQuick = "epochs = 30\nmodel.name = \"gcn\"\nseed = 2\n";

TEST(CDataset, KeepsWhatItIsGiven) {
  const Groups groups = two_groups();
  const DatasetHandle dataset = dataset_of(groups);
  auto arrays = sized<mgnn_dataset_arrays>();
  ASSERT_OK(mgnn_dataset_get_arrays(dataset.get(), &arrays));
  EXPECT_TRUE(std::equal(groups.x.begin(), groups.x.end(), arrays.features));
  EXPECT_EQ(arrays.num_items, Groups::kNodes);
  EXPECT_EQ(arrays.label[3], 1);
  EXPECT_EQ(arrays.target, nullptr);
  std::vector<uint8_t> role(size_t(Groups::kNodes), MGNN_TRAIN), found(role.size());
  for (size_t i = 0; i < 30; i++) role[i] = uint8_t(i % 4);
  ASSERT_OK(mgnn_dataset_add_split(dataset.get(), "mine", Groups::kNodes, role.data()));
  ASSERT_OK(mgnn_dataset_split(dataset.get(), "mine", 0, 0, 0, 0, found.data()));
  EXPECT_EQ(found, role);
  const auto info = json_of([&](mgnn_buffer** b) { return mgnn_dataset_info(dataset.get(), b); });
  EXPECT_EQ(info["class_names"], (std::vector<std::string>{"even", "odd"}));
  EXPECT_EQ(info["splits"][0]["name"], "mine");
}

TEST(CDataset, RefusesWhatDoesNotFit) {
  const Groups groups = two_groups();
  const DatasetHandle dataset = dataset_of(groups);
  mgnn_dataset* d = dataset.get();
  EXPECT_EQ(mgnn_dataset_set_features(d, 7, 5, groups.x.data(), -1), MGNN_USAGE);
  EXPECT_EQ(mgnn_dataset_set_labels(d, 7, groups.label.data(), 0, nullptr), MGNN_USAGE);
  std::vector<int64_t> wrong = groups.label;
  wrong[5] = 9;
  const char* names[] = {"a", "b"};
  EXPECT_EQ(mgnn_dataset_set_labels(d, Groups::kNodes, wrong.data(), 2, names), MGNN_USAGE);
  EXPECT_EQ(std::string(last_error().message), "class 9 of item 5 is not one of -1 to 1");
  const int64_t from[] = {0}, to[] = {0};
  EXPECT_EQ(mgnn_dataset_add_relation(d, "self", 1, from, to), MGNN_USAGE);
  const int64_t start[] = {0, 60, 120};
  EXPECT_EQ(mgnn_dataset_set_graphs(d, 2, start), MGNN_USAGE);  // labels are there
}

TEST(CDataset, BorrowsFeatures) {
  const Groups groups = two_groups();
  int released = 0;
  std::vector<float> probabilities;
  {
    const DatasetHandle dataset = dataset_of(groups, /*borrow=*/true, &released);
    auto arrays = sized<mgnn_dataset_arrays>();
    ASSERT_OK(mgnn_dataset_get_arrays(dataset.get(), &arrays));
    EXPECT_EQ(arrays.features, groups.x.data());
    const RunHandle run = trained(dataset.get(), kQuick);
    probabilities = predicted(run.get(), nullptr);
    EXPECT_EQ(released, 0);
  }
  EXPECT_EQ(released, 1);
  EXPECT_EQ(groups.x, two_groups().x);  // nobody has written to them
  const DatasetHandle copied = dataset_of(groups);
  EXPECT_EQ(predicted(trained(copied.get(), kQuick).get(), nullptr), probabilities);
}

TEST(CRun, LearnsAndPredicts) {
  const Groups groups = two_groups();
  const DatasetHandle dataset = dataset_of(groups);
  const RunHandle run = trained(dataset.get(), kQuick);
  const auto result = json_of([&](mgnn_buffer** b) { return mgnn_run_result(run.get(), b); });
  EXPECT_EQ(result["task"], "node");
  EXPECT_GT(result["test"]["mean"], 0.6);
  const std::vector<float> p = predicted(run.get(), nullptr);
  ASSERT_EQ(p.size(), 2 * size_t(Groups::kNodes));
  for (size_t i = 0; i < p.size(); i += 2) EXPECT_NEAR(p[i] + p[i + 1], 1, 1e-5);
  EXPECT_EQ(predicted(run.get(), dataset.get()), p);
  EXPECT_EQ(predicted(run.get(), dataset.get(), MGNN_REPRESENTATIONS).size(),
            16 * size_t(Groups::kNodes));
  const auto confusion = json_of([&](mgnn_buffer** b) { return mgnn_run_confusion(run.get(), b); });
  EXPECT_EQ(confusion.size(), 2u);
  // It keeps what it was trained on.
  EXPECT_EQ(mgnn_dataset_set_targets(dataset.get(), 0, nullptr), MGNN_USAGE);
}

TEST(CRun, GoesThroughBytesAndFiles) {
  const Groups groups = two_groups();
  const DatasetHandle dataset = dataset_of(groups);
  const std::string folder = ::testing::TempDir() + "c_run";
  fs::remove_all(folder);
  const RunHandle run = trained(dataset.get(), kQuick, folder.c_str());
  const std::vector<float> p = predicted(run.get(), dataset.get());
  const std::string bytes =
      bytes_of([&](mgnn_buffer** b) { return mgnn_run_to_bytes(run.get(), b); });
  const auto parsed = made<RunHandle>([&](mgnn_run** r) {
    return mgnn_run_from_bytes(nullptr, bytes.data(), int64_t(bytes.size()), r);
  });
  EXPECT_EQ(predicted(parsed.get(), dataset.get()), p);
  EXPECT_EQ(bytes_of([&](mgnn_buffer** b) { return mgnn_run_to_bytes(parsed.get(), b); }), bytes);
  const auto opened =
      made<RunHandle>([&](mgnn_run** r) { return mgnn_run_open(nullptr, folder.c_str(), r); });
  EXPECT_EQ(predicted(opened.get(), dataset.get()), p);
  const auto history = [](const mgnn_run* r) {
    return json_of([&](mgnn_buffer** b) { return mgnn_run_history(r, b); });
  };
  EXPECT_EQ(history(opened.get()), history(run.get()));
  EXPECT_EQ(history(run.get()).size(), 30u);
  const auto result = [](const mgnn_run* r) {
    return json_of([&](mgnn_buffer** b) { return mgnn_run_result(r, b); });
  };
  EXPECT_EQ(result(opened.get())["test"], result(run.get())["test"]);
  mgnn_matrix* none = nullptr;
  EXPECT_EQ(mgnn_run_predict(nullptr, opened.get(), nullptr, 0, &none), MGNN_USAGE);  // no file
  auto options = sized<mgnn_train_options>();
  options.settings = kQuick;
  options.output = folder.c_str();
  mgnn_run* again = nullptr;
  EXPECT_EQ(mgnn_train(nullptr, dataset.get(), &options, &again), MGNN_USAGE);  // has a run
  const std::string file = folder + "/copy.safetensors";
  EXPECT_OK(mgnn_run_save(run.get(), file.c_str(), 0));
  EXPECT_EQ(mgnn_run_save(run.get(), file.c_str(), 0), MGNN_USAGE);
  std::string broken = bytes;
  broken[broken.size() / 2] ^= 1;
  EXPECT_EQ(mgnn_run_from_bytes(nullptr, broken.data(), int64_t(broken.size()), &again), MGNN_DATA);
  fs::remove_all(folder);
}

std::string content_of(const std::string& path) {
  std::ifstream file(path);
  return {std::istreambuf_iterator<char>(file), {}};
}

TEST(CRun, WritesTheReportOfItsTraining) {
  const DatasetHandle dataset = dataset_of(two_groups());
  const RunHandle run = trained(dataset.get(), kQuick);
  const std::string path = ::testing::TempDir() + "c_report.html";
  fs::remove(path);
  ASSERT_OK(mgnn_run_report(nullptr, run.get(), path.c_str(), 0));
  const std::string page = content_of(path);
  for (const char* part : {"<title>gcn on groups", "Loss by epoch", "Confusions", "Motif census",
                           "Map of the representation", "config.toml", "sha256 of the data"})
    EXPECT_NE(page.find(part), std::string::npos) << part;
  EXPECT_EQ(mgnn_run_report(nullptr, run.get(), path.c_str(), 0), MGNN_USAGE);
  EXPECT_EQ(content_of(path), page);
  EXPECT_OK(mgnn_run_report(nullptr, run.get(), path.c_str(), 1));
  const std::string bytes =
      bytes_of([&](mgnn_buffer** b) { return mgnn_run_to_bytes(run.get(), b); });
  const auto opened = made<RunHandle>([&](mgnn_run** r) {
    return mgnn_run_from_bytes(nullptr, bytes.data(), int64_t(bytes.size()), r);
  });
  EXPECT_EQ(mgnn_run_report(nullptr, opened.get(), path.c_str(), 1), MGNN_USAGE);
  EXPECT_NE(std::string(last_error().message).find("of this process"), std::string::npos);
  fs::remove(path);
}

TEST(CRun, ACallbackSeesEpochsAndStops) {
  const DatasetHandle dataset = loaded("karate");
  struct Seen {
    int64_t epochs = 0;
    double loss = 0;
  } seen;
  auto options = sized<mgnn_train_options>();
  options.settings = "epochs=500\npatience=0\n";
  options.context = &seen;
  options.validated = [](void* context, const mgnn_epoch* epoch) -> int32_t {
    auto& s = *static_cast<Seen*>(context);
    EXPECT_EQ(epoch->epoch, ++s.epochs);
    s.loss = epoch->train_loss;
    return epoch->epoch == 12;
  };
  const auto run = made<RunHandle>(
      [&](mgnn_run** r) { return mgnn_train(nullptr, dataset.get(), &options, r); });
  EXPECT_EQ(seen.epochs, 12);
  EXPECT_GT(seen.loss, 0);
  const auto history = json_of([&](mgnn_buffer** b) { return mgnn_run_history(run.get(), b); });
  EXPECT_EQ(history.size(), 12u);
}

TEST(CRun, RefusesWrongSettings) {
  const DatasetHandle dataset = loaded("karate");
  const auto refused = [&](const char* settings) {
    auto options = sized<mgnn_train_options>();
    options.settings = settings;
    mgnn_run* run = nullptr;
    EXPECT_EQ(mgnn_train(nullptr, dataset.get(), &options, &run), MGNN_USAGE) << settings;
    return std::string(last_error().message);
  };
  EXPECT_NE(refused("epoch=3").find("epochs"), std::string::npos);
  EXPECT_NE(refused("model.name=gnc").find("gcn"), std::string::npos);
  EXPECT_NE(refused("nodes=table.csv").find("is read already"), std::string::npos);
  EXPECT_NE(refused("task=graph").find("graph"), std::string::npos);
  mgnn_run* run = nullptr;
  EXPECT_EQ(mgnn_train(nullptr, nullptr, nullptr, &run), MGNN_USAGE);  // no data
  EXPECT_EQ(mgnn_run_open(nullptr, "/no/such/run", &run), MGNN_DATA);
  EXPECT_EQ(std::string(last_error().hint), "train");
}

TEST(CRun, SettingsAreListed) {
  const auto settings =
      json_of([](mgnn_buffer** b) { return mgnn_settings("model.name=gat\ntrain.epochs=7", b); });
  bool found = false;
  for (const auto& setting : settings)
    if (setting["name"] == "train.epochs") found = setting["value"] == 7;
  EXPECT_TRUE(found);
  EXPECT_EQ(json_of(mgnn_networks)[0]["name"], "mgnn");
  EXPECT_EQ(json_of(mgnn_tasks)[0]["name"], "node");
  EXPECT_EQ(json_of(mgnn_embed_methods).size(), 8u);
}

TEST(CRun, ComparesAndSearches) {
  const DatasetHandle dataset = loaded("karate");
  const char* models[] = {"gcn", "mgnn", "node2vec"};
  auto compare = sized<mgnn_compare_options>();
  compare.models = models;
  compare.num_models = 3;
  compare.settings = "epochs=5\nseeds=2";
  const auto compared =
      json_of([&](mgnn_buffer** b) { return mgnn_compare(nullptr, dataset.get(), &compare, b); });
  ASSERT_EQ(compared["models"].size(), 3u) << compared.dump();
  EXPECT_EQ(compared["models"][1]["model"], "mgnn");
  EXPECT_EQ(compared["models"][2]["test"]["runs"].size(), 2u);
  const std::string folder = ::testing::TempDir() + "c_search";
  fs::remove_all(folder);
  const char* dimensions[] = {"train.learning_rate=0.001~0.05", "model.per_motif=2|4"};
  auto search = sized<mgnn_search_options>();
  search.trials = 3;
  search.seed = 5;
  search.dimensions = dimensions;
  search.num_dimensions = 2;
  search.settings = "epochs=5";
  search.folder = folder.c_str();
  const auto trials = [&] {
    return json_of(
        [&](mgnn_buffer** b) { return mgnn_search(nullptr, dataset.get(), &search, b); });
  };
  const auto first = trials();
  ASSERT_EQ(first.size(), 3u);
  EXPECT_GE(first[0]["validation"]["mean"], first[2]["validation"]["mean"]);
  EXPECT_EQ(trials(), first);  // from the folder
  search.seed = 6;
  mgnn_buffer* none = nullptr;
  EXPECT_EQ(mgnn_search(nullptr, dataset.get(), &search, &none), MGNN_USAGE);  // another plan
  fs::remove_all(folder);
}

// ---- networks on tensors

TEST(CNetwork, GradientsAreDifferences) {
  const int64_t n = 30, in = 4;
  const GraphHandle graph = graph_of(random_arcs(n, 150, 3));
  auto options = sized<mgnn_network_options>();
  options.settings = "layers=3\nper_motif=2\nmotif_dropout=0\nattention_dropout=0\ninput_dropout=0";
  options.in = in;
  const auto network =
      made<NetworkHandle>([&](mgnn_network** m) { return mgnn_network_new(&options, m); });
  const auto info = json_of([&](mgnn_buffer** b) { return mgnn_network_info(network.get(), b); });
  ASSERT_EQ(info["representation"], 26);  // no head: 13 motifs of 2 columns
  const auto operators = made<OperatorsHandle>([&](mgnn_operators** o) {
    return mgnn_operators_new(nullptr, network.get(), graph.get(), nullptr, o);
  });
  const auto pass =
      made<PassHandle>([&](mgnn_pass** p) { return mgnn_pass_new(network.get(), p); });
  int64_t count = 0;
  ASSERT_OK(mgnn_network_num_weights(network.get(), &count));
  std::vector<std::vector<float>> weights, gradients;
  std::vector<const float*> at;
  std::vector<float*> gradient_at;
  for (int64_t i = 0; i < count; i++) {
    auto weight = sized<mgnn_weight_info>();
    ASSERT_OK(mgnn_network_weight(network.get(), i, &weight));
    weights.emplace_back(weight.values, weight.values + weight.rows * weight.cols);
    gradients.emplace_back(weights.back().size());
  }
  for (auto& w : weights) at.push_back(w.data());
  for (auto& g : gradients) gradient_at.push_back(g.data());
  std::vector<float> x(size_t(n * in)), y(size_t(n * 26)), d_x(x.size());
  for (size_t i = 0; i < x.size(); i++) x[i] = float(std::sin(double(i)));
  const std::vector<float> d_y(y.size(), 1.f);
  auto forward = sized<mgnn_forward>();
  forward.rows = n, forward.cols = in;
  forward.x = x.data();
  forward.weights = at.data();
  forward.training = forward.keeps_gradient = forward.x_learns = 1;
  forward.representation = y.data();
  const auto sum = [&] {
    EXPECT_OK(mgnn_pass_forward(nullptr, pass.get(), operators.get(), &forward));
    double total = 0;
    for (const float v : y) total += double(v);
    return total;
  };
  const auto slope = [&](float& value) {
    const float kept = value, step = 1e-2f;
    value = kept + step;
    const double up = sum();
    value = kept - step;
    const double down = sum();
    value = kept;
    return (up - down) / (2. * double(step));
  };
  auto backward = sized<mgnn_backward>();
  backward.d_representation = d_y.data();
  backward.d_weights = gradient_at.data();
  backward.d_x = d_x.data();
  sum();
  ASSERT_OK(mgnn_pass_backward(nullptr, pass.get(), &backward));
  const std::vector<float> gradient_of_x = d_x;
  for (const size_t i : {0u, 17u, 63u, 119u}) {
    const double expected = slope(x[i]);
    EXPECT_NEAR(gradient_of_x[i], expected, 0.05 * (1 + std::abs(expected))) << i;
  }
  for (size_t w = 0; w < weights.size(); w++) {
    const double expected = slope(weights[w][0]);
    EXPECT_NEAR(gradients[w][0], expected, 0.05 * (1 + std::abs(expected))) << w;
  }
}

TEST(CNetwork, RefusesShapesThatDoNotFit) {
  auto options = sized<mgnn_network_options>();
  options.name = "gcn";
  options.in = 4;
  mgnn_network* none = nullptr;
  EXPECT_EQ(mgnn_network_new(&options, &none), MGNN_USAGE);  // no output
  options.out = 2;
  options.settings = "layer=3";
  EXPECT_EQ(mgnn_network_new(&options, &none), MGNN_USAGE);
  options.settings = nullptr;
  const auto network =
      made<NetworkHandle>([&](mgnn_network** m) { return mgnn_network_new(&options, m); });
  const GraphHandle graph = graph_of({3, {0, 1}, {1, 2}});
  const auto operators = made<OperatorsHandle>([&](mgnn_operators** o) {
    return mgnn_operators_new(nullptr, network.get(), graph.get(), nullptr, o);
  });
  const auto pass =
      made<PassHandle>([&](mgnn_pass** p) { return mgnn_pass_new(network.get(), p); });
  auto forward = sized<mgnn_forward>();
  EXPECT_EQ(mgnn_pass_forward(nullptr, pass.get(), operators.get(), &forward), MGNN_USAGE);
  const auto backward = sized<mgnn_backward>();
  EXPECT_EQ(mgnn_pass_backward(nullptr, pass.get(), &backward), MGNN_USAGE);
  auto info = sized<mgnn_operator_info>();
  ASSERT_OK(mgnn_operators_get(operators.get(), "adjacency", &info));
  EXPECT_EQ(info.rows, 3);
  EXPECT_EQ(info.entries, 5);  // two arcs, three loops
}

}  // namespace
