// The plug-in libmgnn_mpi.so: MPI 3.1 behind a table of plain functions. The only file that includes mpi.h.
#include <mpi.h>

#include <algorithm>
#include <cstring>
#include <vector>

#include "mgnn/comm/mpi_functions.h"

namespace mgnn {
namespace {

constexpr int64_t kChunk = int64_t(1) << 30;  // MPI counts in int
constexpr int kBulkTag = 1, kSumTag = 4;

MPI_Comm world = MPI_COMM_NULL;  // all that all ranks do
MPI_Comm mail = MPI_COMM_NULL;   // messages from rank to rank

int ranks_of_this_machine(int* count) {
  MPI_Comm here = MPI_COMM_NULL;
  if (const int error =
          MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &here))
    return error;
  MPI_Comm_size(here, count);
  return MPI_Comm_free(&here);
}

int start(int* rank, int* size, int* ranks_here) {
  int level = 0;
  if (const int error = MPI_Init_thread(nullptr, nullptr, MPI_THREAD_MULTIPLE, &level))
    return error;
  if (level < MPI_THREAD_MULTIPLE) return MPI_ERR_UNSUPPORTED_OPERATION;
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  MPI_Comm_dup(MPI_COMM_WORLD, &world);  // hands on the error handler
  MPI_Comm_dup(MPI_COMM_WORLD, &mail);
  MPI_Comm_rank(world, rank);
  MPI_Comm_size(world, size);
  return ranks_of_this_machine(ranks_here);
}

int finish() {
  MPI_Comm_free(&world);
  MPI_Comm_free(&mail);
  return MPI_Finalize();
}

int barrier() { return MPI_Barrier(world); }

int broadcast(void* data, int64_t bytes, int root) {
  for (int64_t at = 0; at < bytes; at += kChunk)
    if (const int error = MPI_Bcast(static_cast<char*>(data) + at,
                                    int(std::min(kChunk, bytes - at)), MPI_BYTE, root, world))
      return error;
  return MPI_SUCCESS;
}

using Requests = std::vector<MPI_Request>;

template <class Post>
int post_chunks(int64_t bytes, Requests& requests, const Post& post) {
  for (int64_t at = 0; at < bytes; at += kChunk) {
    requests.emplace_back();
    if (const int error = post(at, int(std::min(kChunk, bytes - at)), &requests.back()))
      return error;
  }
  return MPI_SUCCESS;
}

// In rounds, in each of which every rank sends to one and receives from one.
int all_to_all(const void* out, const int64_t* out_bytes, void* in, const int64_t* in_bytes) {
  int rank = 0, size = 0;
  MPI_Comm_rank(world, &rank);
  MPI_Comm_size(world, &size);
  std::vector<int64_t> out_start(size_t(size) + 1), in_start(size_t(size) + 1);
  for (int r = 0; r < size; r++) {
    out_start[r + 1] = out_start[r] + out_bytes[r];
    in_start[r + 1] = in_start[r] + in_bytes[r];
  }
  const char* const from_here = static_cast<const char*>(out);
  char* const to_here = static_cast<char*>(in);
  if (out_bytes[rank] > 0)
    std::memcpy(to_here + in_start[rank], from_here + out_start[rank], size_t(out_bytes[rank]));
  for (int step = 1; step < size; step++) {
    const int to = (rank + step) % size, from = (rank - step + size) % size;
    Requests requests;
    int error = post_chunks(in_bytes[from], requests, [&](int64_t at, int count, MPI_Request* r) {
      return MPI_Irecv(to_here + in_start[from] + at, count, MPI_BYTE, from, kBulkTag, world, r);
    });
    if (error) return error;
    error = post_chunks(out_bytes[to], requests, [&](int64_t at, int count, MPI_Request* r) {
      return MPI_Isend(from_here + out_start[to] + at, count, MPI_BYTE, to, kBulkTag, world, r);
    });
    if (error) return error;
    error = MPI_Waitall(int(requests.size()), requests.data(), MPI_STATUSES_IGNORE);
    if (error) return error;
  }
  return MPI_SUCCESS;
}

// REQUIRES: less than 2 GiB of each.
int all_gather(const void* mine, int64_t bytes, void* all) {
  return MPI_Allgather(mine, int(bytes), MPI_BYTE, all, int(bytes), MPI_BYTE, world);
}

// each(at, count) for pieces that MPI can count.
template <class Each>
int for_chunks(int64_t bytes, const Each& each) {
  for (int64_t at = 0; at < bytes; at += kChunk)
    if (const int error = each(at, int(std::min(kChunk, bytes - at)))) return error;
  return MPI_SUCCESS;
}

int accumulate(void* data, int64_t bytes, void (*add)(void*), void* context) {
  int rank = 0, size = 0;
  MPI_Comm_rank(world, &rank);
  MPI_Comm_size(world, &size);
  char* const at = static_cast<char*>(data);
  int error = rank == 0 ? MPI_SUCCESS : for_chunks(bytes, [&](int64_t from, int count) {
    return MPI_Recv(at + from, count, MPI_BYTE, rank - 1, kSumTag, world, MPI_STATUS_IGNORE);
  });
  if (error) return error;
  add(context);
  error = rank + 1 == size ? MPI_SUCCESS : for_chunks(bytes, [&](int64_t from, int count) {
    return MPI_Send(at + from, count, MPI_BYTE, rank + 1, kSumTag, world);
  });
  return error ? error : broadcast(data, bytes, size - 1);
}

int send(int to, int tag, const void* data, int64_t bytes) {
  return MPI_Send(data, int(bytes), MPI_BYTE, to, tag, mail);
}

int probe(int tag, int* from, int64_t* bytes) {
  int is_there = 0, count = 0;
  MPI_Status status;
  *from = -1;
  if (const int error = MPI_Iprobe(MPI_ANY_SOURCE, tag, mail, &is_there, &status)) return error;
  if (!is_there) return MPI_SUCCESS;
  *from = status.MPI_SOURCE;
  const int error = MPI_Get_count(&status, MPI_BYTE, &count);
  *bytes = count;
  return error;
}

int receive(int from, int tag, void* data, int64_t bytes) {
  return MPI_Recv(data, int(bytes), MPI_BYTE, from, tag, mail, MPI_STATUS_IGNORE);
}

void abort(int exit_code) { MPI_Abort(MPI_COMM_WORLD, exit_code); }

void copy_text(const char* from, char* text, int size) {
  const size_t length = std::min(size_t(size) - 1, std::strlen(from));
  std::memcpy(text, from, length);
  text[length] = '\0';
}

void describe(int error, char* text, int size) {
  char full[MPI_MAX_ERROR_STRING + 1] = "";
  int length = 0;
  MPI_Error_string(error, full, &length);
  copy_text(full, text, size);
}

void library(char* text, int size) {
  char full[MPI_MAX_LIBRARY_VERSION_STRING + 1] = "";
  int length = 0;
  MPI_Get_library_version(full, &length);
  copy_text(full, text, size);
}

constexpr MpiFunctions kFunctions = {
    .start = start,
    .finish = finish,
    .barrier = barrier,
    .broadcast = broadcast,
    .all_gather = all_gather,
    .all_to_all = all_to_all,
    .accumulate = accumulate,
    .send = send,
    .probe = probe,
    .receive = receive,
    .abort = abort,
    .describe = describe,
    .library = library,
};

}  // namespace
}  // namespace mgnn

extern "C" [[gnu::visibility("default")]] const mgnn::MpiFunctions* mgnn_mpi_functions(
    int version) {
  return version == mgnn::kMpiTableVersion ? &mgnn::kFunctions : nullptr;
}
