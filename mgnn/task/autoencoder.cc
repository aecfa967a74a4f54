#include "mgnn/task/autoencoder.h"

#include <algorithm>

#include "mgnn/data/edges.h"
#include "mgnn/data/splits.h"
#include "mgnn/models/batch.h"
#include "mgnn/task/metrics.h"
#include "mgnn/task/parts.h"

namespace mgnn {
namespace {

constexpr bool kUndirected = false;  // pairs (u, v) and (v, u) are one
// Where a deviation of e^10 or e^-10 is as good as any beyond.
constexpr double kMaxLogSigma = 10;
// Fewer held-out edges say nothing.
constexpr size_t kMinHeldOutEdges = 10;

// Joined in either direction; u < v.
void add_pairs(const Graph& graph, NodeId first, NodeId last, NodePairs& to) {
  for (NodeId u = first; u < last; u++) {
    for (const NodeId v : graph.out.row(u))
      if (u < v) to.push_back({u, v});
    for (const NodeId v : graph.in.row(u))
      if (u < v && !graph.has_arc(u, v)) to.push_back({u, v});
  }
}

// Pairs of nodes of a batch that the network should tell apart.
struct Pairs {
  NodePairs joined, apart;
};

Scores scores_of(const Var<float>& out, const Pairs& pairs, bool variational) {
  const Var<float> z = latent_of(out, variational).z;
  std::vector<float> score;
  std::vector<uint8_t> positive;
  const auto add = [&](const NodePairs& some, uint8_t are_joined) {
    const Var<float> dot = pair_dot<float>(z, z, some.from, some.to);
    score.insert(score.end(), dot.value, dot.value + dot.size());
    positive.insert(positive.end(), some.size(), are_joined);
  };
  add(pairs.joined, 1);
  add(pairs.apart, 0);
  return {double(*reconstruction_loss(z, pairs.joined, pairs.apart).value), auroc(score, positive),
          int64_t(pairs.joined.size())};
}

Var<float> training_loss(const Var<float>& out, const Pairs& pairs, bool variational,
                         double divergence_weight) {
  const Latent<float> latent = latent_of(out, variational);
  const Var<float> loss = reconstruction_loss(latent.z, pairs.joined, pairs.apart);
  return variational ? add(loss, scale(latent.divergence, divergence_weight)) : loss;
}

const Hint kContrastive(Hint::setting, "objective=contrastive");

void check_joined(const Dataset& data, const NodePairs& joined) {
  if (joined.size() == 0) fail_data(kContrastive, "{}: has no edges to reconstruct", data.name);
}

// `possible`: pairs of nodes that an edge may join.
void check_apart(const Dataset& data, size_t joined, int64_t possible) {
  if (int64_t(joined) == possible)
    fail_data(kContrastive, "{}: {} all nodes are joined, so there is nothing to tell apart",
              data.name, data.is_set() ? "in every graph" : "in the graph");
}

int64_t num_pairs(int64_t nodes) { return nodes * (nodes - 1) / 2; }

class OneGraph : public Problem {
 public:
  OneGraph(const Dataset& dataset, const Model& model, const UnsupervisedOptions& settings,
           const Rng& rng)
      : rng_(rng.split(0)),
        variational_(settings.objective == Objective::vgae),
        divergence_weight_(settings.kl_weight / std::max(1., double(dataset.graph.num_nodes()))) {
    const NodeId n = dataset.graph.num_nodes();
    NodePairs any;
    add_pairs(dataset.graph, 0, n, any);
    check_joined(dataset, any);
    check_apart(dataset, any.size(), num_pairs(n));
    const Array<Edge> all = arcs(dataset.graph);
    const EdgeSplit split = edge_split(all, settings.held_out, 0, rng.split(1));
    Array<Edge> hidden, seen;
    for (const Offset e : split.validation) hidden.push_back(all[e]);
    for (const Offset e : split.train) seen.push_back(all[e]);
    const Graph hidden_graph = make_graph(n, std::move(hidden));
    add_pairs(hidden_graph, 0, n, validation_.joined);
    const bool held_out = validation_.joined.size() >= kMinHeldOutEdges;
    graph_ = held_out ? make_graph(n, std::move(seen)) : dataset.graph;
    add_pairs(graph_, 0, n, training_.joined);
    if (!held_out) validation_.joined = training_.joined;
    sampler_ = std::make_unique<NegativeSampler>(graph_, std::span<const int32_t>(), kUndirected);
    const NegativeSampler known(dataset.graph, {}, kUndirected);
    validation_.apart = known.draw(validation_.joined, rng.split(2));
    Dataset visible = arcs_of_part(dataset, graph_);
    visible.features = dataset.features;
    batch_ = whole_batch(visible, model);
  }

