// Arbitrary bytes as lists of a BV graph. They are refused, or reading and passing over them end at
// the same bit, and neighbours rise and are vertices.
#include <algorithm>
#include <string_view>
#include <vector>

#include "common/check.h"
#include "loaders/formats/bv/bv_list.h"
#include "test/fuzz/targets.h"

namespace edgemill {
namespace {

constexpr size_t kHeadBytes = 2;

/// A shape by the first two bytes. With two zeros it is WebGraph's own.
BvShape ShapeOf(FuzzInput data) {
  BvShape shape{.num_vertices = 1 + (uint64_t{1} << (8 + data[0] % 4))};
  if (data[0] / 4 % 2 == 1) shape.window = 0;
  shape.min_interval = 4 - data[0] / 8 % 4;
  shape.zeta_k = 1 + (data[0] / 32 + 2) % 8;
  const auto code = [&](int bit, BvCode usual, BvCode other) {
    return (data[1] >> bit & 1) == 0 ? usual : other;
  };
  shape.outdegrees = code(0, BvCode::kGamma, BvCode::kDelta);
  shape.references = code(1, BvCode::kUnary, BvCode::kGamma);
  shape.block_counts = code(2, BvCode::kGamma, BvCode::kUnary);
  shape.blocks = code(3, BvCode::kGamma, BvCode::kDelta);
  shape.residuals = code(4, BvCode::kZeta, BvCode::kGamma);
  return shape;
}

}  // namespace

void FuzzBvLists(FuzzInput data) {
  if (data.size() < kHeadBytes) return;
  const BvShape shape = ShapeOf(data);
  const FuzzInput bytes = data.subspan(kHeadBytes);
  BitReader reading(bytes, 0, 0), passing(bytes, 0, 0);
  BvListReader read(shape), passed(shape);
  std::vector<std::vector<uint64_t>> lists;
  for (uint64_t v = 0; v < shape.num_vertices && reading.bit() < 8 * bytes.size(); ++v) {
    const std::string_view wrong = read.ReadFront(reading, v);
    CHECK(wrong == passed.ReadFront(passing, v));
    if (!wrong.empty()) return;
    static const std::vector<uint64_t> kNone;
    const std::vector<uint64_t>& referred =
        read.reference() == 0 ? kNone : lists[v - read.reference()];
    const std::string_view passed_wrong = passed.SkipRest(passing, referred.size());
    std::vector<uint64_t> list;
    if (!read.ReadRest(reading, referred, &list).empty()) return;
    CHECK(passed_wrong.empty());
    CHECK_EQ(reading.bit(), passing.bit());
    CHECK_EQ(list.size(), read.degree());
    CHECK(list.empty() || list.back() < shape.num_vertices);
    CHECK(std::adjacent_find(list.begin(), list.end(), std::greater_equal<>()) == list.end());
    lists.push_back(std::move(list));
  }
}

}  // namespace edgemill
