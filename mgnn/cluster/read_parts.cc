// Ids that are whole numbers go to the ranks by ranges of ids, which sort them: an id's number is how many
// are smaller. Names go to the ranks by a hash: which rank's part has a name first decides its place, for
// numbers are those of first appearance.

#include "mgnn/cluster/read_parts.h"

#include <algorithm>
#include <functional>
#include <unordered_map>

#include "mgnn/base/error.h"
#include "mgnn/base/file.h"
#include "mgnn/data/formats.h"
#include "mgnn/data/layout.h"
#include "mgnn/data/registry.h"
#include "mgnn/io/compressed.h"
#include "mgnn/io/edge_reader.h"

namespace mgnn {
namespace {

bool wants_more_than_arcs(const LoadOptions& options) {
  return !options.nodes.empty() || options.largest_component || options.type_features ||
         !options.id_column.empty() || !options.label_column.empty() ||
         !options.type_column.empty() || !options.split_column.empty() ||
         !options.target_column.empty() || !options.feature_columns.empty();
}

// This rank's lines: those that begin in its share of the bytes.
std::string_view own_lines(std::string_view body, int rank, int ranks) {
  const auto begin_of = [&](int r) {
    const size_t at = body.size() / size_t(ranks) * size_t(r);
    if (r == 0 || r == ranks) return r == 0 ? size_t(0) : body.size();
    const size_t end = body.find('\n', at - 1);
    return end == body.npos ? body.size() : end + 1;
  };
  const size_t begin = begin_of(rank), end = begin_of(rank + 1);
  return body.substr(begin, std::max(begin, end) - begin);
}

// How many items the ranks before this one have.
int64_t sum_before(Comm& comm, int64_t mine) {
  const std::vector<int64_t> all = gather(comm, mine);
  int64_t sum = 0;
  for (int r = 0; r < comm.rank(); r++) sum += all[r];
  return sum;
}

template <class T>
Array<T> distinct(Array<T> values) {
  std::sort(values.begin(), values.end());
  values.erase(std::unique(values.begin(), values.end()), values.end());
  return values;
}

struct Numbers {
  NodeId num_nodes = 0;
  Array<NodeId> of;  // of this rank's distinct ids, in their order
  NodeIds ids;       // those numbered by this rank, from `first` on
  NodeId first = 0;
};

// ---- whole numbers

// Where the ids of rank 1, 2, … begin: of evenly spaced samples of all ranks' ids.
std::vector<int64_t> splitters(Comm& comm, const Array<int64_t>& ids) {
  constexpr size_t kSamples = 256;
  std::array<int64_t, kSamples + 1> mine{};  // and how many there are
  const size_t count = std::min(kSamples, ids.size());
  for (size_t i = 0; i < count; i++) mine[i] = ids[ids.size() * i / count];
  mine[kSamples] = int64_t(count);
  Array<int64_t> samples;
  for (const auto& of_rank : gather(comm, mine))
    samples.insert(samples.end(), of_rank.begin(), of_rank.begin() + of_rank[kSamples]);
  std::sort(samples.begin(), samples.end());
  std::vector<int64_t> first;
  for (size_t r = 1; r < size_t(comm.size()) && !samples.empty(); r++)
    first.push_back(samples[samples.size() * r / size_t(comm.size())]);
  return first;
}

// REQUIRES: ids ascend, none twice.
Numbers number_integers(Comm& comm, const Array<int64_t>& ids, const std::string& path) {
  const std::vector<int64_t> first = splitters(comm, ids);
  std::vector<int64_t> counts(size_t(comm.size()), 0);
  for (const int64_t id : ids)
    counts[size_t(std::upper_bound(first.begin(), first.end(), id) - first.begin())]++;
  PerRank<int64_t> out = per_rank<int64_t>(counts);
  out.values = ids;  // ascending ids are in the order of ranks
  const PerRank<int64_t> in = exchange_lists(comm, out);
  Numbers numbers;
  numbers.ids.number = distinct(in.values);
  const Array<int64_t>& mine = numbers.ids.number;
  const int64_t before = sum_before(comm, int64_t(mine.size()));
  numbers.num_nodes = node_count(sum_over_ranks(comm, int64_t(mine.size())), path);
  numbers.first = NodeId(before);
  PerRank<NodeId> answers{Array<NodeId>(in.values.size()), in.start};
  for (size_t i = 0; i < in.values.size(); i++)
    answers.values[i] =
        NodeId(before + (std::lower_bound(mine.begin(), mine.end(), in.values[i]) - mine.begin()));
  numbers.of = exchange_lists(comm, answers).values;
  bool trivial = true;  // ids are the numbers themselves
  for (size_t i = 0; i < mine.size(); i++) trivial &= mine[i] == before + int64_t(i);
  if (sum_over_ranks(comm, int64_t(!trivial)) == 0) numbers.ids = {};
  return numbers;
}

// ---- names

// Texts for each rank, one after the other, each with its length before it.
struct Texts {
  PerRank<char> bytes;

