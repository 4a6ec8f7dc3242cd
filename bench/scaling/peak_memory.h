// The peak memory of a part of a process's run.
#pragma once

#include "common/status.h"

namespace edgemill::bench {

/// Resets PeakResidentBytes() to the memory that is resident now (proc(5), clear_refs). Returns
/// IoError where the kernel does not allow it.
Status ResetPeakResident();

}  // namespace edgemill::bench
