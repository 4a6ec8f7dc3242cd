#include "engine/program/sets/frontier.h"

#include <algorithm>
#include <array>
#include <vector>

#include "common/check.h"
#include "common/threads/parallel.h"

namespace edgemill {
namespace {

/// Words of the bitmap that a thread takes at a time.
constexpr size_t kChunkWords = size_t{1} << 13;
/// A thread's smallest share of the bitmap, and of a list that is visited. For a smaller share,
/// waking a thread takes longer than its work.
constexpr uint64_t kWordsAThread = uint64_t{1} << 15;
constexpr uint64_t kMembersAThread = uint64_t{1} << 13;
/// Sorting one member takes as long as reading this many words of the bitmap.
constexpr uint64_t kSortedWords = 64;
/// Clearing one member's word takes as long as clearing this many consecutive words.
constexpr uint64_t kClearedWords = 8;

}  // namespace

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

void Frontier::Clear(int threads) {
  threads = TeamFor(words_.size(), kWordsAThread, threads);
  if (is_sparse() && listed_ <= words_.size() / kClearedWords) {
    for (const VertexId vertex : members()) words_[vertex / 64] = 0;
  } else {
    ForEachChunk(words_.size(), kChunkWords, threads, [&](size_t begin, size_t end) {
      std::fill(words_.begin() + begin, words_.begin() + end, uint64_t{0});
    });
  }
  listed_ = 0;
  overflowed_ = false;
  taken_ = false;
}

void Frontier::EndAssign(int threads) {
  taken_ = false;
  threads = TeamFor(words_.size(), kWordsAThread, threads);
  // The place in the list of each chunk's first member. At first: the number of its members.
  std::vector<uint64_t> places((words_.size() + kChunkWords - 1) / kChunkWords);
  ForEachChunk(words_.size(), kChunkWords, threads, [&](size_t begin, size_t end) {
    uint64_t count = 0;
    for (size_t word = begin; word < end; ++word) {
      count += static_cast<uint64_t>(std::popcount(words_[word]));
    }
    places[begin / kChunkWords] = count;
  });
  uint64_t count = 0;
  for (uint64_t& place : places) count += std::exchange(place, count);
  overflowed_ = count > list_.size();
  listed_ = 0;
  if (overflowed_) return;
  ForEachChunk(words_.size(), kChunkWords, threads, [&](size_t begin, size_t end) {
    uint64_t place = places[begin / kChunkWords];
    for (size_t word = begin; word < end; ++word) {
      for (uint64_t bits = words_[word]; bits != 0; bits &= bits - 1) {
        const auto bit = static_cast<uint64_t>(std::countr_zero(bits));
        list_[place++] = static_cast<VertexId>(word * 64 + bit);
      }
    }
  });
  listed_ = count;
}

void Frontier::Seal(int threads) {
  if (!is_sparse()) {
    if (taken_) EndAssign(threads);  // few members may be left
    return;
  }
  if (listed_ > words_.size() / kSortedWords) {
    EndAssign(threads);
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
  CHECK(!taken_);  // the set is sealed
  if (is_sparse()) {
    const int team = TeamFor(members().size(), kMembersAThread, threads);
    return ParallelFor(members().size(), 4096, team, [&](size_t begin, size_t end) {
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
