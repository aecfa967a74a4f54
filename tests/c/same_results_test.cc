// The C interface gives what the library gives, to the last bit. Two copies of the library live in this
// process, as they may in a user's.

#include <cmath>

#include "mgnn/embed/embedding.h"
#include "mgnn/models/batch.h"
#include "mgnn/models/operators.h"
#include "mgnn/motif/census.h"
#include "mgnn/task/config.h"
#include "mgnn/task/probe.h"
#include "mgnn/task/ranking.h"
#include "mgnn/task/trained_model.h"
#include "tests/c/support.h"

namespace mgnn {
namespace {

Graph library_graph(const Arcs& arcs) {
  Array<Edge> edges;
  for (size_t i = 0; i < arcs.from.size(); i++)
    edges.push_back({NodeId(arcs.from[i]), NodeId(arcs.to[i])});
  return make_graph(NodeId(arcs.nodes), std::move(edges));
}

TEST(CSame, Graph) {
  const Arcs arcs = random_arcs(3'000, 30'000, 1);
  EXPECT_EQ(info_of(graph_of(arcs).get()).fingerprint, fingerprint(library_graph(arcs)));
}

TEST(CSame, CensusAndMatrices) {
  const Arcs arcs = random_arcs(800, 9'000, 2);
  const Graph expected = library_graph(arcs);
  const GraphHandle graph = graph_of(arcs);
  const MotifCounts total = census(expected).total;
  EXPECT_EQ(totals(graph.get()), std::vector<int64_t>(total.begin(), total.end()));
  const MotifMatrices matrices = motif_matrices(expected);
  const auto motifs = made<MotifsHandle>(
      [&](mgnn_motifs** m) { return mgnn_motifs_new(nullptr, graph.get(), nullptr, m); });
  std::vector<double> values(size_t(matrices.pattern.nnz()));
  for (int k = 1; k <= kNumMotifs; k++) {
    const Array<int64_t> counts = matrices.counts(k);
    Array<double> weight;
    for (const int64_t count : counts) weight.push_back(double(count));
    const Array<double> normal = normalised(matrices.pattern, weight, Normalisation::symmetric);
    ASSERT_OK(mgnn_motifs_normalised(nullptr, motifs.get(), k, "symmetric", values.data()));
    EXPECT_TRUE(std::equal(values.begin(), values.end(), normal.begin())) << k;
  }
  std::vector<double> z(13);
  auto counts = sized<mgnn_null_counts>();
  counts.z = z.data();
  ASSERT_OK(mgnn_null_model(nullptr, graph.get(), nullptr, 5, 9, &counts));
  const NullModel null = null_model(total, Counting::subgraph, 5, rewiring_null(expected, Rng(9)));
  EXPECT_TRUE(std::equal(z.begin(), z.end(), null.z_score.begin()));
}

TEST(CSame, Embeddings) {
  const Dataset expected = load_dataset("karate");
  const DatasetHandle dataset = loaded("karate");
  for (const char* name : {"node2vec", "grarep", "hope"}) {
    const EmbeddingMethod& method = find_embedding_method(name);
    const Matrix z =
        embed(expected, method,
              *make_embedding(method, {{"seed", Value("4")}, {"dimension", Value("8")}}));
    auto options = sized<mgnn_embed_options>();
    options.method = name;
    options.settings = "dimension=8";
    options.seed = 4;
    const auto vectors = made<MatrixHandle>(
        [&](mgnn_matrix** m) { return mgnn_embed(nullptr, dataset.get(), &options, m); });
    EXPECT_EQ(values_of(vectors.get()), std::vector<float>(z.data.begin(), z.data.end())) << name;
  }
}

RunHandle trained(const mgnn_dataset* dataset, const char* settings, const char* output = nullptr) {
  auto options = sized<mgnn_train_options>();
  options.settings = settings;
  options.output = output;
  return made<RunHandle>(
      [&](mgnn_run** run) { return mgnn_train(nullptr, dataset, &options, run); });
}

std::vector<float> predicted(const mgnn_run* run, const mgnn_dataset* data, int32_t what) {
  const auto matrix = made<MatrixHandle>(
      [&](mgnn_matrix** m) { return mgnn_run_predict(nullptr, run, data, what, m); });
  return values_of(matrix.get());
}

TEST(CSame, TrainingAndPredictions) {
  for (const char* model : {"mgnn", "gcn"}) {
    const auto config =
        resolve_config({.file = {"data.source=karate"},
                        .sets = {std::string("model.name=") + model, "train.epochs=20", "seed=3"}});
    const Dataset data = load_for_training(*config);
    const Result result = run_task(*config, data);
    TrainedModel expected = parse_model(model_bytes(*config, data, result), "model");
    const DatasetHandle dataset = loaded("karate");
    const std::string settings = std::string("model.name=") + model + "\ntrain.epochs=20\nseed=3\n";
    const RunHandle run = trained(dataset.get(), settings.c_str());
    const auto json = json_of([&](mgnn_buffer** b) { return mgnn_run_result(run.get(), b); });
    EXPECT_EQ(json["test"]["mean"].get<double>(), result.test().mean);
    EXPECT_EQ(json["task"], "node");
    int64_t count = 0;
    ASSERT_OK(mgnn_run_num_weights(run.get(), &count));
    ASSERT_EQ(size_t(count), expected.weights.all.size());
    for (int64_t i = 0; i < count; i++) {
      auto info = sized<mgnn_weight_info>();
      ASSERT_OK(mgnn_run_weight(run.get(), i, &info));
      const NamedParameter& p = expected.weights.all[size_t(i)];
      EXPECT_EQ(info.name, p.name);
      EXPECT_TRUE(std::equal(info.values, info.values + p.size(), expected.weights.value_of(p)));
    }
    const Prediction prediction = predict(expected, data);
    const Array<float>& logits = prediction.output.data;
    const Matrix probability = answers_of(expected, prediction.output);
    EXPECT_EQ(predicted(run.get(), nullptr, MGNN_OUTPUTS),
              std::vector<float>(logits.begin(), logits.end()));
    EXPECT_EQ(predicted(run.get(), dataset.get(), MGNN_PROBABILITIES),
              std::vector<float>(probability.data.begin(), probability.data.end()));
  }
}

TEST(CSame, LinksAndRankings) {
  const auto config = resolve_config(
      {.file = {"data.source=toykg"}, .sets = {"task=link", "train.epochs=10", "seed=1"}});
  const Dataset data = load_for_training(*config);
  const Result result = run_task(*config, data);
  TrainedModel expected = parse_model(model_bytes(*config, data, result), "model");
  const Ranking best = rank_links(expected, data, {.top = 20});
  const RunHandle run = trained(loaded("toykg").get(), "task=link\ntrain.epochs=10\nseed=1");
  auto options = sized<mgnn_rank_options>();
  options.top = 20;
  const auto ranking = made<RankingHandle>(
      [&](mgnn_ranking** r) { return mgnn_run_rank(nullptr, run.get(), nullptr, &options, r); });
  auto arrays = sized<mgnn_ranking_arrays>();
  ASSERT_OK(mgnn_ranking_get_arrays(ranking.get(), &arrays));
  ASSERT_EQ(arrays.count, 20);
  std::vector<int64_t> from, to;
  for (size_t i = 0; i < 20; i++) {
    EXPECT_EQ(arrays.from[i], best.pairs[i].from);
    EXPECT_EQ(arrays.to[i], best.pairs[i].to);
    EXPECT_EQ(arrays.score[i], best.pairs[i].score);
    EXPECT_EQ(arrays.probability[i], best.probability[i]);
    from.push_back(arrays.from[i]), to.push_back(arrays.to[i]);
  }
  std::vector<float> score(20);
  std::vector<double> probability(20);
  ASSERT_OK(mgnn_run_score_pairs(nullptr, run.get(), nullptr, 20, from.data(), to.data(),
                                 score.data(), probability.data()));
  for (size_t i = 0; i < 20; i++) {
    EXPECT_NEAR(score[i], arrays.score[i], 1e-5 * (1 + std::abs(score[i])));
    EXPECT_NEAR(probability[i], arrays.probability[i], 1e-5);
  }
}

// The whole network, forward and backward, against the tape.
TEST(CSame, NetworkOnTensors) {
  const Arcs arcs = random_arcs(200, 1'500, 6);
  const Graph graph = library_graph(arcs);
  const int64_t n = 200, in = 12, out = 4;
  auto options = sized<mgnn_network_options>();
  options.settings = "layers=8\ndropout=0.3\ninput_dropout=0.2";
  options.in = in;
  options.out = out;
  options.seed = 5;
  const auto network =
      made<NetworkHandle>([&](mgnn_network** m) { return mgnn_network_new(&options, m); });

  std::unique_ptr<Model> model = find_method("mgnn").make();
  for (const char* setting : {"layers=8", "dropout=0.3", "input_dropout=0.2"})
    set_option(model->options(), setting);
  Parameters weights;
  Rng rng(5);
  model->build({.in = in, .out = out, .level = Level::node}, weights, rng);
  Batch batch{.num_nodes = NodeId(n), .x = Matrix(n, in), .operators = {}};
  batch.operators = model->operators(graph);
  batch.graph_start = {0, n};
  Matrix& x = std::get<Matrix>(batch.x);
  for (size_t i = 0; i < x.data.size(); i++) x.data[i] = float(std::sin(double(i)));
  Matrix d_out(n, out);
  for (size_t i = 0; i < d_out.data.size(); i++) d_out.data[i] = float(std::cos(double(i)));
  Tape<float> tape(77);
  tape.start_training(3);
  Step<float> step(tape, weights, batch);
  const Var<float> leaf = tape.leaf(x);
  step.input = leaf;
  const Output<float> expected = model->forward(step);
  weights.zero_grad();
  // The sum of out times d_out has d_out as its gradient.
  tape.backward(sum(mul(expected.out, tape.constant(d_out))));

  const GraphHandle given = graph_of(arcs);
  const auto operators = made<OperatorsHandle>([&](mgnn_operators** o) {
    return mgnn_operators_new(nullptr, network.get(), given.get(), nullptr, o);
  });
  const auto pass =
      made<PassHandle>([&](mgnn_pass** p) { return mgnn_pass_new(network.get(), p); });
  std::vector<const float*> values;
  std::vector<std::vector<float>> gradients;
  std::vector<float*> gradient_at;
  for (const NamedParameter& p : weights.all) {
    values.push_back(weights.value_of(p));
    gradient_at.push_back(gradients.emplace_back(size_t(p.size())).data());
  }
  std::vector<float> result(size_t(n * out)), d_x(size_t(n * in));
  auto forward = sized<mgnn_forward>();
  forward.rows = n, forward.cols = in;
  forward.x = x.data.data();
  forward.weights = values.data();
  forward.training = forward.keeps_gradient = forward.x_learns = 1;
  forward.seed = 77, forward.step = 3;
  forward.out = result.data();
  auto backward = sized<mgnn_backward>();
  backward.d_out = d_out.data.data();
  backward.d_weights = gradient_at.data();
  backward.d_x = d_x.data();
  for (int again = 0; again < 2; again++) {  // memory is used again
    ASSERT_OK(mgnn_pass_forward(nullptr, pass.get(), operators.get(), &forward));
    EXPECT_TRUE(std::equal(result.begin(), result.end(), expected.out.value));
    ASSERT_OK(mgnn_pass_backward(nullptr, pass.get(), &backward));
    EXPECT_TRUE(std::equal(d_x.begin(), d_x.end(), leaf.grad()));
    for (size_t i = 0; i < gradients.size(); i++)
      EXPECT_TRUE(
          std::equal(gradients[i].begin(), gradients[i].end(), weights.grad_of(weights.all[i])))
          << weights.all[i].name;
  }
  EXPECT_EQ(mgnn_pass_backward(nullptr, pass.get(), &backward), MGNN_USAGE);

  // The same features as CSR.
  SparseMatrix csr;
  csr.pattern = Csr(NodeId(n), NodeId(in), Array<Offset>(size_t(n) + 1), {});
  for (int64_t r = 0; r <= n; r++) csr.pattern.start[size_t(r)] = r * in;
  for (int64_t i = 0; i < n * in; i++) csr.pattern.index.push_back(NodeId(i % in));
  const auto sparse = made<SparseHandle>([&](mgnn_sparse** s) {
    return mgnn_sparse_new(nullptr, n, in, csr.pattern.start.data(), MGNN_INT64,
                           csr.pattern.index.data(), MGNN_INT32, x.data.data(), s);
  });
  forward.x = nullptr, forward.sparse = sparse.get(), forward.x_learns = 0;
  forward.training = 0;
  std::vector<float> dense_result(size_t(n * out));
  ASSERT_OK(mgnn_pass_forward(nullptr, pass.get(), operators.get(), &forward));
  forward.x = x.data.data(), forward.sparse = nullptr, forward.out = dense_result.data();
  ASSERT_OK(mgnn_pass_forward(nullptr, pass.get(), operators.get(), &forward));
  for (size_t i = 0; i < result.size(); i++) EXPECT_NEAR(result[i], dense_result[i], 1e-5);
}

}  // namespace
}  // namespace mgnn
