// gzip goes through zlib, which checks the sums that libarchive passes over; the rest through
// libarchive. Both hand their output on piece by piece, so that a trap is seen while it opens. What
// unpacks to more than a harmless size is unpacked twice: first to count its bytes, then into an
// array of just that size.

#include "mgnn/io/compressed.h"

#include <archive.h>
#include <archive_entry.h>
#include <zlib.h>

#include <algorithm>
#include <memory>
#include <new>

#include "mgnn/base/error.h"
#include "mgnn/base/human.h"
#include "mgnn/base/interrupt.h"
#include "mgnn/base/progress.h"
#include "mgnn/io/memory.h"

namespace mgnn {
namespace {

using namespace std::string_view_literals;

constexpr std::string_view kGzip = "\x1f\x8b"sv;
constexpr std::string_view kBzip2 = "BZh"sv;
constexpr std::string_view kXz = "\xFD\x37zXZ\0"sv;
constexpr std::string_view kZstd = "\x28\xB5\x2F\xFD"sv;
constexpr size_t kPiece = 1 << 18;

bool is_bzip2(std::string_view bytes) {  // "BZh" alone could begin a text
  return bytes.starts_with(kBzip2) && bytes.size() >= 10 && bytes[3] >= '1' && bytes[3] <= '9' &&
         (bytes.substr(4).starts_with("1AY&SY") || bytes.substr(4).starts_with("\x17\x72\x45\x38"));
}

// Where unpacked bytes gather, as long as they are few; then they are only counted.
class Unpacked {
 public:
  Unpacked(size_t packed_size, const std::string& path, const UnpackLimits& limits)
      : path_(path),
        harmless_(size_t(limits.harmless)),
        most_(std::max(limits.harmless, int64_t(packed_size) * limits.ratio)),
        packed_(int64_t(packed_size)),
        memory_(limits.memory),
        progress_("unpacking " + path, packed_, "B") {}

  // Room for a piece; `took` says how much of it was filled, and what was read of the packed bytes.
  char* room(size_t size) {
    if (!exact_ && !counting_ && bytes_.size() - used_ < size) grow(size);
    if (counting_ || (exact_ && bytes_.size() - used_ < size)) {
      piece_.resize(size);
      return piece_.data();
    }
    return bytes_.data() + used_;
  }
  void took(size_t size, int64_t packed_done) {
    if (exact_ && !piece_.empty() && used_ < bytes_.size())  // the end does not fill a piece
      std::copy_n(piece_.data(), std::min(size, bytes_.size() - used_), bytes_.data() + used_);
    used_ += size;
    if (int64_t(used_) > most_)
      fail_data("{}: unpacks to over {} from {}, which looks like a trap; unpack it by hand if not",
                path_, human_bytes(most_), human_bytes(packed_));
    check_interrupted();
    progress_.advance(packed_done - std::exchange(packed_done_, packed_done));
  }
  bool only_counted() const { return counting_; }
  // Takes the memory of what was counted, to be filled from the beginning.
  void begin_again() {
    check_available(used_);
    bytes_.resize(used_);
    used_ = 0;
    packed_done_ = 0;
    counting_ = false;
    exact_ = true;
    piece_ = {};
  }
  FileBytes finish() {
    bytes_.resize(used_);
    return FileBytes(std::move(bytes_));
  }

 private:
  void grow(size_t size) {
    if (used_ + size > harmless_) {
      counting_ = true;
      bytes_ = {};
      return;
    }
    const size_t capacity = std::min(std::max(bytes_.size() * 2, used_ + size), harmless_);
    check_available(capacity);
    bytes_.resize(capacity);
  }
  void check_available(size_t bytes) const {
    if (memory_ > 0 && int64_t(bytes) > memory_)
      fail("{}: unpacks to {}, but there is {} of memory; use a machine with more", path_,
           human_bytes(int64_t(bytes)), human_bytes(memory_));
    check_memory(int64_t(bytes), path_);
  }

