// Writes graphs in the BV format, to test their reader: from the description in P. Boldi and S.
// Vigna, The WebGraph Framework I, WWW 2004, apart from the reader.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "common/random.h"
#include "common/strings.h"
#include "loaders/formats/bv/bv_shape.h"

namespace edgemill {

/// Appends bits, from the highest of each byte on.
class BitWriter {
 public:
  void Bits(uint64_t value, unsigned count) {
    for (unsigned i = count; i-- > 0;) Bit((value >> i & 1) != 0);
  }
  void Unary(uint64_t value) {
    for (uint64_t i = 0; i < value; ++i) Bit(false);
    Bit(true);
  }
  void Gamma(uint64_t value) {
    const unsigned width = static_cast<unsigned>(std::bit_width(value + 1)) - 1;
    Unary(width);
    Bits(value + 1, width);
  }
  void Delta(uint64_t value) {
    const unsigned width = static_cast<unsigned>(std::bit_width(value + 1)) - 1;
    Gamma(width);
    Bits(value + 1, width);
  }
  void Zeta(uint64_t value, unsigned k) {
    const unsigned h = (static_cast<unsigned>(std::bit_width(value + 1)) - 1) / k;
    Unary(h);
    const uint64_t left = uint64_t{1} << h * k, rest = value + 1 - left;
    if (rest < left) {
      Bits(rest, h * k + k - 1);
    } else {
      Bits(rest + left, h * k + k);
    }
  }
  void Number(uint64_t value, BvCode code, unsigned k) {
    switch (code) {
      case BvCode::kUnary:
        return Unary(value);
      case BvCode::kGamma:
        return Gamma(value);
      case BvCode::kDelta:
        return Delta(value);
      case BvCode::kZeta:
        return Zeta(value, k);
    }
  }
  uint64_t bit() const { return bit_; }
  const std::string& bytes() const { return bytes_; }

 private:
  void Bit(bool set) {
    if (bit_ % 8 == 0) bytes_ += '\0';
    if (set) bytes_.back() = static_cast<char>(bytes_.back() | 1 << (7 - bit_ % 8));
    ++bit_;
  }

  std::string bytes_;
  uint64_t bit_ = 0;
};

/// The three files of a graph.
struct BvFiles {
  std::string graph, offsets, properties;
};

/// Writes `lists`, which rise. References are drawn at random within the shape's bounds.
class BvWriter {
 public:
  using List = std::vector<uint64_t>;

  BvWriter(const BvShape& shape, const std::vector<List>& lists, uint64_t seed)
      : shape_(shape), lists_(lists), random_(seed), chains_(lists.size()) {}

  BvFiles Write() {
    uint64_t edges = 0;
    offsets_.Number(0, shape_.offsets, shape_.zeta_k);
    for (uint64_t v = 0; v < lists_.size(); ++v) {
      const uint64_t begin = bits_.bit();
      WriteList(v);
      edges += lists_[v].size();
      offsets_.Number(bits_.bit() - begin, shape_.offsets, shape_.zeta_k);
    }
    return {bits_.bytes(), offsets_.bytes(), PropertiesText(edges)};
  }

 private:
  static uint64_t Natural(uint64_t to, uint64_t from) {
    return to >= from ? 2 * (to - from) : 2 * (from - to) - 1;
  }
  void Put(uint64_t value, BvCode code) { bits_.Number(value, code, shape_.zeta_k); }

  uint64_t DrawReference(uint64_t v) {
    const uint64_t reference = random_.Below(std::min(shape_.window, v) + 1);
    if (reference == 0 || chains_[v - reference] >= shape_.max_chain) return 0;
    chains_[v] = chains_[v - reference] + 1;
    return reference;
  }

