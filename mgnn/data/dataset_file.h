// A whole dataset as one HDF5 file.
#pragma once

#include <string>

#include "mgnn/data/dataset.h"

namespace mgnn {

// What is written is read back equal in every part.
void write_dataset_file(const std::string& path, const Dataset& dataset, bool overwrite = true);

// Throws Error (data) if the file is not such a dataset, is damaged, or its parts do not fit.
Dataset read_dataset_file(const std::string& path);

}  // namespace mgnn
