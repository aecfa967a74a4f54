#include "mgnn/serve/loop.h"

#include <event2/buffer.h>
#include <event2/keyvalq_struct.h>
#include <event2/listener.h>
#include <malloc.h>
#include <netdb.h>
#include <poll.h>
#include <sys/eventfd.h>
#include <sys/queue.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <cstring>

#include "mgnn/base/error.h"
#include "mgnn/base/threads.h"
#include "mgnn/serve/notify.h"

namespace mgnn {
namespace {

constexpr double kGraceOfDrain =
    0.2;  // seconds in which those that were connecting still are served

constexpr double kWatchSeconds = 1;

// Of all requests that are arriving.
size_t max_held(const ServeOptions& options) {
  return 4 * std::max(size_t(options.max_body), size_t(1) << 20);
}

// Thousands of connections may come at once before those too many are closed.
void raise_limit_of_files() {
  rlimit limit{};
  if (getrlimit(RLIMIT_NOFILE, &limit) != 0) return;
  limit.rlim_cur = std::min<rlim_t>(limit.rlim_max, 65536);
  setrlimit(RLIMIT_NOFILE, &limit);
}

// Connected, but not taken yet: who is there when a socket closes is turned away without a word.
bool is_somebody_waiting(evhttp_bound_socket* listening) {
  pollfd socket{evhttp_bound_socket_get_fd(listening), POLLIN, 0};
  return poll(&socket, 1, 0) > 0;
}

// Which files they are, how large and how old. Files that are replaced have another number.
std::string state_of(const std::vector<std::string>& files) {
  std::string state;
  for (const std::string& file : files) {
    struct stat s {};
    if (stat(file.c_str(), &s) != 0) s = {};
    state += fmt::format("{} {} {} {};", s.st_ino, s.st_size, s.st_mtim.tv_sec, s.st_mtim.tv_nsec);
  }
  return state;
}

// A body as JSON takes twenty times its size. What is free between other things stays with the process
// unless it is asked for.
void give_memory_back(size_t bytes_of_body) {
  constexpr size_t kLarge = 128 << 10;
  if (bytes_of_body >= kLarge) malloc_trim(0);
}

int port_of(evutil_socket_t socket) {
  sockaddr_storage address{};
  socklen_t length = sizeof address;
  if (getsockname(socket, reinterpret_cast<sockaddr*>(&address), &length) != 0) return 0;
  return address.ss_family == AF_INET6
             ? ntohs(reinterpret_cast<const sockaddr_in6&>(address).sin6_port)
             : ntohs(reinterpret_cast<const sockaddr_in&>(address).sin_port);
}

struct AddressList {
  addrinfo* first = nullptr;
  AddressList(const std::string& host, int64_t port) {
    addrinfo hints{};
    hints.ai_family = AF_UNSPEC;
    hints.ai_socktype = SOCK_STREAM;
    hints.ai_flags = AI_PASSIVE | AI_NUMERICSERV;
    const int error = getaddrinfo(host.c_str(), std::to_string(port).c_str(), &hints, &first);
    if (error != 0) fail_usage("{} is not an address: {}", in_quotes(host), gai_strerror(error));
  }
  ~AddressList() { freeaddrinfo(first); }
};

evconnlistener* listener_at(event_base* base, const std::string& host, int64_t port) {
  const AddressList addresses(host, port);
  const unsigned flags = LEV_OPT_CLOSE_ON_FREE | LEV_OPT_CLOSE_ON_EXEC | LEV_OPT_REUSEABLE;
  for (const addrinfo* a = addresses.first; a; a = a->ai_next)
    if (evconnlistener* const listener = evconnlistener_new_bind(
            base, nullptr, nullptr, flags, 1024, a->ai_addr, int(a->ai_addrlen)))
      return listener;
  fail_usage("cannot listen at {}:{}: {}; choose another --port", host, port, std::strerror(errno));
}

Headers headers_of(evhttp_request* handle) {
  Headers headers;
  const evkeyval* header = nullptr;
  TAILQ_FOREACH(header, evhttp_request_get_input_headers(handle), next)
  headers.emplace_back(header->key, header->value);
  return headers;
}

std::string method_of(evhttp_request* handle) {
  switch (evhttp_request_get_command(handle)) {
    case EVHTTP_REQ_GET:
      return "GET";
    case EVHTTP_REQ_HEAD:
      return "HEAD";
    case EVHTTP_REQ_POST:
      return "POST";
    default:
      return "OTHER";
  }
}

bufferevent* stream_of(evhttp_request* handle) {
  evhttp_connection* const connection = evhttp_request_get_connection(handle);
  return connection ? evhttp_connection_get_bufferevent(connection) : nullptr;
}

std::string text_in(evbuffer* buffer) {
  std::string text(evbuffer_get_length(buffer), '\0');
  evbuffer_copyout(buffer, text.data(), text.size());
  return text;
}

}  // namespace

Server::Loop::Loop(ServeOptions options, ModelLoader load, ServerEvents events)
    : options_(std::move(options)),
      rules_{options_.access, size_t(options_.max_headers), size_t(options_.max_body)},
      load_(std::move(load)),
      events_(std::move(events)) {
  raise_limit_of_files();
  std::signal(SIGPIPE, SIG_IGN);                    // who hangs up must not end the process
  event_set_log_callback([](int, const char*) {});  // what matters is in the metrics
  base_.reset(event_base_new());
  wake_ = eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC);
  if (!base_ || wake_ < 0) fail("cannot start an event loop: {}", std::strerror(errno));
  connections_ = std::make_unique<Connections>(
      base_.get(),
      ConnectionLimits{.max_connections = size_t(options_.max_connections),
                       .max_headers = size_t(options_.max_headers),
                       .max_held = max_held(options_),
                       .idle = options_.idle,
                       .receive = options_.receive},
      [this](const char* reason) { metrics_.rejected(reason); });
  listen();
  if (options_.log.empty()) return;
  log_.reset(std::fopen(options_.log.c_str(), "ae"));
  if (!log_) fail("{}: cannot be written: {}", options_.log, std::strerror(errno));
}

