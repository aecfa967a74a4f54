// The eigenvalues of a matrix are those of its diagonal blocks over the strongly connected
// components of its graph. Each block is irreducible, so that its largest eigenvalue is simple and
// well conditioned, where Arnoldi's method on the whole of, say, an acyclic matrix would find
// rounding errors of size eps^(1/n) instead of 0. Small blocks are solved densely, symmetric ones
// by Lanczos, others by Arnoldi (Spectra).

#include "mgnn/sparse/eigen.h"

#include <Spectra/GenEigsSolver.h>
#include <Spectra/SymEigsSolver.h>

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <vector>

#include "mgnn/base/error.h"
#include "mgnn/base/interrupt.h"
#include "mgnn/base/rng.h"
#include "mgnn/sparse/components.h"

namespace mgnn {
namespace {

// One diagonal block, with its own numbering.
struct Block {
  std::vector<Offset> start = {0};
  std::vector<NodeId> index;
  std::vector<double> value;

  using Scalar = double;  // what Spectra asks an operator for
  Eigen::Index rows() const { return Eigen::Index(start.size()) - 1; }
  Eigen::Index cols() const { return rows(); }
  void perform_op(const double* x, double* y) const {
    check_interrupted();
    for (size_t r = 0; r + 1 < start.size(); r++) {
      double sum = 0;
      for (Offset e = start[r]; e < start[r + 1]; e++) sum += value[e] * x[index[e]];
      y[r] = sum;
    }
  }
};

Eigen::MatrixXd dense(const Block& block) {
  Eigen::MatrixXd matrix = Eigen::MatrixXd::Zero(block.rows(), block.cols());
  for (Eigen::Index r = 0; r < block.rows(); r++)
    for (Offset e = block.start[r]; e < block.start[r + 1]; e++)
      matrix(r, block.index[e]) += block.value[e];
  return matrix;
}

bool is_symmetric(const Block& block) {
  const auto value_at = [&](NodeId r, NodeId c) {
    const auto begin = block.index.begin() + block.start[r];
    const auto end = block.index.begin() + block.start[r + 1];
    const auto place = std::lower_bound(begin, end, c);
    return place != end && *place == c ? block.value[place - block.index.begin()] : 0.;
  };
  for (NodeId r = 0; r < block.rows(); r++)
    for (Offset e = block.start[r]; e < block.start[r + 1]; e++)
      if (value_at(block.index[e], r) != block.value[e]) return false;
  return true;
}

// If all rows of an irreducible matrix have the same sum, that is the eigenvalue.
bool has_equal_row_sums(Block& block, double& sum) {
  const Eigen::VectorXd ones = Eigen::VectorXd::Ones(block.rows());
  Eigen::VectorXd sums(block.rows());
  block.perform_op(ones.data(), sums.data());
  sum = sums.maxCoeff();
  return sum - sums.minCoeff() <= 1e-14 * sum;
}

// Sorted by real part: of a periodic matrix (a bipartite graph, a cycle) other eigenvalues are as
// large in magnitude. A positive start is never orthogonal to Perron's vector.
template <class Solver>
double solve(Block& block, Spectra::SortRule largest_real) {
  Rng rng(0);
  Eigen::VectorXd start(block.rows());
  for (double& x : start) x = 1 + rng.uniform();
  for (const int search_space : {24, 60}) {
    Solver solver(block, 1, search_space);
    solver.init(start.data());
    solver.compute(largest_real, /*restarts=*/1000, /*tolerance=*/1e-10, largest_real);
    if (solver.info() == Spectra::CompInfo::Successful) return std::real(solver.eigenvalues()[0]);
  }
  fail("the largest eigenvalue of a matrix of {} rows did not converge", block.rows());
}

double block_eigenvalue(Block& block) {
  constexpr Eigen::Index kDense = 64;
  double sum;
  if (has_equal_row_sums(block, sum)) return sum;
  if (block.rows() <= kDense) return dense(block).eigenvalues().real().maxCoeff();
  if (is_symmetric(block))
    return solve<Spectra::SymEigsSolver<Block>>(block, Spectra::SortRule::LargestAlge);
  return solve<Spectra::GenEigsSolver<Block>>(block, Spectra::SortRule::LargestReal);
}

}  // namespace

double largest_eigenvalue(const Csr& pattern, std::span<const double> value) {
  const StrongComponents components = strong_components(pattern, value);
  std::vector<NodeId> place(size_t(pattern.rows));
  double largest = 0;
  for (NodeId c = 0; c < components.count(); c++) {
    const std::span<const NodeId> members = components.members(c);
    for (size_t i = 0; i < members.size(); i++) place[members[i]] = NodeId(i);
    Block block;
    for (NodeId r : members) {
      for (Offset e = pattern.start[r]; e < pattern.start[r + 1]; e++) {
        if (value[e] == 0 || components.of[pattern.index[e]] != c) continue;
        block.index.push_back(place[pattern.index[e]]);
        block.value.push_back(value[e]);
      }
      block.start.push_back(Offset(block.index.size()));
    }
    if (!block.index.empty()) largest = std::max(largest, block_eigenvalue(block));
  }
  return largest;
}

}  // namespace mgnn
