// A small HTTP server on loopback whose misbehaviour is chosen by the test.
#pragma once

#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <atomic>
#include <functional>
#include <map>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

namespace mgnn::testing {

struct HttpRequest {
  std::string path;
  std::map<std::string, std::string> headers;  // names in lower case
};

struct HttpResponse {
  int status = 200;
  std::vector<std::string> headers = {};  // "ETag: \"1\""
  std::string body = {};
  int64_t announced = -1;  // Content-Length, if not that of the body: then the connection is cut
};

// One connection at a time, one request each.
class HttpServer {
 public:
  using Handler = std::function<HttpResponse(const HttpRequest&)>;

  explicit HttpServer(Handler handler)
      : handler_(std::move(handler)), socket_(socket(AF_INET, SOCK_STREAM, 0)) {
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t size = sizeof address;
    bind(socket_, reinterpret_cast<sockaddr*>(&address), size);
    listen(socket_, 8);
    getsockname(socket_, reinterpret_cast<sockaddr*>(&address), &size);
    port_ = ntohs(address.sin_port);
    setenv("no_proxy", "127.0.0.1", 1);
    thread_ = std::thread([this] { serve(); });
  }
  ~HttpServer() {
    stopped_ = true;
    shutdown(socket_, SHUT_RDWR);
    thread_.join();
    close(socket_);
  }

  std::string url(const std::string& path) const {
    return "http://127.0.0.1:" + std::to_string(port_) + path;
  }
  std::vector<HttpRequest> requests() const {
    const std::lock_guard lock(mutex_);
    return requests_;
  }

 private:
  void serve() {
    while (!stopped_) {
      const int connection = accept(socket_, nullptr, nullptr);
      if (connection < 0) continue;
      answer(connection);
      shutdown(connection, SHUT_WR);
      char rest[256];
      while (read(connection, rest, sizeof rest) > 0) {
      }
      close(connection);
    }
  }

  void answer(int connection) {
    std::string text;
    char block[4096];
    while (text.find("\r\n\r\n") == std::string::npos) {
      const ssize_t got = read(connection, block, sizeof block);
      if (got <= 0) return;
      text.append(block, size_t(got));
    }
    const HttpRequest request = parse(text);
    {
      const std::lock_guard lock(mutex_);
      requests_.push_back(request);
    }
    const HttpResponse response = handler_(request);
    const int64_t length =
        response.announced >= 0 ? response.announced : int64_t(response.body.size());
    std::string out = "HTTP/1.1 " + std::to_string(response.status) + " x\r\n";
    for (const std::string& header : response.headers) out += header + "\r\n";
    out += "Content-Length: " + std::to_string(length) + "\r\nConnection: close\r\n\r\n";
    out += response.body;
    for (size_t sent = 0; sent < out.size();) {
      const ssize_t n = send(connection, out.data() + sent, out.size() - sent, MSG_NOSIGNAL);
      if (n <= 0) return;
      sent += size_t(n);
    }
  }

  static HttpRequest parse(const std::string& text) {
    HttpRequest request;
    const size_t start = text.find(' ') + 1;
    request.path = text.substr(start, text.find(' ', start) - start);
    for (size_t at = text.find("\r\n") + 2; at < text.size();) {
      const size_t end = text.find("\r\n", at), colon = text.find(':', at);
      if (end == at || colon > end) break;
      std::string name = text.substr(at, colon - at);
      for (char& c : name) c = char(tolower(c));
      request.headers[name] = text.substr(colon + 2, end - colon - 2);
      at = end + 2;
    }
    return request;
  }

  Handler handler_;
  int socket_;
  int port_ = 0;
  std::atomic<bool> stopped_ = false;
  mutable std::mutex mutex_;
  std::vector<HttpRequest> requests_;
  std::thread thread_;
};

}  // namespace mgnn::testing
