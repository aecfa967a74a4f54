// Networks against the same formulas in plain LibTorch, on dense matrices: outputs and gradients
// with the same weights, in double.
#include <gtest/gtest.h>
#include <torch/torch.h>

#include <map>
#include <numeric>

#include "mgnn/tensor/random.h"
#include "tests/models/built.h"
#include "tests/reference/motif_reference.h"

namespace mgnn {
namespace {

using testing::Built, testing::random_features, testing::random_graph;
using torch::Tensor;

using Weights = std::map<std::string, Tensor>;
struct Data {
  Tensor x;  // (n, in)
  Tensor a;  // (n, n) a[i][j] = 1: j is a neighbour of i
  const Graph* graph;
  std::vector<Tensor> relation = {};  // (n, n) each, along and against the arcs; as a
  Tensor loops() const { return a + torch::eye(a.size(0), a.options()); }
  // D^-½ (A + I) D^-½
  Tensor normalised() const {
    const Tensor m = loops(), root = m.sum(1).rsqrt();
    return root.unsqueeze(1) * m * root.unsqueeze(0);
  }
};
using Formula = std::function<Tensor(const Data&, Weights&)>;

Tensor linear(const Tensor& x, Weights& w, const std::string& name) {
  return torch::mm(x, w.at(name + ".weight")) + w.at(name + ".bias");
}

// The largest x_j of the neighbours j of i, column by column; 0 where there are none.
Tensor neighbour_largest(const Data& d, const Tensor& x) {
  const Tensor hidden = (d.a == 0).unsqueeze(2);
  const Tensor all = x.unsqueeze(0).expand({x.size(0), x.size(0), x.size(1)});
  const Tensor maximum = std::get<0>(all.masked_fill(hidden, -1e300).max(1));
  return maximum.masked_fill((d.a.sum(1) == 0).unsqueeze(1), 0);
}

Tensor batch_norm(const Tensor& x, Weights& w, const std::string& name) {
  return (x - w.at(name + ".running_mean")) / (w.at(name + ".running_var") + 1e-5).sqrt() *
             w.at(name + ".weight") +
         w.at(name + ".bias");
}

// Softmax over the in-neighbours of each node, itself included.
Tensor attention(const Data& d, const Tensor& score) {
  return torch::softmax(score.masked_fill(d.loops() == 0, -1e300), 1);
}

Tensor gat(const Data& d, Weights& w, const Tensor& x, const std::string& layer, int64_t heads,
           bool v2) {
  const Tensor hw = torch::mm(x, w.at(layer + ".weight"));
  const int64_t width = hw.size(1) / heads;
  const auto head = [&](const Tensor& t, int64_t k) { return t.narrow(1, k * width, width); };
  std::vector<Tensor> parts;
  for (int64_t k = 0; k < heads; k++) {
    const Tensor self = head(hw, k), source = head(w.at(layer + ".attention.source"), k);
    Tensor score;
    if (v2) {
      const Tensor receiver = head(torch::mm(x, w.at(layer + ".target_weight")), k);
      const Tensor pairs = receiver.unsqueeze(1) + self.unsqueeze(0);
      score = (torch::leaky_relu(pairs, 0.2) * source).sum(2);
    } else {
      const Tensor target = (self * head(w.at(layer + ".attention.target"), k)).sum(1, true);
      score = torch::leaky_relu(target + (self * source).sum(1).unsqueeze(0), 0.2);
    }
    parts.push_back(torch::mm(attention(d, score), self));
  }
  return torch::elu(torch::cat(parts, 1) + w.at(layer + ".bias"));
}

Tensor sage(const Data& d, Weights& w, Tensor x, const std::string& layer, const char* aggregate) {
  Tensor aggregated;
  const std::string kind = aggregate;
  if (kind == "mean") aggregated = torch::mm(d.a / d.a.sum(1, true).clamp_min(1), x);
  if (kind == "max") aggregated = neighbour_largest(d, x);
  if (kind == "pool") aggregated = neighbour_largest(d, torch::relu(linear(x, w, layer + ".pool")));
  return torch::relu(torch::mm(aggregated, w.at(layer + ".neighbour.weight")) +
                     torch::mm(x, w.at(layer + ".root.weight")) + w.at(layer + ".bias"));
}

// Every arc is in one relation, some in two.
std::vector<Relation> relations_of(const Graph& graph, int64_t count) {
  std::vector<Relation> relations;
  for (int64_t r = 0; r < count; r++) relations.push_back({fmt::format("r{}", r), {}});
  int64_t i = 0;
  for (const Edge& e : arcs(graph)) {
    if (count == 0) break;
    relations[size_t(i % count)].edges.push_back(e);
    if (i % 4 == 0) relations[size_t((i + 1) % count)].edges.push_back(e);
    i++;
  }
  return relations;
}

void add_relations(Data& data, const std::vector<Relation>& relations) {
  for (const Relation& relation : relations) {
    Tensor along = torch::zeros_like(data.a);
    for (const Edge& e : relation.edges) along[e.to][e.from] = 1;
    data.relation.push_back(along);
    data.relation.push_back(along.t());
  }
}

void compare(const std::string& method, const std::vector<std::string>& settings,
             const Formula& formula, Level level = Level::node, int64_t num_relations = 0) {
  SCOPED_TRACE(method);
  for (uint64_t seed = 0; seed < 3; seed++) {
    const NodeId n = 15;
    Built net(method, {6, 4, level, 0, num_relations}, settings, seed);
    const Graph graph = random_graph(n, 0.15, seed);
    const std::vector<Relation> relations = relations_of(graph, num_relations);
    const Matrix x = random_features(n, 6, seed + 10);
    ParametersOf<double> weights = converted<double>(net.weights);
    Rng rng(seed);
    for (double& v : weights.value) v = std::abs(v) > 0 ? v : 0.1 * rng.normal() + 0.3;
    Batch batch = net.batch(graph, x);
    if (num_relations > 0) batch.operators = net.model->operators({graph, {}, relations});

    Tape<double> tape;
    tape.start_training(0);
    tape.set_training(false);
    Step<double> step(tape, weights, batch);
    const Output<double> out = net.model->forward(step);

    Weights theirs;
    for (const NamedParameter& p : weights.all)
      theirs[p.name] = torch::from_blob(weights.value_of(p), {p.rows, p.cols}, torch::kFloat64)
                           .clone()
                           .requires_grad_(p.learns);
    Data data{torch::zeros({n, 6}, torch::kFloat64), torch::zeros({n, n}, torch::kFloat64), &graph};
    for (int64_t r = 0; r < n; r++) {
      for (int64_t c = 0; c < 6; c++) data.x[r][c] = double(x(r, c));
      for (const NodeId u : graph.in.row(NodeId(r))) data.a[r][u] = 1;
    }
    add_relations(data, relations);
    const Tensor expected = formula(data, theirs).contiguous();
    ASSERT_EQ(expected.numel(), out.out.size());
    for (int64_t i = 0; i < expected.numel(); i++)
      ASSERT_NEAR(out.out.value[i], expected.data_ptr<double>()[i], 1e-6) << "output " << i;

    tape.backward(testing::weighed(tape, out.out));
    const MatrixOf<double> c = testing::random_matrix(out.out.rows, out.out.cols, 99);
    (expected *
     torch::from_blob(const_cast<double*>(c.data.data()), {c.rows, c.cols}, torch::kFloat64))
        .sum()
        .backward();
    for (const NamedParameter& p : weights.all) {
      if (!p.learns) continue;
      const Tensor grad = theirs[p.name].grad();
      for (int64_t i = 0; i < p.size(); i++) {
        const double value = grad.defined() ? grad.contiguous().data_ptr<double>()[i] : 0;
        ASSERT_NEAR(weights.grad_of(p)[i], value, 1e-5 * std::max(1., std::abs(value)))
            << p.name << " " << i;
      }
    }
  }
}

TEST(TorchModels, Gcn) {
  compare("gcn", {"layers=[5, 3]"}, [](const Data& d, Weights& w) {
    const Tensor m = d.normalised();
    Tensor h = d.x;
    for (const std::string layer : {"layer1", "layer2"})
      h = torch::relu(torch::mm(m, torch::mm(h, w.at(layer + ".weight"))) + w.at(layer + ".bias"));
    return linear(h, w, "output");
  });
}

TEST(TorchModels, Sage) {
  for (const char* aggregate : {"max", "mean", "pool"})
    compare("sage", {"layers=[5, 3]", std::string("aggregate=") + aggregate},
            [aggregate](const Data& d, Weights& w) {
              const Tensor h = sage(d, w, d.x, "layer1", aggregate);
              return linear(sage(d, w, h, "layer2", aggregate), w, "output");
            });
}

TEST(TorchModels, Gat) {
  for (const bool v2 : {false, true})
    compare("gat", {"layers=[4, 2]", "heads=3", v2 ? "v2=true" : "v2=false"},
            [v2](const Data& d, Weights& w) {
              const Tensor h = gat(d, w, d.x, "layer1", 3, v2);
              return linear(gat(d, w, h, "layer2", 3, v2), w, "output");
            });
}

TEST(TorchModels, Gin) {
  compare("gin", {"layers=[5, 3]", "learn_eps=true"}, [](const Data& d, Weights& w) {
    Tensor h = d.x;
    for (const std::string layer : {"layer1", "layer2"}) {
      const Tensor sum = (1 + w.at(layer + ".eps")) * h + torch::mm(d.a, h);
      const Tensor hidden =
          batch_norm(torch::relu(linear(sum, w, layer + ".first")), w, layer + ".first_norm");
      h = batch_norm(torch::relu(linear(hidden, w, layer + ".second")), w, layer + ".second_norm");
    }
    return linear(h, w, "output");
  });
}

// relu(Σ_r mean_{j in N_r(i)} W_r h_j + W_root h_i + b), with W_r as they are or combined of bases.
Tensor rgcn(const Data& d, Weights& w, const Tensor& x, const std::string& layer, bool bases) {
  const Tensor bias = w.at(layer + ".bias");
  const int64_t width = bias.size(1), relations = int64_t(d.relation.size());
  const auto weight = [&](int64_t r) {
    if (!bases) return w.at(layer + ".weight").narrow(1, r * width, width);
    return torch::mm(w.at(layer + ".coefficients").narrow(0, r, 1), w.at(layer + ".basis"))
        .view({x.size(1), width});
  };
  Tensor sum = torch::mm(x, bases ? w.at(layer + ".root.weight") : weight(relations)) + bias;
  for (int64_t r = 0; r < relations; r++) {
    const Tensor& a = d.relation[size_t(r)];
    sum = sum + torch::mm(a / a.sum(1, true).clamp_min(1), torch::mm(x, weight(r)));
  }
  return torch::relu(sum);
}

TEST(TorchModels, Rgcn) {
  for (const int64_t bases : {0, 1, 3})
    compare(
        "rgcn", {"layers=[5, 3]", fmt::format("bases={}", bases)},
        [&](const Data& d, Weights& w) {
          const Tensor h = rgcn(d, w, d.x, "layer1", bases > 0);
          return linear(rgcn(d, w, h, "layer2", bases > 0), w, "output");
        },
        Level::node, 3);
}

TEST(TorchModels, MixHop) {
  compare("mixhop", {"layers=[5]"}, [](const Data& d, Weights& w) {
    const Tensor m = d.normalised(), weight = w.at("layer1.weight");
    const Tensor mx = torch::mm(m, d.x), mmx = torch::mm(m, mx);
    const Tensor h =
        torch::cat({torch::mm(d.x, weight.narrow(1, 0, 5)), torch::mm(mx, weight.narrow(1, 5, 5)),
                    torch::mm(mmx, weight.narrow(1, 10, 5))},
                   1);
    return linear(torch::relu(h + w.at("layer1.bias")), w, "output");
  });
}

TEST(TorchModels, Gdc) {
  compare("gdc", {"layers=[5]", "alpha=0.1", "top=1000"}, [](const Data& d, Weights& w) {
    const Tensor one = torch::eye(d.a.size(0), d.a.options());
    const Tensor s = 0.1 * torch::inverse(one - 0.9 * d.normalised());
    const Tensor h = torch::mm(s / s.sum(0, true), torch::mm(d.x, w.at("layer1.weight")));
    return linear(torch::relu(h + w.at("layer1.bias")), w, "output");
  });
}

TEST(TorchModels, Cadnet) {
  compare("cadnet", {"layers=[5]", "steps=3"}, [](const Data& d, Weights& w) {
    const Tensor z = linear(torch::leaky_relu(linear(d.x, w, "layer1"), 0.05), w, "logits");
    const Tensor p = torch::softmax(z, 1), alike = torch::mm(p, p.t()), m = d.loops();
    const Tensor t = attention(d, alike);
    const Tensor sure = (alike.detach() * m).sum(1, true) / m.sum(1, true);
    const Tensor gamma = 0.8 + 0.2 * sure;
    return (1 - gamma) * z + gamma * torch::mm(t, torch::mm(t, torch::mm(t, z)));
  });
}

TEST(TorchModels, GraphsByAttention) {
  compare(
      "globalatt", {"layers=[5, 3]"},
      [](const Data& d, Weights& w) {
        const Tensor h = sage(d, w, sage(d, w, d.x, "layer1", "mean"), "layer2", "mean");
        const Tensor graph = (torch::softmax(linear(h, w, "readout"), 0) * h).sum(0, true);
        return linear(torch::relu(linear(graph, w, "hidden")), w, "output");
      },
      Level::graph);
}

TEST(TorchModels, MotifNet) {
  for (const bool scaled : {true, false})
    compare("motifnet", {"layers=[5, 3]", scaled ? "scaled=true" : "scaled=false"},
            [scaled](const Data& d, Weights& w) {
              std::vector<Tensor> laplacians;
              for (int k = 1; k <= 13; k++) {
                const reference::Dense counts =
                    reference::motif_matrix(*d.graph, k, Counting::subgraph, Entry::edge);
                const Tensor m =
                    torch::tensor(counts.data).view({counts.n, counts.n}).to(torch::kFloat64);
                const Tensor degree = m.sum(1);
                const Tensor root = (degree > 0) * degree.clamp_min(1).rsqrt();
                Tensor l = -root.unsqueeze(1) * m * root.unsqueeze(0);
                if (!scaled) l = l + torch::diag((degree > 0).to(torch::kFloat64));
                laplacians.push_back(l);
              }
              Tensor h = d.x;
              for (const std::string layer : {"layer1", "layer2"}) {
                const Tensor alpha = torch::softmax(w.at(layer + ".attention"), 1);
                const int64_t width = w.at(layer + ".bias").size(1);
                const Tensor self = torch::mm(h, w.at(layer + ".weight").narrow(1, 0, width));
                const Tensor message =
                    torch::mm(h, w.at(layer + ".weight").narrow(1, width, width));
                Tensor sum = self + w.at(layer + ".bias");
                for (int64_t k = 0; k < 13; k++)
                  sum = sum + alpha[0][k] * torch::mm(laplacians[k], message);
                h = torch::relu(sum);
              }
              return linear(h, w, "output");
            });
}

// Module k of a kind, as a network of its own.
Weights module_of(Weights& all, const std::string& kind, int64_t k, int64_t count) {
  Weights own;
  for (auto& [name, t] : all) {
    const size_t at = name.find("." + kind + ".");
    if (at == std::string::npos) continue;
    const int64_t width = t.size(1) / count;
    own[name.substr(0, at) + name.substr(at + 1 + kind.size())] = t.narrow(1, k * width, width);
  }
  return own;
}

TEST(TorchModels, Ensembles) {
  const std::tuple<const char*, int64_t, int64_t> kinds[] = {
      {"egat", 13, 0}, {"esage", 0, 13}, {"egat+sage", 6, 7}};
  for (const auto& [method, gats, sages] : kinds)
    compare(method, {"layers=[4, 3]"}, [gats = gats, sages = sages](const Data& d, Weights& w) {
      std::vector<Tensor> parts;
      for (int64_t k = 0; k < gats; k++) {
        Weights own = module_of(w, "gat", k, gats);
        parts.push_back(gat(d, own, gat(d, own, d.x, "layer1", 1, false), "layer2", 1, false));
      }
      for (int64_t k = 0; k < sages; k++) {
        Weights own = module_of(w, "sage", k, sages);
        parts.push_back(sage(d, own, sage(d, own, d.x, "layer1", "max"), "layer2", "max"));
      }
      return linear(torch::cat(parts, 1), w, "output");
    });
}

// ---- pooling: three layers, and a coarser graph after the second

struct Coarse {
  Tensor h;       // (m, d)
  Tensor weight;  // (m, m) of messages
  Tensor listed;  // (m, m) 1 where there is a message
};
using Pool = std::function<Coarse(const Data&, Weights&, const Tensor&)>;

Tensor pooled(const Data& d, Weights& w, const Pool& pool) {
  const auto conv = [&](const Tensor& weight, const Tensor& listed, const Tensor& h,
                        const std::string& layer) {
    const Tensor mean = torch::mm(weight / listed.sum(1, true).clamp_min(1), h);
    return torch::relu(linear(mean, w, layer + ".neighbour") +
                       torch::mm(h, w.at(layer + ".root.weight")));
  };
  const Tensor h1 = conv(d.a, d.a, d.x, "layer1"), h2 = conv(d.a, d.a, h1, "layer2");
  const Coarse next = pool(d, w, h2);
  const Tensor h3 = conv(next.weight, next.listed, next.h, "layer3");
  const Tensor graph = torch::cat({h1.sum(0, true), h2.sum(0, true), h3.sum(0, true)}, 1);
  return linear(torch::relu(linear(graph, w, "hidden")), w, "output");
}

void compare_pooling(const char* method, const std::vector<std::string>& more, const Pool& pool) {
  std::vector<std::string> settings = {"layers=[5, 4, 3]"};
  settings.insert(settings.end(), more.begin(), more.end());
  compare(
      method, settings, [&](const Data& d, Weights& w) { return pooled(d, w, pool); },
      Level::graph);
}

// Messages between pairs (single nodes are their own partner), each once.
Tensor between(const Data& d, const std::vector<int64_t>& partner, bool loops) {
  std::vector<Tensor> rows;
  for (int64_t v = 0; v < int64_t(partner.size()); v++) {
    if (partner[v] < v) continue;
    Tensor row = torch::zeros({d.a.size(0)}, torch::kFloat64);
    row[v] = 1, row[partner[v]] = 1;
    rows.push_back(row);
  }
  const Tensor member = torch::stack(rows);  // (clusters, n)
  Tensor m = (torch::mm(torch::mm(member, d.a), member.t()) > 0).to(torch::kFloat64);
  return loops ? m : m * (1 - torch::eye(m.size(0), torch::kFloat64));
}

TEST(TorchModels, TopKPool) {
  compare_pooling("topkpool", {"ratio=0.6"}, [](const Data& d, Weights& w, const Tensor& h) {
    const Tensor p = w.at("layer2.pool.weight");
    const Tensor score = torch::tanh(torch::mm(h, p.t()) / p.norm());
    const Tensor kept = std::get<1>(score.squeeze(1).topk(9));
    const Tensor a = d.a.index_select(0, kept).index_select(1, kept);
    return Coarse{(h * score).index_select(0, kept), a, a};
  });
}

TEST(TorchModels, EdgePool) {
  compare_pooling("edgepool", {}, [](const Data& d, Weights& w, const Tensor& h) {
    const Tensor raw = torch::mm(h, w.at("layer2.pool.target")) +
                       torch::mm(h, w.at("layer2.pool.source")).t() + w.at("layer2.pool.bias");
    const Tensor score =
        torch::softmax(raw.masked_fill(d.a == 0, -1e300), 1) * (d.a.sum(1, true) > 0) + 0.5;
    const int64_t n = h.size(0);
    std::vector<int64_t> partner(static_cast<size_t>(n));
    std::iota(partner.begin(), partner.end(), 0);
    std::vector<bool> taken(static_cast<size_t>(n));
    std::vector<Tensor> features(static_cast<size_t>(n));
    for (;;) {  // the best message whose ends are both single
      int64_t best = -1;
      const Tensor flat = score.detach().contiguous();
      const double* s = flat.data_ptr<double>();
      for (int64_t e = 0; e < n * n; e++)
        if (d.a[e / n][e % n].item<double>() > 0 && !taken[e / n] && !taken[e % n] &&
            (best < 0 || s[e] > s[best]))
          best = e;
      if (best < 0) break;
      const int64_t u = best / n, v = best % n;
      taken[u] = taken[v] = true;
      partner[u] = v, partner[v] = u;
      features[std::min(u, v)] = (h[u] + h[v]) * score[u][v];
    }
    std::vector<Tensor> rows;
    for (int64_t v = 0; v < n; v++)
      if (partner[v] >= v) rows.push_back(taken[v] ? features[v] : h[v]);
    const Tensor m = between(d, partner, true);
    return Coarse{torch::stack(rows), m, m};
  });
}

// The order in which nodes look for a partner is ours; the clusters are computed anew. A node that
// has found none may still be matched by a neighbour.
TEST(TorchModels, Graclus) {
  for (const bool cut : {false, true}) {
    const Pool pool = [cut](const Data& d, Weights&, const Tensor& h) {
      const int64_t n = h.size(0);
      const RandomKey key = random_key(3, 0, 0);
      std::vector<int64_t> order(static_cast<size_t>(n));
      std::iota(order.begin(), order.end(), 0);
      std::vector<int64_t> partner = order;
      std::sort(order.begin(), order.end(), [&](int64_t a, int64_t b) {
        return random_bits(key, uint64_t(a)) < random_bits(key, uint64_t(b));
      });
      const Tensor degree = d.a.sum(1);
      const auto single = [&](int64_t v) { return partner[v] == v; };
      for (const int64_t u : order) {
        if (!single(u)) continue;
        int64_t best = u;
        double maximum = -1;
        for (int64_t v = 0; v < n; v++) {
          if (v == u || !single(v) || d.a[u][v].item<double>() == 0) continue;
          const double weight =
              cut ? 1 / degree[u].item<double>() + 1 / degree[v].item<double>() : 1;
          if (weight > maximum) best = v, maximum = weight;
        }
        partner[u] = best, partner[best] = u;
      }
      std::vector<Tensor> rows;
      for (int64_t v = 0; v < n; v++)
        if (partner[v] >= v) rows.push_back(torch::maximum(h[v], h[partner[v]]));
      const Tensor m = between(d, partner, false);
      return Coarse{torch::stack(rows), m, m};
    };
    compare_pooling("graclus", {"seed=3", cut ? "normalised_cut=true" : "normalised_cut=false"},
                    pool);
  }
}

TEST(TorchModels, Asap) {
  compare_pooling("asap", {"ratio=0.6"}, [](const Data& d, Weights& w, const Tensor& h) {
    const Tensor b = d.loops();
    const Tensor all = h.unsqueeze(0).expand({h.size(0), h.size(0), h.size(1)});
    const Tensor maximum = std::get<0>(all.masked_fill((b == 0).unsqueeze(2), -1e300).max(1));
    const Tensor query = linear(maximum, w, "layer2.pool.query");
    const Tensor score = torch::mm(query, w.at("layer2.pool.attention.target")) +
                         torch::mm(h, w.at("layer2.pool.attention.source")).t() +
                         w.at("layer2.pool.attention.bias");
    const Tensor alpha = attention(d, torch::leaky_relu(score, 0.2));
    const Tensor c = torch::mm(alpha, h);
    const Tensor centre = torch::mm(c, w.at("layer2.pool.fitness.centre.weight")) * b.sum(1, true);
    const Tensor fitness =
        torch::sigmoid(torch::mm(b, linear(c, w, "layer2.pool.fitness.neighbour")) - centre +
                       linear(c, w, "layer2.pool.fitness.root"));
    const Tensor kept = std::get<1>(fitness.squeeze(1).topk(9));
    const auto rows = [&](const Tensor& t) { return t.index_select(0, kept); };
    const Tensor off = 1 - torch::eye(9, torch::kFloat64);
    const Tensor coarse = torch::mm(torch::mm(rows(alpha), b), rows(alpha).t()) * off;
    const Tensor listed = (torch::mm(torch::mm(rows(b), b), rows(b).t()) * off > 0);
    return Coarse{rows(c * fitness), coarse, listed.to(torch::kFloat64)};
  });
}

}  // namespace
}  // namespace mgnn
