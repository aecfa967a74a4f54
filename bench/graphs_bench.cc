// One epoch over sets of small graphs in batches of 128: MGNN of three layers as for the TU sets,
// forward, backward and Adam. Against the same network in LibTorch's operations, one for each step
// of the formulas (where it is installed); against the same nodes as one graph; and what cutting
// batches takes. Dropout is off, so that both give the same numbers. Usage:
//   graphs_bench [trials] [threads] [DATASET...]     (default: triads enzymes aids, those here)
#include <cstdlib>
#include <map>
#include <numeric>

#include "bench/bench.h"
#include "bench/blas.h"
#include "mgnn/base/parallel.h"
#include "mgnn/data/column_scale.h"
#include "mgnn/data/feature_columns.h"
#include "mgnn/data/load.h"
#include "mgnn/models/batch.h"
#include "mgnn/models/methods.h"
#include "mgnn/tensor/optimiser.h"
#ifdef MGNN_TORCH
#include <torch/torch.h>
#endif

namespace {

using namespace mgnn;

constexpr int64_t kBatch = 128;
constexpr double kRate = 0.01, kDecay = 0.005;

struct Job {
  Dataset data;
  std::unique_ptr<Model> model;
  Batch all;
  Parameters weights;  // as they begin
  std::vector<NodeId> order;
  std::vector<Batch> batches;
  std::vector<std::vector<int32_t>> label;  // of each batch
};

std::unique_ptr<Model> network(int classes) {
  std::unique_ptr<Model> model = make_mgnn();
  for (const std::string& one :
       {fmt::format("layers=16,{},{}", classes, classes), std::string("counting=published"),
        std::string("normalisation=published"), std::string("gate=tanh"),
        std::string("input_dropout=0"), std::string("dropout=0"), std::string("motif_dropout=0"),
        std::string("attention_dropout=0")})
    set_option(model->options(), one);
  return model;
}

std::span<const NodeId> part(const Job& job, size_t b) {
  const auto n = int64_t(job.order.size()), count = int64_t(job.batches.size());
  const int64_t first = split_point(n, count, int64_t(b)),
                last = split_point(n, count, int64_t(b) + 1);
  return std::span(job.order).subspan(size_t(first), size_t(last - first));
}

Job make_job(const std::string& name) {
  Job job;
  job.data = load_dataset(name);
  choose_features(job.data, "own", Rng(0));
  if (auto* x = std::get_if<Matrix>(&job.data.features)) {
    std::vector<NodeId> nodes(size_t(x->rows));
    std::iota(nodes.begin(), nodes.end(), 0);
    rescale(*x, column_scale(*x, job.data.num_attributes, nodes));
  }
  job.model = network(job.data.num_classes());
  job.all = whole_batch(job.data, *job.model);
  Rng rng(1);
  job.model->build({job.all.num_features(), job.data.num_classes(), Level::graph}, job.weights,
                   rng);
  job.order.resize(size_t(job.data.num_graphs()));
  std::iota(job.order.begin(), job.order.end(), 0);
  rng.shuffle(std::span(job.order));
  job.batches.resize((job.order.size() + size_t(kBatch) - 1) / size_t(kBatch));
  for (size_t b = 0; b < job.batches.size(); b++) {
    slice_batch(job.all, part(job, b), job.batches[b]);
    job.label.emplace_back();
    for (const NodeId g : part(job, b)) job.label.back().push_back(job.data.label[size_t(g)]);
  }
  return job;
}

// One epoch from the first weights; gives the losses of its steps.
class Ours {
 public:
  explicit Ours(Job& job) : job_(job), rows_(kBatch + 1) {
    std::iota(rows_.begin(), rows_.end(), 0);
  }
  std::vector<double> epoch(bool cut) {
    Parameters weights = job_.weights;
    Adam adam(weights, {.learning_rate = kRate, .weight_decay = kDecay});
    std::vector<double> losses;
    for (size_t b = 0; b < job_.batches.size(); b++) {
      if (cut) slice_batch(job_.all, part(job_, b), job_.batches[b]);
      losses.push_back(step(weights, adam, job_.batches[b], job_.label[b]));
    }
    return losses;
  }
  double step(Parameters& weights, Adam& adam, const Batch& batch,
              const std::vector<int32_t>& label) {
    tape_.start_training(0);
    Step<float> step(tape_, weights, batch);
    const Var<float> out = job_.model->forward(step).out;
    const Var<float> loss =
        cross_entropy<float>(out, label, std::span(rows_).first(size_t(out.rows)));
    tape_.backward(loss);
    adam.step(weights);
    return double(loss(0, 0));
  }

