// Bits of an input from the most significant one on, and the codes of numbers in them: P. Boldi and
// S. Vigna, The WebGraph Framework I, WWW 2004; Codes for the World-Wide Web, 2005.
#pragma once

#include <bit>
#include <cstdint>
#include <cstring>
#include <span>

namespace edgemill {

/// The codes of BV graphs.
enum class BvCode : uint8_t { kUnary, kGamma, kDelta, kZeta };

/// Gives a BitReader the bytes of its input.
class ByteFeed {
 public:
  virtual ~ByteFeed() = default;
  /// Bytes from `first` on, of which the reader wants 16 or more; fewer only at the input's end,
  /// none behind it. Valid until the next call.
  virtual std::span<const uint8_t> From(uint64_t first) = 0;
};

/// Reads codes. Behind the input's last bit it reads as if ones followed, and `ended` is true. Not
/// thread-safe.
class BitReader {
 public:
  /// Reads bytes in memory, from bit `bit` of the input on. The first of `bytes` is byte `base` of
  /// the input.
  BitReader(std::span<const uint8_t> bytes, uint64_t base, uint64_t bit)
      : bytes_(bytes), base_(base), bit_(bit) {}
  /// Reads what `feed`, which must outlive it, gives.
  BitReader(ByteFeed& feed, uint64_t bit) : feed_(&feed), base_(bit / 8), bit_(bit) {}

  /// Goes on at bit `bit` of what a feed gives.
  void Seek(uint64_t bit) {
    if (bit / 8 < base_) {
      base_ = bit / 8;
      bytes_ = {};
    }
    bit_ = bit;
  }
  /// The bit of the input that comes next.
  uint64_t bit() const { return bit_; }
  /// Whether bits behind the end were read.
  bool ended() const { return ended_; }

  /// The next `count` bits, at most 64, as a number.
  uint64_t Bits(unsigned count) {
    if (count > kSureBits) {
      const uint64_t high = Bits(count - 32);
      return high << 32 | Bits(32);
    }
    if (count == 0) return 0;
    const uint64_t value = Peek() >> (64 - count);
    Skip(count);
    return value;
  }
  /// The number of zeros before the next one.
  uint64_t Unary() {
    uint64_t zeros = 0;
    while (true) {
      const uint64_t word = Peek();
      const auto leading = static_cast<unsigned>(std::countl_zero(word));
      if (leading < kSureBits) {
        Skip(leading + 1);
        return zeros + leading;
      }
      zeros += kSureBits;
      Skip(kSureBits);
    }
  }
  uint64_t Gamma() {
    const uint64_t word = Peek();
    const auto leading = static_cast<unsigned>(std::countl_zero(word));
    if (2 * leading + 1 <= kSureBits) {  // in one word
      Skip(2 * leading + 1);
      return (word >> (63 - 2 * leading)) - 1;
    }
    return WithHighestBit(Unary());
  }
  uint64_t Delta() { return WithHighestBit(Gamma()); }
  uint64_t Zeta(unsigned k) {
    const uint64_t blocks = Unary();
    if (blocks > kMostBits / k) return Damaged();
    const auto low = static_cast<unsigned>(blocks * k);
    const uint64_t left = uint64_t{1} << low;
    const uint64_t value = Bits(low + k - 1);
    return value < left ? value + left - 1 : (value << 1 | Bits(1)) - 1;
  }
  uint64_t Number(BvCode code, unsigned zeta_k) {
    switch (code) {
      case BvCode::kUnary:
        return Unary();
      case BvCode::kGamma:
        return Gamma();
      case BvCode::kDelta:
        return Delta();
      case BvCode::kZeta:
        return Zeta(zeta_k);
    }
    return Damaged();
  }

 private:
  static constexpr unsigned kSureBits = 57;  // of a word that begins in the middle of a byte
  static constexpr unsigned kMostBits = 56;  // of a number

  /// The number that has `bits` bits below its highest one, less 1.
  uint64_t WithHighestBit(uint64_t bits) {
    if (bits > kMostBits) return Damaged();
    return (uint64_t{1} << bits | Bits(static_cast<unsigned>(bits))) - 1;
  }
  /// A number that is too large for any use ends the input.
  uint64_t Damaged() {
    ended_ = true;
    return ~uint64_t{0};
  }

  /// The next bits, at least kSureBits of them, from the highest bit of the word on.
  uint64_t Peek() {
    const uint64_t at = bit_ / 8 - base_;
    if (at + 8 > bytes_.size()) [[unlikely]]
      return PeekAtEnd();
    uint64_t word;
    std::memcpy(&word, &bytes_[at], sizeof(word));
    return __builtin_bswap64(word) << bit_ % 8;
  }
  uint64_t PeekAtEnd() {
    uint64_t at = bit_ / 8 - base_;
    if (feed_ != nullptr) {
      base_ = bit_ / 8;
      bytes_ = feed_->From(base_);
      at = 0;
      if (bytes_.size() >= 8) return Peek();
    }
    uint64_t word = 0;
    for (uint64_t i = at; i < at + 8; ++i)
      word = word << 8 | (i < bytes_.size() ? bytes_[i] : 0xff);
    ended_ |= at >= bytes_.size();
    return word << bit_ % 8 | ((uint64_t{1} << bit_ % 8) - 1);
  }
  void Skip(unsigned count) { bit_ += count; }

  ByteFeed* feed_ = nullptr;
  std::span<const uint8_t> bytes_;
  uint64_t base_;
  uint64_t bit_;
  bool ended_ = false;
};

}  // namespace edgemill
