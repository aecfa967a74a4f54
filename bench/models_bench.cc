// An epoch (forward, backward, Adam) of GCN, GraphSAGE, GAT and GIN with two layers: ours against
// the formulas in LibTorch, messages gathered from the arcs' sources and scattered to their targets
// (where it is installed). And of the ensembles: 13 modules side by side against 13 modules one
// after the other, in our operations and in LibTorch's. Losses are compared first, without dropout.
// Usage: models_bench [trials] [threads] [pubmed | hetionet | ensembles ...]   (default: all)
#include <cmath>
#include <cstdlib>
#include <map>

#include "bench/bench.h"
#include "bench/blas.h"
#include "mgnn/base/parallel.h"
#include "mgnn/data/features.h"
#include "mgnn/data/load.h"
#include "mgnn/graph/generators.h"
#include "mgnn/models/batch.h"
#include "mgnn/models/model.h"
#include "mgnn/tensor/optimiser.h"
#ifdef MGNN_TORCH
#include "bench/torch_batch.h"
#endif

namespace {

using namespace mgnn;

constexpr double kRate = 0.011, kDecay = 5e-4;
constexpr int64_t kModules = 13;

// ---- data

// A graph with as many nodes, arcs and types as hetionet, where hetionet is not here.
Dataset like_hetionet() {
  std::printf("hetionet is not here; a random graph of its size (R-MAT) takes its place\n");
  Dataset data;
  data.name = "hetionet";
  constexpr NodeId kNodes = 47'031;
  data.graph = make_graph(kNodes, rmat_edges({.nodes = kNodes, .arcs = 2'250'197}, Rng(1)).edges);
  Rng rng(2);
  for (NodeId v = 0; v < kNodes; v++) data.node_type.push_back(int32_t(rng.below(11)));
  for (int type = 0; type < 11; type++) data.node_type_names.push_back(std::to_string(type));
  return data;
}

Dataset load(const std::string& name) {
  Dataset data;
  try {
    data = load_dataset(name);
  } catch (const Error& error) {
    if (name != "hetionet") throw;
    data = like_hetionet();
  }
  if (num_features(data.features) == 0) data.features = degree_profile(data.graph);
  if (data.label.empty()) data.label = data.node_type, data.class_names = data.node_type_names;
  // Degrees of hubs are large: all are brought to a like scale, so that losses are numbers.
  if (auto* x = std::get_if<Matrix>(&data.features))
    for (float& v : x->data) v = std::log1p(std::max(v, 0.f));
  return data;
}

std::vector<NodeId> labelled(const Dataset& data) {
  std::vector<NodeId> rows;
  for (NodeId v = 0; v < data.graph.num_nodes(); v++)
    if (data.label[size_t(v)] >= 0) rows.push_back(v);
  return rows;
}

// ---- ours

std::unique_ptr<Model> network(const std::string& method, std::vector<std::string> settings,
                               bool dropout) {
  std::unique_ptr<Model> model = find_method(method).make();
  const Options options = model->options();
  if (!dropout) {
    settings.insert(settings.end(), {"dropout=0", "input_dropout=0"});
    for (const Option& option : options)
      if (option.name == "attention_dropout") settings.push_back("attention_dropout=0");
  }
  for (const std::string& one : settings) set_option(options, one);
  return model;
}

// A network with its weights and their optimiser.
struct Learner {
  std::unique_ptr<Model> model;
  Parameters weights;
  std::unique_ptr<Adam> adam;

  Learner(std::unique_ptr<Model> made, const Batch& batch, int64_t classes)
      : model(std::move(made)) {
    Rng rng(1);
    model->build({batch.num_features(), classes, Level::node}, weights, rng);
    adam = std::make_unique<Adam>(weights,
                                  AdamOptions{.learning_rate = kRate, .weight_decay = kDecay});
  }
  const NamedParameter& parameter(const std::string& name) const {
    for (const NamedParameter& p : weights.all)
      if (p.name == name) return p;
    fail("no weight {}", name);
  }
};

class Ours {
 public:
  Ours(const Dataset& data, const std::string& method, const std::vector<std::string>& settings,
       bool dropout)
      : data_(data), rows_(labelled(data)) {
    std::unique_ptr<Model> model = network(method, settings, dropout);
    batch = whole_batch(data, *model);
    learner = std::make_unique<Learner>(std::move(model), batch, data.num_classes());
  }
  double step() {
    tape_.start_training(uint64_t(steps_++));
    Step<float> pass(tape_, learner->weights, batch);
    const Var<float> loss =
        cross_entropy<float>(learner->model->forward(pass).out, data_.label, rows_);
    tape_.backward(loss);
    learner->adam->step(learner->weights);
    return double(loss(0, 0));
  }

  Batch batch;
  std::unique_ptr<Learner> learner;

