// What a card does for the Engine, behind interfaces that need no CUDA: programs and functions are
// bytes there, whose views show the card's memory, with the kernels that the registry has of them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>

#include "common/status.h"
#include "engine/gpu/program/program_kernels.h"
#include "engine/plan/direction_policy.h"
#include "engine/program/arrays/on_device.h"
#include "engine/program/edge_backend.h"
#include "engine/program/sharing.h"

namespace edgemill {

/// An edge program as passes on a card see it.
struct CardProgram {
  const EdgeProgramKernels* kernels = nullptr;
  PassTraits traits;
  bool weighted = false;
  bool consumes = false;
  bool has_cond = false;
  bool deposits = false;               // sums wait in the state until they are taken
  uint32_t sum_bytes = 0;              // of what a vertex is given
  const void* monoid = nullptr;        // tells apart what sums are identities of
  std::span<const std::byte> tallies;  // totals as they begin, a slot each
};

/// The card's part of passes that another processor shares, and what that asks of it meanwhile:
/// the functions of LeadingTeam (engine/hybrid), with programs and sums as bytes.
class GpuSharing {
 public:
  virtual ~GpuSharing() = default;
  virtual Mode NextMode() const = 0;
  /// Return the bytes that crossed, as TouchedWords.
  virtual StatusOr<uint64_t> ActiveWords(std::span<uint64_t> words) = 0;
  /// `program` must stay until End.
  virtual Status Begin(const void* program, const SharedPass& pass) = 0;
  virtual Status Work() = 0;
  /// `sums`: one for each vertex.
  virtual Status Receive(std::span<const VertexId> vertices, const void* sums) = 0;
  /// `border`: a sum; empty where there is none.
  virtual Status Take(std::span<const std::byte> border) = 0;
  virtual StatusOr<uint64_t> TouchedWords(std::span<uint64_t> words) = 0;
  virtual Status AddActive(VertexId first, std::span<const uint64_t> words) = 0;
  virtual Status End() = 0;
};

/// The passes of one edge operator on a card: EdgeBackend's functions, of which a program's bytes
/// are a parameter.
class GpuPasses {
 public:
  virtual ~GpuPasses() = default;
  virtual Status Begin(const VertexSet& from) = 0;
  virtual ActiveCounts active() const = 0;
  virtual ActiveCounts emitted() const = 0;
  virtual Status Pass(const void* program, bool asynchronous, double bound) = 0;
  /// Where the run's passes may be shared.
  virtual GpuSharing& sharing() = 0;
  virtual Status Advance() = 0;
  virtual Status AdvanceBelow(const void* program, double bound) = 0;
  virtual Status Split(const void* program, double bound) = 0;
  virtual StatusOr<double> LeastWaiting(const void* program, double bound) = 0;
  virtual Status TakeWaiting(const void* program, double before, double bound) = 0;
  virtual StatusOr<uint64_t> PassesAlone(const void* program, uint64_t most_passes,
                                         BucketBound* bucket) = 0;
  virtual StatusOr<VertexSet> End() = 0;
  /// What the passes since the last call added to the program's tallies.
  virtual StatusOr<std::span<const std::byte>> TakeTallies() = 0;
};

/// A function as operators on a card see it.
struct CardFunction {
  const FunctionKernels* kernels = nullptr;
  const void* function = nullptr;
  std::span<std::byte> tallies;  // totals as they begin, a slot each; and as they end
};

/// A card, for one Engine.
class GpuOperators {
 public:
  virtual ~GpuOperators() = default;
  /// Where the graph's indexes are.
  virtual std::span<const IndexCopy> indexes() const = 0;
  virtual StatusOr<std::unique_ptr<GpuPasses>> MakePasses(const CardProgram& program) = 0;
  virtual Status Map(const CardFunction& function, const VertexSet& set) = 0;
  virtual StatusOr<VertexSet> Filter(const CardFunction& function, const VertexSet& set) = 0;
  /// `sums` gets the sums of the chunks in order: as many bytes as there are chunks.
  virtual Status Reduce(const CardFunction& function, const VertexSet& set,
                        std::span<std::byte> sums) = 0;
  virtual Status VisitEdges(const CardFunction& function, Directions directions,
                            const VertexSet& set, const Slice& slice) = 0;
  /// Whether a neighbour of each vertex is kept, of a symmetric graph.
  virtual bool keeps_neighbors() const = 0;
  /// Where they are: calls the function on each vertex's edge to its own.
  virtual Status VisitKept(const CardFunction& function) = 0;
  /// The same; returns those for which it is true.
  virtual StatusOr<VertexSet> FilterKept(const CardFunction& function) = 0;
};

}  // namespace edgemill
