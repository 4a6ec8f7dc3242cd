#include "kernels/cpu/members.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/cpu/members.cc"
#include <hwy/foreach_target.h>  // compiles the rest of this file for each instruction set
#include <hwy/highway.h>

#include "kernels/cpu/lanes-inl.h"

HWY_BEFORE_NAMESPACE();
namespace edgemill::HWY_NAMESPACE {

void Members(const VertexId* ids, uint32_t count, const uint64_t* set, uint64_t* members) {
  for (uint32_t first = 0; first < count; first += 64) {
#if HWY_TARGET == HWY_SCALAR || HWY_MAX_BYTES == 16
    uint64_t bits = 0;
    for (uint32_t i = 0; i < 64; ++i) {
      const VertexId id = ids[first + i];
      bits |= (set[id / 64] >> id % 64 & 1) << i;
    }
    members[first / 64] = bits;
#else
    const Lanes d32;
    const auto* const words = reinterpret_cast<const uint32_t*>(set);
    uint8_t bits[8 + kLanes / 8];  // the bits of a vector are stored as eight bytes
    for (uint32_t i = 0; i < 64; i += kLanes) {
      const Vector id = hn::Load(d32, ids + first + i);
      const auto place = hn::BitCast(hn::RebindToSigned<Lanes>(), hn::ShiftRight<5>(id));
      const Vector bit = hn::Shl(hn::Set(d32, 1), hn::And(id, hn::Set(d32, 31)));
      hn::StoreMaskBits(d32, hn::TestBit(hn::GatherIndex(d32, words, place), bit), bits + i / 8);
    }
    std::memcpy(members + first / 64, bits, 8);
#endif
  }
}

uint32_t Places(const uint32_t* ids, uint32_t count, const uint64_t* set, uint32_t mask,
                uint32_t* found) {
  const auto* const words = reinterpret_cast<const uint32_t*>(set);
  uint32_t num_found = 0;
  uint32_t i = 0;
#if HWY_TARGET != HWY_SCALAR && HWY_MAX_BYTES > 16
  const Lanes d32;
  const Vector in_word = hn::Set(d32, 31);
  for (; i + kLanes <= count; i += kLanes) {
    const Vector id = hn::And(hn::LoadU(d32, ids + i), hn::Set(d32, mask));
    const auto place = hn::BitCast(hn::RebindToSigned<Lanes>(), hn::ShiftRight<5>(id));
    const Vector bit = hn::Shl(hn::Set(d32, 1), hn::And(id, in_word));
    const auto is_in = hn::TestBit(hn::GatherIndex(d32, words, place), bit);
    hn::StoreU(hn::Compress(hn::Iota(d32, i), is_in), d32, found + num_found);
    num_found += static_cast<uint32_t>(hn::CountTrue(d32, is_in));
  }
#endif
  for (; i < count; ++i) {
    const uint32_t id = ids[i] & mask;
    found[num_found] = i;
    num_found += words[id / 32] >> id % 32 & 1;
  }
  return num_found;
}

#if HWY_TARGET != HWY_SCALAR && HWY_MAX_BYTES > 16

/// Returns the sum of the degrees of the vertices with set bits, among 64; the sum must be below
/// 2^32. `low` has the first edges of the 64 vertices and of the next one.
HWY_INLINE uint32_t DegreesOfWord(const uint32_t* low, uint64_t bits) {
  const Lanes d32;
  Vector sum = hn::Zero(d32);
  for (uint32_t i = 0; i < 64; i += kLanes, bits >>= kLanes) {
    const Vector degrees = hn::Sub(hn::LoadU(d32, low + i + 1), hn::LoadU(d32, low + i));
    const auto lanes = static_cast<uint32_t>(bits) & kAllLanes;
    sum = hn::Add(sum, hn::IfThenElseZero(LanesOf(lanes), degrees));
  }
  return hn::GetLane(hn::SumOfLanes(d32, sum));
}

#endif

EdgeIndex Degrees(const VertexIndexView& index, uint64_t first_word, const uint64_t* words,
                  size_t count) {
  EdgeIndex sum = 0;
  for (size_t i = 0; i < count; ++i) {
    const uint64_t first = (first_word + i) * 64;
#if HWY_TARGET != HWY_SCALAR && HWY_MAX_BYTES > 16
    if (words[i] != 0 && index.num_crossings == 0 && first + 64 <= index.num_vertices) {
      sum += DegreesOfWord(index.low + first, words[i]);
      continue;
    }
#endif
    for (uint64_t bits = words[i]; bits != 0; bits &= bits - 1) {
      sum += index.degree(static_cast<VertexId>(first) +
                          static_cast<VertexId>(std::countr_zero(bits)));
    }
  }
  return sum;
}

}  // namespace edgemill::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace edgemill {

HWY_EXPORT(Members);
HWY_EXPORT(Places);
HWY_EXPORT(Degrees);

void FindMembers(const VertexId* ids, uint32_t count, const uint64_t* set, uint64_t* members) {
  HWY_DYNAMIC_DISPATCH(Members)(ids, count, set, members);
}

uint32_t FindPlaces(const uint32_t* ids, uint32_t count, const uint64_t* set, uint32_t mask,
                    uint32_t* found) {
  return HWY_DYNAMIC_DISPATCH(Places)(ids, count, set, mask, found);
}

EdgeIndex DegreesOf(const VertexIndexView& index, uint64_t first_word,
                    std::span<const uint64_t> words) {
  return HWY_DYNAMIC_DISPATCH(Degrees)(index, first_word, words.data(), words.size());
}

}  // namespace edgemill
#endif
