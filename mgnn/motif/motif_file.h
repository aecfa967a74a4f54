// Motif matrices as files for other programs.
#pragma once

#include <string>

#include "mgnn/base/names.h"
#include "mgnn/graph/graph.h"
#include "mgnn/motif/motifs.h"
#include "mgnn/sparse/csr.h"

namespace mgnn {

enum class MotifFormat {
  npz,  // shape (n, n), indptr, indices, and m1 … m13 on that one pattern; ids where not 0..n-1;
        // a single motif also as data and format, so that scipy.sparse.load_npz reads the file
  h5,   // the same names as datasets, with counting, entry, weights, normalisation, fingerprint and
        // version as attributes
  mtx,  // a folder with m1.mtx … m13.mtx (Matrix Market, without stored zeros) and ids.txt
};
constexpr auto enum_names(MotifFormat) {
  return std::to_array<Named<MotifFormat>>(
      {{"npz", MotifFormat::npz}, {"h5", MotifFormat::h5}, {"mtx", MotifFormat::mtx}});
}

// What writing a folder of matrices would say before it writes: throws Error (usage) if it exists and
// may not be replaced, or holds anything else than what we write, and (failed) if it cannot be.
void check_motif_folder(const std::string& path, bool overwrite);

// By the ending: .npz, .h5 or .hdf5; a path that ends in / is a folder of .mtx files.
// Throws Error (usage) on another.
MotifFormat motif_format_of(const std::string& path);

struct MotifFileOptions {
  MotifFormat format = MotifFormat::npz;
  Normalisation normalisation =
      Normalisation::none;  // none: int64 counts; else, or if weighted, float64
  bool overwrite = true;
};

// Writes the matrices of all motifs in `matrices`, zero ones too. `graph_fingerprint` is stored
// with them. Nothing half-written is left under `path`, a folder included.
void write_motif_matrices(const std::string& path, const MotifMatrices& matrices,
                          const NodeIds& ids, uint64_t graph_fingerprint,
                          const MotifFileOptions& options = {});
// Throws Error (data) for a negative entry that is to be normalised.
void write_motif_matrices(const std::string& path, const WeightedMotifMatrices& matrices,
                          const NodeIds& ids, uint64_t graph_fingerprint,
                          const MotifFileOptions& options = {});

}  // namespace mgnn
