// The hooks that tests use to fail or kill file operations (declared in common/os/file.h).
#include <csignal>
#include <cstdlib>
#include <string>

#include "common/os/file.h"
#include "common/thread_annotations.h"

namespace edgemill::fault {
namespace {

Hook& InstalledHook() {
  static Hook& hook = *new Hook;  // never destroyed: threads may still ask at exit
  return hook;
}

}  // namespace

void SetHook(Hook hook) { InstalledHook() = std::move(hook); }

int Injected(Op op, std::string_view path) {
  const Hook& hook = InstalledHook();
  return hook ? hook(op, path) : 0;
}

void KillPoint(std::string_view name) {
  Injected(Op::kKillPoint, name);
  const char* const wanted = std::getenv("EDGEMILL_KILL_POINT");
  if (wanted == nullptr) return;
  const std::string_view text(wanted);
  const size_t colon = text.rfind(':');
  if (text.substr(0, colon) != name) return;
  int visit = 1;
  if (colon != std::string_view::npos && !ParseNumber(text.substr(colon + 1), &visit)) return;
  static Mutex mutex;
  static int visits = 0;
  MutexLock lock(mutex);
  if (++visits == visit) std::raise(SIGKILL);
}

}  // namespace edgemill::fault
