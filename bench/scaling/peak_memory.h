// The peak of a part of a process's life.
#pragma once

#include "common/status.h"

namespace edgemill::bench {

/// Makes PeakResidentBytes() start again from what is resident now (proc(5), clear_refs). IoError
/// where the kernel does not let it.
Status ResetPeakResident();

}  // namespace edgemill::bench
