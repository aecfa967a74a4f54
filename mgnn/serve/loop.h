// The event thread of the server; see server.h.
#pragma once

#include <event2/event.h>
#include <event2/http.h>

#include <cstdio>
#include <exception>
#include <mutex>
#include <optional>
#include <thread>
#include <vector>

#include "mgnn/base/interrupt.h"
#include "mgnn/serve/connections.h"
#include "mgnn/serve/dispatch.h"
#include "mgnn/serve/metrics.h"
#include "mgnn/serve/request.h"
#include "mgnn/serve/server.h"
#include "mgnn/serve/workers.h"

namespace mgnn {

struct Freed {
  void operator()(event_base* base) const { event_base_free(base); }
  void operator()(event* one) const { event_free(one); }
  void operator()(evhttp* http) const { evhttp_free(http); }
  void operator()(std::FILE* file) const { std::fclose(file); }
};

class Server::Loop {
 public:
  Loop(ServeOptions options, ModelLoader load, ServerEvents events);
  ~Loop();

  int port() const { return port_; }
  void run(bool with_signals);
  // Runs in the loop's thread, soon. From any thread.
  void post(std::function<void()> work);
  void drain();  // a second time: end at once

 private:
  // One request from its arrival to its answer.
  struct Exchange {
    evhttp_request* handle;
    CheckedRequest asked = {};
    Clock::time_point began = Clock::now();
    Response response = {};
  };
  using ExchangePointer = std::shared_ptr<Exchange>;

  void listen();
  void on_request(evhttp_request* handle);
  void take(const ExchangePointer& exchange);
  void hand_to_worker(const ExchangePointer& exchange);
  void reply(const ExchangePointer& exchange);
  void log(const Exchange& exchange, double seconds);
  void log_failed(int reason);  // tells it once
  ServerFacts facts() const;
  void load(const ExchangePointer& asked_by);
  void loaded(ModelSetPointer models, std::exception_ptr failure, const ExchangePointer& asked_by);
  void prepare_later(const ModelSetPointer& models);
  void tick();
  void look_at_watched();
  bool ends() const;

  const ServeOptions options_;
  const RequestRules rules_;
  const ModelLoader load_;
  const ServerEvents events_;
  int port_ = 0;
  int wake_ = -1;  // eventfd: something is posted
  std::unique_ptr<event_base, Freed> base_;
  std::unique_ptr<Connections> connections_;
  std::unique_ptr<evhttp, Freed> http_;
  evhttp_bound_socket* listening_ = nullptr;
  std::vector<std::unique_ptr<event, Freed>> watched_;
  std::unique_ptr<std::FILE, Freed> log_;
  bool log_line_broken_ = false, log_failure_told_ = false;
  std::unique_ptr<Workers> workers_;

  Metrics metrics_;
  ModelSetPointer models_;
  std::thread loader_;
  bool loading_ = false, load_again_ = false;
  std::string loaded_state_, seen_state_;  // of the watched files
  Clock::time_point looked_at_ = Clock::now();
  CancelToken cancel_;
  std::exception_ptr failure_;
  std::optional<Clock::time_point> draining_since_;
  bool forced_ = false;

  std::mutex posted_mutex_;
  std::vector<std::function<void()>> posted_;
};

}  // namespace mgnn
