#include "bench/scaling/memory_probe.h"

#include <sys/mman.h>

#include <algorithm>
#include <atomic>
#include <bit>
#include <cstring>
#include <functional>
#include <map>
#include <memory>

#include "bench/plain/thread_team.h"
#include "common/buffer.h"
#include "common/cancel.h"
#include "common/clock.h"
#include "common/random.h"
#include "common/strings.h"

namespace edgemill::bench {
namespace {

constexpr uint64_t kMinBytes = kMebibyte;
constexpr uint64_t kPageBytes = 4096;
/// What a thread takes at a time. It is small, so that one slow thread does not delay the others.
constexpr uint64_t kGrainBytes = 4 * kMebibyte;
constexpr uint64_t kGrainAccesses = 1 << 16;
/// About as many mixes of a number take the time of one access.
constexpr uint64_t kMixesAnAccess = 8;
/// Prefetches under way: more than a core has places for outstanding misses.
constexpr uint64_t kAhead = 32;

/// Measures one kind of work after the other.
class MemoryProbe {
 public:
  MemoryProbe(const MemoryProbeOptions& options, Progress& progress)
      : options_(options), progress_(progress) {
    for (const int threads : ThreadCounts(options.threads)) {
      teams_.push_back(std::make_unique<ThreadTeam>(threads));
    }
  }

  Status Arithmetic();
  Status Copy();
  Status Touch(std::string_view work, int advice);
  Status Gather();
  Status SetBits();

  std::vector<MemorySeries> Take() { return std::move(series_); }

 private:
  /// Measures `trial` on all teams. `trial` does its work on one team and returns the amount.
  /// `prepare` runs before each trial and is not timed.
  Status Measure(
      std::string_view work, std::string_view unit,
      const std::function<StatusOr<uint64_t>(ThreadTeam& team)>& trial,
      const std::function<Status()>& prepare = [] { return OkStatus(); });
  /// The team of all threads.
  ThreadTeam& all() { return *teams_.back(); }

