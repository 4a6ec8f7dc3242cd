#include "engine/transfer/staged_batch.h"

#include <algorithm>
#include <utility>

#include "common/check.h"

namespace edgemill {

bool StagedBatch::Fits(const StagingUse& more, const StagingLimits& limits) const {
  return num_blocks == 0 || (use.host_bytes + more.host_bytes <= limits.buffer_bytes &&
                             use.device_bytes + more.device_bytes <= limits.buffer_bytes &&
                             use.zero_copy_bytes + more.zero_copy_bytes <= limits.zero_copy_bytes &&
                             num_blocks < limits.num_blocks);
}

uint32_t StagedBatch::Reserve(const StagingUse& more) {
  CHECK_LT(num_blocks, StagingLayout::kMaxBlocks);  // Fits has checked this
  use.host_bytes += more.host_bytes;
  // Blocks that stay do not need the buffer's memory on the GPU. Counting them limits a batch's
  // copies to that size.
  use.device_bytes += more.device_bytes;
  use.zero_copy_bytes += more.zero_copy_bytes;
  return num_blocks++;
}

void StagedBatch::Add(const StagedBlock& block) {
  CHECK_LT(block.index, num_blocks);  // Reserve returned this place
  transfers[block.index] = block.transfer;
  places()[block.index] = block.place;
  moved[block.transfer].Add({.blocks = 1, .bytes = block.moved_bytes});
  for (size_t column = 0; column < block.copies.size(); ++column) {
    const std::span<const std::byte> bytes = block.copies[column];
    if (bytes.empty()) continue;
    copies.push_back({bytes.data(), static_cast<uint32_t>(bytes.size()), block.index, column == 1});
  }
  times.fill_seconds += block.seconds;
  if (block.lease != nullptr) leases.push_back(std::move(*block.lease));
}

void StagedBatch::Clear(double now) {
  use = {};
  num_blocks = 0;
  copies.clear();
  moved = {};
  times = {.filling = now};
}

BatchParts OrderByPart(StagedBatch* batch) {
  const auto part_of = [&](uint32_t block) {
    const Transfer transfer = batch->transfers[block];
    const bool stays = transfer == Transfer::kResident || transfer == Transfer::kManaged;
    return stays ? 0 : transfer == Transfer::kSubCsr ? 2 : 1;
  };
  std::array<uint32_t, 3> sizes{};
  for (uint32_t i = 0; i < batch->num_blocks; ++i) ++sizes[part_of(i)];
  const BatchParts parts{sizes[0], sizes[0] + sizes[1], sizes[2]};
  if (std::find(sizes.begin(), sizes.end(), batch->num_blocks) != sizes.end()) return parts;
  std::array<uint32_t, 3> next = {0, parts.resident, parts.packed};
  std::vector<uint32_t> place_of(batch->num_blocks);
  std::vector<BlockPlace> ordered(batch->num_blocks);
  for (uint32_t i = 0; i < batch->num_blocks; ++i) {
    place_of[i] = next[part_of(i)]++;
    ordered[place_of[i]] = batch->places()[i];
  }
  std::copy(ordered.begin(), ordered.end(), batch->places());
  for (StagedCopy& copy : batch->copies) copy.index = place_of[copy.index];
  return parts;
}

std::vector<JoinedCopy> JoinCopies(StagedBatch* batch, uint32_t num_resident) {
  std::vector<StagedCopy>& copies = batch->copies;
  std::sort(copies.begin(), copies.end(),
            [](const StagedCopy& a, const StagedCopy& b) { return a.from < b.from; });
  std::vector<JoinedCopy> joined;
  for (size_t i = 0; i < copies.size(); ++i) {
    const StagedCopy& copy = copies[i];
    const bool stays = copy.index < num_resident;
    const auto joins = [&](const JoinedCopy& last) {
      const int64_t gap = copy.from - (last.from + last.bytes);
      // Joined payloads keep the same alignment, so that they take no more than DeviceBytes.
      return stays == last.stays && gap < static_cast<int64_t>(StagingLayout::kMaxGap) &&
             (copy.from - last.from) % static_cast<int64_t>(StagingLayout::kAlignment) == 0;
    };
    if (joined.empty() || !joins(joined.back())) {
      joined.push_back({.from = copy.from, .first = i, .stays = stays});
    }
    JoinedCopy& last = joined.back();
    last.bytes = static_cast<uint64_t>(copy.from - last.from) + copy.bytes;
    last.end = i + 1;
  }
  return joined;
}

}  // namespace edgemill
