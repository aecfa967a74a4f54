// An attempt asks for the bytes that are still missing ("Range"), on condition that the file is the
// one that was begun ("If-Range" with the ETag or date kept beside the part): the server answers
// 206 with the rest, or 200 with the whole, which then replaces the part. Errors that may pass are
// tried again after a wait that doubles.

#include "mgnn/data/download.h"

#include <curl/curl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <memory>
#include <optional>
#include <thread>
#include <utility>

#include "mgnn/base/error.h"
#include "mgnn/base/file.h"
#include "mgnn/base/human.h"
#include "mgnn/base/interrupt.h"
#include "mgnn/base/lines.h"
#include "mgnn/base/progress.h"
#include "mgnn/base/sha256.h"

namespace mgnn {
namespace {

constexpr double kLockStep = 0.1;  // seconds

// The file under its temporary name, locked against another process.
struct PartFile {
  std::string path;
  std::FILE* file = nullptr;
  int64_t size = 0;

  bool waited = false;  // for another process

  PartFile(const std::string& where, double timeout) : path(where) {
    while (!open_locked(timeout)) std::fclose(std::exchange(file, nullptr));
    std::fseek(file, 0, SEEK_END);
    size = std::ftell(file);
  }
  PartFile(const PartFile&) = delete;
  PartFile& operator=(const PartFile&) = delete;
  ~PartFile() { std::fclose(file); }

  // False if the file that is locked is not the one of that name any more: the process that had the
  // lock has renamed or removed it.
  bool open_locked(double timeout) {
    file = std::fopen(path.c_str(), "ab");
    if (!file) fail("{}: cannot be written: {}", path, std::strerror(errno));
    try {
      wait_for_lock(timeout);
    } catch (...) {
      std::fclose(file);
      throw;
    }
    struct stat locked {
    }, named{};
    return fstat(fileno(file), &locked) == 0 && stat(path.c_str(), &named) == 0 &&
           locked.st_ino == named.st_ino && locked.st_dev == named.st_dev;
  }
  void wait_for_lock(double timeout) {
    std::unique_ptr<Progress> progress;
    for (; flock(fileno(file), LOCK_EX | LOCK_NB) != 0; timeout -= kLockStep) {
      if (errno != EWOULDBLOCK && errno != EINTR)
        fail("{}: cannot be locked: {}", path, std::strerror(errno));
      if (timeout <= 0)
        fail("{}: another process is downloading this file; wait for it, or remove the file", path);
      if (!waited)
        progress =
            std::make_unique<Progress>("waiting for another process that downloads " + path, 0);
      waited = true;
      check_interrupted();
      std::this_thread::sleep_for(std::chrono::duration<double>(kLockStep));
    }
  }

