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
#include "engine/program/edge_backend.h"
#include "engine/program/on_device.h"

namespace edgemill {

/// An edge program as passes on a card see it.
struct CardProgram {
  const EdgeProgramKernels* kernels = nullptr;
  PassTraits traits;
  bool weighted = false;
  bool consumes = false;
  bool has_cond = false;
  bool deposits = false;               // sums wait in the state until they are taken
  const void* monoid = nullptr;        // tells apart what sums are identities of
  std::span<const std::byte> tallies;  // totals as they begin, a slot each
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
};

}  // namespace edgemill
