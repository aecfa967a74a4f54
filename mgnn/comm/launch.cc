#include "mgnn/comm/launch.h"

#include <unistd.h>

#include <atomic>
#include <charconv>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <thread>

#include "mgnn/base/error.h"
#include "mgnn/base/loaded_library.h"
#include "mgnn/comm/mpi_functions.h"

namespace mgnn {
namespace {

constexpr const char* kPackage =
    "Open MPI (on Debian: openmpi-bin), and build mgnn with it (tools/install-deps --with-cluster)";
constexpr int kTextSize = 8192;
constexpr int kMailTag = 2, kPulseTag = 3;
constexpr int kDeadline = 60;  // seconds

int number_in(const char* variable) {
  const char* const text = std::getenv(variable);
  int number = 0;
  if (text) std::from_chars(text, text + std::strlen(text), number);
  return number;
}

const MpiFunctions& load_mpi() {
  static const LoadedLibrary library(mpi_plugin_path(), kPackage);
  const MpiFunctions* const functions = library.function<MpiEntry>(kMpiEntry)(kMpiTableVersion);
  if (!functions) fail("{}: is of another version of mgnn; install both anew", mpi_plugin_path());
  return *functions;
}

// Ranks send a pulse to the next one every half second. One that hears nothing of the rank before it for
// too long ends, and the job with it: a machine that is cut off would be waited for without end.
class Pulse {
 public:
  Pulse(const MpiFunctions& mpi, int rank, int size)
      : mpi_(mpi), rank_(rank), size_(size), last_(Clock::now()) {
    if (size > 1 && deadline() > 0) thread_ = std::thread([this] { run(); });
  }
  void stop() {
    stopped_ = true;
    if (thread_.joinable()) thread_.join();
  }
  void drain() {
    while (is_heard()) last_ = Clock::now();
  }

 private:
  using Clock = std::chrono::steady_clock;

  static int deadline() {
    return std::getenv("MGNN_RANK_DEADLINE") ? number_in("MGNN_RANK_DEADLINE") : kDeadline;
  }
  bool is_heard() const {
    int from = -1;
    int64_t bytes = 0;
    return mpi_.probe(kPulseTag, &from, &bytes) == 0 && from >= 0 &&
           mpi_.receive(from, kPulseTag, nullptr, 0) == 0;
  }
  void run() {
    while (!stopped_) {
      mpi_.send((rank_ + 1) % size_, kPulseTag, nullptr, 0);
      drain();
      const auto silent = std::chrono::duration<double>(Clock::now() - last_).count();
      if (silent > deadline()) end_job();
      for (int i = 0; i < 50 && !stopped_; i++)
        std::this_thread::sleep_for(std::chrono::milliseconds(10));
    }
  }
  [[noreturn]] void end_job() const {
    char host[256] = "";
    gethostname(host, sizeof host - 1);
    fmt::print(stderr,
               "mgnn: rank {} on {}: nothing was heard of rank {} for {} seconds; the job ends\n",
               rank_, host, (rank_ + size_ - 1) % size_, deadline());
    std::fflush(stderr);
    std::_Exit(int(ErrorKind::failed));  // MPI might wait for the lost rank
  }

  const MpiFunctions& mpi_;
  const int rank_, size_;
  Clock::time_point last_;
  std::atomic<bool> stopped_ = false;
  std::thread thread_;
};

class MpiComm : public Comm {
 public:
  explicit MpiComm(const MpiFunctions& mpi) : mpi_(mpi) {
    must(mpi_.start(&rank_, &size_, &ranks_here_));
    pulse_ = std::make_unique<Pulse>(mpi_, rank_, size_);
  }
  ~MpiComm() override {
    mpi_.barrier();  // all are done
    pulse_->stop();
    mpi_.barrier();  // nobody sends any more
    pulse_->drain();
    mpi_.finish();
  }

