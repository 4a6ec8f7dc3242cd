// A team that helps the main one in shared passes: threads of the CPU, or another GPU. It works on
// its own copy of the State's arrays. The main team keeps the sets.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

#include "common/status.h"
#include "engine/program/main_team.h"

namespace edgemill {

class Recorder;

/// Visits its blocks in the shared passes of one operator. The order of a pass: Begin; Queue; Work;
/// Take.
class HelperTeam {
 public:
  virtual ~HelperTeam() = default;

  /// The memory of its copy of the arrays: kHostMemory, or another.
  virtual const OtherMemory& memory() const = 0;
  /// The vertices whose lists it visits in all passes (SharedPass::by_vertex). Nullopt: it visits
  /// ranges of blocks, which differ from pass to pass.
  virtual std::optional<VertexRange> lists() const { return std::nullopt; }
  /// Whether it can take part in passes of `mode`.
  virtual bool MayHelp(Mode mode) const {
    static_cast<void>(mode);
    return true;
  }
  /// Begins a pass, in which its share is `pass.shares[team]`. If the program consumes, vertices
  /// that emit have consumed in this copy afterwards. `program`: a copy whose views show this
  /// memory; it must live until the next Begin.
  virtual Status Begin(const void* program, const SharedPass& pass, size_t team,
                       MainTeam& main_team) = 0;
  /// Between Begin and Work: queues the visit of its blocks, where that needs no more of the host.
  /// Returns whether it did: Work then only waits, and needs no thread of its own.
  virtual StatusOr<bool> Queue() { return false; }
  /// Visits its blocks. When it returns, all messages for vertices of the main team have been
  /// handed over. `main_team` is the same in all passes.
  virtual Status Work(MainTeam& main_team) = 0;
  /// The sum from its blocks for the vertex before its first; empty where there was no message.
  virtual std::span<const std::byte> border() const = 0;
  /// Like MainTeam::Take.
  virtual Status Take(std::span<const std::byte> border) = 0;
  /// The vertices that it owns and that were touched.
  virtual std::span<const uint64_t> touched() const = 0;
  /// MainTeam::TouchedThere.
  virtual const uint32_t* TouchedThere() const { return nullptr; }
  /// Adds the vertices that it owns and that became active to those of the main team.
  virtual Status GiveActive(MainTeam& main_team) = 0;
  /// The number of messages sent so far.
  virtual uint64_t sent() const = 0;
  /// Adds what it visited in the pass, of `mode`, to `recorder`.
  virtual Status Report(Mode mode, Recorder* recorder) = 0;
};

}  // namespace edgemill
