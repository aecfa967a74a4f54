#include "mgnn/data/features.h"

#include <algorithm>
#include <cmath>

#include "mgnn/base/error.h"
#include "mgnn/base/parallel.h"
#include "mgnn/motif/census.h"

namespace mgnn {
namespace {

template <class Visit>
void each_neighbour(const Graph& graph, NodeId u, Visit&& visit) {
  const auto out = graph.out.row(u), in = graph.in.row(u);
  auto a = out.begin(), b = in.begin();
  while (a != out.end() || b != in.end()) {
    const bool from_out = b == in.end() || (a != out.end() && *a <= *b);
    const NodeId v = from_out ? *a : *b;
    if (a != out.end() && *a == v) a++;
    if (b != in.end() && *b == v) b++;
    visit(v);
  }
}

}  // namespace

Matrix degree_profile(const Graph& graph) {
  const NodeId n = graph.num_nodes();
  Matrix profile(n, 5);
#pragma omp parallel if (worth_threads(graph.num_arcs()))
  {
#pragma omp for schedule(dynamic, 1024)
    for (NodeId u = 0; u < n; u++) {
      int64_t degree = 0;
      each_neighbour(graph, u, [&](NodeId) { degree++; });
      profile(u, 0) = float(degree);
    }
#pragma omp for schedule(dynamic, 1024)
    for (NodeId u = 0; u < n; u++) {
      const double degree = profile(u, 0);
      if (degree == 0) continue;
      float min = INFINITY, max = 0;
      double sum = 0, squares = 0;
      each_neighbour(graph, u, [&](NodeId v) {
        min = std::min(min, profile(v, 0));
        max = std::max(max, profile(v, 0));
        sum += profile(v, 0);
      });
      const double mean = sum / degree;
      each_neighbour(graph, u, [&](NodeId v) { squares += std::pow(profile(v, 0) - mean, 2); });
      profile(u, 1) = min;
      profile(u, 2) = max;
      profile(u, 3) = float(mean);
      profile(u, 4) = float(std::sqrt(squares / degree));
    }
  }
  return profile;
}

SparseMatrix one_hot_degree(const Graph& graph, NodeId max_degree) {
  check(max_degree >= 0, "invalid maximum degree {}", max_degree);
  const NodeId n = graph.num_nodes();
  const auto place = [&](const Csr& rows, NodeId u) {
    return NodeId(std::min<Offset>(rows.row_size(u), max_degree));
  };
  NodeId out_width = 1, in_width = 1;
  for (NodeId u = 0; u < n; u++) {
    out_width = std::max(out_width, place(graph.out, u) + 1);
    in_width = std::max(in_width, place(graph.in, u) + 1);
  }
  SparseMatrix x{
      {n, out_width + in_width, Array<Offset>(size_t(n) + 1), Array<NodeId>(2 * size_t(n))},
      Array<float>(2 * size_t(n), 1.f)};
  for (NodeId u = 0; u <= n; u++) x.pattern.start[u] = 2 * Offset(u);
  for (NodeId u = 0; u < n; u++) {
    x.pattern.index[2 * Offset(u)] = place(graph.out, u);
    x.pattern.index[2 * Offset(u) + 1] = out_width + place(graph.in, u);
  }
  return x;
}

Matrix constant_features(NodeId num_nodes) {
  Matrix x(num_nodes, 1);
  std::fill(x.data.begin(), x.data.end(), 1.f);
  return x;
}

Matrix random_features(NodeId num_nodes, int dimensions, Rng rng) {
  check(dimensions > 0, "invalid number of random features: {}", dimensions);
  Matrix x(num_nodes, dimensions);
#pragma omp parallel for schedule(static) if (worth_threads(20 * x.rows * x.cols))
  for (NodeId u = 0; u < num_nodes; u++) {
    Rng source = rng.split(uint64_t(u));
    for (float& value : x.row(u)) value = float(source.normal());
  }
  return x;
}

SparseMatrix identity_features(NodeId num_nodes) {
  const size_t n = size_t(num_nodes);
  SparseMatrix x{{num_nodes, num_nodes, Array<Offset>(n + 1), Array<NodeId>(n)},
                 Array<float>(n, 1.f)};
  for (NodeId u = 0; u <= num_nodes; u++) x.pattern.start[u] = u;
  for (NodeId u = 0; u < num_nodes; u++) x.pattern.index[u] = u;
  return x;
}

Matrix structure_features(const Graph& graph, StructureRoles roles) {
  constexpr int64_t kDegrees = 3, kProfile = 5;
  const bool with_roles = roles == StructureRoles::yes;
  const Matrix profile = degree_profile(graph);
  const Census counts =
      census(graph, {.counting = Counting::induced, .per_node = true, .per_role = with_roles});
  Matrix x(graph.num_nodes(), kDegrees + kProfile + kNumMotifs + (with_roles ? kNumRoles : 0));
#pragma omp parallel for schedule(dynamic, 1024) if (worth_threads(x.rows * x.cols))
  for (NodeId u = 0; u < graph.num_nodes(); u++) {
    const auto row = x.row(u);
    const Offset in = graph.in.row_size(u), out = graph.out.row_size(u);
    row[0] = float(in);
    row[1] = float(out);
    row[2] = float(in + out) - profile(u, 0);
    for (int64_t c = 0; c < kProfile; c++) row[kDegrees + c] = profile(u, c);
    for (int64_t m = 0; m < kNumMotifs; m++)
      row[kDegrees + kProfile + m] = float(counts.per_node[u][m]);
    for (int64_t r = 0; with_roles && r < kNumRoles; r++)
      row[kDegrees + kProfile + kNumMotifs + r] = float(counts.per_role[u][r]);
    for (float& value : row) value = std::log1p(value);
  }
  return x;
}

std::vector<std::string> structure_feature_names(StructureRoles roles) {
  std::vector<std::string> names = {"in-degree",
                                    "out-degree",
                                    "mutual degree",
                                    "degree",
                                    "minimum degree of neighbours",
                                    "maximum degree of neighbours",
                                    "mean degree of neighbours",
                                    "deviation of neighbours' degrees"};
  for (int m = 1; m <= kNumMotifs; m++) names.push_back(fmt::format("M{}", m));
  for (int r = 1; roles == StructureRoles::yes && r <= kNumRoles; r++)
    names.push_back(role_label(r));
  return names;
}

std::span<const FeatureMaker> feature_makers() {
  constexpr int kRandomDimensions = 16;
  static const FeatureMaker makers[] = {
      {.name = "structure",
       .measured = true,
       .make = [](const Graph& graph, Rng) -> Features { return structure_features(graph); },
       .columns = structure_feature_names()},
      {.name = "structure-roles",
       .measured = true,
       .make = [](const Graph& graph, Rng) -> Features {
         return structure_features(graph, StructureRoles::yes);
       },
       .columns = structure_feature_names(StructureRoles::yes)},
      {.name = "degree-profile",
       .measured = true,
       .make = [](const Graph& graph, Rng) -> Features { return degree_profile(graph); }},
      {.name = "one-hot-degree",
       .make = [](const Graph& graph, Rng) -> Features { return one_hot_degree(graph); }},
      {.name = "constant",
       .make = [](const Graph& graph, Rng) -> Features {
         return constant_features(graph.num_nodes());
       }},
      {.name = "random",
       .make = [](const Graph& graph, Rng rng) -> Features {
         return random_features(graph.num_nodes(), kRandomDimensions, rng);
       }},
      {.name = "identity", .make = [](const Graph& graph, Rng) -> Features {
         return identity_features(graph.num_nodes());
       }}};
  return makers;
}

std::vector<std::string> feature_maker_names() {
  std::vector<std::string> names;
  for (const FeatureMaker& maker : feature_makers()) names.push_back(maker.name);
  return names;
}

const FeatureMaker& feature_maker(const std::string& name) {
  for (const FeatureMaker& maker : feature_makers())
    if (maker.name == name) return maker;
  const std::vector<std::string> names = feature_maker_names();
  fail_usage("no features are called {}; {}", in_quotes(name),
             did_you_mean(name, names, fmt::format("choose one of {}", fmt::join(names, ", "))));
}

}  // namespace mgnn
