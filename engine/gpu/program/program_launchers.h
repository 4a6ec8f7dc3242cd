// How the host finds the kernels of programs and functions.
//
// An algorithm's file is compiled twice: for the host, and for GPUs through a source file that the
// build writes. In the second compilation an operator that a driver calls does not run. It only
// refers to the kernels of its program, which register themselves by the names of file and program.
// The host's part of the engine looks kernels up by the same names. Programs are copied to the GPU
// as bytes: both compilers give them the same layout.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "engine/gpu/program/fixpoint_launch.h"
#include "engine/gpu/program/pass_args.h"
#include "engine/program/operator_types.h"
#include "engine/program/program_ref.h"
#include "kernels/gpu/cells/edge_cells.h"
#include "kernels/gpu/search.h"

struct CUstream_st;

namespace edgemill {

struct Repeat;

/// Thread blocks of launches.
struct LaunchGrids {
  uint32_t vertices = 1;
  uint32_t tiles = 1;
};
/// The grid and the stream of a launch.
struct LaunchOn {
  LaunchGrids grids;
  CUstream_st* stream = nullptr;
};

/// Which edges a launch visits.
struct VisitedEdges {
  const DeviceEdges& edges;
  const TileSelection& source;
};
/// Messages from another processor, which a kernel gives to vertices.
struct ReceivedMessages {
  const VertexId* vertices = nullptr;
  const void* sums = nullptr;
  uint32_t count = 0;
};
/// The sets of a Bucketed.
struct BucketSets {
  uint64_t num_vertices = 0;
  const uint32_t* from = nullptr;  // vertices to be split
  uint32_t* due = nullptr;         // vertices in the bucket
  uint32_t* waiting = nullptr;     // for a later bucket
};

/// The launches of an edge program. `program` points to a copy whose views are of memory on the
/// GPU. No launch waits. Launches that the program does not need are null.
struct EdgeProgramLaunchers {
  bool may_run_in_one_launch = false;  // `fixpoint` is not null
  void (*consume)(const void* program, const PassArgs&, const LaunchOn&);
  void (*closed)(const void* program, const PassArgs&, const LaunchOn&);
  void (*receivers)(const void* program, const PassArgs&, const uint32_t* among,
                    uint32_t* receivers, const LaunchOn&);
  void (*push)(const void* program, const PassArgs&, const VisitedEdges&, const LaunchOn&);
  void (*pull)(const void* program, const PassArgs&, const VisitedEdges&, const LaunchOn&);
  void (*clear_partials)(const PassArgs&, const DeviceEdges&, const LaunchOn&);
  void (*fold)(const void* program, const PassArgs&, const DeviceEdges&, const LaunchOn&);
  void (*clear_sums)(const PassArgs&, const LaunchOn&);
  void (*take_sums)(const void* program, const PassArgs&, const LaunchOn&);
  /// For programs whose passes another processor may share.
  void (*receive)(const void* program, const PassArgs&, const ReceivedMessages&, const LaunchOn&);
  /// For programs whose pushes another GPU may share: see ReceiveSumsKernel.
  void (*receive_sums)(const void* program, const PassArgs&, const uint32_t* received,
                       const void* sums, const LaunchOn&);
  void (*apply_rest)(const void* program, const PassArgs&, const VertexIndexView& lists,
                     const LaunchOn&);
  /// The steps of a pull by cells; of programs with kMayUseCells. `messages` has one for each
  /// vertex, `partials` one for each part.
  void (*emit_to_cells)(const void* program, const PassArgs&, const EdgeCells&, void* messages,
                        const LaunchOn&);
  void (*combine_cells)(const EdgeCells&, const void* messages, void* partials, const LaunchOn&);
  void (*take_from_cells)(const void* program, const PassArgs&, const EdgeCells&,
                          const void* partials, const LaunchOn&);
  void (*split)(const void* program, const BucketSets&, double bound, const LaunchOn&);
  void (*least)(const void* program, const BucketSets&, double bound, unsigned long long* least,
                const LaunchOn&);
  void (*activate_waiting)(const void* program, const BucketSets&, double before, double bound,
                           const LaunchOn&);
  void (*extract_active)(const void* program, const PassArgs&, const VisitedEdges&, const Repeat&,
                         const LaunchOn&);
  /// Adds to `sums`, by block, what active vertices have to pass on; of programs with Pending.
  void (*sum_pending)(const void* program, const PassArgs&, const DeviceEdges&, float* sums,
                      const LaunchOn&);
  /// Launches grids.tiles thread blocks.
  void (*fixpoint)(const void* program, const PassArgs&, const ReachedEdges&, const FixpointLaunch&,
                   const LaunchOn&);
  /// The most passes of a search, for programs whose pulls may be a search; 0 for others.
  uint32_t most_found_passes = 0;
  /// Whether messages name their sender (Tuning::AsksForSender). A search must not begin with
  /// pushes then: it would look for senders in the longest lists.
  bool (*asks_for_sender)(const void* program);
  void (*open)(const void* program, const PassArgs&, const SearchLaunch&, bool knows_closed,
               const LaunchOn&);
  void (*take_found)(const void* program, const PassArgs&, const ReachedEdges&, const SearchLaunch&,
                     const LaunchOn&);
};

/// The arguments of a function's launches.
struct FunctionLaunch {
  const uint32_t* members = nullptr;  // null: all vertices
  uint64_t num_vertices = 0;
  std::byte* tallies = nullptr;
  uint32_t* damaged = nullptr;  // of the direction whose lists are visited
};

/// The launches of a function on vertices or edges.
struct FunctionKernels {
  void (*map)(const void* function, const FunctionLaunch&, const LaunchOn&) = nullptr;
  void (*filter)(const void* function, const FunctionLaunch&, uint32_t* selected,
                 const LaunchOn&) = nullptr;
  /// Writes one sum for each of NumReduceChunks chunks.
  void (*reduce)(const void* function, const FunctionLaunch&, void* sums,
                 const LaunchOn&) = nullptr;
  void (*visit)(const void* function, const FunctionLaunch&, const Slice& slice,
                const VisitedEdges&, const LaunchOn&) = nullptr;
  /// Visits each vertex with its sampled neighbour. If `neighbors` is null, visits only vertices
  /// without edges, each with itself.
  void (*visit_sampled)(const void* function, const FunctionLaunch&, const VertexIndexView& index,
                        const VertexId* neighbors, const LaunchOn&) = nullptr;
};

/// Finds the kernels of the program or function with this FullTypeName, in the file `file`. Returns
/// null if the file was not compiled for GPUs or calls no such operator.
const EdgeProgramLaunchers* FindEdgeProgram(std::string_view file, std::string_view program);
const FunctionKernels* FindFunction(std::string_view file, std::string_view function,
                                    FunctionUse use);

/// Whether the algorithm's file `file` was compiled for GPUs.
bool HasKernels(std::string_view file);

/// Puts kernels into the registry until the process ends.
class KernelRegistration {
 public:
  KernelRegistration(std::string_view file, std::string_view program,
                     const EdgeProgramLaunchers& kernels);
  KernelRegistration(std::string_view file, std::string_view function, FunctionUse use,
                     const FunctionKernels& kernels);
};

}  // namespace edgemill
