// A server in this process, on a port of its own, and a client that sends bytes as they are.
#pragma once

#include <arpa/inet.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <nlohmann/json.hpp>
#include <thread>

#include "mgnn/serve/server.h"
#include "mgnn/task/run_folder.h"
#include "tests/util.h"

namespace mgnn::testing {

using TestJson = nlohmann::ordered_json;

// Small runs, trained once for all tests.
struct TrainedRuns {
  TempDir dir;
  std::string node = dir / "node", link = dir / "link", graph = dir / "graph";

  TrainedRuns() {
    train(node, {"data.source=roles", "task=node", "train.epochs=3"});
    train(link, {"data.source=toykg", "task=link", "train.epochs=3"});
    train(graph, {"data.source=triads", "task=graph", "train.epochs=1", "folds=3"});
  }
  static void train(const std::string& path, Settings settings) {
    const auto config = resolve_config({.file = {}, .flags = {}, .sets = std::move(settings)});
    const Dataset data = load_for_training(*config);
    Result result = run_task(*config, data);
    std::filesystem::create_directories(path);
    write_model(path + "/model.safetensors", *config, data, result, true);
  }
};
inline const TrainedRuns& trained_runs() {
  static const TrainedRuns runs;
  return runs;
}

struct Answer {
  int code = 0;
  std::string head, body;
  double seconds = 0;
  TestJson json() const { return TestJson::parse(body); }
};

class Client {
 public:
  explicit Client(int port) : socket_(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_port = htons(uint16_t(port));
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    connected_ = connect(socket_, reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0;
  }
  Client(Client&& other) noexcept : socket_(std::exchange(other.socket_, -1)) {
    connected_ = other.connected_;
  }
  ~Client() {
    if (socket_ >= 0) ::close(socket_);
  }
  bool connected() const { return connected_; }
  bool send(std::string_view bytes) const {
    while (!bytes.empty()) {
      const auto sent = ::send(socket_, bytes.data(), bytes.size(), MSG_NOSIGNAL);
      if (sent <= 0) return false;
      bytes.remove_prefix(size_t(sent));
    }
    return true;
  }
  // One answer by its Content-Length, or what came until the end; code 0 if nothing came in time.
  Answer receive(double seconds = 20, bool head_only = false) {
    const auto start = std::chrono::steady_clock::now();
    const auto passed = [&] {
      return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    };
    Answer answer;
    while (passed() < seconds) {
      const size_t end = buffer_.find("\r\n\r\n");
      if (end != buffer_.npos) {
        answer.head = buffer_.substr(0, end + 2);
        answer.code = std::atoi(answer.head.c_str() + 9);
        const size_t at = answer.head.find("Content-Length: ");
        const size_t length = head_only || at == answer.head.npos
                                  ? 0
                                  : size_t(std::atoll(answer.head.c_str() + at + 16));
        if (buffer_.size() >= end + 4 + length) {
          answer.body = buffer_.substr(end + 4, length);
          buffer_.erase(0, end + 4 + length);
          break;
        }
      }
      pollfd waiting{socket_, POLLIN, 0};
      if (poll(&waiting, 1, 50) <= 0) continue;
      char bytes[65536];
      const auto got = recv(socket_, bytes, sizeof bytes, 0);
      if (got <= 0) break;
      buffer_.append(bytes, size_t(got));
    }
    answer.seconds = passed();
    return answer;
  }
  bool ended(double seconds = 20) {  // the other side has closed
    pollfd waiting{socket_, POLLIN, 0};
    char byte = 0;
    while (poll(&waiting, 1, int(1000 * seconds)) > 0)
      if (recv(socket_, &byte, 1, 0) <= 0) return true;
    return false;
  }

 private:
  int socket_;
  bool connected_ = false;
  std::string buffer_;
};

inline std::string get(const std::string& path, const std::string& more = "") {
  return "GET " + path + " HTTP/1.1\r\nHost: localhost\r\n" + more + "\r\n";
}
inline std::string post(const std::string& path, const std::string& body,
                        const std::string& more = "") {
  return "POST " + path + " HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n" +
         more + "Content-Length: " + std::to_string(body.size()) + "\r\n\r\n" + body;
}

class RunningServer {
 public:
  explicit RunningServer(ServeOptions options = {}, std::vector<std::string> runs = {},
                         ModelLoader load = {}) {
    options.port = 0;
    options.workers = options.workers > 0 ? options.workers : 2;
    if (runs.empty()) runs = {trained_runs().node, trained_runs().link, trained_runs().graph};
    if (!load) load = [runs] { return load_models(runs, ""); };
    server_ =
        std::make_unique<Server>(std::move(options), std::move(load),
                                 ServerEvents{.ready = [this](const ModelSet&) { ready_ = true; }});
    thread_ = std::thread([this] { server_->run(false); });
    while (!ready_) std::this_thread::sleep_for(std::chrono::milliseconds(2));
  }
  ~RunningServer() { stop(); }
  void stop() {
    if (!thread_.joinable()) return;
    server_->stop();
    thread_.join();
  }
  void begin_to_stop() { server_->stop(); }
  void wait() { thread_.join(); }
  int port() const { return server_->port(); }
  Client client() const { return Client(port()); }
  Answer ask(const std::string& bytes) const {
    Client client(port());
    client.send(bytes);
    return client.receive();
  }

 private:
  std::unique_ptr<Server> server_;
  std::atomic<bool> ready_ = false;
  std::thread thread_;
};

}  // namespace mgnn::testing
