// How a process learns that it is one of several.
#pragma once

#include <memory>
#include <string>

#include "mgnn/comm/comm.h"

namespace mgnn {

// What mpirun, mpiexec or srun left in the environment: how many processes it started. 1 if none of them
// did.
int launched_ranks();
int launched_rank();  // which of them this is

// The plug-in for MPI, libmgnn_mpi.so: looked for beside the program, where it is installed.
std::string mpi_plugin_path();  // empty: it is not there
std::string mpi_version();      // "Open MPI v4.1.4", or why there is none

// The ranks of this job: MPI's if several were launched, else this process by itself. Throws Error
// (failed) if there are several, but MPI is not there or does not see them.
std::unique_ptr<Comm> launched_comm();

// By MPI, however it was launched. For tests.
std::unique_ptr<Comm> mpi_comm();

}  // namespace mgnn
