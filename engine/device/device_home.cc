#include "engine/device/device_home.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <type_traits>
#include <utility>

#include "common/check.h"
#include "common/threads/parallel.h"

namespace edgemill {
namespace {

/// The bytes that one host thread copies at a time.
constexpr size_t kHostGrain = size_t{256} << 10;

/// Returns how many of the two halves of `bits` are not 0.
uint32_t NumHalves(uint64_t bits) {
  return static_cast<uint32_t>(static_cast<uint32_t>(bits) != 0) +
         static_cast<uint32_t>(bits >> 32 != 0);
}

/// Returns the bytes of `num_words` words of packed members.
uint64_t SizeOfWords(uint64_t num_words) {
  return sizeof(uint32_t) * (2 * num_words + num_words / PackedMembers::kWordsAnOffset + 1);
}

}  // namespace

StatusOr<std::unique_ptr<DeviceHome>> DeviceHome::Create(Gpu& gpu, GpuStream& stream,
                                                         uint64_t staging_bytes, int threads) {
  CHECK_GE(staging_bytes, 2 * kMinHalfBytes);
  std::unique_ptr<DeviceHome> home(new DeviceHome(gpu, stream, threads));
  ASSIGN_OR_RETURN(home->staging_, PinnedBuffer::Allocate(gpu, staging_bytes, threads));
  const uint64_t half_bytes = staging_bytes / 2;
  for (size_t i = 0; i < home->halves_.size(); ++i) {
    home->halves_[i].memory = {home->staging_.data() + i * half_bytes, half_bytes};
    ASSIGN_OR_RETURN(home->halves_[i].copied, GpuEvent::Create(gpu));
  }
  return home;
}

Status DeviceHome::WaitFor(DeviceHome& other) {
  {
    const GpuScope scope(other.gpu_);
    if (!other.so_far_) {
      ASSIGN_OR_RETURN(other.so_far_, GpuEvent::Create(other.gpu_));
    }
    RETURN_IF_ERROR(other.stream_.Record(*other.so_far_));
  }
  const GpuScope scope(gpu_);
  return stream_.WaitFor(*other.so_far_);
}

Status DeviceHome::CopyFrom(ArrayHome& other, const std::byte* from, std::byte* place,
                            uint64_t bytes) {
  CHECK(Reaches(other));
  if (bytes == 0) return OkStatus();
  auto& source = static_cast<DeviceHome&>(other);
  RETURN_IF_ERROR(WaitFor(source));
  RETURN_IF_ERROR(stream_.CopyFrom(source.gpu_, place, from, bytes));
  return source.WaitFor(*this);  // it may write there again afterwards
}

Status DeviceHome::CopyMembersFrom(ArrayHome& other, const Elements& elements) {
  CHECK(Sees(other));
  if (elements.count == 0) return OkStatus();
  auto& source = static_cast<DeviceHome&>(other);
  RETURN_IF_ERROR(WaitFor(source));
  const GpuScope scope(gpu_);
  LaunchCopyMembers(elements.place, elements.from, elements.element_bytes,
                    {elements.words, elements.count}, stream_.handle());
  RETURN_IF_ERROR(gpu_.AfterLaunch("copy members"));
  return source.WaitFor(*this);
}

DeviceHome::~DeviceHome() {
  (void)stream_.Synchronize();  // also for copies that an error left under way
}

Status DeviceHome::Wait(Half& half) {
  if (!std::exchange(half.in_use, false)) return OkStatus();
  return half.copied.Synchronize();
}

StatusOr<DeviceHome::Half*> DeviceHome::AcquireHalf() {
  Half& half = halves_[next_];
  next_ = 1 - next_;
  RETURN_IF_ERROR(Wait(half));
  return &half;
}

Status DeviceHome::Used(Half* half) {
  CHECK(!half->in_use);  // AcquireHalf has waited for its last use
  half->in_use = true;
  return stream_.Record(half->copied);
}

Status DeviceHome::Send(Half* half, std::byte* place, uint64_t bytes) {
  RETURN_IF_ERROR(stream_.CopyToDevice(place, half->memory.data(), bytes));
  return Used(half);
}

void DeviceHome::CopyOnHost(std::byte* to, const std::byte* from, uint64_t bytes) const {
  ForEachChunk(
      bytes, kHostGrain, bytes <= kHostGrain ? 1 : threads_,
      [&](size_t begin, size_t end) { std::memcpy(to + begin, from + begin, end - begin); });
}

Status DeviceHome::Prepare(std::span<std::byte> host) {
  const GpuScope scope(gpu_);
  if (host.empty()) return OkStatus();
  ASSIGN_OR_RETURN(RegisteredMemory pinned, RegisteredMemory::Register(&registrar_, host));
  prepared_.push_back(host);
  pinned_.push_back(std::move(pinned));
  return OkStatus();
}

bool DeviceHome::IsPrepared(std::span<const std::byte> host) const {
  return std::any_of(prepared_.begin(), prepared_.end(), [&](std::span<const std::byte> memory) {
    return host.data() >= memory.data() &&
           host.data() + host.size() <= memory.data() + memory.size();
  });
}

Status DeviceHome::Fill(std::byte* place, std::span<const std::byte> element, uint64_t count) {
  const GpuScope scope(gpu_);
  CHECK(!element.empty() && element.size() <= kMaxFillBytes);
  if (count == 0) return OkStatus();
  ElementBytes bytes{.size = static_cast<uint32_t>(element.size())};
  std::memcpy(bytes.bytes, element.data(), element.size());
  LaunchFillElements(place, bytes, count, stream_.handle());
  return gpu_.AfterLaunch("fill an array");
}

Status DeviceHome::CopyToDevice(std::byte* place, std::span<const std::byte> host) {
  const GpuScope scope(gpu_);
  if (IsPrepared(host)) {
    RETURN_IF_ERROR(stream_.CopyToDevice(place, host.data(), host.size()));
    return stream_.Synchronize();
  }
  for (uint64_t at = 0; at < host.size();) {
    ASSIGN_OR_RETURN(Half* const half, AcquireHalf());
    const uint64_t bytes = std::min<uint64_t>(half->memory.size(), host.size() - at);
    CopyOnHost(half->memory.data(), host.data() + at, bytes);
    RETURN_IF_ERROR(Send(half, place + at, bytes));
    at += bytes;
  }
  return OkStatus();
}

Status DeviceHome::CopyToHost(std::span<std::byte> host, const std::byte* place) {
  const GpuScope scope(gpu_);
  if (IsPrepared(host)) {
    RETURN_IF_ERROR(stream_.CopyToHost(host.data(), place, host.size()));
    return stream_.Synchronize();
  }
  std::span<std::byte> arriving;  // the place for the bytes in `before`
  Half* before = nullptr;
  const auto unload = [&]() -> Status {
    if (before == nullptr) return OkStatus();
    RETURN_IF_ERROR(Wait(*before));
    CopyOnHost(arriving.data(), before->memory.data(), arriving.size());
    return OkStatus();
  };
  for (uint64_t at = 0; at < host.size(); at += arriving.size()) {
    ASSIGN_OR_RETURN(Half* const half, AcquireHalf());
    const uint64_t bytes = std::min<uint64_t>(half->memory.size(), host.size() - at);
    RETURN_IF_ERROR(stream_.CopyToHost(half->memory.data(), place + at, bytes));
    RETURN_IF_ERROR(Used(half));
    RETURN_IF_ERROR(unload());  // while this copy runs
    arriving = host.subspan(at, bytes);
    before = half;
  }
  return unload();
}

Status DeviceHome::Gather(std::byte* host, const std::byte* place, uint32_t element_bytes,
                          std::span<const VertexId> indexes) {
  const GpuScope scope(gpu_);
  while (!indexes.empty()) {
    ASSIGN_OR_RETURN(Half* const half, AcquireHalf());
    // The elements come first, for their alignment. Their indexes follow.
    const size_t count = std::min<size_t>(
        indexes.size(), half->memory.size() / (element_bytes + sizeof(VertexId)) / 4 * 4);
    CHECK_GT(count, 0u);
    std::byte* const elements = half->memory.data();
    auto* const staged = reinterpret_cast<VertexId*>(elements + count * element_bytes);
    std::copy_n(indexes.begin(), count, staged);
    LaunchGatherElements(elements, place, element_bytes, staged, count, stream_.handle());
    RETURN_IF_ERROR(gpu_.AfterLaunch("gather elements"));
    RETURN_IF_ERROR(Used(half));
    RETURN_IF_ERROR(Wait(*half));
    std::memcpy(host, elements, count * element_bytes);
    host += count * element_bytes;
    indexes = indexes.subspan(count);
  }
  return OkStatus();
}

StatusOr<DeviceHome::Packed> DeviceHome::PackNext(uint32_t element_bytes, const IndexSet& members,
                                                  uint64_t* word) {
  const uint64_t end = members.end_word();
  CHECK_LE(end, members.words.size());
  CHECK_GT(element_bytes, 0u);
  while (*word < end && members.BitsOf(*word) == 0) ++*word;
  if (*word == end) return Packed();
  ASSIGN_OR_RETURN(Half* const half, AcquireHalf());
  const uint64_t room = half->memory.size() - sizeof(uint64_t);
  Packed packed{.half = half};
  uint32_t num_words = 0;
  uint64_t last = *word;
  for (; last < end; ++last) {
    const uint64_t bits = members.BitsOf(last);
    const uint64_t count = packed.count + static_cast<uint64_t>(std::popcount(bits));
    const uint32_t words = num_words + NumHalves(bits);
    if (count * element_bytes + SizeOfWords(words) > room) break;
    packed.count = count;
    num_words = words;
  }
  CHECK_GT(num_words, 0u);
  // The elements come first. The words that say which members they are follow.
  const uint64_t elements = (packed.count * element_bytes + 7) / 8 * 8;
  auto* const words = reinterpret_cast<uint32_t*>(half->memory.data() + elements);
  uint32_t* const numbers = words + num_words;
  uint32_t* const offsets = numbers + num_words;
  uint32_t i = 0, offset = 0;
  for (; *word < last; ++*word) {
    const uint64_t bits = members.BitsOf(*word);
    for (const uint32_t side : {0u, 1u}) {
      const auto in_half = static_cast<uint32_t>(bits >> (32 * side));
      if (in_half == 0) continue;
      if (i % PackedMembers::kWordsAnOffset == 0) {
        offsets[i / PackedMembers::kWordsAnOffset] = offset;
      }
      words[i] = in_half;
      numbers[i++] = static_cast<uint32_t>(2 * *word + side);
      offset += static_cast<uint32_t>(std::popcount(in_half));
    }
  }
  packed.members = {words, numbers, offsets, num_words};
  gpu_.CountCopied(SizeOfWords(num_words));
  return packed;
}

template <typename Copy>
void DeviceHome::ForEachPacked(const Packed& packed, Copy copy) const {
  constexpr uint64_t kFew = 1 << 14;
  constexpr size_t kGrainWords = 4 * PackedMembers::kWordsAnOffset;
  const PackedMembers& members = packed.members;
  ForEachChunk(members.num_words, kGrainWords, packed.count < kFew ? 1 : threads_,
               [&](size_t begin, size_t end) {
                 uint64_t rank = members.offsets[begin / PackedMembers::kWordsAnOffset];
                 for (size_t i = begin; i < end; ++i) {
                   const uint64_t first = uint64_t{members.numbers[i]} * 32;
                   for (uint32_t bits = members.words[i]; bits != 0; bits &= bits - 1) {
                     copy(first + static_cast<uint64_t>(std::countr_zero(bits)), rank++);
                   }
                 }
               });
}

template <typename Copy>
void DeviceHome::CopyPacked(const Packed& packed, uint32_t element_bytes, Copy copy) const {
  const auto of_size = [&](auto bytes) {
    ForEachPacked(packed, [&](uint64_t index, uint64_t rank) { copy(index, rank, bytes); });
  };
  switch (element_bytes) {
    case 4:
      return of_size(std::integral_constant<size_t, 4>());
    case 8:
      return of_size(std::integral_constant<size_t, 8>());
    default:
      return of_size(size_t{element_bytes});
  }
}

Status DeviceHome::CopyMembersToHost(std::byte* host, const std::byte* place,
                                     uint32_t element_bytes, const IndexSet& members) {
  const GpuScope scope(gpu_);
  uint64_t word = members.begin / 64;
  Packed before;  // its copy is under way
  while (true) {
    ASSIGN_OR_RETURN(const Packed packed, PackNext(element_bytes, members, &word));
    if (packed.half != nullptr) {
      LaunchPackMembers(packed.half->memory.data(), place, element_bytes, packed.members,
                        stream_.handle());
      RETURN_IF_ERROR(gpu_.AfterLaunch("pack members"));
      RETURN_IF_ERROR(Used(packed.half));
    }
    if (before.half != nullptr) {
      RETURN_IF_ERROR(Wait(*before.half));
      const std::byte* const from = before.half->memory.data();
      CopyPacked(before, element_bytes, [&](uint64_t index, uint64_t rank, auto bytes) {
        std::memcpy(host + index * bytes, from + rank * bytes, bytes);
      });
    }
    if (packed.half == nullptr) return OkStatus();
    before = packed;
  }
}

Status DeviceHome::CopyMembersToDevice(std::byte* place, const std::byte* host,
                                       uint32_t element_bytes, const IndexSet& members) {
  const GpuScope scope(gpu_);
  for (uint64_t word = members.begin / 64;;) {
    ASSIGN_OR_RETURN(const Packed packed, PackNext(element_bytes, members, &word));
    if (packed.half == nullptr) return OkStatus();
    std::byte* const to = packed.half->memory.data();
    CopyPacked(packed, element_bytes, [&](uint64_t index, uint64_t rank, auto bytes) {
      std::memcpy(to + rank * bytes, host + index * bytes, bytes);
    });
    LaunchUnpackMembers(place, to, element_bytes, packed.members, stream_.handle());
    RETURN_IF_ERROR(gpu_.AfterLaunch("unpack members"));
    RETURN_IF_ERROR(Used(packed.half));
    gpu_.CountCopied(packed.count * element_bytes);
  }
}

}  // namespace edgemill
