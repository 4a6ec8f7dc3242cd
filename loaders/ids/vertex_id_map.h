// From the ids that keys hold to the input's ids, also after a resume.
#pragma once

#include <memory>

#include "common/buffer.h"
#include "common/os/memory_budget.h"
#include "common/state_blob.h"
#include "common/status.h"
#include "common/types.h"
#include "loaders/ids/id_ranks.h"
#include "loaders/names/name_run.h"
#include "loaders/source/edge_source.h"
#include "loaders/source/input_name.h"
#include "loaders/spill/spill_space.h"

namespace edgemill {

/// What a graph's vertices are called. Keys hold ids as read, then ranks or internal ids, which are
/// final. Not thread-safe while it changes.
class VertexIdMap {
 public:
  const IdRanks& ids() const { return ids_; }
  /// Keys still hold ids as read, which `ids` ranks.
  void SetIds(IdRanks ids) { ids_ = std::move(ids); }

  /// Whether keys hold final ids, not ids as read.
  bool keys_are_final() const { return keys_are_final_; }
  /// Keys hold final ids from now on: ranks, or internal ids where vertices are renumbered.
  void SetKeysAreFinal() { keys_are_final_ = true; }
  /// Takes the internal id of each rank, and the memory reserved for them. Keys hold what they held
  /// before.
  void SetInternalOfRank(Array<uint32_t> internal_of_rank, MemoryReservation reservation);

  /// The rank of `id` as keys hold it before vertices are renumbered; the number of vertices or
  /// more of one that is none.
  uint32_t RankOf(uint32_t id) const { return keys_are_final_ ? id : ids_.Rank(id); }
  std::span<const uint32_t> internal_of_rank() const { return internal_of_rank_.span(); }
  /// Gives edges, whose ends keys hold as before, their internal ids; false when some end is no
  /// vertex.
  bool ToInternal(std::span<NarrowEdge> edges) const;

  /// Takes the names of all ranks, and the seed of their hashes; nothing where vertices have none.
  void SetNames(NameRun names, uint64_t seed);
  const NameRun& names() const { return names_; }
  bool named() const { return names_.stream != nullptr; }

  /// What the input calls a vertex by the id that keys hold: for messages, slow. `id` itself when
  /// it is no vertex or what was saved cannot be read.
  InputName InputNameOf(uint32_t id) const;

  /// Writes to streams of `space` what InputNameOf needs after a resume, where it needs anything.
  /// The streams survive a crash. Must be called before PutState once keys are final.
  Status Save(SpillSpace& space);
  /// Leaves the saved names' files in place for a resume.
  void LeaveFiles();

  /// The state for the journal. Ids as read are not part of it: a resume decides them again.
  void PutState(StateWriter* out) const;
  /// Takes the state that PutState wrote. An error of `space` or of the state.
  Status LoadState(SpillSpace& space, StateReader* in);

 private:
  /// The rank of a final id.
  StatusOr<uint64_t> RankOfFinal(uint32_t id) const;
  StatusOr<InputName> InputNameOfRank(uint64_t rank) const;

  IdRanks ids_;
  bool keys_are_final_ = false;
  Array<uint32_t> internal_of_rank_;
  MemoryReservation reservation_;  // of internal_of_rank_
  NameRun names_;
  uint64_t name_seed_ = 0;
  // When keys hold final ids and a resume is possible: each rank's id (of sparse ids) and internal
  // id (when renumbered).
  std::unique_ptr<SpillStream> saved_ids_;
  std::unique_ptr<SpillStream> saved_internal_;
};

}  // namespace edgemill