  Metric metric() const override { return {"auroc"}; }
  int64_t start_epoch(int64_t epoch) override {
    training_.apart = sampler_->draw(training_.joined, rng_.split(uint64_t(epoch)));
    return 1;
  }
  const Batch& batch(int64_t) override { return batch_; }
  Var<float> loss(const Output<float>& out, int64_t) override {
    return training_loss(out.out, training_, variational_, divergence_weight_);
  }
  int64_t num_validation_batches() override { return 1; }
  const Batch& validation_batch(int64_t) override { return batch_; }
  Scores validation(const Output<float>& out, int64_t) override {
    return scores_of(out.out, validation_, variational_);
  }

 private:
  const Rng rng_;
  const bool variational_;
  const double divergence_weight_;
  Graph graph_;  // without hidden edges
  std::unique_ptr<NegativeSampler> sampler_;
  Batch batch_;
  Pairs training_, validation_;
};

class SetOfGraphs : public Problem {
 public:
  SetOfGraphs(const Dataset& dataset, const Model& model, const Split& graphs,
              const UnsupervisedOptions& settings, int64_t batch_size, const Rng& rng)
      : data_(dataset),
        rng_(rng.split(0)),
        variational_(settings.objective == Objective::vgae),
        kl_weight_(settings.kl_weight),
        batch_size_(batch_size),
        in_order_(graphs.train),
        order_(graphs.train),
        all_(whole_batch(dataset, model)) {
    NodePairs any;
    add_pairs(data_.graph, 0, data_.graph.num_nodes(), any);
    check_joined(data_, any);
    int64_t possible = 0;
    for (NodeId g = 0; g < data_.num_graphs(); g++) {
      graph_of_.insert(graph_of_.end(), size_t(size_of(g)), g);
      possible += possible_pairs(g);
    }
    check_apart(data_, any.size(), possible);
    sampler_ = std::make_unique<NegativeSampler>(data_.graph, graph_of_, kUndirected);
    const Parts parts(graphs.validation, batch_size);
    validation_batches_.resize(size_t(parts.count()));
    validation_pairs_.resize(size_t(parts.count()));
    for (int64_t i = 0; i < parts.count(); i++)
      make(parts[i], rng.split(1).split(uint64_t(i)), validation_batches_[i], validation_pairs_[i]);
  }

  Metric metric() const override { return {"auroc"}; }
  int64_t start_epoch(int64_t epoch) override {
    of_epoch_ = rng_.split(uint64_t(epoch));
    order_ = in_order_;
    of_epoch_.split(0).shuffle(std::span(order_));
    return parts().count();
  }
  const Batch& batch(int64_t step) override {
    make(parts()[step], of_epoch_.split(uint64_t(step) + 1), batch_, pairs_);
    return batch_;
  }
  Var<float> loss(const Output<float>& out, int64_t) override {
    const double nodes =
        double(batch_.num_nodes) / double(std::max<int64_t>(batch_.num_graphs(), 1));
    return training_loss(out.out, pairs_, variational_, kl_weight_ / std::max(nodes, 1.));
  }
  int64_t num_validation_batches() override { return int64_t(validation_batches_.size()); }
  const Batch& validation_batch(int64_t i) override { return validation_batches_[i]; }
  Scores validation(const Output<float>& out, int64_t i) override {
    return scores_of(out.out, validation_pairs_[i], variational_);
  }

