#include "mgnn/data/embedding_file.h"

#include <algorithm>
#include <filesystem>

#include "mgnn/base/csv.h"
#include "mgnn/base/error.h"
#include "mgnn/io/compressed.h"
#include "mgnn/io/numpy.h"
#include "mgnn/io/text_writer.h"

namespace mgnn {
namespace {

NumpyArray ids_array(const NodeIds& ids, int64_t count) {
  if (ids.are_strings()) {
    std::vector<std::string> names;
    for (int64_t i = 0; i < count; i++) names.push_back(ids.name(NodeId(i)));
    return numpy_texts(names);
  }
  Array<int64_t> numbers = ids.number;
  if (ids.trivial())
    for (int64_t i = 0; i < count; i++) numbers.push_back(i);
  return numpy_array<int64_t>(numbers, {count});
}

void write_ids(const std::string& path, const NodeIds& ids, int64_t count, bool overwrite) {
  TextWriter file(path, overwrite);
  for (int64_t i = 0; i < count; i++) {
    const std::string name = ids.name(NodeId(i));
    check_id_is_text(name, path);
    file.text(name + "\n");
  }
  file.commit();
}

std::string without_blanks(std::string text) {
  std::replace_if(
      text.begin(), text.end(), [](unsigned char c) { return std::isspace(c); }, '_');
  return text;
}

void write_text(const std::string& path, EmbeddingFormat format, const Matrix& z,
                const NodeIds& ids, bool overwrite) {
  const bool word2vec = format == EmbeddingFormat::word2vec;
  const char separator = word2vec ? ' ' : format == EmbeddingFormat::csv ? ',' : '\t';
  const std::string between(1, separator);
  TextWriter file(path, overwrite);
  if (word2vec) {
    file.text(fmt::format("{} {}\n", z.rows, z.cols));
  } else {
    file.text("id");
    for (int64_t c = 0; c < z.cols; c++) file.text(between + std::to_string(c));
    file.text("\n");
  }
  for (int64_t r = 0; r < z.rows; r++) {
    const std::string name = ids.name(NodeId(r));
    file.text(word2vec ? without_blanks(name) : csv_field(name, separator));
    for (const float x : z.row(r)) {
      file.text(between);
      file.number(x);
    }
    file.text("\n");
  }
  file.commit();
}

}  // namespace

EmbeddingFormat embedding_format_of(const std::string& path) {
  const std::string name = without_compression_suffix(path);
  if (path.ends_with(".npy")) return EmbeddingFormat::npy;
  if (path.ends_with(".npz")) return EmbeddingFormat::npz;
  if (path == "-" || name.ends_with(".csv")) return EmbeddingFormat::csv;
  if (name.ends_with(".tsv")) return EmbeddingFormat::tsv;
  for (const char* ending : {".txt", ".vec", ".w2v"})
    if (name.ends_with(ending)) return EmbeddingFormat::word2vec;
  fail_usage(Hint::format,
             "{}: vectors are written as .npy, .npz, .csv, .tsv or, for word2vec, .txt", path);
}

std::string ids_path(const std::string& npy_path) {
  return std::filesystem::path(npy_path).replace_extension(".ids.txt").string();
}

void write_embedding(const std::string& path, EmbeddingFormat format, const Matrix& z,
                     const NodeIds& ids, bool overwrite) {
  const std::vector<int64_t> shape = {z.rows, z.cols};
  if (format == EmbeddingFormat::npy) {
    if (!ids.trivial()) write_ids(ids_path(path), ids, z.rows, overwrite);
    return write_npy(path, numpy_array<float>(z.data, shape), overwrite);
  }
  if (format != EmbeddingFormat::npz) return write_text(path, format, z, ids, overwrite);
  NpzWriter file(path, overwrite);
  file.write("embedding", numpy_array<float>(z.data, shape));
  file.write("ids", ids_array(ids, z.rows));
  file.commit();
}

}  // namespace mgnn
