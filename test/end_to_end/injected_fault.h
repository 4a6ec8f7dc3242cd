// A fault in the nth file operation of a kind. A test program that runs as Edgemill (own_program.h)
// meets it. The two processes share memory, which has the fault and the counts.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <string>

#include "common/os/file.h"

namespace edgemill {

/// Kinds of operations: those of fault::Op with their numbers, then attempts of the I/O engines.
inline constexpr int kBlockAttempt = static_cast<int>(fault::Op::kKillPoint) + 1;
inline constexpr int kNumFaultKinds = kBlockAttempt + 1;

enum class FaultMode {
  kNone,
  kOnce,        // the nth operation fails
  kFromThenOn,  // the nth and all later ones of its kind fail
  kInterrupt,   // SIGINT before the nth operation
  kKill,        // SIGKILL before the nth operation
};

struct InjectedFault {
  int kind = 0;
  uint32_t n = 0;  // from 1
  FaultMode mode = FaultMode::kNone;
  int error = 0;
};

/// The memory that the two processes share.
struct SharedFault {
  InjectedFault fault;
  std::array<std::atomic<uint32_t>, kNumFaultKinds> calls;
  std::atomic<bool> hit;

  /// Resets the counts, for a process that will meet `next`.
  void Start(const InjectedFault& next) {
    fault = next;
    for (std::atomic<uint32_t>& count : calls) count = 0;
    hit = false;
  }
};

/// The environment variable that names the file of a SharedFault.
inline constexpr char kSharedFaultVariable[] = "EDGEMILL_TEST_FAULT";

/// Maps the SharedFault in the file at `path`, and never unmaps it. Returns null if this fails.
SharedFault* MapSharedFault(const std::string& path);

/// If the environment names a SharedFault, this process's file operations meet its fault.
void InstallFault();

}  // namespace edgemill
