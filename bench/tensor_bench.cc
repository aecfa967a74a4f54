// The kernels of the tensor room against LibTorch (where it is installed) on the shapes that
// matter here: thin matrices. Usage: tensor_bench [trials] [threads]
#include <cstdlib>
#include <functional>

#include "bench/bench.h"
#include "bench/blas.h"
#include "mgnn/base/parallel.h"
#include "mgnn/tensor/ops.h"
#include "mgnn/tensor/optimiser.h"
#include "mgnn/tensor/redundancy.h"
#ifdef MGNN_TORCH
#include <torch/torch.h>
#endif

namespace {

using namespace mgnn;

Matrix random_matrix(int64_t rows, int64_t cols, uint64_t seed) {
  Matrix m(rows, cols);
  Rng rng(seed);
  for (float& x : m.data) x = float(rng.normal()) * 0.3f;
  return m;
}

Csr random_pattern(NodeId n, int degree, uint64_t seed) {
  Rng rng(seed);
  Csr p{n, n, {0}, {}};
  for (NodeId r = 0; r < n; r++) {
    std::vector<NodeId> row;
    for (int i = 0; i < degree; i++) row.push_back(NodeId(rng.below(uint64_t(n))));
    std::sort(row.begin(), row.end());
    row.erase(std::unique(row.begin(), row.end()), row.end());
    p.index.insert(p.index.end(), row.begin(), row.end());
    p.start.push_back(Offset(p.index.size()));
  }
  return p;
}

// A result and the gradients of all inputs, summed to one number each.
using Sums = std::vector<double>;

bool near(const Sums& a, const Sums& b) {
  for (size_t i = 0; i < a.size(); i++)
    if (std::abs(a[i] - b[i]) > 1e-3 * (1 + std::abs(a[i]))) return false;
  return a.size() == b.size();
}

// Forward and backward of one operation, ours and theirs, on the same inputs.
struct Trial {
  std::string name;
  std::vector<Matrix> inputs;
  std::function<Var<float>(const std::vector<Var<float>>&)> ours;
#ifdef MGNN_TORCH
  std::function<torch::Tensor(const std::vector<torch::Tensor>&)> theirs;
#endif
};

double total(const float* x, int64_t n) {
  double sum = 0;
  for (int64_t i = 0; i < n; i++) sum += x[i];
  return sum;
}

void run(const Trial& trial, int trials) {
  Tape<float> tape;
  Parameters weights;
  Rng rng(1);
  std::vector<Parameter> places;
  for (const Matrix& m : trial.inputs) {
    places.push_back(weights.add(std::to_string(places.size()), m.rows, m.cols, {}, rng));
    std::copy(m.data.begin(), m.data.end(), weights.value_of(places.back()));
  }
  const auto step = [&](bool report) {
    tape.start_training(0);
    weights.zero_grad();
    std::vector<Var<float>> v;
    for (const Parameter& p : places) v.push_back(tape.parameter(weights, p));
    const Var<float> y = trial.ours(v);
    tape.backward(sum(y));
    Sums sums;
    if (!report) return sums;
    sums.push_back(total(y.value, y.size()));
    for (const Parameter& p : places) sums.push_back(total(weights.grad_of(p), p.size()));
    return sums;
  };
#ifdef MGNN_TORCH
  std::vector<torch::Tensor> t;
  for (const Matrix& m : trial.inputs)
    t.push_back(torch::from_blob(const_cast<float*>(m.data.data()), {m.rows, m.cols})
                    .clone()
                    .requires_grad_(true));
  const auto their_step = [&](bool report) {
    for (auto& x : t) x.mutable_grad() = torch::Tensor();
    const torch::Tensor y = trial.theirs(t);
    y.sum().backward();
    Sums sums;
    if (!report) return sums;
    sums.push_back(y.sum().item<double>());
    for (auto& x : t) sums.push_back(x.grad().sum().item<double>());
    return sums;
  };
  if (!near(step(true), their_step(true))) {
    std::printf("%s: the results differ\n", trial.name.c_str());
    std::exit(1);
  }
  bench::compare(
      trial.name, trials, [&] { return step(false); }, [&] { return their_step(false); },
      [](const Sums&, const Sums&) { return true; });
#else
  step(true);
  std::vector<double> times;
  for (int i = 0; i < trials; i++) times.push_back(bench::seconds([&] { step(false); }));
  std::printf("%-48s %10.2f ms\n", trial.name.c_str(), 1e3 * bench::median(times));
#endif
}

Trial product(int64_t n, int64_t d, int64_t m) {
  return {"matmul " + std::to_string(n) + "x" + std::to_string(d) + "x" + std::to_string(m),
          {random_matrix(n, d, 1), random_matrix(d, m, 2)},
          [](const auto& v) { return matmul(v[0], v[1]); },
#ifdef MGNN_TORCH
          [](const auto& v) { return torch::mm(v[0], v[1]); }
#endif
  };
}

Trial sparse_product(NodeId n, int degree, int64_t count, int64_t d) {
  const Csr p = random_pattern(n, degree, 1);
  Array<float> values(size_t(p.nnz() * count));
  Rng rng(3);
  for (float& v : values) v = float(rng.uniform());
  auto op = std::make_shared<Operator>(make_operator(p, values, count));
#ifdef MGNN_TORCH
  std::vector<int64_t> start(p.start.begin(), p.start.end()), index(p.index.begin(), p.index.end());
  std::vector<torch::Tensor> matrices;
  for (int64_t k = 0; k < count; k++) {
    std::vector<float> of_k;
    for (Offset e = 0; e < p.nnz(); e++) of_k.push_back(values[size_t(e * count + k)]);
    std::vector<int64_t> row;
    for (NodeId r = 0; r < n; r++) row.insert(row.end(), size_t(p.row_size(r)), r);
    matrices.push_back(
        torch::sparse_coo_tensor(torch::stack({torch::tensor(row), torch::tensor(index)}),
                                 torch::tensor(of_k), {n, n})
            .coalesce());
  }
#endif
  return {std::to_string(count) + " spmm n=" + std::to_string(n) +
              " nnz=" + std::to_string(p.nnz()) + " d=" + std::to_string(d),
          {random_matrix(n, d, 1)},
          [op](const auto& v) { return spmm(*op, v[0]); },
#ifdef MGNN_TORCH
          [matrices](const auto& v) {
            std::vector<torch::Tensor> parts;
            for (const auto& a : matrices) parts.push_back(torch::mm(a, v[0]));
            return torch::cat(parts, 1);
          }
#endif
  };
}

Trial redundancy(int64_t n, BundleMap given) {
  const int64_t K = given.size(), d = 16, out = 6;
  auto map = std::make_shared<BundleMap>(std::move(given));
  return {
      "redundancy n=" + std::to_string(n) + " distinct=" + std::to_string(map->distinct),
      {random_matrix(n, map->distinct * d, 1), random_matrix(n, d, 2), random_matrix(d, out, 3),
       random_matrix(1, out, 4), random_matrix(K * K * d, out, 5), random_matrix(K, out, 6)},
      [map](const auto& v) {
        return minimise_redundancy<float>(*map, v[0], v[1], {v[2], v[3], v[4], v[5]}, {Gate::tanh});
      },
#ifdef MGNN_TORCH
      [map, K, d](const auto& v) {
        const auto neighbour = [&](int64_t k) {
          return v[0].narrow(1, map->index[size_t(k)] * d, d);
        };
        std::vector<torch::Tensor> results;
        for (int64_t k = 0; k < K; k++) {
          std::vector<torch::Tensor> others;
          for (int64_t i = 0; i < K; i++) others.push_back(i == k ? v[1] : neighbour(i));
          const auto f = torch::addmm(v[3], neighbour(k), v[2]);
          const auto g = torch::addmm(v[5].narrow(0, k, 1), torch::cat(others, 1),
                                      v[4].narrow(0, k * K * d, K * d));
          results.push_back(torch::relu(torch::tanh((f * g).sum(1, true)) * (f - g)));
        }
        return torch::cat(results, 1);
      }
#endif
  };
}

}  // namespace

int main(int argc, char** argv) {
  bench::let_blas_use_this_processor(argv);
  const int trials = argc > 1 ? std::atoi(argv[1]) : 11;
  if (argc > 2) set_num_threads(std::atoi(argv[2]));
#ifdef MGNN_TORCH
  torch::set_num_threads(num_threads());
#endif
  std::printf("%d threads; forward and backward, ours and LibTorch\n", num_threads());
  BundleMap four{4, {0, 0, 0, 0, 0, 0, 0, 1, 2, 3, 1, 3, 3}, std::vector<float>(13, 1.f)};
  BundleMap all{13, {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12}, std::vector<float>(13, 1.f)};
  run(product(19717, 500, 16), trials);
  run(product(19717, 78, 3), trials);
  run(product(2708, 1433, 16), trials);
  run(sparse_product(19717, 5, 1, 16), trials);
  run(sparse_product(19717, 5, 4, 16), trials);
  run(sparse_product(19717, 5, 13, 16), trials);
  run(redundancy(19717, four), trials);
  run(redundancy(19717, all), trials);
  run(redundancy(2708, four), trials);
  bench::print_ratios();
}
