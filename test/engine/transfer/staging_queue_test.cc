// Staging buffers between readers and the thread that feeds a GPU: when each may do what, and that
// every block goes through once. The tests need no GPU.
#include "engine/transfer/staging_queue.h"

#include <gtest/gtest.h>

#include <memory>
#include <vector>

#include "common/random.h"
#include "common/threads/parallel.h"

namespace edgemill {
namespace {

/// A queue of staging buffers of 1000 bytes.
class StagingQueueTest : public ::testing::Test {
 protected:
  void Make(size_t num_buffers) {
    constexpr uint64_t kBufferBytes = 1000;
    memory_.resize(num_buffers);
    std::vector<std::byte*> pointers;
    for (auto& memory : memory_) {
      memory.resize(StagingLayout::HostBytes(kBufferBytes) / sizeof(uint64_t) + 1);
      pointers.push_back(reinterpret_cast<std::byte*>(memory.data()));
    }
    const StagingLimits limits{.buffer_bytes = kBufferBytes, .zero_copy_bytes = kBufferBytes};
    queue_ = std::make_unique<StagingQueue>(pointers, limits, clock_);
  }
  StagingQueue::Claimed Claim(uint64_t bytes) {
    auto claimed = queue_->Claim({.host_bytes = bytes});
    EXPECT_TRUE(claimed.ok());
    return *claimed;
  }
  static StagedBlock Block(const StagingQueue::Claimed& claimed, uint64_t number = 0) {
    StagedBlock block{.index = claimed.index};
    block.place.block = number;
    return block;
  }
  void Put(uint64_t bytes) {
    const StagingQueue::Claimed claimed = Claim(bytes);
    queue_->Finish(*claimed.batch, Block(claimed));
  }

