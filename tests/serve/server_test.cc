// What strangers send, byte by byte.
#include "tests/serve/running_server.h"

namespace mgnn {
namespace {

using namespace mgnn::testing;

const std::string kBody = R"({"nodes":["1"]})";
const std::string kPredict = "/v1/models/node/predict";

TEST(Server, AnswersAndKeepsTheConnection) {
  const RunningServer server;
  Client client = server.client();
  std::string first;
  for (int i = 0; i < 3; i++) {
    client.send(post(kPredict, kBody, "X-Request-Id: abc-1\r\n"));
    const Answer answer = client.receive();
    EXPECT_EQ(answer.code, 200);
    EXPECT_NE(answer.head.find("X-Request-Id: abc-1\r\n"), answer.head.npos);
    if (i == 0) first = answer.body;
    EXPECT_EQ(answer.body, first);
  }
}

TEST(Server, PipelinedRequestsAreAnsweredInOrder) {
  const RunningServer server;
  Client client = server.client();
  client.send(get("/v1/health/live") + post(kPredict, kBody) + get("/v1/health/ready"));
  EXPECT_TRUE(client.receive().json().contains("live"));
  EXPECT_TRUE(client.receive().json().contains("predictions"));
  EXPECT_TRUE(client.receive().json().contains("ready"));
}

TEST(Server, HeadHasNoBody) {
  const RunningServer server;
  Client client = server.client();
  client.send("HEAD /v1/models HTTP/1.1\r\nHost: localhost\r\n\r\n" + get("/v1/health/live"));
  EXPECT_EQ(client.receive(20, true).code, 200);
  EXPECT_TRUE(client.receive().json().contains("live"));
}

TEST(Server, NoTokenNoAnswer) {
  const std::string token = "0123456789abcdef0123";
  const RunningServer server({.access = {.token = token}});
  const auto code = [&](const std::string& header) {
    return server.ask(get("/v1/models", header)).code;
  };
  EXPECT_EQ(code(""), 401);
  EXPECT_EQ(code("Authorization: Bearer " + token + "\r\n"), 200);
  EXPECT_EQ(code("Authorization: bearer " + token + "\r\n"), 200);
  EXPECT_EQ(code("Authorization: Bearer " + token.substr(1) + "\r\n"), 401);
  EXPECT_EQ(code("Authorization: Bearer " + token + "x\r\n"), 401);
  EXPECT_EQ(code("Authorization: Basic " + token + "\r\n"), 401);
  EXPECT_EQ(code("Authorization: Bearer \r\n"), 401);
  EXPECT_EQ(code("Authorization: Bearer " + token + "\r\nAuthorization: x\r\n"), 400);
  EXPECT_EQ(server.ask(get("/v1/models?token=" + token)).code, 401);
  for (const char* path : {"/metrics", "/v2", "/v1/models/node", "/v1/models/node/nodes?q=1"})
    EXPECT_EQ(server.ask(get(path)).code, 401) << path;
  EXPECT_EQ(server.ask(post("/v1/reload", "{}", "Authorization: Bearer " + token + "\r\n")).code,
            403);
  for (const char* path : {"/", "/docs", "/openapi.json", "/v1/health/live", "/v2/health/ready"})
    EXPECT_EQ(server.ask(get(path)).code, 200) << path;
  EXPECT_NE(server.ask(get("/v1/models")).head.find("WWW-Authenticate: Bearer"), std::string::npos);
}

TEST(Server, ForeignHostsAndOriginsAreRefused) {
  const RunningServer server({.access = {.hosts = {"mgnn.example.org"}}});
  const auto code = [&](const std::string& headers) {
    return server.ask("GET /v1/models HTTP/1.1\r\n" + headers + "\r\n").code;
  };
  EXPECT_EQ(code("Host: localhost:9999\r\n"), 200);  // a tunnel
  EXPECT_EQ(code("Host: 127.0.0.1\r\n"), 200);
  EXPECT_EQ(code("Host: [::1]:80\r\n"), 200);
  EXPECT_EQ(code("Host: MGNN.example.org\r\n"), 200);
  for (const char* host : {"evil.example", "localhost.evil.example", "127.0.0.1.evil.example",
                           "evil.example:80", "[::1", "a b"})
    EXPECT_EQ(code("Host: " + std::string(host) + "\r\n"), 403) << host;
  EXPECT_EQ(code("Host: localhost\r\nHost: localhost\r\n"), 400);
  EXPECT_EQ(code(""), 400);
  EXPECT_EQ(code("Host: localhost:81\r\nOrigin: http://localhost:81\r\n"), 200);
  for (const char* origin : {"http://evil.example", "null", "http://localhost:82", "localhost:81"})
    EXPECT_EQ(code("Host: localhost:81\r\nOrigin: " + std::string(origin) + "\r\n"), 403) << origin;
}

TEST(Server, OnlyJsonIsTaken) {
  const RunningServer server;
  for (const char* type : {"text/plain", "application/x-www-form-urlencoded", "",
                           "multipart/form-data", "application/jsonx"})
    EXPECT_EQ(server
                  .ask("POST " + kPredict + " HTTP/1.1\r\nHost: localhost\r\nContent-Type: " +
                       type + "\r\nContent-Length: 2\r\n\r\n{}")
                  .code,
              415)
        << type;
  EXPECT_EQ(server
                .ask("POST " + kPredict +
                     " HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json; charset=utf-8"
                     "\r\nContent-Length: 15\r\n\r\n" +
                     kBody)
                .code,
            200);
}

TEST(Server, SizesAreLimited) {
  const RunningServer server({.max_body = 1000});
  const Answer body = server.ask(post(kPredict, std::string(2000, ' ')));
  EXPECT_EQ(body.code, 413);
  EXPECT_NE(body.head.find("application/problem+json"), body.head.npos);
  EXPECT_EQ(server
                .ask("POST " + kPredict +
                     " HTTP/1.1\r\nHost: localhost\r\nContent-Length: 99999999999\r\n\r\n")
                .code,
            413);
  Client client = server.client();
  client.send("GET / HTTP/1.1\r\nHost: localhost\r\n");
  for (int i = 0; i < 1000; i++)  // a hundred megabytes, if it were let
    if (!client.send("X-" + std::to_string(i) + ": " + std::string(100'000, 'a') + "\r\n")) break;
  const Answer header = client.receive();
  EXPECT_TRUE(header.code == 431 || header.code == 0) << header.code;  // the rest may reset it
  EXPECT_EQ(server.ask(get("/" + std::string(20'000, 'a'))).code, 431);
}

TEST(Server, WhereARequestEndsIsBeyondDoubt) {
  const RunningServer server;
  const std::string start = "POST " + kPredict +
                            " HTTP/1.1\r\nHost: localhost\r\nContent-Type: "
                            "application/json\r\n";
  const std::string smuggled = get("/v1/models");
  for (const std::string& headers :
       {std::string("Content-Length: 5\r\nTransfer-Encoding: chunked\r\n"),
        std::string("Transfer-Encoding: chunked\r\nContent-Length: 5\r\n"),
        std::string("Transfer-Encoding: chunked\r\n"),
        std::string("Transfer-Encoding: xchunked\r\n"),
        std::string("Transfer-Encoding: chunked, identity\r\n"),
        std::string("Content-Length: 5\r\nContent-Length: 6\r\n"),
        std::string("Content-Length: 5\r\nContent-Length: 5\r\n"),
        std::string("Content-Length: +5\r\n"), std::string("Content-Length: -5\r\n"),
        std::string("Content-Length: 0x5\r\n"), std::string("Content-Length: 5 5\r\n"),
        std::string("Content-Length : 5\r\n")}) {
    Client client = server.client();
    client.send(start + headers + "\r\n0\r\n\r\n" + smuggled);
    const Answer first = client.receive();
    EXPECT_GE(first.code, 400) << headers;
    EXPECT_LT(first.code, 500) << headers;
    EXPECT_EQ(client.receive(2).code, 0) << headers << " let a second request through";
  }
}

TEST(Server, UnreadableRequestsEndWithOneAnswer) {
  const RunningServer server;
  for (const std::string& bytes :
       {std::string("\r\n\r\n\r\n"), std::string("GET\r\n\r\n"),
        std::string("GET / HTTP/9.9\r\n\r\n"),
        std::string("\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03\r\n\r\n"),
        std::string("BREW / HTTP/1.1\r\nHost: localhost\r\n\r\n"),
        std::string("GET http://evil.example/ HTTP/1.1\r\nHost: localhost\r\n\r\n"),
        std::string("GET / HTTP/1.1\r\nno colon\r\n\r\n"), std::string(5000, '\0') + "\r\n\r\n"}) {
    Client client = server.client();
    client.send(bytes);
    const Answer answer = client.receive(8);
    EXPECT_TRUE(answer.code == 0 || answer.code >= 400) << bytes.substr(0, 20) << answer.code;
    EXPECT_EQ(server.ask(get("/v1/health/live")).code, 200);
  }
  for (const char* method : {"PUT", "DELETE", "OPTIONS", "PATCH", "TRACE"})
    EXPECT_EQ(
        server.ask(std::string(method) + " /v1/models HTTP/1.1\r\nHost: localhost\r\n\r\n").code,
        405)
        << method;
}

TEST(Server, SlowRequestsAreCutOff) {
  const RunningServer server({.idle = 0.4, .receive = 1.2});
  Client silent = server.client(), dripping = server.client(), half = server.client();
  half.send("POST " + kPredict + " HTTP/1.1\r\nHost: localhost\r\nContent-Length: 10\r\n\r\n{");
  bool open = true;
  const auto start = std::chrono::steady_clock::now();
  for (int i = 0; i < 100 && open; i++) {  // never silent, never done
    open = dripping.send("G");
    std::this_thread::sleep_for(std::chrono::milliseconds(100));
    if (i > 4 && dripping.receive(0.001).code == 408) break;
  }
  EXPECT_LT(std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count(), 9);
  EXPECT_EQ(half.receive().code, 408);
  EXPECT_TRUE(silent.ended());
}

TEST(Server, HealthIsAnsweredBesideAThousandSlowConnections) {
  const RunningServer server({.max_connections = 64});
  std::vector<Client> slow;
  for (int i = 0; i < 1000; i++) {
    slow.push_back(server.client());
    slow.back().send("GET / HTTP/1.1\r\nHost: local");
    if (i % 100 == 50) {
      EXPECT_EQ(server.ask(get("/v1/health/live")).code, 200) << i;
    }
  }
  EXPECT_EQ(server.ask(get("/v1/health/live")).code, 200);
  const std::string metrics = server.ask(get("/metrics")).body;
  const size_t at = metrics.find("\nmgnn_connections ");
  ASSERT_NE(at, metrics.npos);
  EXPECT_LE(std::atoi(metrics.c_str() + at + 18), 64 + 8);
  EXPECT_NE(metrics.find("mgnn_rejected_total{reason=\"connections\"}"), metrics.npos);
}

TEST(Server, AFullQueueSaysSo) {
  std::atomic<int> codes[2] = {0, 0};
  const RunningServer server({.workers = 1, .queue = 1});
  TestJson many = TestJson::array();
  for (int i = 0; i < 10'000; i++) many.push_back("1");
  const std::string body = TestJson({{"nodes", many}}).dump();
  std::vector<std::thread> askers;
  for (int i = 0; i < 12; i++)
    askers.emplace_back([&] {
      const int code = server.ask(post("/v1/models/node/motifs", body)).code;
      codes[code == 503]++;
      EXPECT_TRUE(code == 200 || code == 503) << code;
    });
  for (std::thread& asker : askers) asker.join();
  EXPECT_GT(codes[0], 0);
}

TEST(Server, LateAnswersAreGivenUp) {
  const RunningServer server({.deadline = 1e-9});
  const Answer answer = server.ask(post(kPredict, kBody));
  EXPECT_EQ(answer.code, 503);
  EXPECT_NE(answer.head.find("Retry-After"), answer.head.npos);
}

// Every answer is that of one model, whichever it is.
TEST(Server, ReloadsUnderLoadWithoutAMixedAnswer) {
  TempDir dir;
  TrainedRuns::train(dir / "a", {"data.source=karate", "train.epochs=2", "seed=1"});
  TrainedRuns::train(dir / "b", {"data.source=karate", "train.epochs=2", "seed=2"});
  std::atomic<int> turn = 0;
  const RunningServer server({.access = {.admin_token = "0123456789abcdef"}}, {}, [&] {
    return load_models({"m=" + (dir / (turn++ % 2 ? "b" : "a"))}, "");
  });
  const std::string ask = post("/v1/models/m/predict", R"({"nodes":["1","2","5","9"]})");
  const std::string a = server.ask(ask).body;
  const std::string reload = post("/v1/reload", "{}", "Authorization: Bearer 0123456789abcdef\r\n");
  EXPECT_EQ(server.ask(reload).code, 200);
  const std::string b = server.ask(ask).body;
  EXPECT_NE(a, b);
  std::atomic<bool> done = false;
  std::atomic<int> answers = 0;
  std::vector<std::thread> askers;
  for (int i = 0; i < 4; i++)
    askers.emplace_back([&] {
      Client client = server.client();
      while (!done) {
        client.send(ask);
        const Answer answer = client.receive();
        EXPECT_EQ(answer.code, 200);
        EXPECT_TRUE(answer.body == a || answer.body == b) << answer.body;
        answers++;
      }
    });
  for (int i = 0; i < 20; i++) EXPECT_EQ(server.ask(reload).code, 200);
  done = true;
  for (std::thread& asker : askers) asker.join();
  EXPECT_GT(answers, 20);
}

TEST(Server, AFailedReloadKeepsTheOldModels) {
  std::atomic<int> turn = 0;
  const RunningServer server({.access = {.admin_token = "0123456789abcdef"}}, {}, [&] {
    if (turn++ > 0) fail_data("model.safetensors: is broken");
    return load_models({trained_runs().node}, "");
  });
  const Answer answer =
      server.ask(post("/v1/reload", "{}", "Authorization: Bearer 0123456789abcdef\r\n"));
  EXPECT_EQ(answer.code, 422);
  EXPECT_EQ(answer.json()["detail"], "the old models stay: model.safetensors: is broken");
  EXPECT_EQ(server.ask(post(kPredict, kBody)).code, 200);
}

TEST(Server, StopsWhenTheLastRequestIsAnswered) {
  auto server = std::make_unique<RunningServer>(ServeOptions{.workers = 1});
  std::atomic<bool> stopping = false;
  std::atomic<int> lost = 0, answered = 0;
  std::vector<std::thread> askers;
  for (int i = 0; i < 4; i++)
    askers.emplace_back([&] {
      for (;;) {  // a new connection for each: one that is taken is answered
        Client client(server->port());
        if (!client.connected()) break;
        if (!client.send(post(kPredict, kBody))) break;
        const Answer answer = client.receive();
        if (answer.code == 200) {
          answered++;
        } else {
          if (!stopping) lost++;
          break;
        }
      }
    });
  while (answered < 50) std::this_thread::sleep_for(std::chrono::milliseconds(1));
  Client kept = server->client();
  kept.send(post(kPredict, kBody));
  EXPECT_EQ(kept.receive().code, 200);
  kept.send("POST " + kPredict + " HTTP/1.1\r\nHost: localhost\r\n");  // half of a request
  std::this_thread::sleep_for(std::chrono::milliseconds(100));
  stopping = true;
  server->begin_to_stop();
  std::this_thread::sleep_for(std::chrono::milliseconds(20));
  kept.send("Content-Type: application/json\r\nContent-Length: 15\r\n\r\n" + kBody);
  const Answer last = kept.receive();
  EXPECT_EQ(last.code, 200);
  EXPECT_NE(last.head.find("Connection: close"), last.head.npos);
  server->wait();
  for (std::thread& asker : askers) asker.join();
  EXPECT_EQ(lost, 0);
  EXPECT_FALSE(Client(server->port()).connected());
}

TEST(Server, RefusesToListenForOthersWithoutAToken) {
  const auto start = [](ServeOptions options) { Server(options, {}); };
  EXPECT_EQ(error_of([&] { start({.host = "0.0.0.0", .port = 0}); }),
            "0.0.0.0 can be reached from other machines; give a token with --token-file");
  EXPECT_EQ(error_of([&] { start({.host = "127.0.0.1.evil", .port = 0}); }),
            "127.0.0.1.evil can be reached from other machines; give a token with --token-file");
  const RunningServer server;
  EXPECT_NE(error_of([&] { start({.port = server.port()}); }).find("Address already in use"),
            std::string::npos);
}

TEST(Server, FailsIfTheFirstLoadingDoes) {
  Server server({.port = 0}, []() -> ModelSetPointer { fail_data("no such run"); });
  EXPECT_EQ(error_of([&] { server.run(false); }), "no such run");
}

TEST(Server, ThePageRunsOnlyItsOwnScripts) {
  const RunningServer server;
  const Answer first = server.ask(get("/")), second = server.ask(get("/"));
  const size_t at = first.head.find("script-src 'nonce-");
  ASSERT_NE(at, first.head.npos);
  const std::string nonce = first.head.substr(at + 18, 32);
  EXPECT_NE(first.body.find("<script nonce=\"" + nonce + "\">"), first.body.npos);
  EXPECT_EQ(second.head.find(nonce), second.head.npos);
  EXPECT_EQ(first.body.find("NONCE"), first.body.npos);
  EXPECT_EQ(first.body.find("http://"), first.body.find("http://www.w3.org/2000/svg"));
  EXPECT_LT(first.body.size(), 200'000u);
  EXPECT_EQ(RunningServer({.page = false}).ask(get("/")).code, 404);
}

TEST(Server, SaysOnceThatItsLogIsLostAndGoesOn) {
  std::atomic<int> told = 0;
  std::atomic<bool> ready = false;
  ServeOptions options{.port = 0, .workers = 1};
  options.log = "/dev/full";
  Server server(
      options, [] { return load_models(std::vector{trained_runs().node}, ""); },
      {.ready = [&](const ModelSet&) { ready = true; },
       .log_failed =
           [&](const std::string& why) { told += why.starts_with("/dev/full: cannot"); }});
  std::thread thread([&] { server.run(false); });
  while (!ready) std::this_thread::sleep_for(std::chrono::milliseconds(2));
  for (int i = 0; i < 50; i++) {
    Client client(server.port());
    client.send(get("/v1/models"));
    EXPECT_EQ(client.receive().code, 200);
  }
  for (int i = 0; i < 200 && told == 0; i++)
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  server.stop();
  thread.join();
  EXPECT_EQ(told, 1);
  options.log = "/nothing/here.jsonl";
  EXPECT_THROW(Server(options, [] { return ModelSetPointer(); }), Error);
}

}  // namespace
}  // namespace mgnn
