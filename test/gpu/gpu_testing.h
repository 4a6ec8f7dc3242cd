// Tests that need a GPU. Without one, each is skipped by name, unless EDGEMILL_REQUIRE_GPU is set.
#pragma once

#include <gtest/gtest.h>

#include <cstdlib>
#include <memory>

#include "engine/device/gpu.h"

namespace edgemill {

/// Errors of CUDA for GpuOptions::fail_error.
inline constexpr int kOutOfGpuMemory = 2;      // cudaErrorMemoryAllocation
inline constexpr int kDriverIsTooOld = 35;     // cudaErrorInsufficientDriver
inline constexpr int kThereIsNoGpu = 100;      // cudaErrorNoDevice
inline constexpr int kNoCodeForThisGpu = 209;  // cudaErrorNoKernelImageForDevice

class GpuTest : public testing::Test {
 protected:
  void SetUp() override {
    auto gpu = Gpu::Open({});
    if (!gpu.ok() && std::getenv("EDGEMILL_REQUIRE_GPU") == nullptr) {
      GTEST_SKIP() << "skipped: no CUDA device: " << gpu.status().message();
    }
    ASSERT_TRUE(gpu.ok()) << gpu.status().message();
    gpu_ = std::move(*gpu);
  }
  std::unique_ptr<Gpu> gpu_;
};

#define ASSERT_OK(expression)                                     \
  do {                                                            \
    const ::edgemill::Status em_test_status = (expression);       \
    ASSERT_TRUE(em_test_status.ok()) << em_test_status.message(); \
  } while (false)

}  // namespace edgemill
