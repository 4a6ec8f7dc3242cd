#include "cli/signals.h"

#include <fcntl.h>
#include <signal.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <string_view>

#include "common/cancel.h"
#include "common/status.h"

namespace edgemill::cli {
namespace {

/// The signal that requested a stop; 0: none did.
std::atomic<int> stop_signal{0};
static_assert(std::atomic<int>::is_always_lock_free, "used in a signal handler");

/// The exit code that shells give for a process that a signal ended.
constexpr int ExitCodeAfter(int signal) { return 128 + signal; }
static_assert(ExitCodeAfter(SIGINT) == static_cast<int>(Code::kCancelled));

void HandleStop(int signal) {
  const int saved_errno = errno;
  if (stop_signal.exchange(signal) != 0) _exit(ExitCodeAfter(signal));
  // A run with checkpoints writes one before it ends.
  if (signal != SIGTERM || !RequestHalt()) RequestCancel();
  constexpr std::string_view kMessage = "\nstopping; once more to stop at once\n";
  if (isatty(STDERR_FILENO) != 0) {
    // Losing the message changes nothing, and a handler cannot report the loss.
    [[maybe_unused]] const ssize_t written = write(STDERR_FILENO, kMessage.data(), kMessage.size());
  }
  errno = saved_errno;
}

}  // namespace

void InstallSignalHandlers() {
  struct sigaction stop {};
  stop.sa_handler = HandleStop;  // no SA_RESTART: a read that waits for input must end
  sigemptyset(&stop.sa_mask);
  sigaction(SIGINT, &stop, nullptr);
  sigaction(SIGTERM, &stop, nullptr);
  struct sigaction inherited {};
  sigaction(SIGHUP, nullptr, &inherited);
  if (inherited.sa_handler != SIG_IGN) sigaction(SIGHUP, &stop, nullptr);  // not under nohup
  struct sigaction ignore {};
  ignore.sa_handler = SIG_IGN;
  sigaction(SIGPIPE, &ignore, nullptr);
  sigaction(SIGXFSZ, &ignore, nullptr);
}

int ExitCode(const Status& status) {
  const int signal = stop_signal.load();
  return status.code() == Code::kCancelled && signal != 0 ? ExitCodeAfter(signal)
                                                          : status.exit_code();
}

void OpenMissingStandardStreams() {
  for (const int fd : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
    if (fcntl(fd, F_GETFD) != -1 || errno != EBADF) continue;
    // open() returns the lowest free number, which is `fd`: the numbers below it are open by now.
    // Reads will fail, because a closed input is not an empty one.
    if (open("/dev/null", O_WRONLY) < 0) return;
  }
}

}  // namespace edgemill::cli