 private:
  const Dataset& data_;
  std::vector<NodeId> rows_;
  Tape<float> tape_{1};
  int64_t steps_ = 0;
};

// The modules of an ensemble one after the other, each a network with an optimiser of its own,
// begun with the weights that the ensemble has now.
class Separate {
 public:
  Separate(const Dataset& data, const Ours& all, int64_t gats, bool dropout)
      : data_(data), batch_(all.batch), rows_(labelled(data)), p_(dropout ? 0.5 : 0) {
    const Learner& from = *all.learner;
    for (int64_t k = 0; k < kModules; k++) {
      const bool gat = k < gats;
      modules_.push_back(std::make_unique<Learner>(
          network(gat ? "egat" : "esage", {gat ? "gats=1" : "sages=1"}, dropout), batch_, 1));
      Learner& to = *modules_.back();
      for (const NamedParameter& p : to.weights.all) {
        if (p.name.starts_with("output")) continue;
        const NamedParameter& source = from.parameter(p.name);
        for (int64_t r = 0; r < p.rows; r++)
          std::copy_n(
              from.weights.value_of(source) + r * source.cols + (gat ? k : k - gats) * p.cols,
              p.cols, to.weights.value_of(p) + r * p.cols);
      }
    }
    Rng rng(1);
    for (const char* name : {"output.weight", "output.bias"}) {
      const NamedParameter& p = from.parameter(name);
      const Parameter place = fusion_.add(name, p.rows, p.cols, {}, rng);
      std::copy_n(from.weights.value_of(p), p.size(), fusion_.value_of(place));
      (p.rows > 1 ? weight_ : bias_) = place;
    }
    adam_ = std::make_unique<Adam>(fusion_,
                                   AdamOptions{.learning_rate = kRate, .weight_decay = kDecay});
  }

  double step() {
    tape_.start_training(uint64_t(steps_++));
    std::vector<Var<float>> parts;
    for (const auto& module : modules_) {
      Step<float> pass(tape_, module->weights, batch_);
      parts.push_back(module->model->forward(pass).representation);
    }
    const Var<float> h = mgnn::dropout(concat_columns<float>(parts), p_);
    const Var<float> out =
        add_bias(matmul(h, tape_.parameter(fusion_, weight_)), tape_.parameter(fusion_, bias_));
    const Var<float> loss = cross_entropy<float>(out, data_.label, rows_);
    tape_.backward(loss);
    for (const auto& module : modules_) module->adam->step(module->weights);
    adam_->step(fusion_);
    return double(loss(0, 0));
  }

 private:
  const Dataset& data_;
  const Batch& batch_;
  std::vector<NodeId> rows_;
  double p_;
  std::vector<std::unique_ptr<Learner>> modules_;
  Parameters fusion_;
  Parameter weight_, bias_;
  std::unique_ptr<Adam> adam_;
  Tape<float> tape_{1};
  int64_t steps_ = 0;
};

#ifdef MGNN_TORCH
// ---- LibTorch

using torch::Tensor;

// The arcs as two lists, with a loop at every node in the second pair.
struct Arcs {
  Tensor from, to, loop_from, loop_to;
  Tensor gcn_weight;  // of the second pair
  explicit Arcs(const Graph& graph) {
    std::vector<int64_t> u, v;
    for (const Edge& e : arcs(graph)) u.push_back(e.from), v.push_back(e.to);
    from = torch::tensor(u), to = torch::tensor(v);
    const Tensor all = torch::arange(int64_t(graph.num_nodes()));
    loop_from = torch::cat({from, all}), loop_to = torch::cat({to, all});
    const Tensor degree = torch::zeros({graph.num_nodes()})
                              .index_add(0, loop_to, torch::ones(loop_to.sizes(), torch::kFloat));
    const Tensor root = degree.rsqrt();
    gcn_weight = root.index_select(0, loop_from) * root.index_select(0, loop_to);
  }
};

class Theirs {
 public:
  // `modules` > 0: an ensemble, whose first `gats` modules are GAT.
  Theirs(const Dataset& data, const Ours& ours, std::string method, bool dropout, int64_t gats = 0)
      : method_(std::move(method)), gats_(gats), p_(dropout ? 0.5 : 0), arcs_(data.graph) {
    for (const NamedParameter& p : ours.learner->weights.all) {
      const Tensor t = bench::tensor_of(ours.learner->weights, p);
      if (p.learns) learned_.push_back(t);
      weights_[p.name] = t;
    }
    x_ = bench::dense_features(ours.batch);
    std::vector<int64_t> rows, label;
    for (const NodeId v : labelled(data)) rows.push_back(v), label.push_back(data.label[size_t(v)]);
    rows_ = torch::tensor(rows), labels_ = torch::tensor(label);
    // Modules have weights of their own, as if each were a layer by itself.
    if (method_[0] == 'e') split_modules();
    adam_ = std::make_unique<torch::optim::Adam>(
        learned_, torch::optim::AdamOptions(kRate).weight_decay(kDecay));
  }

