// The I/O backend over io_uring (Axboe, "Efficient IO with io_uring", 2019): the only file that
// sees liburing.
//
// Files are not registered. A request moves 64 KiB to 8 MiB, so registering would save next to
// nothing. A table keyed by descriptor would be wrong once a number is used again. Memory is
// registered, as far as RLIMIT_MEMLOCK allows: without registration, pinning 256 pages for every
// MiB is most of a read's cost.
#include <liburing.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <cstring>
#include <utility>

#include "common/check.h"
#include "common/thread_times.h"
#include "storage/io/io_backend.h"

namespace edgemill {
namespace {

constexpr uint64_t kWakeId = ~uint64_t{0} - 1;  // ~0 is liburing's own (time-outs of old kernels)
constexpr size_t kMaxRegisteredBytes = size_t{1} << 30;  // the kernel's limit for one buffer
constexpr size_t kMinRegisteredBytes = size_t{256} << 10;
/// Seconds until entries for which the kernel had no memory are submitted again.
constexpr double kResubmitSeconds = 0.001;

class UringBackend final : public IoBackend {
 public:
  UringBackend() = default;
  ~UringBackend() override;

  /// Makes the ring; a negated errno on failure.
  int Init(size_t depth);

  void Start(const IoAttempt& attempt) override;
  Status Wait(size_t least, double seconds, std::vector<IoResult>* results) override;
  void Wake() override;
  void RegisterMemory(std::span<std::byte> memory) override;
  std::string_view name() const override { return "io_uring"; }

 private:
  io_uring_sqe* NextEntry();
  void Flush();
  void ArmWake();
  /// Moves completions that are there to `results`.
  void Collect(std::vector<IoResult>* results);
  bool IsRegistered(std::span<const std::byte> memory) const {
    return memory.data() >= registered_.data() &&
           memory.data() + memory.size() <= registered_.data() + registered_.size();
  }

