// The I/O backend that works everywhere: threads that call pread(2) and pwrite(2).
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <deque>
#include <thread>
#include <utility>

#include "common/thread_annotations.h"
#include "common/threads/parallel.h"
#include "storage/io/io_backend.h"

namespace edgemill {
namespace {

/// One transfer, not retried: a result as the kernel gives it.
IoResult Transfer(const IoAttempt& attempt) {
  const off_t offset = static_cast<off_t>(attempt.offset);
  const ssize_t moved =
      attempt.op == IoRequest::Op::kRead
          ? pread(attempt.fd, attempt.memory.data(), attempt.memory.size(), offset)
          : pwrite(attempt.fd, attempt.memory.data(), attempt.memory.size(), offset);
  return {attempt.id, moved < 0 ? -int64_t{errno} : int64_t{moved}};
}

class PreadBackend final : public IoBackend {
 public:
  explicit PreadBackend(size_t depth) : max_threads_(depth) {}

  ~PreadBackend() override {
    {
      MutexLock lock(mutex_);
      stopping_ = true;
      waiting_.clear();
    }
    work_.NotifyAll();
    for (std::thread& thread : threads_) thread.join();
  }

  void Start(const IoAttempt& attempt) override {
    {
      MutexLock lock(mutex_);
      waiting_.push_back(attempt);
      if (waiting_.size() <= idle_threads_) {
        work_.NotifyOne();
        return;
      }
    }
    if (threads_.size() < max_threads_ && AddThread()) return;
    if (threads_.empty()) {  // the system gives no threads at all: be slow rather than stuck
      MutexLock lock(mutex_);
      waiting_.clear();
      results_.push_back(Transfer(attempt));
    }
  }

  Status Wait(size_t least, double seconds, std::vector<IoResult>* results) override {
    const auto deadline = std::chrono::steady_clock::now() + std::chrono::duration<double>(seconds);
    MutexLock lock(mutex_);
    while (results_.size() < least && !woken_) {
      const double left =
          std::chrono::duration<double>(deadline - std::chrono::steady_clock::now()).count();
      if (left <= 0) break;
      done_.WaitFor(mutex_, left);
    }
    if (least > 0) woken_ = false;
    results->insert(results->end(), results_.begin(), results_.end());
    results_.clear();
    return OkStatus();
  }

  void Wake() override {
    MutexLock lock(mutex_);
    woken_ = true;
    done_.NotifyOne();
  }

  std::string_view name() const override { return "pread"; }

 private:
  bool AddThread() {
    StatusOr<std::thread> thread = StartThread([this] { Work(); });
    if (thread.ok()) threads_.push_back(std::move(*thread));
    return thread.ok();
  }

  void Work() {
    MutexLock lock(mutex_);
    while (true) {
      while (waiting_.empty() && !stopping_) {
        ++idle_threads_;
        work_.Wait(mutex_);
        --idle_threads_;
      }
      if (waiting_.empty()) return;
      const IoAttempt attempt = waiting_.front();
      waiting_.pop_front();
      mutex_.Unlock();
      const IoResult result = Transfer(attempt);
      mutex_.Lock();
      results_.push_back(result);
      done_.NotifyOne();
    }
  }

  const size_t max_threads_;
  std::vector<std::thread> threads_;
  Mutex mutex_;
  CondVar work_;
  CondVar done_;
  std::deque<IoAttempt> waiting_ GUARDED_BY(mutex_);
  std::vector<IoResult> results_ GUARDED_BY(mutex_);
  size_t idle_threads_ GUARDED_BY(mutex_) = 0;
  bool woken_ GUARDED_BY(mutex_) = false;
  bool stopping_ GUARDED_BY(mutex_) = false;
};

}  // namespace

std::unique_ptr<IoBackend> MakePreadBackend(size_t depth) {
  return std::make_unique<PreadBackend>(depth);
}

}  // namespace edgemill
