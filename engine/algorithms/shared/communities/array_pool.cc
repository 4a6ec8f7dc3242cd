#include "engine/algorithms/shared/communities/array_pool.h"

#include <algorithm>

namespace edgemill {
namespace {

constexpr uint64_t kLeastKept = uint64_t{64} << 10;

}  // namespace

StatusOr<ArrayPool::Piece> ArrayPool::Take(uint64_t bytes) {
  size_t best = free_.size();
  for (size_t i = 0; i < free_.size(); ++i) {
    const uint64_t size = free_[i].buffer.size();
    if (size < bytes || size / 4 > bytes) continue;
    if (best == free_.size() || size < free_[best].buffer.size()) best = i;
  }
  if (best < free_.size()) {
    std::swap(free_[best], free_.back());
    Piece found = std::move(free_.back());
    free_.pop_back();
    return found;
  }
  Piece made;
  StatusOr<MemoryReservation> reservation = budget_.Reserve(bytes, "the graph of communities");
  if (!reservation.ok() && !free_.empty()) {
    Clear();
    reservation = budget_.Reserve(bytes, "the graph of communities");
  }
  RETURN_IF_ERROR(reservation.status());
  made.reservation = std::move(*reservation);
  ASSIGN_OR_RETURN(made.buffer, Buffer::Allocate(bytes));
  return made;
}

void ArrayPool::Return(Piece piece) {
  if (piece.buffer.size() < kLeastKept) return;
  piece.zero = false;
  free_.push_back(std::move(piece));
}

StatusOr<PooledMemory> PooledMemory::Of(uint64_t bytes, ArrayPool& pool) {
  PooledMemory made;
  ASSIGN_OR_RETURN(made.piece_, pool.Take(bytes));
  made.pool_ = &pool;
  return made;
}

PooledMemory::PooledMemory(PooledMemory&& other) noexcept
    : pool_(std::exchange(other.pool_, nullptr)), piece_(std::move(other.piece_)) {}

PooledMemory& PooledMemory::operator=(PooledMemory&& other) noexcept {
  std::swap(pool_, other.pool_);
  std::swap(piece_, other.piece_);
  return *this;
}

PooledMemory::~PooledMemory() {
  if (pool_ != nullptr) pool_->Return(std::move(piece_));
}

}  // namespace edgemill
