// Networks against the same formulas in plain LibTorch, on dense matrices: outputs and gradients
// with the same weights, in double.
#include <gtest/gtest.h>
#include <torch/torch.h>

#include <map>

#include "tests/models/built.h"

namespace mgnn {
namespace {

using testing::Built, testing::random_features, testing::random_graph;
using torch::Tensor;

using Weights = std::map<std::string, Tensor>;
struct Data {
  Tensor x;  // (n, in)
  Tensor a;  // (n, n) a[i][j] = 1: i hears j
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

// The largest x_j that i hears, column by column; 0 for nobody.
Tensor neighbour_largest(const Data& d, const Tensor& x) {
  const Tensor hidden = (d.a == 0).unsqueeze(2);
  const Tensor all = x.unsqueeze(0).expand({x.size(0), x.size(0), x.size(1)});
  const Tensor most = std::get<0>(all.masked_fill(hidden, -1e300).max(1));
  return most.masked_fill((d.a.sum(1) == 0).unsqueeze(1), 0);
}

Tensor batch_norm(const Tensor& x, Weights& w, const std::string& name) {
  return (x - w.at(name + ".mean")) / (w.at(name + ".variance") + 1e-5).sqrt() *
             w.at(name + ".gamma") +
         w.at(name + ".beta");
}

// Softmax over what each node hears, itself included.
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
    const Tensor own = head(hw, k), source = head(w.at(layer + ".source"), k);
    Tensor score;
    if (v2) {
      const Tensor listens = head(torch::mm(x, w.at(layer + ".target_weight")), k);
      const Tensor pairs = listens.unsqueeze(1) + own.unsqueeze(0);
      score = (torch::leaky_relu(pairs, 0.2) * source).sum(2);
    } else {
      const Tensor target = (own * head(w.at(layer + ".target"), k)).sum(1, true);
      score = torch::leaky_relu(target + (own * source).sum(1).unsqueeze(0), 0.2);
    }
    parts.push_back(torch::mm(attention(d, score), own));
  }
  return torch::elu(torch::cat(parts, 1) + w.at(layer + ".bias"));
}

Tensor sage(const Data& d, Weights& w, Tensor x, const std::string& layer, const char* aggregate) {
  Tensor heard;
  const std::string kind = aggregate;
  if (kind == "mean") heard = torch::mm(d.a / d.a.sum(1, true).clamp_min(1), x);
  if (kind == "max") heard = neighbour_largest(d, x);
  if (kind == "pool") heard = neighbour_largest(d, torch::relu(linear(x, w, layer + ".pool")));
  return torch::relu(torch::mm(heard, w.at(layer + ".heard")) + torch::mm(x, w.at(layer + ".own")) +
                     w.at(layer + ".bias"));
}

void compare(const std::string& method, const std::vector<std::string>& settings,
             const Formula& formula, Level level = Level::node) {
  SCOPED_TRACE(method);
  for (uint64_t seed = 0; seed < 3; seed++) {
    const NodeId n = 15;
    Built net(method, {6, 4, level}, settings, seed);
    const Graph graph = random_graph(n, 0.15, seed);
    const Matrix x = random_features(n, 6, seed + 10);
    ParametersOf<double> weights = converted<double>(net.weights);
    Rng rng(seed);
    for (double& v : weights.value) v = std::abs(v) > 0 ? v : 0.1 * rng.normal() + 0.3;
    const Batch batch = net.batch(graph, x);

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
    Data data{torch::zeros({n, 6}, torch::kFloat64), torch::zeros({n, n}, torch::kFloat64)};
    for (int64_t r = 0; r < n; r++) {
      for (int64_t c = 0; c < 6; c++) data.x[r][c] = double(x(r, c));
      for (const NodeId u : graph.in.row(NodeId(r))) data.a[r][u] = 1;
    }
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
    return linear(h, w, "last");
  });
}

TEST(TorchModels, Sage) {
  for (const char* aggregate : {"max", "mean", "pool"})
    compare("sage", {"layers=[5, 3]", std::string("aggregate=") + aggregate},
            [aggregate](const Data& d, Weights& w) {
              const Tensor h = sage(d, w, d.x, "layer1", aggregate);
              return linear(sage(d, w, h, "layer2", aggregate), w, "last");
            });
}

TEST(TorchModels, Gat) {
  for (const bool v2 : {false, true})
    compare("gat", {"layers=[4, 2]", "heads=3", v2 ? "v2=true" : "v2=false"},
            [v2](const Data& d, Weights& w) {
              const Tensor h = gat(d, w, d.x, "layer1", 3, v2);
              return linear(gat(d, w, h, "layer2", 3, v2), w, "last");
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
    return linear(h, w, "last");
  });
}

TEST(TorchModels, MixHop) {
  compare("mixhop", {"layers=[5]"}, [](const Data& d, Weights& w) {
    const Tensor m = d.normalised(), weight = w.at("layer1.weight");
    const Tensor mx = torch::mm(m, d.x), mmx = torch::mm(m, mx);
    const Tensor h =
        torch::cat({torch::mm(d.x, weight.narrow(1, 0, 5)), torch::mm(mx, weight.narrow(1, 5, 5)),
                    torch::mm(mmx, weight.narrow(1, 10, 5))},
                   1);
    return linear(torch::relu(h + w.at("layer1.bias")), w, "last");
  });
}

TEST(TorchModels, Gdc) {
  compare("gdc", {"layers=[5]", "alpha=0.1", "top=1000"}, [](const Data& d, Weights& w) {
    const Tensor one = torch::eye(d.a.size(0), d.a.options());
    const Tensor s = 0.1 * torch::inverse(one - 0.9 * d.normalised());
    const Tensor h = torch::mm(s / s.sum(0, true), torch::mm(d.x, w.at("layer1.weight")));
    return linear(torch::relu(h + w.at("layer1.bias")), w, "last");
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
        return linear(torch::relu(linear(graph, w, "hidden")), w, "last");
      },
      Level::graph);
}

TEST(TorchModels, TopKPool) {
  compare(
      "topkpool", {"layers=[5, 4, 3]", "ratio=0.6"},
      [](const Data& d, Weights& w) {
        const auto conv = [&](const Tensor& a, const Tensor& h, const std::string& layer) {
          const Tensor mean = torch::mm(a / a.sum(1, true).clamp_min(1), h);
          return torch::relu(linear(mean, w, layer + ".heard") +
                             torch::mm(h, w.at(layer + ".own.weight")));
        };
        const Tensor h1 = conv(d.a, d.x, "layer1"), h2 = conv(d.a, h1, "layer2");
        const Tensor p = w.at("layer2.pool");
        const Tensor score = torch::tanh(torch::mm(h2, p.t()) / p.norm());
        const Tensor kept = std::get<1>(score.squeeze(1).topk(9));
        const Tensor pooled = (h2 * score).index_select(0, kept);
        const Tensor h3 = conv(d.a.index_select(0, kept).index_select(1, kept), pooled, "layer3");
        const Tensor graph = torch::cat({h1.sum(0, true), h2.sum(0, true), h3.sum(0, true)}, 1);
        return linear(torch::relu(linear(graph, w, "hidden")), w, "last");
      },
      Level::graph);
}

}  // namespace
}  // namespace mgnn
