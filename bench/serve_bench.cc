// The server beside a bare evhttp server that answers every request with the same bytes, both on one core and
// asked by wrk on another: look-ups a second, their 99th percentile at half that rate, rankings with the
// shares of the best ten, the start, and memory over many requests.
//   serve_bench [RUN_OF_NODES RUN_OF_LINKS] [REQUESTS]     REQUESTS of the last part, a million
// Without runs, small ones are trained. Where other work is on the machine, rates by the clock say little: those by
// the server's CPU time are what one core to itself would do.
#include <event2/buffer.h>
#include <event2/event.h>
#include <event2/http.h>
#include <fmt/format.h>
#include <netinet/in.h>
#include <sched.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "bench/bench.h"
#include "mgnn/base/human.h"
#include "mgnn/base/temporary.h"
#include "mgnn/serve/server.h"
#include "mgnn/task/run_folder.h"

namespace {

using namespace mgnn;
using Json = nlohmann::ordered_json;

void train(const std::string& path, const std::string& data, const std::string& task) {
  const auto config = resolve_config(
      {.file = {}, .flags = {}, .sets = {"data.source=" + data, "task=" + task, "train.epochs=3"}});
  const Dataset dataset = load_for_training(*config);
  Result result = run_task(*config, dataset);
  std::filesystem::create_directories(path);
  write_model(path + "/model.safetensors", *config, dataset, result, true);
}

void stay_on_core(int core) {
  cpu_set_t set;
  CPU_ZERO(&set);
  CPU_SET(core, &set);
  sched_setaffinity(0, sizeof set, &set);
}

// A process of its own, so that its time and memory are those of a server and nothing else.
class Child {
 public:
  // `serve` is told where to write its port.
  explicit Child(const std::function<void(int)>& serve) {
    int ends[2];
    if (pipe(ends) != 0) std::abort();
    std::fflush(stdout);
    id_ = fork();
    if (id_ == 0) {
      close(ends[0]);
      stay_on_core(0);
      serve(ends[1]);
      _exit(0);
    }
    close(ends[1]);
    if (read(ends[0], &port_, sizeof port_) != sizeof port_) port_ = 0;
    close(ends[0]);
    if (port_ == 0) {
      fmt::print("a server did not start\n");
      std::exit(1);
    }
  }
  Child(const Child&) = delete;
  Child& operator=(const Child&) = delete;
  ~Child() {
    kill(id_, SIGTERM);
    waitpid(id_, nullptr, 0);
  }
  int port() const { return port_; }
  double cpu_seconds() const {
    return (stat_field(14) + stat_field(15)) / double(sysconf(_SC_CLK_TCK));
  }
  double resident_bytes() const { return stat_field(24) * double(sysconf(_SC_PAGESIZE)); }

