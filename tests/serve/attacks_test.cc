// What attackers do, against a server in this process: it goes on answering, and its memory does not grow.
#include <malloc.h>

#include <fstream>

#include "mgnn/base/clock.h"
#include "tests/serve/running_server.h"

namespace mgnn {
namespace {

using namespace mgnn::testing;

const std::string kPredict = "/v1/models/node/predict";
constexpr double kMostGrowth = 10 << 20;

double resident_bytes() {
  std::ifstream file("/proc/self/statm");
  double pages = 0;
  file >> pages >> pages;
  return pages * double(sysconf(_SC_PAGESIZE));
}

// What is held: what was given back, by the clients of these tests too, does not count.
double settled_bytes() {
  std::this_thread::sleep_for(std::chrono::milliseconds(300));
  malloc_trim(0);
  return resident_bytes();
}

// Asks for /v1/health/live ten times a second as long as it lives, and says how long that took at most.
class HealthWatch {
 public:
  HealthWatch(const RunningServer& server, const char* attack) : attack_(attack) {
    thread_ = std::thread([this, &server] {
      while (!done_) {
        const Stopwatch watch;
        const Answer answer = server.ask(get("/v1/health/live"));
        asked_++;
        wrong_ += answer.code != 200;
        slowest_ = std::max(slowest_, watch.seconds());
        std::this_thread::sleep_for(std::chrono::milliseconds(100));
      }
    });
  }
  ~HealthWatch() {
    done_ = true;
    thread_.join();
    fmt::print("{}: /v1/health/live asked {} times, slowest {:.1f} ms; memory {:+.1f} MiB\n",
               attack_, asked_, 1e3 * slowest_, (settled_bytes() - before_) / (1 << 20));
    EXPECT_EQ(wrong_, 0) << attack_;
#if !defined(__SANITIZE_THREAD__) && !defined(__SANITIZE_ADDRESS__)  // they keep what is freed
    EXPECT_LT(settled_bytes() - before_, kMostGrowth) << attack_;
#endif
  }

