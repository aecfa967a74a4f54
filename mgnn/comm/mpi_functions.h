// What libmgnn_mpi.so offers: plain functions, so that nothing but this table passes between mgnn and MPI.
#pragma once

#include <cstdint>

namespace mgnn {

// Functions return an error code of MPI, 0 if all is well; see `describe`. Contracts are those of Comm.
struct MpiFunctions {
  int (*start)(int* rank, int* size, int* ranks_here);
  int (*finish)();
  int (*barrier)();
  int (*broadcast)(void* data, int64_t bytes, int root);
  int (*all_gather)(const void* mine, int64_t bytes, void* all);
  int (*all_to_all)(const void* out, const int64_t* out_bytes, void* in, const int64_t* in_bytes);
  int (*accumulate)(void* data, int64_t bytes, void (*add)(void* context), void* context);
  int (*send)(int to, int tag, const void* data, int64_t bytes);
  int (*probe)(int tag, int* from, int64_t* bytes);  // from: -1 if there is nothing to receive
  int (*receive)(int from, int tag, void* data, int64_t bytes);
  void (*abort)(int exit_code);
  void (*describe)(int error, char* text, int size);  // what an error code says
  void (*library)(char* text, int size);              // "Open MPI v4.1.4, …"
};

constexpr int kMpiTableVersion = 2;
constexpr const char* kMpiEntry = "mgnn_mpi_functions";
using MpiEntry = const MpiFunctions*(int table_version);  // null: of another version

}  // namespace mgnn
