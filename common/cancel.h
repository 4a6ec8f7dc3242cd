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

// A halt is a stop that can wait for the next point from which the operation can go on later: a
// checkpoint. All four functions are async-signal-safe and thread-safe.

/// Says whether the running operation looks at requests to halt.
void AcceptHalts(bool accepts) noexcept;
/// Asks it to halt. False where it does not look: RequestCancel stops it.
bool RequestHalt() noexcept;
/// Whether a halt was requested, since halts are accepted.
bool HaltRequested() noexcept;
/// Takes a request back (tests).
void ClearHalt() noexcept;

/// Ok, or CancelledError when a stop was requested.
Status CheckCancelled();

}  // namespace edgemill
