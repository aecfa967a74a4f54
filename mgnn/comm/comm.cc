#include "mgnn/comm/comm.h"

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <deque>
#include <mutex>
#include <thread>

#include "mgnn/base/error.h"

namespace mgnn {
namespace {

class SelfComm : public Comm {
 public:
  int rank() const override { return 0; }
  int size() const override { return 1; }
  int ranks_here() const override { return 1; }
  void barrier() override {}
  void broadcast(void*, int64_t, int) override {}
  void all_gather(const void* mine, int64_t bytes, void* all) override { copy(mine, bytes, all); }
  void all_to_all(const void* out, std::span<const int64_t> out_bytes, void* in,
                  std::span<const int64_t>) override {
    copy(out, out_bytes[0], in);
  }
  void accumulate(void*, int64_t, const std::function<void()>& add) override { add(); }
  void send(int, std::string_view message) override {
    const std::lock_guard lock(mutex_);
    messages_.emplace_back(message);
  }
  Message receive(const std::function<bool()>& stop) override {
    for (;; std::this_thread::sleep_for(std::chrono::milliseconds(1))) {
      const std::lock_guard lock(mutex_);
      if (!messages_.empty()) {
        Message message{0, std::move(messages_.front())};
        messages_.pop_front();
        return message;
      }
      if (stop()) return {};
    }
  }
  void abort(int exit_code) override { std::_Exit(exit_code); }

 private:
  static void copy(const void* from, int64_t bytes, void* to) {
    if (bytes > 0) std::memcpy(to, from, size_t(bytes));
  }

  std::mutex mutex_;
  std::deque<std::string> messages_;
};

}  // namespace

std::unique_ptr<Comm> self_comm() { return std::make_unique<SelfComm>(); }

std::vector<int64_t> exchange_counts(Comm& comm, const std::vector<int64_t>& counts) {
  std::vector<int64_t> incoming(counts.size());
  const std::vector<int64_t> bytes(counts.size(), sizeof(int64_t));
  comm.all_to_all(counts.data(), bytes, incoming.data(), bytes);
  return incoming;
}

void sum_over_ranks(Comm& comm, std::span<int64_t> values) {
  std::vector<int64_t> all(values.size() * size_t(comm.size()));
  comm.all_gather(values.data(), int64_t(values.size_bytes()), all.data());
  for (size_t i = 0; i < values.size(); i++) {
    values[i] = 0;
    for (size_t r = 0; r < size_t(comm.size()); r++) values[i] += all[r * values.size() + i];
  }
}

int64_t sum_over_ranks(Comm& comm, int64_t value) {
  sum_over_ranks(comm, std::span(&value, 1));
  return value;
}

std::vector<std::string> gather_texts(Comm& comm, const std::string& mine) {
  const auto ranks = size_t(comm.size());
  PerRank<char> out = per_rank<char>(std::vector<int64_t>(ranks, int64_t(mine.size())));
  for (size_t r = 0; r < ranks; r++)
    std::copy(mine.begin(), mine.end(), out.values.data() + out.start[r]);
  const PerRank<char> in = exchange_lists(comm, out);
  std::vector<std::string> texts;
  for (size_t r = 0; r < ranks; r++) {
    const std::span<const char> text = in.of(int(r));
    texts.emplace_back(text.begin(), text.end());
  }
  return texts;
}

std::string broadcast_text(Comm& comm, const std::string& text, int root) {
  auto bytes = int64_t(text.size());
  comm.broadcast(&bytes, sizeof bytes, root);
  std::string result = text;
  result.resize(size_t(bytes));
  comm.broadcast(result.data(), bytes, root);
  return result;
}

void check_same(Comm& comm, const std::string& what, const std::string& text) {
  const std::vector<std::string> texts = gather_texts(comm, text);
  for (size_t r = 1; r < texts.size(); r++) {
    if (texts[r] == texts[0]) continue;
    comm.set_failed_together();
    fail_usage("{} is not the same on all ranks: {} on rank 0, {} on rank {}", what,
               in_quotes(texts[0]), in_quotes(texts[r]), r);
  }
}

void all_or_none(Comm& comm, const std::function<void()>& work) {
  std::string failure;  // empty: none; else the kind, and what is wrong
  std::exception_ptr mine;
  try {
    work();
  } catch (const Error& error) {
    failure = char(int(error.kind())) + std::string(error.what());
    mine = std::current_exception();
  }
  if (comm.size() == 1) {
    if (mine) std::rethrow_exception(mine);
    return;
  }
  const std::vector<std::string> failures = gather_texts(comm, failure);
  for (size_t r = 0; r < failures.size(); r++) {
    if (failures[r].empty()) continue;
    comm.set_failed_together();
    if (int(r) == comm.rank()) std::rethrow_exception(mine);  // with its hint
    throw Error(ErrorKind(uint8_t(failures[r][0])), failures[r].substr(1));
  }
}

}  // namespace mgnn
