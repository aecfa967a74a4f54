// Counts of a graph against those of random graphs.

#include <algorithm>
#include <cmath>
#include <numeric>

#include "mgnn/base/error.h"
#include "mgnn/base/interrupt.h"
#include "mgnn/base/progress.h"
#include "mgnn/graph/rewire.h"
#include "mgnn/motif/census.h"

namespace mgnn {

double empirical_p_value(int at_least, int at_most, int graphs) {
  return std::min(1., 2. * (1 + std::min(at_least, at_most)) / (1 + graphs));
}

double smallest_p_value(int graphs) { return empirical_p_value(0, graphs, graphs); }

std::vector<double> false_discovery_rates(std::span<const double> p_values) {
  std::vector<size_t> order(p_values.size());
  std::iota(order.begin(), order.end(), size_t(0));
  std::stable_sort(order.begin(), order.end(),
                   [&](size_t a, size_t b) { return p_values[a] < p_values[b]; });
  std::vector<double> rates(p_values.size());
  double least = 1;  // of this and all larger p-values
  for (size_t rank = order.size(); rank > 0; rank--) {
    const size_t test = order[rank - 1];
    least = std::min(least, p_values[test] * double(order.size()) / double(rank));
    rates[test] = least;
  }
  return rates;
}

RandomGraph rewiring_null(const Graph& graph, Rng rng) {
  return [&graph, rng](int i) { return rewired(graph, rng.split(uint64_t(i))).graph; };
}

NullModel null_model(const MotifCounts& observed, Counting counting, int graphs,
                     const RandomGraph& random_graph) {
  check(graphs >= 2, "a null model needs at least two random graphs, not {}", graphs);
  NullModel null{.graphs = graphs};
  std::array<int, kNumMotifs> at_least{}, at_most{};
  Progress progress("null model", graphs, "graphs");
  for (int i = 0; i < graphs; i++) {  // Welford's running mean and sum of squares
    check_interrupted();
    const MotifCounts counts = census(random_graph(i), {.counting = counting}).total;
    for (size_t k = 0; k < kNumMotifs; k++) {
      const double difference = double(counts[k]) - null.mean[k];
      null.mean[k] += difference / (i + 1);
      null.deviation[k] += difference * (double(counts[k]) - null.mean[k]);
      at_least[k] += counts[k] >= observed[k];
      at_most[k] += counts[k] <= observed[k];
    }
    progress.advance(1);
  }
  for (size_t k = 0; k < kNumMotifs; k++) {
    null.deviation[k] = std::sqrt(null.deviation[k] / (graphs - 1));
    const double difference = double(observed[k]) - null.mean[k];
    null.z_score[k] = difference == 0 ? 0 : difference / null.deviation[k];
    null.p_value[k] = empirical_p_value(at_least[k], at_most[k], graphs);
  }
  std::ranges::copy(false_discovery_rates(null.p_value), null.q_value.begin());
  return null;
}

}  // namespace mgnn
