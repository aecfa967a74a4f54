// A thread of rank 0 answers the other ranks, so that rank 0 works, too. A rank sends "" or what came of
// its last job, and gets the next job or "".

#include "mgnn/comm/deal.h"

#include <mutex>
#include <thread>

#include "mgnn/base/error.h"

namespace mgnn {
namespace {

class Dealer {
 public:
  explicit Dealer(const Deal& deal) : deal_(deal) {}

  // The next job, or nothing.
  std::string next() {
    const std::lock_guard lock(mutex_);
    if (failed_ || next_ == deal_.jobs.size()) return "";
    return std::to_string(deal_.jobs[next_++]);
  }
  // "7 =…", or "7 " if it failed: then no more are dealt.
  void take(const std::string& result) {
    if (result.empty()) return;
    const std::lock_guard lock(mutex_);
    const size_t blank = result.find(' ');
    if (blank + 1 == result.size()) {
      failed_ = true;
      return;
    }
    try {
      deal_.done(std::stoll(result), result.substr(blank + 2));
    } catch (...) {
      failed_ = true;
      if (!error_) error_ = std::current_exception();
    }
  }
  void rethrow() const {
    if (error_) std::rethrow_exception(error_);
  }

 private:
  const Deal& deal_;
  std::mutex mutex_;
  size_t next_ = 0;
  bool failed_ = false;
  std::exception_ptr error_;  // of `done`
};

// Works until there are no more jobs; `ask` gives a result and gets the next job.
void work_on(const Deal& deal, const std::function<std::string(const std::string&)>& ask) {
  for (std::string job = ask(""); !job.empty();) {
    std::string result = job + " ";
    std::exception_ptr error;
    try {
      result += "=" + deal.work(std::stoll(job));
    } catch (const Error&) {
      error = std::current_exception();
    }
    job = ask(result);
    if (error) {
      while (!job.empty()) job = ask(job + " ");  // dealt before the failure was known
      std::rethrow_exception(error);
    }
  }
}

void serve_others(Comm& comm, Dealer& dealer) {
  for (int working = comm.size() - 1; working > 0;) {
    const Comm::Message message = comm.receive([] { return false; });
    dealer.take(message.text);
    const std::string job = dealer.next();
    working -= job.empty();
    comm.send(message.from, job);
  }
}

void work_on_first(Comm& comm, const Deal& deal) {
  Dealer dealer(deal);
  std::exception_ptr lost;  // a connection
  std::thread server([&] {
    try {
      serve_others(comm, dealer);
    } catch (...) {
      lost = std::current_exception();
    }
  });
  std::exception_ptr error;
  try {
    work_on(deal, [&](const std::string& result) {
      dealer.take(result);
      return dealer.next();
    });
  } catch (...) {
    error = std::current_exception();
  }
  server.join();
  for (const std::exception_ptr& each : {error, lost})
    if (each) std::rethrow_exception(each);
  dealer.rethrow();
}

}  // namespace

void deal(Comm& comm, const Deal& deal) {
  if (comm.size() == 1) {
    for (const int64_t job : deal.jobs) deal.done(job, deal.work(job));
    return;
  }
  all_or_none(comm, [&] {
    if (comm.rank() == 0) return work_on_first(comm, deal);
    work_on(deal, [&](const std::string& result) {
      comm.send(0, result);
      return comm.receive([] { return false; }).text;
    });
  });
}

}  // namespace mgnn