 private:
  Parts parts() const { return {order_, batch_size_}; }
  NodeId start_of(NodeId g) const { return data_.graph_start[g]; }
  NodeId size_of(NodeId g) const { return start_of(g + 1) - start_of(g); }
  int64_t possible_pairs(NodeId g) const { return num_pairs(size_of(g)); }

  // Pairs in the numbers of the whole set first: there are the known edges.
  void make(std::span<const NodeId> graphs, const Rng& rng, Batch& batch, Pairs& pairs) const {
    slice_batch(all_, graphs, batch);
    pairs = {};
    NodePairs beside;
    std::vector<NodeId> to(size_t(data_.num_graphs()), 0);  // where each graph begins in the batch
    for (size_t i = 0; i < graphs.size(); i++) {
      const NodeId g = graphs[i];
      to[g] = NodeId(batch.graph_start[i]);
      NodePairs joined;
      add_pairs(data_.graph, start_of(g), start_of(g + 1), joined);
      const bool complete = int64_t(joined.size()) == possible_pairs(g);
      for (size_t p = 0; p < joined.size(); p++) {
        pairs.joined.push_back(joined[p]);
        if (!complete) beside.push_back(joined[p]);
      }
    }
    pairs.apart = sampler_->draw(beside, rng);
    for (NodePairs* some : {&pairs.joined, &pairs.apart})
      for (auto* ends : {&some->from, &some->to})
        for (NodeId& v : *ends) {
          const NodeId g = graph_of_[v];
          v += to[g] - start_of(g);
        }
  }

  const Dataset& data_;
  const Rng rng_;
  const bool variational_;
  const double kl_weight_;
  const int64_t batch_size_;
  const std::vector<NodeId>& in_order_;
  Rng of_epoch_{0};
  std::vector<NodeId> order_;  // of this epoch
  const Batch all_;
  std::vector<int32_t> graph_of_;  // (n)
  std::unique_ptr<NegativeSampler> sampler_;
  Batch batch_;
  Pairs pairs_;
  std::vector<Batch> validation_batches_;
  std::vector<Pairs> validation_pairs_;
};

}  // namespace

template <class T>
Latent<T> latent_of(Var<T> out, bool variational) {
  if (!variational) return {out};
  const int64_t d = out.cols / 2;
  const Var<T> mean = slice_columns(out, 0, d);
  const Var<T> log_sigma = clamp(slice_columns(out, d, d), -kMaxLogSigma, kMaxLogSigma);
  const Var<T> divergence = kl_normal(mean, log_sigma);
  if (!out.tape->training()) return {mean, divergence};
  const Var<T> noise = normal_noise(*out.tape, mean.rows, mean.cols);
  return {add(mean, mul(exp(log_sigma), noise)), divergence};
}

template <class T>
Var<T> reconstruction_loss(Var<T> z, const NodePairs& joined, const NodePairs& apart) {
  // -log s(x) = softplus(-x), -log(1 - s(x)) = softplus(x)
  const Var<T> near = pair_dot<T>(z, z, joined.from, joined.to);
  const Var<T> far = pair_dot<T>(z, z, apart.from, apart.to);
  return add(mean(softplus(scale(near, -1.))), mean(softplus(far)));
}

template Latent<float> latent_of(Var<float>, bool);
template Latent<double> latent_of(Var<double>, bool);
template Var<float> reconstruction_loss(Var<float>, const NodePairs&, const NodePairs&);
template Var<double> reconstruction_loss(Var<double>, const NodePairs&, const NodePairs&);

std::unique_ptr<Problem> autoencoder_problem(const Dataset& dataset, const Model& model,
                                             const Split& graphs,
                                             const UnsupervisedOptions& settings,
                                             int64_t batch_size, const Rng& rng) {
  if (dataset.is_set())
    return std::make_unique<SetOfGraphs>(dataset, model, graphs, settings, batch_size, rng);
  return std::make_unique<OneGraph>(dataset, model, settings, rng);
}

}  // namespace mgnn