  Texts(Comm& comm, const NodeIds& names, const std::vector<int>& owner) {
    const auto text_of = [&](size_t i) {
      return std::string_view(names.text.data() + names.text_start[i],
                              size_t(names.text_start[i + 1] - names.text_start[i]));
    };
    std::vector<int64_t> counts(size_t(comm.size()), 0);
    for (size_t i = 0; i < owner.size(); i++)
      counts[owner[i]] += int64_t(sizeof(uint32_t) + text_of(i).size());
    PerRank<char> out = per_rank<char>(counts);
    std::vector<int64_t> next = out.start;
    for (size_t i = 0; i < owner.size(); i++) {
      const std::string_view text = text_of(i);
      const auto size = uint32_t(text.size());
      char* const to = out.values.data() + next[owner[i]];
      std::copy_n(reinterpret_cast<const char*>(&size), sizeof size, to);
      std::copy(text.begin(), text.end(), to + sizeof size);
      next[owner[i]] += int64_t(sizeof size + size);
    }
    bytes = exchange_lists(comm, out);
  }
  // Calls visit(text) for those of a rank, in its order.
  template <class Visit>
  void each(int rank, const Visit& visit) const {
    const std::span<const char> from = bytes.of(rank);
    for (size_t at = 0; at < from.size();) {
      uint32_t size = 0;
      std::copy_n(from.data() + at, sizeof size, reinterpret_cast<char*>(&size));
      visit(std::string_view(from.data() + at + sizeof size, size));
      at += sizeof size + size;
    }
  }
};

// Numbers that are for the owners of names, or from them: one for each name, in its rank's order.
Array<NodeId> to_order(const PerRank<NodeId>& in, const std::vector<int>& owner) {
  std::vector<int64_t> next = in.start;
  Array<NodeId> result(owner.size());
  for (size_t i = 0; i < owner.size(); i++) result[i] = in.values[next[owner[i]]++];
  return result;
}

Numbers number_names(Comm& comm, const NodeIds& names, const std::string& path) {
  const size_t count = names.text_start.empty() ? 0 : names.text_start.size() - 1;
  const auto text_of = [&](size_t i) {
    return std::string_view(names.text.data() + names.text_start[i],
                            size_t(names.text_start[i + 1] - names.text_start[i]));
  };
  std::vector<int> owner(count);
  for (size_t i = 0; i < count; i++)
    owner[i] = int(mix_bits(std::hash<std::string_view>()(text_of(i))) % uint64_t(comm.size()));
  const Texts texts(comm, names, owner);
  // The first rank that has a name numbers it.
  std::unordered_map<std::string_view, NodeId> number;
  PerRank<NodeId> is_first;
  is_first.start = {0};
  for (int r = 0; r < comm.size(); r++) {
    texts.each(r, [&](std::string_view text) {
      is_first.values.push_back(number.emplace(text, 0).second);
    });
    is_first.start.push_back(int64_t(is_first.values.size()));
  }
  Numbers numbers;
  numbers.of = to_order(exchange_lists(comm, is_first), owner);
  const int64_t mine = std::count(numbers.of.begin(), numbers.of.end(), 1);
  const int64_t before = sum_before(comm, mine);
  numbers.num_nodes = node_count(sum_over_ranks(comm, mine), path);
  numbers.first = NodeId(before);
  numbers.ids.text_start = {0};
  std::vector<int64_t> counts(size_t(comm.size()), 0);
  for (const int o : owner) counts[o]++;
  PerRank<NodeId> out = per_rank<NodeId>(counts);
  std::vector<int64_t> next = out.start;
  NodeId last = numbers.first;
  for (size_t i = 0; i < count; i++) {
    const bool first = numbers.of[i] == 1;
    out.values[next[owner[i]]++] = first ? last++ : -1;
    if (first) numbers.ids.push_back(text_of(i));
  }
  PerRank<NodeId> in = exchange_lists(comm, out);
  for (int r = 0; r < comm.size(); r++) {
    int64_t at = in.start[r];
    texts.each(r, [&](std::string_view text) {
      NodeId& known = number[text];
      NodeId& told = in.values[at++];
      if (told >= 0) known = told;
      told = known;  // by an earlier rank, or just now
    });
  }
  numbers.of = to_order(exchange_lists(comm, in), owner);
  return numbers;
}

// ---- edges

Array<int64_t> distinct_ids(const EdgeRows& rows) {
  Array<int64_t> ids;
  ids.reserve(2 * (rows.edges.size() + rows.wide.size()));
  for (const Edge& e : rows.edges) ids.insert(ids.end(), {int64_t(e.from), int64_t(e.to)});
  for (const WideEdge& e : rows.wide) ids.insert(ids.end(), {e.from, e.to});
  return distinct(std::move(ids));
}

Numbers renumber_integers(Comm& comm, EdgeRows& rows, const std::string& path) {
  const Array<int64_t> ids = distinct_ids(rows);
  Numbers numbers = number_integers(comm, ids, path);
  const auto number_of = [&](int64_t id) {
    return numbers.of[std::lower_bound(ids.begin(), ids.end(), id) - ids.begin()];
  };
  for (Edge& e : rows.edges) e = {number_of(e.from), number_of(e.to)};
  for (const WideEdge& e : rows.wide) rows.edges.push_back({number_of(e.from), number_of(e.to)});
  rows.wide = {};
  return numbers;
}

Numbers renumber_names(Comm& comm, EdgeRows& rows, const std::string& path) {
  Numbers numbers = number_names(comm, rows.names, path);
  rows.names = {};
  for (Edge& e : rows.edges) e = {numbers.of[e.from], numbers.of[e.to]};
  return numbers;
}

bool is_edge_list_format(const GraphFormat& format) { return format.has_columns && format.read; }

}  // namespace

std::optional<RankGraph> read_edge_list_in_parts(Comm& comm, const std::string& what,
                                                 const LoadOptions& options) {
  bool in_parts = false;
  FileBytes bytes;
  EdgeLayout layout;
  EdgeRows rows;
  all_or_none(comm, [&] {
    if (what == "-" || find_dataset_entry(what) || wants_more_than_arcs(options) ||
        !file_exists(what) || is_directory(what))
      return;
    bytes = map_file(what);
    if (is_compressed(bytes.view())) return;
    if (!is_edge_list_format(recognise_format(graph_formats(), bytes.view(), what))) return;
    layout = find_edge_layout(bytes.view(), what, options.edge_list);
    in_parts = !layout.directions && !layout.matrix;
  });
  if (sum_over_ranks(comm, int64_t(in_parts)) < comm.size()) return std::nullopt;
  check_same(comm, "the size of " + what, std::to_string(bytes.size()));
  const int64_t lines_before = [&] {
    const std::string_view mine = own_lines(layout.body, comm.rank(), comm.size());
    return sum_before(comm, std::count(mine.begin(), mine.end(), '\n'));
  }();
  all_or_none(comm, [&] {
    EdgeLayout part = layout;
    part.body = own_lines(layout.body, comm.rank(), comm.size());
    part.first_line = layout.first_line + lines_before;
    if (!part.body.empty()) rows = read_edge_rows(part, what);
    check_columns_are_even(layout, what);
  });
  bytes = {};
  rows.relation = {};
  rows.weight = {};
  Numbers numbers =
      layout.integer_ids ? renumber_integers(comm, rows, what) : renumber_names(comm, rows, what);
  RankGraph graph = divided_graph(comm, numbers.num_nodes, std::move(rows.edges),
                                  options.undirected || layout.undirected);
  graph.ids = std::move(numbers.ids);
  graph.first_id = numbers.first;
  if (!layout.guess.empty()) graph.remarks.push_back(layout.guess);
  if (layout.weight >= 0 && options.weighted)
    graph.remarks.push_back("the weights of arcs are not used: instances are counted");
  graph.reading = fmt::format("{}; ids are {}; read by {} ranks in parts", layout.reading,
                              layout.integer_ids ? "whole numbers" : "names", comm.size());
  graph.name = last_name(what);
  graph.name = graph.name.substr(0, graph.name.rfind('.'));
  return graph;
}

}  // namespace mgnn
