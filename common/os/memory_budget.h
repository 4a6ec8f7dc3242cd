// The accounting behind --memory: what is reserved, for which purpose, and what is left.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

#include "common/status.h"
#include "common/thread_annotations.h"

namespace edgemill {

class MemoryBudget;

/// A share of a MemoryBudget, given back when destroyed. Move-only.
class MemoryReservation {
 public:
  MemoryReservation() = default;
  MemoryReservation(MemoryReservation&& other) noexcept
      : budget_(std::exchange(other.budget_, nullptr)), bytes_(std::exchange(other.bytes_, 0)) {}
  MemoryReservation& operator=(MemoryReservation&& other) noexcept {
    std::swap(budget_, other.budget_);
    std::swap(bytes_, other.bytes_);
    return *this;
  }
  ~MemoryReservation();
  uint64_t bytes() const { return bytes_; }

 private:
  friend class MemoryBudget;
  MemoryReservation(MemoryBudget* budget, uint64_t bytes) : budget_(budget), bytes_(bytes) {}
  MemoryBudget* budget_ = nullptr;
  uint64_t bytes_ = 0;
};

/// Bounds the sum of reservations. Thread-safe. Code that holds O(vertices) or O(blocks) of memory,
/// or buffers, reserves first. Small things of a fixed size count as part of the share set aside
/// for the process.
class MemoryBudget {
 public:
  /// The part of --memory for the process itself: code, stacks, RocksDB and small objects.
  static constexpr uint64_t kProcessBytes = uint64_t{32} << 20;

  /// `total_bytes` is --memory. Reservations may take all of it except kProcessBytes.
  explicit MemoryBudget(uint64_t total_bytes);

  /// Reserves `bytes` for `purpose`; BudgetError, with need and have, when too little is left.
  StatusOr<MemoryReservation> Reserve(uint64_t bytes, std::string_view purpose);

  uint64_t total_bytes() const { return total_bytes_; }
  /// Bytes that may still be reserved.
  uint64_t available_bytes() const;

 private:
  friend class MemoryReservation;
  const uint64_t total_bytes_;
  mutable Mutex mutex_;
  uint64_t reserved_bytes_ GUARDED_BY(mutex_) = 0;
};

/// Half of the smaller of free RAM and what this process's control groups may still use: the
/// default of --memory. Tests put /proc and /sys/fs/cgroup below another `root`.
uint64_t DefaultMemoryBytes(const std::string& root = "");

/// A line that warns if --memory is `memory_bytes` and the machine, or this process's control
/// groups, have less in all. Empty otherwise.
std::string MemoryWarning(uint64_t memory_bytes, const std::string& root = "");

/// The process's peak resident memory so far, in bytes (VmHWM).
uint64_t PeakResidentBytes();

}  // namespace edgemill
