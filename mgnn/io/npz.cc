// An .npz file is a zip archive of .npy files, stored or deflated. Deflate cannot blow bytes up
// more than 1032 times, so an archive that claims more lies: members that share their bytes, or a
// forged size.

#include <archive.h>
#include <archive_entry.h>

#include <memory>

#include "mgnn/base/error.h"
#include "mgnn/base/file.h"
#include "mgnn/base/interrupt.h"
#include "mgnn/io/compressed.h"
#include "mgnn/io/memory.h"
#include "mgnn/io/numpy.h"
#include "mgnn/io/zip_directory.h"

namespace mgnn {
namespace {

constexpr int64_t kMaxInflation = 1032;

std::string reason(archive* zip) {
  const char* text = archive_error_string(zip);
  fail_if_memory(text);
  std::string line = text ? text : "unknown reason";
  while (line.ends_with('\n')) line.pop_back();  // some of libarchive's have one
  return line;
}

// The bytes of the member whose header was just read. `budget` is what may still come out of the
// archive, and shrinks.
Array<char> member_bytes(archive* zip, archive_entry* entry, int64_t& budget,
                         const std::string& where) {
  const std::string_view method = archive_format_name(zip);
  if (archive_entry_is_encrypted(entry)) fail_data("{}: is encrypted", where);
  if (!method.ends_with("(deflation)") && !method.ends_with("(uncompressed)"))
    fail_data("{}: is packed in an unusual way ({}); save it with numpy.savez_compressed", where,
              in_quotes(method));
  const int64_t size = archive_entry_size_is_set(entry) ? archive_entry_size(entry) : -1;
  if (size < 0 || size > budget)
    fail_data("{}: claims to unpack to more than the archive can hold", where);
  budget -= size;
  check_memory(size, where);
  Array<char> bytes(static_cast<size_t>(size));
  int64_t used = 0;
  while (true) {
    check_interrupted();
    char past_end;
    const bool full = used == size;  // then there must be no more, which also checks the sum
    const la_ssize_t got =
        archive_read_data(zip, full ? &past_end : bytes.data() + used,
                          full ? 1 : size_t(std::min<int64_t>(size - used, 1 << 24)));
    if (got < 0) fail_data("{}: cannot be unpacked: {}", where, reason(zip));
    if (full && got > 0) fail_data("{}: unpacks to more than it claims", where);
    if (got == 0 && !full) fail_data("{}: is cut short", where);
    if (got == 0) return bytes;
    used += got;
  }
}

// Where the archive's bytes go. The library loses memory if it is told of a failure amid a member;
// so the first one is kept for later, and bytes behind it are dropped.
struct Output {
  AtomicFile file;
  std::exception_ptr error = nullptr;

  void check() const {
    if (error) std::rethrow_exception(error);
  }
};

la_ssize_t write_block(archive*, void* client, const void* block, size_t size) {
  auto& output = *static_cast<Output*>(client);
  try {
    if (!output.error) output.file.write({static_cast<const char*>(block), size});
  } catch (...) {
    output.error = std::current_exception();
  }
  return la_ssize_t(size);
}

void write_bytes(archive* zip, const Output& output, std::string_view bytes) {
  while (!bytes.empty()) {
    check_interrupted();
    output.check();
    const la_ssize_t done =
        archive_write_data(zip, bytes.data(), std::min<size_t>(bytes.size(), 1 << 24));
    if (done <= 0) fail("the archive cannot be packed: {}", reason(zip));
    bytes.remove_prefix(size_t(done));
  }
}

void write_member(archive* zip, const Output& output, const std::string& name,
                  const NumpyArray& array) {
  const std::string header = npy_header(array);
  const std::unique_ptr<archive_entry, void (*)(archive_entry*)> entry(archive_entry_new(),
                                                                       archive_entry_free);
  archive_entry_set_pathname(entry.get(), (name + ".npy").c_str());
  archive_entry_set_size(entry.get(), int64_t(header.size() + array.bytes.size()));
  archive_entry_set_filetype(entry.get(), AE_IFREG);
  archive_entry_set_perm(entry.get(), 0644);
  if (archive_write_header(zip, entry.get()) != ARCHIVE_OK)
    fail("{}: cannot be packed: {}", name, reason(zip));
  const std::unique_ptr<archive, int (*)(archive*)> finish(zip, archive_write_finish_entry);
  write_bytes(zip, output, header);
  write_bytes(zip, output, {array.bytes.data(), array.bytes.size()});
}

}  // namespace

NumpyArchive parse_npz(std::string_view bytes, const std::string& path) {
  const std::unique_ptr<archive, int (*)(archive*)> zip(archive_read_new(), archive_read_free);
  archive_read_support_format_zip_seekable(zip.get());
  if (!bytes.starts_with("PK") ||
      archive_read_open_memory(zip.get(), bytes.data(), bytes.size()) != ARCHIVE_OK)
    fail_data("{}: is not an .npz file (a zip archive of NumPy arrays)", path);
  check_zip_directory(bytes, path);
  NumpyArchive arrays;
  int64_t budget = saturated_product(int64_t(bytes.size()), kMaxInflation);
  archive_entry* entry = nullptr;
  while (true) {
    const int result = archive_read_next_header(zip.get(), &entry);
    if (result == ARCHIVE_EOF) return arrays;
    if (result != ARCHIVE_OK && result != ARCHIVE_WARN)
      fail_data("{}: is not an .npz file, or damaged: {}", path, reason(zip.get()));
    const char* given = archive_entry_pathname(entry);
    std::string name = given ? given : "";
    if (!name.ends_with(".npy"))
      fail_data("{}: contains {}, which is not a NumPy array (.npy)", path, in_quotes(name));
    name.resize(name.size() - 4);
    const std::string where = fmt::format("{}: {}", path, in_quotes(name));
    if (arrays.contains(name)) fail_data("{} is there twice", where);
    const Array<char> member = member_bytes(zip.get(), entry, budget, where);
    arrays.emplace(name, parse_npy({member.data(), member.size()}, where));
  }
}

NumpyArchive read_npz(const std::string& path) { return parse_npz(read_bytes(path).view(), path); }

struct NpzWriter::State {
  Output output;
  std::unique_ptr<archive, int (*)(archive*)> zip{archive_write_new(), archive_write_free};
  std::string path;
};

NpzWriter::NpzWriter(const std::string& path, bool overwrite)
    : state_(new State{.output = {AtomicFile(path, overwrite)}, .path = path}) {
  archive* zip = state_->zip.get();
  archive_write_set_format_zip(zip);
  archive_write_zip_set_compression_deflate(zip);
  archive_write_set_bytes_in_last_block(zip, 1);  // no padding
  archive_write_open(zip, &state_->output, nullptr, write_block, nullptr);
}

NpzWriter::~NpzWriter() = default;

void NpzWriter::write(const std::string& name, const NumpyArray& array) {
  write_member(state_->zip.get(), state_->output, name, array);
}

void NpzWriter::commit() {
  if (archive_write_close(state_->zip.get()) != ARCHIVE_OK)
    fail("{}: cannot be written: {}", state_->path, reason(state_->zip.get()));
  state_->output.check();
  state_->output.file.commit();
}

void write_npz(const std::string& path, const NumpyArchive& arrays, bool overwrite) {
  NpzWriter writer(path, overwrite);
  for (const auto& [name, array] : arrays) writer.write(name, array);
  writer.commit();
}

}  // namespace mgnn