  double step() {
    adam_->zero_grad();
    const Tensor h = torch::dropout(method_[0] == 'e' ? modules() : layers(), p_, true);
    const Tensor out = torch::addmm(weights_.at("output.bias"), h, weights_.at("output.weight"));
    const Tensor loss = torch::nn::functional::cross_entropy(out.index_select(0, rows_), labels_);
    loss.backward();
    adam_->step();
    return loss.item<double>();
  }

 private:
  const Tensor& weight(const std::string& name) { return weights_.at(name); }

  void split_modules() {
    learned_.clear();
    std::map<std::string, Tensor> parts;
    for (const auto& [name, all] : weights_) {
      if (name.starts_with("output")) {
        parts[name] = all, learned_.push_back(all);
        continue;
      }
      const bool gat = name.find(".gat.") != std::string::npos;
      const int64_t count = gat ? gats_ : kModules - gats_, width = all.size(1) / count;
      for (int64_t k = 0; k < count; k++) {
        const std::string part = name.substr(name.find(gat ? ".gat." : ".sage.") + (gat ? 4 : 5));
        const Tensor own = all.detach().narrow(1, k * width, width).clone().requires_grad_(true);
        parts["module" + std::to_string(gat ? k : gats_ + k) + part] = own;
        learned_.push_back(own);
      }
    }
    weights_ = parts;
  }

  Tensor layers() {
    Tensor h = x_;
    for (const std::string layer : {"layer1", "layer2"}) {
      h = torch::dropout(h, p_, true);
      if (method_ == "gcn") h = gcn(h, layer);
      if (method_ == "sage") h = sage(h, layer);
      if (method_ == "gat") h = gat(h, layer, kModules);
      if (method_ == "gin") h = gin(h, layer);
    }
    return h;
  }

  Tensor modules() {
    std::vector<Tensor> parts;
    for (int64_t k = 0; k < kModules; k++) {
      const Tensor x = torch::dropout(x_, p_, true);
      const std::string name = "module" + std::to_string(k);
      parts.push_back(k < gats_ ? gat(x, name, 1) : sage(x, name));
    }
    return torch::cat(parts, 1);
  }

  Tensor gcn(const Tensor& h, const std::string& layer) {
    const Tensor hw = torch::mm(h, weight(layer + ".weight"));
    const Tensor message = hw.index_select(0, arcs_.loop_from) * arcs_.gcn_weight.unsqueeze(1);
    return torch::relu(torch::zeros_like(hw).index_add(0, arcs_.loop_to, message) +
                       weight(layer + ".bias"));
  }

  Tensor sage(const Tensor& h, const std::string& layer) {
    const Tensor message = h.index_select(0, arcs_.from);
    const Tensor maximum = torch::zeros_like(h).scatter_reduce(
        0, arcs_.to.unsqueeze(1).expand_as(message), message, "amax", /*include_self=*/false);
    return torch::relu(torch::mm(maximum, weight(layer + ".neighbour.weight")) +
                       torch::mm(h, weight(layer + ".root.weight")) + weight(layer + ".bias"));
  }

  Tensor gat(const Tensor& h, const std::string& layer, int64_t heads) {
    const int64_t n = h.size(0);
    const Tensor hw = torch::mm(h, weight(layer + ".weight")).view({n, heads, -1});
    const auto part = [&](const char* which) {
      return (hw * weight(layer + which).view({1, heads, -1})).sum(2);  // (n, heads)
    };
    const Tensor score =
        torch::leaky_relu(part(".attention.source").index_select(0, arcs_.loop_from) +
                              part(".attention.target").index_select(0, arcs_.loop_to),
                          0.2);
    const Tensor at = arcs_.loop_to.unsqueeze(1).expand_as(score);
    const Tensor maximum =
        torch::zeros({n, heads}).scatter_reduce(0, at, score.detach(), "amax", false);
    const Tensor power = (score - maximum.index_select(0, arcs_.loop_to)).exp();
    const Tensor total = torch::zeros({n, heads}).index_add(0, arcs_.loop_to, power);
    const Tensor alpha = torch::dropout(power / total.index_select(0, arcs_.loop_to), p_, true);
    const Tensor message = hw.index_select(0, arcs_.loop_from) * alpha.unsqueeze(2);
    const Tensor sum = torch::zeros_like(hw).index_add(0, arcs_.loop_to, message);
    return torch::elu(sum.view({n, -1}) + weight(layer + ".bias"));
  }

