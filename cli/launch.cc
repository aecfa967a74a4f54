// mpirun, watched: it ends at once where a rank dies, but may wait without end for a machine that is cut
// off. Ranks notice that themselves (mgnn/comm/launch.cc) and say so; then mpirun is killed, and the verb is
// started again from its last checkpoint.

#include <fcntl.h>
#include <poll.h>
#include <spdlog/spdlog.h>
#include <sys/wait.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <csignal>
#include <filesystem>
#include <memory>
#include <sstream>

#include "cli/option_flags.h"
#include "cli/verb.h"
#include "mgnn/base/clock.h"
#include "mgnn/base/error.h"
#include "mgnn/base/file.h"
#include "mgnn/base/interrupt.h"

namespace mgnn {
namespace {

constexpr double kSecondsToEnd =
    5;  // that mpirun has once a rank has said that the job ends, or when told to
constexpr const char* kJobEnds = "; the job ends";

struct LaunchVerb {
  int64_t ranks = 2, restarts = 3;
  std::string with = "mpirun";
  std::vector<std::string> command;  // of mgnn: verb and flags
};

std::vector<std::string> words_of(const std::string& line) {
  std::vector<std::string> words;
  std::istringstream text(line);
  for (std::string word; text >> word;) words.push_back(word);
  return words;
}

// The value of a flag: "--folder x" or "--folder=x"; empty: it is not there.
std::string value_of(const std::vector<std::string>& command, const std::string& flag) {
  for (size_t i = 0; i < command.size(); i++) {
    if (command[i] == flag && i + 1 < command.size()) return command[i + 1];
    if (command[i].starts_with(flag + "=")) return command[i].substr(flag.size() + 1);
  }
  return "";
}

// What goes on where `command` has stopped: the same, if nothing is stored yet.
std::vector<std::string> resumed(const std::vector<std::string>& command) {
  if (!value_of(command, "--resume").empty()) return command;
  const bool trains = command[0] == "train";
  std::string folder = value_of(command, trains ? "--output" : "--folder");
  if (folder.empty() && trains) folder = value_of(command, "-o");
  if (folder.empty() || !file_exists(folder + (trains ? "/config.toml" : "/plan.json")))
    return command;
  std::vector<std::string> words = {command[0], "--resume", folder};
  for (const char* flag : {"--checkpoint-every", "-j", "--threads", "--max-memory"})
    if (const std::string value = value_of(command, flag); !value.empty())
      words.insert(words.end(), {flag, value});
  for (const std::string& word : command)
    if (word == "--json" || word == "-q" || word == "--quiet") words.push_back(word);
  return words;
}

// A process group of its own, whose standard error comes through a pipe.
class Job {
 public:
  explicit Job(const std::vector<std::string>& words) {
    int ends[2];
    if (pipe2(ends, O_CLOEXEC) != 0) fail("cannot start {}: no pipe", words[0]);
    std::vector<char*> arguments;
    for (const std::string& word : words) arguments.push_back(const_cast<char*>(word.c_str()));
    arguments.push_back(nullptr);
    process_ = fork();
    if (process_ < 0) fail("cannot start {}: no process", words[0]);
    if (process_ == 0) {
      setpgid(0, 0);
      dup2(ends[1], STDERR_FILENO);
      if (const int nothing = open("/dev/null", O_RDONLY); nothing >= 0)
        dup2(nothing, STDIN_FILENO);
      execvp(arguments[0], arguments.data());
      _exit(127);
    }
    setpgid(process_, process_);  // whichever of the two is faster
    close(ends[1]);
    errors_ = ends[0];
  }
  ~Job() {
    signal_all(SIGKILL);
    if (!ended_) waitpid(process_, nullptr, 0);
    close(errors_);
  }
  Job(const Job&) = delete;
  Job& operator=(const Job&) = delete;

  // Waits -> the exit code.
  int wait() {
    double deadline = 0;  // on `watch`; 0: none
    const Stopwatch watch;
    for (bool told = false;;) {  // told to end
      if (pass_on_errors() && deadline == 0) deadline = watch.seconds() + kSecondsToEnd;
      if (!told && (interrupted() || (deadline > 0 && watch.seconds() > deadline))) {
        signal_all(SIGTERM);
        told = true;
        deadline = watch.seconds() + kSecondsToEnd;
      }
      if (told && watch.seconds() > deadline) signal_all(SIGKILL);
      int status = 0;
      if (waitpid(process_, &status, WNOHANG) == process_) {
        ended_ = true;
        pass_on_errors();
        return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
      }
    }
  }

