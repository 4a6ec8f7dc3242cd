#include "loaders/ids/vertex_id_map.h"

#include <algorithm>
#include <vector>

#include "common/check.h"
#include "loaders/names/name_run.h"
#include "loaders/source/name_hash.h"

namespace edgemill {
namespace {

/// The facts about ids that the journal has.
struct SavedFacts {
  bool keys_are_final = false;
  bool sparse = false;
  uint32_t base = 0;
  uint64_t num_vertices = 0;

  template <typename Visitor, typename Facts>
  static void ListFields(Visitor& visitor, Facts& facts) {
    visitor.Fields(facts.keys_are_final, facts.sparse, facts.base, facts.num_vertices);
  }
};

}  // namespace

bool VertexIdMap::ToInternal(std::span<NarrowEdge> edges) const {
  // Internal ids are prefetched together, since each access is a cache miss.
  constexpr size_t kAtOnce = 64;
  const uint32_t* const internal = internal_of_rank_.data();
  const auto num_vertices = static_cast<uint32_t>(internal_of_rank_.size());
  if (num_vertices == 0) return edges.empty();
  bool known = true;
  for (size_t first = 0; first < edges.size(); first += kAtOnce) {
    const std::span<NarrowEdge> some =
        edges.subspan(first, std::min(kAtOnce, edges.size() - first));
    for (NarrowEdge& edge : some) {
      for (uint32_t* end : {&edge.source, &edge.target}) {
        const uint32_t rank = RankOf(*end);
        known &= rank < num_vertices;
        *end = std::min(rank, num_vertices - 1);
        __builtin_prefetch(internal + *end);
      }
    }
    for (NarrowEdge& edge : some) edge = {internal[edge.source], internal[edge.target]};
  }
  return known;
}

void VertexIdMap::SetInternalOfRank(Array<uint32_t> internal_of_rank,
                                    MemoryReservation reservation) {
  internal_of_rank_ = std::move(internal_of_rank);
  reservation_ = std::move(reservation);
}

void VertexIdMap::SetNames(NameRun names, uint64_t seed) {
  names_ = std::move(names);
  name_seed_ = seed;
}

InputName VertexIdMap::InputNameOf(uint32_t id) const {
  if (!keys_are_final_) return InputName(id);
  // Errors are dropped here, since the message that needs the name matters more.
  const StatusOr<uint64_t> rank = RankOfFinal(id);
  if (!rank.ok() || *rank >= ids_.num_vertices()) return InputName(id);
  const StatusOr<InputName> name = InputNameOfRank(*rank);
  return name.ok() ? *name : InputName(id);
}

Status VertexIdMap::Save(SpillSpace& space) {
  if (named()) RETURN_IF_ERROR(names_.stream->Save());
  if (ids_.sparse()) {
    saved_ids_ = space.NewStream();
    RETURN_IF_ERROR(ids_.VisitIds(
        [&](uint64_t id) { return saved_ids_->Append(std::as_bytes(std::span(&id, 1))); }));
    RETURN_IF_ERROR(saved_ids_->Save());
  }
  if (internal_of_rank_.empty()) return OkStatus();
  saved_internal_ = space.NewStream();
  RETURN_IF_ERROR(saved_internal_->Append(std::as_bytes(internal_of_rank_.span())));
  return saved_internal_->Save();
}

StatusOr<uint64_t> VertexIdMap::RankOfFinal(uint32_t id) const {
  if (!internal_of_rank_.empty()) {
    return static_cast<uint64_t>(std::find(internal_of_rank_.begin(), internal_of_rank_.end(), id) -
                                 internal_of_rank_.begin());
  }
  if (saved_internal_ == nullptr) return uint64_t{id};
  constexpr uint64_t kRangeIds = 65536;
  const uint64_t size = saved_internal_->size() / sizeof(uint32_t);
  std::vector<uint32_t> range;
  for (uint64_t first = 0; first < size; first += kRangeIds) {
    range.resize(std::min(kRangeIds, size - first));
    RETURN_IF_ERROR(
        saved_internal_->Read(first * sizeof(uint32_t), std::as_writable_bytes(std::span(range))));
    const auto at = std::find(range.begin(), range.end(), id);
    if (at != range.end()) return first + static_cast<uint64_t>(at - range.begin());
  }
  return uint64_t{id};
}

StatusOr<InputName> VertexIdMap::InputNameOfRank(uint64_t rank) const {
  CHECK_LT(rank, ids_.num_vertices());
  if (named()) {
    const size_t section = rank / NameRun::kSectionNames;
    NameRunReader reader(*names_.stream, names_.sections[section]);
    std::string_view name;
    for (uint64_t i = section * NameRun::kSectionNames; i <= rank; ++i) {
      ASSIGN_OR_RETURN(const bool more, reader.Next(&name));
      if (!more) return names_.stream->BadAt(0, "names that begin here: some are missing");
    }
    return InputName(HashName(name, name_seed_), name);
  }
  if (saved_ids_ == nullptr) return InputName(ids_.IdOf(static_cast<uint32_t>(rank)));
  uint64_t id = 0;
  RETURN_IF_ERROR(
      saved_ids_->Read(rank * sizeof(uint64_t), std::as_writable_bytes(std::span(&id, 1))));
  return InputName(id);
}

void VertexIdMap::LeaveFiles() {
  for (const auto* stream : {&saved_ids_, &saved_internal_, &names_.stream}) {
    if (*stream != nullptr) (*stream)->LeaveFiles();
  }
}

void VertexIdMap::PutState(StateWriter* out) const {
  // A resume finds the input's ids of final ids in the streams that Save wrote.
  CHECK(!keys_are_final_ || !ids_.sparse() || saved_ids_ != nullptr);
  for (const auto* stream : {&saved_ids_, &saved_internal_, &names_.stream}) {
    out->Put(*stream != nullptr);
    if (*stream != nullptr) (*stream)->PutState(out);
  }
  const SavedFacts facts{.keys_are_final = keys_are_final_,
                         .sparse = ids_.sparse(),
                         .base = ids_.base(),
                         .num_vertices = ids_.num_vertices()};
  out->Fields(facts, names_, name_seed_);
}

Status VertexIdMap::LoadState(SpillSpace& space, StateReader* in) {
  for (auto* stream : {&saved_ids_, &saved_internal_, &names_.stream}) {
    if (!in->Get<bool>()) continue;
    ASSIGN_OR_RETURN(*stream, space.OpenStream(in));
  }
  SavedFacts facts;
  in->Fields(facts, names_, name_seed_);
  keys_are_final_ = facts.keys_are_final;
  if (keys_are_final_) ids_ = IdRanks::Facts(facts.sparse, facts.base, facts.num_vertices);
  const auto beyond = [this](uint64_t at) { return !named() || at > names_.stream->size(); };
  if (std::any_of(names_.sections.begin(), names_.sections.end(), beyond)) {
    return BadDataError("the ingest journal is damaged: use --replace");
  }
  return OkStatus();
}

}  // namespace edgemill
