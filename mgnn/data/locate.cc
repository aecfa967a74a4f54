#include "mgnn/data/locate.h"

#include <fmt/ranges.h>
#include <pwd.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <map>
#include <vector>

#include "mgnn/base/error.h"
#include "mgnn/base/file.h"
#include "mgnn/data/download.h"
#include "mgnn/data/unpack.h"
#include "mgnn/data/verify.h"

namespace mgnn {
namespace {

std::string environment(const char* name) {
  const char* value = std::getenv(name);
  return value ? value : "";
}

std::string home_folder() {
  if (std::string home = environment("HOME"); !home.empty()) return home;
  const passwd* user = getpwuid(getuid());
  return user && user->pw_dir ? user->pw_dir : "";
}

bool is_offline() {
  const std::string value = environment("MGNN_OFFLINE");
  return !value.empty() && value != "0";
}

constexpr size_t kMaxNames = 8;  // of files in a message

// What to do by hand: "put ind.cora.x, ind.cora.y (from https://…/) into ~/.cache/mgnn/…".
std::string instructions(const DatasetEntry& entry, const std::string& folder) {
  std::map<std::string, std::vector<std::string>> names_from;  // by the address's folder
  for (const RemoteFile& file : entry.files)
    names_from[file.url.substr(0, file.url.rfind('/') + 1)].push_back(file.path);
  std::string text;
  bool archive = false;
  for (const auto& [address, names] : names_from) {
    const std::string what = names.size() > kMaxNames ? fmt::format("{} files", names.size())
                                                      : fmt::format("{}", fmt::join(names, ", "));
    text += fmt::format("{}{} (from {})", text.empty() ? "" : " and ", what, address);
  }
  for (const RemoteFile& file : entry.files) archive = archive || file.archive;
  return fmt::format("put {}{} into {}", archive ? "the content of " : "", text, folder);
}

Hint files_hint(const DatasetEntry& entry) {
  return entry.files.size() > kMaxNames ? Hint(Hint::list_files, entry.name) : Hint::none;
}

void fetch_file(const DatasetEntry& entry, const RemoteFile& file, const std::string& folder,
                bool again) {
  if (!file.archive) {
    const std::string path = folder + "/" + file.path;
    if (again || !file_exists(path)) download_file(file.url, path, file.sha256);
    return;
  }
  if (!again && entry.present(entry, folder)) return;
  const std::string archive =
      (std::filesystem::path(folder).parent_path() / file.path).string();  // beside the folder
  download_file(file.url, archive, file.sha256);
  try {
    unpack_archive(archive, folder);
  } catch (...) {
    unlink(archive.c_str());
    throw;
  }
  unlink(archive.c_str());
}

// A folder that everybody may write to, such as /tmp, is none for data that are trusted later.
std::string need_cache_folder() {
  const std::string cache = cache_folder();
  if (cache.empty())
    fail(
        "there is no folder for downloads: set HOME or XDG_CACHE_HOME, or name one with "
        "--data-dir");
  return cache;
}

}  // namespace

std::string cache_folder() {
  if (const std::string cache = environment("XDG_CACHE_HOME"); !cache.empty())
    return cache + "/mgnn";
  const std::string home = home_folder();
  return home.empty() || home == "/" ? "" : home + "/.cache/mgnn";
}

std::vector<std::string> data_folders(const LoadOptions& options) {
  std::vector<std::string> folders;
  if (!options.data_dir.empty()) folders.push_back(options.data_dir);
  if (const std::string given = environment("MGNN_DATA_DIR"); !given.empty())
    folders.push_back(given);
  if (const std::string cache = cache_folder(); !cache.empty()) folders.push_back(cache);
  return folders;
}

std::optional<std::string> dataset_folder(const DatasetEntry& entry, const LoadOptions& options) {
  if (entry.embedded) return "";
  for (const std::string& folder : data_folders(options))
    if (const std::string path = folder + "/" + entry.folder; entry.present(entry, path))
      return path;
  return std::nullopt;
}

std::string download_folder(const DatasetEntry& entry, const LoadOptions& options) {
  return (options.data_dir.empty() ? need_cache_folder() : options.data_dir) + "/" + entry.folder;
}

std::string download_dataset(const DatasetEntry& entry, const LoadOptions& options, bool again) {
  check(!entry.embedded, "{} is made by mgnn itself; there is nothing to download", entry.name);
  const std::string folder = download_folder(entry, options);
  if (is_offline())
    throw Error(ErrorKind::failed,
                fmt::format("{} is not here, and MGNN_OFFLINE forbids to download it; {}",
                            entry.name, instructions(entry, folder)),
                files_hint(entry));
  if (again && options.data_dir.empty()) forget_sums(folder, cache_folder());
  try {
    for (const RemoteFile& file : entry.files) fetch_file(entry, file, folder, again);
  } catch (const Error& error) {
    if (error.kind() == ErrorKind::interrupted) throw;
    throw Error(error.kind(),
                fmt::format("{}; if it cannot be downloaded, {}", error.what(),
                            instructions(entry, folder)),
                files_hint(entry));
  }
  if (!entry.present(entry, folder))
    fail_data("{}: {} was downloaded, but files are missing; remove the folder and try again",
              folder, entry.name);
  return folder;
}

}  // namespace mgnn
