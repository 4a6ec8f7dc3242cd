// What bound a run: the disk, the processors, the link to a GPU, or something else.
#pragma once

#include <string>

#include "engine/run/run.h"

namespace edgemill::cli {

/// The greatest of the times in which a run did or waited for one thing.
struct RunBound {
  std::string by;         // "disk", "processor", "copy", "idle"; empty: too short to say
  double share = 0;       // of the threads' time or, of a GPU's parts, of the run's
  double rate_share = 0;  // of a disk's measured rate; 0: unknown
  std::string sentence;   // for people
};

/// Finds what bound the run. `disk_rate`: the measured bytes a second of the disk for reads of the
/// run's size, or 0 where nothing was measured.
RunBound WhatBound(const RunReport& report, double disk_rate);

}  // namespace edgemill::cli
