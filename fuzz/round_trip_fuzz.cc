// What a writer writes, its reader reads back: graphs with names and weights in every format, vectors,
// motif matrices. A writer may refuse what its format cannot hold; it never writes something else.
#include <fuzzer/FuzzedDataProvider.h>

#include <iomanip>
#include <iostream>
#include <set>

#include "fuzz/scratch.h"
#include "mgnn/base/error.h"
#include "mgnn/base/utf8.h"
#include "mgnn/data/embedding_file.h"
#include "mgnn/data/formats.h"
#include "mgnn/data/load.h"
#include "mgnn/io/numpy.h"
#include "mgnn/io/table.h"
#include "mgnn/motif/motif_file.h"

namespace {

using namespace mgnn;

void must(bool holds) {
  if (!holds) __builtin_trap();
}

const fuzz::Scratch& scratch() {
  static const fuzz::Scratch folder;
  return folder;
}

NodeIds decoded_ids(FuzzedDataProvider& input, NodeId n) {
  NodeIds ids;
  const int kind = input.ConsumeIntegralInRange(0, 2);
  std::set<std::string> taken;
  for (NodeId i = 0; i < n && kind > 0; i++) {
    std::string name = kind == 1 ? std::to_string(input.ConsumeIntegral<int64_t>())
                                 : input.ConsumeRandomLengthString(6);
    if (!taken.insert(name).second) name += "#" + std::to_string(i);
    if (!taken.insert(name).second && kind == 1) return {};
    if (kind == 1 && name.find('#') != std::string::npos) return {};
    if (kind == 1) ids.number.push_back(std::stoll(name));
    if (kind == 2) ids.push_back(name);
  }
  return ids;
}

Dataset decoded(FuzzedDataProvider& input) {
  Dataset d;
  d.name = "x";
  const NodeId n = input.ConsumeIntegralInRange<NodeId>(0, 6);
  d.ids = decoded_ids(input, n);
  Array<Edge> edges;
  for (int count = n > 0 ? input.ConsumeIntegralInRange(0, 12) : 0; count > 0; count--)
    edges.push_back({input.ConsumeIntegralInRange<NodeId>(0, n - 1),
                     input.ConsumeIntegralInRange<NodeId>(0, n - 1)});
  d.graph = make_graph(n, std::move(edges));
  if (input.ConsumeBool())
    for (Offset e = 0; e < d.graph.num_arcs(); e++)
      d.arc_weight.push_back(input.ConsumeFloatingPointInRange<float>(-1e30f, 1e30f));
  return d;
}

using Arcs = std::map<std::pair<std::string, std::string>, float>;
Arcs arcs_by_name(const Dataset& d, bool weights) {
  Arcs result;
  Offset e = 0;
  for (const Edge& arc : arcs(d.graph)) {
    const float weight = weights && !d.arc_weight.empty() ? d.arc_weight[e] : 1.f;
    result[{d.ids.name(arc.from), d.ids.name(arc.to)}] = weight;
    e++;
  }
  return result;
}

void print(const Arcs& list) {
  for (const auto& [ends, weight] : list)
    std::cerr << "  " << std::quoted(ends.first) << ' ' << std::quoted(ends.second) << ' ' << weight
              << '\n';
}

// Whether it was done: what a format cannot hold is refused.
template <class Work>
bool is_done(Work&& work) {
  try {
    work();
    return true;
  } catch (const Error&) {
    return false;
  }
}

void check_format(const GraphFormat& format, Dataset d) {
  const std::string name = "g." + std::string(format.endings.front());
  const FormatParts& parts = format.parts;
  if (!parts.ids && !parts.dataset) d.ids = {};
  if (!is_done([&] { format.write(scratch().path(name), d, true); })) return;
  if (d.graph.num_arcs() == 0 && !parts.isolated_nodes && !parts.dataset)
    return;                        // nothing is there
  if (d.graph.num_nodes() == 0) {  // readers may say that there are none
    is_done([&] { read_graph_file(scratch().path(name)); });
    return;
  }
  const Dataset found = read_graph_file(scratch().path(name));
  const bool weights = parts.weights || parts.dataset;
  const Arcs expected = arcs_by_name(d, weights), actual = arcs_by_name(found, weights);
  if (actual != expected) {
    std::cerr << format.name << ": " << found.reading << "\nwritten:\n";
    print(expected);
    std::cerr << "read:\n";
    print(actual);
  }
  must(actual == expected);
  if (parts.isolated_nodes || parts.dataset) must(found.graph.num_nodes() == d.graph.num_nodes());
  scratch().remove(name);
}

bool are_text(const NodeIds& ids) {
  const std::string_view text(ids.text.data(), ids.text.size());
  return find_invalid_utf8(text) == text.npos && text.find('\0') == text.npos;
}

void check_vectors_as_npz(const Matrix& z, const NodeIds& ids) {
  const std::string path = scratch().path("z.npz");
  if (!is_done([&] { write_embedding(path, EmbeddingFormat::npz, z, ids, true); })) return;
  must(read_npz(path).at("embedding").floats("embedding") == z.data);
}

void check_vectors_as_csv(const Matrix& z, const NodeIds& ids) {
  const std::string path = scratch().path("z.csv");
  if (!is_done([&] { write_embedding(path, EmbeddingFormat::csv, z, ids, true); })) return;
  if (z.rows == 0 || !are_text(ids)) return;  // bytes that no table may have
  const Table table = read_table(path);
  must(table.num_rows() == z.rows && table.num_columns() == 3);
  for (NodeId i = 0; i < NodeId(z.rows); i++) {
    must(table.cell(i, 0) == ids.name(i));
    for (int c = 0; c < 2; c++) must(std::stof(std::string(table.cell(i, c + 1))) == z(i, c));
  }
}

void check_motif_matrices(const Dataset& d) {
  const std::string path = scratch().path("m.npz");
  const MotifMatrices matrices = motif_matrices(d.graph);
  if (!is_done([&] { write_motif_matrices(path, matrices, d.ids, 0); })) return;
  const NumpyArchive archive = read_npz(path);
  for (int k = 1; k <= kNumMotifs; k++)
    must(archive.at("m" + std::to_string(k)).integers("m") == matrices.counts(k));
}

std::vector<const GraphFormat*> formats_both_ways() {
  std::vector<const GraphFormat*> formats;
  for (const GraphFormat& format : graph_formats())
    if (format.read && format.write) formats.push_back(&format);
  return formats;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  FuzzedDataProvider input(data, size);
  static const std::vector<const GraphFormat*> formats = formats_both_ways();
  // One writer for each input, so that many are tried.
  const size_t writer = input.ConsumeIntegralInRange<size_t>(0, formats.size() + 2);
  const Dataset d = decoded(input);
  if (writer < formats.size()) {
    check_format(*formats[writer], d);
    return 0;
  }
  if (writer == formats.size()) {
    check_motif_matrices(d);
    return 0;
  }
  Matrix z(d.graph.num_nodes(), 2);
  for (float& value : z.data) value = input.ConsumeFloatingPointInRange<float>(-1e30f, 1e30f);
  writer == formats.size() + 1 ? check_vectors_as_npz(z, d.ids) : check_vectors_as_csv(z, d.ids);
  return 0;
}
