#include "test/end_to_end/injected_fault.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdlib>

#include "storage/io/faulty_io_engine.h"

namespace edgemill {
namespace {

/// Counts an operation. Returns the errno with which it must fail, or 0.
int Meet(SharedFault& shared, int kind) {
  const uint32_t n = shared.calls[kind].fetch_add(1) + 1;
  const InjectedFault& fault = shared.fault;
  const bool sticky = fault.mode == FaultMode::kFromThenOn;
  const bool meets = fault.mode != FaultMode::kNone && kind == fault.kind &&
                     (n == fault.n || (sticky && n > fault.n));
  if (!meets) return 0;
  shared.hit = true;
  if (fault.mode == FaultMode::kKill) kill(getpid(), SIGKILL);
  if (fault.mode == FaultMode::kInterrupt) kill(getpid(), SIGINT);
  return fault.error;
}

}  // namespace

SharedFault* MapSharedFault(const std::string& path) {
  const int fd = open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600);
  if (fd < 0 || ftruncate(fd, sizeof(SharedFault)) != 0) return nullptr;
  void* const memory =
      mmap(nullptr, sizeof(SharedFault), PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
  close(fd);
  return memory == MAP_FAILED ? nullptr : static_cast<SharedFault*>(memory);
}

void InstallFault() {
  const char* const path = std::getenv(kSharedFaultVariable);
  if (path == nullptr) return;
  SharedFault* const shared = MapSharedFault(path);
  if (shared == nullptr) std::abort();
  fault::SetHook(
      [shared](fault::Op op, std::string_view) { return Meet(*shared, static_cast<int>(op)); });
  InstallIoFaults(std::make_shared<IoFaultPlan>(
      [shared](const IoAttempt& attempt, uint64_t) -> std::optional<IoFault> {
        int error = Meet(*shared, kBlockAttempt);
        if (error == 0) return std::nullopt;
        if (attempt.op == IoRequest::Op::kRead) error = EIO;  // reads need no disk space
        return IoFault{IoFault::Kind::kErrno, static_cast<uint64_t>(error)};
      }));
}

}  // namespace edgemill
