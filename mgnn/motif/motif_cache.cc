// The file holds the distinct arrays and the map from motifs to them, as they are in memory.

#include "mgnn/motif/motif_cache.h"

#include <algorithm>
#include <filesystem>

#include "mgnn/base/error.h"
#include "mgnn/base/file.h"
#include "mgnn/io/hdf5.h"

namespace mgnn {
namespace {

constexpr int64_t kVersion = 1;

std::string array_name(size_t i) { return fmt::format("values/{}", i); }
std::string hex(uint64_t number) { return fmt::format("{:016x}", number); }

bool is_valid(const MotifMatrices& m, NodeId nodes) {
  const Array<Offset>& start = m.pattern.start;
  if (start.size() != size_t(nodes) + 1 || start[0] != 0 ||
      !std::is_sorted(start.begin(), start.end()) || start.back() != Offset(m.pattern.index.size()))
    return false;
  for (NodeId column : m.pattern.index)
    if (column < 0 || column >= nodes) return false;
  for (const Array<uint32_t>& values : m.values)
    if (values.size() != m.pattern.index.size()) return false;
  for (const MotifRef& ref : m.of)
    if (ref.array < MotifRef::kAbsent || ref.array >= int(m.values.size())) return false;
  return true;
}

}  // namespace

std::string motif_cache_path(const std::string& folder, const Graph& graph,
                             const MotifOptions& options) {
  return fmt::format("{}/{}-{}-{}-{}.h5", folder, hex(fingerprint(graph)),
                     name_of(options.counting), name_of(options.entry), options.motifs.text());
}

std::optional<MotifMatrices> load_motif_matrices(const std::string& path, const Graph& graph,
                                                 const MotifOptions& options) {
  if (!file_exists(path)) return std::nullopt;
  const Hdf5Reader reader(path);
  if (!reader.has_attribute("content") || reader.text_attribute("content") != "motif cache" ||
      reader.number_attribute("version") != kVersion ||
      reader.text_attribute("graph_fingerprint") != hex(fingerprint(graph)) ||
      reader.text_attribute("counting") != name_of(options.counting) ||
      reader.text_attribute("entry") != name_of(options.entry) ||
      reader.text_attribute("motifs") != options.motifs.text())
    fail_data("{}: holds motif matrices of another graph, counting or version; remove it", path);
  MotifMatrices m;
  m.counting = options.counting;
  m.entry = options.entry;
  m.motifs = options.motifs;
  m.pattern.rows = m.pattern.cols = graph.num_nodes();
  m.pattern.start = reader.read<int64_t>("indptr");
  m.pattern.index = reader.read<int32_t>("indices");
  for (size_t i = 0; reader.has(array_name(i)); i++) {
    const Array<int32_t> bits = reader.read<int32_t>(array_name(i));
    m.values.emplace_back(bits.begin(), bits.end());
  }
  const Array<int64_t> refs = reader.read<int64_t>("refs");
  if (refs.size() != 2 * kNumMotifs) fail_data("{}: is damaged; remove it", path);
  for (size_t k = 0; k < kNumMotifs; k++) m.of[k] = {int(refs[2 * k]), refs[2 * k + 1]};
  if (!is_valid(m, graph.num_nodes())) fail_data("{}: is damaged; remove it", path);
  return m;
}

void store_motif_matrices(const std::string& path, const MotifMatrices& matrices,
                          const Graph& graph) {
  std::error_code ignored;  // what cannot be made cannot be written to, and that is reported
  std::filesystem::create_directories(std::filesystem::path(path).parent_path(), ignored);
  Hdf5Writer writer(path);
  writer.attribute("content", "motif cache");
  writer.attribute("version", kVersion);
  writer.attribute("graph_fingerprint", hex(fingerprint(graph)));
  writer.attribute("counting", name_of(matrices.counting));
  writer.attribute("entry", name_of(matrices.entry));
  writer.attribute("motifs", matrices.motifs.text());
  writer.write<int64_t>("indptr", matrices.pattern.start);
  writer.write<int32_t>("indices", matrices.pattern.index);
  std::vector<int64_t> refs;
  for (const MotifRef& ref : matrices.of) refs.insert(refs.end(), {ref.array, ref.factor});
  writer.write<int64_t>("refs", refs);
  for (size_t i = 0; i < matrices.values.size(); i++) {
    const Array<uint32_t>& values = matrices.values[i];
    const auto* bits = reinterpret_cast<const int32_t*>(values.data());
    writer.write<int32_t>(array_name(i), std::span(bits, values.size()));
  }
  writer.commit();
}

}  // namespace mgnn
