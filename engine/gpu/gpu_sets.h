// Sets of vertices between host and GPU.
#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "engine/device/array_home.h"
#include "engine/gpu/workspace/gpu_workspace.h"
#include "engine/program/sets/vertex_set.h"

namespace edgemill {

/// Moves sets between host and GPU, small ones as lists. An operator's large result stays on the
/// GPU until the host needs it, or another operator needs its memory. If the next operator begins
/// with that result, nothing is moved. Not thread-safe.
class GpuSets final : public SetSource {
 public:
  GpuSets(GpuWorkspace& workspace, SetPool& pool, ArrayHome& home)
      : workspace_(workspace), pool_(pool), home_(home) {}

  /// Copies `set` to the current set, unless it is there already.
  Status Upload(const VertexSet& set);
  /// Returns the current set, which has `count` members.
  StatusOr<VertexSet> Download(uint64_t count);
  /// Call this before other code writes `words`. Copies a result that is only there to the host.
  Status Claim(const uint32_t* words);
  /// The same, and then clears `words`.
  Status ClaimCleared(uint32_t* words);

  /// Copies `set`, on the GPU, to `words`, which must have a bit for each vertex. Few members cross
  /// the link as a list. Returns the bytes that crossed.
  StatusOr<uint64_t> ReadWords(const uint32_t* set, std::span<uint64_t> words);
  /// Adds the members to `set`, on the GPU. Overwrites the words between the first and the last, so
  /// `set` must have no other members there.
  Status AddMembers(const IndexSet& members, uint32_t* set);

  /// Copies a deferred set to the host. The State's home keeps an error.
  void Fill(Frontier& members) override;
  void Forget(const Frontier& members) override;

 private:
  /// Calls GpuControl::ListMembers.
  StatusOr<std::optional<std::span<const VertexId>>> ListMembers(const uint32_t* set);
  /// A set that is only on the GPU.
  struct Deferred {
    Frontier* members = nullptr;  // receives the copy; null: there is no such set
    const uint32_t* words = nullptr;
  };

  GpuWorkspace& workspace_;
  SetPool& pool_;
  ArrayHome& home_;
  Deferred deferred_;
};

}  // namespace edgemill
