// Blocks in staging buffers: their bytes, and what the writer records about them. The tests need no
// GPU.
#include "engine/transfer/staging_writer.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <memory>
#include <vector>

#include "common/progress.h"
#include "engine/graph/loaded_graph.h"
#include "test/engine_testing.h"

namespace edgemill {
namespace {

constexpr uint32_t kStagedBlockEdges = 4096;

/// A graph of some blocks, and staging buffers for all of them.
class StagingWriterTest : public ::testing::Test {
 protected:
  void Make(WeightType weights, uint64_t capacity_bytes) {
    graph_ = InMemoryGraph::Dense(
        3000, RandomTestEdges(2, 3000, 20'000, 3),
        TestGraphOptions{.weights = weights, .block_edges = kStagedBlockEdges});
    reader_ = std::make_unique<InMemoryReader>(*graph_, 0);
    auto loaded =
        LoadedGraph::Load({*graph_, *reader_, 2, budget_, progress_}, {.out_index = true});
    ASSERT_TRUE(loaded.ok()) << loaded.status().message();
    loaded_ = std::move(*loaded);
    constexpr uint64_t kBufferBytes = uint64_t{1} << 20;
    memory_.assign(StagingLayout::HostBytes(kBufferBytes) / 8 + 64, 0);
    std::byte* const pointers[] = {reinterpret_cast<std::byte*>(memory_.data())};
    queue_ =
        std::make_unique<StagingQueue>(pointers, StagingLimits{kBufferBytes, kBufferBytes}, clock_);
    resident_ = std::make_unique<ResidentSet>();
    resident_->SetCapacity(capacity_bytes);
    managed_.assign(capacity_bytes / 8 + 64, 0);
    writer_ = std::make_unique<StagingWriter>(*queue_, *resident_,
                                              reinterpret_cast<std::byte*>(managed_.data()));
  }
  /// Puts all blocks, and returns the batch.
  StagedBatch& PutAll(const StagingWriter::Order& order) {
    const Status status =
        loaded_->blocks().VisitAll(Direction::kOut, graph_->info().weights != WeightType::kNone,
                                   [&](int, const BlockEdges& edges) -> StatusOr<bool> {
                                     RETURN_IF_ERROR(writer_->Put(edges, order));
                                     return true;
                                   });
    EXPECT_TRUE(status.ok()) << status.message();
    queue_->EndFilling();
    StagedBatch* const batch = queue_->NextFull(true).full;
    EXPECT_EQ(batch->num_blocks, loaded_->num_blocks());
    return *batch;
  }
  std::span<const std::byte> Payload(bool weights, uint64_t block) const {
    const bool has = graph_->info().weights != WeightType::kNone;
    if (weights && !has) return {};
    return graph_->payload(weights ? ColumnKind::kOutWeights : ColumnKind::kOutNeighbors, block);
  }
  uint64_t AllBytes() const {
    uint64_t bytes = 0;
    for (uint64_t block = 0; block < loaded_->num_blocks(); ++block) {
      bytes += Payload(false, block).size() + Payload(true, block).size();
    }
    return bytes;
  }
  static bool SameBytes(const void* at, std::span<const std::byte> bytes) {
    return bytes.empty() ? at == nullptr : std::memcmp(at, bytes.data(), bytes.size()) == 0;
  }
  void ExpectWhole(const BlockPlace& place, HeldGroups held) const {
    EXPECT_TRUE(SameBytes(place.bytes.neighbors, Payload(false, place.block)));
    EXPECT_TRUE(SameBytes(place.bytes.weights, Payload(true, place.block)));
    EXPECT_EQ(place.held, held);
  }

  MemoryBudget budget_{uint64_t{64} << 20};
  Progress progress_;
  std::unique_ptr<InMemoryGraph> graph_;
  std::unique_ptr<InMemoryReader> reader_;
  std::unique_ptr<LoadedGraph> loaded_;
  std::vector<uint64_t> memory_;
  std::vector<uint64_t> managed_;
  Stopwatch clock_;
  std::unique_ptr<StagingQueue> queue_;
  std::unique_ptr<ResidentSet> resident_;
  std::unique_ptr<StagingWriter> writer_;
};

constexpr WeightType kStagedWeights[] = {WeightType::kNone, WeightType::kInt32,
                                         WeightType::kFloat32, WeightType::kFloat64};

/// Blocks outside pinned memory are copied into the buffer. Zero-copied blocks are not copied on to
/// the GPU. Blocks without resident capacity are copied but do not stay.
TEST_F(StagingWriterTest, WholeBlocksAreAsTheyWere) {
  for (const WeightType weights : kStagedWeights) {
    for (const Transfer transfer : {Transfer::kFilter, Transfer::kZeroCopy, Transfer::kResident}) {
      Make(weights, 0);
      Make(weights, AllBytes() * 2 / 3);
      const StagedBatch& batch = PutAll({.transfer = transfer, .wanted_groups = 8});
      uint64_t copied = 0;
      for (const StagedCopy& copy : batch.copies) copied += copy.bytes;
      EXPECT_EQ(copied, transfer == Transfer::kZeroCopy ? 0 : AllBytes());
      for (uint32_t i = 0; i < batch.num_blocks; ++i) {
        ExpectWhole(batch.places()[i],
                    transfer == Transfer::kZeroCopy ? HeldGroups::kNone : HeldGroups::kAll);
      }
      const auto blocks = [&](Transfer of) { return batch.moved[of].blocks; };
      EXPECT_EQ(
          blocks(transfer) + (transfer == Transfer::kResident ? blocks(Transfer::kFilter) : 0),
          loaded_->num_blocks());
      if (transfer == Transfer::kResident) {
        EXPECT_GT(blocks(Transfer::kResident), 0u);
        EXPECT_GT(blocks(Transfer::kFilter), 0u);
      }
      if (transfer == Transfer::kZeroCopy) {
        EXPECT_LT(batch.moved.total().bytes, AllBytes() / 2);
      } else {
        EXPECT_EQ(batch.moved.total().bytes, AllBytes());
      }
      EXPECT_GT(batch.times.fill_seconds, 0);  // blocks outside pinned memory were copied
    }
  }
}

/// Compacted blocks have the data of the wanted groups only.
TEST_F(StagingWriterTest, CompactedBlocksHaveTheWantedGroups) {
  for (const WeightType weights : kStagedWeights) {
    Make(weights, 0);
    std::vector<uint32_t> groups(20'000 / kGroupSize / 32 + 1);
    for (uint32_t group = 0; group < 20'000 / kGroupSize; group += 5) {
      groups[group / 32] |= 1u << group % 32;
    }
    const StagedBatch& batch =
        PutAll({.transfer = Transfer::kCompaction, .wanted_groups = 6, .groups = groups.data()});
    uint64_t copied = 0;
    for (const StagedCopy& copy : batch.copies) {
      copied += copy.bytes;
      const BlockPlace& place = batch.places()[copy.index];
      EXPECT_EQ(place.held, HeldGroups::kWanted);
      if (copy.is_weights && weights != WeightType::kInt32) {
        EXPECT_TRUE(SameBytes(copy.from, Payload(true, place.block)));
        continue;
      }
      const auto size = static_cast<uint32_t>(
          std::min<uint64_t>(kStagedBlockEdges, 20'000 - place.block * kStagedBlockEdges));
      const auto whole = PackedView::Open(Payload(copy.is_weights, place.block), size);
      const auto gathered = PackedView::Open({copy.from, copy.bytes}, size);
      ASSERT_TRUE(whole.ok() && gathered.ok());
      for (uint32_t group = 0; group < whole->num_groups(); ++group) {
        if ((place.block * (kStagedBlockEdges / kGroupSize) + group) % 5 != 0) continue;
        uint32_t expected[kGroupSize], actual[kGroupSize];
        UnpackGroup(*whole, group, expected);
        UnpackGroup(*gathered, group, actual);
        EXPECT_TRUE(std::equal(expected, expected + kGroupSize, actual));
      }
    }
    const TransferAccount& moved = batch.moved[Transfer::kCompaction];
    EXPECT_EQ(moved.blocks, loaded_->num_blocks());
    EXPECT_EQ(moved.bytes, copied);
    EXPECT_GT(batch.times.fill_seconds, 0);
    EXPECT_LT(copied, AllBytes());
    EXPECT_LE(batch.use.host_bytes, batch.use.device_bytes);
    EXPECT_GE(batch.use.host_bytes, copied);
  }
}

TEST_F(StagingWriterTest, ManagedBlocksGoToUnifiedMemory) {
  Make(WeightType::kFloat32, uint64_t{1} << 20);
  const StagedBatch& batch = PutAll({.transfer = Transfer::kManaged, .wanted_groups = 1});
  EXPECT_TRUE(batch.copies.empty());
  EXPECT_EQ(batch.use.host_bytes, 0u);
  const auto* const begin = reinterpret_cast<const std::byte*>(managed_.data());
  for (uint32_t i = 0; i < batch.num_blocks; ++i) {
    const BlockPlace& place = batch.places()[i];
    ExpectWhole(place, HeldGroups::kAll);
    const auto* const at = reinterpret_cast<const std::byte*>(place.bytes.neighbors);
    EXPECT_TRUE(at >= begin && at < begin + resident_->View(0).used_bytes);
  }
  EXPECT_EQ(batch.moved[Transfer::kManaged].bytes, AllBytes());
}

/// Blocks in pinned memory are not copied into the buffer. Zero-copied blocks have their own list.
TEST_F(StagingWriterTest, PinnedBlocksAreUsedWhereTheyAre) {
  Make(WeightType::kInt32, 0);
  const auto put = [&](StagedBatch& batch, uint64_t block, Transfer transfer) {
    const BlockLease lease =
        BlockLease::Borrow(block, {Payload(false, block), Payload(true, block)});
    return writer_->PutPinned(batch, block, lease, {.transfer = transfer, .wanted_groups = 8}, 32);
  };
  StagedBatch& batch = *queue_->AcquireFree();
  EXPECT_TRUE(put(batch, 0, Transfer::kFilter));
  EXPECT_FALSE(put(batch, 1, Transfer::kZeroCopy));
  EXPECT_TRUE(put(batch, 2, Transfer::kResident));  // becomes kFilter without capacity
  EXPECT_EQ(batch.num_blocks, 2u);
  EXPECT_EQ(batch.use.host_bytes, 0u);
  ASSERT_EQ(batch.copies.size(), 4u);
  EXPECT_EQ(batch.copies[3].from, Payload(true, 2).data());
  EXPECT_EQ(batch.moved[Transfer::kFilter].bytes,
            Payload(false, 0).size() + Payload(true, 0).size() + Payload(false, 2).size() +
                Payload(true, 2).size());
  batch.Clear(0);
  EXPECT_TRUE(put(batch, 1, Transfer::kZeroCopy));
  EXPECT_FALSE(put(batch, 0, Transfer::kFilter));
  EXPECT_TRUE(batch.copies.empty());
  EXPECT_EQ(static_cast<const void*>(batch.places()[0].bytes.neighbors), Payload(false, 1).data());
  EXPECT_EQ(batch.places()[0].held, HeldGroups::kNone);
  EXPECT_EQ(batch.use.zero_copy_bytes, Payload(false, 1).size() + Payload(true, 1).size());
  EXPECT_EQ(batch.moved[Transfer::kZeroCopy].bytes, batch.use.zero_copy_bytes * 8 / 32);
  EXPECT_EQ(batch.times.fill_seconds, 0);
}

}  // namespace
}  // namespace edgemill
