// Cancellation: Ctrl-C sets one flag, and every long loop looks at it.
#pragma once

#include "common/status.h"

namespace edgemill {

/// Asks every running operation to stop soon. Async-signal-safe, thread-safe.
void RequestCancel() noexcept;

/// Takes a request back (tests, and a program that goes on after one).
void ClearCancel() noexcept;

/// Whether a stop was requested. One relaxed load: cheap enough for every block.
bool CancelRequested() noexcept;

/// Ok, or CancelledError when a stop was requested.
Status CheckCancelled();

}  // namespace edgemill