 private:
  void signal_all(int signal) const { kill(-process_, signal); }

  // Whether a rank has said that the job ends. Waits a little for something to be said.
  bool pass_on_errors() {
    for (int wait = 100;; wait = 0) {
      pollfd watched{.fd = errors_, .events = POLLIN, .revents = 0};
      if (poll(&watched, 1, wait) <= 0) break;
      char text[4096];
      const ssize_t count = read(errors_, text, sizeof text);
      if (count <= 0) {  // nobody can say any more
        if (wait > 0) usleep(useconds_t(wait) * 1000);
        break;
      }
      print_to_stderr({text, size_t(count)});
      said_.append(text, size_t(count));
      ends_ |= said_.find(kJobEnds) != std::string::npos;
      said_.erase(0, said_.size() - std::min(said_.size(), std::string_view(kJobEnds).size()));
    }
    return ends_;
  }

  pid_t process_ = -1;
  int errors_ = -1;
  bool ended_ = false, ends_ = false;
  std::string said_;  // last
};

std::string this_program() { return std::filesystem::read_symlink("/proc/self/exe").string(); }

void run(const LaunchVerb& verb) {
  const std::vector<std::string> start = words_of(verb.with);
  if (start.empty()) fail_usage("--with is empty; use a command such as mpirun");
  if (verb.command.empty())
    fail_usage("launch: no verb is given; write mgnn launch -n 4 -- train cora -o runs/x");
  if (verb.restarts > 0 && resumed(verb.command) == verb.command &&
      value_of(verb.command, "--resume").empty() && value_of(verb.command, "-o").empty() &&
      value_of(verb.command, "--output").empty() && value_of(verb.command, "--folder").empty())
    spdlog::warn(
        "{} is given no folder (-o of train, --folder of search and compare): where it is started "
        "again, it begins anew",
        verb.command[0]);
  for (int64_t restart = 0;; restart++) {
    std::vector<std::string> words = start;
    words.insert(words.end(), {"-n", std::to_string(verb.ranks), this_program()});
    const std::vector<std::string> command = restart > 0 ? resumed(verb.command) : verb.command;
    words.insert(words.end(), command.begin(), command.end());
    const int code = Job(words).wait();
    if (code == 0) return;
    check_interrupted();
    if (code == 127) fail("cannot start {}: is MPI installed?", start[0]);
    const bool mistake = code == int(ErrorKind::usage) || code == int(ErrorKind::data);
    if (mistake || restart >= verb.restarts)
      throw Error(
          mistake ? ErrorKind(uint8_t(code)) : ErrorKind::failed,
          fmt::format("{} has ended with exit code {} after {} restarts", start[0], code, restart));
    spdlog::warn("{} has ended with exit code {}; starting again ({} of at most {})", start[0],
                 code, restart + 1, verb.restarts);
  }
}

}  // namespace

Action add_launch(CLI::App& command, const Globals&) {
  const auto verb = std::make_shared<LaunchVerb>();
  command.add_option("-n,--ranks", verb->ranks, "ranks to start")
      ->type_name("N")
      ->transform(decimal())
      ->check(CLI::PositiveNumber.description(""));
  command.add_option("--restarts", verb->restarts, "times that the verb is started again, at most")
      ->type_name("N")
      ->transform(decimal())
      ->check(CLI::NonNegativeNumber.description(""));
  command
      .add_option("--with", verb->with,
                  "what starts ranks, with its flags: 'mpirun --hostfile hosts'")
      ->type_name("COMMAND");
  command.add_option("COMMAND", verb->command, "after --: the verb and its flags")->required();
  command.footer(
      "  mgnn launch -n 4 -- train pubmed -o runs/pubmed --checkpoint-every 10\n"
      "  mgnn launch -n 8 --with 'mpirun --hostfile hosts' -- search cora --folder runs/s");
  return [verb] { run(*verb); };
}

}  // namespace mgnn
