// The contents of a staging buffer, and which copies of a batch are joined.
#include "engine/transfer/staged_batch.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <vector>

#include "common/random.h"

namespace edgemill {
namespace {

/// A batch with memory for its lists.
struct BatchInMemory {
  std::vector<uint64_t> memory =
      std::vector<uint64_t>(StagingLayout::HostBytes(0) / sizeof(uint64_t) + 1);
  StagedBatch batch;
  BatchInMemory() { batch.memory = reinterpret_cast<std::byte*>(memory.data()); }
};

TEST(StagedBatch, EachBoundHolds) {
  const StagingLimits limits{.buffer_bytes = 100, .zero_copy_bytes = 10};
  const auto fits = [&](const StagingUse& used, const StagingUse& more) {
    StagedBatch batch;
    batch.Reserve(used);
    return batch.Fits(more, limits);
  };
  EXPECT_TRUE(fits({60, 60, 6}, {40, 40, 4}));
  EXPECT_FALSE(fits({60, 60, 6}, {41, 40, 4}));
  EXPECT_FALSE(fits({60, 60, 6}, {40, 41, 4}));
  EXPECT_FALSE(fits({60, 60, 6}, {40, 40, 5}));
  EXPECT_TRUE(StagedBatch().Fits({1000, 1000, 1000}, limits));  // one block of any size fits
  StagedBatch batch;
  for (uint32_t i = 0; i < StagingLayout::kMaxBlocks; ++i) {
    EXPECT_TRUE(batch.Fits({}, limits));
    EXPECT_EQ(batch.Reserve({}), i);
  }
  EXPECT_FALSE(batch.Fits({}, limits));
  StagedBatch alone;
  alone.Reserve({});
  EXPECT_FALSE(alone.Fits({}, {.buffer_bytes = 100, .num_blocks = 1}));
}

/// Places keep their blocks and copies in any order.
TEST(StagedBatch, ResidentBlocksComeFirstAndSubCsrsLast) {
  constexpr Transfer kTransfers[] = {Transfer::kResident, Transfer::kFilter, Transfer::kCompaction,
                                     Transfer::kManaged, Transfer::kSubCsr};
  for (uint64_t seed = 0; seed < 100; ++seed) {
    Random random(seed);
    BatchInMemory made;
    StagedBatch& batch = made.batch;
    const std::vector<std::byte> bytes(100);
    const auto blocks = static_cast<uint32_t>(random.Below(50));
    std::vector<Transfer> transfer_of;
    for (uint32_t i = 0; i < blocks; ++i) {
      transfer_of.push_back(kTransfers[random.Below(std::size(kTransfers))]);
      StagedBlock block{.index = batch.Reserve({}), .transfer = transfer_of[i]};
      block.place.block = i;
      block.copies[0] = std::span(bytes).subspan(i, 1);
      batch.Add(block);
    }
    const BatchParts parts = OrderByPart(&batch);
    EXPECT_EQ(parts.packed + parts.sub_csrs, blocks);
    std::vector<uint64_t> order;
    for (uint32_t i = 0; i < blocks; ++i) {
      const uint64_t block = batch.places()[i].block;
      order.push_back(block);
      const Transfer transfer = transfer_of[block];
      EXPECT_EQ(i < parts.resident,
                transfer == Transfer::kResident || transfer == Transfer::kManaged);
      EXPECT_EQ(i >= parts.packed, transfer == Transfer::kSubCsr);
    }
    EXPECT_TRUE(std::is_sorted(order.begin(), order.begin() + parts.resident));
    EXPECT_TRUE(std::is_sorted(order.begin() + parts.resident, order.begin() + parts.packed));
    EXPECT_TRUE(std::is_sorted(order.begin() + parts.packed, order.end()));
    for (const StagedCopy& copy : batch.copies) {
      EXPECT_EQ(static_cast<uint64_t>(copy.from - bytes.data()), batch.places()[copy.index].block);
    }
  }
}

/// All bytes are copied once and keep their alignment. The copies take at most the bytes that
/// separate copies would take.
TEST(JoinCopies, JoinsNeighboursOfOneKind) {
  alignas(128) static std::byte memory[1 << 16];
  size_t num_joined = 0;
  for (uint64_t seed = 0; seed < 200; ++seed) {
    Random random(seed);
    StagedBatch batch;
    uint64_t at = 0;
    uint64_t max_bytes = 0;
    const auto blocks = static_cast<uint32_t>(random.Below(30));
    for (uint32_t i = 0; i < blocks; ++i) {
      at = StagingLayout::Aligned(at) + random.Below(4) * 64;
      const auto bytes = static_cast<uint32_t>(1 + random.Below(1000));
      batch.copies.push_back({memory + at, bytes, i, false});
      at += bytes;
      max_bytes += StagingLayout::DeviceBytes(bytes);
    }
    std::vector<StagedCopy> shuffled = batch.copies;
    for (size_t i = shuffled.size(); i > 1; --i)
      std::swap(shuffled[i - 1], shuffled[random.Below(i)]);
    batch.copies = shuffled;
    const auto num_resident = static_cast<uint32_t>(random.Below(blocks + 1));
    const std::vector<JoinedCopy> joined = JoinCopies(&batch, num_resident);
    uint64_t bytes = 0;
    size_t next = 0;
    for (const JoinedCopy& copy : joined) {
      EXPECT_EQ(copy.first, next);
      ASSERT_LT(copy.first, copy.end);
      next = copy.end;
      num_joined += copy.end - copy.first - 1;
      bytes += StagingLayout::Aligned(copy.bytes);
      EXPECT_EQ(copy.from, batch.copies[copy.first].from);
      const std::byte* end = copy.from;
      for (size_t i = copy.first; i < copy.end; ++i) {
        const StagedCopy& of = batch.copies[i];
        EXPECT_EQ(of.index < num_resident, copy.stays);
        EXPECT_EQ((of.from - copy.from) % int64_t{StagingLayout::kAlignment}, 0);
        EXPECT_GE(of.from, end);
        EXPECT_LT(of.from - end, int64_t{StagingLayout::kMaxGap});
        end = of.from + of.bytes;
      }
      EXPECT_EQ(copy.from + copy.bytes, end);
    }
    EXPECT_EQ(next, batch.copies.size());
    EXPECT_LE(bytes, max_bytes);
    // Copies that could be joined are joined.
    for (size_t i = 1; i < joined.size(); ++i) {
      const JoinedCopy& a = joined[i - 1];
      const JoinedCopy& b = joined[i];
      EXPECT_TRUE(a.stays != b.stays ||
                  b.from - (a.from + a.bytes) >= int64_t{StagingLayout::kMaxGap} ||
                  (b.from - a.from) % int64_t{StagingLayout::kAlignment} != 0);
    }
  }
  EXPECT_GT(num_joined, 100u);
}

}  // namespace
}  // namespace edgemill
