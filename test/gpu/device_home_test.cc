// Copies of array elements to the memory of a GPU and back.
#include "engine/device/device_home.h"

#include <array>
#include <cstring>
#include <vector>

#include "common/random.h"
#include "test/gpu/gpu_testing.h"

namespace edgemill {
namespace {

/// Sizes below half of the staging memory, of all of it, and of many times as much with a rest.
constexpr uint64_t kSizes[] = {1, 1000, 64 << 10, (64 << 10) + 1, (1 << 20) + 12345};

std::vector<std::byte> RandomBytes(uint64_t seed, uint64_t size) {
  Random random(seed);
  std::vector<std::byte> bytes(size);
  for (std::byte& byte : bytes) byte = static_cast<std::byte>(random.Below(256));
  return bytes;
}

/// Copies bytes to the GPU and back, changes some in the middle, and gathers some elements.
Status MoveBytes(DeviceHome& home, std::byte* place, uint64_t size) {
  std::vector<std::byte> bytes = RandomBytes(size, size);
  std::vector<std::byte> sent = bytes;
  RETURN_IF_ERROR(home.CopyToDevice(place, sent));
  std::fill(sent.begin(), sent.end(), std::byte{0});  // the source may change after the copy
  const std::array<std::byte, 1> changed = {std::byte{77}};
  bytes[size / 2] = changed[0];
  RETURN_IF_ERROR(home.CopyToDevice(place + size / 2, changed));
  std::vector<std::byte> came(size);
  RETURN_IF_ERROR(home.CopyToHost(came, place));
  if (came != bytes) return InternalError(StrCat("wrong bytes of ", size));
  const uint64_t elements = size / 3;
  if (elements == 0) return OkStatus();
  Random random(size);
  std::vector<VertexId> indexes(1000);
  for (VertexId& index : indexes) index = static_cast<VertexId>(random.Below(elements));
  std::vector<std::byte> gathered(indexes.size() * 3);
  RETURN_IF_ERROR(home.Gather(gathered.data(), place, 3, indexes));
  for (size_t i = 0; i < indexes.size(); ++i) {
    if (std::memcmp(&gathered[i * 3], &bytes[indexes[i] * 3], 3) != 0) {
      return InternalError(StrCat("wrong element ", i, " of ", size));
    }
  }
  return OkStatus();
}

/// Copies elements of all sizes to the GPU and back, for few members and for many.
Status MoveMembers(DeviceHome& home, std::byte* place, uint64_t count) {
  Random random(count);
  for (const uint32_t element_bytes : {1u, 2u, 3u, 4u, 8u, 12u, 16u, 40u}) {
    for (const uint32_t one_in : {1u, 2u, 70u, 100'000u}) {
      std::vector<uint64_t> words((count + 63) / 64);
      for (uint64_t i = 0; i < count; ++i) {
        if (random.Below(one_in) == 0) words[i / 64] |= uint64_t{1} << i % 64;
      }
      const uint64_t begin = random.Below(count), end = begin + random.Below(count - begin + 1);
      const IndexSet members{words, begin, end};
      std::vector<std::byte> there = RandomBytes(one_in, count * element_bytes);
      const std::vector<std::byte> here = RandomBytes(one_in + 1, count * element_bytes);
      RETURN_IF_ERROR(home.CopyToDevice(place, there));
      std::vector<std::byte> mixed = here;
      RETURN_IF_ERROR(home.CopyMembersToHost(mixed.data(), place, element_bytes, members));
      std::vector<std::byte> came(there.size());
      RETURN_IF_ERROR(home.CopyMembersToDevice(place, here.data(), element_bytes, members));
      RETURN_IF_ERROR(home.CopyToHost(came, place));
      for (uint64_t i = 0; i < count; ++i) {
        const bool is_in = i >= begin && i < end && (words[i / 64] >> i % 64 & 1) != 0;
        const uint64_t at = i * element_bytes;
        const auto* const then = is_in ? &there[at] : &here[at];
        const auto* const now = is_in ? &here[at] : &there[at];
        if (std::memcmp(&mixed[at], then, element_bytes) != 0 ||
            std::memcmp(&came[at], now, element_bytes) != 0) {
          return InternalError(StrCat("wrong element ", i, " of ", element_bytes, " bytes"));
        }
      }
    }
  }
  return OkStatus();
}

/// Fills with elements of all sizes, with equal bytes and with different bytes.
Status FillElements(DeviceHome& home, std::byte* place, uint64_t count) {
  for (uint64_t element_bytes = 1; element_bytes <= ArrayHome::kMaxFillBytes; ++element_bytes) {
    for (const bool same : {true, false}) {
      std::vector<std::byte> element = RandomBytes(element_bytes, element_bytes);
      if (same) std::fill(element.begin(), element.end(), std::byte{5});
      const uint64_t size = count * element_bytes;
      const std::array<std::byte, 1> after = {std::byte{9}};
      RETURN_IF_ERROR(home.CopyToDevice(place + size, after));
      RETURN_IF_ERROR(home.Fill(place, element, count));
      std::vector<std::byte> came(size + 1);
      RETURN_IF_ERROR(home.CopyToHost(came, place));
      for (uint64_t i = 0; i < size; ++i) {
        if (came[i] != element[i % element_bytes]) return InternalError(StrCat("wrong byte ", i));
      }
      if (came[size] != after[0]) return InternalError("wrote beyond the elements");
    }
  }
  return OkStatus();
}

Status UseHome(const GpuOptions& options, bool all_sizes, uint64_t* num_calls) {
  ASSIGN_OR_RETURN(const auto gpu, Gpu::Open(options));
  ASSIGN_OR_RETURN(const DeviceBuffer memory, DeviceBuffer::Allocate(*gpu, 20 << 20, "a test"));
  ASSIGN_OR_RETURN(GpuStream stream, GpuStream::Create(*gpu));
  ASSIGN_OR_RETURN(const auto home,
                   DeviceHome::Create(*gpu, stream, DeviceHome::StagingBytes(1), 2));
  for (const uint64_t size : kSizes) {
    if (!all_sizes && size != 1000) continue;
    RETURN_IF_ERROR(MoveBytes(*home, memory.data(), size));
    RETURN_IF_ERROR(MoveMembers(*home, memory.data(), size == 1000 ? size : 50'001));
    if (all_sizes) RETURN_IF_ERROR(FillElements(*home, memory.data(), size));
  }
  *num_calls = gpu->num_calls();
  return OkStatus();
}

using DeviceHomes = GpuTest;

TEST_F(DeviceHomes, BringWhatTheyGot) {
  gpu_.reset();
  uint64_t num_calls = 0;
  ASSERT_OK(UseHome({}, true, &num_calls));
}

TEST_F(DeviceHomes, ReturnTheErrorOfEachCall) {
  gpu_.reset();
  uint64_t num_calls = 0;
  ASSERT_OK(UseHome({}, false, &num_calls));
  for (uint64_t call = 0; call < num_calls; call += call < 30 ? 1 : 97) {
    GpuOptions options;
    options.fail_call = call;
    uint64_t unused = 0;
    EXPECT_EQ(UseHome(options, false, &unused).code(), Code::kGpu) << call;
  }
}

}  // namespace
}  // namespace edgemill