  std::string stamp_path() const { return path + ".stamp"; }
  std::string stamp() const {
    return file_exists(stamp_path()) ? std::string(map_file(stamp_path()).view()) : "";
  }
  // All bytes are on the disk, or Error.
  void sync() {
    if (std::fflush(file) != 0 || fsync(fileno(file)) != 0) fail_to_write(errno);
  }
  // Nothing is left that would fill a full disk.
  [[noreturn]] void fail_to_write(int reason) const {
    unlink(path.c_str());
    unlink(stamp_path().c_str());
    fail("{}: cannot be written: {}", path, std::strerror(reason));
  }
  void clear() {
    std::fflush(file);  // what cannot be written is dropped anyway
    if (ftruncate(fileno(file), 0) != 0) fail("{}: {}", path, std::strerror(errno));
    unlink(stamp_path().c_str());
    size = 0;
  }
};

struct Transfer {
  PartFile& part;
  const DownloadOptions& options;
  CURL* curl = nullptr;
  int64_t offset = 0;  // where the part ended when the attempt began
  std::string etag = {}, date = {}, content_range = {};
  bool begun = false;
  std::string problem = {};  // ours, not curl's
  std::unique_ptr<Progress> progress = {};
};

struct Outcome {
  bool done = false;
  bool may_pass = false;  // worth another attempt
  std::string reason = {};
};

long response_code(CURL* curl) {
  long code = 0;
  curl_easy_getinfo(curl, CURLINFO_RESPONSE_CODE, &code);
  return code;
}

size_t take_header(char* data, size_t, size_t size, void* context) {
  Transfer& transfer = *static_cast<Transfer*>(context);
  const std::string_view line(data, size);
  if (line.starts_with("HTTP/")) {  // a new answer, after a redirect
    transfer.etag.clear(), transfer.date.clear(), transfer.content_range.clear();
    return size;
  }
  const size_t colon = line.find(':');
  if (colon == std::string_view::npos) return size;
  const std::string name = lower(line.substr(0, colon));
  std::string_view value = line.substr(colon + 1);
  while (value.ends_with('\n') || value.ends_with('\r')) value.remove_suffix(1);
  value = trimmed(value);
  if (name == "etag" && !value.starts_with("W/")) transfer.etag = value;  // weak ones do not do
  if (name == "last-modified") transfer.date = value;
  if (name == "content-range") transfer.content_range = value;
  return size;
}

// On the first bytes of a good answer; false with `problem` set if they cannot be used.
bool begin_body(Transfer& transfer) {
  transfer.begun = true;
  const bool rest_only = response_code(transfer.curl) == 206;
  if (rest_only && !transfer.content_range.starts_with(fmt::format("bytes {}-", transfer.offset))) {
    transfer.problem = "the server sent another part of the file than it was asked for";
    return false;
  }
  if (!rest_only) {
    transfer.part.clear();
    const std::string& stamp = transfer.etag.empty() ? transfer.date : transfer.etag;
    if (!stamp.empty()) write_file(transfer.part.stamp_path(), stamp);
  }
  curl_off_t length = -1;
  curl_easy_getinfo(transfer.curl, CURLINFO_CONTENT_LENGTH_DOWNLOAD_T, &length);
  const std::string name = std::filesystem::path(transfer.part.path).stem().string();
  transfer.progress =
      std::make_unique<Progress>(name, length > 0 ? length + transfer.part.size : 0, "B");
  transfer.progress->advance(transfer.part.size);
  return true;
}

size_t take_body(char* data, size_t, size_t size, void* context) {
  Transfer& transfer = *static_cast<Transfer*>(context);
  const long code = response_code(transfer.curl);
  if (code != 200 && code != 206) return size;  // the text of an error page
  try {
    if (!transfer.begun && !begin_body(transfer)) return 0;
    if (transfer.part.size + int64_t(size) > transfer.options.max_bytes) {
      transfer.problem = fmt::format("the file is larger than the {} that are allowed",
                                     human_bytes(transfer.options.max_bytes));
      return 0;
    }
    if (std::fwrite(data, 1, size, transfer.part.file) != size) {
      transfer.part.fail_to_write(errno);
    }
  } catch (const Error& error) {
    transfer.problem = error.what();
    return 0;
  }
  transfer.part.size += int64_t(size);
  transfer.progress->advance(int64_t(size));
  return size;
}

int stop_if_interrupted(void*, curl_off_t, curl_off_t, curl_off_t, curl_off_t) {
  return interrupted() ? 1 : 0;
}

bool may_pass(CURLcode code) {
  constexpr CURLcode kPassing[] = {
      CURLE_COULDNT_CONNECT, CURLE_OPERATION_TIMEDOUT, CURLE_PARTIAL_FILE, CURLE_RECV_ERROR,
      CURLE_SEND_ERROR,      CURLE_GOT_NOTHING,        CURLE_HTTP2,        CURLE_HTTP2_STREAM};
  return std::find(std::begin(kPassing), std::end(kPassing), code) != std::end(kPassing);
}

bool may_pass(long status) {
  return status == 408 || status == 429 || (status >= 500 && status <= 504);
}

Outcome judge(const Transfer& transfer, CURLcode result, const char* detail) {
  check_interrupted();
  if (!transfer.problem.empty()) return {.reason = transfer.problem};
  const long status = response_code(transfer.curl);
  if (result == CURLE_FILESIZE_EXCEEDED)
    return {.reason = fmt::format("the file is larger than the {} that are allowed",
                                  human_bytes(transfer.options.max_bytes))};
  if (result != CURLE_OK)
    return {.may_pass = may_pass(result), .reason = *detail ? detail : curl_easy_strerror(result)};
  if (status == 416) return {.may_pass = true, .reason = "the server has no such part of the file"};
  if (status != 200 && status != 206)
    return {.may_pass = may_pass(status), .reason = fmt::format("the server says {}", status)};
  return {.done = true};
}

Outcome attempt(const std::string& url, PartFile& part, const DownloadOptions& options) {
  const std::unique_ptr<CURL, void (*)(CURL*)> curl(curl_easy_init(), curl_easy_cleanup);
  if (!curl) fail("{}: cannot be downloaded: libcurl does not start", url);
  Transfer transfer{.part = part, .options = options, .curl = curl.get(), .offset = part.size};
  char detail[CURL_ERROR_SIZE] = "";
  const bool secure = url.starts_with("https:");
  curl_easy_setopt(curl.get(), CURLOPT_URL, url.c_str());
  curl_easy_setopt(curl.get(), CURLOPT_USERAGENT, "mgnn");
  curl_easy_setopt(curl.get(), CURLOPT_PROTOCOLS_STR, "http,https");
  curl_easy_setopt(curl.get(), CURLOPT_REDIR_PROTOCOLS_STR, secure ? "https" : "http,https");
  curl_easy_setopt(curl.get(), CURLOPT_FOLLOWLOCATION, 1L);
  curl_easy_setopt(curl.get(), CURLOPT_MAXREDIRS, 10L);
  curl_easy_setopt(curl.get(), CURLOPT_NOSIGNAL, 1L);
  curl_easy_setopt(curl.get(), CURLOPT_CONNECTTIMEOUT_MS, long(options.connect_timeout * 1000));
  curl_easy_setopt(curl.get(), CURLOPT_LOW_SPEED_LIMIT, long(options.min_speed));
  curl_easy_setopt(curl.get(), CURLOPT_LOW_SPEED_TIME, std::max(1L, long(options.stall_timeout)));
  curl_easy_setopt(curl.get(), CURLOPT_TIMEOUT_MS, long(options.deadline * 1000));
  curl_easy_setopt(curl.get(), CURLOPT_MAXFILESIZE_LARGE, curl_off_t(options.max_bytes));
  curl_easy_setopt(curl.get(), CURLOPT_ERRORBUFFER, detail);
  curl_easy_setopt(curl.get(), CURLOPT_HEADERFUNCTION, take_header);
  curl_easy_setopt(curl.get(), CURLOPT_HEADERDATA, &transfer);
  curl_easy_setopt(curl.get(), CURLOPT_WRITEFUNCTION, take_body);
  curl_easy_setopt(curl.get(), CURLOPT_WRITEDATA, &transfer);
  curl_easy_setopt(curl.get(), CURLOPT_NOPROGRESS, 0L);
  curl_easy_setopt(curl.get(), CURLOPT_XFERINFOFUNCTION, stop_if_interrupted);
  std::unique_ptr<curl_slist, void (*)(curl_slist*)> headers(nullptr, curl_slist_free_all);
  if (part.size > 0) {
    curl_easy_setopt(curl.get(), CURLOPT_RANGE, fmt::format("{}-", part.size).c_str());
    if (const std::string stamp = part.stamp(); !stamp.empty())
      headers.reset(curl_slist_append(nullptr, ("If-Range: " + stamp).c_str()));
    curl_easy_setopt(curl.get(), CURLOPT_HTTPHEADER, headers.get());
  }
  const CURLcode result = curl_easy_perform(curl.get());
  if (std::fflush(part.file) != 0) part.fail_to_write(errno);
  Outcome outcome = judge(transfer, result, detail);
  if (response_code(curl.get()) == 416) part.clear();
  // A whole file without a byte never reaches take_body.
  if (outcome.done && !transfer.begun && response_code(curl.get()) == 200) part.clear();
  return outcome;
}

void wait_before_retry(double seconds) {
  while (seconds > 0) {
    check_interrupted();
    const double step = std::min(seconds, 0.1);
    std::this_thread::sleep_for(std::chrono::duration<double>(step));
    seconds -= step;
  }
}

// All attempts; gives whether part of the bytes came from an earlier one.
bool fetch_part(const std::string& url, PartFile& part, const DownloadOptions& options) {
  double wait = options.first_wait;
  bool resumed = false;
  for (int tries = 1;; tries++) {
    resumed = part.size > 0;
    const Outcome outcome = attempt(url, part, options);
    if (outcome.done) return resumed;
    if (!outcome.may_pass || tries >= options.attempts)
      fail("{}: cannot be downloaded: {}{}", url, outcome.reason,
           tries > 1 ? fmt::format(" (after {} attempts)", tries) : "");
    wait_before_retry(wait);
    wait *= 2;
  }
}

void check_sum(const std::string& url, PartFile& part, const std::string& expected, bool resumed,
               const DownloadOptions& options) {
  std::string found = sha256_of_file(part.path);
  if (found != expected && resumed) {  // the older piece may have been of another file
    part.clear();
    fetch_part(url, part, options);
    found = sha256_of_file(part.path);
  }
  if (found == expected) return;
  part.clear();
  unlink(part.path.c_str());
  fail("{}: the file has SHA-256 {}, but {} is expected; it was not kept", url, found, expected);
}

}  // namespace

void download_file(const std::string& url, const std::string& path, const std::string& sha256,
                   const DownloadOptions& options) {
  check(url.starts_with("http://") || url.starts_with("https://"),
        "{}: only http:// and https:// addresses can be downloaded", in_quotes(url, 200));
  static const CURLcode started = curl_global_init(CURL_GLOBAL_DEFAULT);
  if (started != CURLE_OK) fail("{}: cannot be downloaded: libcurl does not start", url);
  std::error_code problem;
  std::filesystem::create_directories(std::filesystem::path(path).parent_path(), problem);
  if (problem) fail("{}: its folder cannot be made: {}", path, problem.message());

  PartFile part(path + ".part", options.lock_timeout);
  if (part.waited && file_exists(path) &&
      (sha256.empty() || sha256_of_file(path) == sha256)) {  // the other process got it
    unlink(part.path.c_str());
    return;
  }
  if (part.size > 0 && part.stamp().empty() && sha256.empty()) part.clear();  // cannot be trusted
  const bool resumed = fetch_part(url, part, options);
  if (!sha256.empty()) check_sum(url, part, sha256, resumed, options);
  part.sync();
  if (std::rename(part.path.c_str(), path.c_str()) != 0)
    fail("{}: cannot be renamed to its name: {}", path, std::strerror(errno));
  unlink(part.stamp_path().c_str());
}

}  // namespace mgnn
