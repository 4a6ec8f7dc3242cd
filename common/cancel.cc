#include "common/cancel.h"

#include <atomic>

namespace edgemill {
namespace {
std::atomic<bool> cancel_requested{false};
std::atomic<bool> accepts_halts{false};
std::atomic<bool> halt_requested{false};
static_assert(std::atomic<bool>::is_always_lock_free, "set from a signal handler");
}  // namespace

void RequestCancel() noexcept { cancel_requested.store(true, std::memory_order_relaxed); }
void ClearCancel() noexcept { cancel_requested.store(false, std::memory_order_relaxed); }
bool CancelRequested() noexcept { return cancel_requested.load(std::memory_order_relaxed); }

void AcceptHalts(bool accepts) noexcept { accepts_halts.store(accepts); }
bool RequestHalt() noexcept {
  if (!accepts_halts.load()) return false;
  halt_requested.store(true);
  return true;
}
bool HaltRequested() noexcept { return halt_requested.load(std::memory_order_relaxed); }
void ClearHalt() noexcept { halt_requested.store(false); }

Status CheckCancelled() { return CancelRequested() ? CancelledError("interrupted") : OkStatus(); }

}  // namespace edgemill
