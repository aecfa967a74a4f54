// Training beside other programs: what the default number of threads takes against one thread while two
// processes per core compute, and what it costs on an idle machine that waiting threads yield early.
// Every measurement is a process of its own; kinds take turns, and the median counts.
// Usage: contention_bench [trials: 5] [epochs: 60] [data: cora, or roles where it is not here]
#include <fmt/format.h>
#include <sys/wait.h>
#include <unistd.h>

#include "bench/bench.h"
#include "mgnn/base/threads.h"
#include "mgnn/task/config.h"

namespace {

using namespace mgnn;

// Seconds of one training, without loading the data; -1 if they are not here.
double training_seconds(const std::string& data, int64_t epochs) {
  const auto config = resolve_config({.sets = {{"data.source", data},
                                               {"data.download", false},
                                               {"train.epochs", epochs},
                                               {"train.patience", int64_t(0)}}});
  const Dataset dataset = load_for_training(*config);
  return bench::seconds([&] { run_task(*config, dataset); });
}

struct Kind {
  const char* name;
  const char* threads;     // 0: the default
  const char* spin_count;  // of libgomp; null: as the library has it
  std::vector<double> seconds = {};
};

// Runs this program again, to train once.
double measured(const Kind& kind, const std::string& data, const std::string& epochs) {
  int ends[2];
  if (pipe(ends) != 0) return -1;
  const pid_t child = fork();
  if (child == 0) {
    dup2(ends[1], 1);
    unsetenv("OMP_WAIT_POLICY");
    unsetenv("GOMP_SPINCOUNT");
    if (kind.spin_count) setenv("GOMP_SPINCOUNT", kind.spin_count, 1);
    execl("/proc/self/exe", "contention_bench", "--train", kind.threads, data.c_str(),
          epochs.c_str(), nullptr);
    _exit(127);
  }
  close(ends[1]);
  char text[64] = "";
  const ssize_t length = read(ends[0], text, sizeof text - 1);
  close(ends[0]);
  int status = 0;
  waitpid(child, &status, 0);
  return status == 0 && length > 0 ? std::atof(text) : -1;
}

std::vector<pid_t> start_busy_processes() {
  std::vector<pid_t> busy;
  for (long i = 0; i < 2 * sysconf(_SC_NPROCESSORS_ONLN); i++) {
    busy.push_back(fork());
    if (busy.back() == 0)
      for (volatile uint64_t x = 0;;) x = x + 1;
  }
  return busy;
}

double ratio_of(Kind a, Kind b, int trials, const std::string& data, const std::string& epochs) {
  for (int i = 0; i < trials; i++)
    for (Kind* kind : {&a, &b}) kind->seconds.push_back(measured(*kind, data, epochs));
  for (const Kind& kind : {a, b})
    fmt::print("  {:32} {:8.3f} s\n", kind.name, bench::median(kind.seconds));
  return bench::median(a.seconds) / bench::median(b.seconds);
}

}  // namespace

int main(int argc, char** argv) {
  if (argc == 5 && std::string(argv[1]) == "--train") {
    set_num_threads(std::atoi(argv[2]));
    std::printf("%f\n", training_seconds(argv[3], std::atoll(argv[4])));
    return 0;
  }
  const int trials = argc > 1 ? std::atoi(argv[1]) : 5;
  const std::string epochs = argc > 2 ? argv[2] : "60";
  std::string data = argc > 3 ? argv[3] : "cora";
  if (measured({"", "1", nullptr}, data, "1") < 0) data = "roles";
  const Kind all{"default threads", "0", nullptr}, one{"one thread", "1", nullptr},
      spinning{"default threads that spin long", "0", "300000"};
  fmt::print("{}, {} epochs; idle\n", data, epochs);
  bench::ratio("idle_yielding_over_spinning", ratio_of(all, spinning, trials, data, epochs));
  fmt::print("two busy processes per core\n");
  std::fflush(stdout);
  const std::vector<pid_t> busy = start_busy_processes();
  bench::ratio("busy_default_threads_over_one", ratio_of(all, one, trials, data, epochs));
  bench::ratio("busy_spinning_over_one", ratio_of(spinning, one, 1, data, epochs));
  for (const pid_t process : busy) kill(process, SIGKILL);
  for (const pid_t process : busy) waitpid(process, nullptr, 0);
  bench::print_ratios();
}
