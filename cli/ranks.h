// The tool as one of several ranks: mpirun -n 4 mgnn census …
#pragma once

#include "cli/verb.h"
#include "mgnn/comm/comm.h"

namespace mgnn {

// Joins the other ranks, if mpirun or srun started several. Rank 0 alone prints, and threads are those
// that this rank's machine has for it. Throws Error (usage) if the verb cannot be divided.
void join_ranks(const Verb& verb, Globals& globals);
Comm& ranks();       // REQUIRES: join_ranks
void leave_ranks();  // at the end of all

// Whether an error is to be printed here. One that only this rank has ends the others, too, and is
// printed with the rank's number: then this does not return.
bool is_told_here(ErrorKind kind, const std::string& message);

}  // namespace mgnn
