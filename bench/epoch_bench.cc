// A training step (forward, backward, Adam) of MGNN with the published settings: fused against our
// plain version, against LibTorch written straightforwardly (where it is installed: dense X, 13
// sparse products, 13 concatenations and products), and against the machine's roofline.
// Usage: epoch_bench [trials] [threads] [dataset ...]
#include <cmath>
#include <cstdlib>
#include <cstring>

#include "bench/bench.h"
#include "bench/blas.h"
#include "mgnn/base/parallel.h"
#include "mgnn/data/column_scale.h"
#include "mgnn/data/feature_columns.h"
#include "mgnn/data/features.h"
#include "mgnn/data/load.h"
#include "mgnn/models/batch.h"
#include "mgnn/task/config.h"
#ifdef MGNN_TORCH
#include "bench/torch_batch.h"
#endif

namespace {

using namespace mgnn;

struct Case {
  const char* dataset;
  const char* profile;  // settings of this dataset's published profile
};
constexpr Case kCases[] = {{"cora", "cora"},
                           {"citeseer", "citeseer"},
                           {"pubmed", "pubmed"},
                           {"chameleon", "cora"},
                           {"hetionet", "pubmed"}};

constexpr const char* kNoDropout[] = {"model.input_dropout=0", "model.dropout=0",
                                      "model.motif_dropout=0", "model.attention_dropout=0"};

std::unique_ptr<Config> config_for(const Case& c, bool fused, bool dropout) {
  ConfigLayers layers;
  layers.file = {std::string("data.source=") + c.profile, "profile=published"};
  layers.sets = {fused ? "model.fused=true" : "model.fused=false"};
  if (!dropout) layers.sets.insert(layers.sets.end(), std::begin(kNoDropout), std::end(kNoDropout));
  return resolve_config(layers);
}

// Hetionet has types for labels and no features.
Dataset load(const Case& c) {
  Dataset data = load_dataset(c.dataset);
  if (num_features(data.features) == 0) {
    Matrix profile = degree_profile(data.graph);
    standardise(profile);
    data.features = std::move(profile);
  }
  if (data.label.empty()) {
    data.label = data.node_type;
    data.class_names = data.node_type_names;
  }
  return data;
}

// Our network with its optimiser.
class Ours {
 public:
  Ours(const Case& c, const Dataset& data, bool fused, bool dropout)
      : data_(data), config_(config_for(c, fused, dropout)), model_(new_network(*config_)) {
    batch_ = whole_batch(data, *model_);
    Rng rng(1);
    model_->build({batch_.num_features(), data.num_classes(), Level::node}, weights, rng);
    adam_ = std::make_unique<Adam>(weights,
                                   AdamOptions{.learning_rate = config_->run.training.learning_rate,
                                               .weight_decay = config_->run.training.weight_decay});
    for (NodeId v = 0; v < batch_.num_nodes; v++)
      if (data.label[size_t(v)] >= 0) rows_.push_back(v);
  }

  double step() {
    tape_.start_training(uint64_t(steps_++));
    Step<float> pass(tape_, weights, batch_);
    const Var<float> loss = cross_entropy<float>(model_->forward(pass).out, data_.label, rows_);
    tape_.backward(loss);
    adam_->step(weights, config_->run.training.learning_rate);
    return double(loss(0, 0));
  }

  const Batch& batch() const { return batch_; }
  const Config& config() const { return *config_; }
  const std::vector<NodeId>& rows() const { return rows_; }
  Parameters weights;

