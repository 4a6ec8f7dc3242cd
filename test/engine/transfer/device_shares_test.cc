// The number and size of the staging buffers of a run, computed from what both memories have left.
#include "engine/plan/device_shares.h"

#include <gtest/gtest.h>

#include "common/random.h"
#include "common/units.h"
#include "engine/plan/staging_layout.h"

namespace edgemill {
namespace {

constexpr uint64_t kMaxBlock = 300 * StagingLayout::kAlignment;

TEST(PlanStaging, BuffersFillWhatThereIsAndNoMore) {
  Random random(7);
  for (int trial = 0; trial < 2000; ++trial) {
    GpuRunOptions options;
    options.num_batches = 1 + static_cast<uint32_t>(random.Below(8));
    options.batch_bytes = random.Below(4 * kMebibyte);
    const uint64_t min_host = StagingLayout::HostBytes(kMaxBlock);
    const uint64_t host = min_host + random.Below(20 * kMebibyte);
    const uint64_t gpu = random.Below(2) == 0 ? 0 : kMaxBlock + random.Below(20 * kMebibyte);
    const StagingSizes sizes = PlanStaging({.staging_bytes = gpu}, options, host, kMaxBlock);
    EXPECT_EQ(sizes.on_device, gpu > 0);
    EXPECT_GE(sizes.num_buffers, 1u);
    EXPECT_LE(sizes.num_buffers, options.num_batches);
    EXPECT_GE(sizes.buffer_bytes, kMaxBlock);
    EXPECT_LE(sizes.buffer_bytes, std::max(options.batch_bytes, kMaxBlock));
    EXPECT_EQ(sizes.buffer_bytes % StagingLayout::kAlignment, 0u);
    EXPECT_LE(sizes.gpu_bytes(), gpu);
    EXPECT_LE(sizes.num_buffers * StagingLayout::HostBytes(sizes.buffer_bytes), host);
    // With one more buffer, a buffer could not hold a block.
    if (sizes.num_buffers == options.num_batches) continue;
    const uint64_t more = sizes.num_buffers + uint64_t{1};
    const uint64_t on_device = gpu > 0 ? gpu : options.num_batches * options.batch_bytes;
    EXPECT_TRUE(more * min_host > host || more * kMaxBlock > on_device);
  }
}

/// With any options, there is a buffer for one block.
TEST(PlanStaging, OneBufferOfOneBlockAtLeast) {
  GpuRunOptions options;
  options.batch_bytes = 1;
  const StagingSizes sizes = PlanStaging({}, options, 0, kMaxBlock);
  EXPECT_EQ(sizes.num_buffers, 1u);
  EXPECT_EQ(sizes.buffer_bytes, kMaxBlock);
  EXPECT_EQ(sizes.gpu_bytes(), 0u);
}

}  // namespace
}  // namespace edgemill
