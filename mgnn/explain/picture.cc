#include "mgnn/explain/picture.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <numbers>
#include <queue>

#include "mgnn/base/rng.h"
#include "mgnn/motif/motifs.h"

namespace mgnn {
namespace {

// Steps between all drawn nodes; what is not joined is a little farther than anything that is.
std::vector<std::vector<double>> steps_in(const Network& network) {
  const size_t n = network.nodes.size();
  std::vector<std::vector<size_t>> next(n);
  for (const NetworkLink& link : network.links) {
    next[link.from].push_back(link.to);
    next[link.to].push_back(link.from);
  }
  std::vector<std::vector<double>> steps(n, std::vector<double>(n, -1));
  double farthest = 1;
  for (size_t from = 0; from < n; from++) {
    std::queue<size_t> queue({from});
    steps[from][from] = 0;
    for (; !queue.empty(); queue.pop())
      for (const size_t to : next[queue.front()])
        if (steps[from][to] < 0) {
          farthest = std::max(farthest, steps[from][to] = steps[from][queue.front()] + 1);
          queue.push(to);
        }
  }
  for (auto& row : steps)
    for (double& d : row)
      if (d < 0) d = farthest + 1;
  return steps;
}

// Stress majorisation (Gansner, Koren, North 2004), one node at a time, weights 1 / d².
void lay_out(Network& network) {
  constexpr int kRounds = 300;
  const auto steps = steps_in(network);
  const size_t n = network.nodes.size();
  Rng rng(0);
  for (size_t i = 0; i < n; i++) {
    const double angle = 2 * std::numbers::pi * double(i) / double(n), radius = 1 + rng.uniform();
    network.nodes[i].x = radius * std::cos(angle), network.nodes[i].y = radius * std::sin(angle);
  }
  for (int round = 0; round < kRounds; round++)
    for (size_t i = 0; i < n && n > 1; i++) {
      double x = 0, y = 0, weights = 0;
      NetworkNode& own = network.nodes[i];
      for (size_t j = 0; j < n; j++) {
        if (i == j) continue;
        const NetworkNode& other = network.nodes[j];
        const double d = steps[i][j], weight = 1 / (d * d);
        const double distance = std::max(std::hypot(own.x - other.x, own.y - other.y), 1e-9);
        x += weight * (other.x + d * (own.x - other.x) / distance);
        y += weight * (other.y + d * (own.y - other.y) / distance);
        weights += weight;
      }
      own.x = x / weights, own.y = y / weights;
    }
}

class Drawing {
 public:
  Drawing(const Explanation& e, const Dataset& dataset) : e_(e), dataset_(dataset) {
    for (const NodeId v : e.nodes) place(v);
  }

  // What hangs on nothing that is drawn waits: a graph is explained as a whole, a node from itself on.
  bool add(const ArcShare& arc, size_t max_nodes) {
    const size_t fresh = size_t(!at_.contains(arc.from)) + size_t(!at_.contains(arc.to));
    if (network_.nodes.size() + fresh > max_nodes) return false;
    if (fresh == 2 && !e_.nodes.empty()) return false;
    network_.links.push_back({place(arc.from), place(arc.to), arc.mutual, arc.share,
                              group_of(arc.strongest),
                              fmt::format("{}: {:.4f}", arc_text(arc, dataset_), arc.share)});
    return true;
  }
  Network done() {
    lay_out(network_);
    return std::move(network_);
  }

 private:
  size_t place(NodeId v) {
    const auto [at, fresh] = at_.emplace(v, network_.nodes.size());
    if (!fresh) return at->second;
    NetworkNode node{.name = dataset_.ids.name(v)};
    if (!dataset_.node_type.empty())
      node.tip = fmt::format("{} ({})", node.name,
                             dataset_.node_type_names[size_t(dataset_.node_type[size_t(v)])]);
    node.marked = std::find(e_.nodes.begin(), e_.nodes.end(), v) != e_.nodes.end();
    network_.nodes.push_back(std::move(node));
    return at->second;
  }
  size_t group_of(int motif_number) {
    const std::string name = motif_number == 0 ? "messages"
                                               : fmt::format("{} {}", motif_label(motif_number),
                                                             motif(motif_number).drawing);
    const auto at = std::find(network_.groups.begin(), network_.groups.end(), name);
    if (at == network_.groups.end()) network_.groups.push_back(name);
    return size_t(std::find(network_.groups.begin(), network_.groups.end(), name) -
                  network_.groups.begin());
  }

  const Explanation& e_;
  const Dataset& dataset_;
  Network network_;
  std::map<NodeId, size_t> at_;
};

}  // namespace

Figure picture_of(const Explanation& e, const Dataset& dataset, int64_t max_nodes) {
  Drawing drawing(e, dataset);
  std::vector<ArcShare> waiting = e.arcs;
  for (size_t before = waiting.size() + 1; waiting.size() < before;) {
    before = waiting.size();
    std::erase_if(waiting,
                  [&](const ArcShare& arc) { return drawing.add(arc, size_t(max_nodes)); });
  }
  return {"explanation", headline(e, dataset), drawing.done()};
}

Page page_of(const Explanation& e, const Dataset& dataset) {
  Page page{.title = headline(e, dataset), .subtitle = dataset.name, .sections = {}};
  if (!e.arcs.empty())
    page.sections.push_back(
        {"The arcs that matter",
         {picture_of(e, dataset),
          Paragraph{"Width is the size of an arc's share, dashes are negative shares, colour is "
                    "the motif "
                    "whose instances carry most of it; what is explained has a ring."}}});
  page.sections.push_back({"Shares", blocks_of(e, dataset)});
  return page;
}

}  // namespace mgnn
