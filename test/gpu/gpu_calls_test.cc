// The CUDA wrapper: errors of the nth call, budgets, and the error on a machine without a GPU.
#include "common/buffer.h"
#include "engine/device/gpu.h"
#include "test/gpu/gpu_testing.h"

namespace edgemill {
namespace {

/// Uses each kind of call once.
Status UseGpu(const GpuOptions& options, uint64_t* num_calls) {
  ASSIGN_OR_RETURN(const auto gpu, Gpu::Open(options));
  ASSIGN_OR_RETURN(PinnedBuffer pinned, PinnedBuffer::Allocate(*gpu, 1 << 20, 2));
  ASSIGN_OR_RETURN(DeviceBuffer device, DeviceBuffer::Allocate(*gpu, 1 << 20, "a test"));
  ASSIGN_OR_RETURN(GpuStream stream, GpuStream::Create(*gpu));
  ASSIGN_OR_RETURN(GpuStream other, GpuStream::Create(*gpu));
  ASSIGN_OR_RETURN(GpuEvent event, GpuEvent::Create(*gpu));
  for (size_t i = 0; i < pinned.size(); ++i) pinned.data()[i] = std::byte(i % 251);
  RETURN_IF_ERROR(stream.CopyToDevice(device.data(), pinned.data(), pinned.size()));
  RETURN_IF_ERROR(stream.Fill(device.data(), 7, 1));
  RETURN_IF_ERROR(stream.Record(event));
  RETURN_IF_ERROR(other.WaitFor(event));
  RETURN_IF_ERROR(other.CopyToHost(pinned.data(), device.data(), pinned.size()));
  RETURN_IF_ERROR(other.Synchronize());
  RETURN_IF_ERROR(event.Synchronize());
  RETURN_IF_ERROR(gpu->AfterLaunch("nothing"));
  for (size_t i = 0; i < pinned.size(); ++i) {
    if (pinned.data()[i] != std::byte(i == 0 ? 7 : i % 251)) return InternalError("wrong bytes");
  }
  *num_calls = gpu->num_calls();
  return OkStatus();
}

using GpuCalls = GpuTest;

TEST_F(GpuCalls, EachMayFailOnce) {
  gpu_.reset();
  uint64_t num_calls = 0;
  ASSERT_OK(UseGpu({}, &num_calls));
  ASSERT_GT(num_calls, 12u);
  for (uint64_t call = 0; call < num_calls; ++call) {
    GpuOptions options;
    options.fail_call = call;
    uint64_t unused = 0;
    EXPECT_EQ(UseGpu(options, &unused).code(), Code::kGpu) << call;
    options.fail_error = kOutOfGpuMemory;
    EXPECT_EQ(UseGpu(options, &unused).code(), Code::kBudget) << call;
  }
  ASSERT_OK(UseGpu({}, &num_calls));
}

/// A cache that a later run uses again is pinned again, with its blocks.
TEST_F(GpuCalls, PinningKeepsWhatTheMemoryHolds) {
  Buffer buffer = Buffer::Allocate(3 << 20).value();
  const std::span<std::byte> memory = buffer.bytes();
  for (size_t i = 0; i < memory.size(); ++i) memory[i] = std::byte(i % 251);
  PinningRegistrar registrar(*gpu_, 2);
  for (int run = 0; run < 2; ++run) {
    ASSERT_OK(registrar.Register(memory));
    for (size_t i = 0; i < memory.size(); ++i) ASSERT_EQ(memory[i], std::byte(i % 251)) << i;
    registrar.Unregister(memory);
  }
}

TEST_F(GpuCalls, TheBudgetIsHard) {
  gpu_.reset();
  GpuOptions options;
  options.memory_bytes = uint64_t{8} << 20;
  auto gpu = Gpu::Open(options);
  ASSERT_TRUE(gpu.ok());
  auto half = DeviceBuffer::Allocate(**gpu, uint64_t{4} << 20, "half");
  ASSERT_TRUE(half.ok());
  const auto more = DeviceBuffer::Allocate(**gpu, (uint64_t{4} << 20) + 1, "more");
  EXPECT_EQ(more.status().code(), Code::kBudget);
  EXPECT_NE(more.status().message().find("--gpu-memory 10"), std::string_view::npos)
      << more.status().message();
  EXPECT_TRUE(DeviceBuffer::Allocate(**gpu, uint64_t{4} << 20, "the other half").ok());
  EXPECT_EQ((*gpu)->peak_bytes(), uint64_t{8} << 20);
  EXPECT_EQ((*gpu)->used_bytes(), uint64_t{4} << 20);
}

TEST_F(GpuCalls, MoreThanTheGpuHasIsRefused) {
  GpuOptions options;
  options.memory_bytes = gpu_->properties().memory_bytes + 1;
  gpu_.reset();
  EXPECT_EQ(Gpu::Open(options).status().code(), Code::kBudget);
  options = {};
  options.ordinal = 1000;
  EXPECT_EQ(Gpu::Open(options).status().code(), Code::kGpu);
}

/// On every machine, an error of the first CUDA call becomes a Status that says what to do.
TEST(GpuOpen, TheFirstCallMayFail) {
  const struct {
    int error;
    Code code;
    std::string_view says;
  } cases[] = {
      {kOutOfGpuMemory, Code::kBudget, "give a smaller --gpu-memory"},
      {kDriverIsTooOld, Code::kGpu, "driver"},
      {kThereIsNoGpu, Code::kGpu, "finding GPUs"},
      {kNoCodeForThisGpu, Code::kGpu, "this build has no code for"},
  };
  for (const auto& [error, code, says] : cases) {
    GpuOptions options;
    options.fail_call = 0;
    options.fail_error = error;
    const Status refused = Gpu::Open(options).status();
    EXPECT_EQ(refused.code(), code) << refused.message();
    EXPECT_NE(refused.message().find(says), std::string_view::npos) << refused.message();
    EXPECT_EQ(refused.message().find('\n'), std::string_view::npos) << refused.message();
  }
}

}  // namespace
}  // namespace edgemill
