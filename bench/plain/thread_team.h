// Threads that stay, for loops that are run again and again: what OpenMP's parallel regions are.
#pragma once

#include <algorithm>
#include <atomic>
#include <barrier>
#include <cstdint>
#include <functional>
#include <thread>
#include <vector>

namespace edgemill::bench {

/// Vertices that a thread takes at a time of a loop over all: whole words of bitmaps.
inline constexpr uint64_t kVertexGrain = 1 << 12;

/// Runs functions on the same threads, the caller's among them. One function at a time, from one
/// thread. What a call wrote, all threads see when it has returned.
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

  /// Calls `body(thread, begin, end)` for chunks of [0, size) of `grain` numbers, which threads
  /// take in order as they come free; waits for all.
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
