#include "storage/format/group_packing.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "storage/format/group_packing.cc"
#include <hwy/foreach_target.h>  // compiles the rest of this file once an instruction set
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace edgemill::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

/// Lanes that divide a group and whose mask fits a word.
using Values = hn::CappedTag<uint32_t, 64>;

HWY_INLINE uint32_t WidthOfAll(const uint32_t* values) {
  const Values d;
  auto all = hn::Zero(d);
  for (size_t i = 0; i < kGroupSize; i += hn::Lanes(d)) {
    all = hn::Max(all, hn::LoadU(d, values + i));
  }
  return static_cast<uint32_t>(std::bit_width(hn::GetLane(hn::MaxOfLanes(d, all))));
}

/// How many of the values need more than `width` bits, less than 32.
HWY_INLINE uint32_t CountWider(const uint32_t* values, uint32_t width) {
  const Values d;
  const auto most = hn::Set(d, (1u << width) - 1);
  size_t count = 0;
  for (size_t i = 0; i < kGroupSize; i += hn::Lanes(d)) {
    count += hn::CountTrue(d, hn::Gt(hn::LoadU(d, values + i), most));
  }
  return static_cast<uint32_t>(count);
}

uint32_t ChooseWidth(const uint32_t* values) {
  const uint32_t widest = WidthOfAll(values);
  GroupHeader best{.width = widest == 31 ? 32 : widest, .high_bits = 2};
  uint32_t best_words = best.num_words();
  for (uint32_t width = widest; width-- > 0;) {
    if (width == 31) continue;  // its code stands for 32
    const uint32_t exceptions = CountWider(values, width);
    if (exceptions > 127 || exceptions * 9 >= best_words * 32) break;
    const GroupHeader header{
        .width = width, .exceptions = exceptions, .high_bits = (widest - width + 1) & ~1u};
    if (header.num_words() < best_words) {
      best = header;
      best_words = header.num_words();
    }
  }
  return best.width;
}

#if HWY_TARGET == HWY_SCALAR

void PackFixedWidth(const uint32_t* values, uint32_t width, uint8_t* out) {
  const uint64_t mask = (uint64_t{1} << width) - 1;
  uint64_t pending = 0;
  uint32_t used = 0;
  for (uint32_t i = 0; i < kGroupSize; ++i) {
    pending |= (values[i] & mask) << used;
    used += width;
    for (; used >= 8; used -= 8, pending >>= 8) *out++ = static_cast<uint8_t>(pending);
  }
}

void FindNeighborValues(const uint64_t* edges, uint32_t* values) {
  for (uint32_t i = 0; i < kGroupSize; ++i) {
    const uint64_t before = edges[i], edge = edges[i + 1], source = edge >> 32;
    values[i] = source != before >> 32 ? ZigZag(static_cast<uint32_t>(edge - source))
                                       : static_cast<uint32_t>(edge - before);
  }
}

#else

using Pairs = hn::Repartition<uint64_t, Values>;

/// Puts the low `bits` (at most 32) of two neighbouring lanes of `a`, `b`, ... together in one.
template <typename V>
HWY_INLINE V JoinLanes(V a, V b, int bits) {
  const Pairs d;
  return hn::Or(hn::ConcatEven(d, b, a), hn::ShiftLeftSame(hn::ConcatOdd(d, b, a), bits));
}

/// Joins the low `width` bits of `kJoined` values (two, four or eight) in the low bits of a word.
template <size_t kJoined>
HWY_INLINE void JoinValues(const uint32_t* values, int width, uint64_t* joined) {
  const Values d;
  const Pairs d64;
  const auto kept = hn::Set(d, static_cast<uint32_t>((uint64_t{1} << width) - 1));
  const auto low_half = hn::Set(d64, 0xffffffff);
  const auto pairs_at = [&](size_t i) {
    const auto both = hn::BitCast(d64, hn::And(hn::LoadU(d, values + i), kept));
    return hn::Or(hn::And(both, low_half), hn::ShiftLeftSame(hn::ShiftRight<32>(both), width));
  };
  const size_t lanes = hn::Lanes(d);
  const auto fours_at = [&](size_t i) {
    return JoinLanes(pairs_at(i), pairs_at(i + lanes), 2 * width);
  };
  for (size_t i = 0; i < kGroupSize; i += lanes * kJoined / 2) {
    uint64_t* const out = joined + i / kJoined;
    if constexpr (kJoined == 2) {
      hn::StoreU(pairs_at(i), d64, out);
    } else if constexpr (kJoined == 4) {
      hn::StoreU(fours_at(i), d64, out);
    } else {
      hn::StoreU(JoinLanes(fours_at(i), fours_at(i + 2 * lanes), 4 * width), d64, out);
    }
  }
}

