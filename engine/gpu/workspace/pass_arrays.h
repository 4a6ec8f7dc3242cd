// What the operators of a run keep on the GPU beside the arrays of its State, planned from counts
// alone: so what does not fit is refused before anything is read, and the same arrays are then
// allocated.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "common/status.h"
#include "engine/device/arena_plan.h"
#include "engine/plan/device_shares.h"
#include "engine/plan/direction_arrays.h"
#include "engine/plan/gpu_run.h"
#include "engine/program/program_traits.h"
#include "kernels/gpu/edge_kernels.h"
#include "kernels/gpu/sample_neighbors.h"
#include "storage/read/graph_store.h"

namespace edgemill {

struct PassCounters;
struct FixpointState;
struct SearchState;

/// What a run needs on the GPU.
struct DeviceNeeds {
  std::vector<ProgramTraits> programs;
  ScannedLists scanned;       // by all operators
  bool once = false;          // none often enough for blocks to stay on the GPU
  bool asynchronous = false;  // vertices may send as soon as they are active
  bool pulls = false;         // some pass may pull
  bool sums = false;          // messages are put aside in a sum a vertex
  bool runs_alone = false;    // many passes may be one launch
  /// The lists of which a sampled neighbour of each vertex is of use; whether it is for searches
  /// too; and whether there is memory for it.
  std::optional<Direction> may_sample = {};
  bool may_search = false;
  bool samples_neighbors = false;
  bool keeps_headers = false;  // of groups: not all blocks fit beside, and searches read some there
  bool all_fits = false;       // all blocks do
  bool marks = false;          // some pass marks vertices that may receive
  bool shares = false;         // another processor may share passes
  bool degrees[2] = {};        // of out- and in-lists are read
  uint64_t state_bytes = 0;    // of the State's arrays

  /// Whether some program needs weights, which graphs may lack.
  bool has_weighted() const { return AnyOf(programs, &ProgramTraits::weighted); }
};

/// The sets of passes, a bit a vertex; null where no pass of the run uses them.
struct DeviceSets {
  uint32_t* current = nullptr;
  uint32_t* next = nullptr;
  uint32_t* waiting = nullptr;   // for a later bucket
  uint32_t* marks = nullptr;     // notified, or may receive
  uint32_t* received = nullptr;  // have received something that is put aside
  uint32_t* closed = nullptr;
  uint32_t* touched = nullptr;  // in passes that another processor shares

  void Plan(const GraphInfo& info, const DeviceNeeds& needs, ArenaPlan* arena);
  /// Bytes of one.
  static uint64_t SetBytes(const GraphInfo& info) { return (info.num_vertices + 63) / 64 * 8; }
};

/// Messages, and what is combined of them.
struct DeviceSums {
  std::byte* messages = nullptr;  // of programs that consume, one a vertex, kept for the pass
  std::byte* sums = nullptr;      // a vertex
  std::byte* partials = nullptr;  // of lists that cross runs
  std::byte* border = nullptr;    // one sum, that another processor brings
  std::byte* tallies = nullptr;
  std::byte* reduced = nullptr;  // of a Reduce's chunks

  void Plan(const GraphInfo& info, const DeviceNeeds& needs, ArenaPlan* arena);
};

/// Asynchronous pushes: which vertices emit in a pass over a batch after the first, and along which
/// groups.
struct RepeatArrays {
  uint32_t* senders = nullptr;
  uint32_t* groups = nullptr;
};

/// Many passes in one launch.
struct FixpointArrays {
  PushSegment* lists[2] = {};
  FixpointState* state = nullptr;
  uint32_t max_chunks = 0;  // of each list; 0: no passes in one launch

  void Plan(const GraphInfo& info, ArenaPlan* arena);
};

/// Searches: many pulls in one launch.
struct SearchArrays {
  uint32_t* open = nullptr;
  uint32_t* sets = nullptr;
  VertexId* long_lists = nullptr;
  VertexId* queue = nullptr;
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
  uint64_t* headers = nullptr;    // of groups
  DeviceBlock* pinned = nullptr;  // by block: where it is in the host's pinned memory
  FixpointArrays fixpoint;
  SearchArrays search;

  void Plan(const GraphInfo& info, const DeviceNeeds& needs, ArenaPlan* arena);
};

/// Fits a run to the GPU: decides whether neighbours may be sampled. They may where there is room
/// and, if not all edges fit, they are worth more than the blocks in their place. Where the run
/// cannot start, BudgetError as of ShareOutDeviceMemory. UsageError for a graph with too many edges
/// to number a GPU's runs.
Status FitGpu(const GraphStore& store, const GpuRunOptions& options, const DeviceMemory& memory,
              DeviceNeeds* needs);

}  // namespace edgemill
