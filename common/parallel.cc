#include "common/parallel.h"

#include <sched.h>

#include <algorithm>
#include <atomic>
#include <thread>
#include <vector>

#include "common/cancel.h"
#include "common/check.h"

namespace edgemill {

int AvailableThreads() {
  cpu_set_t set;
  CPU_ZERO(&set);
  if (sched_getaffinity(0, sizeof(set), &set) == 0) return std::max(1, CPU_COUNT(&set));
  return std::max(1u, std::thread::hardware_concurrency());
}

Status RunThreads(int threads, const std::function<Status(int thread)>& body) {
  CHECK_GT(threads, 0);
  std::vector<Status> statuses(static_cast<size_t>(threads));
  std::vector<std::thread> workers;
  workers.reserve(static_cast<size_t>(threads) - 1);
  for (int t = 1; t < threads; ++t) {
    workers.emplace_back([&, t] { statuses[static_cast<size_t>(t)] = body(t); });
  }
  statuses[0] = body(0);
  for (std::thread& worker : workers) worker.join();
  for (Status& status : statuses) RETURN_IF_ERROR(std::move(status));
  return OkStatus();
}

Status ParallelFor(size_t size, size_t grain, int threads,
                   const std::function<Status(size_t begin, size_t end)>& body) {
  CHECK_GT(grain, 0u);
  const size_t chunks = (size + grain - 1) / grain;
  std::atomic<size_t> next{0};
  std::atomic<bool> stop{false};
  const auto work = [&](int) -> Status {
    while (!stop.load(std::memory_order_relaxed)) {
      const size_t chunk = next.fetch_add(1, std::memory_order_relaxed);
      if (chunk >= chunks) break;
      Status status = CheckCancelled();
      if (status.ok()) status = body(chunk * grain, std::min(size, (chunk + 1) * grain));
      if (!status.ok()) {
        stop.store(true, std::memory_order_relaxed);
        return status;
      }
    }
    return OkStatus();
  };
  return RunThreads(static_cast<int>(std::clamp<size_t>(chunks, 1, static_cast<size_t>(threads))),
                    work);
}

}  // namespace edgemill