  void WriteList(uint64_t v) {
    const List& list = lists_[v];
    Put(list.size(), shape_.outdegrees);
    if (list.empty()) return;
    List extra = list;
    if (shape_.window > 0) {
      const uint64_t reference = DrawReference(v);
      Put(reference, shape_.references);
      if (reference > 0) extra = WriteBlocks(list, lists_[v - reference]);
    }
    if (extra.empty()) return;
    if (shape_.min_interval > 0) extra = WriteIntervals(v, extra);
    for (size_t i = 0; i < extra.size(); ++i) {
      Put(i == 0 ? Natural(extra[0], v) : extra[i] - extra[i - 1] - 1, shape_.residuals);
    }
  }

  /// Returns what is not in the other list.
  List WriteBlocks(const List& list, const List& other) {
    std::vector<uint64_t> blocks;
    bool copies = true;
    uint64_t length = 0;
    for (const uint64_t v : other) {
      if (std::binary_search(list.begin(), list.end(), v) != copies) {
        blocks.push_back(length);
        length = 0;
        copies = !copies;
      }
      ++length;
    }
    // The last block follows from the length of the other list.
    Put(blocks.size(), shape_.block_counts);
    for (size_t i = 0; i < blocks.size(); ++i) Put(blocks[i] - (i == 0 ? 0 : 1), shape_.blocks);
    List rest;
    std::set_difference(list.begin(), list.end(), other.begin(), other.end(),
                        std::back_inserter(rest));
    return rest;
  }

  /// Returns what is in no interval.
  List WriteIntervals(uint64_t v, const List& extra) {
    struct Interval {
      uint64_t begin, length;
    };
    std::vector<Interval> intervals;
    List rest;
    for (size_t i = 0; i < extra.size();) {
      size_t end = i + 1;
      while (end < extra.size() && extra[end] == extra[end - 1] + 1) ++end;
      if (end - i >= shape_.min_interval) {
        intervals.push_back({extra[i], end - i});
      } else {
        rest.insert(rest.end(), &extra[i], &extra[i] + (end - i));
      }
      i = end;
    }
    bits_.Gamma(intervals.size());
    uint64_t last = v;
    for (const Interval& interval : intervals) {
      bits_.Gamma(&interval == &intervals.front() ? Natural(interval.begin, v)
                                                  : interval.begin - last - 1);
      bits_.Gamma(interval.length - shape_.min_interval);
      last = interval.begin + interval.length;
    }
    return rest;
  }

  std::string PropertiesText(uint64_t edges) const {
    std::string flags;
    const auto add = [&](std::string_view of, BvCode code, BvCode usual) {
      if (code == usual) return;
      constexpr std::string_view kNames[] = {"UNARY", "GAMMA", "DELTA", "ZETA"};
      flags += StrCat(flags.empty() ? "" : " | ", of, "_", kNames[static_cast<int>(code)]);
    };
    add("OUTDEGREES", shape_.outdegrees, BvCode::kGamma);
    add("REFERENCES", shape_.references, BvCode::kUnary);
    add("BLOCK_COUNT", shape_.block_counts, BvCode::kGamma);
    add("BLOCKS", shape_.blocks, BvCode::kGamma);
    add("RESIDUALS", shape_.residuals, BvCode::kZeta);
    add("OFFSETS", shape_.offsets, BvCode::kGamma);
    const std::string chain = shape_.max_chain == UINT64_MAX ? "-1" : StrCat(shape_.max_chain);
    return StrCat("#BVGraph properties\ngraphclass=it.unimi.dsi.webgraph.BVGraph\nversion=0\n",
                  "nodes=", lists_.size(), "\narcs=", edges, "\nwindowsize=", shape_.window,
                  "\nmaxrefcount=", chain, "\nminintervallength=", shape_.min_interval,
                  "\nzetak=", shape_.zeta_k, "\ncompressionflags=", flags, "\n");
  }

  const BvShape& shape_;
  const std::vector<List>& lists_;
  Random random_;
  std::vector<uint64_t> chains_;  // the length of the chain of references from each list
  BitWriter bits_, offsets_;
};

}  // namespace edgemill
