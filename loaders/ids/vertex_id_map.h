// Maps the ids in keys to the input's ids, also after a resume.
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

/// The ids and names of a graph's vertices. At first, keys have the ids as they were read. Later
/// they have final ids: ranks or internal ids. Not thread-safe while it changes.
class VertexIdMap {
 public:
  const IdRanks& ids() const { return ids_; }
  /// Sets the map from ids as read, which keys still have, to ranks.
  void SetIds(IdRanks ids) { ids_ = std::move(ids); }

  /// Whether keys have final ids, not ids as read.
  bool keys_are_final() const { return keys_are_final_; }
  /// Says that keys have final ids from now on: ranks, or internal ids if vertices are renumbered.
  void SetKeysAreFinal() { keys_are_final_ = true; }
  /// Takes the internal id of each rank, and the memory reserved for these ids. The ids in keys
  /// stay as they are.
  void SetInternalOfRank(Array<uint32_t> internal_of_rank, MemoryReservation reservation);

  /// The rank of `id`, an id in a key, before vertices are renumbered. If `id` is no vertex, the
  /// rank is the number of vertices or more.
  uint32_t RankOf(uint32_t id) const { return keys_are_final_ ? id : ids_.Rank(id); }
  std::span<const uint32_t> internal_of_rank() const { return internal_of_rank_.span(); }
  /// Replaces the ends of `edges`, which are ids as in keys, by internal ids. Returns false when
  /// some end is no vertex.
  bool ToInternal(std::span<NarrowEdge> edges) const;

  /// Takes the names of all ranks, and the seed of their hashes. For vertices that have names.
  void SetNames(NameRun names, uint64_t seed);
  const NameRun& names() const { return names_; }
  bool named() const { return names_.stream != nullptr; }

  /// The input's name or id of the vertex that has `id` in keys. Returns `id` itself when it is no
  /// vertex or a saved stream cannot be read. Slow, for messages.
  InputName InputNameOf(uint32_t id) const;

  /// Writes the data that InputNameOf needs after a resume, if any, to streams of `space`. The
  /// streams survive a crash. Must be called before PutState once keys are final.
  Status Save(SpillSpace& space);
  /// Leaves the saved names' files in place for a resume.
  void LeaveFiles();

  /// Writes the state for the journal. It has no map of ids as read: a resume makes it again.
  void PutState(StateWriter* out) const;
  /// Reads the state that PutState wrote. Returns errors of `space` and of the state.
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
  // Exist when keys have final ids and a resume is possible.
  std::unique_ptr<SpillStream> saved_ids_;       // if ids are sparse: of each rank, the input's id
  std::unique_ptr<SpillStream> saved_internal_;  // if renumbered: of each rank, the internal id
};

}  // namespace edgemill