  std::vector<std::vector<uint64_t>> memory_;
  Stopwatch clock_;
  std::unique_ptr<StagingQueue> queue_;
};

TEST_F(StagingQueueTest, AnEmptyQueueGivesNoBuffer) {
  Make(2);
  queue_->EndFilling();
  const StagingQueue::Next next = queue_->NextFull(true);
  EXPECT_EQ(next.full, nullptr);
  EXPECT_EQ(next.oldest, nullptr);
  queue_->Reset();
}

/// A buffer is filled to its bounds, submitted and freed.
TEST_F(StagingQueueTest, BuffersGoRound) {
  Make(2);
  for (int pass = 0; pass < 3; ++pass) {
    Put(600);
    Put(400);
    EXPECT_EQ(queue_->NextFull(false).full, nullptr);
    Put(1);  // does not fit in the first buffer, which is full
    StagedBatch* const first = queue_->NextFull(true).full;
    ASSERT_NE(first, nullptr);
    EXPECT_EQ(first->state, StagingState::kFull);
    EXPECT_EQ(first->num_blocks, 2u);
    EXPECT_EQ(first->use.host_bytes, 1000u);
    EXPECT_EQ(first->moved[Transfer::kFilter].blocks, 2u);
    queue_->Submitted(*first);
    EXPECT_EQ(queue_->NextFull(false).oldest, first);
    queue_->EndFilling();
    StagedBatch* const second = queue_->NextFull(true).full;
    ASSERT_NE(second, nullptr);
    EXPECT_NE(queue_->NumberOf(*first), queue_->NumberOf(*second));
    EXPECT_EQ(second->num_blocks, 1u);
    queue_->Submitted(*second);
    for (StagedBatch* const batch : {first, second}) {
      EXPECT_EQ(queue_->NextFull(true).oldest, batch);
      queue_->Free(*batch);
      EXPECT_EQ(batch->state, StagingState::kFree);
    }
    const StagingQueue::Next next = queue_->NextFull(true);
    EXPECT_TRUE(next.full == nullptr && next.oldest == nullptr);
    queue_->Reset();
  }
}

/// A batch is complete only after all that was claimed in it is written.
TEST_F(StagingQueueTest, SealedBatchesWaitForTheirWriters) {
  Make(2);
  const StagingQueue::Claimed early = Claim(500);
  const StagingQueue::Claimed late = Claim(500);
  ASSERT_EQ(early.batch, late.batch);
  EXPECT_EQ(late.to - early.to, 500);
  queue_->EndFilling();
  EXPECT_EQ(early.batch->state, StagingState::kSealed);
  queue_->Finish(*late.batch, Block(late));
  EXPECT_EQ(queue_->NextFull(false).full, nullptr);
  EXPECT_EQ(early.batch->state, StagingState::kSealed);
  queue_->Finish(*early.batch, Block(early));
  EXPECT_EQ(queue_->NextFull(true).full, early.batch);
}

/// A partly filled batch is submitted if the disk waits for its leases, but not otherwise.
TEST_F(StagingQueueTest, LeasesAreNotHeldWhileNothingHappens) {
  Make(2);
  Put(1);
  EXPECT_EQ(queue_->NextFull(false).full, nullptr);
  const StagingQueue::Claimed claimed = Claim(1);
  BlockLease lease;
  StagedBlock block = Block(claimed);
  block.lease = &lease;
  queue_->Finish(*claimed.batch, block);
  StagedBatch* const batch = queue_->NextFull(true).full;
  ASSERT_EQ(batch, claimed.batch);
  EXPECT_EQ(batch->leases.size(), 1u);
  queue_->Submitted(*batch);
  queue_->Free(*batch);
  EXPECT_TRUE(batch->leases.empty());
}

/// The feeding thread leaves one buffer to the readers until they have ended.
TEST_F(StagingQueueTest, TheLastBufferIsForReaders) {
  Make(3);
  EXPECT_NE(queue_->AcquireFree(), nullptr);
  EXPECT_NE(queue_->AcquireFree(), nullptr);
  EXPECT_EQ(queue_->AcquireFree(), nullptr);
  queue_->EndFilling();
  StagedBatch* const last = queue_->AcquireFree();
  ASSERT_NE(last, nullptr);
  EXPECT_EQ(last->state, StagingState::kFilling);
  queue_->Submitted(*last);
  EXPECT_EQ(last->state, StagingState::kSubmitted);
  Make(1);
  EXPECT_NE(queue_->AcquireFree(), nullptr);
}

TEST_F(StagingQueueTest, ReadersEndWhenTheFeederFailed) {
  Make(1);
  const Status status = RunThreads(2, [&](int thread) -> Status {
    if (thread == 1) {
      queue_->Fail();
      return OkStatus();
    }
    while (true) {  // claims until the only buffer is full, and then waits
      auto claimed = queue_->Claim({.host_bytes = 400});
      if (!claimed.ok()) return claimed.status();
      queue_->Finish(*claimed->batch, Block(*claimed));
    }
  });
  EXPECT_FALSE(status.ok());
  queue_->EndFilling();
  EXPECT_FALSE(queue_->Claim({}).ok());  // all later claims fail too
}

TEST(StagingStates, OnlyListedChangesAreAllowed) {
  using enum StagingState;
  constexpr StagingState kStates[] = {kFree, kFilling, kSealed, kFull, kSubmitted};
  int followers = 0;
  for (const StagingState from : kStates) {
    for (const StagingState to : kStates) followers += MayFollow(from, to);
  }
  EXPECT_EQ(followers, 7);
  EXPECT_TRUE(MayFollow(kFree, kFilling) && MayFollow(kFilling, kSealed) &&
              MayFollow(kFilling, kFull) && MayFollow(kFilling, kSubmitted) &&
              MayFollow(kSealed, kFull) && MayFollow(kFull, kSubmitted) &&
              MayFollow(kSubmitted, kFree));
}

/// Several threads read blocks of all sizes, with any number of buffers. Each block comes once, in
/// memory that no other block has.
TEST_F(StagingQueueTest, EveryBlockComesOnce) {
  constexpr uint64_t kNumStaged = 2000;
  for (const size_t num_buffers : {1, 2, 4}) {
    Make(num_buffers);
    for (int pass = 0; pass < 2; ++pass) {
      std::vector<int> came(kNumStaged);
      const Status status = RunThreads(2, [&](int side) -> Status {
        if (side == 1) {
          const Status read = RunThreads(3, [&](int thread) -> Status {
            Random random(static_cast<uint64_t>(thread));
            for (uint64_t block = static_cast<uint64_t>(thread); block < kNumStaged; block += 3) {
              const uint64_t bytes = 8 * random.Below(60);
              ASSIGN_OR_RETURN(const StagingQueue::Claimed claimed,
                               queue_->Claim({.host_bytes = bytes}));
              std::fill_n(claimed.to, bytes, static_cast<std::byte>(block));
              StagedBlock staged = Block(claimed, block);
              staged.copies[0] = {claimed.to, bytes};
              queue_->Finish(*claimed.batch, staged);
            }
            return OkStatus();
          });
          queue_->EndFilling();
          return read;
        }
        while (true) {
          const StagingQueue::Next next = queue_->NextFull(true);
          if (next.full != nullptr) {
            for (uint32_t i = 0; i < next.full->num_blocks; ++i) {
              ++came[next.full->places()[i].block];
            }
            for (const StagedCopy& copy : next.full->copies) {
              const uint64_t block = next.full->places()[copy.index].block;
              for (uint32_t i = 0; i < copy.bytes; ++i) {
                if (copy.from[i] != static_cast<std::byte>(block)) return InternalError("mixed");
              }
            }
            queue_->Submitted(*next.full);
          } else if (next.oldest != nullptr) {
            queue_->Free(*next.oldest);
          } else {
            return OkStatus();
          }
        }
      });
      EXPECT_TRUE(status.ok()) << status.message();
      EXPECT_EQ(came, std::vector<int>(kNumStaged, 1));
      queue_->Reset();
    }
  }
}

}  // namespace
}  // namespace edgemill
