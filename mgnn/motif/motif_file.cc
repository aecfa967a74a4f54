#include "mgnn/motif/motif_file.h"

#include <sys/stat.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <set>

#include "mgnn/base/error.h"
#include "mgnn/base/file.h"
#include "mgnn/base/folder.h"
#include "mgnn/base/progress.h"
#include "mgnn/io/hdf5.h"
#include "mgnn/io/matrix_market.h"
#include "mgnn/io/numpy_graph.h"
#include "mgnn/io/text_writer.h"

namespace mgnn {
namespace {

// Counted or weighted matrices.
struct Source {
  const Csr& pattern;
  MotifSet motifs;
  Counting counting;
  Entry entry;
  MotifWeights weights;
  std::function<Array<double>(int motif)> values;
  std::function<Array<int64_t>(int motif)> counts;  // of counted ones
};

// The values of one motif at a time, on the pattern that is written.
struct Written {
  Source source;
  Normalisation normalisation;
  Csr diagonal_pattern;  // what `centred` needs; empty otherwise
  Array<Offset> place;   // of the entries of the source in it

  Written(Source from, Normalisation kind) : source(std::move(from)), normalisation(kind) {
    if (kind != Normalisation::centred) return;
    diagonal_pattern = with_diagonal(source.pattern);
    place = places_in(source.pattern, diagonal_pattern);
  }

