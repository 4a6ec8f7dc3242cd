// What the host decides and prepares for a GPU: gathered groups, engines, registered memory.
#include <gtest/gtest.h>

#include "common/random.h"
#include "engine/run/gpu_choice.h"
#include "kernels/cpu/group_gathering.h"
#include "storage/read/block_cache.h"
#include "test/engine_testing.h"

namespace edgemill {
namespace {

TEST(GroupGathering, WantedGroupsAreAsTheyWere) {
  Random random(1);
  const auto graph = InMemoryGraph::Dense(3000, RandomTestEdges(2, 3000, 20'000, 3),
                                          TestGraphOptions{.block_edges = 4096});
  for (uint64_t block = 0; block < 5; ++block) {
    const uint32_t num_values =
        static_cast<uint32_t>(std::min<uint64_t>(4096, 20'000 - block * 4096));
    const auto whole =
        PackedView::Open(graph->payload(ColumnKind::kOutNeighbors, block), num_values);
    ASSERT_TRUE(whole.ok());
    for (const uint64_t one_in : {1u, 2u, 7u, 1000u}) {
      std::vector<uint32_t> groups(10);
      const uint64_t first = 33;
      for (uint32_t group = 0; group < whole->num_groups(); ++group) {
        if (random.Below(one_in) == 0) groups[(first + group) / 32] |= 1u << (first + group) % 32;
      }
      const uint64_t bytes = GatheredBytes(*whole, groups.data(), first);
      std::vector<uint64_t> memory((bytes + kDecodeSlackBytes) / 8 + 1);
      auto* const out = reinterpret_cast<std::byte*>(memory.data());
      ASSERT_EQ(bytes, GatherGroups(*whole, groups.data(), first, out));
      const auto gathered = PackedView::Open({out, bytes}, num_values);
      ASSERT_TRUE(gathered.ok()) << gathered.status().message();
      for (uint32_t group = 0; group < whole->num_groups(); ++group) {
        if ((groups[(first + group) / 32] >> (first + group) % 32 & 1) == 0) continue;
        uint32_t expected[kGroupSize], actual[kGroupSize];
        UnpackGroup(*whole, group, expected);
        UnpackGroup(*gathered, group, actual);
        ASSERT_TRUE(std::equal(expected, expected + kGroupSize, actual));
        ASSERT_EQ(whole->header(group).base, gathered->header(group).base);
      }
      if (one_in == 1000) {
        EXPECT_LT(bytes, graph->payload(ColumnKind::kOutNeighbors, block).size());
      }
    }
    EXPECT_LE(GatheredBytes(*whole, nullptr, 0),
              graph->payload(ColumnKind::kOutNeighbors, block).size() + 4);
  }
}

/// Notes the memory that is registered.
class NotingRegistrar : public MemoryRegistrar {
 public:
  Status Register(std::span<std::byte> memory) override {
    if (fails) return GpuError("no");
    now += memory.size();
    ++times;
    return OkStatus();
  }
  void Unregister(std::span<std::byte> memory) noexcept override { now -= memory.size(); }
  bool fails = false;
  uint64_t now = 0;
  int times = 0;
};

TEST(MemoryRegistrar, IsToldOfMemoryAndItsEnd) {
  NotingRegistrar registrar;
  std::vector<std::byte> memory(100);
  {
    auto first = RegisteredMemory::Register(&registrar, memory);
    ASSERT_TRUE(first.ok());
    EXPECT_TRUE(first->registered());
    RegisteredMemory second = std::move(*first);
    EXPECT_TRUE(second.registered());
    EXPECT_EQ(registrar.now, 100u);
  }
  EXPECT_EQ(registrar.now, 0u);
  EXPECT_EQ(registrar.times, 1);
  EXPECT_FALSE(RegisteredMemory::Register(nullptr, memory)->registered());
  registrar.fails = true;
  EXPECT_EQ(RegisteredMemory::Register(&registrar, memory).status().code(), Code::kGpu);
}

TEST(GpuChoice, WithoutAGpu) {
  RunOptions options;
  options.gpu.gpu.ordinal = 1000;  // a GPU that no machine has
  Progress progress;
  std::string fallback;
  options.device = Device::kCpu;
  EXPECT_EQ(ChooseGpu(options, progress, &fallback)->get(), nullptr);
  EXPECT_TRUE(fallback.empty());
  options.device = Device::kAuto;
  EXPECT_EQ(ChooseGpu(options, progress, &fallback)->get(), nullptr);
  EXPECT_FALSE(fallback.empty());
  options.device = Device::kGpu;
  EXPECT_EQ(ChooseGpu(options, progress, &fallback).status().code(), Code::kGpu);
  options.device = Device::kHybrid;
  EXPECT_EQ(ChooseGpu(options, progress, &fallback).status().code(), Code::kGpu);
}

TEST(GpuChoice, OnlyErrorsOfTheGpuSuggestTheCpu) {
  EXPECT_EQ(OrOnCpu(GpuError("lost: run again")).message(),
            "lost: run again, or run with --device cpu");
  EXPECT_EQ(OrOnCpu(GpuError("lost")).code(), Code::kGpu);
  EXPECT_EQ(OrOnCpu(BudgetError("too small")).message(), "too small");
}

}  // namespace
}  // namespace edgemill
