#include "engine/frontier.h"

#include <algorithm>
#include <array>

#include "common/parallel.h"

namespace edgemill {

StatusOr<Frontier> Frontier::Create(uint64_t num_vertices, MemoryBudget& budget) {
  Frontier frontier;
  frontier.num_vertices_ = num_vertices;
  ASSIGN_OR_RETURN(frontier.reservation_, budget.Reserve(SizeBytes(num_vertices), "a frontier"));
  ASSIGN_OR_RETURN(frontier.words_, Array<uint64_t>::Allocate((num_vertices + 63) / 64));
  ASSIGN_OR_RETURN(frontier.list_, Array<VertexId>::Allocate(ListCapacity(num_vertices)));
  return frontier;
}

Frontier& Frontier::operator=(Frontier&& other) noexcept {
  std::swap(num_vertices_, other.num_vertices_);
  std::swap(reservation_, other.reservation_);
  std::swap(words_, other.words_);
  std::swap(list_, other.list_);
  listed_ = other.listed_.exchange(listed_);
  overflowed_ = other.overflowed_.exchange(overflowed_);
  taken_ = other.taken_.exchange(taken_);
  return *this;
}

void Frontier::Clear() {
  if (is_sparse()) {
    for (const VertexId vertex : members()) words_[vertex / 64] = 0;
  } else {
    std::fill(words_.begin(), words_.end(), uint64_t{0});
  }
  listed_ = 0;
  overflowed_ = false;
  taken_ = false;
}

void Frontier::EndAssign() {
  taken_ = false;
  uint64_t count = 0;
  for (const uint64_t word : words_) count += static_cast<uint64_t>(std::popcount(word));
  overflowed_ = count > list_.size();
  listed_ = 0;
  if (overflowed_) return;
  // Members are visited by the bitmap as long as the set is not sparse.
  overflowed_ = true;
  uint64_t place = 0;
  VisitRange(0, num_vertices_, [&](VertexId vertex) {
    list_[place++] = vertex;
    return true;
  });
  overflowed_ = false;
  listed_ = count;
}

void Frontier::Seal() {
  if (!is_sparse()) {
    if (taken_) EndAssign();  // perhaps few are left
    return;
  }
  const auto end = list_.begin() + listed_.load();
  std::sort(list_.begin(), end);
  if (!taken_.exchange(false)) return;
  const auto last = std::remove_if(list_.begin(), std::unique(list_.begin(), end),
                                   [&](VertexId vertex) { return !Test(vertex); });
  listed_ = static_cast<uint64_t>(last - list_.begin());
}

Status Frontier::ForEach(int threads,
                         const std::function<void(std::span<const VertexId>)>& visit) const {
  if (is_sparse()) {
    return ParallelFor(members().size(), 4096, threads, [&](size_t begin, size_t end) {
      visit(members().subspan(begin, end - begin));
      return OkStatus();
    });
  }
  return ParallelFor(num_vertices_, size_t{1} << 16, threads, [&](size_t begin, size_t end) {
    std::array<VertexId, 1024> chunk;
    size_t count = 0;
    VisitRange(begin, end, [&](VertexId vertex) {
      chunk[count++] = vertex;
      if (count == chunk.size()) {
        visit(chunk);
        count = 0;
      }
      return true;
    });
    if (count > 0) visit(std::span(chunk).first(count));
    return OkStatus();
  });
}

}  // namespace edgemill
