#include "mgnn/data/layout.h"

#include <algorithm>
#include <cmath>
#include <filesystem>

#include "mgnn/base/folder.h"
#include "mgnn/base/human.h"
#include "mgnn/io/numpy.h"

namespace mgnn {
namespace {

namespace fs = std::filesystem;

}  // namespace

std::string find_file(const std::string& folder, const std::string& name) {
  for (const char* suffix : {"", ".gz", ".bz2", ".xz", ".zst"}) {
    const std::string path = fmt::format("{}/{}{}", folder, name, suffix);
    if (file_exists(path) && !is_directory(path)) return path;
  }
  return "";
}

std::string need_file(const std::string& folder, const std::string& name) {
  const std::string path = find_file(folder, name);
  if (path.empty()) fail_data("{}: the file {} is missing", folder, name);
  return path;
}

std::vector<std::string> file_names(const std::string& folder) {
  std::vector<std::string> names;
  for (const std::string& name : names_in_folder(folder))
    if (!is_directory(folder + "/" + name)) names.push_back(without_compression_suffix(name));
  std::sort(names.begin(), names.end());
  return names;
}

std::string last_name(const std::string& path) {
  fs::path absolute = fs::absolute(path).lexically_normal();
  if (!absolute.has_filename()) absolute = absolute.parent_path();
  return absolute.filename().string();
}

// ---- text

TsvFile::TsvFile(const std::string& path, HeaderLine header)
    : bytes_(read_bytes(path)), reader_(path, bytes_.view()) {
  if (header == HeaderLine::absent) return;
  std::vector<std::string_view> fields;
  if (!next(fields)) fail_data("{}: is empty; a header line is expected", path);
  columns_.assign(fields.begin(), fields.end());
}

int TsvFile::find_column(std::string_view name) const {
  const auto found = std::find(columns_.begin(), columns_.end(), name);
  return found == columns_.end() ? -1 : int(found - columns_.begin());
}

int TsvFile::column(std::string_view name) const {
  const int found = find_column(name);
  if (found >= 0) return found;
  std::vector<std::string> names;
  for (const std::string_view column : columns_) names.push_back(in_quotes(column));
  fail_at(reader_.path(), 1, "there is no column {}; the columns are {}", in_quotes(name),
          human_list(names));
}

bool TsvFile::next(std::vector<std::string_view>& fields) {
  std::string_view line;
  do {
    if (!reader_.next(line)) return false;
  } while (line.empty());
  fields.clear();
  std::string_view field;
  while (next_field(line, '\t', field)) fields.push_back(field);
  if (width_ == 0) width_ = fields.size();
  if (fields.size() != width_)
    fail("the line has {} columns, but the first has {}", fields.size(), width_);
  return true;
}

namespace detail {

template <class T>
void parse_number_row(const LineReader& reader, std::string_view line, std::vector<T>& values) {
  values.clear();
  const char separator = line.find(',') == std::string_view::npos ? ' ' : ',';
  std::string_view field;
  while (next_field(line, separator, field)) {
    T value;
    const std::string_view text = trimmed(field);
    if (!parse_number(text, value))
      reader.fail("expected a {}, got {}", std::is_integral_v<T> ? "whole number" : "number",
                  in_quotes(text));
    if constexpr (std::is_floating_point_v<T>)
      if (!std::isfinite(value)) reader.fail("{} is not a finite number", in_quotes(text));
    values.push_back(value);
  }
}

template void parse_number_row(const LineReader&, std::string_view, std::vector<int64_t>&);
template void parse_number_row(const LineReader&, std::string_view, std::vector<float>&);
template void parse_number_row(const LineReader&, std::string_view, std::vector<double>&);

}  // namespace detail

// ---- features

SparseMatrix SparseRows::finish(NodeId columns) {
  matrix_.pattern.rows = NodeId(matrix_.pattern.start.size() - 1);
  matrix_.pattern.cols = columns;
  return std::move(matrix_);
}

// ---- splits

Split split_of_masks(const std::string& name, std::span<const int64_t> train,
                     std::span<const int64_t> validation, std::span<const int64_t> test,
                     NodeId num_nodes, const std::string& path) {
  Split split{.name = name, .train = {}, .validation = {}, .test = {}};
  const auto fill = [&](std::span<const int64_t> mask, std::vector<NodeId>& nodes) {
    if (int64_t(mask.size()) != num_nodes)
      fail_data("{}: a mask has {} entries, but there are {} nodes", path, mask.size(), num_nodes);
    for (NodeId u = 0; u < num_nodes; u++)
      if (mask[u] != 0) nodes.push_back(u);
  };
  fill(train, split.train);
  fill(validation, split.validation);
  fill(test, split.test);
  return split;
}

std::vector<Split> read_geom_splits(const std::string& folder, NodeId num_nodes) {
  std::vector<std::pair<int, std::string>> files;
  for (const std::string& name : file_names(folder)) {
    constexpr std::string_view kMiddle = "_split_0.6_0.2_";
    const size_t at = name.find(kMiddle);
    if (at == std::string::npos || !name.ends_with(".npz")) continue;
    const size_t start = at + kMiddle.size();
    int number = 0;
    if (parse_number(std::string_view(name).substr(start, name.size() - 4 - start), number))
      files.emplace_back(number, name);
  }
  std::sort(files.begin(), files.end());
  std::vector<Split> splits;
  for (const auto& [number, name] : files) {
    const std::string path = folder + "/" + name;
    const NumpyArchive arrays = read_npz(path);
    const auto mask = [&](const char* key) {
      const auto array = arrays.find(key);
      if (array == arrays.end()) fail_data("{}: the array {} is missing", path, key);
      return array->second.integers(fmt::format("{}: {}", path, key));
    };
    const Array<int64_t> train = mask("train_mask"), validation = mask("val_mask");
    splits.push_back(split_of_masks(fmt::format("geom-gcn {}", number), train, validation,
                                    mask("test_mask"), num_nodes, path));
  }
  return splits;
}

}  // namespace mgnn
