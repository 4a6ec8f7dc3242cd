// A model of a warp of 32 lanes, and of the kernel with which a warp decodes a group. The model is
// tested without a GPU.
//
// Lanes have registers of 32 bits, and all lanes do the same operation at once. Each operation of a
// Warp is one instruction of a GPU, and counts as one. A comment has the instruction's name in
// CUDA's SASS. Conditions are the same in all lanes. The caller does the branches, and counts them.
#pragma once

#include <array>
#include <bit>
#include <cstdint>

#include "storage/format/group_codec.h"

namespace edgemill {

class Warp {
 public:
  static constexpr uint32_t kLanes = 32;
  using Register = std::array<uint32_t, kLanes>;
  using Four = std::array<Register, 4>;

  uint64_t instructions() const { return instructions_; }

  // Operations that each lane does on its own values.
  Register Add(const Register& a, const Register& b) {  // IADD3
    return Each([&](uint32_t i) { return a[i] + b[i]; });
  }
  Register Subtract(const Register& a, const Register& b) {  // IADD3
    return Each([&](uint32_t i) { return a[i] - b[i]; });
  }
  Register MultiplyAdd(const Register& a, uint32_t b, const Register& c) {  // IMAD
    return Each([&](uint32_t i) { return a[i] * b + c[i]; });
  }
  Register And(const Register& a, uint32_t b) {  // LOP3
    return Each([&](uint32_t i) { return a[i] & b; });
  }
  Register Or(const Register& a, const Register& b) {  // LOP3
    return Each([&](uint32_t i) { return a[i] | b[i]; });
  }
  Register Xor(const Register& a, const Register& b) {  // LOP3
    return Each([&](uint32_t i) { return a[i] ^ b[i]; });
  }
  Register ShiftRight(const Register& a, uint32_t by) {  // SHF; 32 and more give 0
    return Each([&](uint32_t i) { return by >= kLanes ? 0 : a[i] >> by; });
  }
  Register ShiftLeft(const Register& a, uint32_t by) {  // SHF; 32 and more give 0
    return Each([&](uint32_t i) { return by >= kLanes ? 0 : a[i] << by; });
  }
  /// 32 bits of the 64 bits that have `high` above `low`. They begin at bit `by` modulo 32 (SHF.R).
  Register Funnel(const Register& low, const Register& high, const Register& by) {
    return Each([&](uint32_t i) {
      return static_cast<uint32_t>((uint64_t{high[i]} << 32 | low[i]) >> (by[i] & 31));
    });
  }
  Register Less(const Register& a, uint32_t b) {  // ISETP: a predicate
    return Each([&](uint32_t i) { return a[i] < b ? 1u : 0u; });
  }
  Register Select(const Register& predicate, const Register& yes, const Register& no) {  // SEL
    return Each([&](uint32_t i) { return predicate[i] != 0 ? yes[i] : no[i]; });
  }

  // Operations that exchange values between lanes.
  /// The value of the lane `by` lower. Lanes below `by` get 0 (SHFL.UP with its predicate).
  Register ShuffleUp(const Register& a, uint32_t by) {
    return Each([&](uint32_t i) { return i < by ? 0 : a[i - by]; });
  }
  Register Shuffle(const Register& a, const Register& from) {  // SHFL.IDX
    return Each([&](uint32_t i) { return a[from[i] % kLanes]; });
  }
  uint32_t Ballot(const Register& predicate) {  // VOTE
    ++instructions_;
    uint32_t bits = 0;
    for (uint32_t i = 0; i < kLanes; ++i) bits |= (predicate[i] != 0 ? 1u : 0u) << i;
    return bits;
  }
  /// For each lane, the highest lower lane whose bit is set, or ~0 without one (LOP3, then FLO).
  Register LastBelow(uint32_t bits) {
    ++instructions_;
    return Each([&](uint32_t i) {
      return static_cast<uint32_t>(std::bit_width(bits & ((uint32_t{1} << i) - 1))) - 1;
    });
  }

  // Operations on memory.
  Register Load(const uint32_t* words, const Register& at) {  // LDG
    return Each([&](uint32_t i) { return words[at[i]]; });
  }
  /// Loads one word, the same for all lanes.
  uint64_t LoadHeader(const uint64_t* word) {  // LDG.64
    ++instructions_;
    return *word;
  }
  /// Stores four words of each lane in shared memory, in order (STS.128; LDS.128 loads them).
  void StoreShared(const Four& words) {
    ++instructions_;
    for (uint32_t i = 0; i < 4 * kLanes; ++i) shared_[i] = words[i % 4][i / 4];
  }
  Four LoadShared() {
    ++instructions_;
    Four words;
    for (uint32_t i = 0; i < 4 * kLanes; ++i) words[i % 4][i / 4] = shared_[i];
    return words;
  }
  /// Stores where the predicate holds (STS).
  void StoreSharedAt(const Register& predicate, const Register& at, const Register& word) {
    ++instructions_;
    for (uint32_t i = 0; i < kLanes; ++i) {
      if (predicate[i] != 0) shared_[at[i]] = word[i];
    }
  }

  /// Counts branches, and instructions on values that are the same in all lanes.
  void CountUniform(uint32_t instructions) { instructions_ += instructions; }

  static Register LaneNumbers() {  // a special register
    Register lanes;
    for (uint32_t i = 0; i < kLanes; ++i) lanes[i] = i;
    return lanes;
  }
  static Register All(uint32_t value) {  // an immediate
    Register all;
    all.fill(value);
    return all;
  }

 private:
  template <typename F>
  Register Each(F f) {
    ++instructions_;
    Register result;
    for (uint32_t i = 0; i < kLanes; ++i) result[i] = f(i);
    return result;
  }

