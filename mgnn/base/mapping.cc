#include "mgnn/base/mapping.h"

#include <unistd.h>

#include <array>
#include <atomic>
#include <csignal>
#include <cstring>
#include <mutex>

#include "mgnn/base/error.h"
#include "mgnn/base/temporary.h"

namespace mgnn {
namespace {

// What a signal handler can read, who takes no mutex: `begin` is set last.
struct Mapping {
  std::atomic<const char*> begin = nullptr;
  size_t size = 0;
  std::array<char, 1024> path = {};
};
static_assert(std::atomic<const char*>::is_always_lock_free);
std::array<Mapping, 16> mappings;  // those beyond are not named
std::mutex mappings_mutex;

void say(const char* text) {
  if (write(STDERR_FILENO, text, std::strlen(text)) < 0) return;  // nobody need read it
}

void on_bus_error(int signal, siginfo_t* info, void*) {
  const auto* const at = static_cast<const char*>(info->si_addr);
  for (const Mapping& mapping : mappings) {
    const char* const begin = mapping.begin;
    if (!begin || at < begin || at >= begin + mapping.size) continue;
    remove_listed_temporaries();
    say("mgnn: ");
    say(mapping.path.data());
    say(": cannot be read to its end: it became shorter meanwhile, or the disk failed\n");
    _exit(int(ErrorKind::data));
  }
  std::signal(signal, SIG_DFL);  // and the instruction is tried again
}

}  // namespace

void list_mapping(std::string_view bytes, const std::string& path) {
  const std::lock_guard lock(mappings_mutex);
  for (Mapping& mapping : mappings) {
    if (mapping.begin) continue;
    mapping.size = bytes.size();
    const size_t length = std::min(path.size(), mapping.path.size() - 1);
    std::memcpy(mapping.path.data(), path.data(), length);
    mapping.path[length] = 0;
    mapping.begin = bytes.data();
    return;
  }
}

void unlist_mapping(const char* begin) {
  const std::lock_guard lock(mappings_mutex);
  for (Mapping& mapping : mappings)
    if (mapping.begin == begin) mapping.begin = nullptr;
}

void catch_shrinking_files() {
  struct sigaction action {};
  action.sa_sigaction = on_bus_error;
  action.sa_flags = SA_SIGINFO;
  sigaction(SIGBUS, &action, nullptr);
}

}  // namespace mgnn
