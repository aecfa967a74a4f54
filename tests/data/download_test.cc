#include "mgnn/data/download.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/resource.h>
#include <unistd.h>

#include <csignal>
#include <filesystem>
#include <thread>

#include "mgnn/base/interrupt.h"
#include "mgnn/base/sha256.h"
#include "tests/data/http_server.h"
#include "tests/util.h"

namespace mgnn {
namespace {

using testing::content_of, testing::error_of, testing::HttpRequest, testing::HttpResponse,
    testing::HttpServer, testing::TempDir;

const DownloadOptions kQuick = {.attempts = 4, .first_wait = 0.01, .stall_timeout = 2};

std::string bytes(size_t size, uint64_t seed = 1) {
  Rng rng(seed);
  std::string text(size, ' ');
  for (char& c : text) c = char(rng.next());
  return text;
}

// Honours Range, on condition of If-Range, as real servers do.
HttpResponse ranged(const HttpRequest& request, const std::string& body, const std::string& etag) {
  HttpResponse response{.headers = {"ETag: " + etag}, .body = body};
  const auto range = request.headers.find("range");
  const auto condition = request.headers.find("if-range");
  if (range == request.headers.end()) return response;
  if (condition != request.headers.end() && condition->second != etag) return response;
  const size_t from = std::stoul(range->second.substr(6));
  if (from >= body.size()) return {.status = 416};
  response.status = 206;
  response.headers.push_back("Content-Range: bytes " + std::to_string(from) + "-" +
                             std::to_string(body.size() - 1) + "/" + std::to_string(body.size()));
  response.body = body.substr(from);
  return response;
}

TEST(Download, FetchesAFileAndChecksItsSum) {
  const std::string body = bytes(300'000);
  const HttpServer server([&](const HttpRequest&) { return HttpResponse{.body = body}; });
  const TempDir dir;
  download_file(server.url("/x"), dir / "sub/x.bin", sha256_of(body), kQuick);
  EXPECT_EQ(content_of(dir / "sub/x.bin"), body);
  EXPECT_FALSE(file_exists(dir / "sub/x.bin.part"));
  EXPECT_FALSE(file_exists(dir / "sub/x.bin.part.stamp"));
}

TEST(Download, FetchesAnEmptyFile) {
  const HttpServer server([&](const HttpRequest&) { return HttpResponse{}; });
  const TempDir dir;
  download_file(server.url("/x"), dir / "x", sha256_of(""), kQuick);
  EXPECT_EQ(content_of(dir / "x"), "");
}

TEST(Download, AFullDiskIsSaid) {
  const std::string body = bytes(3000);  // so few that they wait in a buffer
  const HttpServer server([&](const HttpRequest&) { return HttpResponse{.body = body}; });
  const TempDir dir;
  rlimit before{};
  ASSERT_EQ(getrlimit(RLIMIT_FSIZE, &before), 0);
  const auto handler = std::signal(SIGXFSZ, SIG_IGN);
  const rlimit small{1000, before.rlim_max};
  ASSERT_EQ(setrlimit(RLIMIT_FSIZE, &small), 0);
  const std::string error =
      error_of([&] { download_file(server.url("/x"), dir / "x", "", kQuick); });
  setrlimit(RLIMIT_FSIZE, &before);
  std::signal(SIGXFSZ, handler);
  EXPECT_EQ(error, dir / "x.part: cannot be written: File too large");
  EXPECT_TRUE(std::filesystem::is_empty(dir.path()));
}

TEST(Download, GoesOnAfterACutConnection) {
  const std::string body = bytes(200'000);
  int call = 0;
  const HttpServer server([&](const HttpRequest& request) {
    HttpResponse response = ranged(request, body, "\"v1\"");
    if (call++ < 2) {
      response.announced = int64_t(response.body.size());
      response.body.resize(70'000);
    }
    return response;
  });
  const TempDir dir;
  download_file(server.url("/x"), dir / "x", sha256_of(body), kQuick);
  EXPECT_EQ(content_of(dir / "x"), body);
  const auto requests = server.requests();
  ASSERT_EQ(requests.size(), 3u);
  EXPECT_EQ(requests[1].headers.at("range"), "bytes=70000-");
  EXPECT_EQ(requests[1].headers.at("if-range"), "\"v1\"");
  EXPECT_EQ(requests[2].headers.at("range"), "bytes=140000-");
}

TEST(Download, GoesOnInALaterCallWithoutAKnownSum) {
  const std::string body = bytes(100'000);
  bool cut = true;
  const HttpServer server([&](const HttpRequest& request) {
    HttpResponse response = ranged(request, body, "\"v1\"");
    if (cut) {
      response.announced = int64_t(response.body.size());
      response.body.resize(40'000);
    }
    return response;
  });
  const TempDir dir;
  DownloadOptions once = kQuick;
  once.attempts = 1;
  const std::string error = error_of([&] { download_file(server.url("/x"), dir / "x", "", once); });
  EXPECT_NE(error.find("cannot be downloaded"), std::string::npos) << error;
  EXPECT_FALSE(file_exists(dir / "x"));
  EXPECT_EQ(content_of(dir / "x.part").size(), 40'000u);
  cut = false;
  download_file(server.url("/x"), dir / "x", "", once);
  EXPECT_EQ(content_of(dir / "x"), body);
  EXPECT_EQ(server.requests()[1].headers.at("range"), "bytes=40000-");
}

TEST(Download, StartsAnewIfTheFileChangedMeanwhile) {
  const std::string old_body = bytes(100'000, 1), new_body = bytes(90'000, 2);
  bool first = true;
  const HttpServer server([&](const HttpRequest& request) {
    if (!first) return ranged(request, new_body, "\"v2\"");
    first = false;
    HttpResponse response = ranged(request, old_body, "\"v1\"");
    response.announced = int64_t(old_body.size());
    response.body.resize(50'000);
    return response;
  });
  const TempDir dir;
  download_file(server.url("/x"), dir / "x", "", kQuick);
  EXPECT_EQ(content_of(dir / "x"), new_body);
}

TEST(Download, StartsAnewIfTheOldPieceIsOfAnotherFile) {
  const std::string body = bytes(50'000);
  const HttpServer server(
      [&](const HttpRequest& request) { return ranged(request, body, "\"e\""); });
  const TempDir dir;
  dir.file("x.part", "not the beginning of that file");
  download_file(server.url("/x"), dir / "x", sha256_of(body), kQuick);
  EXPECT_EQ(content_of(dir / "x"), body);
  EXPECT_EQ(server.requests().size(), 2u);
}

TEST(Download, StartsAnewIfTheServerHasNoSuchPart) {
  const std::string body = bytes(1000);
  const HttpServer server(
      [&](const HttpRequest& request) { return ranged(request, body, "\"e\""); });
  const TempDir dir;
  dir.file("x.part", bytes(5000, 9));
  dir.file("x.part.stamp", "\"e\"");
  download_file(server.url("/x"), dir / "x", "", kQuick);
  EXPECT_EQ(content_of(dir / "x"), body);
}

TEST(Download, RefusesAnotherPartThanAskedFor) {
  const HttpServer server([&](const HttpRequest&) {
    return HttpResponse{
        .status = 206, .headers = {"Content-Range: bytes 0-9/10"}, .body = "0123456789"};
  });
  const TempDir dir;
  dir.file("x.part", "01234");
  dir.file("x.part.stamp", "\"e\"");
  const std::string error =
      error_of([&] { download_file(server.url("/x"), dir / "x", "", kQuick); });
  EXPECT_NE(error.find("another part of the file than it was asked for"), std::string::npos)
      << error;
}

TEST(Download, RefusesABrokenSum) {
  const HttpServer server([&](const HttpRequest&) { return HttpResponse{.body = "tampered"}; });
  const TempDir dir;
  const std::string expected(64, '0');
  EXPECT_EQ(error_of([&] { download_file(server.url("/x"), dir / "x", expected, kQuick); }),
            server.url("/x") + ": the file has SHA-256 " + sha256_of("tampered") + ", but " +
                expected + " is expected; it was not kept");
  EXPECT_TRUE(std::filesystem::is_empty(dir.path()));
}

TEST(Download, DoesNotRepeatA404) {
  const HttpServer server(
      [&](const HttpRequest&) { return HttpResponse{.status = 404, .body = "no"}; });
  const TempDir dir;
  EXPECT_EQ(error_of([&] { download_file(server.url("/x"), dir / "x", "", kQuick); }),
            server.url("/x") + ": cannot be downloaded: the server says 404");
  EXPECT_EQ(server.requests().size(), 1u);
  EXPECT_FALSE(file_exists(dir / "x"));
}

TEST(Download, RepeatsA503) {
  int call = 0;
  const HttpServer server([&](const HttpRequest&) {
    return call++ < 2 ? HttpResponse{.status = 503, .body = "busy"} : HttpResponse{.body = "data"};
  });
  const TempDir dir;
  download_file(server.url("/x"), dir / "x", "", kQuick);
  EXPECT_EQ(content_of(dir / "x"), "data");
}

TEST(Download, GivesUpInTheEnd) {
  const HttpServer server([&](const HttpRequest&) { return HttpResponse{.status = 503}; });
  const TempDir dir;
  EXPECT_EQ(error_of([&] { download_file(server.url("/x"), dir / "x", "", kQuick); }),
            server.url("/x") + ": cannot be downloaded: the server says 503 (after 4 attempts)");
}

TEST(Download, FollowsRedirectsToHttpOnly) {
  const HttpServer server([&](const HttpRequest& request) {
    if (request.path == "/a") return HttpResponse{.status = 302, .headers = {"Location: /b"}};
    if (request.path == "/file")
      return HttpResponse{.status = 302, .headers = {"Location: file:///etc/passwd"}};
    if (request.path == "/loop") return HttpResponse{.status = 302, .headers = {"Location: /loop"}};
    return HttpResponse{.body = "there"};
  });
  const TempDir dir;
  download_file(server.url("/a"), dir / "x", "", kQuick);
  EXPECT_EQ(content_of(dir / "x"), "there");
  EXPECT_NE(error_of([&] { download_file(server.url("/file"), dir / "y", "", kQuick); }), "");
  EXPECT_FALSE(file_exists(dir / "y"));
  EXPECT_NE(error_of([&] {
              download_file(server.url("/loop"), dir / "y", "", kQuick);
            }).find("redirects"),
            std::string::npos);
}

TEST(Download, RefusesWhatIsTooLarge) {
  for (const bool announced : {true, false}) {
    const HttpServer server([&](const HttpRequest&) {
      HttpResponse response{.body = bytes(5000)};
      if (!announced) response.headers = {"Transfer-Encoding: chunked"};
      if (!announced) response.body = "1388\r\n" + response.body + "\r\n0\r\n\r\n";
      return response;
    });
    const TempDir dir;
    DownloadOptions small = kQuick;
    small.max_bytes = 4096;
    const std::string error =
        error_of([&] { download_file(server.url("/x"), dir / "x", "", small); });
    EXPECT_NE(error.find("larger than the 4.0 KiB that are allowed"), std::string::npos) << error;
    EXPECT_FALSE(file_exists(dir / "x"));
  }
}

TEST(Download, RefusesOtherAddresses) {
  EXPECT_EQ(error_of([] { download_file("file:///etc/passwd", "/tmp/never", ""); }),
            "\"file:///etc/passwd\": only http:// and https:// addresses can be downloaded");
}

TEST(Download, SaysThatNobodyAnswers) {
  std::string url;
  {
    const HttpServer gone([](const HttpRequest&) { return HttpResponse{}; });
    url = gone.url("/x");
  }
  const TempDir dir;
  DownloadOptions once = kQuick;
  once.attempts = 1;
  const std::string error = error_of([&] { download_file(url, dir / "x", "", once); });
  EXPECT_NE(error.find(url + ": cannot be downloaded: Failed to connect"), std::string::npos)
      << error;
}

TEST(Download, EndsAtTheDeadline) {
  const HttpServer server([&](const HttpRequest&) {
    std::this_thread::sleep_for(std::chrono::seconds(1));
    return HttpResponse{.body = "x"};
  });
  const TempDir dir;
  DownloadOptions options = kQuick;
  options.attempts = 1;
  options.deadline = 0.05;
  const std::string error =
      error_of([&] { download_file(server.url("/x"), dir / "x", "", options); });
  EXPECT_NE(error.find("timed out"), std::string::npos) << error;
  EXPECT_FALSE(file_exists(dir / "x"));
}

// The lock is held by an open file of this process, which is as good as another one's.
struct OtherDownload {
  std::string path;
  int file = open(path.c_str(), O_WRONLY | O_CREAT, 0644);
  explicit OtherDownload(std::string part) : path(std::move(part)) {
    EXPECT_EQ(flock(file, LOCK_EX), 0);
  }
  ~OtherDownload() { close(file); }
};

TEST(Download, TakesWhatAnotherProcessGot) {
  const HttpServer server([&](const HttpRequest&) { return HttpResponse{.body = "mine"}; });
  const TempDir dir;
  auto other = std::make_unique<OtherDownload>(dir / "x.part");
  std::thread ends([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(300));
    write_file(dir / "x.part.new", "theirs");
    std::filesystem::rename(dir / "x.part.new", dir / "x");
    std::filesystem::remove(dir / "x.part");  // the lock is now one of a file without a name
    other.reset();
  });
  download_file(server.url("/x"), dir / "x", sha256_of("theirs"), kQuick);
  ends.join();
  EXPECT_EQ(content_of(dir / "x"), "theirs");
  EXPECT_FALSE(file_exists(dir / "x.part"));
  EXPECT_TRUE(server.requests().empty());
}

TEST(Download, DoesNotWaitForever) {
  const HttpServer server([&](const HttpRequest&) { return HttpResponse{.body = "x"}; });
  const TempDir dir;
  const OtherDownload other(dir / "x.part");
  DownloadOptions options = kQuick;
  options.lock_timeout = 0.15;
  EXPECT_EQ(
      error_of([&] { download_file(server.url("/x"), dir / "x", "", options); }),
      dir / "x.part: another process is downloading this file; wait for it, or remove the file");
}

TEST(Download, StopsWhenInterrupted) {
  const HttpServer server([&](const HttpRequest&) { return HttpResponse{.body = "x"}; });
  const TempDir dir;
  set_interrupted(true);
  try {
    download_file(server.url("/x"), dir / "x", "", kQuick);
    ADD_FAILURE() << "went on";
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::interrupted);
  }
  set_interrupted(false);
}

}  // namespace
}  // namespace mgnn