  uint64_t instructions_ = 0;
  std::array<uint32_t, 4 * kLanes> shared_{};
};

/// Decodes groups with a warp. Each lane has four consecutive values.
class WarpDecoder {
 public:
  using Register = Warp::Register;
  using Four = Warp::Four;

  explicit WarpDecoder(Warp& warp) : warp_(warp) {}

  /// The 128 packed values of a group, as UnpackGroup gives them.
  Four Values(const PackedView& view, uint32_t group);
  /// The prefix sums of a group's values, modulo 2^32.
  Four Sums(const Four& values);
  /// The neighbour ids of a group. `is_head` says which edges come first in their lists, and
  /// `sources` has the source vertices of these lists. `base` is the base of the group.
  Four Neighbors(const Four& values, const Four& is_head, const Four& sources, uint32_t base);

 private:
  /// The 32 bits of `words` that begin at bit `bit`.
  Register Window(const uint32_t* words, const Register& bit) {
    const Register at = warp_.ShiftRight(bit, 5);
    const Register low = warp_.Load(words, at);
    const Register high = warp_.Load(words + 1, at);  // the offset is part of the instruction
    return warp_.Funnel(low, high, bit);
  }

  Warp& warp_;
};

inline Warp::Four WarpDecoder::Values(const PackedView& view, uint32_t group) {
  const GroupHeader header = GroupHeader::Unpack(warp_.LoadHeader(view.headers() + group));
  warp_.CountUniform(9);  // unpacks the header, finds the data's address, branches on exceptions
  const uint32_t* words = view.words() + header.word_offset;
  const uint32_t mask = static_cast<uint32_t>((uint64_t{1} << header.width) - 1);
  warp_.CountUniform(2);
  const Register lanes = Warp::LaneNumbers();
  Register bit = warp_.MultiplyAdd(lanes, 4 * header.width, Warp::All(0));
  Four values;
  for (uint32_t i = 0; i < 4; ++i) {
    values[i] = warp_.And(Window(words, bit), mask);
    if (i < 3) bit = warp_.Add(bit, Warp::All(header.width));
  }
  if (header.exceptions == 0) return values;
  // Each exception goes through shared memory to the lane that has its value.
  const Register zero = Warp::All(0);
  warp_.StoreShared({zero, zero, zero, zero});
  const uint32_t* entries = words + 4 * header.width;
  const uint32_t high_mask = static_cast<uint32_t>((uint64_t{1} << header.high_bits) - 1);
  warp_.CountUniform(4);
  for (uint32_t first = 0; first < header.exceptions; first += Warp::kLanes) {
    const Register number = warp_.Add(lanes, Warp::All(first));
    const Register wanted = warp_.Less(number, header.exceptions);
    // A lane without an exception reads the last exception.
    const Register safe = warp_.Select(wanted, number, Warp::All(header.exceptions - 1));
    const Register entry = warp_.MultiplyAdd(safe, 7 + header.high_bits, Warp::All(0));
    const Register position = warp_.And(Window(entries, entry), 127);
    const Register high_bit = warp_.Add(entry, Warp::All(7));
    const Register high = warp_.And(Window(entries, high_bit), high_mask);
    warp_.StoreSharedAt(wanted, position, warp_.ShiftLeft(high, header.width));
    warp_.CountUniform(3);  // the loop, and a barrier of the warp before other lanes read
  }
  const Four highs = warp_.LoadShared();
  for (uint32_t i = 0; i < 4; ++i) values[i] = warp_.Or(values[i], highs[i]);
  return values;
}

inline Warp::Four WarpDecoder::Sums(const Four& values) {
  Four sums = values;
  for (uint32_t i = 1; i < 4; ++i) sums[i] = warp_.Add(sums[i - 1], values[i]);
  Register total = sums[3];
  for (uint32_t by = 1; by < Warp::kLanes; by *= 2) {
    total = warp_.Add(total, warp_.ShuffleUp(total, by));
  }
  const Register before = warp_.Subtract(total, sums[3]);
  for (Register& sum : sums) sum = warp_.Add(sum, before);
  return sums;
}

inline Warp::Four WarpDecoder::Neighbors(const Four& values, const Four& is_head,
                                         const Four& sources, uint32_t base) {
  const Four sums = Sums(values);
  // For each edge, the number to add to its sum. The first edge of a list sets it for the later
  // edges of its lane.
  Four constants;
  Register running = Warp::All(0);
  Register any = Warp::All(0);
  for (uint32_t i = 0; i < 4; ++i) {
    const Register half = warp_.ShiftRight(values[i], 1);
    const Register sign = warp_.Subtract(Warp::All(0), warp_.And(values[i], 1));
    const Register first = warp_.Add(sources[i], warp_.Xor(half, sign));
    running = warp_.Select(is_head[i], warp_.Subtract(first, sums[i]), running);
    any = warp_.Or(any, is_head[i]);
    constants[i] = running;
  }
  // Edges before the first head of a lane belong to the list of the last head of an earlier lane.
  const Register from = warp_.LastBelow(warp_.Ballot(any));
  const Register passed = warp_.Shuffle(running, from);
  const Register found = warp_.Less(from, Warp::kLanes);
  const Register earlier = warp_.Select(found, passed, Warp::All(base));
  Register seen = Warp::All(0);
  Four ids;
  for (uint32_t i = 0; i < 4; ++i) {
    seen = warp_.Or(seen, is_head[i]);
    ids[i] = warp_.Add(sums[i], warp_.Select(seen, constants[i], earlier));
  }
  return ids;
}

}  // namespace edgemill
