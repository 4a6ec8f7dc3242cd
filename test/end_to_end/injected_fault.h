// A fault in the program's nth file operation of a kind, for a test program that runs as the
// program (own_program.h). It is passed and counted in memory that the two processes share.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <string>

#include "common/os/file.h"

namespace edgemill {

/// Kinds of operation: those of fault::Op by their numbers, then attempts of the I/O engines.
inline constexpr int kBlockAttempt = static_cast<int>(fault::Op::kKillPoint) + 1;
inline constexpr int kNumFaultKinds = kBlockAttempt + 1;

enum class FaultManner {
  kNone,
  kOnce,        // the nth operation fails
  kFromThenOn,  // so do all later ones of its kind
  kInterrupt,   // SIGINT before it
  kKill,        // SIGKILL before it
};

struct InjectedFault {
  int kind = 0;
  uint32_t n = 0;  // from 1
  FaultManner manner = FaultManner::kNone;
  int error = 0;
};

/// What the two processes share.
struct FaultLedger {
  InjectedFault fault;
  std::array<std::atomic<uint32_t>, kNumFaultKinds> calls;
  std::atomic<bool> hit;

  /// Begins to count anew, for a process that shall meet `next`.
  void Start(const InjectedFault& next) {
    fault = next;
    for (std::atomic<uint32_t>& count : calls) count = 0;
    hit = false;
  }
};

/// The environment variable that names the file of the ledger.
inline constexpr char kLedgerVariable[] = "EDGEMILL_TEST_LEDGER";

/// The ledger in the file at `path`, mapped for good; null when that cannot be.
FaultLedger* MapLedger(const std::string& path);

/// Makes this process's file operations meet the fault of the ledger that the environment names, if
/// it names one.
void InstallFault();

}  // namespace edgemill
