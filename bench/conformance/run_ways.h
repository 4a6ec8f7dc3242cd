// The ways in which an algorithm is tested.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "engine/run/run_options.h"

namespace edgemill::bench {

/// A way to run, as options of `edgemill run`.
struct RunWay {
  std::string text;  // "--device cpu --mode push --threads 3"
  std::function<void(RunOptions* options)> set;
  bool least_memory = false;  // as little memory as is enough: blocks are read again and again
  /// The run halts at a checkpoint after so many passes, and then goes on. 0: it does not.
  uint64_t halts_after = 0;
};

/// All ways. The first is the plainest: one thread, all blocks in memory. With `gpu`, those of a
/// GPU too. Not every algorithm takes each.
std::vector<RunWay> RunWays(bool gpu);

}  // namespace edgemill::bench
