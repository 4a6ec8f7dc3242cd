#include "engine/cpu/intersect/oriented_lists.h"

#include <algorithm>
#include <cstring>
#include <utility>

namespace edgemill {

StatusOr<OrientedLists> OrientedLists::Create(uint64_t bytes, uint64_t num_vertices, bool arcs,
                                              MemoryBudget& budget) {
  OrientedLists lists;
  lists.bytes_ = bytes;
  ASSIGN_OR_RETURN(lists.reservation_, budget.Reserve(bytes, "lists to intersect"));
  const uint64_t most_entries = bytes / EntryBytes(arcs) + 1;
  const uint64_t most_vertices = std::min(num_vertices, bytes / sizeof(Place)) + 1;
  ASSIGN_OR_RETURN(lists.places_, Array<Place>::Allocate(most_vertices));
  ASSIGN_OR_RETURN(lists.ranks_, Array<uint32_t>::Allocate(most_entries));
  ASSIGN_OR_RETURN(lists.arcs_, Array<uint8_t>::Allocate(arcs ? most_entries : 0));
  return lists;
}

OrientedLists::OrientedLists(OrientedLists&& other) noexcept
    : bytes_(other.bytes_),
      begin_(other.begin_),
      end_(other.end_),
      used_(other.num_entries()),
      reservation_(std::move(other.reservation_)),
      places_(std::move(other.places_)),
      ranks_(std::move(other.ranks_)),
      arcs_(std::move(other.arcs_)) {}

void OrientedLists::Clear(VertexId begin) {
  // Pages that other lists filled go back, because these ones may fill others.
  places_.Discard();
  ranks_.Discard();
  arcs_.Discard();
  begin_ = end_ = begin;
  used_.store(0, std::memory_order_relaxed);
}

void OrientedLists::ExtendTo(VertexId end) {
  CHECK(end >= end_ && HasRoom(end - end_, 0));
  std::fill(places_.begin() + (end_ - begin_), places_.begin() + (end - begin_), Place{});
  end_ = end;
}

}  // namespace edgemill
