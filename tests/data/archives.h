// Archives for tests, honest and hostile.
#pragma once

#include <archive.h>
#include <archive_entry.h>

#include <string>
#include <vector>

namespace mgnn::testing {

struct ArchiveItem {
  std::string path;
  std::string content = {};
  std::string link_to = {};  // a symbolic link
  std::string hard_link_to = {};
  unsigned kind = AE_IFREG;
};

// `path` ends in .zip, .7z, .tar or .tar.gz.
inline void write_archive(const std::string& path, const std::vector<ArchiveItem>& items) {
  archive* out = archive_write_new();
  archive_write_set_format_filter_by_ext(out, path.c_str());
  archive_write_open_filename(out, path.c_str());
  for (const ArchiveItem& item : items) {
    archive_entry* entry = archive_entry_new();
    archive_entry_set_pathname(entry, item.path.c_str());
    archive_entry_set_filetype(entry, item.link_to.empty() ? item.kind : AE_IFLNK);
    archive_entry_set_perm(entry, 0755);
    archive_entry_set_size(entry, int64_t(item.content.size()));
    if (!item.link_to.empty()) archive_entry_set_symlink(entry, item.link_to.c_str());
    if (!item.hard_link_to.empty()) archive_entry_set_hardlink(entry, item.hard_link_to.c_str());
    archive_write_header(out, entry);
    archive_write_data(out, item.content.data(), item.content.size());
    archive_entry_free(entry);
  }
  archive_write_close(out);
  archive_write_free(out);
}

}  // namespace mgnn::testing
