// Vectors of nodes or graphs as files that other tools read.
#pragma once

#include <string>

#include "mgnn/base/names.h"
#include "mgnn/graph/graph.h"
#include "mgnn/tensor/matrix.h"

namespace mgnn {

// npy: the matrix; ids, where they are not 0..n-1, go to a file beside it (ids_path).
// npz: arrays `embedding` (n, dimension) and `ids`.
// csv, tsv: columns id, 0, 1, …
// word2vec: text as word2vec, gensim and fastText have it: a line with n and the dimension, then a
//   line for each with its id (blanks become _) and its numbers.
enum class EmbeddingFormat { npy, npz, csv, tsv, word2vec };
constexpr auto enum_names(EmbeddingFormat) {
  return std::to_array<Named<EmbeddingFormat>>({{"npy", EmbeddingFormat::npy},
                                                {"npz", EmbeddingFormat::npz},
                                                {"csv", EmbeddingFormat::csv},
                                                {"tsv", EmbeddingFormat::tsv},
                                                {"word2vec", EmbeddingFormat::word2vec}});
}

// By the ending (.npy .npz .csv .tsv; .txt, .vec and .w2v are word2vec), also before .gz and its
// like for text. Throws Error (usage) on any other.
EmbeddingFormat embedding_format_of(const std::string& path);

// "z.ids.txt" for "z.npy".
std::string ids_path(const std::string& npy_path);

// Text may go to "-". Throws Error if the file cannot be written, or is there and not `overwrite`.
void write_embedding(const std::string& path, EmbeddingFormat format, const Matrix& z,
                     const NodeIds& ids, bool overwrite);

}  // namespace mgnn
