#include "mgnn/data/negatives.h"

#include <numeric>

#include "mgnn/base/error.h"
#include "mgnn/base/parallel.h"

namespace mgnn {
namespace {

constexpr int kTriesPerNegative = 100;

uint64_t unordered_key(Edge pair) {
  const auto [low, high] = std::minmax(pair.from, pair.to);
  return uint64_t(uint32_t(low)) << 32 | uint32_t(high);
}

}  // namespace

NegativeSampler::NegativeSampler(const Graph& known, std::span<const int32_t> node_type,
                                 bool directed, const NodePairs* ends)
    : known_(known), type_(node_type), directed_(directed), matched_(ends != nullptr) {
  const auto n = size_t(known.num_nodes());
  check(type_.empty() || type_.size() == n, "{} types for {} nodes", type_.size(), n);
  if (ends) {
    sources_ = pool_of(ends->from);
    targets_ = pool_of(ends->to);
    return;
  }
  Array<NodeId> all(n);
  std::iota(all.begin(), all.end(), 0);
  sources_ = targets_ = pool_of(std::move(all));
}

NegativeSampler::Pool NegativeSampler::pool_of(Array<NodeId> nodes) const {
  const auto types = type_.empty() ? 1 : 1 + *std::max_element(type_.begin(), type_.end());
  Pool pool{std::move(nodes), Array<Offset>(size_t(types) + 1, 0)};
  if (!type_.empty())
    std::stable_sort(pool.nodes.begin(), pool.nodes.end(),
                     [&](NodeId a, NodeId b) { return type_[a] < type_[b]; });
  for (const NodeId v : pool.nodes) pool.start[type_.empty() ? 1 : size_t(type_[v]) + 1]++;
  std::partial_sum(pool.start.begin(), pool.start.end(), pool.start.begin());
  return pool;
}

std::span<const NodeId> NegativeSampler::nodes_like(const Pool& pool, NodeId node) const {
  const size_t type = type_.empty() ? 0 : size_t(type_[node]);
  return std::span(pool.nodes)
      .subspan(size_t(pool.start[type]), size_t(pool.start[type + 1] - pool.start[type]));
}

bool NegativeSampler::may_be(Edge pair, const TakenPairs* taken) const {
  if (pair.from == pair.to || known_.has_arc(pair.from, pair.to)) return false;
  if (!directed_ && known_.has_arc(pair.to, pair.from)) return false;
  return !taken || !taken->contains(unordered_key(pair));
}

Edge NegativeSampler::one(Edge beside, Rng& rng, const TakenPairs* taken) const {
  const std::span<const NodeId> sources = nodes_like(sources_, beside.from),
                                targets = nodes_like(targets_, beside.to);
  for (int i = 0; i < kTriesPerNegative && !sources.empty() && !targets.empty(); i++) {
    const Edge pair{sources[rng.below(sources.size())], targets[rng.below(targets.size())]};
    if (may_be(pair, taken)) return pair;
  }
  const uint64_t all = uint64_t(sources.size()) * targets.size();
  const uint64_t first = all > 0 ? rng.below(all) : 0;
  for (uint64_t i = 0; i < all; i++) {
    const uint64_t at = (first + i) % all;
    const Edge pair{sources[at / targets.size()], targets[at % targets.size()]};
    if (may_be(pair, taken)) return pair;
  }
  fail_too_dense(sources.size(), targets.size(), taken && !taken->empty());
}

void NegativeSampler::fail_too_dense(size_t sources, size_t targets, bool some_drawn) const {
  std::string advice = some_drawn ? "hold out fewer edges" : "";
  if (!type_.empty() || matched_)
    advice += some_drawn ? ", or use uniform negatives" : "use uniform negatives";
  if (advice.empty()) advice = "there is nothing to tell edges from";
  fail_data(
      "the graph is too dense for negatives: all pairs of the {} and {} nodes that may be its ends "
      "are edges{}; {}",
      sources, targets, some_drawn ? " or drawn already" : "", advice);
}

NodePairs NegativeSampler::draw(const NodePairs& beside, const Rng& rng) const {
  constexpr size_t kBlock = 64;  // pairs with a source of random numbers of their own
  const size_t count = beside.size(), blocks = (count + kBlock - 1) / kBlock;
  NodePairs drawn{Array<NodeId>(count), Array<NodeId>(count)};
  ParallelError error;
#pragma omp parallel for schedule(dynamic, 16) if (worth_threads(int64_t(count) * 100))
  for (size_t b = 0; b < blocks; b++)
    error.run([&] {
      Rng source = rng.split(b);
      for (size_t i = b * kBlock; i < std::min(count, (b + 1) * kBlock); i++) {
        const Edge pair = one(beside[i], source, nullptr);
        drawn.from[i] = pair.from;
        drawn.to[i] = pair.to;
      }
    });
  error.rethrow();
  return drawn;
}

NodePairs NegativeSampler::draw_distinct(const NodePairs& beside, Rng rng,
                                         TakenPairs& taken) const {
  NodePairs drawn;
  for (size_t i = 0; i < beside.size(); i++) {
    drawn.push_back(one(beside[i], rng, &taken));
    taken.insert(unordered_key(drawn[i]));
  }
  return drawn;
}

}  // namespace mgnn
