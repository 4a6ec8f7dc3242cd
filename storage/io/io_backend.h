// What differs between the I/O engines: how an attempt at a transfer is started, and how its result
// is collected.
//
// An IoEngine (storage/io/io_engine.cc) makes requests out of attempts: it retries, continues short
// transfers, measures times and makes error messages, for all backends. Faults are injected between
// engine and backend (storage/io/faulty_io_engine.h), so that tests see whatever a kernel may do.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "common/status.h"
#include "storage/io/io_engine.h"

namespace edgemill {

/// The part of a request that one system call does.
struct IoAttempt {
  IoRequest::Op op = IoRequest::Op::kRead;
  int fd = -1;
  uint64_t offset = 0;
  std::span<std::byte> memory;
  uint64_t id = 0;  // comes back in the result
};

/// How an attempt ended: bytes moved, or a negated errno.
struct IoResult {
  uint64_t id = 0;
  int64_t result = 0;
};

/// Starts attempts and collects their results. Thread-safety and Wake are as in IoEngine. The
/// destructor waits until the kernel is done with every attempt's memory.
class IoBackend {
 public:
  virtual ~IoBackend() = default;
  /// Starts an attempt, at the next Wait at the latest: several then cost one system call. A
  /// failure to start comes as a result too. The owner keeps at most `depth` under way.
  virtual void Start(const IoAttempt& attempt) = 0;
  /// Waits for at least `least` results for at most `seconds` (or until Wake or a signal) and
  /// appends what there is.
  virtual Status Wait(size_t least, double seconds, std::vector<IoResult>* results) = 0;
  virtual void Wake() = 0;
  virtual void RegisterMemory(std::span<std::byte> /*memory*/) {}
  virtual std::string_view name() const = 0;
};

/// io_uring. IoError where the kernel, a sysctl or a container's filter refuses it.
StatusOr<std::unique_ptr<IoBackend>> MakeUringBackend(size_t depth);

/// Up to `depth` threads that call pread(2) and pwrite(2); started as the queue grows.
std::unique_ptr<IoBackend> MakePreadBackend(size_t depth);

}  // namespace edgemill
