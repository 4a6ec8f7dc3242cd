// A team that helps in shared passes: it works on a copy of the State's arrays, and the leading
// team keeps the sets.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "common/status.h"
#include "engine/program/leading_team.h"

namespace edgemill {

/// Visits its blocks of shared passes of one operator.
class HelpingTeam {
 public:
  virtual ~HelpingTeam() = default;

  /// Consumes, in its copy, what emits.
  virtual Status Begin(const SharedPass& pass, LeadingTeam& leader) = 0;
  /// Visits its blocks. Messages for vertices of the leader's, always the same, are handed over
  /// when it returns.
  virtual Status Work(LeadingTeam& leader) = 0;
  /// What its blocks brought the vertex before its first, a sum; empty: nothing.
  virtual std::span<const std::byte> border() const = 0;
  /// Of the vertices that it owns, which were touched, and which are active.
  virtual std::span<const uint64_t> touched() const = 0;
  virtual std::span<const uint64_t> active() const = 0;
  /// Messages that it has sent, and blocks that it has visited, so far.
  virtual uint64_t sent() const = 0;
  virtual uint64_t blocks() const = 0;
};

}  // namespace edgemill
