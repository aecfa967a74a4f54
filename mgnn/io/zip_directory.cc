// All numbers are little-endian; offsets in the comments are those of the format's description (APPNOTE).

#include "mgnn/io/zip_directory.h"

#include <algorithm>
#include <cstdint>
#include <cstring>

#include "mgnn/base/error.h"

namespace mgnn {
namespace {

constexpr uint64_t kIn64 = UINT32_MAX;  // the number stands in a record of 64 bits

struct ZipBytes {
  std::string_view bytes;
  const std::string& path;

  [[noreturn]] void refuse(const std::string& why) const {
    fail_data("{}: is damaged: {}; use another copy", path, why);
  }
  std::string_view part(uint64_t at, uint64_t size) const {
    if (at > bytes.size() || size > bytes.size() - at) refuse("the zip archive is cut short");
    return bytes.substr(at, size);
  }
  template <class T>
  T number(uint64_t at) const {
    T value;
    std::memcpy(&value, part(at, sizeof(T)).data(), sizeof(T));
    return value;
  }
};

struct ZipEnd {
  uint64_t members, begin, end;  // of the directory
};

uint64_t end_record(const ZipBytes& zip) {
  constexpr uint64_t kSize = 22, kMaxComment = UINT16_MAX;
  const uint64_t size = zip.bytes.size();
  for (uint64_t back = kSize; back <= std::min(size, kSize + kMaxComment); back++)
    if (zip.part(size - back, 4) == "PK\5\6" &&
        zip.number<uint16_t>(size - back + 20) == back - kSize)
      return size - back;
  zip.refuse("the zip archive has no directory");
}

ZipEnd directory(const ZipBytes& zip) {
  uint64_t at = end_record(zip);
  ZipEnd end{zip.number<uint16_t>(at + 10), zip.number<uint32_t>(at + 16), at};
  uint64_t size = zip.number<uint32_t>(at + 12);
  if (end.members == UINT16_MAX || end.begin == kIn64 || size == kIn64) {
    if (at < 20 || zip.part(at - 20, 4) != "PK\6\7") zip.refuse("its directory has no end");
    at = zip.number<uint64_t>(at - 20 + 8);
    if (zip.part(at, 4) != "PK\6\6") zip.refuse("its directory has no end");
    end = {zip.number<uint64_t>(at + 32), zip.number<uint64_t>(at + 48), at};
    size = zip.number<uint64_t>(at + 40);
  }
  if (end.begin > end.end || end.end - end.begin != size)
    zip.refuse("its directory is not where it should be");
  return end;
}

// The place of the member at `entry`, which may stand behind sizes of 64 bits.
uint64_t member_place(const ZipBytes& zip, uint64_t entry, uint64_t extra, uint64_t extra_end) {
  const uint64_t place = zip.number<uint32_t>(entry + 42);
  if (place != kIn64) return place;
  while (extra + 4 <= extra_end) {
    const auto size = zip.number<uint16_t>(extra + 2);
    if (zip.number<uint16_t>(extra) == 1) {
      const uint64_t before = 8 * ((zip.number<uint32_t>(entry + 20) == kIn64) +
                                   (zip.number<uint32_t>(entry + 24) == kIn64));
      if (before + 8 > size) break;
      return zip.number<uint64_t>(extra + 4 + before);
    }
    extra += 4 + size;
  }
  zip.refuse("a member has no place");
}

// Directory entry and local header, field by field. Sums and sizes may follow the member instead (bit 3).
void check_member(const ZipBytes& zip, uint64_t entry, uint64_t local, std::string_view name) {
  if (zip.part(local, 4) != "PK\3\4") zip.refuse("a member is not where it should be");
  const bool same = zip.number<uint16_t>(local + 26) == name.size() &&
                    zip.part(local + 30, name.size()) == name &&
                    zip.number<uint16_t>(local + 6) == zip.number<uint16_t>(entry + 8) &&
                    zip.number<uint16_t>(local + 8) == zip.number<uint16_t>(entry + 10);
  if (!same) zip.refuse(fmt::format("two names or kinds of {}", in_quotes(name)));
  const auto agrees = [&](uint64_t offset) {
    const auto one = zip.number<uint32_t>(local + offset);
    const auto other = zip.number<uint32_t>(entry + offset + 2);
    return one == other || one == kIn64 || other == kIn64;
  };
  const bool follows = zip.number<uint16_t>(local + 6) & 8;
  if (!follows && !(agrees(14) && agrees(18) && agrees(22)))
    zip.refuse(fmt::format("two sums or sizes of {}", in_quotes(name)));
}

// Made on Unix, entries have a mode: a flipped bit makes a folder or a link of a file.
bool is_plain_file(const ZipBytes& zip, uint64_t entry) {
  const bool unix = zip.number<uint8_t>(entry + 5) == 3;
  const uint32_t mode = zip.number<uint32_t>(entry + 38) >> 16 & 0170000;
  const bool folder = zip.number<uint32_t>(entry + 38) & 0x10;  // of DOS
  return !folder && (!unix || mode == 0 || mode == 0100000);
}

}  // namespace

void check_zip_directory(std::string_view archive, const std::string& path) {
  const ZipBytes zip{archive, path};
  const ZipEnd end = directory(zip);
  uint64_t entry = end.begin, members = 0;
  for (; entry < end.end; members++) {
    if (zip.part(entry, 4) != "PK\1\2") zip.refuse("its directory has something else in it");
    const uint64_t extra = entry + 46 + zip.number<uint16_t>(entry + 28);
    const uint64_t extra_end = extra + zip.number<uint16_t>(entry + 30);
    const std::string_view name = zip.part(entry + 46, extra - entry - 46);
    if (!is_plain_file(zip, entry))
      zip.refuse(fmt::format("{} is not a plain file", in_quotes(name)));
    check_member(zip, entry, member_place(zip, entry, extra, extra_end), name);
    entry = extra_end + zip.number<uint16_t>(entry + 32);
  }
  if (entry != end.end || members != end.members)
    zip.refuse(fmt::format("its directory has {} members instead of {}", members, end.members));
}

}  // namespace mgnn
