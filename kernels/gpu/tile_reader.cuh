// Gives the groups of a warp tile to a warp, one after the other. Meanwhile the next groups are
// fetched.
//
// Latency matters most where few groups are wanted, or groups are in the host's memory. Up to
// kMaxAhead groups are therefore under way at a time, if they fit in the ring.
#pragma once

#include <cstdint>
#include <type_traits>

#include "kernels/gpu/device_edges.h"
#include "kernels/gpu/warp_decode.cuh"

namespace edgemill {

/// The most groups that are under way at a time, with the group in use.
inline constexpr uint32_t kMaxAhead = 4;

/// One packed column of a warp tile. Each lane has the data of one group.
class TileColumn {
 public:
  /// Bit i of `wanted` says that group first_group + i is wanted. The payload has `num_groups`
  /// groups.
  __device__ TileColumn(const uint64_t* payload, uint32_t num_groups, uint32_t first_group,
                        uint32_t wanted, uint32_t lane) {
    const bool mine = (wanted >> lane & 1) != 0;
    header_ = mine ? __ldg(payload + first_group + lane) : 0;
    const GroupData data(payload, num_groups);
    line_ = data.line;
    const WordRange words = data.WordsOf(GroupHeader::Unpack(header_));
    const uint32_t before = __shfl_up_sync(kAllLanes, words.end, 1);
    const bool joined = lane > 0 && (wanted >> (lane - 1) & 1) != 0 && words.begin == before;
    const WordRange bring = WordsToBring(words, joined, (wanted >> lane & 2) != 0);
    const uint32_t span = mine ? RingSpan(bring) : 0;
    uint32_t tail = span;
#pragma unroll
    for (uint32_t by = 1; by < 1u << kMaxTileShift; by *= 2) {
      const uint32_t below = __shfl_up_sync(kAllLanes, tail, by);
      if (lane >= by) tail += below;
    }
    bring_ = bring.begin | (bring.end - bring.begin) << kPlaceBits;
    const RingPlaces places = PlacesInRing(words, bring, tail - span);
    to_ = places.to;
    start_ = places.start;
    tail_ = tail;
  }

  __device__ GroupHeader header(uint32_t group) const {
    return GroupHeader::Unpack(__shfl_sync(kAllLanes, header_, group));
  }
  /// The place in the ring where a group begins.
  __device__ uint32_t start(uint32_t group) const { return __shfl_sync(kAllLanes, start_, group); }
  /// The place in the ring after the words that are fetched for the group.
  __device__ uint32_t tail(uint32_t group) const { return __shfl_sync(kAllLanes, tail_, group); }
  /// Starts fetching the group.
  __device__ void Fetch(uint32_t group, uint32_t lane, LineRing& ring) const {
    const uint32_t bring = __shfl_sync(kAllLanes, bring_, group);
    WarpFetch(line_ + bring % (1u << kPlaceBits), bring >> kPlaceBits,
              __shfl_sync(kAllLanes, to_, group), lane, ring);
  }

 private:
  /// Bits of a word number in `bring_`. The number counts from the line where the data begins.
  /// Higher bits have the size.
  static constexpr uint32_t kPlaceBits = 20;

  uint64_t header_;
  const uint32_t* line_;
  uint32_t bring_;
  uint32_t to_;  // place in the ring
  uint32_t tail_;
  uint32_t start_;
};

/// Fetches the groups of a warp tile that have a bit in `wanted`. Weights are stored as `type`, and
/// are converted to `Weight`. All lanes must call each function together.
template <typename Weight>
class TileReader {
 public:
  static constexpr bool kWeighted = !std::is_same_v<Weight, NoWeight>;

  __device__ TileReader(const DeviceBlock& block, WeightType type, uint32_t num_groups,
                        uint32_t first_group, uint32_t wanted, uint32_t lane,
                        WarpScratch<Weight>& scratch)
      : raw_weights_(block.weights),
        type_(type),
        first_group_(first_group),
        left_(wanted),
        ahead_(wanted),
        lane_(lane),
        scratch_(scratch),
        neighbors_(block.neighbors, num_groups, first_group, wanted, lane),
        weights_(packed() ? static_cast<const uint64_t*>(block.weights) : block.neighbors,
                 num_groups, first_group, packed() ? wanted : 0, lane) {}

  /// Returns whether a group is left. Waits until it has arrived.
  __device__ bool Await() {
    __syncwarp();  // all lanes have finished with words that are overwritten next
    if (left_ == 0) return false;
    while (ahead_ != 0 && __popc(left_ & ~ahead_) < kMaxAhead && AskForNext()) {
    }
    static_assert(kMaxAhead == 4);
    switch (__popc(left_ & ~ahead_)) {
      case 1:
        WarpAwait<0>();
        break;
      case 2:
        WarpAwait<1>();
        break;
      case 3:
        WarpAwait<2>();
        break;
      default:
        WarpAwait<3>();
        break;
    }
    return true;
  }
  /// The current group's number in the tile, its header, and its start in the ring.
  __device__ uint32_t group() const { return __ffs(left_) - 1; }
  __device__ GroupHeader header() const { return neighbors_.header(group()); }
  __device__ uint32_t start() const { return neighbors_.start(group()); }
  /// Gets the lane's weights of the current group, which has `size` edges.
  __device__ void Weights(uint32_t size, LaneEdges<Weight>* edges) const {
    if constexpr (kWeighted) {
      if (packed()) {
        uint32_t values[kLaneEdges];
        WarpUnpack(weights_.header(group()), scratch_.weights, weights_.start(group()),
                   scratch_.lanes, lane_, values);
        SetWeights(values, edges);
      } else {
        WarpRawWeights(type_, raw_weights_, first_group_ + group(), size, lane_, edges);
      }
    }
  }
  /// Ends the use of the current group.
  __device__ void Next() { left_ &= left_ - 1; }

 private:
  __device__ bool packed() const { return kWeighted && type_ == WeightType::kInt32; }
  __device__ bool AskForNext() {
    const uint32_t next = __ffs(ahead_) - 1;
    if (!RingHolds(neighbors_.start(group()), neighbors_.tail(next))) return false;
    if constexpr (kWeighted) {
      if (packed() && !RingHolds(weights_.start(group()), weights_.tail(next))) return false;
      if (packed()) weights_.Fetch(next, lane_, scratch_.weights);
    }
    neighbors_.Fetch(next, lane_, scratch_.neighbors);
    CommitFetches();
    ahead_ &= ahead_ - 1;
    return true;
  }

  const void* const raw_weights_;
  const WeightType type_;
  const uint32_t first_group_;
  uint32_t left_;   // groups not used up yet
  uint32_t ahead_;  // groups not fetched yet
  const uint32_t lane_;
  WarpScratch<Weight>& scratch_;
  const TileColumn neighbors_;
  const TileColumn weights_;
};

}  // namespace edgemill
