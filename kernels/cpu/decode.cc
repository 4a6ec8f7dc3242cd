#include "kernels/cpu/decode.h"

#include <algorithm>
#include <array>
#include <string>
#include <string_view>
#include <vector>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/cpu/decode.cc"
#include <hwy/foreach_target.h>  // compiles the rest of this file for each instruction set
#include <hwy/highway.h>

#include "kernels/cpu/decode-inl.h"

HWY_BEFORE_NAMESPACE();
namespace edgemill::HWY_NAMESPACE {

void Values(const PackedView& view, uint32_t group, uint32_t* values) {
  GroupValues(view, view.header(group), values);
}

void Prefix(const PackedView& view, uint32_t group, GroupPrefix* prefix) {
  GroupSums(view, group, prefix);
}

/// Returns the high bits of the value at `place`: 0 if it is no exception.
HWY_INLINE uint32_t HighBits(const PackedView& view, const GroupHeader& header, uint32_t place) {
  uint32_t found = 0;
#if HWY_TARGET != HWY_SCALAR && HWY_MAX_BYTES > 16
  const uint32_t entry_bits = 7 + header.high_bits;
  if (entry_bits <= 32) {
    // Takes a vector of entries at a time. The entry with the right place gives its high bits.
    // There is no branch on which entry this is: a processor cannot predict it.
    const Lanes d32;
    const BitWindows windows(entry_bits);
    const uint8_t* bytes = reinterpret_cast<const uint8_t*>(view.data(header) + 4 * header.width);
    Vector high = hn::Zero(d32);
    for (uint32_t i = 0; i < header.exceptions; i += kLanes, bytes += kLanes * entry_bits / 8) {
      const Vector entries = windows.At(bytes);
      const auto here =
          hn::And(hn::Eq(hn::And(entries, hn::Set(d32, kGroupSize - 1)), hn::Set(d32, place)),
                  hn::Lt(hn::Iota(d32, 0), hn::Set(d32, header.exceptions - i)));
      high = hn::Or(high, hn::IfThenElseZero(here, hn::ShiftRight<7>(entries)));
    }
    return OrOfLanes(high);
  }
#endif
  VisitExceptions(header, view.data(header), [&](uint32_t position, uint32_t high) {
    found |= high & -uint32_t{position == place};
  });
  return found;
}

/// Prefetches the bytes from which the value at `place` is decoded. Must be inlined: compilers
/// remove a call to a function that only prefetches.
HWY_INLINE void PrefetchValue(const PackedView& view, uint32_t place) {
  const GroupHeader header = view.header(place / kGroupSize);
  const auto* const bytes = reinterpret_cast<const std::byte*>(view.data(header));
  __builtin_prefetch(bytes + place % kGroupSize * header.width / 8);
  __builtin_prefetch(bytes + 16 * header.width);
  __builtin_prefetch(bytes + 4 * header.num_words() - 1);
}

/// More values than this in a group take longer one at a time than decoding the whole group.
constexpr uint32_t kManyOfGroup = 3;

/// How many places ahead ValuesAt prefetches. A core cannot have many more reads under way.
constexpr uint32_t kPlacesAhead = 16;

/// Writes the values at `places`, where most groups have several of them. Decodes whole groups.
void ValuesOfGroups(const PackedView& view, const uint32_t* places, uint32_t count,
                    uint32_t* values) {
  alignas(64) uint32_t group_values[kGroupSize];
  for (uint32_t i = 0; i < count;) {
    const uint32_t group = places[i] / kGroupSize;
    const uint32_t end = (group + 1) * kGroupSize;
    GroupValues(view, view.header(group), group_values);
    for (; i < count && places[i] < end; ++i) values[i] = group_values[places[i] % kGroupSize];
  }
}

void ValuesAt(const PackedView& view, const uint32_t* places, uint32_t count, uint32_t* values) {
  if (count == 0) return;
  const uint32_t groups = places[count - 1] / kGroupSize - places[0] / kGroupSize + 1;
  if (count > kManyOfGroup * groups) return ValuesOfGroups(view, places, count, values);
  for (uint32_t i = 0; i < std::min(count, kPlacesAhead); ++i) PrefetchValue(view, places[i]);
  for (uint32_t i = 0; i < count; ++i) {
    if (i + kPlacesAhead < count) PrefetchValue(view, places[i + kPlacesAhead]);
    const GroupHeader header = view.header(places[i] / kGroupSize);
    const uint32_t place = places[i] % kGroupSize;
    const uint32_t bit = place * header.width;
    uint64_t window;
    std::memcpy(&window, reinterpret_cast<const std::byte*>(view.data(header)) + bit / 8,
                sizeof(window));
    const uint64_t low = window >> bit % 8 & ((uint64_t{1} << header.width) - 1);
    const uint64_t high = uint64_t{HighBits(view, header, place)} << header.width;
    values[i] = static_cast<uint32_t>(low | high);
  }
}

/// How many lists ahead Starts prefetches.
constexpr uint32_t kListsAhead = 24;

/// Prefetches the bytes from which a vector of values at `place` is decoded.
HWY_INLINE void PrefetchVector(const PackedView& view, uint32_t place) {
  const GroupHeader header = view.header(place / kGroupSize);
  const auto* const bytes = reinterpret_cast<const std::byte*>(view.data(header));
  __builtin_prefetch(bytes + place % kGroupSize * header.width / 8);
  __builtin_prefetch(bytes + place % kGroupSize * header.width / 8 + 63);
  __builtin_prefetch(bytes + 16 * header.width);
  __builtin_prefetch(bytes + 16 * header.width + 63);
}

/// Returns what the prefix sums of a list start from, if its first packed value is `first`.
HWY_INLINE uint32_t StartOf(VertexId source, uint32_t first) {
  return source + UnZigZag(first) - first;
}

#if HWY_TARGET != HWY_SCALAR && HWY_MAX_BYTES > 16

/// Decodes the first ids of lists, one list at a time.
class StartDecoder {
 public:
  explicit StartDecoder(const PackedView& view) : view_(view) {}

