#include "cli/ranks.h"

#include <fcntl.h>
#include <omp.h>
#include <spdlog/spdlog.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <memory>
#include <thread>

#include "mgnn/base/error.h"
#include "mgnn/base/progress.h"
#include "mgnn/base/threads.h"
#include "mgnn/comm/launch.h"

namespace mgnn {
namespace {

std::unique_ptr<Comm>& joined() {
  static std::unique_ptr<Comm> comm;
  return comm;
}

void stay_silent(Globals& globals) {
  globals.quiet = true;
  spdlog::set_level(spdlog::level::off);
  show_progress(false);
  const int nowhere = open("/dev/null", O_WRONLY);
  if (nowhere < 0) return;
  dup2(nowhere, STDOUT_FILENO);
  close(nowhere);
}

// The ranks of a machine share its cores, unless each was bound to some of them.
void share_threads(const Globals& globals, const Comm& comm) {
  if (globals.threads > 0 || std::getenv("OMP_NUM_THREADS")) return;
  const int cores = std::max(1, int(std::thread::hardware_concurrency()));
  set_num_threads(std::max(1, std::min(omp_get_num_procs(), cores / comm.ranks_here())));
}

// Programs may have different paths.
std::string arguments_in(const std::string& command) {
  return command.substr(std::min(command.size(), command.find(' ')));
}

std::string divided_verbs() {
  std::string names;
  for (const Verb& verb : verbs())
    if (verb.divided) names += (names.empty() ? "" : ", ") + std::string(verb.name);
  return names;
}

}  // namespace

void join_ranks(const Verb& verb, Globals& globals) {
  if (launched_ranks() > 1 && !verb.divided)
    fail_usage("{} cannot be divided among {} ranks; start it once (those that can: {})", verb.name,
               launched_ranks(), divided_verbs());
  joined() = launched_comm();
  if (joined()->size() == 1) return;
  check_same(*joined(), "the version of mgnn", MGNN_VERSION);
  check_same(*joined(), "the command", arguments_in(globals.command));
  share_threads(globals, *joined());
  if (joined()->rank() > 0) stay_silent(globals);
}

Comm& ranks() { return *joined(); }

void leave_ranks() { joined().reset(); }

bool is_told_here(ErrorKind kind, const std::string& message) {
  const std::unique_ptr<Comm>& comm = joined();
  if (!comm || comm->size() == 1)  // wrong usage is so on all ranks
    return launched_rank() == 0 || kind != ErrorKind::usage;
  if (comm->failed_together()) return comm->rank() == 0;
  print_to_stderr(fmt::format("mgnn: rank {}: {}\n", comm->rank(), message));
  comm->abort(int(kind));
  return false;
}

}  // namespace mgnn