  const std::string& path_;
  const size_t harmless_;
  const int64_t most_, packed_, memory_;
  Array<char> bytes_, piece_;  // piece_: for bytes that are not kept
  bool counting_ = false, exact_ = false;
  size_t used_ = 0;
  int64_t packed_done_ = 0;
  Progress progress_;
};

struct Inflater {
  z_stream stream{};
  Inflater() {
    if (inflateInit2(&stream, 16 + MAX_WBITS) != Z_OK) throw std::bad_alloc();
  }
  ~Inflater() { inflateEnd(&stream); }
};

void unpack_gzip(std::string_view packed, const std::string& path, Unpacked& out) {
  Inflater inflater;
  z_stream& stream = inflater.stream;
  size_t given = 0;  // zlib counts in 32 bits, so the input too goes by pieces
  while (true) {
    if (stream.avail_in == 0) {
      const size_t size = std::min(packed.size() - given, kPiece);
      stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(packed.data() + given));
      stream.avail_in = uInt(size);
      given += size;
    }
    stream.next_out = reinterpret_cast<Bytef*>(out.room(kPiece));
    stream.avail_out = uInt(kPiece);
    const int status = inflate(&stream, Z_NO_FLUSH);
    const size_t done = given - stream.avail_in;
    out.took(kPiece - stream.avail_out, int64_t(done));
    if (status == Z_STREAM_END) {
      const std::string_view rest = packed.substr(done);
      if (rest.find_first_not_of('\0') == rest.npos) return;  // tapes pad with zeros
      if (!rest.starts_with(kGzip))
        fail_data("{}: has {} of something else after its gzip data; the file is damaged", path,
                  human_bytes(int64_t(rest.size())));
      inflateReset(&stream);
    } else if (status == Z_BUF_ERROR ||
               (status == Z_OK && done == packed.size() && stream.avail_out > 0)) {
      fail_data("{}: the gzip data are cut short; fetch the file again", path);
    } else if (status == Z_MEM_ERROR) {
      throw std::bad_alloc();
    } else if (status != Z_OK) {
      fail_data("{}: the gzip data are damaged near byte {} ({}); fetch the file again", path, done,
                stream.msg ? stream.msg : "unknown error");
    }
  }
}

void unpack_by_libarchive(std::string_view packed, const std::string& path, Unpacked& out) {
  const std::unique_ptr<archive, int (*)(archive*)> reader(archive_read_new(), archive_read_free);
  archive* const a = reader.get();
  if (!a) throw std::bad_alloc();
  const auto check_status = [&](int status) {
    if (status >= ARCHIVE_WARN) return;
    const char* reason = archive_error_string(a);
    fail_if_memory(reason);
    fail_data(
        "{}: the compressed data are damaged or cut short near byte {} ({}); fetch the file again",
        path, archive_filter_bytes(a, -1), reason ? reason : "unknown error");
  };
  archive_read_support_format_raw(a);
  archive_read_support_format_empty(a);
  if (packed.starts_with(kXz))
    check_status(archive_read_support_filter_xz(a));
  else if (packed.starts_with(kZstd))
    check_status(archive_read_support_filter_zstd(a));
  else
    check_status(archive_read_support_filter_bzip2(a));
  check_status(archive_read_open_memory(a, packed.data(), packed.size()));
  if (archive_filter_code(a, 0) == ARCHIVE_FILTER_NONE)  // too short to be known for what it is
    fail_data("{}: the compressed data are cut short; fetch the file again", path);
  archive_entry* entry;
  int status = archive_read_next_header(a, &entry);
  check_status(status);
  while (status != ARCHIVE_EOF) {
    const la_ssize_t size = archive_read_data(a, out.room(kPiece), kPiece);
    if (size < 0) check_status(int(size));
    if (size <= 0) break;
    out.took(size_t(size), archive_filter_bytes(a, -1));
  }
}

}  // namespace

bool is_compressed(std::string_view bytes) {
  return bytes.starts_with(kGzip) || bytes.starts_with(kXz) || bytes.starts_with(kZstd) ||
         is_bzip2(bytes);
}

FileBytes unpack(std::string_view packed, const std::string& path, const UnpackLimits& limits) {
  Unpacked out(packed.size(), path, limits);
  const auto unpack_all = packed.starts_with(kGzip) ? unpack_gzip : unpack_by_libarchive;
  unpack_all(packed, path, out);
  if (out.only_counted()) {
    out.begin_again();
    unpack_all(packed, path, out);
  }
  return out.finish();
}

FileBytes read_bytes(const std::string& path) {
  FileBytes bytes = map_file(path);
  if (!is_compressed(bytes.view())) return bytes;
  return unpack(bytes.view(), path == "-" ? "standard input" : path);
}

std::string without_compression_suffix(const std::string& path) {
  for (const std::string_view suffix : {".gz", ".bz2", ".xz", ".zst"})
    if (path.ends_with(suffix)) return path.substr(0, path.size() - suffix.size());
  return path;
}

}  // namespace mgnn
