#include "storage/io/io_engine.h"

#include <fcntl.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstdlib>
#include <utility>

#include "common/check.h"
#include "common/thread_times.h"
#include "storage/io/faulty_io_engine.h"
#include "storage/io/io_backend.h"

namespace edgemill {
namespace {

using Clock = std::chrono::steady_clock;

/// A request fails after this many attempts that move nothing. Such an attempt is interrupted, gets
/// EAGAIN, or moves zero bytes although the file is longer.
constexpr int kMaxIdleAttempts = 100;
/// Direct I/O continues at a multiple of this after a short transfer.
constexpr uint64_t kDirectAlignment = 4096;
/// An endless wait consists of waits of this length, which fit every clock.
constexpr double kLongSeconds = 3600;

/// The engine over any backend: requests out of attempts.
class RetryingEngine final : public IoEngine {
 public:
  RetryingEngine(std::unique_ptr<IoBackend> backend, size_t depth)
      : backend_(std::move(backend)), slots_(depth) {
    for (size_t i = depth; i > 0; --i) free_.push_back(static_cast<uint32_t>(i - 1));
    results_.reserve(depth);
  }

  Status Submit(const IoRequest& request) override;
  Status Wait(size_t least, std::vector<IoCompletion>* completions) override;
  Status WaitFor(size_t least, double seconds, std::vector<IoCompletion>* completions) override;
  void Wake() override { backend_->Wake(); }
  void RegisterMemory(std::span<std::byte> memory) override { backend_->RegisterMemory(memory); }
  size_t in_flight() const override { return slots_.size() - free_.size(); }
  size_t depth() const override { return slots_.size(); }
  std::string_view name() const override { return backend_->name(); }

 private:
  struct Slot {
    IoRequest request;
    size_t done = 0;           // bytes known to be moved
    size_t attempt_begin = 0;  // where the attempt under way starts
    int idle_attempts = 0;
    uint32_t generation = 0;  // of the attempt: results of older attempts do not count
    bool busy = false;
    Clock::time_point start;
  };

  void StartAttempt(uint32_t index);
  /// Takes in one result; appends the completion when it ends its request.
  void Handle(const IoResult& result, std::vector<IoCompletion>* completions);
  void Finish(uint32_t index, Status status, std::vector<IoCompletion>* completions);
  /// What to do after `result` was short or failed: ok to try again, `*at_end` when the file ends
  /// there.
  Status AfterShortfall(Slot& slot, int64_t result, bool* at_end);
  Status Failure(const Slot& slot, int error) const;

