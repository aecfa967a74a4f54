#include "mgnn/io/text_writer.h"

#include <archive.h>
#include <archive_entry.h>

#include <cerrno>
#include <cstring>
#include <optional>

#include "mgnn/base/error.h"
#include "mgnn/base/file.h"
#include "mgnn/base/interrupt.h"
#include "mgnn/base/utf8.h"

namespace mgnn {

struct TextWriter::Target {
  std::string path;
  std::optional<AtomicFile> file;  // none: standard output
  archive* packer = nullptr;       // none: not compressed

  ~Target() {
    if (packer) archive_write_free(packer);
  }
  void check_packer(int status) {
    if (status < ARCHIVE_WARN)
      fail("{}: cannot be written: {}", path, archive_error_string(packer));
  }
  void start_packing(int (*add_filter)(archive*)) {
    packer = archive_write_new();
    check_packer(archive_write_set_format_raw(packer));
    check_packer(add_filter(packer));
    check_packer(archive_write_set_bytes_in_last_block(packer, 1));  // no padding
    check_packer(archive_write_open_filename(packer, file->temporary_path().c_str()));
    archive_entry* entry = archive_entry_new();
    archive_entry_set_pathname(entry, "data");
    archive_entry_set_filetype(entry, AE_IFREG);
    const int status = archive_write_header(packer, entry);
    archive_entry_free(entry);
    check_packer(status);
  }
  void write(std::string_view bytes) {
    if (packer) {
      if (archive_write_data(packer, bytes.data(), bytes.size()) < 0) check_packer(ARCHIVE_FATAL);
    } else if (file) {
      file->write(bytes);
    } else if (std::fwrite(bytes.data(), 1, bytes.size(), stdout) != bytes.size()) {
      fail("standard output: cannot be written: {}", std::strerror(errno));
    }
  }
  void commit() {
    if (packer) check_packer(archive_write_close(packer));
    if (file)
      file->commit();
    else if (std::fflush(stdout) != 0)
      fail("standard output: cannot be written: {}", std::strerror(errno));
  }
};

TextWriter::TextWriter(const std::string& path, bool overwrite)
    : target_(std::make_unique<Target>()) {
  target_->path = path;
  if (path == "-") return;
  target_->file.emplace(path, overwrite);
  if (path.ends_with(".gz")) target_->start_packing(archive_write_add_filter_gzip);
  if (path.ends_with(".bz2")) target_->start_packing(archive_write_add_filter_bzip2);
  if (path.ends_with(".xz")) target_->start_packing(archive_write_add_filter_xz);
  if (path.ends_with(".zst")) target_->start_packing(archive_write_add_filter_zstd);
}

TextWriter::~TextWriter() = default;

void TextWriter::flush() {
  check_interrupted();
  target_->write(buffer_);
  buffer_.clear();
}

void TextWriter::commit() {
  flush();
  target_->commit();
}

void check_id_is_text(std::string_view id, const std::string& path) {
  if (id.find_first_of(std::string_view("\n\r\0", 3)) != id.npos)
    fail_data("{}: node id {} has a line end or NUL byte, which text files cannot hold", path,
              in_quotes(std::string(id)));
  if (find_invalid_utf8(id) != id.npos)
    fail_data("{}: node id {} is not UTF-8, which text files must be", path,
              in_quotes(std::string(id)));
}

}  // namespace mgnn
