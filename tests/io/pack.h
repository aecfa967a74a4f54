// Compresses bytes by libarchive's writer, for tests that read them back.
#pragma once

#include <archive.h>
#include <archive_entry.h>
#include <gtest/gtest.h>

#include <string>
#include <string_view>

namespace mgnn::testing {

struct Packing {
  const char* suffix;
  int (*add_filter)(archive*);
};
inline const Packing kPackings[] = {{".gz", archive_write_add_filter_gzip},
                                    {".bz2", archive_write_add_filter_bzip2},
                                    {".xz", archive_write_add_filter_xz},
                                    {".zst", archive_write_add_filter_zstd}};

inline std::string packed(std::string_view bytes, const Packing& packing) {
  std::string out;
  archive* const a = archive_write_new();
  archive_write_set_format_raw(a);
  EXPECT_GE(packing.add_filter(a), ARCHIVE_WARN);
  archive_write_set_bytes_in_last_block(a, 1);
  const auto append = [](archive*, void* to, const void* data, size_t size) -> la_ssize_t {
    static_cast<std::string*>(to)->append(static_cast<const char*>(data), size);
    return la_ssize_t(size);
  };
  EXPECT_EQ(archive_write_open(a, &out, nullptr, append, nullptr), ARCHIVE_OK);
  archive_entry* const entry = archive_entry_new();
  archive_entry_set_pathname(entry, "data");
  archive_entry_set_filetype(entry, AE_IFREG);
  EXPECT_EQ(archive_write_header(a, entry), ARCHIVE_OK);
  archive_entry_free(entry);
  EXPECT_EQ(archive_write_data(a, bytes.data(), bytes.size()), la_ssize_t(bytes.size()));
  EXPECT_EQ(archive_write_close(a), ARCHIVE_OK);
  archive_write_free(a);
  return out;
}

// A text that compresses about as well as an edge list does.
inline std::string edge_text(int64_t edges, uint64_t seed) {
  std::string text;
  for (int64_t i = 0; i < edges; i++) {
    seed = seed * 6364136223846793005u + 1442695040888963407u;
    text += std::to_string(seed >> 44) + '\t' + std::to_string((seed >> 20) & 0xFFFFF) + '\n';
  }
  return text;
}

}  // namespace mgnn::testing
