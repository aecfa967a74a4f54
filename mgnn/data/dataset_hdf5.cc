// Whole datasets as HDF5 files, for h5py and the like. They are written and never read: the HDF5
// library is not made for files that nobody vouches for.

#include "mgnn/data/dataset_parts.h"
#include "mgnn/data/formats.h"
#include "mgnn/io/compressed.h"
#include "mgnn/io/hdf5.h"

namespace mgnn {
namespace {

void write_hdf5(const std::string& path, const Dataset& dataset, bool overwrite) {
  const DatasetParts dataset_parts(dataset);
  Hdf5Writer file(path, overwrite);
  file.attribute("format", std::string(kDatasetFormat));
  file.attribute("version", kDatasetVersion);
  for (const DatasetPart& part : dataset_parts.parts)
    std::visit(
        [&](const auto& values) {
          if constexpr (requires { values.size_bytes(); })
            file.write(part.name, values, part.shape);
          else
            file.write(part.name, values);
        },
        part.values);
  file.commit();
}

// The signature stands at the beginning or, behind a block of the user's, at 512, 1024, 2048, …
bool is_hdf5(std::string_view bytes, const std::string& path) {
  constexpr std::string_view kSignature = "\x89HDF\r\n\x1a\n";
  for (size_t at = 0; at < bytes.size(); at = at == 0 ? 512 : 2 * at)
    if (bytes.substr(at).starts_with(kSignature)) return true;
  const std::string name = without_compression_suffix(path);
  return name.ends_with(".h5") || name.ends_with(".hdf5");
}

}  // namespace

GraphFormat hdf5_format() {
  return {.name = "h5",
          .title = "HDF5",
          .endings = {"h5", "hdf5"},
          .text = false,
          .parts = {.isolated_nodes = true, .ids = true, .weights = true, .dataset = true},
          .recognise = is_hdf5,
          .write = write_hdf5,
          .advice =
              "write it as .safetensors or .npz instead (docs/data.md has a line of h5py "
              "that converts it)"};
}

}  // namespace mgnn
