// Asynchronous reads and writes of files: io_uring where the kernel allows it, a pool of pread
// threads otherwise.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "common/os/file.h"
#include "common/status.h"

namespace edgemill {

/// A read or write of one extent. For O_DIRECT files offset, length and memory are multiples of
/// 4,096 (the last read of a file may reach past its end).
struct IoRequest {
  enum class Op : uint8_t { kRead, kWrite } op = Op::kRead;
  const File* file = nullptr;  // must stay open until the completion
  uint64_t offset = 0;
  std::span<std::byte> memory;  // must stay too; read into, or written from
  uint64_t tag = 0;             // comes back in the completion
};

/// The end of one request.
struct IoCompletion {
  uint64_t tag = 0;
  /// Bytes moved: all that were requested, fewer only where a read meets the end of the file.
  size_t bytes = 0;
  /// Operation, file, offset, length and cause when it failed.
  Status status;
  double seconds = 0;  // from Submit to completion: latency
};

/// A queue of requests under way. Not thread-safe, except for Wake: one thread at a time uses an
/// engine. Short transfers and EINTR, EAGAIN are retried inside; completions come in any order. The
/// destructor waits until the kernel no longer uses the requests' memory.
class IoEngine {
 public:
  virtual ~IoEngine() = default;
  /// Starts a request, at the next Wait or WaitFor at the latest, so that several cost one system
  /// call; Wait(0) starts them without waiting. At most depth() may be under way (CHECKed).
  virtual Status Submit(const IoRequest& request) = 0;
  /// Waits until at least `least` (0 polls) of the requests under way have ended, and appends their
  /// completions. Errors only when the queue itself fails.
  virtual Status Wait(size_t least, std::vector<IoCompletion>* completions) = 0;
  /// As Wait, but also returns after `seconds`, after Wake, or when a signal comes. With no request
  /// under way it waits for one of these.
  virtual Status WaitFor(size_t least, double seconds, std::vector<IoCompletion>* completions) = 0;
  /// Ends the WaitFor under way, or the next one, early. Thread-safe. Cost: one system call.
  virtual void Wake() = 0;
  /// Says that most requests will use `memory`, so that the kernel may keep it mapped (io_uring's
  /// registered buffers, as far as RLIMIT_MEMLOCK goes). A hint, given once; the memory must
  /// outlive the engine.
  virtual void RegisterMemory(std::span<std::byte> memory) = 0;
  virtual size_t in_flight() const = 0;
  virtual size_t depth() const = 0;
  virtual std::string_view name() const = 0;  // "io_uring", "pread"
};

enum class IoEngineKind { kAuto, kUring, kPread };

/// Makes an engine for up to `depth` requests under way. kAuto probes io_uring and falls back to
/// pread; kUring fails where the kernel refuses it. EDGEMILL_IO=uring|pread overrides kAuto. When a
/// faulty wrapper is installed for tests (storage/io/faulty_io_engine.h) the engine comes wrapped.
StatusOr<std::unique_ptr<IoEngine>> MakeIoEngine(IoEngineKind kind, size_t depth);

/// Opens a segment or temporary file for direct I/O, with O_DIRECT. Where the file system refuses
/// O_DIRECT (tmpfs), opens without it and sets `*direct` to false. `flags` as for open(2).
StatusOr<File> OpenDirect(const File& directory, const std::string& name, int flags, bool* direct);

}  // namespace edgemill
