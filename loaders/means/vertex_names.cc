#include "loaders/means/vertex_names.h"

#include <algorithm>
#include <vector>

namespace edgemill {

void VertexNames::SetInternalOfRank(Array<uint32_t> internal_of_rank,
                                    MemoryReservation reservation) {
  internal_of_rank_ = std::move(internal_of_rank);
  reservation_ = std::move(reservation);
}

ExternalId VertexNames::NameOf(uint32_t id) const {
  if (!keys_are_final_) return id;
  if (kept_ids_ != nullptr || kept_internal_ != nullptr) {
    const StatusOr<ExternalId> kept = NameKept(id);
    return kept.ok() ? *kept : id;  // the error that wants the name matters more than this one
  }
  uint32_t rank = id;
  if (!internal_of_rank_.empty()) {
    rank = static_cast<uint32_t>(std::find(internal_of_rank_.begin(), internal_of_rank_.end(), id) -
                                 internal_of_rank_.begin());
  }
  return rank < ids_.num_vertices() ? ids_.IdOf(rank) : id;
}

Status VertexNames::Keep(SpillSpace& space) {
  if (ids_.sparse()) {
    kept_ids_ = space.NewStream();
    RETURN_IF_ERROR(ids_.VisitIds(
        [&](uint64_t id) { return kept_ids_->Append(std::as_bytes(std::span(&id, 1))); }));
    RETURN_IF_ERROR(kept_ids_->Save());
  }
  if (internal_of_rank_.empty()) return OkStatus();
  kept_internal_ = space.NewStream();
  RETURN_IF_ERROR(kept_internal_->Append(std::as_bytes(internal_of_rank_.span())));
  return kept_internal_->Save();
}

StatusOr<ExternalId> VertexNames::NameKept(uint32_t id) const {
  uint64_t rank = id;
  if (kept_internal_ != nullptr) {
    constexpr uint64_t kRangeIds = 65536;
    const uint64_t size = kept_internal_->size() / sizeof(uint32_t);
    std::vector<uint32_t> range;
    for (uint64_t first = 0; first < size; first += kRangeIds) {
      range.resize(std::min(kRangeIds, size - first));
      RETURN_IF_ERROR(
          kept_internal_->Read(first * sizeof(uint32_t), std::as_writable_bytes(std::span(range))));
      const auto at = std::find(range.begin(), range.end(), id);
      if (at == range.end()) continue;
      rank = first + static_cast<uint64_t>(at - range.begin());
      break;
    }
  }
  if (kept_ids_ == nullptr) return rank + ids_.base();
  uint64_t name = 0;
  if (rank >= kept_ids_->size() / sizeof(name)) return id;
  RETURN_IF_ERROR(
      kept_ids_->Read(rank * sizeof(uint64_t), std::as_writable_bytes(std::span(&name, 1))));
  return name;
}

void VertexNames::LeaveFiles() {
  for (const auto* stream : {&kept_ids_, &kept_internal_}) {
    if (*stream != nullptr) (*stream)->Keep();
  }
}

void VertexNames::PutState(StateWriter* out) const {
  for (const auto* stream : {&kept_ids_, &kept_internal_}) {
    out->Put(*stream != nullptr);
    if (*stream != nullptr) (*stream)->PutState(out);
  }
  out->Put(keys_are_final_);
  out->Put(ids_.sparse());
  out->Put(ids_.base());
  out->Put(ids_.num_vertices());
}

Status VertexNames::LoadState(SpillSpace& space, StateReader* in) {
  for (auto* stream : {&kept_ids_, &kept_internal_}) {
    if (!in->Get<bool>()) continue;
    ASSIGN_OR_RETURN(*stream, space.OpenStream(in));
  }
  keys_are_final_ = in->Get<bool>();
  const bool sparse = in->Get<bool>();
  const uint32_t base = in->Get<uint32_t>();
  const uint64_t num_vertices = in->Get<uint64_t>();
  if (keys_are_final_) ids_ = IdRanks::Facts(sparse, base, num_vertices);
  return OkStatus();
}

}  // namespace edgemill