  Tensor gin(const Tensor& h, const std::string& layer) {
    const Tensor sum = h.index_add(0, arcs_.to, h.index_select(0, arcs_.from));
    Tensor y = sum;
    for (const std::string part : {".first", ".second"}) {
      const std::string norm = layer + part + "_norm";
      y = torch::relu(
          torch::addmm(weight(layer + part + ".bias"), y, weight(layer + part + ".weight")));
      y = torch::batch_norm(y, weight(norm + ".weight").view(-1), weight(norm + ".bias").view(-1),
                            weights_.at(norm + ".running_mean").view(-1),
                            weights_.at(norm + ".running_var").view(-1), true, 0.1, 1e-5, false);
    }
    return y;
  }

  std::string method_;
  int64_t gats_;
  double p_;
  Arcs arcs_;
  std::map<std::string, Tensor> weights_;
  std::vector<Tensor> learned_;
  Tensor x_, rows_, labels_;
  std::unique_ptr<torch::optim::Adam> adam_;
};
#endif

// ---- timing

void networks(const Dataset& data, int trials) {
  for (const std::string method : {"gcn", "sage", "gat", "gin"}) {
    const std::vector<std::string> settings = {method == "gat" ? "layers=8,8" : "layers=16,16"};
    const std::string name = data.name + "_" + method;
#ifdef MGNN_TORCH
    {
      Ours ours(data, method, settings, false);
      Theirs theirs(data, ours, method, false);
      for (int i = 0; i < 3; i++) bench::check_near(name, ours.step(), theirs.step());
    }
#endif
    Ours ours(data, method, settings, true);
    const double fast = bench::median_seconds(trials * 3, [&] { ours.step(); });
    std::printf("%-24s ours %8.2f ms", name.c_str(), 1e3 * fast);
    bench::figure(name + "_ms", 1e3 * fast);
#ifdef MGNN_TORCH
    Theirs theirs(data, ours, method, true);
    const double slow = bench::median_seconds(trials, [&] { theirs.step(); });
    std::printf("  LibTorch %9.1f ms  %6.1fx", 1e3 * slow, slow / fast);
    bench::ratio(name + "_torch_over_ours", slow / fast);
#endif
    std::printf("\n");
    std::fflush(stdout);
  }
}

void ensembles(const Dataset& data, int trials) {
  const std::pair<const char*, int64_t> kinds[] = {{"egat", 13}, {"esage", 0}, {"egat+sage", 6}};
  for (const auto& [method, gats] : kinds) {
    const std::string name = data.name + "_" + method;
    {
      Ours ours(data, method, {}, false);
      Separate separate(data, ours, gats, false);
#ifdef MGNN_TORCH
      Theirs theirs(data, ours, method, false, gats);
#endif
      for (int i = 0; i < 3; i++) {
        const double loss = ours.step();
        bench::check_near(name + " one by one", loss, separate.step());
#ifdef MGNN_TORCH
        bench::check_near(name + " LibTorch", loss, theirs.step());
#endif
      }
    }
    Ours ours(data, method, {}, true);
    Separate separate(data, ours, gats, true);
    const double fast = bench::median_seconds(trials, [&] { ours.step(); });
    const double slow = bench::median_seconds(trials, [&] { separate.step(); });
    std::printf("%-24s ours %8.2f ms  one by one %9.1f ms  %6.1fx", name.c_str(), 1e3 * fast,
                1e3 * slow, slow / fast);
    bench::ratio(name + "_separate_over_parallel", slow / fast);
#ifdef MGNN_TORCH
    Theirs theirs(data, ours, method, true, gats);
    const double torch = bench::median_seconds(std::max(1, trials / 3), [&] { theirs.step(); });
    std::printf("  LibTorch %9.1f ms  %6.1fx", 1e3 * torch, torch / fast);
    bench::ratio(name + "_torch_over_parallel", torch / fast);
#endif
    std::printf("\n");
    std::fflush(stdout);
  }
}

}  // namespace

int main(int argc, char** argv) {
  bench::let_blas_use_this_processor(argv);
  const int trials = argc > 1 ? std::atoi(argv[1]) : 5;
  set_num_threads(argc > 2 ? std::atoi(argv[2]) : 0);
#ifdef MGNN_TORCH
  torch::set_num_threads(num_threads());
#else
  std::printf("LibTorch is not here: the ensembles alone are compared\n");
#endif
  std::printf("%d threads\n", num_threads());
  for (const std::string name : {"pubmed", "hetionet", "ensembles"}) {
    bool wanted = argc <= 3;
    for (int i = 3; i < argc; i++) wanted |= name == argv[i];
    if (!wanted) continue;
    try {
      if (name == "ensembles")
        ensembles(load("pubmed"), trials);
      else
        networks(load(name), trials);
    } catch (const Error& error) {
      std::printf("%s: left out: %s\n", name.c_str(), error.what());
    }
  }
  bench::print_ratios();
}
