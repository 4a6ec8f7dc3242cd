// Random samples of vertices, from which algorithms search.
#pragma once

#include <cstdint>
#include <vector>

#include "common/random.h"
#include "engine/api/algorithm.h"

namespace edgemill {

inline constexpr Option<uint64_t> kSample{
    .names = "--sample",
    .help = "estimate from N random vertices (default: from all, exact)",
    .range = Whole32(1)};
inline constexpr Option<uint64_t> kSampleSeed{
    .names = "--sample-seed", .help = "chooses the vertices of --sample", .value = 1};

/// The vertices of kSample in rising order, or all vertices. By Knuth's algorithm S, every set of
/// as many vertices is equally likely.
class VertexSample {
 public:
  explicit VertexSample(const RunState& state)
      : left_(SizeIn(state)), end_(state.num_vertices()), random_(state.Get(kSampleSeed)) {}

  /// Whether a run takes some vertices only. A sample of all vertices is no sample.
  static bool IsPart(const RunState& state) {
    return state.Given(kSample) && state.Get(kSample) < state.num_vertices();
  }
  static uint64_t SizeIn(const RunState& state) {
    return IsPart(state) ? state.Get(kSample) : state.num_vertices();
  }

  /// At most `most` vertices, those after the last call's; none at the end.
  std::vector<VertexId> TakeSome(uint32_t most) {
    std::vector<VertexId> some;
    for (; some.size() < most && left_ > 0; ++vertex_) {
      if (left_ < end_ - vertex_ && random_.Below(end_ - vertex_) >= left_) continue;
      some.push_back(static_cast<VertexId>(vertex_));
      --left_;
    }
    return some;
  }

 private:
  uint64_t left_;
  uint64_t vertex_ = 0;
  const uint64_t end_;
  Random random_;
};

}  // namespace edgemill
