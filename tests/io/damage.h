// What a parser must survive.
#pragma once

#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <csignal>
#include <functional>
#include <optional>
#include <string>
#include <tuple>

#include "tests/util.h"

namespace mgnn::testing {

// Cut short anywhere, `whole` must be refused; with any one bit flipped it may be refused or mean
// something else, but only an Error may come out.
inline void survive_damage(const std::string& whole,
                           const std::function<void(const std::string&)>& parse) {
  for (size_t length = 0; length < whole.size(); length++)
    EXPECT_NE(error_of([&] { parse(whole.substr(0, length)); }), "") << "cut to " << length;
  for (size_t bit = 0; bit < 8 * whole.size(); bit++) {
    std::string damaged = whole;
    damaged[bit / 8] = char(damaged[bit / 8] ^ (1 << bit % 8));
    EXPECT_NO_THROW(error_of([&] { parse(damaged); })) << "bit " << bit;
  }
}

// The message of the Error that `action` throws when no file may grow beyond `most` bytes.
inline std::string error_on_full_disk(size_t most, const std::function<void()>& action) {
  rlimit before{};
  getrlimit(RLIMIT_FSIZE, &before);
  const rlimit tight{most, before.rlim_max};
  const auto handler = std::signal(SIGXFSZ, SIG_IGN);
  setrlimit(RLIMIT_FSIZE, &tight);
  const std::string message = error_of(action);
  setrlimit(RLIMIT_FSIZE, &before);
  std::signal(SIGXFSZ, handler);
  return message;
}

// The message of the Error that `action` throws when nobody may write to `folder`. Root may write
// anywhere, so that another user acts in its stead; nothing if the system does not allow that.
inline std::optional<std::string> error_in_read_only_folder(const std::string& folder,
                                                            const std::function<void()>& action) {
  constexpr uid_t kNobody = 65534;
  const uid_t user = geteuid();
  chmod(folder.c_str(), 0555);
  if (user == 0 && seteuid(kNobody) != 0) return std::nullopt;
  const std::string message = error_of(action);
  if (user == 0) std::ignore = seteuid(user);
  chmod(folder.c_str(), 0700);
  return message;
}

}  // namespace mgnn::testing
