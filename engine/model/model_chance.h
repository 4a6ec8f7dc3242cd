// The random choices of the model: where lists are cut, in which order things happen, and which
// processor owns each vertex.
#pragma once

#include <algorithm>
#include <cstdint>
#include <random>
#include <utility>
#include <vector>

#include "engine/model/model_graph.h"

namespace edgemill::model {

/// How messages move.
enum class Move : uint8_t { kAny, kPush, kPull, kNotifyPull };

/// A deliberate mistake in the model. Tests show that it makes answers wrong.
enum class Fault : uint8_t {
  kNone,
  kTakenStillWaits,  // Bucketed: a vertex that emitted in the pass emits once more
  kSeesDuplicates,   // kSimple has no effect
  kLosesPartialSum,  // the sum of one part of a divided list is lost
  kTakesTwice,       // a first-wins program takes two messages in a pass
};

/// How the model runs programs.
struct Mode {
  Move move = Move::kAny;
  bool relax = true;            // a push calls Relax if the program has it
  bool asynchronous = false;    // what becomes active may emit in the same pass
  bool two_processors = false;  // each has a copy of the state
  uint64_t seed = 1;
  Fault fault = Fault::kNone;
};

/// How often the model did each thing that programs must tolerate.
struct Coverage {
  uint64_t dropped = 0;
  uint64_t split_lists = 0;
  uint64_t early_exits = 0;
  uint64_t taken_in_pass = 0;
  uint64_t sent_to_owner = 0;
  uint64_t relaxed_stale = 0;
  uint64_t not_asked_cond = 0;
};
inline Coverage coverage;

/// One bit for each vertex.
using Bits = std::vector<uint8_t>;

inline std::vector<VertexId> MembersOf(const Bits& bits) {
  std::vector<VertexId> members;
  for (VertexId v = 0; v < bits.size(); ++v) {
    if (bits[v] != 0) members.push_back(v);
  }
  return members;
}

/// A part of a list that lies in one block.
struct ListPart {
  const Lists* lists;
  VertexId vertex;
  uint64_t begin;
  uint64_t end;
  bool whole;
};
struct Block {
  std::vector<ListPart> parts;
  int processor;
};

class Chance {
 public:
  explicit Chance(uint64_t seed) : random_(seed) {}

  uint64_t Next() { return random_(); }
  bool Coin() { return (random_() >> 13 & 1) != 0; }
  template <typename T>
  void Shuffle(T& items) {
    std::shuffle(items.begin(), items.end(), random_);
  }
  /// Cuts lists into blocks at random places. The blocks get a random order and random processors.
  std::vector<Block> Blocks(const std::vector<const Lists*>& all, bool two) {
    std::vector<Block> blocks;
    for (const Lists* lists : all) {
      const uint64_t num_edges = lists->edges.size();
      const uint64_t most = Coin() ? 3 : std::max<uint64_t>(2, num_edges / 3);
      for (uint64_t begin = 0, end; begin < num_edges; begin = end) {
        end = std::min(num_edges, begin + 1 + random_() % most);
        blocks.push_back({PartsOf(*lists, begin, end), two && Coin() ? 1 : 0});
      }
    }
    Shuffle(blocks);
    return blocks;
  }
  /// The processor that owns each vertex.
  Bits Owners(uint64_t num_vertices, bool two) {
    Bits owners(num_vertices);
    if (two) {
      for (uint8_t& owner : owners) owner = Coin() ? 1 : 0;
    }
    return owners;
  }

 private:
  static std::vector<ListPart> PartsOf(const Lists& lists, uint64_t begin, uint64_t end) {
    std::vector<ListPart> parts;
    const auto after = std::upper_bound(lists.offsets.begin(), lists.offsets.end(), begin);
    auto v = static_cast<VertexId>(after - lists.offsets.begin() - 1);
    for (; v + 1 < lists.offsets.size() && lists.offsets[v] < end; ++v) {
      const uint64_t first = lists.offsets[v];
      const uint64_t last = lists.offsets[v + 1];
      if (first == last) continue;
      parts.push_back(
          {&lists, v, std::max(first, begin), std::min(last, end), first >= begin && last <= end});
    }
    return parts;
  }

  std::mt19937_64 random_;
};

}  // namespace edgemill::model
