// The folder of a search or comparison: its plan and a finished trial, one after the other with a record
// separator between them.
#include "fuzz/scratch.h"
#include "mgnn/base/error.h"
#include "mgnn/task/trial_folder.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace mgnn;
  static const fuzz::Scratch scratch;
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  const std::string_view plan = bytes.substr(0, bytes.find('\x1e'));
  scratch.write("plan.json", plan);
  scratch.write("trial.json", bytes.substr(std::min(plan.size() + 1, size)));
  try {
    const TrialFolder folder = TrialFolder::open(scratch.path(""));
    folder.note();
    folder.check_plan(folder.plan());
    folder.find("trial");
  } catch (const Error&) {
  }
  return 0;
}
