// The arrays of a run's operators on the GPU, beside the arrays of the State. Plans need only
// counts: a run that does not fit is refused before anything is read. The same plans then allocate
// the arrays.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "common/status.h"
#include "engine/device/arena_plan.h"
#include "engine/plan/device_shares.h"
#include "engine/plan/direction_arrays.h"
#include "engine/plan/gpu_run.h"
#include "engine/program/program_traits.h"
#include "kernels/gpu/edge_kernels.h"
#include "kernels/gpu/sample_neighbors.h"
#include "kernels/gpu/search.h"
#include "storage/read/graph_store.h"

namespace edgemill {

struct PassCounters;
struct FixpointState;

/// What a run needs on the GPU.
struct DeviceNeeds {
  std::vector<ProgramTraits> programs;
  ScannedLists scanned;                // the lists that operators read
  bool visits_weights = false;         // visits of edges read weights
  bool rarely_reused = false;          // few passes: it does not pay to keep blocks on the GPU
  bool asynchronous = false;           // vertices may emit as soon as they are active
  bool pulls = false;                  // some pass may pull
  bool sums = false;                   // messages are put aside: one sum for each vertex
  bool may_run_in_one_launch = false;  // many passes may be one launch
  /// The direction of the lists from which sampling a neighbour of each vertex helps. Then: whether
  /// searches use it too, and whether the memory suffices for it.
  std::optional<Direction> may_sample = {};
  bool may_search = false;
  bool samples_neighbors = false;
  bool keeps_headers = false;  // of groups: searches need them where not all blocks fit
  bool all_fits = false;       // all blocks fit on the GPU
  bool marks = false;          // some pass marks vertices that may receive
  bool shares = false;         // another processor may share passes
  bool logs = false;           // pushes keep their messages for the GPU that owns the vertices
  bool gathers = false;        // such messages of another GPU are copied here before use
  bool degrees[2] = {};        // programs read degrees of out- and in-lists
  uint64_t state_bytes = 0;    // of the State's arrays on the GPU

  /// Whether some program or visit needs weights. The graph may have none.
  bool has_weighted() const { return visits_weights || AnyOf(programs, &ProgramTraits::weighted); }
};

/// The sets of passes, with a bit for each vertex. A set is null where no pass of the run uses it.
struct DeviceSets {
  uint32_t* current = nullptr;
  uint32_t* next = nullptr;
  uint32_t* waiting = nullptr;   // vertices for a later bucket
  uint32_t* marks = nullptr;     // vertices that were notified, or may receive
  uint32_t* received = nullptr;  // vertices for which a message was put aside
  uint32_t* closed = nullptr;
  uint32_t* touched = nullptr;   // by messages, in passes that another processor shares
  uint32_t* gathered = nullptr;  // vertices for which another GPU has sums

  void Plan(const GraphInfo& info, const DeviceNeeds& needs, ArenaPlan* arena);
  /// Returns the bytes of one set.
  static uint64_t SetBytes(const GraphInfo& info) { return (info.num_vertices + 63) / 64 * 8; }
};

/// Messages, and what they were combined to.
struct DeviceSums {
  std::byte* messages = nullptr;        // of programs that consume: one for each vertex
  std::byte* sums = nullptr;            // a vertex
  const void* identities_of = nullptr;  // the sums are identities of this monoid
  std::byte* partials = nullptr;        // of lists that cross warp tiles
  std::byte* border = nullptr;          // one sum from another processor
  std::byte* gathered = nullptr;        // another GPU's sums, one a vertex
  std::byte* tallies = nullptr;
  std::byte* reduced = nullptr;  // sums of the chunks of a Reduce

  /// Notes that the sums are identities of `monoid` from now on. Returns whether they were before.
  bool AreOf(const void* monoid) { return std::exchange(identities_of, monoid) == monoid; }
  void Plan(const GraphInfo& info, const DeviceNeeds& needs, ArenaPlan* arena);
};

/// For asynchronous pushes: the vertices that emit in a repeated pass over a batch, and the groups
/// to visit; and, by block, what active vertices have to pass on.
struct RepeatArrays {
  uint32_t* senders = nullptr;
  uint32_t* groups = nullptr;
  float* pending = nullptr;
};

/// Many passes in one launch.
struct FixpointArrays {
  WarpChunk* lists[2] = {};
  FixpointState* state = nullptr;
  uint32_t max_chunks = 0;  // of each list; 0: not used

  void Plan(const GraphInfo& info, ArenaPlan* arena);
};

/// Searches: several passes in one launch.
struct SearchArrays {
  uint32_t* open = nullptr;
  uint32_t* sets = nullptr;
  SearchQueues queues;
  SearchState* state = nullptr;

  void Plan(const GraphInfo& info, ArenaPlan* arena);
};

/// All arrays of passes, on the GPU.
struct PassArrays {
  DirectionArrays directions[2];
  DeviceSets sets;
  DeviceSums sums;
  RepeatArrays repeats;
  PassCounters* counters = nullptr;
  DeviceSampledNeighbors sampled_neighbors;
  uint64_t* headers = nullptr;  // of groups
  /// By side (SideOf) and block: its address in the host's pinned memory.
  DeviceBlock* pinned[2] = {};
  FixpointArrays fixpoint;
  SearchArrays search;

  void Plan(const GraphInfo& info, const DeviceNeeds& needs, ArenaPlan* arena);
};

/// Fits a run to the GPU: decides whether neighbours are sampled. They are if all edges still fit.
/// Otherwise they must fit and be worth more than the blocks in their place. Returns
/// ShareOutDeviceMemory's BudgetError if the run cannot start. Returns UsageError if a graph has
/// too many edges to number its warp tiles.
Status FitGpu(const GraphStore& store, const GpuRunOptions& options, const DeviceMemory& memory,
              DeviceNeeds* needs);

}  // namespace edgemill
