// A view begins as the nodes of a graph and the pairs of nodes that are joined; each augmentation
// thins out one of these lists or marks what is to be hidden. The graph is built once at the end.

#include "mgnn/data/augment.h"

#include <algorithm>
#include <numeric>

#include "mgnn/base/lines.h"

namespace mgnn {
namespace {

std::string text_of_kinds(const std::vector<Augmentation>& kinds) {
  std::vector<std::string> names;
  for (const Augmentation kind : kinds) names.push_back(name_of(kind));
  return fmt::format("{}", fmt::join(names, ","));
}

std::vector<Augmentation> parse_kinds(const std::string& text) {
  std::vector<Augmentation> kinds;
  for (const std::string& word : words_in(text, "augment"))
    kinds.push_back(parse_name<Augmentation>("augment", word));
  return kinds;
}

// u < v, joined in one direction or both.
struct Pair {
  NodeId u, v;
  bool forward, backward;
};

// A view while it is made, in the numbers of the dataset.
struct Draft {
  std::vector<NodeId> nodes;    // ascending
  std::vector<uint8_t> hidden;  // (nodes) whose features are 0
  std::vector<Pair> pairs;
  std::vector<uint8_t> hidden_columns;  // empty: none
};

// Which of `size` items are chosen: exactly `count`, at random.
std::vector<uint8_t> chosen(size_t size, size_t count, Rng& rng) {
  std::vector<size_t> order(size);
  std::iota(order.begin(), order.end(), size_t(0));
  std::vector<uint8_t> result(size, 0);
  for (size_t i = 0; i < count; i++) {
    std::swap(order[i], order[i + rng.below(size - i)]);
    result[order[i]] = 1;
  }
  return result;
}

size_t share(double ratio, size_t size) { return size_t(ratio * double(size) + 1e-9); }

template <class T>
void keep_only(std::vector<T>& items, const std::vector<uint8_t>& kept) {
  size_t at = 0;
  for (size_t i = 0; i < items.size(); i++)
    if (kept[i]) items[at++] = items[i];
  items.resize(at);
}

// Place of each node, from the first one's number on; -1: not in the view.
class Places {
 public:
  explicit Places(const std::vector<NodeId>& nodes)
      : first_(nodes.empty() ? 0 : nodes.front()),
        place_(nodes.empty() ? 0 : size_t(nodes.back() - first_) + 1, NodeId(-1)) {
    for (size_t i = 0; i < nodes.size(); i++) place_[nodes[i] - first_] = NodeId(i);
  }
  NodeId operator[](NodeId node) const {
    const auto at = size_t(node - first_);
    return node >= first_ && at < place_.size() ? place_[at] : NodeId(-1);
  }

