// The choice between push and pull for each pass, by plain arithmetic over counts.
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

/// The situation in which a pass begins: which vertices emit, and what earlier passes of the
/// operator have done.
struct PassSituation {
  uint64_t active_vertices = 0;
  EdgeIndex active_edges = 0;
  EdgeIndex emitted_edges = 0;
  /// The blocks that the operator's last pull has read. Where it finds vertices by sampled
  /// neighbours, or left blocks out, the next pull reads fewer.
  std::optional<uint64_t> pulled_blocks = {};
};

/// The processor that runs a pass.
enum class PassProcessor : uint8_t {
  kCpu,
  kGpu,            // all edges are on the GPU, or will be soon
  kGpuAcrossLink,  // edges are copied to the GPU again in each pass
};

/// The figures that are the same for all passes on a graph.
struct PassSizes {
  uint64_t num_vertices = 0;
  EdgeIndex num_edges = 0;  // the graph's; a program that goes both ways meets each twice
  uint64_t num_blocks = 0;
  /// Seconds to read one block, at random and in order, where passes read blocks from disk again.
  /// 0 where blocks stay in memory.
  double random_block_seconds = 0;
  double ordered_block_seconds = 0;
  /// A pull samples a neighbour of each vertex that it does not find. By these neighbours, the next
  /// pull finds nearly all vertices.
  bool samples_neighbors = false;
  int threads = 1;
  PassProcessor processor = PassProcessor::kCpu;
  std::optional<double> pull_threshold = {};  // see PassOptions

  /// Sets the seconds for passes that read blocks of `block_bytes` from a disk of `disk_rate`.
  void ReadFromDisk(double block_bytes, const Curve& disk_rate);
};

/// The lists of a graph that can be read.
struct ListColumns {
  bool directed = false;
  bool out = false;  // out-lists
  bool in = false;   // in-lists; of symmetric graphs the out-lists
  /// Whether the weights of these lists can be read. In graphs without weights each is 1.
  bool out_weights = true;
  bool in_weights = true;

  /// Whether the lists of `direction` can be read, if `weighted` with their weights.
  bool Has(Direction direction, bool weighted) const {
    return directed && direction == Direction::kIn ? in && (in_weights || !weighted)
                                                   : out && (out_weights || !weighted);
  }
};

/// The lists of `store`, and of `graph`, that can be read.
ListColumns ListColumnsOf(const GraphStore& store);
ListColumns ListColumnsOf(const LoadedGraph& graph);

/// Whether the program's messages go both along and against the edges of a directed graph.
inline bool EmitsBothWays(const ProgramTraits& program, const GraphStore& store) {
  return program.directions == Directions::kBoth && store.info().directed;
}

/// The lists along which messages of `directions` are pushed, or (`reversed`) from which they are
/// pulled. In symmetric graphs all lists have one direction.
inline std::vector<Direction> ListsOf(Directions directions, bool directed, bool reversed) {
  if (!directed) return {Direction::kOut};
  if (directions == Directions::kBoth) return {Direction::kOut, Direction::kIn};
  const bool out = (directions == Directions::kOut) != reversed;
  return {out ? Direction::kOut : Direction::kIn};
}

/// Chooses the mode of each pass of an operator.
class DirectionPolicy {
 public:
  /// `asynchronous`: vertices that become active emit in the same pass, if the program allows it.
  DirectionPolicy(const ProgramTraits& traits, const ListColumns& lists, Mode asked,
                  bool asynchronous, const PassSizes& sizes);

  const ProgramTraits& traits() const { return traits_; }
  /// Sets the processor of later passes, in place of that of PassSizes.
  void SetProcessor(PassProcessor processor) { sizes_.processor = processor; }
  /// Whether passes can push, or pull, at all.
  bool can_push() const { return traits_.may_push && has_lists_of_senders(traits_.weighted); }
  bool can_pull() const { return has_lists_of_receivers(traits_.weighted); }
  /// Whether Choose compares the work of pushes and pulls, by no rule of the user.
  bool chooses_by_work() const {
    return asked_ == Mode::kAuto && !sizes_.pull_threshold.has_value();
  }
  /// Whether Choose may choose a push, or a pull.
  bool may_push() const;
  bool may_pull() const;
  /// The mode of a pass: of the possible modes, the one that should take the least time.
  Mode Choose(const PassSituation& situation) const;
  /// UsageError when the graph at `path` lacks the lists for the given mode, or the program cannot
  /// run in it.
  Status Check(const std::string& path) const;

 private:
  /// Whether passes can read the lists of receivers, or of vertices that send; if `weighted`, with
  /// their weights.
  bool has_lists_of_receivers(bool weighted) const;
  bool has_lists_of_senders(bool weighted) const;
  /// Whether Choose may choose modes that read the lists of vertices that send. To notify takes no
  /// weights.
  bool may_read_lists_of_senders() const {
    return has_lists_of_senders(traits_.weighted && !traits_.collects) && !traits_.applies_to_all;
  }
  /// Whether the graph has the lists for the given mode; if `weighted`, with the weights.
  bool HasListsForMode(bool weighted) const;
  /// Whether pulls test sampled neighbours first.
  bool samples() const { return sizes_.samples_neighbors && traits_.may_search; }
  /// Whether a GPU should pull rather than push.
  bool PullsOnGpu(const PassSituation& situation) const;
  double PushSeconds(const PassSituation& situation) const;
  double PullSeconds(const PassSituation& situation) const;
  /// How many blocks the next pull reads, as far as an earlier one shows; none where it does not.
  /// `left`: the edges whose vertices have not emitted.
  std::optional<double> BlocksOfNextPull(const PassSituation& situation, EdgeIndex left) const;
  double NotifyPullSeconds(const PassSituation& situation) const;
  /// Seconds to read all blocks; `blocks` of them; or the blocks with the lists of `vertices`,
  /// which are spread over all blocks.
  double ReadSecondsOfAll() const;
  double ReadSecondsOfBlocks(double blocks) const;
  double ReadSeconds(uint64_t vertices) const;
  /// Whether the active edges exceed PassSizes::pull_threshold, which must be set.
  bool PassesThreshold(const PassSituation& situation) const;

  const ProgramTraits traits_;
  const ListColumns lists_;
  const Mode asked_;
  const bool asynchronous_;
  PassSizes sizes_;
};

}  // namespace edgemill