 private:
  const char* const attack_;
  const double before_ = settled_bytes();
  std::atomic<bool> done_ = false;
  int asked_ = 0, wrong_ = 0;
  double slowest_ = 0;
  std::thread thread_;
};

// One of each kind, so that what is made once is there.
void warm_up(const RunningServer& server) {
  std::vector<std::thread> askers;
  for (int i = 0; i < 8; i++)
    askers.emplace_back([&] {
      for (int j = 0; j < 20; j++) {
        server.ask(post(kPredict, R"({"nodes":["1"]})"));
        server.ask(get("/metrics"));
        server.ask(post(kPredict, std::string(100'000, ' ')));
      }
    });
  for (std::thread& asker : askers) asker.join();
}

TEST(Attacks, AThousandSlowClients) {
  const RunningServer server({.max_connections = 1200, .idle = 1, .receive = 2});
  warm_up(server);
  std::vector<Client> slow;
  {
    const HealthWatch health(server, "1,000 clients that send a byte now and then");
    for (int i = 0; i < 1000; i++) slow.push_back(server.client());
    const std::string bytes = "GET /v1/models HTTP/1.1\r\nHost: localhost\r\nX-Slow: aaaaaaaa";
    const Stopwatch watch;
    for (size_t i = 0; i < bytes.size() && watch.seconds() < 2.5; i++) {
      for (const Client& client : slow) client.send(bytes.substr(i, 1));
      std::this_thread::sleep_for(std::chrono::milliseconds(100));
    }
    for (size_t i = 0; i < slow.size(); i += 50) EXPECT_EQ(slow[i].receive().code, 408) << i;
    slow.clear();
  }
  const std::string metrics = server.ask(get("/metrics")).body;
  EXPECT_NE(metrics.find("mgnn_rejected_total{reason=\"slow\"} 1000\n"), metrics.npos) << metrics;
}

// Bodies arrive before tokens are looked at.
TEST(Attacks, LargeBodiesFromStrangers) {
  const RunningServer server({.access = {.token = "0123456789abcdef"}, .receive = 3});
  warm_up(server);
  const HealthWatch health(server, "100 clients with bodies of nearly 1 MiB each");
  std::vector<Client> clients;
  const std::string head = "POST " + kPredict +
                           " HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
                           "Content-Length: 1048576\r\n\r\n";
  const std::string body(1'000'000, ' ');
  double most = 0;
  const double before = resident_bytes();
  for (int i = 0; i < 100; i++) {
    clients.push_back(server.client());
    clients.back().send(head);
    clients.back().send(body);
    most = std::max(most, resident_bytes() - before);
  }
  fmt::print("memory while they arrive: {:+.1f} MiB\n", most / (1 << 20));
  EXPECT_LT(most, 2 * kMostGrowth);  // this process holds what is on its way, too
  // Small ones pass beside them.
  EXPECT_EQ(
      server.ask(post(kPredict, R"({"nodes":["1"]})", "Authorization: Bearer 0123456789abcdef\r\n"))
          .code,
      200);
}

TEST(Attacks, LargeHeadersFromManyAtOnce) {
  const RunningServer server({.receive = 3});
  warm_up(server);
  const HealthWatch health(server, "200 clients with headers without end");
  std::vector<Client> clients;
  const std::string line = "X-A: " + std::string(4000, 'a') + "\r\n";
  for (int i = 0; i < 200; i++) {
    clients.push_back(server.client());
    clients.back().send("GET / HTTP/1.1\r\nHost: localhost\r\n");
  }
  for (int round = 0; round < 20; round++)
    for (const Client& client : clients) client.send(line);
  // A thousand short names are as many bytes.
  Client names = server.client();
  std::string many = "GET / HTTP/1.1\r\nHost: localhost\r\n";
  for (int i = 0; i < 2000; i++) many += fmt::format("a{}:\r\n", i);
  names.send(many + "\r\n");
  const int code = names.receive().code;
  EXPECT_TRUE(code == 431 || code == 200 || code == 0) << code;
}

TEST(Attacks, HostileJson) {
  const RunningServer server;
  warm_up(server);
  const auto filled = [](const std::string& start, const std::string& piece,
                         const std::string& end) {
    std::string text = start;
    while (text.size() + piece.size() + end.size() < 1'000'000) text += piece;
    return text + end;
  };
  std::string names = "{\"nodes\":[\"1\"]";
  for (int i = 0; names.size() < 1'000'000; i++) names += fmt::format(",\"{}\":0", i);
  const std::vector<std::pair<const char*, std::string>> bodies = {
      {"deep arrays", filled("{\"nodes\":", "[", "")},
      {"deep objects", filled("", "{\"nodes\":", "")},
      {"many names", names + "}"},
      {"one name again and again", filled("{\"a\":1", ",\"a\":1", "}")},
      {"escaped twins", R"({"nodes":["1"],"n\u006fdes":["2"]})"},
      {"empty arrays", filled("{\"nodes\":[[]", ",[]", "]}")},
      {"empty objects", filled("{\"nodes\":[{}", ",{}", "]}")},
      {"many ids", filled("{\"nodes\":[1", ",1", "]}")},
      {"a long number", filled("{\"nodes\":[1", "1", "]}")},
      {"a long fraction", filled("{\"nodes\":[1.", "1", "]}")},
      {"a large exponent", R"({"nodes":[1e999999999]})"},
      {"a number of 65 bits", R"({"nodes":[18446744073709551616]})"},
      {"a long name", filled("{\"", "a", "\":1}")},
      {"a long id", filled("{\"nodes\":[\"", "a", "\"]}")},
      {"10,000 ids that are none",
       [] {
         std::string text = "{\"nodes\":[\"x\"";
         for (int i = 1; i < 10'000; i++) text += fmt::format(",\"nothing like this {}\"", i);
         return text + "]}";
       }()},
      {"escapes", filled("{\"nodes\":[\"", "\\u0000", "\"]}")},
      {"half a surrogate", R"({"nodes":["\ud800"]})"},
      {"no UTF-8", "{\"nodes\":[\"\xff\xfe\"]}"},
      {"a mark of byte order", "\xef\xbb\xbf{\"nodes\":1}"},
      {"a comment", "{\"nodes\":[\"1\"]/**/}"},
      {"two documents", R"({"nodes":["1"]}{"nodes":["1"]})"},
      {"zeros", std::string(100'000, '\0')},
  };
  const HealthWatch health(server, "hostile JSON");
  double slowest = 0;
  for (const auto& [what, body] : bodies) {
    const Answer answer = server.ask(post(kPredict, body));
    EXPECT_GE(answer.code, 400) << what;
    EXPECT_LT(answer.code, 500) << what;
    EXPECT_NE(answer.head.find("application/problem+json"), answer.head.npos) << what;
    EXPECT_FALSE(answer.json()["detail"].get<std::string>().empty()) << what;
    slowest = std::max(slowest, answer.seconds);
  }
  fmt::print("{} hostile bodies, slowest answer {:.0f} ms\n", bodies.size(), 1e3 * slowest);
}

TEST(Attacks, PathsLeadNowhereElse) {
  const RunningServer server;
  for (const char* path : {"/../../etc/passwd",
                           "/..%2f..%2fetc%2fpasswd",
                           "/%2e%2e/%2e%2e/etc/passwd",
                           "//etc/passwd",
                           "/v1/models/../../../etc/passwd",
                           "/v1/models/node/../../metrics",
                           "/v1/models/node%00/x",
                           "/v1/models/node/nodes/..%2f..%2f..%2fetc%2fpasswd",
                           "/v1/models/node/nodes/%2e%2e",
                           "/v1/models/%2e%2e%2f%2e%2e%2fetc%2fpasswd",
                           "/v1/models/node/nodes/%c0%ae%c0%ae",
                           "/v1/models/node/nodes/1%00",
                           "/v1/models/node/nodes/1%0d%0aSet-Cookie:%20a=b",
                           "/v1/models/node/nodes/1;x=1",
                           "/v1/models/NODE",
                           "/V1/models",
                           "/v1\\models",
                           "/v1/models/node/nodes/%",
                           "/v1/models/node/nodes/%4",
                           "/v1/models/./node",
                           "/index.html",
                           "/.git/config",
                           "/page.html",
                           "/v1/models/node/model.safetensors",
                           "/favicon.ico"}) {
    const Answer answer = server.ask(get(path));
    EXPECT_TRUE(answer.code == 400 || answer.code == 404) << path << ": " << answer.code;
    EXPECT_EQ(answer.body.find("root:"), answer.body.npos) << path;
    EXPECT_EQ(answer.head.find("Set-Cookie"), answer.head.npos) << path;
  }
  for (const char* path : {"/v1/models?a=1", "/v1/models?q", "/v1/health/live?x=%zz"})
    EXPECT_GE(server.ask(get(path)).code, 400) << path;
  EXPECT_EQ(server.ask("GET http://localhost/v1/models HTTP/1.1\r\nHost: localhost\r\n\r\n").code,
            404);
}

// A header of the request is given back only where it cannot end a header.
TEST(Attacks, HeadersAreNotSplit) {
  const RunningServer server;
  for (const char* id : {"a b", "a\tb", "a\rSet-Cookie: a=b", "\xff\xff", "a\x7f"}) {
    const Answer answer =
        server.ask(get("/v1/health/live", "X-Request-Id: " + std::string(id) + "\r\n"));
    EXPECT_EQ(answer.head.find("X-Request-Id"), answer.head.npos) << id;
    EXPECT_EQ(answer.head.find("Set-Cookie"), answer.head.npos) << id;
  }
}

TEST(Attacks, ClientsThatDoNotWaitForTheirAnswers) {
  const RunningServer server({.max_connections = 1000, .queue = 1000, .deadline = 60});
  warm_up(server);
  const HealthWatch health(server, "400 clients that hang up");
  for (int i = 0; i < 400; i++) {
    const Client client = server.client();
    client.send(post("/v1/models/node/explain", R"({"node":"1"})"));
  }
  EXPECT_EQ(server.ask(post(kPredict, R"({"nodes":["1"]})")).code, 200);
}

// Their answers do not fit into what the system holds for them.
TEST(Attacks, ClientsThatDoNotReadTheirAnswers) {
  const RunningServer server({.idle = 0.5});
  warm_up(server);
  std::string ids = "{\"nodes\":[1";
  for (int i = 1; i < 10'000; i++) ids += ",1";
  std::vector<Client> clients;
  for (int i = 0; i < 4; i++) {
    clients.push_back(server.client());
    clients.back().send(post("/v1/models/node/motifs", ids + "]}"));
  }
  const Stopwatch watch;
  std::string metrics;
  while (metrics.find("reason=\"slow\"} 4\n") == metrics.npos && watch.seconds() < 60) {
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
    metrics = server.ask(get("/metrics")).body;
  }
  EXPECT_NE(metrics.find("reason=\"slow\"} 4\n"), metrics.npos) << metrics;
}

// Comparing them letter by letter would take 1 : 1,000,000.
TEST(Attacks, WrongTokensTakeTheSameTime) {
  const std::string token(1'000'000, 'a');
  std::string first = token, last = token;
  first[0] = 'b', last.back() = 'b';
  const auto seconds = [&](const std::string& given) {
    std::vector<double> all;
    for (int i = 0; i < 15; i++) {
      const Stopwatch watch;
      EXPECT_FALSE(equal_in_constant_time(given, token));
      all.push_back(watch.seconds());
    }
    std::sort(all.begin(), all.end());
    return all[all.size() / 2];
  };
  const double early = seconds(first), late = seconds(last);
  fmt::print("a token of 1 MB, wrong at its first letter: {:.2f} ms; at its last: {:.2f} ms\n",
             1e3 * early, 1e3 * late);
  EXPECT_LT(late, 20 * early);
  EXPECT_LT(early, 20 * late);
}

}  // namespace
}  // namespace mgnn
