// Every operation against LibTorch: values and gradients, in double.
#include <gtest/gtest.h>
#include <torch/torch.h>

#include "mgnn/tensor/ops.h"
#include "mgnn/tensor/optimiser.h"
#include "mgnn/tensor/redundancy.h"
#include "tests/tensor/gradient.h"

namespace mgnn {
namespace {

using testing::Function, testing::Matrices, testing::random_graph, testing::random_matrix,
    testing::Vars, testing::weighed;
using torch::Tensor;
using Tensors = std::vector<Tensor>;
using TapeD = Tape<double>;
namespace F = torch::nn::functional;

Tensor tensor_of(const MatrixOf<double>& m) {
  return torch::from_blob(const_cast<double*>(m.data.data()), {m.rows, m.cols}, torch::kFloat64)
      .clone();
}

void expect_equal(const std::string& name, const double* ours, const Tensor& theirs) {
  const Tensor flat = theirs.contiguous();
  for (int64_t i = 0; i < flat.numel(); i++) {
    const double expected = flat.data_ptr<double>()[i];
    ASSERT_NEAR(ours[i], expected, 1e-10 * std::max(1., std::abs(expected)))
        << name << ", element " << i;
  }
}

void compare(const std::string& name, const Matrices& inputs, const Function& ours,
             const std::function<Tensor(const Tensors&)>& theirs) {
  TapeD tape(1);
  tape.start_training(0);
  Vars vars;
  Tensors tensors;
  for (const auto& m : inputs) {
    vars.push_back(tape.leaf(m));
    tensors.push_back(tensor_of(m).requires_grad_(true));
  }
  const Var<double> y = ours(tape, vars);
  const Tensor t = theirs(tensors);
  ASSERT_EQ(y.size(), t.numel()) << name;
  expect_equal(name, y.value, t.detach());
  tape.backward(weighed(tape, y));
  (t.reshape({y.rows, y.cols}) * tensor_of(random_matrix(y.rows, y.cols, 99))).sum().backward();
  for (size_t i = 0; i < vars.size(); i++) {
    ASSERT_TRUE(vars[i].grad()) << name;
    expect_equal(name + ", gradient " + std::to_string(i), vars[i].grad(), tensors[i].grad());
  }
}

Matrices random_inputs(std::initializer_list<std::pair<int64_t, int64_t>> shapes) {
  Matrices inputs;
  for (const auto& [rows, cols] : shapes)
    inputs.push_back(random_matrix(rows, cols, 20 + inputs.size()));
  return inputs;
}

TEST(Torch, Products) {
  for (const auto& [n, d, m] : {std::tuple{40, 30, 20}, {1, 1, 1}, {300, 7, 33}, {13, 1100, 5}}) {
    compare(
        "matmul", random_inputs({{n, d}, {d, m}}),
        [](TapeD&, const Vars& x) { return matmul(x[0], x[1]); },
        [](const Tensors& x) { return torch::matmul(x[0], x[1]); });
    compare(
        "matmul_nt", random_inputs({{n, d}, {m, d}}),
        [](TapeD&, const Vars& x) { return matmul_nt(x[0], x[1]); },
        [](const Tensors& x) { return torch::matmul(x[0], x[1].t()); });
  }
}

TEST(Torch, OneMatrix) {
  struct Case {
    const char* name;
    std::function<Var<double>(Var<double>)> ours;
    std::function<Tensor(Tensor)> theirs;
  };
  const Case cases[] = {
      {"relu", [](auto x) { return relu(x); }, [](Tensor x) { return torch::relu(x); }},
      {"leaky_relu", [](auto x) { return leaky_relu(x, 0.2); },
       [](Tensor x) { return torch::leaky_relu(x, 0.2); }},
      {"elu", [](auto x) { return elu(x); }, [](Tensor x) { return torch::elu(x); }},
      {"sigmoid", [](auto x) { return sigmoid(x); }, [](Tensor x) { return torch::sigmoid(x); }},
      {"tanh", [](auto x) { return tanh(x); }, [](Tensor x) { return torch::tanh(x); }},
      {"softplus", [](auto x) { return softplus(x); }, [](Tensor x) { return torch::softplus(x); }},
      {"exp", [](auto x) { return exp(x); }, [](Tensor x) { return torch::exp(x); }},
      {"log", [](auto x) { return log(exp(x)); }, [](Tensor x) { return torch::log(x.exp()); }},
      {"clamp", [](auto x) { return clamp(x, -0.5, 1.); },
       [](Tensor x) { return torch::clamp(x, -0.5, 1.); }},
      {"scale", [](auto x) { return scale(x, -3.); }, [](Tensor x) { return -3 * x; }},
      {"shift", [](auto x) { return shift(x, -3.); }, [](Tensor x) { return x - 3; }},
      {"log_softmax", [](auto x) { return log_softmax(x); },
       [](Tensor x) { return torch::log_softmax(x, 1); }},
      {"softmax", [](auto x) { return softmax(x); }, [](Tensor x) { return torch::softmax(x, 1); }},
      {"row_sum", [](auto x) { return row_sum(x); }, [](Tensor x) { return x.sum(1); }},
      {"sum", [](auto x) { return sum(x); }, [](Tensor x) { return x.sum(); }},
      {"mean", [](auto x) { return mean(x); }, [](Tensor x) { return x.mean(); }},
      {"l2_normalise_rows", [](auto x) { return l2_normalise_rows(x); },
       [](Tensor x) { return F::normalize(x, F::NormalizeFuncOptions().dim(1)); }},
      {"slice_columns", [](auto x) { return slice_columns(x, 1, 3); },
       [](Tensor x) { return x.narrow(1, 1, 3); }},
  };
  for (const Case& c : cases)
    for (const auto& shape : {std::pair{17, 5}, {1, 4}})
      compare(
          c.name, random_inputs({shape}), [&](TapeD&, const Vars& x) { return c.ours(x[0]); },
          [&](const Tensors& x) { return c.theirs(x[0]); });
}

TEST(Torch, SeveralMatrices) {
  compare(
      "add, sub, mul", random_inputs({{9, 4}, {9, 4}, {9, 4}}),
      [](TapeD&, const Vars& x) { return mul(add(x[0], x[1]), sub(x[1], x[2])); },
      [](const Tensors& x) { return (x[0] + x[1]) * (x[1] - x[2]); });
  compare(
      "add_bias, scale_rows, scale", random_inputs({{9, 4}, {1, 4}, {9, 1}, {1, 1}}),
      [](TapeD&, const Vars& x) { return scale(scale_rows(add_bias(x[0], x[1]), x[2]), x[3]); },
      [](const Tensors& x) { return (x[0] + x[1]) * x[2] * x[3]; });
  compare(
      "row_dot", random_inputs({{9, 4}, {9, 4}}),
      [](TapeD&, const Vars& x) { return row_dot(x[0], x[1]); },
      [](const Tensors& x) { return (x[0] * x[1]).sum(1); });
  compare(
      "concat", random_inputs({{9, 4}, {9, 2}, {3, 6}}),
      [](TapeD&, const Vars& x) {
        const std::array wide = {x[0], x[1]};
        const std::array tall = {concat_columns<double>(wide), x[2]};
        return concat_rows<double>(tall);
      },
      [](const Tensors& x) {
        return torch::cat({torch::cat({x[0], x[1]}, 1), x[2]}, 0);
      });
}

TEST(Torch, Norms) {
  const Matrices inputs = random_inputs({{30, 6}, {1, 6}, {1, 6}});
  for (const bool training : {true, false}) {
    std::vector<double> mean(6, 0.2), variance(6, 1.3);
    Tensor their_mean = torch::full({6}, 0.2, torch::kFloat64);
    Tensor their_variance = torch::full({6}, 1.3, torch::kFloat64);
    compare(
        "batch_norm", inputs,
        [&](TapeD& tape, const Vars& x) {
          tape.set_training(training);
          return batch_norm(x[0], x[1], x[2], {mean.data(), variance.data()});
        },
        [&](const Tensors& x) {
          return torch::batch_norm(x[0], x[1].reshape({6}), x[2].reshape({6}), their_mean,
                                   their_variance, training, 0.1, 1e-5, false);
        });
    expect_equal("running mean", mean.data(), their_mean);
    expect_equal("running variance", variance.data(), their_variance);
  }
}

TEST(Torch, Losses) {
  const std::vector<int32_t> labels = {0, 2, 1, 1, 0, 2, 0};
  const std::vector<NodeId> rows = {5, 0, 3};
  compare(
      "cross_entropy", random_inputs({{7, 3}}),
      [&](TapeD&, const Vars& x) { return cross_entropy<double>(x[0], labels, rows); },
      [&](const Tensors& x) {
        return F::cross_entropy(x[0].index_select(0, torch::tensor({5, 0, 3})),
                                torch::tensor({2, 0, 1}, torch::kInt64));
      });
  const std::vector<float> class_weight = {0.5f, 3, 1.25f};
  compare(
      "cross_entropy with weights", random_inputs({{7, 3}}),
      [&](TapeD&, const Vars& x) {
        return cross_entropy<double>(x[0], labels, rows, class_weight);
      },
      [&](const Tensors& x) {
        return F::cross_entropy(
            x[0].index_select(0, torch::tensor({5, 0, 3})), torch::tensor({2, 0, 1}, torch::kInt64),
            F::CrossEntropyFuncOptions().weight(torch::tensor({0.5, 3., 1.25}, torch::kFloat64)));
      });
  const std::vector<float> target = {0, 1, 1, 0, 0, 1};
  compare(
      "binary_cross_entropy", random_inputs({{2, 3}}),
      [&](TapeD&, const Vars& x) { return binary_cross_entropy<double>(x[0], target, 2.5); },
      [&](const Tensors& x) {
        return torch::binary_cross_entropy_with_logits(
            x[0], torch::tensor({0., 1., 1., 0., 0., 1.}, torch::kFloat64).reshape({2, 3}), {},
            torch::tensor({2.5}, torch::kFloat64));
      });
  const std::vector<float> values = {0, 1, 1.5, -2, 0.5, 1};
  const Tensor wanted = torch::tensor({-2., 0.5, 1., 0., 1., 1.5}, torch::kFloat64).reshape({2, 3});
  const std::vector<NodeId> both = {1, 0};
  const auto picked = [](const Tensors& x) { return x[0].index_select(0, torch::tensor({1, 0})); };
  compare(
      "squared_error", random_inputs({{2, 3}}),
      [&](TapeD&, const Vars& x) { return squared_error<double>(x[0], values, both); },
      [&](const Tensors& x) { return F::mse_loss(picked(x), wanted); });
  for (const double delta : {0.3, 1., 2.})
    compare(
        "huber", random_inputs({{2, 3}}),
        [&](TapeD&, const Vars& x) { return huber<double>(x[0], values, both, delta); },
        [&](const Tensors& x) {
          return F::huber_loss(picked(x), wanted, F::HuberLossFuncOptions().delta(delta));
        });
  compare(
      "kl_normal", random_inputs({{5, 3}, {5, 3}}),
      [](TapeD&, const Vars& x) { return kl_normal(x[0], x[1]); },
      [](const Tensors& x) {
        return -0.5 * (1 + 2 * x[1] - x[0] * x[0] - (2 * x[1]).exp()).sum(1).mean();
      });
}

TEST(Torch, Segments) {
  const Array<Offset> start = {0, 3, 7, 8, 15};
  const Array<NodeId> index = {3, 0, 3, 14, 8};
  const auto by_segment = [&](const std::function<Tensor(Tensor)>& f) {
    return [&start, f](const Tensors& x) {
      Tensors parts;
      for (size_t s = 0; s + 1 < start.size(); s++)
        parts.push_back(f(x[0].narrow(0, start[s], start[s + 1] - start[s])));
      return torch::cat(parts, 0);
    };
  };
  const Matrices x = random_inputs({{15, 4}});
  compare(
      "segment_sum", x, [&](TapeD&, const Vars& v) { return segment_sum(v[0], start); },
      by_segment([](Tensor t) { return t.sum(0, true); }));
  compare(
      "segment_mean", x, [&](TapeD&, const Vars& v) { return segment_mean(v[0], start); },
      by_segment([](Tensor t) { return t.mean(0, true); }));
  compare(
      "segment_max", x, [&](TapeD&, const Vars& v) { return segment_max(v[0], start); },
      by_segment([](Tensor t) { return std::get<0>(t.max(0, true)); }));
  compare(
      "segment_softmax", x, [&](TapeD&, const Vars& v) { return segment_softmax(v[0], start); },
      by_segment([](Tensor t) { return torch::softmax(t, 0); }));
  compare(
      "gather_rows", x, [&](TapeD&, const Vars& v) { return gather_rows(v[0], index); },
      [](const Tensors& t) {
        return t[0].index_select(0, torch::tensor({3, 0, 3, 14, 8}));
      });
}

TEST(Torch, Pairs) {
  const Array<NodeId> sources = {3, 0, 3, 14, 8}, targets = {1, 1, 6, 0, 1};
  compare(
      "pair_dot", random_inputs({{15, 4}, {7, 4}}),
      [&](TapeD&, const Vars& v) { return pair_dot<double>(v[0], v[1], sources, targets); },
      [](const Tensors& t) {
        return (t[0].index_select(0, torch::tensor({3, 0, 3, 14, 8})) *
                t[1].index_select(0, torch::tensor({1, 1, 6, 0, 1})))
            .sum(1);
      });
}

struct Edges {
  Tensor row, column;  // of every non-zero
};
Edges edges_of(const Csr& p) {
  std::vector<int64_t> row, column;
  for (NodeId r = 0; r < p.rows; r++)
    for (const NodeId c : p.row(r)) row.push_back(r), column.push_back(c);
  return {torch::tensor(row), torch::tensor(column)};
}

TEST(Torch, SparseProducts) {
  const Csr p = random_graph(20, 0.2, 4).out;
  const Edges e = edges_of(p);
  const Pattern pattern = make_pattern(p);
  Rng rng(1);
  Array<float> values(size_t(p.nnz()) * 3);
  for (float& v : values) v = float(rng.normal());
  const Operator op = make_operator(p, values, 3);
  const Tensor v =
      torch::from_blob(values.data(), {p.nnz(), 3}, torch::kFloat32).to(torch::kFloat64);
  const auto sums = [&](const Tensor& messages) {
    return torch::zeros({20, messages.size(1)}, torch::kFloat64).index_add(0, e.row, messages);
  };
  compare(
      "spmm", random_inputs({{20, 5}}), [&](TapeD&, const Vars& x) { return spmm(op, x[0]); },
      [&](const Tensors& x) {
        Tensors parts;
        for (int k = 0; k < 3; k++) {
          const Tensor a =
              torch::sparse_coo_tensor(torch::stack({e.row, e.column}), v.select(1, k), {20, 20});
          parts.push_back(torch::mm(a, x[0]));
        }
        return torch::cat(parts, 1);
      });
  compare(
      "attention", random_inputs({{20, 6}, {20, 2}, {20, 2}}),
      [&](TapeD&, const Vars& x) {
        const auto score = leaky_relu(edge_add(pattern, x[1], x[2]), 0.2);
        return spmm_heads(pattern, segment_softmax(score, pattern.rows.start), x[0]);
      },
      [&](const Tensors& x) {
        const Tensor score =
            torch::leaky_relu(x[1].index_select(0, e.row) + x[2].index_select(0, e.column), 0.2);
        const Tensor exps = score.exp();
        const Tensor alpha = exps / sums(exps).index_select(0, e.row);
        const Tensor heads = x[0].index_select(0, e.column).reshape({-1, 2, 3});
        return sums((alpha.unsqueeze(2) * heads).reshape({-1, 6}));
      });
  compare(
      "edge_dot and spmm with learned values", random_inputs({{20, 6}, {20, 6}}),
      [&](TapeD&, const Vars& x) { return spmm(pattern, edge_dot(pattern, x[0], x[1]), x[1]); },
      [&](const Tensors& x) {
        const Tensor far = x[1].index_select(0, e.column);
        return sums((x[0].index_select(0, e.row) * far).sum(1, true) * far);
      });
}

TEST(Torch, SparseFeatures) {
  const Csr p = random_graph(12, 0.3, 9).out;
  const SparseFeatures x = make_sparse_features({p, Array<float>(size_t(p.nnz()), 0.5f)});
  const Edges e = edges_of(p);
  compare(
      "sparse_features_times", random_inputs({{12, 7}}),
      [&](TapeD&, const Vars& w) { return sparse_features_times(x, w[0]); },
      [&](const Tensors& w) {
        Tensor dense = torch::zeros({12, 12}, torch::kFloat64);
        dense.index_put_({e.row, e.column}, 0.5);
        return torch::mm(dense, w[0]);
      });
}

TEST(Torch, RedundancyMinimisation) {
  const BundleMap map{2, {0, 0, 1, 0, 1}, std::vector<float>(5, 1.f)};
  const int64_t K = 5, d = 4, out = 3;
  for (const Gate gate : {Gate::sigmoid, Gate::tanh})
    compare(
        "redundancy",
        random_inputs({{70, 2 * d}, {70, d}, {d, out}, {1, out}, {K * K * d, out}, {K, out}}),
        [&](TapeD&, const Vars& v) {
          return minimise_redundancy(map, v[0], v[1], {v[2], v[3], v[4], v[5]}, {gate});
        },
        [&](const Tensors& v) {
          const auto neighbour = [&](int64_t k) { return v[0].narrow(1, map.index[k] * d, d); };
          Tensors results;
          for (int64_t k = 0; k < K; k++) {
            Tensors others;
            for (int64_t i = 0; i < K; i++) others.push_back(i == k ? v[1] : neighbour(i));
            const Tensor f = torch::mm(neighbour(k), v[2]) + v[3];
            const Tensor g = torch::mm(torch::cat(others, 1), v[4].narrow(0, k * K * d, K * d)) +
                             v[5].narrow(0, k, 1);
            const Tensor t = (f * g).sum(1, true);
            const Tensor beta = gate == Gate::sigmoid ? torch::sigmoid(t) : torch::tanh(t);
            results.push_back(torch::relu(beta * (f - g)));
          }
          return torch::cat(results, 1);
        });
}

template <class Optimiser, class Options>
void compare_optimiser(const AdamOptions& options, Options theirs) {
  ParametersOf<double> weights;
  Rng rng(1);
  const Parameter p = weights.add("w", 4, 3, {}, rng);
  MatrixOf<double> start(4, 3);
  std::copy_n(weights.value_of(p), 12, start.data.begin());
  Tensor t = tensor_of(start).requires_grad_(true);
  Optimiser optimiser(std::vector<Tensor>{t}, theirs);
  AdamOf<double> adam(weights, options);
  for (uint64_t step = 0; step < 20; step++) {
    const MatrixOf<double> grad = random_matrix(4, 3, step);
    std::copy_n(grad.data.begin(), 12, weights.grad_of(p));
    t.mutable_grad() = tensor_of(grad);
    adam.step(weights);
    optimiser.step();
    expect_equal("step " + std::to_string(step), weights.value_of(p), t.detach());
  }
}

TEST(Torch, Optimisers) {
  for (const bool amsgrad : {false, true}) {
    compare_optimiser<torch::optim::Adam>(
        {.learning_rate = 0.03, .weight_decay = 0.1, .amsgrad = amsgrad},
        torch::optim::AdamOptions(0.03).weight_decay(0.1).amsgrad(amsgrad));
    compare_optimiser<torch::optim::AdamW>(
        {.learning_rate = 0.03, .weight_decay = 0.1, .decoupled = true, .amsgrad = amsgrad},
        torch::optim::AdamWOptions(0.03).weight_decay(0.1).amsgrad(amsgrad));
  }
}

}  // namespace
}  // namespace mgnn