Server::Loop::~Loop() {
  cancel_.request();
  if (loader_.joinable()) loader_.join();
  workers_.reset();
  watched_.clear();
  http_.reset();
  connections_.reset();
  if (wake_ >= 0) close(wake_);
}

void Server::Loop::listen() {
  http_.reset(evhttp_new(base_.get()));
  if (!http_) fail("cannot start an HTTP server");
  evhttp* const http = http_.get();
  evhttp_set_max_headers_size(http, options_.max_headers);
  evhttp_set_max_body_size(http, options_.max_body);
  evhttp_set_default_content_type(http, nullptr);
  // All that it knows: others get an answer of ours (405).
  evhttp_set_allowed_methods(http, 0xFFFF);
  evhttp_set_gencb(
      http,
      [](evhttp_request* handle, void* loop) { static_cast<Loop*>(loop)->on_request(handle); },
      this);
  evhttp_set_bevcb(
      http, [](event_base*, void* loop) { return static_cast<Loop*>(loop)->connections_->add(); },
      this);
  evconnlistener* const listener = listener_at(base_.get(), options_.host, options_.port);
  listening_ = evhttp_bind_listener(http, listener);
  if (!listening_) fail("cannot listen at {}:{}", options_.host, options_.port);
  port_ = port_of(evconnlistener_get_fd(listener));
}

void Server::Loop::post(std::function<void()> work) {
  {
    const std::lock_guard lock(posted_mutex_);
    posted_.push_back(std::move(work));
  }
  const uint64_t one = 1;
  (void)!write(wake_, &one, sizeof one);
}