/// Packs the low `width` bits of 128 values, least significant bit first. Writes 4 * width words,
/// and up to kGroupSlackWords meaningless words behind them. Eight values take whole bytes.
void PackFixedWidth(const uint32_t* values, uint32_t width, uint8_t* out) {
  const int bits = static_cast<int>(width);
  uint64_t joined[kGroupSize / 2];
  using Wide = unsigned __int128;
  if (width <= 8) {
    JoinValues<8>(values, bits, joined);
    for (size_t i = 0; i < kGroupSize / 8; ++i, out += width) {
      std::memcpy(out, &joined[i], sizeof(joined[i]));
    }
  } else if (width <= 16) {
    JoinValues<4>(values, bits, joined);
    for (size_t i = 0; i < kGroupSize / 4; i += 2, out += width) {
      const Wide eight = joined[i] | Wide{joined[i + 1]} << (4 * bits);
      std::memcpy(out, &eight, sizeof(eight));
    }
  } else {
    JoinValues<2>(values, bits, joined);
    for (size_t i = 0; i < kGroupSize / 2; i += 4, out += width) {
      const Wide low = joined[i] | Wide{joined[i + 1]} << (2 * bits);
      Wide high = joined[i + 2] | Wide{joined[i + 3]} << (2 * bits);
      // At odd widths, `low` and `high` share a byte, half of it each.
      if (width % 2 != 0) high = high << 4 | low >> (4 * bits - 4);
      std::memcpy(out, &low, sizeof(low));
      std::memcpy(out + width / 2, &high, sizeof(high));
    }
  }
}

void FindNeighborValues(const uint64_t* edges, uint32_t* values) {
  const Values d;
  const Pairs d64;
  const hn::RebindToSigned<Values> signed_d;
  const auto value_at = [&](size_t i) {
    const auto before = hn::LoadU(d64, edges + i), edge = hn::LoadU(d64, edges + i + 1);
    const auto source = hn::ShiftRight<32>(edge);
    const auto is_head = hn::Ne(source, hn::ShiftRight<32>(before));
    // The low halves are differences of targets, and of targets and sources.
    const auto step = hn::Sub(edge, before);
    const auto distance = hn::BitCast(signed_d, hn::Sub(edge, source));
    const auto code = hn::Xor(hn::ShiftLeft<1>(distance), hn::BroadcastSignBit(distance));
    return hn::BitCast(d, hn::IfThenElse(is_head, hn::BitCast(d64, code), step));
  };
  const size_t lanes = hn::Lanes(d);
  for (size_t i = 0; i < kGroupSize; i += lanes) {
    hn::StoreU(hn::ConcatEven(d, value_at(i + lanes / 2), value_at(i)), d, values + i);
  }
}

#endif

GroupHeader PackAtWidth(const uint32_t* values, uint32_t width, uint32_t* words) {
  PackFixedWidth(values, width, reinterpret_cast<uint8_t*>(words));
  GroupExceptions exceptions;
  if (width < 32) {
    const Values d;
    const auto most = hn::Set(d, (1u << width) - 1);
    for (size_t first = 0; first < kGroupSize; first += hn::Lanes(d)) {
      uint64_t wider = 0;
      hn::StoreMaskBits(d, hn::Gt(hn::LoadU(d, values + first), most),
                        reinterpret_cast<uint8_t*>(&wider));
      for (; wider != 0; wider &= wider - 1) {
        const size_t i = first + static_cast<size_t>(std::countr_zero(wider));
        exceptions.Add(static_cast<uint32_t>(i), values[i] >> width);
      }
    }
  }
  return exceptions.WriteBehind(width, words);
}

GroupHeader PackAtBestWidth(const uint32_t* values, uint32_t* words) {
  return PackAtWidth(values, ChooseWidth(values), words);
}

}  // namespace edgemill::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace edgemill {

HWY_EXPORT(PackAtWidth);
HWY_EXPORT(PackAtBestWidth);
HWY_EXPORT(FindNeighborValues);

GroupHeader PackGroupAtWidth(const uint32_t* values, uint32_t width, uint32_t* words) {
  return HWY_DYNAMIC_DISPATCH(PackAtWidth)(values, width, words);
}

GroupHeader PackGroup(const uint32_t* values, uint32_t* words) {
  return HWY_DYNAMIC_DISPATCH(PackAtBestWidth)(values, words);
}

void NeighborValues(const uint64_t* edges, uint32_t* values) {
  HWY_DYNAMIC_DISPATCH(FindNeighborValues)(edges, values);
}

}  // namespace edgemill
#endif
