// Runs the real program, as a shell would.
#pragma once

#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <cstdlib>
#include <string>
#include <thread>
#include <vector>

#include "tests/util.h"

namespace mgnn::testing {

struct CommandResult {
  int exit_code = -1;  // -signal if a signal ended it
  std::string out, err;
};

struct CommandOptions {
  std::string in = "";                                                // standard input
  std::vector<std::pair<std::string, std::string>> environment = {};  // set, or removed if ""
  bool leave_input_open = false;  // `in` is followed by silence, not by its end …
  int signal = 0;                 // … until this signal is sent
  double seconds_to_signal = 0;   // from when the program can catch it
  std::string out_path = "";      // standard output goes there: "/dev/full"
  std::string folder = "";        // where it runs; empty: here
};

inline int exit_code_of(int status) {
  return WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
}

// Until the process has a handler for the signal: /proc shows a mask of those caught.
inline void wait_until_caught(pid_t process, int signal) {
  for (int attempt = 0; attempt < 1000; attempt++) {
    std::ifstream status("/proc/" + std::to_string(process) + "/status");
    for (std::string line; std::getline(status, line);)
      if (line.starts_with("SigCgt:") &&
          (std::stoull(line.substr(7), nullptr, 16) >> (signal - 1)) & 1)
        return;
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
}

// mgnn with `arguments`; without network, colours of the environment or datasets of the user.
inline CommandResult run_mgnn(const std::vector<std::string>& arguments,
                              const CommandOptions& options = {}) {
  const TempDir dir;
  const std::string out = options.out_path.empty() ? dir / "out" : options.out_path;
  const std::string err = dir / "err";
  dir.file("in", options.in);
  int pipe_ends[2] = {-1, -1};
  if (options.leave_input_open && pipe(pipe_ends) != 0) return {};
  const pid_t child = fork();
  if (child == 0) {
    if (!options.folder.empty() && chdir(options.folder.c_str()) != 0) _exit(127);
    const int in = options.leave_input_open ? pipe_ends[0] : open((dir / "in").c_str(), O_RDONLY);
    dup2(in, STDIN_FILENO);
    dup2(open(out.c_str(), O_WRONLY | O_CREAT, 0600), STDOUT_FILENO);
    dup2(open(err.c_str(), O_WRONLY | O_CREAT, 0600), STDERR_FILENO);
    setenv("MGNN_OFFLINE", "1", 1);
    setenv("XDG_CACHE_HOME", dir.path().c_str(), 1);
    unsetenv("MGNN_DATA_DIR");
    for (const auto& [name, value] : options.environment)
      value.empty() ? unsetenv(name.c_str()) : setenv(name.c_str(), value.c_str(), 1);
    std::vector<char*> words = {const_cast<char*>(MGNN_BINARY)};
    for (const std::string& word : arguments) words.push_back(const_cast<char*>(word.c_str()));
    words.push_back(nullptr);
    execv(MGNN_BINARY, words.data());
    _exit(127);
  }
  int status = 0;
  if (options.signal) {
    wait_until_caught(child, options.signal);
    std::this_thread::sleep_for(std::chrono::duration<double>(options.seconds_to_signal));
    kill(child, options.signal);
  }
  waitpid(child, &status, 0);
  for (const int end : pipe_ends)
    if (end >= 0) close(end);
  return {exit_code_of(status), options.out_path.empty() ? content_of(out) : "", content_of(err)};
}

}  // namespace mgnn::testing