  std::unique_ptr<IoBackend> backend_;
  std::vector<Slot> slots_;
  std::vector<uint32_t> free_;
  std::vector<IoResult> results_;
};

Status RetryingEngine::Submit(const IoRequest& request) {
  CHECK(!free_.empty());
  CHECK(request.file != nullptr);
  const uint32_t index = free_.back();
  free_.pop_back();
  Slot& slot = slots_[index];
  slot = {
      .request = request, .generation = slot.generation + 1, .busy = true, .start = Clock::now()};
  StartAttempt(index);
  return OkStatus();
}

void RetryingEngine::StartAttempt(uint32_t index) {
  Slot& slot = slots_[index];
  const IoRequest& request = slot.request;
  // After an odd number of bytes go back to the last aligned place: O_DIRECT takes no other, and
  // moving some bytes twice does no harm.
  slot.attempt_begin = slot.done;
  if (slot.done % kDirectAlignment != 0) slot.attempt_begin -= slot.done % kDirectAlignment;
  backend_->Start({.op = request.op,
                   .fd = request.file->fd(),
                   .offset = request.offset + slot.attempt_begin,
                   .memory = request.memory.subspan(slot.attempt_begin),
                   .id = uint64_t{slot.generation} << 32 | index});
}

Status RetryingEngine::Failure(const Slot& slot, int error) const {
  const IoRequest& request = slot.request;
  const Status status = ErrnoError(error, request.op == IoRequest::Op::kRead ? "read" : "write",
                                   request.file->path());
  return status.WithMessage(StrCat(status.message(), " (offset ", request.offset + slot.done,
                                   ", length ", request.memory.size() - slot.done, ")"));
}

Status RetryingEngine::AfterShortfall(Slot& slot, int64_t result, bool* at_end) {
  const IoRequest& request = slot.request;
  if (result < 0) {
    const int error = static_cast<int>(-result);
    if (error != EINTR && error != EAGAIN) return Failure(slot, error);
    return ++slot.idle_attempts < kMaxIdleAttempts ? OkStatus() : Failure(slot, error);
  }
  const size_t reached = slot.attempt_begin + static_cast<size_t>(result);
  if (reached > slot.done) {
    slot.done = reached;
    slot.idle_attempts = 0;
  } else {
    ++slot.idle_attempts;
  }
  if (request.op == IoRequest::Op::kRead) {
    ASSIGN_OR_RETURN(const uint64_t size, request.file->Size());
    *at_end = request.offset + slot.done >= size;
    if (*at_end) {  // a direct read may report bytes past the end, which do not count
      slot.done = std::min<uint64_t>(slot.done, size - std::min(size, request.offset));
      return OkStatus();
    }
  }
  if (slot.idle_attempts < kMaxIdleAttempts) return OkStatus();
  const Status status = Failure(slot, EIO);
  return IoError(StrCat(status.message(), ": the device moves no bytes, and reports no error"));
}

void RetryingEngine::Finish(uint32_t index, Status status, std::vector<IoCompletion>* completions) {
  Slot& slot = slots_[index];
  const std::chrono::duration<double> elapsed = Clock::now() - slot.start;
  completions->push_back({.tag = slot.request.tag,
                          .bytes = slot.done,
                          .status = std::move(status),
                          .seconds = elapsed.count()});
  slot.busy = false;
  free_.push_back(index);
}

void RetryingEngine::Handle(const IoResult& result, std::vector<IoCompletion>* completions) {
  const uint32_t index = static_cast<uint32_t>(result.id);
  CHECK_LT(index, slots_.size());
  Slot& slot = slots_[index];
  if (!slot.busy || slot.generation != result.id >> 32) return;  // the result came twice
  const size_t wanted = slot.request.memory.size();
  if (result.result >= 0 && slot.attempt_begin + static_cast<size_t>(result.result) >= wanted) {
    slot.done = wanted;
    Finish(index, OkStatus(), completions);
    return;
  }
  bool at_end = false;
  Status status = AfterShortfall(slot, result.result, &at_end);
  if (!status.ok() || at_end) {
    Finish(index, std::move(status), completions);
    return;
  }
  // A new generation for each attempt: a second result of the old attempt must not count for the
  // new one.
  ++slot.generation;
  StartAttempt(index);
}

Status RetryingEngine::WaitFor(size_t least, double seconds,
                               std::vector<IoCompletion>* completions) {
  const WaitScope waiting(WaitCause::kDisk);
  const auto deadline = Clock::now() + std::chrono::duration<double>(seconds);
  const size_t before = completions->size();
  while (true) {
    const size_t ended = completions->size() - before;
    // At least one even when nothing is under way: the caller may be waiting only for Wake.
    const size_t more =
        least > ended ? std::clamp(least - ended, size_t{1}, std::max(in_flight(), size_t{1})) : 0;
    const double left =
        std::max(0.0, std::chrono::duration<double>(deadline - Clock::now()).count());
    results_.clear();
    RETURN_IF_ERROR(backend_->Wait(left > 0 ? more : 0, left, &results_));
    for (const IoResult& result : results_) Handle(result, completions);
    if (results_.empty() || more == 0) return OkStatus();
  }
}

Status RetryingEngine::Wait(size_t least, std::vector<IoCompletion>* completions) {
  const size_t before = completions->size();
  const size_t target = before + std::min(least, in_flight());
  do {
    RETURN_IF_ERROR(WaitFor(target - completions->size(), kLongSeconds, completions));
  } while (completions->size() < target);
  return OkStatus();
}

/// The engine that EDGEMILL_IO asks for, when the caller asks for kAuto.
StatusOr<IoEngineKind> KindFromEnvironment() {
  const char* const wish = std::getenv("EDGEMILL_IO");
  const std::string_view text = wish == nullptr ? "" : wish;
  if (text.empty() || text == "auto") return IoEngineKind::kAuto;
  if (text == "uring" || text == "io_uring") return IoEngineKind::kUring;
  if (text == "pread") return IoEngineKind::kPread;
  return UsageError(StrCat("EDGEMILL_IO is '", text, "': give uring, pread or auto"));
}

StatusOr<std::unique_ptr<IoBackend>> MakeBackend(IoEngineKind kind, size_t depth) {
  if (kind == IoEngineKind::kPread) return MakePreadBackend(depth);
  StatusOr<std::unique_ptr<IoBackend>> uring = MakeUringBackend(depth);
  if (!uring.ok() && kind == IoEngineKind::kAuto) return MakePreadBackend(depth);
  return uring;
}

}  // namespace

StatusOr<std::unique_ptr<IoEngine>> MakeIoEngine(IoEngineKind kind, size_t depth) {
  CHECK_GT(depth, 0u);
  CHECK_LE(depth, 4096u);
  if (kind == IoEngineKind::kAuto) {
    ASSIGN_OR_RETURN(kind, KindFromEnvironment());
  }
  ASSIGN_OR_RETURN(std::unique_ptr<IoBackend> backend, MakeBackend(kind, depth));
  return std::unique_ptr<IoEngine>(
      std::make_unique<RetryingEngine>(WithInstalledIoFaults(std::move(backend)), depth));
}

StatusOr<File> OpenDirect(const File& directory, const std::string& name, int flags, bool* direct) {
  StatusOr<File> file = File::OpenBeneath(directory, name, flags | O_DIRECT);
  *direct = file.ok();
  if (file.ok()) return file;
  // File systems without direct I/O answer EINVAL after they have made a new file, so O_EXCL would
  // fail now.
  if (file.status().errno_value() != EINVAL) return file;
  return File::OpenBeneath(directory, name, flags & ~O_EXCL);
}

}  // namespace edgemill
