// Push or pull: the choice of each pass, as plain arithmetic over counts.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "common/status.h"
#include "common/types.h"
#include "engine/cost/calibration.h"
#include "engine/graph/loaded_graph.h"
#include "engine/program/directions.h"
#include "engine/program/mode.h"
#include "engine/program/program_traits.h"

namespace edgemill {

/// The situation in which a pass begins: which vertices emit, and what the operator's passes before
/// have done.
struct PassSituation {
  uint64_t active_vertices = 0;
  EdgeIndex active_edges = 0;
  EdgeIndex emitted_edges = 0;
  /// The blocks that its last pull has read, where PassSizes::samples_neighbors: the next one reads
  /// fewer.
  std::optional<uint64_t> pulled_blocks = {};
};

/// What runs a pass.
enum class PassProcessor : uint8_t {
  kCpu,
  kGpu,            // with all edges on it, or soon
  kGpuAcrossLink,  // edges come again in each pass
};

/// What is the same for all passes on a graph.
struct PassSizes {
  uint64_t num_vertices = 0;
  EdgeIndex num_edges = 0;  // the graph's; a program that goes both ways meets each twice
  uint64_t num_blocks = 0;
  /// Seconds to read one block, at random and in order, where passes read blocks from disk again;
  /// 0: they stay in memory.
  double random_block_seconds = 0;
  double ordered_block_seconds = 0;
  /// If so, a pull samples a neighbour of each vertex that it does not find. The next pull finds
  /// nearly all by these.
  bool samples_neighbors = false;
  int threads = 1;
  PassProcessor processor = PassProcessor::kCpu;
  std::optional<double> pull_threshold = {};  // PassOptions'

  /// Passes read blocks of so many bytes from a disk of this rate.
  void ReadFromDisk(double block_bytes, const Curve& disk_rate);
};

/// Which lists of a graph can be read.
struct ListColumns {
  bool directed = false;
  bool out = false;  // out-lists
  bool in = false;   // in-lists; of symmetric graphs the out-lists
};

/// The lists of `store`, and of `graph`, that can be read.
ListColumns ListColumnsOf(const GraphStore& store);
ListColumns ListColumnsOf(const LoadedGraph& graph);

/// Whether the program's messages go along, and against, edges that are stored in one direction
/// each.
inline bool EmitsBothWays(const ProgramTraits& program, const GraphStore& store) {
  return program.directions == Directions::kBoth && store.info().directed;
}

/// The directions of lists that messages going `directions` are pushed along; of symmetric graphs
/// one. `reversed`: those that they are pulled from.
inline std::vector<Direction> ListsOf(Directions directions, bool directed, bool reversed) {
  if (!directed) return {Direction::kOut};
  if (directions == Directions::kBoth) return {Direction::kOut, Direction::kIn};
  const bool out = (directions == Directions::kOut) != reversed;
  return {out ? Direction::kOut : Direction::kIn};
}

/// What is the same for all passes of an operator.
class DirectionPolicy {
 public:
  /// `asynchronous`: vertices that become active emit in the same pass, where they may.
  DirectionPolicy(const ProgramTraits& traits, const ListColumns& lists, Mode asked,
                  bool asynchronous, const PassSizes& sizes);

  const ProgramTraits& traits() const { return traits_; }
  /// Later passes run on another processor than PassSizes says.
  void SetProcessor(PassProcessor processor) { sizes_.processor = processor; }
  /// Whether passes may push, or pull, at all.
  bool can_push() const { return traits_.may_push && has_push_lists(); }
  bool can_pull() const;
  /// Whether Choose may choose a push.
  bool may_push() const;
  bool may_pull() const;
  /// The mode of a pass: of the possible ones, that with the least predicted seconds.
  Mode Choose(const PassSituation& situation) const;
  /// UsageError when the graph, called `path`, lacks the lists, or the program lacks the functions,
  /// for the given mode.
  Status Check(const std::string& path) const;

 private:
  bool has_push_lists() const;
  /// Whether a GPU should pull rather than push.
  bool PullsOnGpu(const PassSituation& situation) const;
  double PushSeconds(const PassSituation& situation) const;
  double PullSeconds(const PassSituation& situation) const;
  double NotifyPullSeconds(const PassSituation& situation) const;
  /// Seconds to read all blocks, so many of them, or those that hold the lists of so many vertices,
  /// spread over all.
  double ReadSecondsOfAll() const;
  double ReadSecondsOfBlocks(double blocks) const;
  double ReadSeconds(uint64_t vertices) const;
  /// Whether PassSizes::pull_threshold, which is there, has a pass pull.
  bool PassesThreshold(const PassSituation& situation) const;

  const ProgramTraits traits_;
  const ListColumns lists_;
  const Mode asked_;
  const bool asynchronous_;
  PassSizes sizes_;
};

}  // namespace edgemill