 private:
  Job& job_;
  Tape<float> tape_;
  std::vector<NodeId> rows_;
};

// The first two steps: the second depends on all gradients of the first. From there on rounding
// grows from step to step.
bool near(const std::vector<double>& a, const std::vector<double>& b) {
  for (size_t i = 0; i < std::min<size_t>(a.size(), 2); i++) {
    std::printf("  loss %.6f and %.6f\n", a[i], b[i]);
    if (std::abs(a[i] - b[i]) > 1e-2 * (1 + std::abs(a[i]))) return false;
  }
  return a.size() == b.size();
}

#ifdef MGNN_TORCH
torch::Tensor sparse(const Csr& p, const std::vector<float>& value) {
  std::vector<int64_t> start(p.start.begin(), p.start.end()), index(p.index.begin(), p.index.end());
  return torch::sparse_csr_tensor(torch::tensor(start), torch::tensor(index), torch::tensor(value),
                                  {p.rows, p.cols}, torch::kFloat);
}

// A sparse matrix whose gradient is a product with its transpose.
struct Product : torch::autograd::Function<Product> {
  static torch::Tensor forward(torch::autograd::AutogradContext* context, torch::Tensor a,
                               torch::Tensor transposed, torch::Tensor x) {
    context->save_for_backward({transposed});
    return a.matmul(x);
  }
  static torch::autograd::tensor_list backward(torch::autograd::AutogradContext* context,
                                               torch::autograd::tensor_list grad) {
    return {{}, {}, context->get_saved_variables()[0].matmul(grad[0].contiguous())};
  }
};

struct TorchBatch {
  torch::Tensor x, graph_of, label;
  std::vector<std::pair<torch::Tensor, torch::Tensor>> matrices;  // Ã, Ã_1 … and their transposes
  int64_t graphs;
};

class Theirs {
 public:
  explicit Theirs(const Job& job) : job_(job) {
    for (size_t b = 0; b < job.batches.size(); b++) batches_.push_back(convert(b));
  }

  std::vector<double> epoch() {
    weights_.clear();
    std::vector<torch::Tensor> learned;
    for (const NamedParameter& p : job_.weights.all) {
      torch::Tensor t = torch::from_blob(const_cast<float*>(job_.weights.value_of(p)),
                                         {p.rows, p.cols}, torch::kFloat)
                            .clone();
      weights_[p.name] = p.learns ? t.requires_grad_() : t;
      if (p.learns) learned.push_back(weights_[p.name]);
    }
    torch::optim::Adam adam(learned, torch::optim::AdamOptions(kRate).weight_decay(kDecay));
    std::vector<double> losses;
    for (const TorchBatch& batch : batches_) {
      adam.zero_grad();
      const torch::Tensor loss = torch::nn::functional::cross_entropy(forward(batch), batch.label);
      loss.backward();
      adam.step();
      losses.push_back(double(loss.item<float>()));
    }
    return losses;
  }

 private:
  TorchBatch convert(size_t b) const {
    const Batch& batch = job_.batches[b];
    TorchBatch to;
    to.graphs = batch.num_graphs();
    to.x = torch::zeros({batch.num_nodes, batch.num_features()});
    if (const auto* dense = std::get_if<Matrix>(&batch.x)) {
      std::copy(dense->data.begin(), dense->data.end(), to.x.data_ptr<float>());
    } else {
      const auto& s = std::get<SparseFeatures>(batch.x);
      for (NodeId r = 0; r < s.pattern.rows; r++)
        for (Offset e = s.pattern.start[size_t(r)]; e < s.pattern.start[size_t(r) + 1]; e++)
          to.x.data_ptr<float>()[r * batch.num_features() + s.pattern.index[size_t(e)]] =
              s.value[size_t(e)];
    }
    std::vector<int64_t> graph_of, label(job_.label[b].begin(), job_.label[b].end());
    for (int64_t g = 0; g < to.graphs; g++)
      graph_of.resize(size_t(batch.graph_start[size_t(g) + 1]), g);
    to.graph_of = torch::tensor(graph_of);
    to.label = torch::tensor(label);
    const auto add = [&](const Operator& op, int64_t k, float factor) {
      const auto values = [&](const Csr& p, const Array<float>& all) {
        std::vector<float> one;
        for (int64_t e = 0; e < p.nnz(); e++) one.push_back(factor * all[size_t(e * op.count + k)]);
        return sparse(p, one);
      };
      to.matrices.emplace_back(values(op.pattern, op.value), values(op.back(), op.back_value()));
    };
    add(batch.operators.adjacency, 0, 1);
    const BundleMap& map = batch.operators.motifs.map;
    for (size_t k = 0; k < map.index.size(); k++)
      add(batch.operators.motifs.interleaved, std::max(map.index[k], 0),
          map.index[k] < 0 ? 0.f : map.factor[k]);
    return to;
  }

  const torch::Tensor& w(const std::string& name) const { return weights_.at(name); }
  torch::Tensor linear(const std::string& name, const torch::Tensor& x) const {
    return x.mm(w(name + ".weight")) + w(name + ".bias");
  }

