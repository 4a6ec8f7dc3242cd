// What `bench gpu --sparse-bounds` and `--shards` read, and values that do not fit shared memory.
#include "bench/layouts/kernel_tuning.h"

#include <gtest/gtest.h>

#include "bench/rivals/raw_run.h"

namespace edgemill::bench {
namespace {

TEST(KernelTuningTest, NamesOfBoundsAreRead) {
  EXPECT_EQ(SparseBounds().Name(), "4/32/256/64/256");
  EXPECT_EQ(SparseBounds::Parse("4/32/256/64/256").value(), SparseBounds());
  const SparseBounds other = SparseBounds::Parse("8/16/1024/128/0").value();
  EXPECT_EQ(other.threads(), 1024u);
  EXPECT_EQ(other.in_degree, 0u);
  EXPECT_EQ(SparseBounds::Parse(other.Name()).value(), other);
  for (const char* bad :
       {"", "4", "4/32/256/64", "4/32/256/64/256/1", "3/32/256/64/256", "64/32/256/8/256",
        "4/32/16/64/256", "4/32/256/4/256", "4/32/256/512/256", "4/32/2048/64/256", "4/32/256/64/x",
        "0/32/256/64/256", "-4/32/256/64/256"}) {
    const auto bounds = SparseBounds::Parse(bad);
    ASSERT_FALSE(bounds.ok()) << bad;
    EXPECT_EQ(bounds.status().code(), Code::kUsage);
    EXPECT_NE(bounds.status().message().find("multigraph-sparse"), std::string::npos);
  }
}

TEST(KernelTuningTest, NamesOfShardsAreRead) {
  EXPECT_EQ(ShardTuning().Name(), "custom");
  EXPECT_EQ(ShardTuning::Parse("custom").value(), ShardTuning());
  for (const char* name : {"custom", "1", "32", "8/target", "custom/source/0", "2/target/1000"}) {
    EXPECT_EQ(ShardTuning::Parse(name).value().Name(), name);
  }
  EXPECT_EQ(ShardTuning::Parse("4/source").value(), ShardTuning{.copies = 4});
  for (const char* bad :
       {"", "0", "3", "64", "custom/", "custom/both", "8/target/", "8/target/x", "8/target/1/2"}) {
    const auto tuning = ShardTuning::Parse(bad);
    ASSERT_FALSE(tuning.ok()) << bad;
    EXPECT_EQ(tuning.status().code(), Code::kUsage);
    EXPECT_NE(tuning.status().message().find("garaph-shards"), std::string::npos);
  }
}

TEST(KernelTuningTest, ValuesThatDoNotFitSharedMemoryAreRefused) {
  const std::string run = "Garaph shards, pagerank";
  SharedMemoryNeed need{.values = 28'672, .value_bytes = 4};
  EXPECT_TRUE(CheckSharedMemory(run, need, 114'688).ok());
  const Status less = CheckSharedMemory(run, need, 114'687);
  EXPECT_EQ(less.code(), Code::kUsage);
  EXPECT_NE(less.message().find("Garaph shards, pagerank: 28,672 values of 4 bytes"),
            std::string::npos)
      << less.message();
  need.value_bytes = 16;  // more than any GPU has
  EXPECT_NE(CheckSharedMemory(run, need, 232'448).message().find("values of 16 bytes"),
            std::string::npos);
  need.value_bytes = 4;
  need.other_bytes = 1;
  EXPECT_FALSE(CheckSharedMemory(run, need, 114'688).ok());
}

TEST(KernelTuningTest, EnginesSayWhatTheyCannotRun) {
  const RawChoice shards{.engine = RawEngine::kShards};
  const RawChoice by_target{.engine = RawEngine::kShards, .shards = {.by_target = true}};
  EXPECT_TRUE(CanRun(shards, RawAlgorithm::kSssp));
  EXPECT_FALSE(CanRun(by_target, RawAlgorithm::kSssp));
  EXPECT_TRUE(CanRun(by_target, RawAlgorithm::kPageRank));
  EXPECT_FALSE(CanRun(shards, RawAlgorithm::kDeltaPageRank));
  EXPECT_TRUE(CanRun({.engine = RawEngine::kSparse}, RawAlgorithm::kPageRank));
  EXPECT_FALSE(CanRun({.engine = RawEngine::kSubCsrAsync}, RawAlgorithm::kPageRank));
  EXPECT_EQ(shards.Name(), "Garaph shards");
  EXPECT_EQ(by_target.Name(), "Garaph shards custom/target");
}

}  // namespace
}  // namespace edgemill::bench