 private:
  NodeId first_;
  std::vector<NodeId> place_;
};

void keep_nodes(Draft& draft, const std::vector<uint8_t>& kept) {
  keep_only(draft.nodes, kept);
  keep_only(draft.hidden, kept);
  const Places place(draft.nodes);
  std::erase_if(draft.pairs, [&](const Pair& p) { return place[p.u] < 0 || place[p.v] < 0; });
}

// Rows of neighbours, by places.
Csr neighbours(const Draft& draft) {
  const Places place(draft.nodes);
  Csr rows;
  rows.rows = rows.cols = NodeId(draft.nodes.size());
  rows.start.assign(draft.nodes.size() + 1, 0);
  for (const Pair& p : draft.pairs)
    for (const NodeId end : {p.u, p.v}) rows.start[size_t(place[end]) + 1]++;
  std::partial_sum(rows.start.begin(), rows.start.end(), rows.start.begin());
  rows.index.resize(size_t(rows.start.back()));
  Array<Offset> next = rows.start;
  for (const Pair& p : draft.pairs) {
    const NodeId u = place[p.u], v = place[p.v];
    rows.index[next[u]++] = v;
    rows.index[next[v]++] = u;
  }
  return rows;
}

// The next node is drawn from all neighbours of those there; where there are none, from the rest.
std::vector<uint8_t> grown(const Draft& draft, size_t count, Rng& rng) {
  enum : uint8_t { kOut, kIn, kBorder };
  const Csr rows = neighbours(draft);
  std::vector<uint8_t> state(draft.nodes.size(), kOut);
  std::vector<NodeId> border, starts(draft.nodes.size());
  std::iota(starts.begin(), starts.end(), 0);
  rng.shuffle(std::span(starts));
  size_t start = 0;
  for (size_t i = 0; i < count; i++) {
    NodeId node;
    if (border.empty()) {
      while (state[starts[start]] == kIn) start++;
      node = starts[start];
    } else {
      std::swap(border[rng.below(border.size())], border.back());
      node = border.back();
      border.pop_back();
    }
    state[node] = kIn;
    for (const NodeId next : rows.row(node))
      if (state[next] == kOut) {
        state[next] = kBorder;
        border.push_back(next);
      }
  }
  for (uint8_t& s : state) s = s == kIn;
  return state;
}

void augment(Draft& draft, Augmentation kind, double ratio, int64_t columns, Rng& rng) {
  const size_t nodes = draft.nodes.size();
  const size_t left_out = std::min(share(ratio, nodes), nodes > 0 ? nodes - 1 : 0);
  const auto inverted = [](std::vector<uint8_t> flags) {
    for (uint8_t& flag : flags) flag = !flag;
    return flags;
  };
  switch (kind) {
    case Augmentation::drop_nodes:
      return keep_nodes(draft, inverted(chosen(nodes, left_out, rng)));
    case Augmentation::drop_edges:
      return keep_only(draft.pairs,
                       inverted(chosen(draft.pairs.size(), share(ratio, draft.pairs.size()), rng)));
    case Augmentation::mask_nodes: {
      const std::vector<uint8_t> hide = chosen(nodes, left_out, rng);
      for (size_t i = 0; i < nodes; i++) draft.hidden[i] |= hide[i];
      return;
    }
    case Augmentation::mask_columns:
      draft.hidden_columns = chosen(size_t(columns), share(ratio, size_t(columns)), rng);
      return;
    case Augmentation::subgraph:
      return keep_nodes(draft, grown(draft, nodes - left_out, rng));
  }
}

Draft draft_of(const Graph& graph, NodeId first, NodeId last) {
  Draft draft;
  draft.nodes.resize(size_t(last - first));
  std::iota(draft.nodes.begin(), draft.nodes.end(), first);
  draft.hidden.assign(draft.nodes.size(), 0);
  for (NodeId u = first; u < last; u++) {
    const auto out = graph.out.row(u), in = graph.in.row(u);
    auto to = std::upper_bound(out.begin(), out.end(), u);
    auto from = std::upper_bound(in.begin(), in.end(), u);
    while (to != out.end() || from != in.end()) {
      const NodeId v = from == in.end() || (to != out.end() && *to < *from) ? *to : *from;
      const bool forward = to != out.end() && *to == v, backward = from != in.end() && *from == v;
      draft.pairs.push_back({u, v, forward, backward});
      to += forward, from += backward;
    }
  }
  return draft;
}

// ---- from drafts to a dataset

Matrix features_of(const Matrix& from, const std::vector<Draft>& drafts, size_t rows) {
  Matrix to(int64_t(rows), from.cols);
  int64_t r = 0;
  for (const Draft& draft : drafts)
    for (size_t i = 0; i < draft.nodes.size(); i++, r++) {
      if (draft.hidden[i]) continue;
      const auto row = from.row(draft.nodes[i]);
      std::copy(row.begin(), row.end(), to.row(r).begin());
      for (size_t c = 0; c < draft.hidden_columns.size(); c++)
        if (draft.hidden_columns[c]) to(r, int64_t(c)) = 0;
    }
  return to;
}

SparseMatrix features_of(const SparseMatrix& from, const std::vector<Draft>& drafts, size_t rows) {
  SparseMatrix to;
  to.pattern.rows = NodeId(rows);
  to.pattern.cols = from.pattern.cols;
  to.pattern.start.reserve(rows + 1);
  for (const Draft& draft : drafts)
    for (size_t i = 0; i < draft.nodes.size(); i++) {
      const auto node = size_t(draft.nodes[i]);
      if (!draft.hidden[i])
        for (auto e = size_t(from.pattern.start[node]); e < size_t(from.pattern.start[node + 1]);
             e++) {
          const NodeId c = from.pattern.index[e];
          if (!draft.hidden_columns.empty() && draft.hidden_columns[c]) continue;
          to.pattern.index.push_back(c);
          to.value.push_back(from.value[e]);
        }
      to.pattern.start.push_back(Offset(to.pattern.index.size()));
    }
  return to;
}

float weight_of(const Dataset& dataset, NodeId u, NodeId v) {
  const auto row = dataset.graph.out.row(u);
  const auto at = std::lower_bound(row.begin(), row.end(), v) - row.begin();
  return dataset.arc_weight[dataset.graph.out.start[u] + at];
}

// Those of the edges of `relation` (by first ends) that the graph of the views has.
void add_edges(std::span<const Edge> relation, const std::vector<Draft>& drafts, const Views& views,
               Array<Edge>& to) {
  for (size_t g = 0; g < drafts.size(); g++) {
    const std::vector<NodeId>& nodes = drafts[g].nodes;
    if (nodes.empty()) continue;
    const Places place(nodes);
    const NodeId first = views.data.graph_start[g];
    auto e = std::lower_bound(relation.begin(), relation.end(), nodes.front(),
                              [](const Edge& edge, NodeId node) { return edge.from < node; });
    for (; e != relation.end() && e->from <= nodes.back(); ++e) {
      if (place[e->from] < 0 || place[e->to] < 0) continue;
      const Edge edge{first + place[e->from], first + place[e->to]};
      if (views.data.graph.has_arc(edge.from, edge.to)) to.push_back(edge);
    }
  }
}

void add_relations(const Dataset& dataset, const std::vector<Draft>& drafts, Views& views) {
  const auto by_first_end = [](const Edge& a, const Edge& b) { return a.from < b.from; };
  for (const Relation& relation : dataset.relations) {
    Array<Edge> edges = relation.edges;
    std::stable_sort(edges.begin(), edges.end(), by_first_end);
    views.data.relations.push_back({relation.name, {}});
    add_edges(edges, drafts, views, views.data.relations.back().edges);
  }
}

Views joined(const Dataset& dataset, const std::vector<Draft>& drafts) {
  Views views;
  views.data.name = dataset.name;
  views.data.graph_start = {0};
  Array<Edge> edges;
  Array<float> weight;
  const bool weighted = !dataset.arc_weight.empty();
  for (const Draft& draft : drafts) {
    const NodeId first = views.data.graph_start.back();
    const Places place(draft.nodes);
    for (const Pair& p : draft.pairs) {
      const NodeId u = first + place[p.u], v = first + place[p.v];
      if (p.forward) edges.push_back({u, v});
      if (p.backward) edges.push_back({v, u});
      if (weighted && p.forward) weight.push_back(weight_of(dataset, p.u, p.v));
      if (weighted && p.backward) weight.push_back(weight_of(dataset, p.v, p.u));
    }
    views.node.insert(views.node.end(), draft.nodes.begin(), draft.nodes.end());
    views.data.graph_start.push_back(NodeId(views.node.size()));
  }
  views.data.graph = make_graph(NodeId(views.node.size()), weighted ? edges : std::move(edges));
  if (weighted) views.data.arc_weight = arc_values(views.data.graph, edges, weight);
  add_relations(dataset, drafts, views);
  if (const auto* dense = std::get_if<Matrix>(&dataset.features))
    views.data.features = features_of(*dense, drafts, views.node.size());
  else if (const auto* sparse = std::get_if<SparseMatrix>(&dataset.features))
    views.data.features = features_of(*sparse, drafts, views.node.size());
  return views;
}

}  // namespace

Options augment_options(AugmentOptions& o) {
  return {
      text_option("augment", o.kinds, "A,B,…", text_of_kinds, parse_kinds,
                  fmt::format("augmentations of each view, applied in turn: {} (contrastive)",
                              fmt::join(names_of<Augmentation>(), ", "))),
      option("augment_one", o.one,
             "apply one augmentation, drawn for every graph and view (contrastive)"),
      option("augment_ratio", o.ratio,
             "share of nodes, edges or columns that an augmentation drops or masks (contrastive)"),
  };
}

void check_augment(const AugmentOptions& o) {
  check(!o.kinds.empty(), "augment names nothing to do; use drop-edges, for instance");
  check(o.ratio >= 0 && o.ratio < 1, "augment_ratio is {}; it must be from 0 to below 1", o.ratio);
}

Views make_views(const Dataset& dataset, std::span<const NodeId> graphs, int count,
                 const AugmentOptions& options, const Rng& rng) {
  check_augment(options);
  const int64_t columns = num_features(dataset.features);
  std::vector<Draft> drafts(graphs.size() * size_t(count));
  for (size_t i = 0; i < graphs.size(); i++) {
    const NodeId g = graphs[i];
    const NodeId first = dataset.is_set() ? dataset.graph_start[g] : 0;
    const NodeId last = dataset.is_set() ? dataset.graph_start[g + 1] : dataset.graph.num_nodes();
    const Draft whole = draft_of(dataset.graph, first, last);
    for (size_t view = 0; view < size_t(count); view++) {
      Rng draw = rng.split(view).split(uint64_t(g));
      Draft& draft = drafts[view * graphs.size() + i] = whole;
      if (options.one)
        augment(draft, options.kinds[draw.below(options.kinds.size())], options.ratio, columns,
                draw);
      else
        for (const Augmentation kind : options.kinds)
          augment(draft, kind, options.ratio, columns, draw);
    }
  }
  return joined(dataset, drafts);
}

}  // namespace mgnn