  int rank() const override { return rank_; }
  int size() const override { return size_; }
  int ranks_here() const override { return ranks_here_; }
  void barrier() override { must(mpi_.barrier()); }
  void broadcast(void* data, int64_t bytes, int root) override {
    must(mpi_.broadcast(data, bytes, root));
  }
  void all_gather(const void* mine, int64_t bytes, void* all) override {
    must(mpi_.all_gather(mine, bytes, all));
  }
  void all_to_all(const void* out, std::span<const int64_t> out_bytes, void* in,
                  std::span<const int64_t> in_bytes) override {
    for (int r = 0; r < size_; r++) bytes_sent_ += r == rank_ ? 0 : out_bytes[r];
    must(mpi_.all_to_all(out, out_bytes.data(), in, in_bytes.data()));
  }
  void accumulate(void* data, int64_t bytes, const std::function<void()>& add) override {
    bytes_sent_ += rank_ + 1 < size_ ? bytes : bytes * (size_ - 1);
    struct Context {
      const std::function<void()>& add;
      std::exception_ptr error = {};
    } context{add};
    must(mpi_.accumulate(
        data, bytes,
        [](void* at) {
          auto* const c = static_cast<Context*>(at);
          try {
            c->add();
          } catch (...) {  // not through C
            c->error = std::current_exception();
          }
        },
        &context));
    if (context.error) std::rethrow_exception(context.error);
  }
  void send(int to, std::string_view message) override {
    must(mpi_.send(to, kMailTag, message.data(), int64_t(message.size())));
  }
  Message receive(const std::function<bool()>& stop) override {
    for (;; std::this_thread::sleep_for(std::chrono::milliseconds(1))) {
      Message message;
      int64_t bytes = 0;
      must(mpi_.probe(kMailTag, &message.from, &bytes));
      if (message.from >= 0) {
        message.text.resize(size_t(bytes));
        must(mpi_.receive(message.from, kMailTag, message.text.data(), bytes));
        return message;
      }
      if (stop()) return {};
    }
  }
  void abort(int exit_code) override {
    mpi_.abort(exit_code);
    std::_Exit(exit_code);
  }

 private:
  void must(int error) const {
    if (error == 0) return;
    char text[kTextSize] = "";
    mpi_.describe(error, text, kTextSize);
    fail("rank {} of {}: MPI failed: {}", rank_, size_, text);
  }

  const MpiFunctions& mpi_;
  int rank_ = 0, size_ = 1, ranks_here_ = 1;
  std::unique_ptr<Pulse> pulse_;
};

}  // namespace

int launched_ranks() {
  for (const char* variable : {"OMPI_COMM_WORLD_SIZE", "PMI_SIZE"})
    if (const int ranks = number_in(variable); ranks > 0) return ranks;
  // srun also sets this, whether or not it starts MPI.
  return std::getenv("SLURM_PROCID") ? std::max(1, number_in("SLURM_STEP_NUM_TASKS")) : 1;
}

int launched_rank() {
  if (launched_ranks() == 1) return 0;
  for (const char* variable : {"OMPI_COMM_WORLD_RANK", "PMI_RANK", "SLURM_PROCID"})
    if (std::getenv(variable)) return number_in(variable);
  return 0;
}

std::string mpi_plugin_path() {
  std::error_code error;
  const std::filesystem::path program = std::filesystem::read_symlink("/proc/self/exe", error);
  for (const char* folder : {"../" MGNN_LIBDIR "/mgnn", "../lib", "../../lib"}) {  // built, tests
    const auto path = program.parent_path() / folder / "libmgnn_mpi.so";
    if (std::filesystem::exists(path, error)) return path.lexically_normal().string();
  }
  return "";
}

std::string mpi_version() {
  if (mpi_plugin_path().empty()) return "none";
  try {
    char text[kTextSize] = "";
    load_mpi().library(text, kTextSize);
    const std::string version = text;  // with more than anybody reads
    return version.substr(0, version.find_first_of(",\n"));
  } catch (const Error& error) {
    return error.what();
  }
}

std::unique_ptr<Comm> mpi_comm() {
  if (mpi_plugin_path().empty()) fail("there is no MPI here; install {}", kPackage);
  return std::make_unique<MpiComm>(load_mpi());
}

std::unique_ptr<Comm> launched_comm() {
  const int ranks = launched_ranks();
  if (ranks == 1) return self_comm();
  if (mpi_plugin_path().empty())
    fail("{} ranks were started, but this mgnn has no MPI; install {}", ranks, kPackage);
  std::unique_ptr<Comm> comm = mpi_comm();
  if (comm->size() != ranks)
    fail(
        "{} ranks were started, but MPI sees {}; start them with the mpirun of the same MPI, or "
        "with srun --mpi=pmix",
        ranks, comm->size());
  return comm;
}

}  // namespace mgnn