  const MemoryProbeOptions& options_;
  Progress& progress_;
  std::vector<std::unique_ptr<ThreadTeam>> teams_;
  std::vector<MemorySeries> series_;
};

Status MemoryProbe::Measure(std::string_view work, std::string_view unit,
                            const std::function<StatusOr<uint64_t>(ThreadTeam&)>& trial,
                            const std::function<Status()>& prepare) {
  const size_t first = series_.size();
  for (const auto& team : teams_) series_.push_back({work, unit, team->threads(), {}});
  progress_.StartStage(work, "trials", (options_.trials + 1) * teams_.size());
  for (uint64_t i = 0; i <= options_.trials; ++i) {
    for (size_t team = 0; team < teams_.size(); ++team) {
      RETURN_IF_ERROR(CheckCancelled());
      RETURN_IF_ERROR(prepare());
      const Stopwatch watch;
      ASSIGN_OR_RETURN(const uint64_t amount, trial(*teams_[team]));
      const double rate = static_cast<double>(amount) / watch.seconds();
      const bool warm_up = i == 0;
      if (!warm_up) series_[first + team].rates.push_back(rate * 1e-9);
      progress_.Advance(1);
    }
  }
  return OkStatus();
}

Status WrongResult(std::string_view work) {
  return InternalError(StrCat("bench memory: ", work, " gave a wrong result"));
}

Status MemoryProbe::Arithmetic() {
  std::map<int, uint64_t> sums;  // by threads: the same in all trials
  return Measure(kArithmetic, "G/s", [&](ThreadTeam& team) -> StatusOr<uint64_t> {
    const uint64_t count =
        kMixesAnAccess * options_.accesses * static_cast<uint64_t>(team.threads());
    std::atomic<uint64_t> sum{0};
    team.Chunks(count, kGrainAccesses, [&](int, uint64_t begin, uint64_t end) {
      uint64_t mine = 0;
      for (uint64_t i = begin; i < end; ++i) mine += Mix64(i);
      sum.fetch_add(mine, std::memory_order_relaxed);
    });
    if (sums.emplace(team.threads(), sum).first->second != sum) return WrongResult(kArithmetic);
    return count;
  });
}

Status MemoryProbe::Copy() {
  const uint64_t bytes = options_.copy_bytes;
  ASSIGN_OR_RETURN(Buffer from, Buffer::Allocate(bytes));
  ASSIGN_OR_RETURN(Buffer to, Buffer::Allocate(bytes));
  all().Chunks(bytes, kGrainBytes, [&](int, uint64_t begin, uint64_t end) {
    std::memset(from.data() + begin, 1, end - begin);
  });
  RETURN_IF_ERROR(Measure(kCopy, "GB/s", [&](ThreadTeam& team) -> StatusOr<uint64_t> {
    team.Chunks(bytes, kGrainBytes, [&](int, uint64_t begin, uint64_t end) {
      std::memcpy(to.data() + begin, from.data() + begin, end - begin);
    });
    return bytes;
  }));
  if (std::memcmp(from.data(), to.data(), bytes) != 0) return WrongResult(kCopy);
  return OkStatus();
}

Status MemoryProbe::Touch(std::string_view work, int advice) {
  const uint64_t bytes = options_.copy_bytes;
  Buffer fresh;
  const auto prepare = [&]() -> Status {
    fresh = Buffer();  // frees the old memory first
    ASSIGN_OR_RETURN(fresh, Buffer::Allocate(bytes));
    // This is only advice: a kernel without huge pages uses small ones in both cases.
    madvise(fresh.data(), bytes, advice);
    return OkStatus();
  };
  const auto trial = [&](ThreadTeam& team) -> StatusOr<uint64_t> {
    std::atomic<uint64_t> pages{0};
    team.Chunks(bytes, kGrainBytes, [&](int, uint64_t begin, uint64_t end) {
      for (uint64_t at = begin; at < end; at += kPageBytes) {
        *static_cast<volatile std::byte*>(fresh.data() + at) = std::byte{1};
      }
      pages.fetch_add((end - begin) / kPageBytes, std::memory_order_relaxed);
    });
    return pages * kPageBytes;
  };
  return Measure(work, "GB/s", trial, prepare);
}

/// Reads `count` values at places that `seed` chooses, and returns their sum.
uint64_t SumAtRandom(const Array<uint32_t>& values, uint64_t seed, uint64_t count) {
  Random random(Mix64(seed));
  uint64_t places[kAhead];
  const auto choose = [&](uint64_t* place) {
    *place = random.Below(values.size());
    __builtin_prefetch(values.data() + *place);
  };
  for (uint64_t& place : places) choose(&place);
  uint64_t sum = 0;
  for (uint64_t i = 0; i < count; ++i) {
    uint64_t& place = places[i % kAhead];
    sum += values[place];
    choose(&place);
  }
  return sum;
}

Status MemoryProbe::Gather() {
  ASSIGN_OR_RETURN(auto values, Array<uint32_t>::Allocate(options_.gather_bytes / 4));
  all().Chunks(values.size(), kGrainBytes / 4, [&](int, uint64_t begin, uint64_t end) {
    std::fill(values.begin() + begin, values.begin() + end, 1);  // so that sums are counts
  });
  return Measure(kGather, "G/s", [&](ThreadTeam& team) -> StatusOr<uint64_t> {
    const uint64_t count = options_.accesses * static_cast<uint64_t>(team.threads());
    std::atomic<uint64_t> sum{0};
    team.Chunks(count, kGrainAccesses, [&](int, uint64_t begin, uint64_t end) {
      sum.fetch_add(SumAtRandom(values, begin, end - begin), std::memory_order_relaxed);
    });
    if (sum != count) return WrongResult(kGather);
    return count;
  });
}

Status MemoryProbe::SetBits() {
  constexpr uint64_t kWordBits = 64;
  ASSIGN_OR_RETURN(auto words, Array<uint64_t>::Allocate(options_.gather_bytes / 4 / kWordBits));
  const uint64_t num_bits = words.size() * kWordBits;
  std::atomic<uint64_t> newly_set{0};  // in all trials
  uint64_t seed = 0;
  RETURN_IF_ERROR(Measure(kSetBits, "G/s", [&](ThreadTeam& team) -> StatusOr<uint64_t> {
    const uint64_t count = options_.accesses * static_cast<uint64_t>(team.threads());
    ++seed;  // other bits than in the trial before, which left its bits set
    team.Chunks(count, kGrainAccesses, [&](int, uint64_t begin, uint64_t end) {
      Random random(Mix64(seed) + begin);
      uint64_t mine = 0;
      for (uint64_t i = begin; i < end; ++i) {
        const uint64_t bit = random.Below(num_bits);
        const uint64_t mask = uint64_t{1} << bit % kWordBits;
        std::atomic_ref<uint64_t> word(words[bit / kWordBits]);
        mine += (word.fetch_or(mask, std::memory_order_relaxed) & mask) == 0;
      }
      newly_set.fetch_add(mine, std::memory_order_relaxed);
    });
    return count;
  }));
  uint64_t set = 0;
  for (const uint64_t word : words) set += static_cast<uint64_t>(std::popcount(word));
  if (set != newly_set) return WrongResult(kSetBits);
  return OkStatus();
}

}  // namespace

std::vector<int> ThreadCounts(int threads) {
  std::vector<int> counts;
  for (int count = 1; count < threads; count *= 2) counts.push_back(count);
  counts.push_back(threads);
  return counts;
}

StatusOr<std::vector<MemorySeries>> ProbeMemory(const MemoryProbeOptions& options,
                                                MemoryBudget& budget, Progress& progress) {
  if (std::min(options.copy_bytes, options.gather_bytes) < kMinBytes) {
    return UsageError(StrCat("bench memory: --copy-bytes and --gather-bytes are at least ",
                             FormatBytes(kMinBytes)));
  }
  // One kind of work at a time holds memory; copying holds two arrays.
  ASSIGN_OR_RETURN(const MemoryReservation reservation,
                   budget.Reserve(std::max(2 * options.copy_bytes, options.gather_bytes),
                                  "what is copied or gathered from"));
  MemoryProbe probe(options, progress);
  RETURN_IF_ERROR(probe.Arithmetic());
  RETURN_IF_ERROR(probe.Copy());
  RETURN_IF_ERROR(probe.Touch(kTouchHugePages, MADV_HUGEPAGE));
  RETURN_IF_ERROR(probe.Touch(kTouchSmallPages, MADV_NOHUGEPAGE));
  RETURN_IF_ERROR(probe.Gather());
  RETURN_IF_ERROR(probe.SetBits());
  return probe.Take();
}

}  // namespace edgemill::bench
