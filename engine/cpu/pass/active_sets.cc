#include "engine/cpu/pass/active_sets.h"

#include <bit>
#include <utility>

#include "common/check.h"
#include "common/threads/parallel.h"
#include "kernels/cpu/members.h"

namespace edgemill {

Status ForEachMember(const LoadedGraph& graph, const Frontier* from,
                     const std::function<void(const MemberChunk&)>& visit) {
  if (from != nullptr) {
    return from->ForEach(graph.threads(),
                         [&](std::span<const VertexId> members) { visit(MemberChunk(members)); });
  }
  return ParallelFor(graph.num_vertices(), kVertexChunk, graph.threads(),
                     [&](size_t begin, size_t end) {
                       visit(MemberChunk(begin, end));
                       return OkStatus();
                     });
}

std::optional<EdgeIndex> EdgesOfFew(const VertexIndexView& index, const Frontier& set) {
  constexpr size_t kFew = 4096;
  if (!set.is_sparse() || set.members().size() >= kFew) return std::nullopt;
  EdgeIndex edges = 0;
  for (const VertexId vertex : set.members()) edges += index.degree(vertex);
  return edges;
}

ActiveSets::ActiveSets(const LoadedGraph& graph, SetPool& pool, const std::vector<Direction>& lists)
    : graph_(graph), pool_(pool), max_edges_(graph.num_edges() * lists.size()) {
  CHECK(!lists.empty());
  for (const Direction direction : lists) {
    if (graph.has_index(direction)) indexes_.push_back(graph.index(direction));
  }
}

ActiveSets::~ActiveSets() {
  for (Members* const members : {&current_, &next_, &waiting_}) {
    if (*members != nullptr) pool_.Return(std::move(*members));
  }
}

Status ActiveSets::Begin(const VertexSet& from) {
  CHECK(next_ == nullptr && current_ == nullptr);  // an operator begins once
  given_ = from.frontier();
  if (given_ != nullptr) CHECK_EQ(given_->num_vertices(), graph_.num_vertices());
  ASSIGN_OR_RETURN(next_, pool_.Acquire());
  if (from.empty()) {
    ASSIGN_OR_RETURN(current_, pool_.Acquire());
  }
  return Count();
}

StatusOr<EdgeIndex> ActiveSets::EdgesOf(const VertexIndexView& index, const Frontier& set) const {
  if (const auto few = EdgesOfFew(index, set)) return *few;
  std::atomic<EdgeIndex> edges{0};
  RETURN_IF_ERROR(set.ForEach(graph_.threads(), [&](std::span<const VertexId> members) {
    EdgeIndex some = 0;
    for (const VertexId vertex : members) some += index.degree(vertex);
    edges.fetch_add(some, std::memory_order_relaxed);
  }));
  return edges.load();
}

Status ActiveSets::Count() {
  const Frontier* const members = from();
  if (members == nullptr) {
    active_ = {graph_.num_vertices(), max_edges_};
    return OkStatus();
  }
  if (members->is_sparse()) {
    active_ = {members->members().size(), 0};
    for (const VertexIndexView& index : indexes_) {
      ASSIGN_OR_RETURN(const EdgeIndex edges, EdgesOf(index, *members));
      active_.edges += edges;
    }
    CHECK_LE(active_.edges, max_edges_);  // no member is counted twice
    return OkStatus();
  }
  std::atomic<uint64_t> vertices{0};
  std::atomic<uint64_t> edges{0};
  const std::span<const uint64_t> words = members->words();
  RETURN_IF_ERROR(
      ParallelFor(words.size(), kVertexChunk / 64, graph_.threads(), [&](size_t begin, size_t end) {
        const std::span<const uint64_t> some = words.subspan(begin, end - begin);
        uint64_t count = 0;
        for (const uint64_t word : some) count += static_cast<uint64_t>(std::popcount(word));
        vertices.fetch_add(count, std::memory_order_relaxed);
        for (const VertexIndexView& index : indexes_) {
          edges.fetch_add(DegreesOf(index, begin, some), std::memory_order_relaxed);
        }
        return OkStatus();
      }));
  active_ = {vertices, edges};
  CHECK_LE(active_.vertices, graph_.num_vertices());
  CHECK_LE(active_.edges, max_edges_);
  return OkStatus();
}

Status ActiveSets::Advance() {
  CHECK(next_ != nullptr);  // Begin has acquired it
  next_->Seal(graph_.threads());
  given_ = nullptr;
  std::swap(current_, next_);
  if (next_ == nullptr) {
    ASSIGN_OR_RETURN(next_, pool_.Acquire());
  } else {
    next_->Clear(graph_.threads());
  }
  return Count();
}

VertexSet ActiveSets::End() {
  CHECK(current_ != nullptr);  // the operator began with none, or has advanced
  return pool_.Seal(std::exchange(current_, nullptr));
}

}  // namespace edgemill
