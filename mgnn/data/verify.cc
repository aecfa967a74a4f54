#include "mgnn/data/verify.h"

#include <sys/stat.h>

#include <filesystem>
#include <map>
#include <optional>
#include <sstream>

#include "mgnn/base/error.h"
#include "mgnn/base/file.h"
#include "mgnn/base/sha256.h"
#include "mgnn/io/compressed.h"

namespace mgnn {
namespace {

namespace fs = std::filesystem;

struct KnownSum {
  std::string sha256;
  int64_t size = 0, changed = 0;  // nanoseconds
};
using KnownSums = std::map<std::string, KnownSum>;  // by path below the cache

// A line that cannot be read is as good as none: the file is compared again.
KnownSums read_sums(const std::string& cache) {
  KnownSums sums;
  if (!file_exists(sums_path(cache))) return sums;
  std::istringstream lines{std::string(map_file(sums_path(cache)).view())};
  for (std::string line; std::getline(lines, line);) {
    std::istringstream fields(line);
    KnownSum sum;
    std::string path;
    if (fields >> sum.sha256 >> sum.size >> sum.changed && fields.get() == '\t' &&
        std::getline(fields, path) && sum.sha256.size() == 64)
      sums[path] = sum;
  }
  return sums;
}

void write_sums(const KnownSums& sums, const std::string& cache) {
  std::string text;
  for (const auto& [path, sum] : sums)
    text += fmt::format("{}\t{}\t{}\t{}\n", sum.sha256, sum.size, sum.changed, path);
  try {
    write_file(sums_path(cache), text);
  } catch (const Error&) {  // a folder that may only be read: compared again next time
  }
}

std::optional<KnownSum> look_at(const std::string& path) {
  struct stat status {};
  if (stat(path.c_str(), &status) != 0 || !S_ISREG(status.st_mode)) return std::nullopt;
  return KnownSum{"", status.st_size,
                  int64_t(status.st_mtim.tv_sec) * 1'000'000'000 + int64_t(status.st_mtim.tv_nsec)};
}

std::string published_sum(const DatasetEntry& entry, const std::string& name) {
  for (const RemoteFile& file : entry.files)
    if (!file.archive && (name == file.path || without_compression_suffix(name) == file.path))
      return file.sha256;
  return "";
}

// Published sums are of the plain file, which may be stored compressed.
void check_published(const std::string& path, const std::string& sum, const std::string& expected) {
  if (sum == expected) return;
  const std::string plain = sha256_of(read_bytes(path).view());
  if (plain != expected)
    fail_data(
        "{}: has SHA-256 {}, but {} is published: the file is damaged or was changed; remove "
        "it, and it is downloaded again",
        path, plain, expected);
}

// Gives whether there is something new to remember.
bool verify_file(KnownSums& sums, const std::string& key, const std::string& path,
                 const std::string& published, const std::string& cache) {
  std::optional<KnownSum> now = look_at(path);
  if (!now) return false;
  const auto before = sums.find(key);
  if (before != sums.end() && before->second.size == now->size &&
      before->second.changed == now->changed)
    return false;
  now->sha256 = sha256_of_file(path);
  if (!published.empty()) {
    check_published(path, now->sha256, published);
  } else if (before != sums.end() && before->second.sha256 != now->sha256) {
    fail_data(
        "{}: is not what it was when it was first used: the file is damaged or was changed; "
        "remove it, and it is downloaded again, or, if the change is yours, remove its line "
        "from {}",
        path, sums_path(cache));
  }
  sums[key] = *now;
  return true;
}

bool is_partial(const std::string& name) {
  return name.ends_with(".part") || name.ends_with(".stamp") || name.ends_with(".tmp");
}

}  // namespace

std::string sums_path(const std::string& cache) { return cache + "/sums.tsv"; }

void verify_files(const DatasetEntry& entry, const std::string& folder, const std::string& cache) {
  KnownSums sums = read_sums(cache);
  bool changed = false;
  std::error_code problem;
  for (fs::recursive_directory_iterator file(folder, problem), end; file != end && !problem;
       file.increment(problem)) {
    const std::string name = file->path().lexically_relative(folder).string();
    const std::string key = file->path().lexically_relative(cache).string();
    if (is_partial(name) || key.find('\n') != std::string::npos) continue;
    if (verify_file(sums, key, file->path().string(), published_sum(entry, name), cache))
      changed = true;
  }
  if (problem) fail("{}: cannot be looked at: {}", folder, problem.message());
  if (changed) write_sums(sums, cache);
}

void forget_sums(const std::string& folder, const std::string& cache) {
  KnownSums sums = read_sums(cache);
  const std::string below = fs::path(folder).lexically_relative(cache).string() + "/";
  if (std::erase_if(sums, [&](const auto& entry) { return entry.first.starts_with(below); }) > 0)
    write_sums(sums, cache);
}

}  // namespace mgnn
