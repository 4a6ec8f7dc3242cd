// The atomic operations of kernels/portable_atomics.h on a GPU, against the host. Values have 1, 2,
// 4 and 8 bytes, signed and unsigned. They are adjacent in memory, and many threads change them.
#include <cstring>
#include <map>
#include <vector>

#include "common/random.h"
#include "engine/device/device_arena.h"
#include "test/gpu/atomic_operations.h"
#include "test/gpu/gpu_testing.h"

namespace edgemill {
namespace {

constexpr uint32_t kPlaces = 37;

/// The bytes of a value, as a number.
template <typename T>
uint64_t BitsOf(const T& value) {
  uint64_t bits = 0;
  std::memcpy(&bits, &value, sizeof(T));
  return bits;
}
template <typename T>
std::vector<uint64_t> BitsOf(const std::vector<T>& values) {
  std::vector<uint64_t> bits;
  for (const T& value : values) bits.push_back(BitsOf(value));
  return bits;
}

/// A random value. Sums of signed integers fit in their type, and reals are whole numbers.
template <typename T>
T ValueOf(Random& random) {
  if constexpr (std::is_class_v<T>) {
    return {static_cast<uint32_t>(random()), static_cast<int32_t>(random())};
  } else if constexpr (std::is_floating_point_v<T>) {
    return static_cast<T>(random.Below(2000)) - 1000;
  } else if constexpr (std::is_signed_v<T> && sizeof(T) >= 4) {
    return static_cast<T>(static_cast<int64_t>(random()) >>
                          (64 - sizeof(T) * 5 + random.Below(sizeof(T) * 4)));
  } else {
    return static_cast<T>(random() >> random.Below(64));
  }
}

/// The value after a step that found `before`.
template <typename T>
T After(AtomicUse use, T before, T value) {
  if (use == AtomicUse::kExchange) return value;
  if constexpr (!std::is_class_v<T>) {
    if (use == AtomicUse::kAdd) {
      AtomicAdd(&before, value);
      return before;
    }
  }
  if constexpr (std::is_unsigned_v<T>) {
    if (use == AtomicUse::kOr) return before | value;
  }
  return CombineAtomically()(before, value);
}

template <typename T>
class DeviceAtomics : public GpuTest {
 protected:
  struct Outcome {
    std::vector<T> places;
    std::vector<T> returned;
  };

  StatusOr<Outcome> BatchOnGpu(AtomicUse use, const std::vector<T>& first,
                               const std::vector<AtomicStep<T>>& steps) {
    const auto count = static_cast<uint32_t>(steps.size());
    ASSIGN_OR_RETURN(GpuStream stream, GpuStream::Create(*gpu_));
    DeviceArena arena;
    T* places;
    AtomicStep<T>* device_steps;
    T* returned;
    arena.Plan(&places, first.size());
    arena.Plan(&device_steps, count);
    arena.Plan(&returned, count);
    RETURN_IF_ERROR(arena.Allocate(*gpu_, 0, "a test"));
    RETURN_IF_ERROR(stream.CopyToDevice(places, first.data(), first.size() * sizeof(T)));
    RETURN_IF_ERROR(stream.CopyToDevice(device_steps, steps.data(), count * sizeof(steps[0])));
    LaunchAtomically(use, places, device_steps, count, returned, stream.handle());
    RETURN_IF_ERROR(gpu_->AfterLaunch("atomics"));
    Outcome outcome{std::vector<T>(first.size()), std::vector<T>(count)};
    RETURN_IF_ERROR(stream.CopyToHost(outcome.places.data(), places, first.size() * sizeof(T)));
    RETURN_IF_ERROR(stream.CopyToHost(outcome.returned.data(), returned, count * sizeof(T)));
    RETURN_IF_ERROR(stream.Synchronize());
    return outcome;
  }