 private:
  const Dataset& data_;
  std::unique_ptr<Config> config_;
  std::unique_ptr<Model> model_;
  Batch batch_;
  std::unique_ptr<Adam> adam_;
  std::vector<NodeId> rows_;
  Tape<float> tape_{1};
  int64_t steps_ = 0;
};

// ---- roofline

double measured_bandwidth() {  // bytes a second, reading and writing
  const int64_t n = 16'000'000;
  Array<float> a(size_t(n), 1.f), b(size_t(n), 2.f);
  double best = 1e30;
  for (int i = 0; i < 5; i++)
    best = std::min(best, bench::seconds([&] {
#pragma omp parallel for schedule(static)
                      for (int64_t j = 0; j < n; j++) a[size_t(j)] += 0.5f * b[size_t(j)];
                    }));
  return 3. * 4 * double(n) / best;
}

double measured_flops() {  // multiply-adds count two
  constexpr int64_t d = 256;
  Tape<float> tape;
  Matrix a(4096, d), b(d, d);
  std::fill(a.data.begin(), a.data.end(), 1.f);
  std::fill(b.data.begin(), b.data.end(), 1.f);
  double best = 1e30;
  for (int i = 0; i < 8; i++) {
    tape.start_evaluation();
    const Var<float> x = tape.constant(a), w = tape.constant(b);
    best = std::min(best, bench::seconds([&] { matmul(x, w); }));
  }
  return 2. * 4096 * d * d / best;
}

// Bytes and operations that a step cannot do without, phase by phase; each phase takes the longer
// of the two. Matrices too large for the caches are counted once when read and once when written.
struct Roofline {
  double bandwidth, flops, seconds = 0;
  void phase(double bytes, double operations) {
    seconds += std::max(bytes / bandwidth, operations / flops);
  }
};

double nonzeros(const Batch& batch) {
  if (const auto* sparse = std::get_if<SparseFeatures>(&batch.x))
    return double(sparse->pattern.nnz());
  return double(std::get<Matrix>(batch.x).data.size());
}

double bound(const Batch& batch, const std::vector<int64_t>& layers, int64_t classes,
             int64_t weights, Roofline r) {
  constexpr double kMotifs = 13, kPer = 6, kFloat = 4;
  const double n = double(batch.num_nodes);
  const auto& ops = batch.operators;
  const double arcs = double(ops.adjacency.pattern.nnz()),
               pairs = double(ops.motifs.interleaved.pattern.nnz());
  const double distinct = double(ops.motifs.map.distinct), out = kMotifs * kPer;
  double in_entries = nonzeros(batch), entry_bytes = 8;
  for (size_t l = 0; l < layers.size(); l++) {
    const double d = double(layers[l]);
    // H [W | W_root] forward; its weight gradient; later layers also pass a gradient on.
    const double products = l == 0 ? 2 : 3;
    r.phase(products * (in_entries * entry_bytes + n * 2 * d * kFloat),
            products * 2 * in_entries * 2 * d);
    // Ã times, and its transpose back.
    r.phase(2 * (arcs * 8 + 2 * n * d * kFloat), 2 * 2 * arcs * d);
    // All motif matrices times Z, and back.
    r.phase(2 * (pairs * (4 + 4 * distinct) + n * d * kFloat * (1 + distinct)),
            2 * 2 * pairs * distinct * d);
    // Redundancy minimisation: f and g forward; two products each backward.
    r.phase(3 * n * (distinct + 1) * d * kFloat + 3 * n * out * kFloat,
            3 * 2 * n * ((distinct + 1) * d * out + distinct * d * kPer));
    in_entries = n * out;
    entry_bytes = kFloat;
  }
  r.phase(3 * n * (out + double(classes)) * kFloat, 3 * 2 * n * out * double(classes));
  r.phase(double(weights) * 7 * kFloat, double(weights) * 12);
  return r.seconds;
}

#ifdef MGNN_TORCH
// ---- the same in LibTorch

torch::Tensor sparse_of(const Operator& op) {
  const Csr& p = op.pattern;
  std::vector<int64_t> row, column(p.index.begin(), p.index.end());
  for (NodeId r = 0; r < p.rows; r++) row.insert(row.end(), size_t(p.row_size(r)), r);
  std::vector<float> value(op.value.begin(), op.value.end());
  return torch::sparse_coo_tensor(torch::stack({torch::tensor(row), torch::tensor(column)}),
                                  torch::tensor(value), {p.rows, p.cols})
      .coalesce();
}

class Theirs {
 public:
  // `plain` has one operator for each motif, and the weights to begin with.
  Theirs(const Ours& plain, const Dataset& data) : layers_(widths(plain.config())) {
    const Options options = plain.config().network->options();
    const auto number = [&](const char* name) {
      return std::stod(text_of(find_option(options, name).get()));
    };
    input_dropout_ = number("input_dropout"), dropout_ = number("dropout");
    motif_dropout_ = number("motif_dropout"), gate_dropout_ = number("attention_dropout");
    tanh_ = text_of(find_option(options, "gate").get()) == "tanh";
    for (const NamedParameter& p : plain.weights.all) {
      names_.push_back(p.name);
      weights_.push_back(bench::tensor_of(plain.weights, p));
    }
    const Operators& operators = plain.batch().operators;
    matrices_.push_back(sparse_of(operators.adjacency));
    for (const Operator& op : operators.motifs.separate) matrices_.push_back(sparse_of(op));
    x_ = bench::dense_features(plain.batch());
    rows_ = torch::tensor(std::vector<int64_t>(plain.rows().begin(), plain.rows().end()));
    std::vector<int64_t> label;
    for (const NodeId v : plain.rows()) label.push_back(data.label[size_t(v)]);
    labels_ = torch::tensor(label);
    adam_ = std::make_unique<torch::optim::Adam>(
        weights_, torch::optim::AdamOptions(plain.config().run.training.learning_rate)
                      .weight_decay(plain.config().run.training.weight_decay));
  }

  static std::vector<int64_t> widths(const Config& config) {
    std::vector<int64_t> layers;
    Option copy = option("layers", layers, "");
    copy.set(find_option(config.network->options(), "layers").get());
    return layers;
  }

  double step() {
    adam_->zero_grad();
    torch::Tensor h = x_;
    for (size_t l = 0; l < layers_.size(); l++)
      h = layer(torch::dropout(h, l == 0 ? input_dropout_ : dropout_, true), int64_t(l) + 1);
    const torch::Tensor out = torch::addmm(weight("output.bias"), torch::dropout(h, dropout_, true),
                                           weight("output.weight"));
    const torch::Tensor loss =
        torch::nn::functional::cross_entropy(out.index_select(0, rows_), labels_);
    loss.backward();
    adam_->step();
    return loss.item<double>();
  }

