// The program itself, with signals.
#include <sys/un.h>
#include <sys/wait.h>

#include <csignal>

#include "tests/serve/running_server.h"

namespace mgnn {
namespace {

using namespace mgnn::testing;

// `mgnn serve` on a port that it chose, with a socket for what it tells the service manager.
class Program {
 public:
  explicit Program(const std::string& run, const std::vector<std::string>& flags = {}) {
    notify_path_ = dir_ / "notify";
    notify_ = ::socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    notify_path_.copy(address.sun_path, sizeof address.sun_path - 1);
    EXPECT_EQ(bind(notify_, reinterpret_cast<const sockaddr*>(&address), sizeof address), 0);
    int output[2];
    EXPECT_EQ(pipe(output), 0);
    id_ = fork();
    if (id_ == 0) {
      dup2(output[1], 1);
      close(output[0]), close(output[1]);
      setenv("NOTIFY_SOCKET", notify_path_.c_str(), 1);
      std::vector<const char*> words = {MGNN_BINARY, "serve",      run.c_str(), "--port",
                                        "0",         "--no-token", "--json"};
      for (const std::string& flag : flags) words.push_back(flag.c_str());
      words.push_back(nullptr);
      execv(MGNN_BINARY, const_cast<char* const*>(words.data()));
      _exit(127);
    }
    close(output[1]);
    std::string line;
    char letter = 0;
    while (read(output[0], &letter, 1) == 1 && letter != '\n') line += letter;
    close(output[0]);
    const std::string url = TestJson::parse(line).at("url");
    port_ = std::atoi(url.c_str() + url.rfind(':') + 1);
  }
  ~Program() {
    if (id_ > 0) kill(id_, SIGKILL), waitpid(id_, nullptr, 0);
    close(notify_);
  }

  int port() const { return port_; }
  void signal(int number) const { kill(id_, number); }
  // Exit code, or minus the signal that ended it.
  int wait() {
    int status = 0;
    waitpid(std::exchange(id_, 0), &status, 0);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
  }
  Answer ask(const std::string& bytes) const {
    Client client(port_);
    client.send(bytes);
    return client.receive();
  }
  std::string notice(double seconds = 5) const {
    pollfd waiting{notify_, POLLIN, 0};
    char text[256];
    if (poll(&waiting, 1, int(1000 * seconds)) <= 0) return "";
    const auto length = recv(notify_, text, sizeof text, 0);
    return length > 0 ? std::string(text, size_t(length)) : "";
  }

 private:
  TempDir dir_;
  std::string notify_path_;
  int notify_ = -1, port_ = 0;
  pid_t id_ = 0;
};

const std::string kAsk = post("/v1/models/node/predict", R"({"nodes":["1"]})");

// As many answers as the log has: whoever was taken has got one. Some may be turned away as the socket closes.
TEST(ServeProgram, ASignalDropsNoRequest) {
  if (std::string(MGNN_BINARY).empty()) GTEST_SKIP() << "no tool in this build";
  TempDir dir;
  Program program(trained_runs().node, {"--log", dir / "log"});
  EXPECT_EQ(program.notice(), "READY=1");
  std::atomic<int> answered = 0, broken = 0, turned_away = 0;
  std::vector<std::thread> askers;
  for (int i = 0; i < 4; i++)
    askers.emplace_back([&, kept = i % 2 == 0] {
      auto client = std::make_unique<Client>(program.port());
      while (client->connected() && client->send(kAsk)) {
        const Answer answer = client->receive();
        if (answer.code != 200) {
          (answer.head.empty() ? turned_away : broken)++;
          break;
        }
        answered++;
        if (!kept || answer.head.find("Connection: close") != answer.head.npos)
          client = std::make_unique<Client>(program.port());
      }
    });
  while (answered < 200) std::this_thread::sleep_for(std::chrono::milliseconds(1));
  program.signal(SIGTERM);
  EXPECT_EQ(program.notice(), "STOPPING=1");
  for (std::thread& asker : askers) asker.join();
  EXPECT_EQ(program.wait(), 0);
  EXPECT_EQ(broken, 0);
  int logged = 0;
  std::ifstream log(dir / "log");
  for (std::string line; std::getline(log, line);) logged += TestJson::parse(line)["code"] == 200;
  EXPECT_EQ(answered, logged);
  fmt::print("{} requests answered, {} turned away as the socket closed\n", answered.load(),
             turned_away.load());
}

TEST(ServeProgram, ReadsItsRunsAgainAtASignal) {
  if (std::string(MGNN_BINARY).empty()) GTEST_SKIP() << "no tool in this build";
  TempDir dir;
  const std::string run = dir / "node";
  std::filesystem::copy(trained_runs().node, run);
  Program program(run);
  const std::string before = program.ask(kAsk).body;
  TrainedRuns::train(dir / "other", {"data.source=roles", "task=node", "train.epochs=4"});
  std::filesystem::rename(dir / "other/model.safetensors", run + "/model.safetensors");
  program.signal(SIGHUP);
  std::string after = before;
  for (int i = 0; i < 200 && after == before; i++) {
    std::this_thread::sleep_for(std::chrono::milliseconds(25));
    const Answer answer = program.ask(kAsk);
    EXPECT_EQ(answer.code, 200);
    after = answer.body;
  }
  EXPECT_NE(after, before);
  std::ofstream(run + "/model.safetensors") << "not a model";
  program.signal(SIGHUP);
  const auto failed = [&] {
    return program.ask(get("/metrics")).body.find("result=\"failed\"} 1\n") != std::string::npos;
  };
  for (int i = 0; i < 200 && !failed(); i++)
    std::this_thread::sleep_for(std::chrono::milliseconds(25));
  EXPECT_TRUE(failed());
  EXPECT_EQ(program.ask(kAsk).body, after);  // the old model stays
}

TEST(ServeProgram, ReadsItsRunsAgainWhenTheyHaveChanged) {
  if (std::string(MGNN_BINARY).empty()) GTEST_SKIP() << "no tool in this build";
  TempDir dir;
  const std::string run = dir / "node";
  std::filesystem::copy(trained_runs().node, run);
  const Program program(run, {"--watch"});
  const std::string before = program.ask(kAsk).body;
  TrainedRuns::train(dir / "other", {"data.source=roles", "task=node", "train.epochs=4"});
  std::filesystem::rename(dir / "other/model.safetensors", run + "/model.safetensors");
  std::string after = before;
  for (int i = 0; i < 400 && after == before; i++) {
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
    after = program.ask(kAsk).body;
  }
  EXPECT_NE(after, before);
}

// A client that hangs up while it is answered must not end the process.
TEST(ServeProgram, OutlivesClientsThatHangUp) {
  if (std::string(MGNN_BINARY).empty()) GTEST_SKIP() << "no tool in this build";
  Program program(trained_runs().node);
  std::string ids = "{\"nodes\":[1";
  for (int i = 1; i < 3000; i++) ids += ",1";
  for (int i = 0; i < 50; i++) {
    const Client client(program.port());
    client.send(post("/v1/models/node/motifs", ids + "]}"));
  }
  EXPECT_EQ(program.ask(get("/v1/health/live")).code, 200);
  program.signal(SIGINT);
  EXPECT_EQ(program.wait(), 0);
}

}  // namespace
}  // namespace mgnn