 private:
  double stat_field(int place) const {
    std::ifstream file(fmt::format("/proc/{}/stat", id_));
    std::string text;
    std::getline(file, text);
    size_t at = text.rfind(')') + 2;
    for (int i = 3; i < place; i++) at = text.find(' ', at) + 1;
    return std::atof(text.c_str() + at);
  }
  pid_t id_ = 0;
  int port_ = 0;
};

void tell_port(int to, int port) { (void)!write(to, &port, sizeof port); }

void serve_runs(const std::vector<std::string>& runs, int tell) {
  Server* running = nullptr;
  Server server({.port = 0, .workers = 1, .deadline = 60}, [&] { return load_models(runs, ""); },
                {.ready = [&](const ModelSet&) { tell_port(tell, running->port()); }});
  running = &server;
  server.run();
}

void serve_constant(const std::string& body, int tell) {
  event_base* const base = event_base_new();
  evhttp* const http = evhttp_new(base);
  evhttp_set_gencb(
      http,
      [](evhttp_request* request, void* of) {
        const auto& text = *static_cast<const std::string*>(of);
        evbuffer* const out = evbuffer_new();
        evbuffer_add(out, text.data(), text.size());
        evhttp_add_header(evhttp_request_get_output_headers(request), "Content-Type",
                          "application/json");
        evhttp_send_reply(request, 200, "OK", out);
        evbuffer_free(out);
      },
      const_cast<std::string*>(&body));
  evhttp_bound_socket* const socket = evhttp_bind_socket_with_handle(http, "127.0.0.1", 0);
  sockaddr_in address{};
  socklen_t length = sizeof address;
  getsockname(evhttp_bound_socket_get_fd(socket), reinterpret_cast<sockaddr*>(&address), &length);
  tell_port(tell, ntohs(address.sin_port));
  event_base_dispatch(base);
}

// The body of the answer; "" if it is not 200.
std::string ask(int port, const std::string& method, const std::string& path,
                const std::string& body) {
  const int to = socket(AF_INET, SOCK_STREAM, 0);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(uint16_t(port));
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  std::string text;
  if (connect(to, reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0) {
    const std::string request = fmt::format(
        "{} {} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nContent-Type: "
        "application/json\r\nContent-Length: {}\r\n\r\n{}",
        method, path, body.size(), body);
    (void)!write(to, request.data(), request.size());
    char bytes[65536];
    for (ssize_t got = 0; (got = read(to, bytes, sizeof bytes)) > 0;)
      text.append(bytes, size_t(got));
  }
  close(to);
  const size_t end = text.find("\r\n\r\n");
  return text.find(" 200 ") < 16 && end != text.npos ? text.substr(end + 4) : "";
}

std::string said_by(const std::string& command) {
  std::string text;
  std::FILE* const pipe = popen(command.c_str(), "r");
  if (!pipe) return text;
  char line[512];
  while (std::fgets(line, sizeof line, pipe)) text += line;
  pclose(pipe);
  return text;
}

struct Load {
  double requests = 0, per_second = 0, p99_ms = 0, wrong = 0;
  double per_cpu_second = 0;  // of the server
};

// Its numbers come from wrk's own script, exact and in one line.
Load put_load(const Child& server, const std::string& folder, const std::string& path,
              const std::string& body, int connections, double seconds, int delay_ms) {
  const std::string script = folder + "/ask.lua";
  std::ofstream(script) << fmt::format(
      R"(wrk.method = "POST"
wrk.body = '{}'
wrk.headers["Content-Type"] = "application/json"
{}
function done(summary, latency)
  io.write(string.format("SUM %d %d %f %d\n", summary.requests, summary.duration, latency:percentile(99),
    summary.errors.status + summary.errors.read + summary.errors.write + summary.errors.timeout))
end
)",
      body, delay_ms > 0 ? fmt::format("function delay() return {} end", delay_ms) : "");
  const double before = server.cpu_seconds();
  const std::string said = said_by(
      fmt::format("taskset -c 1 wrk -t1 -c{} -d{:.0f}s --latency -s {} http://127.0.0.1:{}{}",
                  connections, seconds, script, server.port(), path));
  const double cpu = server.cpu_seconds() - before;
  const size_t at = said.find("SUM ");
  Load load;
  double microseconds = 0, p99 = 0;
  if (at == said.npos || std::sscanf(said.c_str() + at, "SUM %lf %lf %lf %lf", &load.requests,
                                     &microseconds, &p99, &load.wrong) != 4) {
    fmt::print("wrk said:\n{}\n", said);
    std::exit(1);
  }
  load.per_second = 1e6 * load.requests / microseconds;
  load.p99_ms = p99 / 1000;
  load.per_cpu_second = load.requests / std::max(cpu, 1e-3);
  return load;
}

void print_load(const char* what, const Load& load) {
  fmt::print(
      "{:<34} {:>8.0f}/s by the clock, {:>8.0f}/s of CPU time, p99 {:.2f} ms, {:.0f} wrong\n", what,
      load.per_second, load.per_cpu_second, load.p99_ms, load.wrong);
}

std::string first_item(const Child& server, const std::string& model) {
  const Json items =
      Json::parse(ask(server.port(), "GET", "/v1/models/" + model + "/nodes?limit=1", ""));
  return items.at("nodes").at(0).at("node");
}

// A type of node is not asked for: all nodes are partners.
void rankings(const Child& server, const std::string& model) {
  const std::string node = first_item(server, model);
  const std::string path = "/v1/models/" + model + "/rank";
  const Json types =
      Json::parse(ask(server.port(), "GET", "/v1/models/" + model, "")).at("node_types");
  std::vector<Json> questions = {{{"node", node}, {"top", 10}}};
  for (const Json& type : types) questions.push_back({{"node", node}, {"top", 10}, {"type", type}});
  int64_t most = 0;
  Json widest;
  for (const Json& question : questions) {
    const std::string answer = ask(server.port(), "POST", path, question.dump());
    const int64_t candidates =
        answer.empty() ? 0 : Json::parse(answer).at("candidates").get<int64_t>();
    if (candidates > most) most = candidates, widest = question;
  }
  std::vector<double> seconds;
  const double before = server.cpu_seconds();
  constexpr int kTrials = 100;
  for (int i = 0; i < kTrials; i++)
    seconds.push_back(bench::seconds([&] { ask(server.port(), "POST", path, widest.dump()); }));
  const double cpu = (server.cpu_seconds() - before) / kTrials;
  const Json pairs = Json::parse(ask(server.port(), "POST", path, widest.dump())).at("pairs");
  const double median = bench::median(seconds);
  fmt::print(
      "ranking {} partners, with the motif shares of the best {}: median {:.1f} ms, {:.1f} ms of "
      "CPU time\n",
      human_count(most), pairs.size(), 1e3 * median, 1e3 * cpu);
  bench::figure("rank_ms", 1e3 * median);
  bench::figure("rank_cpu_ms", 1e3 * cpu);
}

void memory(const Child& server, const std::string& folder, const std::string& path,
            const std::string& body, double requests) {
  double done = put_load(server, folder, path, body, 32, 3, 0).requests;
  const double before = server.resident_bytes();
  done = 0;
  double most = before;
  while (done < requests) {
    done += put_load(server, folder, path, body, 32, 10, 0).requests;
    most = std::max(most, server.resident_bytes());
  }
  fmt::print("memory over {:.0f} requests: {} before, {} after, {} at most\n", done,
             human_bytes(int64_t(before)), human_bytes(int64_t(server.resident_bytes())),
             human_bytes(int64_t(most)));
  bench::figure("growth_mib", (server.resident_bytes() - before) / (1 << 20));
}

}  // namespace

