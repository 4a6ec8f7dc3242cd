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
int Meet(FaultLedger& ledger, int kind) {
  const uint32_t n = ledger.calls[kind].fetch_add(1) + 1;
  const InjectedFault& fault = ledger.fault;
  const bool sticky = fault.manner == FaultManner::kFromThenOn;
  const bool meets = fault.manner != FaultManner::kNone && kind == fault.kind &&
                     (n == fault.n || (sticky && n > fault.n));
  if (!meets) return 0;
  ledger.hit = true;
  if (fault.manner == FaultManner::kKill) kill(getpid(), SIGKILL);
  if (fault.manner == FaultManner::kInterrupt) kill(getpid(), SIGINT);
  return fault.error;
}

}  // namespace

FaultLedger* MapLedger(const std::string& path) {
  const int fd = open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600);
  if (fd < 0 || ftruncate(fd, sizeof(FaultLedger)) != 0) return nullptr;
  void* const memory =
      mmap(nullptr, sizeof(FaultLedger), PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
  close(fd);
  return memory == MAP_FAILED ? nullptr : static_cast<FaultLedger*>(memory);
}

void InstallFault() {
  const char* const path = std::getenv(kLedgerVariable);
  if (path == nullptr) return;
  FaultLedger* const ledger = MapLedger(path);
  if (ledger == nullptr) std::abort();
  fault::SetHook(
      [ledger](fault::Op op, std::string_view) { return Meet(*ledger, static_cast<int>(op)); });
  InstallIoFaults(std::make_shared<IoFaultPlan>(
      [ledger](const IoAttempt& attempt, uint64_t) -> std::optional<IoFault> {
        int error = Meet(*ledger, kBlockAttempt);
        if (error == 0) return std::nullopt;
        if (attempt.op == IoRequest::Op::kRead) error = EIO;  // reads need no disk space
        return IoFault{IoFault::Kind::kErrno, static_cast<uint64_t>(error)};
      }));
}

}  // namespace edgemill
