// Every entry is looked at before anything of it is written: its kind, its path, its size. Files go
// to a new folder beside the target, opened so that nothing there is followed or replaced; only a
// complete one is moved to the target.

#include "mgnn/data/unpack.h"

#include <archive.h>
#include <archive_entry.h>
#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <memory>
#include <vector>

#include "mgnn/base/error.h"
#include "mgnn/base/file.h"
#include "mgnn/base/folder.h"
#include "mgnn/base/human.h"
#include "mgnn/base/interrupt.h"
#include "mgnn/base/progress.h"

namespace mgnn {
namespace {

namespace fs = std::filesystem;

struct TemporaryFolder {
  std::string path;
  explicit TemporaryFolder(const std::string& beside) : path(beside + ".XXXXXX") {
    std::error_code problem;
    fs::create_directories(fs::path(beside).parent_path(), problem);
    if (problem || !mkdtemp(path.data()))
      fail("{}: cannot be made: {}", beside, problem ? problem.message() : std::strerror(errno));
    fs::permissions(path, fs::perms(0755), problem);
  }
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;
  ~TemporaryFolder() {
    std::error_code ignored;
    fs::remove_all(path, ignored);
  }
};

struct Unpacking {
  std::string archive;
  int64_t packed_bytes;
  ArchiveLimits limits;
  int64_t bytes = 0, files = 0;
};

std::string reason_of(archive* reader) {
  const char* text = archive_error_string(reader);
  std::string reason = text ? text : "it cannot be read";
  while (reason.ends_with('\n')) reason.pop_back();  // some of libarchive's have one
  return reason;
}

// The entry's path, relative and free of "..", or an error.
fs::path safe_path(const Unpacking& unpacking, archive_entry* entry) {
  const char* name = archive_entry_pathname(entry);
  if (!name || !*name) fail_data("{}: has an entry without a name", unpacking.archive);
  const std::string text = name;
  fs::path safe;
  for (const fs::path& step : fs::path(text)) {
    if (step == "." || step.empty()) continue;
    safe /= step;
    if (step == ".." || step == "/" || step.string().find('\\') != std::string::npos)
      fail_data("{}: the entry {} would leave the folder; nothing was unpacked", unpacking.archive,
                in_quotes(text, 80));
  }
  return safe;
}

void check_kind(const Unpacking& unpacking, archive_entry* entry) {
  const auto kind = archive_entry_filetype(entry);
  const bool link = archive_entry_symlink(entry) || archive_entry_hardlink(entry);
  if (!link && (kind == AE_IFREG || kind == AE_IFDIR)) return;
  fail_data("{}: the entry {} is a {}; nothing was unpacked", unpacking.archive,
            in_quotes(archive_entry_pathname(entry) ? archive_entry_pathname(entry) : "", 80),
            link || kind == AE_IFLNK ? "link" : "device or other special file");
}

void count_bytes(Unpacking& unpacking, int64_t more) {
  unpacking.bytes += more;
  const bool beyond = unpacking.bytes > unpacking.limits.max_bytes;
  const bool bomb =
      unpacking.bytes > (64 << 20) &&
      unpacking.bytes / std::max<int64_t>(unpacking.packed_bytes, 1) > unpacking.limits.max_ratio;
  if (beyond)
    fail_data("{}: unpacks to more than the {} that are allowed", unpacking.archive,
              human_bytes(unpacking.limits.max_bytes));
  if (bomb)
    fail_data("{}: unpacks to over {} times its size, as only a trap does", unpacking.archive,
              unpacking.limits.max_ratio);
}

void write_entry(Unpacking& unpacking, archive* reader, const std::string& path) {
  const int descriptor =
      open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0644);
  if (descriptor < 0)
    fail_data("{}: {} cannot be written: {}", unpacking.archive, path, std::strerror(errno));
  std::unique_ptr<std::FILE, int (*)(std::FILE*)> file(fdopen(descriptor, "wb"), std::fclose);
  if (!file) fail("{}: cannot be written: {}", path, std::strerror(errno));
  std::vector<char> block(1 << 16);
  while (true) {
    const la_ssize_t got = archive_read_data(reader, block.data(), block.size());
    if (got == 0) break;
    if (got < 0) fail_data("{}: is damaged: {}", unpacking.archive, reason_of(reader));
    check_interrupted();
    count_bytes(unpacking, got);
    if (std::fwrite(block.data(), 1, size_t(got), file.get()) != size_t(got))
      fail("{}: cannot be written: {}", path, std::strerror(errno));
  }
  const bool flushed = std::fflush(file.get()) == 0;
  if (std::fclose(file.release()) != 0 || !flushed)
    fail("{}: cannot be written: {}", path, std::strerror(errno));
}

void unpack_entry(Unpacking& unpacking, archive* reader, archive_entry* entry,
                  const std::string& folder) {
  check_kind(unpacking, entry);
  const fs::path path = fs::path(folder) / safe_path(unpacking, entry);
  if (++unpacking.files > unpacking.limits.max_files)
    fail_data("{}: has more than the {} files that are allowed", unpacking.archive,
              human_count(unpacking.limits.max_files));
  if (path == fs::path(folder)) return;
  std::error_code problem;
  const bool is_folder = archive_entry_filetype(entry) == AE_IFDIR;
  fs::create_directories(is_folder ? path : path.parent_path(), problem);
  if (problem)
    fail_data("{}: {} cannot be made: {}", unpacking.archive, path.string(), problem.message());
  if (!is_folder) write_entry(unpacking, reader, path.string());
}

void unpack_all(Unpacking& unpacking, const std::string& folder) {
  const std::unique_ptr<archive, int (*)(archive*)> reader(archive_read_new(), archive_read_free);
  archive_read_support_filter_all(reader.get());
  archive_read_support_format_tar(reader.get());
  archive_read_support_format_zip(reader.get());
  archive_read_support_format_7zip(reader.get());
  if (archive_read_open_filename(reader.get(), unpacking.archive.c_str(), 1 << 16) != ARCHIVE_OK)
    fail_data("{}: is not a zip, tar or 7z archive: {}", unpacking.archive,
              reason_of(reader.get()));
  Progress progress("unpacking " + fs::path(unpacking.archive).filename().string(), 0, "files");
  archive_entry* entry = nullptr;
  while (true) {
    const int status = archive_read_next_header(reader.get(), &entry);
    if (status == ARCHIVE_EOF) break;
    if (status < ARCHIVE_WARN)
      fail_data("{}: is damaged: {}", unpacking.archive, reason_of(reader.get()));
    unpack_entry(unpacking, reader.get(), entry, folder);
    progress.advance(1);
  }
  if (unpacking.files == 0) fail_data("{}: is empty", unpacking.archive);
}

// `folder`, or the one folder in it if there is nothing else.
fs::path top_of(const fs::path& folder) {
  const std::vector<std::string> names = names_in_folder(folder.string());
  const bool one = names.size() == 1 && is_directory((folder / names[0]).string());
  return one ? folder / names[0] : folder;
}

void move_content(const fs::path& from, const fs::path& to) {
  std::error_code problem;
  if (!file_exists(to.string())) {
    fs::rename(from, to, problem);
  } else {
    for (const std::string& name : names_in_folder(from.string())) {
      const fs::path target = to / name;
      if (is_directory(target.string())) fs::remove_all(target, problem);
      if (!problem) fs::rename(from / name, target, problem);
      if (problem) break;
    }
  }
  if (problem) fail("{}: cannot be written: {}", to.string(), problem.message());
}

}  // namespace

void unpack_archive(const std::string& path, const std::string& folder,
                    const ArchiveLimits& limits) {
  std::error_code problem;
  const auto size = fs::file_size(path, problem);
  if (problem) fail_data("{}: cannot be read: {}", path, problem.message());
  const TemporaryFolder temporary(folder);
  Unpacking unpacking{path, int64_t(size), limits};
  unpack_all(unpacking, temporary.path);
  move_content(top_of(temporary.path), folder);
}

}  // namespace mgnn