int main(int argc, char** argv) {
  if (std::system("command -v wrk >/dev/null && command -v taskset >/dev/null") != 0) {
    fmt::print("serve_bench needs wrk and taskset (apt install wrk)\n");
    return 0;
  }
  const bool given = argc > 2;
  const double requests = std::atof(argc > 3 ? argv[3] : argc == 2 ? argv[1] : "1e6");
  char pattern[] = "/tmp/mgnn-serve-bench-XXXXXX";
  const std::string folder = mkdtemp(pattern);
  std::vector<std::string> runs = {folder + "/nodes", folder + "/links"};
  if (given)
    runs = {argv[1], argv[2]};
  else if (const pid_t id = fork(); id == 0) {  // no threads of ours are left to fork with
    train(runs[0], "roles", "node");
    train(runs[1], "toykg", "link");
    _exit(0);
  } else {
    waitpid(id, nullptr, 0);
  }

  for (const std::string& run : runs) {
    std::optional<Child> alone;
    const double seconds =
        bench::seconds([&] { alone.emplace([&](int tell) { serve_runs({"m=" + run}, tell); }); });
    fmt::print("start with {}: {:.2f} s, {:.2f} s of CPU time on one core\n", run, seconds,
               alone->cpu_seconds());
    bench::figure(run == runs[0] ? "start_nodes_s" : "start_links_s", seconds);
  }

  const Child server([&](int tell) { serve_runs({"nodes=" + runs[0], "links=" + runs[1]}, tell); });
  const std::string path = "/v1/models/nodes/predict";
  const std::string body = Json({{"nodes", {first_item(server, "nodes")}}}).dump();
  const std::string answer = ask(server.port(), "POST", path, body);
  if (answer.empty()) return fmt::print("no answer\n"), 1;
  const Child bare([&](int tell) { serve_constant(answer, tell); });
  if (ask(bare.port(), "POST", path, body) != answer) return fmt::print("no answer of evhttp\n"), 1;
  std::vector<double> ours, theirs, cpu_ours, cpu_theirs;
  for (int i = 0; i < 3; i++) {
    const Load own = put_load(server, folder, path, body, 32, 3, 0);
    const Load constant = put_load(bare, folder, path, body, 32, 3, 0);
    print_load("look-ups", own);
    print_load("bare evhttp, a constant", constant);
    ours.push_back(own.per_second), theirs.push_back(constant.per_second);
    cpu_ours.push_back(own.per_cpu_second), cpu_theirs.push_back(constant.per_cpu_second);
  }
  const double rate = bench::median(ours);
  bench::figure("lookups_per_second", rate);
  bench::figure("lookups_per_cpu_second", bench::median(cpu_ours));
  bench::ratio("lookups_to_bare_evhttp", rate / bench::median(theirs));
  bench::ratio("lookups_to_bare_evhttp_cpu", bench::median(cpu_ours) / bench::median(cpu_theirs));

  // Each connection asks, waits for the answer and then 4 ms.
  const int connections = std::max(1, int(rate / 2 * 0.0045));
  const Load half = put_load(server, folder, path, body, connections, 5, 4);
  print_load("look-ups at about half of that", half);
  bench::figure("p99_ms_at_half", half.p99_ms);
  const Load bare_half = put_load(bare, folder, path, body, connections, 5, 4);
  print_load("bare evhttp, as many connections", bare_half);

  rankings(server, "links");
  memory(server, folder, path, body, requests);
  std::filesystem::remove_all(folder);
  bench::print_ratios();
}
