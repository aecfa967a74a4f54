// We hold a reference to the bufferevent of each connection. When evhttp is done with one, it takes its
// callbacks away and shuts the socket down; we see that at the next sweep and let go, which closes it. To
// cut a connection off we shut its socket down, which evhttp sees as the end of its input.
#include "mgnn/serve/connections.h"

#include <event2/buffer.h>
#include <event2/bufferevent.h>
#include <event2/event.h>
#include <fmt/format.h>
#include <sys/socket.h>

#include <charconv>

namespace mgnn {

struct Connections::Connection {
  Connections* owner;
  bufferevent* stream;
  event* attention;  // to be looked at before anything is sent
  State state = State::idle;
  bool refused = false;  // there were too many
  size_t bytes = 0;      // of the request that is being read
  Clock::time_point began = Clock::now(), last_byte = began;

  // What is sent then is evhttp's, not ours.
  bool is_unasked() const { return state == State::idle || state == State::reading; }

  ~Connection() {
    event_free(attention);
    bufferevent_decref(stream);
  }
};

namespace {

constexpr const char* kConnections = "connections";

HttpError slow() { return HttpError(408, "the request did not arrive in time"); }
HttpError crowded(const char* detail) {
  HttpError problem(503, detail);
  problem.headers = {{"Retry-After", "1"}};
  return problem;
}
HttpError many_connections() { return crowded("there are too many connections"); }

// Of evhttp's own page, a code of ours.
HttpError problem_of(int code, bool many_bytes) {
  if (code == 413 || many_bytes)
    return HttpError(many_bytes ? 431 : 413,
                     "the request is larger than this server takes (headers: 16 KiB; body: "
                     "--max-body)");
  if (code == 417) return HttpError(417, "the header Expect has a value other than 100-continue");
  if (code == 501) return HttpError(501, "this method is not known here");
  return HttpError(400, "this is not a request in HTTP/1.1");
}

std::string whole_answer(const Response& response) {
  std::string text = fmt::format(
      "HTTP/1.1 {} {}\r\nContent-Type: {}\r\nContent-Length: {}\r\nConnection: close\r\n",
      response.code, reason_of(response.code), response.type, response.body.size());
  for (const auto& [name, value] : response.headers) text += fmt::format("{}: {}\r\n", name, value);
  return text + "\r\n" + response.body;
}

// The code of "HTTP/1.1 400 Bad Request"; 0 if it does not begin so.
int code_of(std::string_view answer) {
  int code = 0;
  if (answer.size() >= 12) std::from_chars(answer.data() + 9, answer.data() + 12, code);
  return code;
}

bool has_ended(bufferevent* stream) {
  bufferevent_data_cb read = nullptr, write = nullptr;
  bufferevent_event_cb other = nullptr;
  bufferevent_getcb(stream, &read, &write, &other, nullptr);
  return !read && !write && !other;
}

}  // namespace

Connections::Connections(event_base* base, const ConnectionLimits& limits,
                         std::function<void(const char*)> rejected)
    : base_(base), limits_(limits), rejected_(std::move(rejected)) {}

Connections::~Connections() = default;

bufferevent* Connections::add() {
  bufferevent* const stream = bufferevent_socket_new(base_, -1, BEV_OPT_CLOSE_ON_FREE);
  if (!stream) return nullptr;  // evhttp makes one of its own, or refuses
  bufferevent_incref(stream);
  auto connection = std::make_unique<Connection>();
  connection->owner = this;
  connection->stream = stream;
  connection->attention = event_new(base_, -1, 0, on_attention, connection.get());
  evbuffer_add_cb(bufferevent_get_input(stream), on_input, connection.get());
  evbuffer_add_cb(bufferevent_get_output(stream), on_output, connection.get());
  if (all_.size() >= limits_.max_connections && !make_room()) {
    connection->refused = true;  // its socket is not there yet
    event_active(connection->attention, EV_TIMEOUT, 0);
  }
  all_.emplace(stream, std::move(connection));
  return stream;
}

// The one whose request has been on its way longest goes: it is the least likely to be an honest one. An
// answer that is being made or sent is never given up.
bool Connections::make_room() {
  forget_ended();
  size_t open = 0;
  Connection* oldest = nullptr;
  for (const auto& [stream, connection] : all_) {
    if (connection->state == State::closing) continue;
    open++;
    if (!connection->is_unasked()) continue;
    if (!oldest || connection->began < oldest->began) oldest = connection.get();
  }
  if (open < limits_.max_connections) return true;
  if (oldest) cut_off(*oldest, many_connections(), kConnections);
  return oldest != nullptr;
}

void Connections::on_input(evbuffer*, const evbuffer_cb_info* info, void* of) {
  Connection& connection = *static_cast<Connection*>(of);
  connection.last_byte = Clock::now();
  connection.owner->hold(connection, info->n_added);
  if (connection.state != State::idle) return;
  connection.state = State::reading;
  connection.began = connection.last_byte;
}

// Bodies are read before tokens are looked at: strangers with many large ones must not fill the memory. The
// largest is cut off, so that small requests pass beside them.
void Connections::hold(Connection& connection, size_t bytes) {
  connection.bytes += bytes;
  held_ += bytes;
  if (bytes > 0 && held_ > limits_.max_held) event_active(connection.attention, EV_TIMEOUT, 0);
}

void Connections::release(Connection& connection) {
  held_ -= connection.bytes;
  connection.bytes = 0;
}

void Connections::cut_off_largest() {
  Connection* largest = nullptr;
  for (const auto& [stream, connection] : all_)
    if (connection->state == State::reading && (!largest || connection->bytes > largest->bytes))
      largest = connection.get();
  if (largest) cut_off(*largest, crowded("too many large requests arrive at once"), "memory");
}

void Connections::on_output(evbuffer*, const evbuffer_cb_info* info, void* of) {
  Connection& connection = *static_cast<Connection*>(of);
  connection.last_byte = Clock::now();
  if (info->n_added > 0 && connection.is_unasked())
    event_active(connection.attention, EV_TIMEOUT, 0);
}

void Connections::on_attention(int, short, void* of) {
  Connection& connection = *static_cast<Connection*>(of);
  Connections& owner = *connection.owner;
  if (connection.refused) return owner.cut_off(connection, many_connections(), kConnections);
  if (owner.held_ > owner.limits_.max_held) owner.cut_off_largest();
  if (connection.is_unasked()) owner.replace_page(connection);
}

// evhttp has written an answer of its own, of which nothing is sent yet.
void Connections::replace_page(Connection& connection) {
  evbuffer* const output = bufferevent_get_output(connection.stream);
  char start[12];
  evbuffer_unfreeze(output, 1);
  const auto length = evbuffer_copyout(output, start, sizeof start);
  const int code = length > 0 ? code_of({start, size_t(length)}) : 0;
  if (code >= 400) {
    connection.state = State::replying;
    const HttpError problem = problem_of(code, connection.bytes > limits_.max_headers);
    release(connection);
    const std::string answer = whole_answer(response_of(problem));
    evbuffer_drain(output, evbuffer_get_length(output));
    evbuffer_add(output, answer.data(), answer.size());
    rejected_(problem.code == 413 || problem.code == 431 ? "size" : "unreadable");
  }
  evbuffer_freeze(output, 1);
}

void Connections::cut_off(Connection& connection, const HttpError& problem, const char* reason) {
  const int socket = bufferevent_getfd(connection.stream);
  const bool can_say = connection.state == State::reading || connection.refused;
  connection.state = State::closing;
  release(connection);
  rejected_(reason);
  if (socket < 0) return;
  if (can_say) {
    const std::string answer = whole_answer(response_of(problem));
    (void)!send(socket, answer.data(), answer.size(), MSG_DONTWAIT | MSG_NOSIGNAL);
  }
  shutdown(socket, SHUT_RDWR);
}

void Connections::answering(bufferevent* of) {
  if (const auto at = all_.find(of); at != all_.end()) at->second->state = State::answering;
}

void Connections::replying(bufferevent* of) {
  if (const auto at = all_.find(of); at != all_.end()) at->second->state = State::replying;
}

void Connections::replied(bufferevent* of) {
  const auto at = all_.find(of);
  if (at == all_.end()) return;
  Connection& connection = *at->second;
  connection.state = State::idle;
  release(connection);
  connection.began = connection.last_byte = Clock::now();
}

void Connections::forget_ended() {
  std::erase_if(all_, [this](const auto& entry) {
    if (!has_ended(entry.first)) return false;
    release(*entry.second);
    return true;
  });
}

void Connections::sweep() {
  forget_ended();
  for (const auto& [stream, connection] : all_) {
    const double silent = seconds_since(connection->last_byte);
    if (connection->state == State::reading &&
        (silent > limits_.idle || seconds_since(connection->began) > limits_.receive))
      cut_off(*connection, slow(), "slow");
    else if (connection->state == State::replying && silent > limits_.idle)
      cut_off(*connection, slow(), "slow");
  }
  close_idle(limits_.idle);
}

void Connections::close_idle(double seconds) {
  for (const auto& [stream, connection] : all_)
    if (connection->state == State::idle && seconds_since(connection->last_byte) > seconds) {
      connection->state = State::closing;
      if (const int socket = bufferevent_getfd(stream); socket >= 0) shutdown(socket, SHUT_RDWR);
    }
}

size_t Connections::num_active() const {
  size_t active = 0;
  for (const auto& [stream, connection] : all_)
    active += connection->state == State::reading || connection->state == State::answering ||
              connection->state == State::replying;
  return active;
}

}  // namespace mgnn
