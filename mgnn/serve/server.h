// The server: one thread that speaks HTTP, and workers that answer.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "mgnn/serve/access.h"
#include "mgnn/serve/served_model.h"

namespace mgnn {

struct ServeOptions {
  std::string host = "127.0.0.1";
  int64_t port = 8080;  // 0: one that is free
  AccessRules access = {};
  int64_t workers = 0;  // 0: one for each core
  int64_t max_body = 1 << 20;
  int64_t max_headers = 16 << 10;
  int64_t max_connections = 256;
  int64_t queue = 64;   // requests that wait for a worker
  double deadline = 5;  // seconds for one answer
  double idle = 5;      // seconds without a byte
  double receive = 10;  // seconds for a whole request to arrive
  double drain = 10;    // seconds for the last answers
  bool allow_new_nodes = false;
  bool page = true;
  std::vector<std::string> watched = {};  // files; when one has changed, all models are read again
  std::string log = {};                   // JSON lines, one for each request; empty: none
};

// Reads all models; called when the server starts and whenever it reloads, by a thread of its own.
using ModelLoader = std::function<ModelSetPointer()>;

struct ServerEvents {
  std::function<void(const ModelSet&)> ready = {};  // the first models are loaded
  std::function<void(const ModelSet&)> reloaded = {};
  std::function<void(const std::string&)> failed_to_reload = {};  // and why; the old models stay
  std::function<void(const std::string&)> log_failed = {};  // told once; it goes on without lines
};

class Server {
 public:
  // Listens, but answers nothing yet. Throws Error (usage) if the address is not one to listen at or
  // taken, or not of this machine alone while there is no token.
  Server(ServeOptions options, ModelLoader load, ServerEvents events = {});
  ~Server();
  Server(const Server&) = delete;
  Server& operator=(const Server&) = delete;

  int port() const;
  // Until `stop` or a signal, and then until the last request is answered. Takes SIGINT, SIGTERM (drain;
  // a second one ends it at once) and SIGHUP (reload) while it runs, unless not `with_signals`. Throws
  // what the first loading throws.
  void run(bool with_signals = true);
  void stop();  // as SIGTERM does; from any thread

 private:
  class Loop;
  std::unique_ptr<Loop> loop_;
};

}  // namespace mgnn
