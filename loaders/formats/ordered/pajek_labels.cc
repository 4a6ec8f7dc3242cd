#include "loaders/formats/ordered/pajek_labels.h"

#include <algorithm>
#include <utility>

#include "common/cancel.h"
#include "loaders/formats/lines/name_parser.h"
#include "loaders/source/name_hash.h"

namespace edgemill {
namespace {

/// A label's hash or number, and its vertex: FindTwins sorts one for each vertex.
using LabelKey = std::pair<uint64_t, uint64_t>;
/// A stop is looked for once in so many labels.
constexpr uint64_t kLabelsAtOnce = uint64_t{1} << 20;

}  // namespace

uint64_t PajekLabelSpace::NeededBytes() const {
  constexpr uint64_t kEach = 16 + sizeof(LabelKey);  // a Place and a key
  if (vertices > UINT64_MAX / 2 / kEach) return UINT64_MAX;
  return vertices * kEach + text_bytes;
}

PajekLabels::PajekLabels(PajekIds ids, uint64_t base, const PajekLabelSpace& space)
    : ids_(ids), base_(base), limit_bytes_(space.limit_bytes) {
  static_assert(sizeof(Place) == 16);
  if (ids_ == PajekIds::kNumbers || space.NeededBytes() > limit_bytes_) return;
  places_.reserve(space.vertices);
  if (ids_ == PajekIds::kLabels) text_.reserve(space.text_bytes);
}

bool PajekLabels::MakeRoom(uint64_t vertex, size_t label_bytes) {
  const uint64_t text = text_.size() + (ids_ == PajekIds::kLabels ? label_bytes : 0);
  const uint64_t places_now = places_.capacity(), text_now = text_.capacity();
  if (vertex <= places_now && text <= text_now) return true;
  // Twice the memory where the limit allows it, or else less, but not so little that copies take
  // long.
  for (const uint64_t part : {1, 8}) {
    PajekLabelSpace space{places_now, text_now};
    if (vertex > places_now) space.vertices = std::max(vertex, places_now + places_now / part);
    if (text > text_now) space.text_bytes = std::max(text, text_now + text_now / part);
    // While they grow, the old ones exist, too.
    const uint64_t moved =
        (vertex > places_now ? places_now * sizeof(Place) : 0) + (text > text_now ? text_now : 0);
    const uint64_t needed = space.NeededBytes();
    if (needed > limit_bytes_ || moved > limit_bytes_ - needed) continue;
    places_.reserve(space.vertices);
    text_.reserve(space.text_bytes);
    return true;
  }
  return false;
}

bool PajekLabels::Set(uint64_t vertex, std::string_view label, uint64_t line, FieldError* error) {
  if (Has(vertex)) {
    *error = {"a vertex that is listed twice", "list each vertex once", 0};
    return false;
  }
  Place place{.begin = text_.size(),
              .size = static_cast<uint32_t>(label.size()),
              .line = static_cast<uint32_t>(std::min<uint64_t>(line, UINT32_MAX))};
  if (ids_ == PajekIds::kLabelNumbers) {
    if (!ParseId(label, &place.begin, error)) {
      if (LooksLikeName(label)) {
        *error = {"a label that is not a number, unlike those before it",
                  "--ids strings reads labels as names, --ids sparse takes vertices' numbers", 0};
      }
      return false;
    }
    if (place.begin < base_) {
      *error = {"id 0 where ids start from 1", "leave out --base 1", 0};
      return false;
    }
  } else {
    if (!CheckName(label, error)) return false;
    text_.insert(text_.end(), label.begin(), label.end());
  }
  if (vertex > places_.size()) places_.resize(vertex);
  places_[vertex - 1] = place;
  return true;
}

bool PajekLabels::Has(uint64_t vertex) const {
  return vertex <= places_.size() && places_[vertex - 1].size > 0;
}

std::string_view PajekLabels::TextOf(uint64_t vertex) const {
  const Place& place = places_[vertex - 1];
  return std::string_view(text_.data(), text_.size()).substr(place.begin, place.size);
}

std::string PajekLabels::Shown(uint64_t vertex) const {
  return ids_ == PajekIds::kLabels ? QuotedText(TextOf(vertex)) : StrCat(places_[vertex - 1].begin);
}

VertexRef PajekLabels::Get(uint64_t vertex, std::string* number) const {
  if (ids_ == PajekIds::kLabelNumbers) {
    return {Has(vertex) ? places_[vertex - 1].begin : vertex, {}};
  }
  if (Has(vertex)) return {0, TextOf(vertex)};
  *number = StrCat(vertex);
  return {0, *number};
}

std::optional<PajekLabels::Twins> PajekLabels::FindNumberOfOther(uint64_t vertex,
                                                                 uint64_t num_vertices) const {
  uint64_t number = places_[vertex - 1].begin;
  if (ids_ == PajekIds::kLabels) {
    const std::string_view text = TextOf(vertex);
    if (!IsDigit(text[0]) || !ParseNumber(text, &number) || text != StrCat(number)) return {};
  }
  if (number < 1 || number > num_vertices || Has(number)) return {};
  return Twins{StrCat("the label ", Shown(vertex), " of vertex ", vertex,
                      " is the number of vertex ", number, ", which has no label"),
               places_[vertex - 1].line};
}

StatusOr<std::optional<PajekLabels::Twins>> PajekLabels::FindTwins(uint64_t num_vertices) const {
  const bool names = ids_ == PajekIds::kLabels;
  std::vector<LabelKey> keys;
  keys.reserve(places_.size());
  for (uint64_t vertex = 1; vertex <= places_.size(); ++vertex) {
    if (vertex % kLabelsAtOnce == 0) RETURN_IF_ERROR(CheckCancelled());
    if (!Has(vertex)) continue;
    keys.emplace_back(names ? HashName(TextOf(vertex), 0) : places_[vertex - 1].begin, vertex);
    if (auto twins = FindNumberOfOther(vertex, num_vertices)) return twins;
  }
  std::sort(keys.begin(), keys.end());
  RETURN_IF_ERROR(CheckCancelled());
  for (size_t i = 1; i < keys.size(); ++i) {
    const auto [key, vertex] = keys[i];
    const uint64_t before = keys[i - 1].second;
    if (key != keys[i - 1].first || (names && TextOf(vertex) != TextOf(before))) continue;
    const uint64_t line = std::max(places_[before - 1].line, places_[vertex - 1].line);
    return std::optional(Twins{
        StrCat("the vertices ", before, " and ", vertex, " have the same label, ", Shown(vertex)),
        line});
  }
  return std::optional<Twins>();
}

}  // namespace edgemill