  torch::Tensor layer(const TorchBatch& batch, const std::string& name, torch::Tensor h) const {
    const auto times = [&](size_t i, const torch::Tensor& x) {
      return Product::apply(batch.matrices[i].first, batch.matrices[i].second, x);
    };
    const torch::Tensor z =
        times(0, h.mm(w(name + ".weight"))) + h.mm(w(name + ".root.weight")) + w(name + ".bias");
    const int64_t motifs = int64_t(batch.matrices.size()) - 1, rows = motifs * z.size(1);
    std::vector<torch::Tensor> h_k, parts;
    for (int64_t k = 0; k < motifs; k++) h_k.push_back(times(size_t(1 + k), z));
    for (int64_t k = 0; k < motifs; k++) {
      std::vector<torch::Tensor> others = h_k;
      others[size_t(k)] = z;
      const torch::Tensor f =
          h_k[size_t(k)].mm(w(name + ".motif.weight")) + w(name + ".motif.bias");
      const torch::Tensor g =
          torch::cat(others, 1).mm(w(name + ".others.weight").narrow(0, k * rows, rows)) +
          w(name + ".others.bias").narrow(0, k, 1);
      parts.push_back(torch::relu(torch::tanh((f * g).sum(1, true)) * (f - g)));
    }
    const std::string mlp = name + ".mlp";
    const auto flat = [&](const std::string& part) { return w(mlp + part).view({-1}); };
    const torch::Tensor first = linear(mlp + ".first", torch::cat(parts, 1));
    const torch::Tensor normed = torch::batch_norm(
        first, flat(".norm.weight"), flat(".norm.bias"), flat(".norm.running_mean"),
        flat(".norm.running_var"), true, 0.1, 1e-5, false);
    return torch::relu(linear(mlp + ".second", torch::relu(normed)));
  }

  torch::Tensor forward(const TorchBatch& batch) const {
    torch::Tensor h = batch.x;
    for (const char* name : {"layer1", "layer2", "layer3"}) h = layer(batch, name, h);
    const torch::Tensor graphs =
        torch::zeros({batch.graphs, h.size(1)}).index_add(0, batch.graph_of, h);
    return linear("output", torch::relu(linear("hidden", graphs)));
  }

  const Job& job_;
  std::vector<TorchBatch> batches_;
  std::map<std::string, torch::Tensor> weights_;
};
#endif

// The nodes of a set as one graph of arcs alike in number, for one step.
double as_one_graph(const Job& job, int trials) {
  Job one;
  one.data = job.data;
  one.data.graph_start = {0, job.data.graph.num_nodes()};
  one.data.label = {0};
  one.model = network(job.data.num_classes());
  one.all = whole_batch(one.data, *one.model);
  Parameters weights;
  Rng rng(1);
  one.model->build({one.all.num_features(), job.data.num_classes(), Level::graph}, weights, rng);
  Adam adam(weights, {.learning_rate = kRate, .weight_decay = kDecay});
  Ours ours(one);
  std::vector<double> times;
  for (int i = 0; i < trials + 1; i++)
    times.push_back(bench::seconds([&] { ours.step(weights, adam, one.all, one.data.label); }));
  return bench::median({times.begin() + 1, times.end()});
}

void run(const std::string& name, int trials) {
  Job job = make_job(name);
  std::printf("%s: %d graphs, %d nodes, %zu batches\n", name.c_str(), int(job.data.num_graphs()),
              int(job.data.graph.num_nodes()), job.batches.size());
  Ours ours(job);
#ifdef MGNN_TORCH
  torch::set_num_threads(num_threads());
  Theirs theirs(job);
  bench::compare(
      name + "_epoch_torch", trials, [&] { return ours.epoch(true); },
      [&] { return theirs.epoch(); }, near);
#endif
  std::vector<double> cutting, whole;
  ours.epoch(true);
  for (int i = 0; i < trials; i++) {
    whole.push_back(bench::seconds([&] { ours.epoch(true); }));
    cutting.push_back(bench::seconds([&] {
      for (size_t b = 0; b < job.batches.size(); b++)
        slice_batch(job.all, part(job, b), job.batches[b]);
    }));
  }
  const double epoch = bench::median(whole), cut = bench::median(cutting);
  const double one = as_one_graph(job, trials);
  std::printf("  epoch %.2f ms, of which cutting batches %.3f ms; as one graph %.2f ms\n",
              epoch * 1e3, cut * 1e3, one * 1e3);
  bench::ratio(name + "_share_of_cutting", cut / epoch);
  bench::ratio(name + "_one_graph", one / epoch);
}

}  // namespace

int main(int argc, char** argv) {
  bench::let_blas_use_this_processor(argv);
  const int trials = argc > 1 ? std::atoi(argv[1]) : 7;
  if (argc > 2) set_num_threads(std::atoi(argv[2]));
  std::vector<std::string> names(argv + std::min(argc, 3), argv + argc);
  if (names.empty()) names = {"triads", "enzymes", "aids"};
  for (const std::string& name : names) {
    try {
      LoadOptions here;
      here.download = false;
      load_dataset(name, here);
    } catch (const Error& error) {
      std::printf("%s: left out (%s)\n", name.c_str(), error.what());
      continue;
    }
    run(name, trials);
  }
  bench::print_ratios();
}