  HWY_INLINE void Decode(const ListStart& list, VertexId* ids) {
    if (list.place / kGroupSize != group_) Open(list.place / kGroupSize);
    const uint32_t place = list.place % kGroupSize;
    const uint32_t bit = place * header_.width;
    const BitWindows windows(header_.width, bit % 8);
    const uint8_t* bytes = bytes_ + bit / 8;
    Vector values = hn::Or(windows.At(bytes), exceptions_.Above(place));
    RunningSum sum(StartOf(list.source, hn::GetLane(values)));
    const Lanes d32;
    const uint32_t num_ids = list.num_ids();
    for (uint32_t i = 0;;) {
      const auto is_id = hn::Lt(hn::Iota(d32, i), hn::Set(d32, num_ids));
      const Vector some = hn::IfThenElseZero(is_id, sum.Add(values));
      greatest_ = hn::Max(greatest_, some);
      hn::Store(some, d32, ids + i);
      i += kLanes;
      if (i == kStartIds) break;
      bytes += kLanes * header_.width / 8;
      values =
          i < num_ids ? hn::Or(windows.At(bytes), exceptions_.Above(place + i)) : hn::Zero(d32);
    }
  }

  /// Whether all ids are below `num_vertices`.
  bool AllBelow(uint64_t num_vertices) const { return GreatestOf(greatest_) < num_vertices; }

 private:
  void Open(uint32_t group) {
    group_ = group;
    header_ = view_.header(group);
    bytes_ = reinterpret_cast<const uint8_t*>(view_.data(header_));
    Unpack(header_, view_.data(header_), &exceptions_);
  }

  const PackedView& view_;
  uint32_t group_ = ~uint32_t{0};
  GroupHeader header_{};
  const uint8_t* bytes_ = nullptr;
  Exceptions exceptions_;
  Vector greatest_ = hn::Zero(Lanes());
};

#else

class StartDecoder {
 public:
  explicit StartDecoder(const PackedView& view) : view_(view) {}

