// The kernels of programs and functions, as the host finds them.
//
// An algorithm's file is compiled twice: for the host, and once more for cards, by a source that
// the build writes. There each operator that a driver calls, instead of running, refers to the
// kernels of its program; these register themselves by the file's name and the program's. The
// host's part of the engine looks them up by the same names. Programs cross over as bytes: both
// compilers lay them out alike.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "engine/gpu/program/fixpoint_launch.h"
#include "engine/gpu/program/pass_launch.h"
#include "engine/program/operator_types.h"
#include "engine/program/program_ref.h"
#include "kernels/search.h"

struct CUstream_st;

namespace edgemill {

struct Repeat;

/// Thread blocks of launches.
struct LaunchGrids {
  uint32_t vertices = 1;
  uint32_t runs = 1;
};

/// Launches of an edge program, a pointer to which each gets: its views show memory on the card.
/// None waits. Those that the program does not have do nothing.
struct EdgeProgramKernels {
  using Stream = CUstream_st*;

  bool runs_alone = false;  // `fixpoint` is there
  void (*consume)(const void* program, const PassLaunch&, const LaunchGrids&, Stream);
  void (*closed)(const void* program, const PassLaunch&, const LaunchGrids&, Stream);
  void (*receivers)(const void* program, const PassLaunch&, const uint32_t* among,
                    uint32_t* receivers, const LaunchGrids&, Stream);
  void (*push)(const void* program, const PassLaunch&, const DeviceEdges&, const RunSource&,
               const LaunchGrids&, Stream);
  void (*pull)(const void* program, const PassLaunch&, const DeviceEdges&, const RunSource&,
               const LaunchGrids&, Stream);
  void (*clear_partials)(const PassLaunch&, const DeviceEdges&, const LaunchGrids&, Stream);
  void (*fold)(const void* program, const PassLaunch&, const DeviceEdges&, const LaunchGrids&,
               Stream);
  void (*clear_sums)(const PassLaunch&, const LaunchGrids&, Stream);
  void (*take_sums)(const void* program, const PassLaunch&, const LaunchGrids&, Stream);
  /// Of programs whose passes another processor may share.
  void (*receive)(const void* program, const PassLaunch&, const VertexId* vertices,
                  const void* received, uint32_t count, const LaunchGrids&, Stream);
  void (*take_rest)(const void* program, const PassLaunch&, const VertexIndexView& lists,
                    const LaunchGrids&, Stream);
  void (*split)(const void* program, uint64_t num_vertices, double bound, const uint32_t* from,
                uint32_t* due, uint32_t* waiting, const LaunchGrids&, Stream);
  void (*least)(const void* program, uint64_t num_vertices, double bound, const uint32_t* waiting,
                unsigned long long* least, const LaunchGrids&, Stream);
  void (*take_waiting)(const void* program, uint64_t num_vertices, double before, double bound,
                       uint32_t* waiting, uint32_t* due, const LaunchGrids&, Stream);
  void (*take_active)(const void* program, const PassLaunch&, const DeviceEdges&,
                      const RunSource& source, const Repeat&, const LaunchGrids&, Stream);
  void (*fixpoint)(const void* program, const PassLaunch&, const ReachedEdges&,
                   const FixpointLaunch&, const BucketBound&, uint32_t grid, Stream);
  /// Of programs whose pulls may be a search, of so many passes at most; 0: of others.
  uint32_t most_found_passes = 0;
  void (*open)(const void* program, const PassLaunch&, const SearchLaunch&, bool knows_closed,
               const LaunchGrids&, Stream);
  void (*take_found)(const void* program, const PassLaunch&, const ReachedEdges&,
                     const SearchLaunch&, const LaunchGrids&, Stream);
};

/// The same of a function on vertices or edges.
struct FunctionKernels {
  using Stream = CUstream_st*;

  void (*map)(const void* function, const uint32_t* members, uint64_t num_vertices,
              std::byte* tallies, const LaunchGrids&, Stream) = nullptr;
  void (*filter)(const void* function, const uint32_t* among, uint64_t num_vertices, uint32_t* kept,
                 std::byte* tallies, const LaunchGrids&, Stream) = nullptr;
  /// One sum for each of NumReduceChunks chunks.
  void (*reduce)(const void* function, const uint32_t* members, uint64_t num_vertices, void* sums,
                 std::byte* tallies, Stream) = nullptr;
  void (*visit)(const void* function, const uint32_t* members, const Slice& slice,
                std::byte* tallies, const DeviceEdges&, const RunSource&, uint32_t* damaged,
                const LaunchGrids&, Stream) = nullptr;
  /// Of each vertex's edge to its kept neighbour; `members` gets those for which it is true.
  void (*visit_kept)(const void* function, uint64_t num_vertices, const VertexId* neighbors,
                     uint32_t* members, std::byte* tallies, const LaunchGrids&, Stream) = nullptr;
};

/// What the registry has of the program or function with this FullTypeName, of the file `file`;
/// null: the file was not compiled for cards, or calls no such operator.
const EdgeProgramKernels* FindEdgeProgram(std::string_view file, std::string_view program);
const FunctionKernels* FindFunction(std::string_view file, std::string_view function,
                                    FunctionUse use);

/// Puts kernels into the registry, for as long as the process lives.
class KernelRegistration {
 public:
  KernelRegistration(std::string_view file, std::string_view program,
                     const EdgeProgramKernels& kernels);
  KernelRegistration(std::string_view file, std::string_view function, FunctionUse use,
                     const FunctionKernels& kernels);
};

}  // namespace edgemill
