#include "loaders/formats/bv/bv_list.h"

#include <algorithm>

namespace edgemill {
namespace {

/// `from` plus a difference that was coded as a natural number: even ones are not negative.
uint64_t Plus(uint64_t from, uint64_t coded) {
  return coded % 2 == 0 ? from + coded / 2 : from - (coded + 1) / 2;
}

constexpr std::string_view kCutShort = "is cut short";
constexpr std::string_view kTooMany = "has more neighbours in parts than in all";
constexpr std::string_view kNoVertex = "has a neighbour that is not a vertex";

/// The numbers of intervals, one after the other.
template <typename Interval>
class IntervalCursor {
 public:
  explicit IntervalCursor(std::span<const Interval> intervals) : left_(intervals) { Start(); }
  bool ended() const { return left_.empty(); }
  uint64_t value() const { return value_; }
  void Advance() {
    if (++value_ < left_.front().end) return;
    left_ = left_.subspan(1);
    Start();
  }

 private:
  void Start() {
    while (!left_.empty() && left_.front().begin == left_.front().end) left_ = left_.subspan(1);
    if (!left_.empty()) value_ = left_.front().begin;
  }

  std::span<const Interval> left_;
  uint64_t value_ = 0;
};

}  // namespace

std::string_view BvListReader::ReadFront(BitReader& bits, uint64_t vertex) {
  vertex_ = vertex;
  reference_ = 0;
  degree_ = bits.Number(shape_.outdegrees, shape_.zeta_k);
  if (bits.ended()) return kCutShort;
  if (degree_ > shape_.num_vertices) return "has more neighbours than there are vertices";
  if (degree_ > kMaxBvList) return "has more than 16,777,216 neighbours, which is the limit";
  if (degree_ == 0 || shape_.window == 0) return {};
  reference_ = bits.Number(shape_.references, shape_.zeta_k);
  if (reference_ <= std::min(shape_.window, vertex)) return {};
  return bits.ended() ? kCutShort : "refers to a list outside of the window";
}

std::string_view BvListReader::ReadParts(BitReader& bits, uint64_t referred_degree) {
  copied_.clear();
  intervals_.clear();
  num_residuals_ = degree_;
  if (reference_ > 0) {
    const std::string_view wrong = ReadBlocks(bits, referred_degree);
    if (!wrong.empty()) return wrong;
  }
  if (num_residuals_ > 0 && shape_.min_interval > 0) return ReadIntervals(bits);
  return {};
}

/// Blocks of the earlier list are copied and left out in turn. The last one is not in the file.
std::string_view BvListReader::ReadBlocks(BitReader& bits, uint64_t referred_degree) {
  const uint64_t count = bits.Number(shape_.block_counts, shape_.zeta_k);
  uint64_t place = 0;
  const auto take = [&](uint64_t length, bool copies) {
    if (copies) {
      copied_.push_back({place, place + length});
      num_residuals_ -= length;
    }
    place += length;
  };
  for (uint64_t i = 0; i < count; ++i) {
    const uint64_t length = bits.Number(shape_.blocks, shape_.zeta_k) + (i == 0 ? 0 : 1);
    if (bits.ended()) return kCutShort;
    if (length > referred_degree - place) return "copies more than the list that it refers to has";
    const bool copies = i % 2 == 0;
    if (copies && length > num_residuals_) return kTooMany;
    take(length, copies);
  }
  const uint64_t rest = referred_degree - place;
  if (count % 2 == 1 || rest == 0) return {};
  if (rest > num_residuals_) return kTooMany;
  take(rest, true);
  return {};
}

std::string_view BvListReader::ReadIntervals(BitReader& bits) {
  const uint64_t count = bits.Gamma();
  uint64_t next = vertex_;  // the first one is relative to the vertex
  for (uint64_t i = 0; i < count; ++i) {
    const uint64_t gap = bits.Gamma();
    const uint64_t begin = i == 0 ? Plus(next, gap) : next + gap + 1;
    const uint64_t length = bits.Gamma() + shape_.min_interval;
    if (bits.ended()) return kCutShort;
    if (begin >= shape_.num_vertices || length > shape_.num_vertices - begin) return kNoVertex;
    if (length > num_residuals_) return kTooMany;
    num_residuals_ -= length;
    next = begin + length;
    intervals_.push_back({begin, next});
  }
  return {};
}

std::string_view BvListReader::ReadResiduals(BitReader& bits) {
  residuals_.clear();
  uint64_t last = vertex_;
  for (uint64_t i = 0; i < num_residuals_; ++i) {
    const uint64_t coded = bits.Number(shape_.residuals, shape_.zeta_k);
    last = i == 0 ? Plus(last, coded) : last + coded + 1;
    if (bits.ended()) return kCutShort;
    if (last >= shape_.num_vertices) return kNoVertex;
    residuals_.push_back(last);
  }
  return {};
}

std::string_view BvListReader::SkipRest(BitReader& bits, uint64_t referred_degree) {
  const std::string_view wrong = ReadParts(bits, referred_degree);
  if (!wrong.empty()) return wrong;
  for (uint64_t i = 0; i < num_residuals_; ++i) bits.Number(shape_.residuals, shape_.zeta_k);
  return bits.ended() ? kCutShort : std::string_view();
}

std::string_view BvListReader::ReadRest(BitReader& bits, std::span<const uint64_t> referred,
                                        std::vector<uint64_t>* list) {
  std::string_view wrong = ReadParts(bits, referred.size());
  if (wrong.empty()) wrong = ReadResiduals(bits);
  if (wrong.empty() && bits.ended()) wrong = kCutShort;  // in a count, which was read as 0
  if (wrong.empty()) wrong = Merge(referred, list);
  return wrong;
}

/// Each of the three parts rises. Together they must do so too.
std::string_view BvListReader::Merge(std::span<const uint64_t> referred,
                                     std::vector<uint64_t>* list) const {
  constexpr uint64_t kNone = UINT64_MAX;
  IntervalCursor<Interval> copied(copied_), interval(intervals_);
  auto residual = residuals_.begin();
  uint64_t last = kNone;
  list->reserve(list->size() + degree_);
  for (uint64_t i = 0; i < degree_; ++i) {
    const uint64_t from_copied = copied.ended() ? kNone : referred[copied.value()];
    const uint64_t from_interval = interval.ended() ? kNone : interval.value();
    const uint64_t from_residual = residual == residuals_.end() ? kNone : *residual;
    const uint64_t next = std::min({from_copied, from_interval, from_residual});
    if (next == last) return "has a neighbour twice";
    if (next == from_copied) {
      copied.Advance();
    } else if (next == from_interval) {
      interval.Advance();
    } else {
      ++residual;
    }
    list->push_back(last = next);
  }
  return {};
}

}  // namespace edgemill
