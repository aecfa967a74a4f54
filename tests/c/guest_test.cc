// The library in somebody else's process: threads, forks, interruption, memory.

#include <malloc.h>
#include <omp.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <fstream>
#include <thread>

#include "tests/c/support.h"

namespace {

constexpr int64_t kManyNodes = 20'000, kManyArcs = 400'000;  // worth threads

mgnn_call with_threads(int64_t threads) {
  auto call = sized<mgnn_call>();
  call.threads = threads;
  return call;
}

double seconds_since(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

struct Polls {
  std::thread::id thread;
  std::chrono::steady_clock::time_point start = std::chrono::steady_clock::now();
  int calls = 0, elsewhere = 0;
  double stop_after = 0;
};
int32_t poll_once(void* context) {
  Polls& polls = *static_cast<Polls*>(context);
  polls.calls++;
  polls.elsewhere += std::this_thread::get_id() != polls.thread;
  return seconds_since(polls.start) > polls.stop_after;
}

struct Reports {
  std::thread::id thread;
  int calls = 0, elsewhere = 0, finished = 0;
  std::string label;
};
void report(void* context, const char* label, int64_t done, int64_t total, const char*, const char*,
            int32_t finished) {
  Reports& reports = *static_cast<Reports*>(context);
  reports.calls++;
  reports.elsewhere += std::this_thread::get_id() != reports.thread;
  reports.finished += finished;
  reports.label = label;
  EXPECT_LE(done, total);
}

TEST(CGuest, ThreadsBelongToTheCall) {
  const int before = omp_get_max_threads();
  const GraphHandle graph = graph_of(random_arcs(kManyNodes, kManyArcs, 1));
  const mgnn_call one = with_threads(1), three = with_threads(3);
  const std::vector<int64_t> alone = totals(graph.get(), &one);
  EXPECT_EQ(omp_get_max_threads(), before);
  EXPECT_EQ(totals(graph.get(), &three), alone);
  EXPECT_EQ(omp_get_max_threads(), before);
  int64_t threads = 0;
  omp_set_num_threads(3);
  EXPECT_OK(mgnn_threads(&threads));
  EXPECT_EQ(threads, 3);  // heard at once
  omp_set_num_threads(1);
  EXPECT_OK(mgnn_threads(&threads));
  EXPECT_EQ(threads, 1);
  omp_set_num_threads(before);
  const mgnn_call wrong = with_threads(-1);
  std::vector<int64_t> total(13);
  auto counts = sized<mgnn_census_counts>();
  counts.total = total.data();
  EXPECT_EQ(mgnn_census(&wrong, graph.get(), nullptr, &counts), MGNN_USAGE);
}

TEST(CGuest, EightThreadsAtOnce) {
  const GraphHandle graph = graph_of(random_arcs(5'000, 120'000, 2));
  const std::vector<int64_t> expected = totals(graph.get());
  std::atomic<int> wrong = 0;
  std::vector<std::thread> threads;
  for (int t = 0; t < 8; t++)
    threads.emplace_back([&, t] {
      const mgnn_call call = with_threads(1 + t % 3);
      for (int i = 0; i < 3; i++) {
        const GraphHandle own = graph_of(random_arcs(200, 2'000, uint64_t(t)), &call);
        wrong += totals(graph.get(), &call) != expected;
        const auto motifs = made<MotifsHandle>(
            [&](mgnn_motifs** m) { return mgnn_motifs_new(&call, own.get(), nullptr, m); });
        mgnn_graph* none = nullptr;  // errors are each thread's own
        const std::string what = "nothing" + std::to_string(t);
        wrong += mgnn_graph_load(&call, what.c_str(), nullptr, &none) != MGNN_USAGE;
        wrong += std::string(last_error().message).find(what) == std::string::npos;
      }
    });
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(wrong, 0);
}

// What one thread says: a training of its own, an embedding, and predictions of a run that all share.
struct Said {
  std::string model;
  std::vector<float> vectors, probability;
  bool operator==(const Said&) const = default;
};
Said said_by(const mgnn_call* call, const mgnn_dataset* data, const mgnn_run* shared) {
  auto training = sized<mgnn_train_options>();
  training.settings = "model.name=mgnn\nepochs=4\npatience=0\nseeds=2\n";
  const auto run =
      made<RunHandle>([&](mgnn_run** r) { return mgnn_train(call, data, &training, r); });
  auto embedding = sized<mgnn_embed_options>();
  embedding.method = "deepwalk";
  embedding.settings = "dimension=8\nwalks=2\nlength=10\n";
  const auto vectors =
      made<MatrixHandle>([&](mgnn_matrix** m) { return mgnn_embed(call, data, &embedding, m); });
  const auto probability = made<MatrixHandle>(
      [&](mgnn_matrix** m) { return mgnn_run_predict(call, shared, data, MGNN_PROBABILITIES, m); });
  return {bytes_of([&](mgnn_buffer** b) { return mgnn_run_to_bytes(run.get(), b); }),
          values_of(vectors.get()), values_of(probability.get())};
}

TEST(CGuest, EightThreadsTrainEmbedAndPredict) {
  const DatasetHandle data = loaded("karate");
  auto training = sized<mgnn_train_options>();
  training.settings = "epochs=3\npatience=0\n";
  const auto shared =
      made<RunHandle>([&](mgnn_run** r) { return mgnn_train(nullptr, data.get(), &training, r); });
  const Said alone = said_by(nullptr, data.get(), shared.get());
  std::atomic<int> wrong = 0;
  std::vector<std::thread> threads;
  for (int t = 0; t < 8; t++)
    threads.emplace_back([&, t] {
      Polls polls{.thread = std::this_thread::get_id(), .stop_after = 1e9};
      Reports reports{.thread = std::this_thread::get_id()};
      auto call = with_threads(1 + t % 3);
      call.poll = poll_once, call.poll_context = &polls;
      call.progress = report, call.progress_context = &reports;
      wrong += said_by(&call, data.get(), shared.get()) != alone;
      wrong += polls.elsewhere + reports.elsewhere;
    });
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(wrong, 0);
}

// The child counts and says in its exit code whether it counted the same.
TEST(CGuest, AForkedChildWorks) {
  const GraphHandle graph = graph_of(random_arcs(kManyNodes, kManyArcs, 3));
  const mgnn_call two = with_threads(2);
  const std::vector<int64_t> expected = totals(graph.get(), &two);
  const pid_t child = fork();
  ASSERT_GE(child, 0);
  if (child == 0) {
    alarm(60);
    const GraphHandle again = graph_of(random_arcs(kManyNodes, kManyArcs, 3), &two);
    const auto motifs = made<MotifsHandle>(
        [&](mgnn_motifs** m) { return mgnn_motifs_new(&two, again.get(), nullptr, m); });
    int64_t threads = 0;
    const bool single = mgnn_threads(&threads) == MGNN_OK && threads == 1;
    _exit(totals(again.get(), &two) == expected && motifs && single ? 0 : 1);
  }
  int status = 0;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0)
      << (WIFSIGNALED(status) ? "killed by alarm: it hangs" : "other counts");
  EXPECT_EQ(totals(graph.get(), &two), expected);  // the parent goes on as before
}

TEST(CGuest, ATokenStopsLongWork) {
  const GraphHandle graph = graph_of(random_arcs(300, 3'000, 4));
  const auto cancel = made<CancelHandle>(mgnn_cancel_new);
  auto call = with_threads(2);
  call.cancel = cancel.get();
  std::thread stopper([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(200));
    EXPECT_OK(mgnn_cancel_request(cancel.get()));
  });
  std::vector<double> mean(13);
  auto counts = sized<mgnn_null_counts>();
  counts.mean = mean.data();
  EXPECT_EQ(mgnn_null_model(&call, graph.get(), "subgraph", 1'000'000, 0, &counts),
            MGNN_INTERRUPTED);
  stopper.join();
  std::vector<int64_t> total(13);
  auto census = sized<mgnn_census_counts>();
  census.total = total.data();
  EXPECT_EQ(mgnn_census(&call, graph.get(), nullptr, &census), MGNN_INTERRUPTED);
  EXPECT_OK(mgnn_cancel_clear(cancel.get()));
  EXPECT_OK(mgnn_census(&call, graph.get(), nullptr, &census));
}

// Repetitions run one per thread; the thread that polls may be done before the others.
TEST(CGuest, PollStopsTrainingOnAllThreads) {
  Polls polls{.thread = std::this_thread::get_id(), .stop_after = 0.3};
  auto call = with_threads(2);
  call.poll = poll_once;
  call.poll_context = &polls;
  auto options = sized<mgnn_train_options>();
  options.settings = "train.epochs=10000000\ntrain.patience=0\nseeds=3\n";
  const DatasetHandle data = loaded("karate");
  mgnn_run* run = nullptr;
  EXPECT_EQ(mgnn_train(&call, data.get(), &options, &run), MGNN_INTERRUPTED);
  EXPECT_EQ(run, nullptr);
  EXPECT_GT(polls.calls, 1);
  EXPECT_EQ(polls.elsewhere, 0);
  EXPECT_LT(polls.calls, 20 * seconds_since(polls.start) + 5);  // at most every 50 ms
}

TEST(CGuest, ProgressIsToldToTheCaller) {
  const GraphHandle graph = graph_of(random_arcs(300, 3'000, 5));
  Reports reports{.thread = std::this_thread::get_id()};
  Polls polls{.thread = std::this_thread::get_id(), .stop_after = 1.5};
  auto call = with_threads(2);
  call.progress = report;
  call.progress_context = &reports;
  call.poll = poll_once;
  call.poll_context = &polls;
  std::vector<double> mean(13);
  auto counts = sized<mgnn_null_counts>();
  counts.mean = mean.data();
  EXPECT_EQ(mgnn_null_model(&call, graph.get(), "subgraph", 1'000'000, 0, &counts),
            MGNN_INTERRUPTED);
  EXPECT_GT(reports.calls, 1);
  EXPECT_EQ(reports.elsewhere, 0);
  EXPECT_EQ(reports.finished, 1);
  EXPECT_EQ(reports.label, "null model");
}

int64_t resident_bytes() {
  std::ifstream file("/proc/self/statm");
  int64_t size = 0, resident = 0;
  file >> size >> resident;
  return resident * sysconf(_SC_PAGESIZE);
}

TEST(CGuest, TenThousandHandlesLeaveNothing) {
#if defined(__has_feature)
#if __has_feature(thread_sanitizer)
  GTEST_SKIP() << "the sanitizer keeps records of its own";
#endif
#endif
  const auto use_one = [](uint64_t seed) {
    const GraphHandle graph = graph_of(random_arcs(50, 300, seed));
    const auto motifs = made<MotifsHandle>(
        [&](mgnn_motifs** m) { return mgnn_motifs_new(nullptr, graph.get(), nullptr, m); });
    totals(graph.get());
    const auto dataset = made<DatasetHandle>(
        [&](mgnn_dataset** d) { return mgnn_dataset_new(graph.get(), "one", d); });
    const std::vector<float> x(50 * 20, 1.f);
    EXPECT_OK(mgnn_dataset_set_features(dataset.get(), 50, 20, x.data(), -1));
    json_of([&](mgnn_buffer** b) { return mgnn_dataset_info(dataset.get(), b); });
  };
  for (uint64_t i = 0; i < 500; i++) use_one(i);
  malloc_trim(0);
  const int64_t before = resident_bytes();
  for (uint64_t i = 0; i < 10'000; i++) use_one(i);
  malloc_trim(0);
  EXPECT_LT(resident_bytes() - before, 4 << 20);  // 400 bytes each would be seen
}

TEST(CGuest, StructsOfOtherVersionsAreRead) {
  EXPECT_EQ(mgnn_abi_version(), MGNN_ABI_VERSION);
  const GraphHandle graph = loaded_graph("karate");
  struct {
    mgnn_call call;
    int64_t later;
  } newer{sized<mgnn_call>(), 0};
  newer.call.size = sizeof newer;
  EXPECT_EQ(totals(graph.get(), &newer.call), totals(graph.get()));
  newer.later = 1;
  std::vector<int64_t> total(13);
  auto counts = sized<mgnn_census_counts>();
  counts.total = total.data();
  EXPECT_EQ(mgnn_census(&newer.call, graph.get(), nullptr, &counts), MGNN_USAGE);
  auto older = sized<mgnn_graph_info>();
  older.size = 3 * sizeof(int64_t);
  older.fingerprint = 77;
  EXPECT_OK(mgnn_graph_get_info(graph.get(), &older));
  EXPECT_EQ(older.num_nodes, 34);
  EXPECT_EQ(older.fingerprint, 77u);
  mgnn_call unset{};
  EXPECT_EQ(mgnn_census(&unset, graph.get(), nullptr, &counts), MGNN_USAGE);
}

TEST(CGuest, SaysWhatItIs) {
  const auto version = json_of(mgnn_version);
  EXPECT_EQ(version["abi"], MGNN_ABI_VERSION);
  const auto doctor = json_of(mgnn_doctor);
  EXPECT_TRUE(doctor["xgboost"].is_boolean());
  EXPECT_TRUE(doctor["librsvg"].is_boolean());
  EXPECT_GT(doctor["threads"], 0);
}

}  // namespace