  /// Does random steps on the GPU and, in order, on the host. Expects the same results.
  void ExpectAsHost(AtomicUse use, uint64_t seed) {
    Random random(seed);
    std::vector<T> first;
    for (uint32_t i = 0; i < kPlaces; ++i) first.push_back(ValueOf<T>(random));
    std::vector<AtomicStep<T>> steps(20'000);
    for (AtomicStep<T>& step : steps) {
      step.place = static_cast<uint32_t>(random.Below(kPlaces - 1));  // no step touches the last
      step.value = ValueOf<T>(random);
    }
    const auto gpu = BatchOnGpu(use, first, steps);
    ASSERT_TRUE(gpu.ok()) << gpu.status().message();
    EXPECT_EQ(BitsOf(gpu->places.back()), BitsOf(first.back()));
    if (use != AtomicUse::kExchange) {
      std::vector<T> places = first;
      for (const AtomicStep<T>& step : steps) DoAtomically(use, places.data(), step);
      EXPECT_EQ(BitsOf(gpu->places), BitsOf(places));
    }
    if (use == AtomicUse::kMin || use == AtomicUse::kMax) {
      ExpectChanges(first, steps, *gpu);
    } else {
      ExpectChain(use, first, steps, *gpu);
    }
  }

 private:
  /// Checks that steps reported a change for exactly those places that changed.
  void ExpectChanges(const std::vector<T>& first, const std::vector<AtomicStep<T>>& steps,
                     const Outcome& gpu) {
    std::vector<uint64_t> changes(kPlaces);
    for (size_t i = 0; i < steps.size(); ++i) {
      changes[steps[i].place] += BitsOf(gpu.returned[i]) != 0;
    }
    for (uint32_t i = 0; i < kPlaces; ++i) {
      EXPECT_EQ(changes[i] > 0, BitsOf(gpu.places[i]) != BitsOf(first[i])) << "place " << i;
    }
  }
  /// Checks that each step found the value that another step left. Only the first value of a place
  /// was left by no step, and only its last value was found by none.
  void ExpectChain(AtomicUse use, const std::vector<T>& first,
                   const std::vector<AtomicStep<T>>& steps, const Outcome& gpu) {
    std::map<std::pair<uint32_t, uint64_t>, int64_t> balance;
    for (uint32_t i = 0; i < kPlaces; ++i) {
      ++balance[{i, BitsOf(first[i])}];
      --balance[{i, BitsOf(gpu.places[i])}];
    }
    for (size_t i = 0; i < steps.size(); ++i) {
      const T before = gpu.returned[i];
      --balance[{steps[i].place, BitsOf(before)}];
      ++balance[{steps[i].place, BitsOf(After(use, before, steps[i].value))}];
    }
    for (const auto& [value, count] : balance) {
      ASSERT_EQ(count, 0) << "place " << value.first << ", bits " << value.second;
    }
  }
};

using Types = testing::Types<int8_t, uint8_t, int16_t, uint16_t, int32_t, uint32_t, int64_t,
                             uint64_t, float, double, SumAndMost>;
TYPED_TEST_SUITE(DeviceAtomics, Types);

TYPED_TEST(DeviceAtomics, NumbersAreAsOnTheHost) {
  if (std::is_class_v<TypeParam>) return;
  for (const AtomicUse use : {AtomicUse::kMin, AtomicUse::kMax, AtomicUse::kAdd}) {
    SCOPED_TRACE(static_cast<int>(use));
    this->ExpectAsHost(use, 61);
  }
}

TYPED_TEST(DeviceAtomics, BitsAreAsOnTheHost) {
  if (std::is_unsigned_v<TypeParam> && sizeof(TypeParam) >= 4) {
    this->ExpectAsHost(AtomicUse::kOr, 64);
  }
}

TYPED_TEST(DeviceAtomics, ValuesAreAsOnTheHost) {
  for (const AtomicUse use : {AtomicUse::kCombine, AtomicUse::kExchange, AtomicUse::kReplace}) {
    SCOPED_TRACE(static_cast<int>(use));
    this->ExpectAsHost(use, 62);
  }
}

using DeviceBits = GpuTest;

TEST_F(DeviceBits, EachIsSetOnce) {
  Random random(63);
  constexpr uint32_t kWords = 8;
  std::vector<uint32_t> bits(3000);
  for (uint32_t& bit : bits) bit = static_cast<uint32_t>(random.Below(kWords * 64 - 1));
  auto stream = GpuStream::Create(*gpu_);
  ASSERT_TRUE(stream.ok()) << stream.status().message();
  DeviceArena arena;
  uint64_t* words;
  uint32_t* device_bits;
  uint8_t* were_clear;
  arena.Plan(&words, kWords);
  arena.Plan(&device_bits, bits.size());
  arena.Plan(&were_clear, bits.size());
  ASSERT_OK(arena.Allocate(*gpu_, 0, "a test"));
  ASSERT_OK(stream->Fill(words, 0, kWords * sizeof(*words)));
  ASSERT_OK(stream->CopyToDevice(device_bits, bits.data(), bits.size() * sizeof(bits[0])));
  LaunchSetBits(words, device_bits, static_cast<uint32_t>(bits.size()), were_clear,
                stream->handle());
  ASSERT_OK(gpu_->AfterLaunch("set bits"));
  std::vector<uint64_t> got(kWords), want(kWords);
  std::vector<uint8_t> clear(bits.size());
  ASSERT_OK(stream->CopyToHost(got.data(), words, kWords * sizeof(*words)));
  ASSERT_OK(stream->CopyToHost(clear.data(), were_clear, clear.size()));
  ASSERT_OK(stream->Synchronize());
  std::vector<uint64_t> times(kWords * 64);
  for (size_t i = 0; i < bits.size(); ++i) {
    AtomicSetBit(want.data(), bits[i]);
    times[bits[i]] += clear[i];
  }
  EXPECT_EQ(got, want);
  for (uint32_t bit = 0; bit < kWords * 64; ++bit) {
    EXPECT_EQ(times[bit], want[bit / 64] >> (bit % 64) & 1) << "bit " << bit;
  }
}

}  // namespace
}  // namespace edgemill
