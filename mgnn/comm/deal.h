// Jobs that do not need each other, dealt to ranks as these become free.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "mgnn/comm/comm.h"

namespace mgnn {

struct Deal {
  std::vector<int64_t> jobs;                     // of rank 0; those of the others are not used
  std::function<std::string(int64_t job)> work;  // on any rank -> what came of it
  std::function<void(int64_t job, const std::string&)>
      done;  // on rank 0, one at a time, by any thread
};

// Called by all ranks. If a job throws Error, no more are dealt, and when all that have begun are done the
// error is thrown on all ranks. With one rank jobs are done in their order.
void deal(Comm& comm, const Deal& deal);

}  // namespace mgnn
