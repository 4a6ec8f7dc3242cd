#include "engine/transfer/resident_set.h"

#include <algorithm>

#include "common/check.h"
#include "engine/cost/tuning.h"

namespace edgemill {

void ResidentSet::AddSide(size_t side, uint64_t num_blocks, bool counts_costs) {
  CHECK(sides_[side].is_resident.empty());  // a side is added once
  sides_[side].is_resident.resize(num_blocks);
  if (counts_costs) sides_[side].spent_seconds.resize(num_blocks);
}

ResidentView ResidentSet::View(size_t side) const {
  const Side& of = sides_[side];
  MutexLock lock(mutex_);
  return {.is_resident = of.is_resident,
          .num_resident = of.num_resident,
          .spent_seconds = of.spent_seconds,
          .capacity_bytes = capacity_bytes_,
          .used_bytes = used_bytes_,
          .rental = rental_};
}

bool ResidentSet::Reserve(uint64_t bytes) {
  MutexLock lock(mutex_);
  CHECK_LE(reserved_bytes_, capacity_bytes_);
  if (capacity_bytes_ - reserved_bytes_ < bytes) return false;
  reserved_bytes_ += bytes;
  return true;
}

uint64_t ResidentSet::Allocate(uint64_t bytes) {
  MutexLock lock(mutex_);
  const uint64_t offset = used_bytes_;
  used_bytes_ += bytes;
  CHECK_LE(used_bytes_, reserved_bytes_);
  return offset;
}

void ResidentSet::Admit(size_t side, uint64_t block) {
  CHECK(!Contains(side, block));
  sides_[side].is_resident[block] = 1;
  ++sides_[side].num_resident;
}

void ResidentSet::Charge(size_t side, const PassCharges& charges) {
  rental_ = charges.rental;
  std::vector<float>& spent = sides_[side].spent_seconds;
  if (spent.empty()) return;
  for (const uint64_t block : charges.blocks) {
    spent[block] += static_cast<float>(charges.seconds[block]);
  }
}

bool ResidentSet::ShouldEvict(double filling_seconds) const {
  return rental_.idle_seconds > kEvictionShare * filling_seconds;
}

void ResidentSet::Evict() {
  for (Side& side : sides_) {
    if (side.num_resident == 0) continue;  // no resident block: keep its costs
    side.num_resident = 0;
    std::fill(side.is_resident.begin(), side.is_resident.end(), uint8_t{0});
    std::fill(side.spent_seconds.begin(), side.spent_seconds.end(), 0.0f);
  }
  rental_ = {};
  MutexLock lock(mutex_);
  reserved_bytes_ = used_bytes_ = 0;
}

}  // namespace edgemill