  bool as_counts() const { return normalisation == Normalisation::none && source.counts; }
  const Csr& pattern() const {
    return normalisation == Normalisation::centred ? diagonal_pattern : source.pattern;
  }
  Array<double> values(int motif) const {
    Array<double> value = source.values(motif);
    if (normalisation == Normalisation::none) return value;
    if (std::any_of(value.begin(), value.end(), [](double x) { return x < 0; }))
      fail_data("{} has negative entries, which cannot be normalised", motif_label(motif));
    if (place.empty()) return normalised(pattern(), value, normalisation);
    Array<double> wider(size_t(pattern().nnz()), 0.);
    for (size_t e = 0; e < value.size(); e++) wider[place[e]] = value[e];
    return normalised(pattern(), wider, normalisation);
  }
};

std::string array_name(int motif) { return fmt::format("m{}", motif); }

// Calls use(motif, span of int64_t or double) for every motif.
template <class Use>
void each_motif(const Written& written, const Use& use) {
  const std::vector<int> numbers = written.source.motifs.numbers();
  Progress progress("writing motif matrices", int64_t(numbers.size()));
  for (int motif : numbers) {
    if (written.as_counts())
      use(motif, std::span<const int64_t>(written.source.counts(motif)));
    else
      use(motif, std::span<const double>(written.values(motif)));
    progress.advance(1);
  }
}

void write_npz_file(const std::string& path, const Written& written, const NodeIds& ids,
                    bool overwrite) {
  const Csr& pattern = written.pattern();
  const std::vector<int64_t> shape = {pattern.rows, pattern.cols};
  const bool single = written.source.motifs.size() == 1;
  NpzWriter writer(path, overwrite);
  writer.write("shape", numpy_array<int64_t>(shape, {2}));
  writer.write("indptr", numpy_array<int64_t>(pattern.start, {int64_t(pattern.start.size())}));
  writer.write("indices", numpy_array<int32_t>(pattern.index, {pattern.nnz()}));
  if (!ids.trivial()) writer.write("ids", numpy_ids(ids));
  each_motif(written, [&](int motif, auto values) {
    const NumpyArray array = numpy_array(values, {pattern.nnz()});
    writer.write(array_name(motif), array);
    if (single) writer.write("data", array);
  });
  if (single) {
    writer.write("format", {.dtype = "|S3", .bytes = {'c', 's', 'r'}});
  }
  writer.commit();
}

void write_h5_file(const std::string& path, const Written& written, const NodeIds& ids,
                   uint64_t graph_fingerprint, bool overwrite) {
  const Csr& pattern = written.pattern();
  const std::vector<int64_t> shape = {pattern.rows, pattern.cols};
  Hdf5Writer writer(path, overwrite);
  writer.attribute("content", "motif matrices");
  writer.attribute("version", 1);
  writer.attribute("counting", name_of(written.source.counting));
  writer.attribute("entry", name_of(written.source.entry));
  writer.attribute("weights", name_of(written.source.weights));
  writer.attribute("normalisation", name_of(written.normalisation));
  writer.attribute("motifs", written.source.motifs.text());
  writer.attribute("graph_fingerprint", fmt::format("{:016x}", graph_fingerprint));
  writer.write<int64_t>("shape", shape);
  writer.write<int64_t>("indptr", pattern.start);
  writer.write<int32_t>("indices", pattern.index);
  if (ids.are_strings()) {
    std::vector<std::string> names;
    for (NodeId node = 0; node < pattern.rows; node++) names.push_back(ids.name(node));
    writer.write("ids", names);
  } else if (!ids.trivial()) {
    writer.write<int64_t>("ids", ids.number);
  }
  each_motif(written, [&](int motif, auto values) { writer.write(array_name(motif), values); });
  writer.commit();
}

// The entries that are not zero.
template <class T>
void write_matrix(const std::string& path, const Csr& pattern, std::span<const T> values) {
  Csr non_zeros{pattern.rows, pattern.cols, {0}, {}};
  Array<T> non_zero_values;
  for (NodeId r = 0; r < pattern.rows; r++) {
    for (Offset e = pattern.start[r]; e < pattern.start[r + 1]; e++) {
      if (values[e] == 0) continue;
      non_zeros.index.push_back(pattern.index[e]);
      non_zero_values.push_back(values[e]);
    }
    non_zeros.start.push_back(Offset(non_zeros.index.size()));
  }
  write_matrix_market(path, non_zeros, std::span<const T>(non_zero_values));
}

namespace fs = std::filesystem;

// Nothing but files that we write: no other folder is ever replaced.
bool holds_only_matrices(const std::string& folder) {
  std::set<std::string> ours = {"ids.txt"};
  for (int motif = 1; motif <= kNumMotifs; motif++) ours.insert(array_name(motif) + ".mtx");
  const std::vector<std::string> names = names_in_folder(folder);
  return std::all_of(names.begin(), names.end(), [&](const std::string& name) {
    struct stat status {};
    if (lstat((folder + "/" + name).c_str(), &status) != 0)
      fail("{}/{}: cannot be looked at: {}", folder, name, std::strerror(errno));
    return ours.contains(name) && S_ISREG(status.st_mode);
  });
}

void write_mtx_folder(const std::string& path, const Written& written, const NodeIds& ids,
                      bool overwrite) {
  check_motif_folder(path, overwrite);
  replace_folder(path, [&](const std::string& folder) {
    each_motif(written, [&](int motif, auto values) {
      write_matrix(folder + "/" + array_name(motif) + ".mtx", written.pattern(), values);
    });
    if (ids.trivial()) return;
    TextWriter names(folder + "/ids.txt");
    for (NodeId node = 0; node < written.pattern().rows; node++) {
      check_id_is_text(ids.name(node), path);
      names.text(ids.name(node) + "\n");
    }
    names.commit();
  });
}

void write_file(const std::string& path, const Written& written, const NodeIds& ids,
                uint64_t graph_fingerprint, const MotifFileOptions& options) {
  switch (options.format) {
    case MotifFormat::npz:
      return write_npz_file(path, written, ids, options.overwrite);
    case MotifFormat::h5:
      return write_h5_file(path, written, ids, graph_fingerprint, options.overwrite);
    case MotifFormat::mtx:
      return write_mtx_folder(path, written, ids, options.overwrite);
  }
}

}  // namespace

void check_motif_folder(const std::string& path, bool overwrite) {
  const fs::path target = path.ends_with("/") ? fs::path(path).parent_path() : fs::path(path);
  check_overwrite(target.string(), overwrite);
  check_folder_writable(fs::absolute(target).parent_path().string());  // where it will be made
  if (!file_exists(target.string())) return;
  if (!is_directory(target.string()) || !holds_only_matrices(target.string()))
    fail_usage("{}: is not a folder of motif matrices; name a new one", target.string());
}

MotifFormat motif_format_of(const std::string& path) {
  if (path.ends_with(".npz")) return MotifFormat::npz;
  if (path.ends_with(".h5") || path.ends_with(".hdf5")) return MotifFormat::h5;
  if (path.ends_with("/")) return MotifFormat::mtx;
  fail_usage(Hint::format, "{}: unknown format; endings are .npz, .h5 and, for a folder, /", path);
}

void write_motif_matrices(const std::string& path, const MotifMatrices& matrices,
                          const NodeIds& ids, uint64_t graph_fingerprint,
                          const MotifFileOptions& options) {
  const auto counts = [&](int motif) { return matrices.counts(motif); };
  const auto values = [&](int motif) {
    Array<double> value(size_t(matrices.pattern.nnz()));
    for (Offset e = 0; e < matrices.pattern.nnz(); e++) value[e] = double(matrices.count(motif, e));
    return value;
  };
  const Written written({.pattern = matrices.pattern,
                         .motifs = matrices.motifs,
                         .counting = matrices.counting,
                         .entry = matrices.entry,
                         .weights = MotifWeights::none,
                         .values = values,
                         .counts = counts},
                        options.normalisation);
  write_file(path, written, ids, graph_fingerprint, options);
}

void write_motif_matrices(const std::string& path, const WeightedMotifMatrices& matrices,
                          const NodeIds& ids, uint64_t graph_fingerprint,
                          const MotifFileOptions& options) {
  const auto values = [&](int motif) { return matrices.value[motif - 1]; };
  const Written written({.pattern = matrices.pattern,
                         .motifs = matrices.motifs,
                         .counting = matrices.counting,
                         .entry = matrices.entry,
                         .weights = matrices.weights,
                         .values = values,
                         .counts = nullptr},
                        options.normalisation);
  write_file(path, written, ids, graph_fingerprint, options);
}

}  // namespace mgnn
