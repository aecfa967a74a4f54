// One set of tests for both implementations. Started by mpirun (see tests/cluster) they run on as many
// ranks as there are; without it, on one.
#include "mgnn/comm/comm.h"

#include <gtest/gtest.h>

#include <map>
#include <thread>

#include "mgnn/base/error.h"
#include "mgnn/base/rng.h"
#include "mgnn/comm/launch.h"
#include "tests/cluster/ranks.h"

namespace mgnn {
namespace {

Comm& comm() { return testing::ranks(); }

TEST(Comm, RanksAreNumbered) {
  EXPECT_EQ(comm().size(), launched_ranks());
  const std::vector<int> all = gather(comm(), comm().rank());
  for (int r = 0; r < comm().size(); r++) EXPECT_EQ(all[r], r);
  EXPECT_GE(comm().ranks_here(), 1);
}

TEST(Comm, TheRootsBytesComeToAll) {
  for (int root = 0; root < comm().size(); root++) {
    const std::string mine = fmt::format("of rank {}", comm().rank());
    EXPECT_EQ(broadcast_text(comm(), mine, root), fmt::format("of rank {}", root));
  }
  EXPECT_EQ(broadcast_text(comm(), ""), "");
}

// Rank a sends b a list whose length and values follow from both.
int64_t length_of(int a, int b) { return (a * 7 + b * 3) % 5 * 1000; }
int64_t value_of(int a, int b, int64_t i) {
  return int64_t(mix_bits(uint64_t(a) << 40 | uint64_t(b) << 32 | uint64_t(i)));
}

TEST(Comm, ListsArriveWhereTheyAreSent) {
  const int me = comm().rank(), ranks = comm().size();
  std::vector<int64_t> counts;
  for (int r = 0; r < ranks; r++) counts.push_back(length_of(me, r));
  PerRank<int64_t> out = per_rank<int64_t>(counts);
  for (int r = 0; r < ranks; r++)
    for (int64_t i = 0; i < counts[r]; i++) out.values[out.start[r] + i] = value_of(me, r, i);
  const int64_t sent_before = comm().bytes_sent();
  const PerRank<int64_t> in = exchange_lists(comm(), out);
  int64_t sent = 0;
  for (int r = 0; r < ranks; r++) {
    ASSERT_EQ(int64_t(in.of(r).size()), length_of(r, me));
    for (int64_t i = 0; i < length_of(r, me); i++) ASSERT_EQ(in.of(r)[i], value_of(r, me, i));
    if (r != me) sent += 8 * counts[r] + 8;  // with the counts
  }
  EXPECT_EQ(comm().bytes_sent() - sent_before, sent);
}

TEST(Comm, SumsAndTexts) {
  std::vector<int64_t> values = {1, comm().rank(), int64_t(1) << 40};
  sum_over_ranks(comm(), values);
  const int64_t n = comm().size();
  EXPECT_EQ(values, (std::vector<int64_t>{n, n * (n - 1) / 2, n << 40}));
  const auto texts = gather_texts(comm(), std::string(size_t(comm().rank()), 'x'));
  for (int r = 0; r < comm().size(); r++) EXPECT_EQ(texts[r], std::string(size_t(r), 'x'));
}

TEST(Comm, AnErrorOfOneRankIsThatOfAll) {
  const int last = comm().size() - 1;
  try {
    all_or_none(comm(), [&] {
      if (comm().rank() == last) fail_data("file:{}: is wrong", 7);
    });
    FAIL();
  } catch (const Error& error) {
    EXPECT_STREQ(error.what(), "file:7: is wrong");
    EXPECT_EQ(error.kind(), ErrorKind::data);
  }
  all_or_none(comm(), [] {});
}

TEST(Comm, DifferencesAreRefusedByAll) {
  check_same(comm(), "the version", "0.1");
  if (comm().size() == 1) return;
  try {
    check_same(comm(), "the version", comm().rank() == 1 ? "0.2" : "0.1");
    FAIL();
  } catch (const Error& error) {
    EXPECT_STREQ(error.what(),
                 "the version is not the same on all ranks: \"0.1\" on rank 0, \"0.2\" on rank 1");
  }
}

TEST(Comm, MessagesOfAllRanksReachTheFirst) {
  constexpr int kMessages = 20;
  std::map<int, int> received;
  std::thread reader;
  if (comm().rank() == 0)
    reader = std::thread([&] {
      for (int i = 0; i < kMessages * comm().size(); i++) {
        const Comm::Message message = comm().receive([] { return false; });
        EXPECT_EQ(message.text, fmt::format("{} {}", message.from, received[message.from]++));
      }
    });
  for (int i = 0; i < kMessages; i++) comm().send(0, fmt::format("{} {}", comm().rank(), i));
  if (reader.joinable()) reader.join();
  EXPECT_EQ(int(received.size()), comm().rank() == 0 ? comm().size() : 0);
  comm().barrier();
  EXPECT_EQ(comm().receive([] { return true; }).from, -1);
}

}  // namespace
}  // namespace mgnn
