// A host team of shared passes: it works on a copy of the State's arrays, and the main
// team keeps the sets.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "common/status.h"
#include "engine/program/main_team.h"

namespace edgemill {

/// Visits its blocks of shared passes of one operator. The order of a pass: Begin; Work; Take.
class HostTeam {
 public:
  virtual ~HostTeam() = default;

  /// The memory that its copy of the arrays is in: kHostMemory, or another.
  virtual const OtherMemory& memory() const = 0;
  /// Begins a pass in which it has `pass.shares[team]`, and consumes, in its copy, what emits.
  /// `program`: a copy whose views show its memory; stays until the next Begin.
  virtual Status Begin(const void* program, const SharedPass& pass, size_t team,
                       MainTeam& main_team) = 0;
  /// Visits its blocks. Messages for vertices of the main team's, always the same, are handed over
  /// when it returns.
  virtual Status Work(MainTeam& main_team) = 0;
  /// What its blocks brought the vertex before its first, a sum; empty: nothing.
  virtual std::span<const std::byte> border() const = 0;
  /// As MainTeam::Take.
  virtual Status Take(std::span<const std::byte> border) = 0;
  /// The vertices that it owns that were touched, and those that are active.
  virtual std::span<const uint64_t> touched() const = 0;
  virtual std::span<const uint64_t> active() const = 0;
  /// Messages that it has sent, and blocks that it has visited, so far.
  virtual uint64_t sent() const = 0;
  virtual uint64_t blocks() const = 0;
};

}  // namespace edgemill
