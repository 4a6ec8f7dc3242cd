#include "engine/cpu/pass/closed_bits.h"

#include <algorithm>
#include <utility>

#include "common/check.h"

namespace edgemill {

void ClosedBits::EndPass(const Frontier& next, bool has_cond) {
  CHECK_EQ(next.num_vertices(), num_vertices_);
  const bool unlisted = std::exchange(has_unlisted_, uint8_t{0}) != 0;
  const bool reopens = std::exchange(reopens_, uint8_t{0}) != 0;
  if (unlisted || !next.is_sparse()) listed_.reset();
  if (listed_.has_value()) {
    const std::span<const VertexId> members = next.members();
    listed_->insert(listed_->end(), members.begin(), members.end());
    if (listed_->size() > kMaxListed) listed_.reset();
  }
  if (!has_cond || reopens) {
    Clear();
  } else {
    Close(next);
  }
}

void ClosedBits::Close(const Frontier& members) {
  if (members.is_sparse()) {
    for (const VertexId vertex : members.members()) {
      words_[vertex / 64] |= uint64_t{1} << vertex % 64;
    }
    return;
  }
  const std::span<const uint64_t> words = members.words();
  ForEachChunk(words_.size(), kChunk, threads_, [&](size_t begin, size_t end) {
    for (size_t word = begin; word < end; ++word) words_[word] |= words[word];
  });
}

void ClosedBits::Clear() {
  if (listed_.has_value()) {
    for (const VertexId vertex : *listed_) words_[vertex / 64] = 0;
    listed_->clear();
  } else {
    ForEachChunk(words_.size(), kChunk, threads_, [&](size_t begin, size_t end) {
      std::fill(words_.begin() + begin, words_.begin() + end, uint64_t{0});
    });
    listed_.emplace();
  }
  matches_cond_ = false;
}

}  // namespace edgemill
