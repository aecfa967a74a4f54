// The ranks of the test program: those that mpirun started, or this process by itself.
#pragma once

#include "mgnn/comm/launch.h"

namespace mgnn::testing {

inline Comm& ranks() {
  static const std::unique_ptr<Comm> comm = launched_comm();
  return *comm;
}

}  // namespace mgnn::testing
