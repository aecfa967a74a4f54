// Which connections there are, how far each is, and which are cut off. evhttp limits sizes but neither
// the number of connections nor how long a request may take to arrive, and it answers what it cannot
// read with pages of its own.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <unordered_map>

#include "mgnn/serve/message.h"

struct bufferevent;
struct event;
struct event_base;
struct evbuffer;
struct evbuffer_cb_info;

namespace mgnn {

using Clock = std::chrono::steady_clock;
inline double seconds_since(Clock::time_point then) {
  return std::chrono::duration<double>(Clock::now() - then).count();
}

struct ConnectionLimits {
  size_t max_connections = 256;
  size_t max_headers = 16 << 10;
  size_t max_held = 4 << 20;      // bytes of all requests that are being read
  double idle = 5, receive = 10;  // seconds
};

// Used by the thread of the event loop alone.
class Connections {
 public:
  // `rejected` is told of the reason whenever a connection is cut off or a request was unreadable.
  Connections(event_base* base, const ConnectionLimits& limits,
              std::function<void(const char* reason)> rejected);
  ~Connections();  // REQUIRES: evhttp has let go of all of them
  Connections(const Connections&) = delete;
  Connections& operator=(const Connections&) = delete;

  bufferevent* add();  // for a connection that evhttp is about to accept

  void answering(bufferevent* of);  // a whole request is there
  void replying(bufferevent* of);   // its answer is being sent
  void replied(bufferevent* of);    // all of it was

  // Cuts off those that are too slow, and forgets those that have ended. To be called ten times a second.
  void sweep();
  // Cuts off those without a request, if nothing was heard of them for `seconds`.
  void close_idle(double seconds);

  size_t count() const { return all_.size(); }
  size_t num_active() const;  // in the middle of a request or an answer

 private:
  enum class State { idle, reading, answering, replying, closing };
  struct Connection;

  static void on_input(evbuffer*, const evbuffer_cb_info*, void*);
  static void on_output(evbuffer*, const evbuffer_cb_info*, void*);
  static void on_attention(int, short, void*);
  void cut_off(Connection& connection, const HttpError& problem, const char* reason);
  void replace_page(Connection& connection);
  bool make_room();
  void hold(Connection& connection, size_t bytes);
  void release(Connection& connection);
  void cut_off_largest();
  void forget_ended();

  event_base* const base_;
  const ConnectionLimits limits_;
  const std::function<void(const char*)> rejected_;
  std::unordered_map<bufferevent*, std::unique_ptr<Connection>> all_;
  size_t held_ = 0;  // sum of their bytes
};

}  // namespace mgnn
