#include "mgnn/data/embedded.h"

#include "mgnn/base/error.h"

namespace mgnn {

const std::vector<std::string>& embedded_names() {
  static const std::vector<std::string> names = {"karate", "roles", "triads", "toykg"};
  return names;
}

Dataset embedded_dataset(const std::string& name, uint64_t seed) {
  if (name == "karate") return karate_dataset();
  if (name == "roles") return roles_dataset({}, seed);
  if (name == "triads") return triads_dataset({}, seed);
  if (name == "toykg") return toykg_dataset({}, seed);
  fail_usage("no embedded dataset is called {}; {}", in_quotes(name),
             did_you_mean(name, embedded_names(), "choose karate, roles, triads or toykg"));
}

}  // namespace mgnn
