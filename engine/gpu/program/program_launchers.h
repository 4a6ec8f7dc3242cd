// The kernels of programs and functions, as the host finds them.
//
// An algorithm's file is compiled twice: for the host, and once more for GPUs, by a source that
// the build writes. There each operator that a driver calls, instead of running, refers to the
// kernels of its program; these register themselves by the file's name and the program's. The
// host's part of the engine looks them up by the same names. Programs cross over as bytes: both
// compilers lay them out alike.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "engine/gpu/program/fixpoint_launch.h"
#include "engine/gpu/program/pass_args.h"
#include "engine/program/operator_types.h"
#include "engine/program/program_ref.h"
#include "kernels/gpu/search.h"

struct CUstream_st;

namespace edgemill {

struct Repeat;

/// Thread blocks of launches.
struct LaunchGrids {
  uint32_t vertices = 1;
  uint32_t runs = 1;
};
/// How wide a launch is, and on which stream.
struct LaunchOn {
  LaunchGrids grids;
  CUstream_st* stream = nullptr;
};

/// Which edges a launch visits.
struct VisitedEdges {
  const DeviceEdges& edges;
  const RunSource& source;
};
/// Messages of another processor, on their way to vertices.
struct ReceivedMessages {
  const VertexId* vertices = nullptr;
  const void* sums = nullptr;
  uint32_t count = 0;
};
/// The sets of a Bucketed.
struct BucketSets {
  uint64_t num_vertices = 0;
  const uint32_t* from = nullptr;  // those that are split
  uint32_t* due = nullptr;         // those in the bucket
  uint32_t* waiting = nullptr;     // for a later bucket
};

/// Launches of an edge program, a pointer to which each gets: its views show memory on the GPU.
/// None waits. Those that the program does not have do nothing.
struct EdgeProgramLaunchers {
  bool runs_alone = false;  // `fixpoint` is there
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
  void (*take_rest)(const void* program, const PassArgs&, const VertexIndexView& lists,
                    const LaunchOn&);
  void (*split)(const void* program, const BucketSets&, double bound, const LaunchOn&);
  void (*least)(const void* program, const BucketSets&, double bound, unsigned long long* least,
                const LaunchOn&);
  void (*activate_waiting)(const void* program, const BucketSets&, double before, double bound,
                           const LaunchOn&);
  void (*extract_active)(const void* program, const PassArgs&, const VisitedEdges&, const Repeat&,
                         const LaunchOn&);
  /// On grids.runs thread blocks.
  void (*fixpoint)(const void* program, const PassArgs&, const ReachedEdges&, const FixpointLaunch&,
                   const LaunchOn&);
  /// For programs whose pulls may be a search: the most passes of one; 0: for others.
  uint32_t most_found_passes = 0;
  void (*open)(const void* program, const PassArgs&, const SearchLaunch&, bool knows_closed,
               const LaunchOn&);
  void (*take_found)(const void* program, const PassArgs&, const ReachedEdges&, const SearchLaunch&,
                     const LaunchOn&);
};

/// What launches of a function have of a pass.
struct FunctionLaunch {
  const uint32_t* members = nullptr;  // null: all vertices
  uint64_t num_vertices = 0;
  std::byte* tallies = nullptr;
  uint32_t* damaged = nullptr;  // of the direction whose lists are visited
};

/// The same of a function on vertices or edges.
struct FunctionKernels {
  void (*map)(const void* function, const FunctionLaunch&, const LaunchOn&) = nullptr;
  void (*filter)(const void* function, const FunctionLaunch&, uint32_t* selected,
                 const LaunchOn&) = nullptr;
  /// One sum for each of NumReduceChunks chunks.
  void (*reduce)(const void* function, const FunctionLaunch&, void* sums,
                 const LaunchOn&) = nullptr;
  void (*visit)(const void* function, const FunctionLaunch&, const Slice& slice,
                const VisitedEdges&, const LaunchOn&) = nullptr;
  /// Visits each vertex's edge to its sampled neighbour; `neighbors` null: an edge to itself, where
  /// it has no other.
  void (*visit_sampled)(const void* function, const FunctionLaunch&, const VertexIndexView& index,
                        const VertexId* neighbors, const LaunchOn&) = nullptr;
};

/// What the registry has of the program or function with this FullTypeName, of the file `file`;
/// null: the file was not compiled for GPUs, or calls no such operator.
const EdgeProgramLaunchers* FindEdgeProgram(std::string_view file, std::string_view program);
const FunctionKernels* FindFunction(std::string_view file, std::string_view function,
                                    FunctionUse use);

/// Puts kernels into the registry, for as long as the process lives.
class KernelRegistration {
 public:
  KernelRegistration(std::string_view file, std::string_view program,
                     const EdgeProgramLaunchers& kernels);
  KernelRegistration(std::string_view file, std::string_view function, FunctionUse use,
                     const FunctionKernels& kernels);
};

}  // namespace edgemill