  io_uring ring_{};
  bool has_ring_ = false;
  int wake_fd_ = -1;
  uint64_t wake_count_ = 0;  // the kernel writes the eventfd's value here
  bool wake_armed_ = false;
  bool woken_ = false;
  size_t under_way_ = 0;  // attempts started whose results have not come
  std::span<std::byte> registered_;
};

int UringBackend::Init(size_t depth) {
  // Entries beyond depth: the wake-up, and a time-out on kernels before 5.11.
  const unsigned entries = static_cast<unsigned>(depth + 4);
  // With these flags completions run when this thread asks, and do not interrupt it (Linux 5.19).
  int error = io_uring_queue_init(
      entries, &ring_, IORING_SETUP_CLAMP | IORING_SETUP_COOP_TASKRUN | IORING_SETUP_TASKRUN_FLAG);
  if (error == -EINVAL) error = io_uring_queue_init(entries, &ring_, 0);
  if (error < 0) return error;
  has_ring_ = true;
  io_uring_probe* const probe = io_uring_get_probe_ring(&ring_);
  if (probe == nullptr) return -EOPNOTSUPP;
  const bool able = io_uring_opcode_supported(probe, IORING_OP_READ) != 0 &&
                    io_uring_opcode_supported(probe, IORING_OP_WRITE) != 0 &&
                    (ring_.features & IORING_FEAT_NODROP) != 0 &&
                    (ring_.features & IORING_FEAT_FAST_POLL) != 0;
  io_uring_free_probe(probe);
  if (!able) return -EOPNOTSUPP;
  wake_fd_ = eventfd(0, EFD_CLOEXEC);
  return wake_fd_ < 0 ? -errno : 0;
}

UringBackend::~UringBackend() {
  const WaitScope waiting(WaitCause::kDisk);  // the kernel takes a while to give up a ring
  if (has_ring_) {
    std::vector<IoResult> results;
    bool ok = true;
    while (ok && under_way_ > 0) ok = Wait(under_way_, 3600, &results).ok();
    if (ok && wake_armed_) {
      Wake();
      while (ok && wake_armed_) ok = Wait(1, 1, &results).ok();
    }
    io_uring_queue_exit(&ring_);
  }
  if (wake_fd_ >= 0) close(wake_fd_);
}

io_uring_sqe* UringBackend::NextEntry() {
  io_uring_sqe* entry = io_uring_get_sqe(&ring_);
  while (entry == nullptr) {  // the kernel has not taken earlier entries: it is short of memory
    Flush();
    entry = io_uring_get_sqe(&ring_);
    if (entry == nullptr) usleep(static_cast<useconds_t>(kResubmitSeconds * 1e6));
  }
  return entry;
}

void UringBackend::Flush() {
  // EAGAIN, EBUSY and EINTR leave the entries in the queue for the next flush; other failures
  // would be a broken ring, which Wait reports.
  if (io_uring_sq_ready(&ring_) > 0) io_uring_submit(&ring_);
}

void UringBackend::Start(const IoAttempt& attempt) {
  io_uring_sqe* const entry = NextEntry();
  void* const memory = attempt.memory.data();
  const unsigned size = static_cast<unsigned>(attempt.memory.size());
  const bool read = attempt.op == IoRequest::Op::kRead;
  if (IsRegistered(attempt.memory)) {
    if (read)
      io_uring_prep_read_fixed(entry, attempt.fd, memory, size, attempt.offset, 0);
    else
      io_uring_prep_write_fixed(entry, attempt.fd, memory, size, attempt.offset, 0);
  } else {
    if (read)
      io_uring_prep_read(entry, attempt.fd, memory, size, attempt.offset);
    else
      io_uring_prep_write(entry, attempt.fd, memory, size, attempt.offset);
  }
  io_uring_sqe_set_data64(entry, attempt.id);
  ++under_way_;
}

void UringBackend::ArmWake() {
  if (wake_armed_) return;
  io_uring_sqe* const entry = NextEntry();
  io_uring_prep_read(entry, wake_fd_, &wake_count_, sizeof(wake_count_), 0);
  io_uring_sqe_set_data64(entry, kWakeId);
  wake_armed_ = true;
}

void UringBackend::Collect(std::vector<IoResult>* results) {
  io_uring_cqe* entry = nullptr;
  while (io_uring_peek_cqe(&ring_, &entry) == 0 && entry != nullptr) {
    if (entry->user_data == kWakeId) {
      wake_armed_ = false;
      woken_ = true;
    } else {
      results->push_back({entry->user_data, entry->res});
      --under_way_;
    }
    io_uring_cqe_seen(&ring_, entry);
  }
}

Status UringBackend::Wait(size_t least, double seconds, std::vector<IoResult>* results) {
  const size_t before = results->size();
  if (least > 0) ArmWake();
  Collect(results);
  if (least == 0 || results->size() - before >= least || woken_) {
    Flush();
    Collect(results);
    if (least > 0) woken_ = false;
    return OkStatus();
  }
  __kernel_timespec timeout{};
  timeout.tv_sec = static_cast<int64_t>(seconds);
  timeout.tv_nsec = static_cast<int64_t>((seconds - std::floor(seconds)) * 1e9);
  io_uring_cqe* entry = nullptr;
  const unsigned wanted = static_cast<unsigned>(least - (results->size() - before));
  // The waiting call also submits the entries. It may return fewer results than wanted: the caller
  // counts them, and calls again.
  const int error =
      io_uring_submit_and_wait_timeout(&ring_, &entry, std::min(wanted, 16u), &timeout, nullptr);
  if (error == -EAGAIN || error == -EBUSY) {  // entries are left for the next call
    usleep(static_cast<useconds_t>(kResubmitSeconds * 1e6));
  } else if (error < 0 && error != -ETIME && error != -EINTR) {
    return ErrnoError(-error, "wait for", "io_uring");
  }
  Collect(results);
  woken_ = false;
  return OkStatus();
}

void UringBackend::Wake() {
  const uint64_t one = 1;
  // Cannot fail unless 2^64 - 1 wake-ups are unread, and then one is pending anyway.
  [[maybe_unused]] const ssize_t written = write(wake_fd_, &one, sizeof(one));
}

void UringBackend::RegisterMemory(std::span<std::byte> memory) {
  CHECK(registered_.empty());
  size_t size = std::min(memory.size(), kMaxRegisteredBytes);
  while (size >= kMinRegisteredBytes) {
    const iovec extent{memory.data(), size};
    if (io_uring_register_buffers(&ring_, &extent, 1) == 0) {
      registered_ = memory.first(size);
      return;
    }
    size = size / 2 & ~size_t{4095};
  }
}

}  // namespace

StatusOr<std::unique_ptr<IoBackend>> MakeUringBackend(size_t depth) {
  auto backend = std::make_unique<UringBackend>();
  if (const int error = backend->Init(depth); error < 0) {
    return IoError(StrCat("io_uring is refused here (", std::strerror(-error),
                          "): set EDGEMILL_IO=pread, or allow it (sysctl kernel.io_uring_disabled,"
                          " the container's filter)"));
  }
  return std::unique_ptr<IoBackend>(std::move(backend));
}

}  // namespace edgemill
