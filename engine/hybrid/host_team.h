// A host team of shared passes. It works on its own copy of the State's arrays. The main team keeps
// the sets.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "common/status.h"
#include "engine/program/main_team.h"

namespace edgemill {

/// Visits its blocks in the shared passes of one operator. The order of a pass: Begin; Work; Take.
class HostTeam {
 public:
  virtual ~HostTeam() = default;

  /// The memory of its copy of the arrays: kHostMemory, or another.
  virtual const OtherMemory& memory() const = 0;
  /// Begins a pass, in which its share is `pass.shares[team]`. If the program consumes, vertices
  /// that emit have consumed in this copy afterwards. `program`: a copy whose views show this
  /// memory; it must live until the next Begin.
  virtual Status Begin(const void* program, const SharedPass& pass, size_t team,
                       MainTeam& main_team) = 0;
  /// Visits its blocks. When it returns, all messages for vertices of the main team have been
  /// handed over. `main_team` is the same in all passes.
  virtual Status Work(MainTeam& main_team) = 0;
  /// The sum from its blocks for the vertex before its first; empty where there was no message.
  virtual std::span<const std::byte> border() const = 0;
  /// Like MainTeam::Take.
  virtual Status Take(std::span<const std::byte> border) = 0;
  /// The vertices that it owns and that were touched, and those that became active.
  virtual std::span<const uint64_t> touched() const = 0;
  virtual std::span<const uint64_t> active() const = 0;
  /// The numbers of messages sent and of blocks visited so far.
  virtual uint64_t sent() const = 0;
  virtual uint64_t blocks() const = 0;
};

}  // namespace edgemill