void Server::Loop::run(bool with_signals) {
  const auto watch = [this](int fd, short what, void (*call)(int, short, void*),
                            const timeval* every = nullptr) {
    watched_.emplace_back(event_new(base_.get(), fd, short(what | EV_PERSIST), call, this));
    event_add(watched_.back().get(), every);
  };
  watch(wake_, EV_READ, [](int fd, short, void* of) {
    uint64_t count = 0;
    (void)!read(fd, &count, sizeof count);
    Loop& loop = *static_cast<Loop*>(of);
    std::vector<std::function<void()>> posted;
    {
      const std::lock_guard lock(loop.posted_mutex_);
      posted.swap(loop.posted_);
    }
    for (const auto& work : posted) work();
  });
  const timeval tenth{0, 100'000};
  watch(
      -1, 0, [](int, short, void* of) { static_cast<Loop*>(of)->tick(); }, &tenth);
  if (with_signals) {
    for (const int signal : {SIGINT, SIGTERM})
      watch(signal, EV_SIGNAL, [](int, short, void* of) { static_cast<Loop*>(of)->drain(); });
    watch(SIGHUP, EV_SIGNAL, [](int, short, void* of) { static_cast<Loop*>(of)->load(nullptr); });
  }
  const auto workers = options_.workers > 0 ? size_t(options_.workers) : size_t(num_threads());
  workers_ = std::make_unique<Workers>(workers, size_t(options_.queue));
  load(nullptr);
  event_base_dispatch(base_.get());
  cancel_.request();
  workers_.reset();  // their answers have nobody to go to
  if (loader_.joinable()) loader_.join();
  if (failure_) std::rethrow_exception(failure_);
}

// ---- requests

ServerFacts Server::Loop::facts() const {
  return {.ready = models_ && !draining_since_,
          .models = models_,
          .page = options_.page,
          .allow_new_nodes = options_.allow_new_nodes};
}

void Server::Loop::on_request(evhttp_request* handle) {
  connections_->answering(stream_of(handle));
  const auto exchange = std::make_shared<Exchange>();
  exchange->handle = handle;
  metrics_.in_flight++;
  try {
    take(exchange);
  } catch (...) {
    exchange->response = answer_of_exception();
    reply(exchange);
  }
}

void Server::Loop::take(const ExchangePointer& exchange) {
  evhttp_request* const handle = exchange->handle;
  const char* const target = evhttp_request_get_uri(handle);
  const RequestHead head{method_of(handle), target ? target : "", headers_of(handle)};
  evbuffer* const body = evhttp_request_get_input_buffer(handle);
  CheckedRequest& asked = exchange->asked;
  check_head(head, evbuffer_get_length(body), rules_, asked);
  asked.request.body = text_in(body);
  if (!is_quick(*asked.match.route)) return hand_to_worker(exchange);
  ServerFacts now = facts();
  if (std::string_view(asked.match.route->name) == "metrics") {
    metrics_.queue_depth = int64_t(workers_->waiting());
    metrics_.connections = int64_t(connections_->count());
    now.metrics = metrics_.text(models_.get());
  }
  exchange->response = answer(asked.match, asked.request, now);
  reply(exchange);
}

void Server::Loop::hand_to_worker(const ExchangePointer& exchange) {
  const CheckedRequest& asked = exchange->asked;
  if (asked.match.route->access == Access::admin) {
    fields_of(*asked.match.route, asked.request);
    return load(exchange);
  }
  const bool taken = workers_->offer([this, exchange, now = facts()] {
    const double deadline = options_.deadline;
    const InterruptScope scope(&cancel_, [&] { return seconds_since(exchange->began) > deadline; });
    try {
      check_interrupted();  // it may have waited too long
      exchange->response = answer(exchange->asked.match, exchange->asked.request, now);
    } catch (...) {
      exchange->response = answer_of_exception();
    }
    give_memory_back(exchange->asked.request.body.size());
    post([this, exchange] { reply(exchange); });
  });
  if (taken) return;
  metrics_.rejected("queue");
  HttpError problem(503, "too many requests wait; try again");
  problem.headers = {{"Retry-After", "1"}};
  throw problem;
}

void Server::Loop::reply(const ExchangePointer& exchange) {
  evhttp_request* const handle = exchange->handle;
  const Response& response = exchange->response;
  evkeyvalq* const headers = evhttp_request_get_output_headers(handle);
  const auto add = [&](const char* name, const std::string& value) {
    evhttp_add_header(headers, name, value.c_str());
  };
  add("Content-Type", response.type);
  add("Content-Length", std::to_string(response.body.size()));
  add("Cache-Control", "no-store");
  add("X-Content-Type-Options", "nosniff");
  add("Referrer-Policy", "no-referrer");
  for (const auto& [name, value] : response.headers) add(name.c_str(), value);
  if (!exchange->asked.id.empty()) add("X-Request-Id", exchange->asked.id);
  if (exchange->asked.ends_in_doubt || draining_since_) add("Connection", "close");
  evbuffer* const body = evbuffer_new();
  if (body && exchange->asked.request.method != "HEAD")
    evbuffer_add(body, response.body.data(), response.body.size());
  connections_->replying(stream_of(handle));
  evhttp_request_set_on_complete_cb(
      handle,
      [](evhttp_request* done, void* of) {
        static_cast<Loop*>(of)->connections_->replied(stream_of(done));
      },
      this);
  const double seconds = seconds_since(exchange->began);
  const Route* const route = exchange->asked.match.route;
  metrics_.in_flight--;
  metrics_.answered(route ? route->name : "none", response.code, seconds, response.items);
  if (log_) log(*exchange, seconds);
  evhttp_send_reply(handle, response.code, std::string(reason_of(response.code)).c_str(), body);
  if (body) evbuffer_free(body);
}

// Neither tokens nor what was asked: ids of patients and compounds are nobody's business.
void Server::Loop::log(const Exchange& exchange, double seconds) {
  char* peer = nullptr;
  ev_uint16_t peer_port = 0;
  if (evhttp_connection* const connection = evhttp_request_get_connection(exchange.handle))
    evhttp_connection_get_peer(connection, &peer, &peer_port);
  const CheckedRequest& asked = exchange.asked;
  Json line = {{"time", std::time(nullptr)},
               {"peer", peer ? peer : ""},
               {"method", asked.request.method},
               {"route", asked.match.route ? asked.match.route->name : "none"},
               {"model", asked.match.model},
               {"code", exchange.response.code},
               {"items", exchange.response.items},
               {"bytes", exchange.response.body.size()},
               {"seconds", seconds}};
  if (!asked.id.empty()) line["request_id"] = asked.id;
  const std::string text = (log_line_broken_ ? "\n" : "") +
                           line.dump(-1, ' ', false, Json::error_handler_t::replace) + "\n";
  log_line_broken_ = std::fwrite(text.data(), 1, text.size(), log_.get()) != text.size();
  if (log_line_broken_) log_failed(errno);
}

void Server::Loop::log_failed(int reason) {
  if (!std::exchange(log_failure_told_, true) && events_.log_failed)
    events_.log_failed(
        fmt::format("{}: cannot be written: {}", options_.log, std::strerror(reason)));
}

// ---- models

void Server::Loop::load(const ExchangePointer& asked_by) {
  if (loading_) {
    load_again_ = load_again_ || !asked_by;
    if (!asked_by) return;
    HttpError problem(503, "the models are being loaded already");
    problem.headers = {{"Retry-After", "1"}};
    throw problem;
  }
  if (loader_.joinable()) loader_.join();
  loading_ = true;
  loaded_state_ = state_of(options_.watched);
  loader_ = std::thread([this, asked_by] {
    const InterruptScope scope(&cancel_);
    ModelSetPointer models;
    std::exception_ptr failure;
    try {
      models = load_();
    } catch (...) {
      failure = std::current_exception();
    }
    post([this, models, failure, asked_by] { loaded(models, failure, asked_by); });
  });
}

void Server::Loop::loaded(ModelSetPointer models, std::exception_ptr failure,
                          const ExchangePointer& asked_by) {
  loading_ = false;
  const bool first = !models_;
  if (models) models_ = std::move(models);
  if (!failure) prepare_later(models_);
  if (first && failure) {
    failure_ = failure;
    event_base_loopbreak(base_.get());
    return;
  }
  if (first) {
    notify_service_manager("READY=1");
    if (events_.ready) events_.ready(*models_);
  } else {
    metrics_.reloaded(!failure);
    std::string why;
    try {
      if (failure) std::rethrow_exception(failure);
      if (events_.reloaded) events_.reloaded(*models_);
    } catch (const std::exception& error) {
      why = error.what();
      if (events_.failed_to_reload) events_.failed_to_reload(why);
    }
    if (asked_by) {
      asked_by->response =
          failure ? response_of(HttpError(422, "the old models stay: " + why))
                  : json_response({{"reloaded", true}, {"models", models_->models.size()}}, 0);
      reply(asked_by);
    }
  }
  if (std::exchange(load_again_, false) && !draining_since_) load(nullptr);
}

// By a worker, so that requests about anything else need not wait for it: not if it is the only one.
void Server::Loop::prepare_later(const ModelSetPointer& models) {
  if (workers_->count() < 2) return;
  for (const ServedModelPointer& model : models->models)
    workers_->offer([this, model] {
      const InterruptScope scope(&cancel_);
      try {
        prepare_explanations(*model);
      } catch (const std::exception&) {
        // Whoever asks for an explanation is told.
      }
    });
}

// ---- the end

void Server::Loop::drain() {
  if (draining_since_ || !models_) {
    forced_ = true;
    cancel_.request();
    event_base_loopbreak(base_.get());
    return;
  }
  draining_since_ = Clock::now();
  notify_service_manager("STOPPING=1");
}

// Once a second; what changed must have come to rest, since a run has several files.
void Server::Loop::look_at_watched() {
  if (options_.watched.empty() || loading_ || seconds_since(looked_at_) < kWatchSeconds) return;
  looked_at_ = Clock::now();
  std::string state = state_of(options_.watched);
  const bool rests = state == seen_state_;
  seen_state_ = std::move(state);
  if (rests && seen_state_ != loaded_state_) load(nullptr);
}

bool Server::Loop::ends() const {
  const double seconds = seconds_since(*draining_since_);
  if (seconds > options_.drain) return true;
  return !listening_ && metrics_.in_flight == 0 && connections_->num_active() == 0 &&
         connections_->count() == 0;
}

void Server::Loop::tick() {
  connections_->sweep();
  if (log_ && std::fflush(log_.get()) != 0) log_failed(errno);
  if (!draining_since_) return look_at_watched();
  const double draining = seconds_since(*draining_since_);
  if (listening_ && draining > kGraceOfDrain &&
      (!is_somebody_waiting(listening_) || draining > options_.drain / 2)) {
    evhttp_del_accept_socket(http_.get(), listening_);
    listening_ = nullptr;
  }
  if (!listening_) connections_->close_idle(kGraceOfDrain);
  if (ends()) event_base_loopbreak(base_.get());
}

// ---- what the header shows

Server::Server(ServeOptions options, ModelLoader load, ServerEvents events) {
  if (options.access.token.empty() && !is_loopback(options.host))
    fail_usage("{} can be reached from other machines; give a token with --token-file",
               options.host);
  loop_ = std::make_unique<Loop>(std::move(options), std::move(load), std::move(events));
}
Server::~Server() = default;
int Server::port() const { return loop_->port(); }
void Server::run(bool with_signals) { loop_->run(with_signals); }
void Server::stop() {
  loop_->post([this] { loop_->drain(); });
}

}  // namespace mgnn
