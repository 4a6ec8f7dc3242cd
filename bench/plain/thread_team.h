// Threads that stay alive between parallel loops, like those of OpenMP's parallel regions.
#pragma once

#include <algorithm>
#include <atomic>
#include <barrier>
#include <cstdint>
#include <functional>
#include <thread>
#include <vector>

namespace edgemill::bench {

/// Vertices that a thread takes at a time in a loop over all vertices: whole words of a bitmap.
inline constexpr uint64_t kVertexGrain = 1 << 12;

/// Runs functions on the same threads, one of which is the caller's. Only one thread may use it,
/// with one function at a time. When a call has returned, all threads see what it wrote.
class ThreadTeam {
 public:
  /// Starts `threads` - 1 threads, which live as long as the team.
  explicit ThreadTeam(int threads) : threads_(threads), start_(threads), done_(threads) {
    for (int thread = 1; thread < threads; ++thread) {
      workers_.emplace_back([this, thread] { Work(thread); });
    }
  }
  ~ThreadTeam() {
    work_ = nullptr;
    start_.arrive_and_wait();
    for (std::thread& worker : workers_) worker.join();
  }
  ThreadTeam(const ThreadTeam&) = delete;
  ThreadTeam& operator=(const ThreadTeam&) = delete;

  int threads() const { return threads_; }

  /// Calls `body(thread)` once on every thread, and waits for all.
  void Each(const std::function<void(int thread)>& body) {
    work_ = &body;
    start_.arrive_and_wait();
    body(0);
    done_.arrive_and_wait();
  }

  /// Calls `body(thread, begin, end)` for chunks of `grain` numbers of [0, size), and waits for
  /// all. A thread that is free takes the next chunk.
  template <typename Body>
  void Chunks(uint64_t size, uint64_t grain, Body body) {
    std::atomic<uint64_t> next{0};
    Each([&](int thread) {
      for (uint64_t begin; (begin = next.fetch_add(grain, std::memory_order_relaxed)) < size;) {
        body(thread, begin, std::min(begin + grain, size));
      }
    });
  }

 private:
  void Work(int thread) {
    while (true) {
      start_.arrive_and_wait();
      if (work_ == nullptr) return;
      (*work_)(thread);
      done_.arrive_and_wait();
    }
  }

  const int threads_;
  const std::function<void(int)>* work_ = nullptr;
  std::barrier<> start_;
  std::barrier<> done_;
  std::vector<std::thread> workers_;
};

}  // namespace edgemill::bench
