// Several processes, the ranks 0 .. size - 1, that work on one job: what they say to each other.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "mgnn/base/types.h"

namespace mgnn {

// Every function but send, receive and abort is called by all ranks, in the same order. Sizes are 64-bit
// numbers of bytes. A lost connection throws Error (failed).
class Comm {
 public:
  virtual ~Comm() = default;

  virtual int rank() const = 0;
  virtual int size() const = 0;
  virtual int ranks_here() const = 0;  // of this machine
  virtual void barrier() = 0;
  // The bytes of rank `root` come to be those of all.
  virtual void broadcast(void* data, int64_t bytes, int root) = 0;
  // `all` gets the bytes of all ranks, as many of each, in the order of ranks.
  virtual void all_gather(const void* mine, int64_t bytes, void* all) = 0;
  // `out` has out_bytes[r] bytes for every rank r, one after the other; `in` gets in_bytes[r] from it.
  virtual void all_to_all(const void* out, std::span<const int64_t> out_bytes, void* in,
                          std::span<const int64_t> in_bytes) = 0;
  // Sums in the order of ranks: each gets `data` from the one before, `add` puts on top what it has itself
  // (on rank 0: begins with it), and the bytes of the last come to be those of all.
  virtual void accumulate(void* data, int64_t bytes, const std::function<void()>& add) = 0;

  // Messages from rank to rank; any thread may use these.
  virtual void send(int to, std::string_view message) = 0;
  // The next message for this rank, and who sent it; waits until there is one, or `stop` says so.
  struct Message {
    int from = -1;  // -1: stopped
    std::string text = {};
  };
  virtual Message receive(const std::function<bool()>& stop) = 0;

  // Ends all ranks at once.
  [[noreturn]] virtual void abort(int exit_code) = 0;

  // Whether all ranks throw the same error: see all_or_none.
  bool failed_together() const { return failed_together_; }
  void set_failed_together() { failed_together_ = true; }

  // To other ranks, by all_to_all and accumulate; there the last rank sends to all others.
  int64_t bytes_sent() const { return bytes_sent_; }

 protected:
  int64_t bytes_sent_ = 0;
  bool failed_together_ = false;
};

// One process by itself.
std::unique_ptr<Comm> self_comm();

// ---- what is made of these

// Lists of plain values for each rank, and what came from each.
template <class T>
struct PerRank {
  Array<T> values;
  std::vector<int64_t>
      start;  // (ranks + 1) those of rank r are values[start[r]] .. start[r + 1] - 1

  std::span<const T> of(int r) const {
    return {values.data() + start[r], size_t(start[r + 1] - start[r])};
  }
};

// Places for values by rank: counts are added first, then `start` runs over them.
template <class T>
PerRank<T> per_rank(const std::vector<int64_t>& counts) {
  PerRank<T> lists;
  lists.start.assign(counts.size() + 1, 0);
  for (size_t r = 0; r < counts.size(); r++) lists.start[r + 1] = lists.start[r] + counts[r];
  lists.values.resize(size_t(lists.start.back()));
  return lists;
}

// Every rank's counts for every other one -> how many come from each.
std::vector<int64_t> exchange_counts(Comm& comm, const std::vector<int64_t>& counts);

template <class T>
PerRank<T> exchange_lists(Comm& comm, const PerRank<T>& out) {
  const auto ranks = size_t(comm.size());
  std::vector<int64_t> counts(ranks), out_bytes(ranks), in_bytes(ranks);
  for (size_t r = 0; r < ranks; r++) counts[r] = out.start[r + 1] - out.start[r];
  const std::vector<int64_t> incoming = exchange_counts(comm, counts);
  PerRank<T> in = per_rank<T>(incoming);
  for (size_t r = 0; r < ranks; r++) {
    out_bytes[r] = counts[r] * int64_t(sizeof(T));
    in_bytes[r] = incoming[r] * int64_t(sizeof(T));
  }
  comm.all_to_all(out.values.data(), out_bytes, in.values.data(), in_bytes);
  return in;
}

// The values of every rank, as many of each, in the order of ranks.
template <class T>
std::vector<T> gather(Comm& comm, const T& mine) {
  std::vector<T> all(size_t(comm.size()));
  comm.all_gather(&mine, sizeof(T), all.data());
  return all;
}

// Sums over the ranks, in their order.
void sum_over_ranks(Comm& comm, std::span<int64_t> values);
int64_t sum_over_ranks(Comm& comm, int64_t value);
std::vector<std::string> gather_texts(Comm& comm, const std::string& mine);
std::string broadcast_text(Comm& comm, const std::string& text, int root = 0);

// Throws Error (usage) on all ranks unless the text is the same on all. `what` opens the message: "the
// version of mgnn".
void check_same(Comm& comm, const std::string& what, const std::string& text);

// Runs `work` on every rank; if it throws Error on any, the first rank's is thrown on all, so that no
// rank waits for one that has failed.
void all_or_none(Comm& comm, const std::function<void()>& work);

}  // namespace mgnn
