// A whole dataset as one file: the parts of dataset_parts.h in the safetensors container.
#pragma once

#include <string>
#include <string_view>

#include "mgnn/data/dataset.h"

namespace mgnn {

// The tensors are the parts; texts T are the bytes T (U8) and where each of them begins, T_start
// (I64), with the end of the last. Metadata: format = "mgnn dataset", version = "1", and checksums of
// every byte (safetensors.h).
//
// What is written is read back equal in every part but `reading`.
void write_dataset_file(const std::string& path, const Dataset& dataset, bool overwrite = true);

// A part that is not in the file is one that the dataset does not have. Throws Error (data) if the file
// is not such a dataset, is damaged, holds anything else, or its parts do not fit; indices and lengths
// are checked before they are used, and before memory is taken. Takes the memory of the file and that of
// the graph's in-neighbours. Parallel in part.
Dataset read_dataset_file(const std::string& path);
// Of the bytes of such a file; `path` opens messages.
Dataset parse_dataset(std::string_view bytes, const std::string& path);

}  // namespace mgnn
