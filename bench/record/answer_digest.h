// Digests of answers, so that two answers can be compared after one of them has left memory.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "common/status.h"
#include "engine/run/run.h"

namespace edgemill::bench {

/// The digest of an answer. For levels, distances and components, it is a hash of the values of all
/// vertices. Ranks differ in their last bits, so their digest has sums over 4,096 classes of
/// vertices.
class AnswerDigest {
 public:
  /// The digest of the engine's answer. The graph's ids must be dense, begin at `id_base` and not
  /// be renumbered. Reads the answer once.
  static StatusOr<AnswerDigest> Of(RunResult& result, uint64_t id_base);
  /// The digest of values by vertex. The value of a vertex that was not reached is kPlainUnreached.
  static AnswerDigest Of(std::span<const uint32_t> values);
  /// The digest of ranks by vertex.
  static AnswerDigest Of(std::span<const float> ranks);

  /// Whether both are digests of the same answer: the hashes are equal, and the sums of ranks
  /// differ by at most 1e-5 in total.
  bool Agrees(const AnswerDigest& other) const;

 private:
  void AddValue(uint64_t vertex, uint64_t value);
  void AddRank(uint64_t vertex, double rank);

  uint64_t hash_ = 0;
  std::vector<double> ranks_;  // empty: no ranks
};

}  // namespace edgemill::bench
