// Sets of vertices between host and GPU.
#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "engine/device/array_home.h"
#include "engine/gpu/workspace/gpu_workspace.h"
#include "engine/program/sets/vertex_set.h"

namespace edgemill {

/// Moves sets; small ones as lists. The result of an operator stays on the GPU until the host, or
/// another operator, needs it or its place. An operator that begins with the set that the one
/// before returned moves nothing. One thread uses it.
class GpuSets final : public SetSource {
 public:
  GpuSets(GpuWorkspace& workspace, SetPool& pool, ArrayHome& home)
      : workspace_(workspace), pool_(pool), home_(home) {}

  /// Makes the current set the members of `set`.
  Status Upload(const VertexSet& set);
  /// The members of the current set, of which there are `count`.
  StatusOr<VertexSet> Download(uint64_t count);
  /// Called before other code writes `words`: members that are still there are copied to the host.
  Status Claim(const uint32_t* words);
  /// The same; `words` has no members then.
  Status ClaimCleared(uint32_t* words);

  /// Copies `set`, of the GPU, to `words`, which have room for all vertices: few members as a
  /// list. Returns the bytes that crossed.
  StatusOr<uint64_t> ReadWords(const uint32_t* set, std::span<uint64_t> words);
  /// Adds the members to `set`, of the GPU, which has no others between their first word and last.
  Status AddMembers(const IndexSet& members, uint32_t* set);

  /// Errors are kept by the State's home.
  void Fill(Frontier& members) override;
  void Forget(const Frontier& members) override;

 private:
  /// As GpuControl's.
  StatusOr<std::optional<std::span<const VertexId>>> ListMembers(const uint32_t* set);
  /// A set that is on the GPU alone.
  struct Deferred {
    Frontier* members = nullptr;  // where it is to be copied; null: there is no such set
    const uint32_t* words = nullptr;
  };

  GpuWorkspace& workspace_;
  SetPool& pool_;
  ArrayHome& home_;
  Deferred deferred_;
};

}  // namespace edgemill
