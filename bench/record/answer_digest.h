// Answers made small, so that two programs' can be compared long after one of them is gone.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "common/status.h"
#include "engine/run/run.h"

namespace edgemill::bench {

/// What is kept of an answer: of levels, distances and components a hash of every vertex's value;
/// of ranks, which differ in their last bits, sums over 4,096 classes of vertices.
class AnswerDigest {
 public:
  /// The digest of the engine's answer, for a graph of dense ids that was not renumbered, from
  /// `id_base` on. Reads the answer once.
  static StatusOr<AnswerDigest> Of(RunResult& result, uint64_t id_base);
  /// The digest of values by vertex: kPlainUnreached for those that were not reached.
  static AnswerDigest Of(std::span<const uint32_t> values);
  /// The digest of ranks by vertex.
  static AnswerDigest Of(std::span<const float> ranks);

  /// Whether both are of one answer: the hashes are equal, and the sums of ranks within 1e-5 in
  /// all.
  bool Agrees(const AnswerDigest& other) const;

 private:
  void AddValue(uint64_t vertex, uint64_t value);
  void AddRank(uint64_t vertex, double rank);

  uint64_t hash_ = 0;
  std::vector<double> ranks_;  // empty: no ranks
};

}  // namespace edgemill::bench