  void Decode(const ListStart& list, VertexId* ids) {
    if (list.place / kGroupSize != group_) {
      group_ = list.place / kGroupSize;
      GroupValues(view_, view_.header(group_), values_);
    }
    const uint32_t place = list.place % kGroupSize;
    uint32_t id = StartOf(list.source, values_[place]);
    for (uint32_t i = 0; i < kStartIds; ++i) {
      ids[i] = i < list.num_ids() ? id += values_[place + i] : 0;
      greatest_ = std::max(greatest_, ids[i]);
    }
  }
  bool AllBelow(uint64_t num_vertices) const { return greatest_ < num_vertices; }

 private:
  const PackedView& view_;
  uint32_t group_ = ~uint32_t{0};
  alignas(64) uint32_t values_[kGroupSize];
  VertexId greatest_ = 0;
};

#endif

bool Starts(const PackedView& view, const ListStart* lists, uint32_t count, uint64_t num_vertices,
            VertexId* ids) {
  for (uint32_t i = 0; i < std::min(count, kListsAhead); ++i) PrefetchVector(view, lists[i].place);
  StartDecoder decoder(view);
  for (uint32_t i = 0; i < count; ++i) {
    if (i + kListsAhead < count) PrefetchVector(view, lists[i + kListsAhead].place);
    decoder.Decode(lists[i], ids + i * kStartIds);
  }
  return decoder.AllBelow(num_vertices);
}

}  // namespace edgemill::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace edgemill {

HWY_EXPORT(Values);
HWY_EXPORT(Prefix);
HWY_EXPORT(ValuesAt);
HWY_EXPORT(Starts);

void DecodeGroupPrefix(const PackedView& view, uint32_t group, GroupPrefix* prefix) {
  HWY_DYNAMIC_DISPATCH(Prefix)(view, group, prefix);
}

void DecodeGroupValues(const PackedView& view, uint32_t group, uint32_t* values) {
  HWY_DYNAMIC_DISPATCH(Values)(view, group, values);
}

void DecodeValuesAt(const PackedView& view, std::span<const uint32_t> places, uint32_t* values) {
  HWY_DYNAMIC_DISPATCH(ValuesAt)(view, places.data(), static_cast<uint32_t>(places.size()), values);
}

bool DecodeListStarts(const PackedView& view, std::span<const ListStart> lists,
                      uint64_t num_vertices, VertexId* ids) {
  return HWY_DYNAMIC_DISPATCH(Starts)(view, lists.data(), static_cast<uint32_t>(lists.size()),
                                      num_vertices, ids);
}

bool DecodeFirstIds(const PackedView& view, std::span<const ListStart> lists, uint64_t num_vertices,
                    VertexId* ids) {
  constexpr size_t kAtOnce = 256;
  std::array<uint32_t, kAtOnce> places;
  VertexId greatest = 0;
  for (; !lists.empty(); lists = lists.subspan(std::min(lists.size(), kAtOnce))) {
    const size_t count = std::min(lists.size(), kAtOnce);
    for (size_t i = 0; i < count; ++i) places[i] = lists[i].place;
    DecodeValuesAt(view, std::span(places).first(count), ids);
    for (size_t i = 0; i < count; ++i) {
      ids[i] = lists[i].source + UnZigZag(ids[i]);
      greatest = std::max(greatest, ids[i]);
    }
    ids += count;
  }
  return greatest < num_vertices;
}

std::vector<std::string> DecodeTargets() {
  std::vector<std::string> names;
  hwy::SetSupportedTargetsForTest(0);
  for (const int64_t target : hwy::SupportedAndGeneratedTargets()) {
    names.push_back(hwy::TargetName(target));
  }
  hwy::GetChosenTarget().Update(hwy::SupportedTargets());
  return names;
}

bool UseDecodeTarget(std::string_view name) {
  hwy::SetSupportedTargetsForTest(0);
  for (const int64_t target : hwy::SupportedAndGeneratedTargets()) {
    if (name == hwy::TargetName(target)) hwy::SetSupportedTargetsForTest(target);
  }
  hwy::GetChosenTarget().Update(hwy::SupportedTargets());
  return name.empty() || hwy::TargetName(hwy::SupportedAndGeneratedTargets().front()) == name;
}

}  // namespace edgemill
#endif
