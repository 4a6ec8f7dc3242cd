// A fixture for tests that run once with each instruction set of this processor.
#pragma once

#include <gtest/gtest.h>

#include <string>

#include "kernels/cpu/decode.h"

namespace edgemill {

/// How to use it: `class Suite : public EachDecodeTarget {};`, then
/// `INSTANTIATE_FOR_DECODE_TARGETS(Suite);`, then tests by TEST_P.
class EachDecodeTarget : public testing::TestWithParam<std::string> {
 protected:
  void SetUp() override { ASSERT_TRUE(UseDecodeTarget(GetParam())); }
  void TearDown() override { ASSERT_TRUE(UseDecodeTarget("")); }
};

#define INSTANTIATE_FOR_DECODE_TARGETS(suite)                                  \
  INSTANTIATE_TEST_SUITE_P(Targets, suite, testing::ValuesIn(DecodeTargets()), \
                           [](const auto& info) { return info.param; })

}  // namespace edgemill