 private:
  torch::Tensor weight(const std::string& name) const {
    for (size_t i = 0; i < names_.size(); i++)
      if (names_[i] == name) return weights_[i];
    std::printf("no weight %s\n", name.c_str());
    std::exit(1);
  }

  torch::Tensor layer(const torch::Tensor& h, int64_t number) const {
    const std::string name = "layer" + std::to_string(number) + ".";
    const torch::Tensor z = torch::mm(matrices_[0], torch::mm(h, weight(name + "weight"))) +
                            torch::mm(h, weight(name + "root.weight")) + weight(name + "bias");
    const int64_t motifs = int64_t(matrices_.size()) - 1, rows = motifs * z.size(1);
    std::vector<torch::Tensor> h_k;
    for (int64_t k = 0; k < motifs; k++) h_k.push_back(torch::mm(matrices_[size_t(k + 1)], z));
    const torch::Tensor w_f = torch::dropout(weight(name + "motif.weight"), motif_dropout_, true);
    std::vector<torch::Tensor> parts;
    for (int64_t k = 0; k < motifs; k++) {
      std::vector<torch::Tensor> others = h_k;
      others[size_t(k)] = z;
      const torch::Tensor f = torch::addmm(weight(name + "motif.bias"), h_k[size_t(k)], w_f);
      const torch::Tensor g =
          torch::addmm(weight(name + "others.bias").narrow(0, k, 1), torch::cat(others, 1),
                       weight(name + "others.weight").narrow(0, k * rows, rows));
      const torch::Tensor t = (f * g).sum(1, true);
      const torch::Tensor beta =
          torch::dropout(tanh_ ? torch::tanh(t) : torch::sigmoid(t), gate_dropout_, true);
      parts.push_back(torch::relu(beta * (f - g)));
    }
    return torch::cat(parts, 1);
  }

  std::vector<int64_t> layers_;
  double input_dropout_, dropout_, motif_dropout_, gate_dropout_;
  bool tanh_;
  std::vector<std::string> names_;
  std::vector<torch::Tensor> weights_, matrices_;
  torch::Tensor x_, rows_, labels_;
  std::unique_ptr<torch::optim::Adam> adam_;
};
#endif

void run(const Case& c, int trials, const Roofline& roofline) {
  Dataset data;
  try {
    data = load(c);
  } catch (const Error& error) {
    std::printf("%s: left out: %s\n", c.dataset, error.what());
    return;
  }
  {  // the same losses for some steps, without chance
    Ours fused(c, data, true, false), plain(c, data, false, false);
#ifdef MGNN_TORCH
    Theirs theirs(plain, data);
#endif
    for (int i = 0; i < 3; i++) {
      const double loss = fused.step();
      bench::check_near("plain", loss, plain.step());
#ifdef MGNN_TORCH
      bench::check_near("LibTorch", loss, theirs.step());
#endif
    }
  }
  Ours fused(c, data, true, true), plain(c, data, false, true);
  const std::string name = c.dataset;
  const double ours = bench::median_seconds(trials * 5, [&] { fused.step(); });
  const double slow = bench::median_seconds(trials, [&] { plain.step(); });
  std::vector<int64_t> layers;
  Option widths = option("layers", layers, "");
  widths.set(find_option(fused.config().network->options(), "layers").get());
  const double floor =
      bound(fused.batch(), layers, data.num_classes(), fused.weights.count(), roofline);
  std::printf("%-10s %d distinct  fused %8.2f ms  plain %8.2f ms  roofline %6.2f ms", c.dataset,
              int(fused.batch().operators.motifs.map.distinct), 1e3 * ours, 1e3 * slow,
              1e3 * floor);
  bench::figure(name + "_ms", 1e3 * ours);
  bench::ratio(name + "_plain_over_fused", slow / ours);
  bench::ratio(name + "_fused_over_roofline", ours / floor);
#ifdef MGNN_TORCH
  Theirs theirs(plain, data);
  const double torch = bench::median_seconds(trials, [&] { theirs.step(); });
  std::printf("  LibTorch %8.1f ms", 1e3 * torch);
  bench::ratio(name + "_torch_over_fused", torch / ours);
#endif
  std::printf("\n");
  std::fflush(stdout);
}

}  // namespace

int main(int argc, char** argv) {
  bench::let_blas_use_this_processor(argv);
  const int trials = argc > 1 ? std::atoi(argv[1]) : 5;
  const int threads = argc > 2 ? std::atoi(argv[2]) : 0;
  set_num_threads(threads);
#ifdef MGNN_TORCH
  torch::set_num_threads(num_threads());
#endif
  const Roofline roofline{measured_bandwidth(), measured_flops()};
  std::printf("%d threads, %.1f GB/s, %.1f GFlop/s\n", num_threads(), roofline.bandwidth / 1e9,
              roofline.flops / 1e9);
  for (const Case& c : kCases) {
    bool wanted = argc <= 3;
    for (int i = 3; i < argc; i++) wanted |= std::strcmp(argv[i], c.dataset) == 0;
    if (wanted) run(c, trials, roofline);
  }
  bench::print_ratios();
}
