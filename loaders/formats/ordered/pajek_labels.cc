#include "loaders/formats/ordered/pajek_labels.h"

#include <algorithm>
#include <utility>

#include "loaders/formats/lines/name_parser.h"
#include "loaders/source/name_hash.h"

namespace edgemill {
namespace {

constexpr uint64_t kNoLabel = UINT64_MAX;
/// FindTwins sorts so many bytes for each vertex.
constexpr uint64_t kSortBytes = 16;

}  // namespace

bool PajekLabels::Set(uint64_t vertex, std::string_view label, FieldError* error) {
  if (Has(vertex)) {
    *error = {"a vertex that is listed twice", "list each vertex once", 0};
    return false;
  }
  if (ids_ == PajekIds::kLabelNumbers) {
    uint64_t number = 0;
    if (!ParseId(label, &number, error)) {
      if (LooksLikeName(label)) {
        *error = {"a label that is not a number, unlike those before it",
                  "--ids strings reads labels as names, --ids sparse takes vertices' numbers", 0};
      }
      return false;
    }
    if (number < base_) {
      *error = {"id 0 where ids start from 1", "leave out --base 1", 0};
      return false;
    }
    if (vertex > numbers_.size()) numbers_.resize(vertex, kNoLabel);
    numbers_[vertex - 1] = number;
    return true;
  }
  if (!CheckName(label, error)) return false;
  if (vertex > places_.size()) places_.resize(vertex);
  places_[vertex - 1] = {text_.size(), static_cast<uint32_t>(label.size())};
  text_ += label;
  return true;
}

uint64_t PajekLabels::BytesWith(uint64_t vertex) const {
  const uint64_t most = std::max<uint64_t>({vertex, places_.size(), numbers_.size()});
  if (most > kMaxPajekLabelBytes) return UINT64_MAX;
  const uint64_t each = ids_ == PajekIds::kLabels ? sizeof(Place) : sizeof(uint64_t);
  return most * (each + kSortBytes) + text_.size();
}

bool PajekLabels::Has(uint64_t vertex) const {
  if (ids_ == PajekIds::kLabels) {
    return vertex <= places_.size() && places_[vertex - 1].size > 0;
  }
  return vertex <= numbers_.size() && numbers_[vertex - 1] != kNoLabel;
}

std::string_view PajekLabels::TextOf(uint64_t vertex) const {
  const Place& place = places_[vertex - 1];
  return std::string_view(text_).substr(place.begin, place.size);
}

VertexRef PajekLabels::Get(uint64_t vertex, std::string* number) const {
  if (ids_ == PajekIds::kLabelNumbers) return {Has(vertex) ? numbers_[vertex - 1] : vertex, {}};
  if (Has(vertex)) return {0, TextOf(vertex)};
  *number = StrCat(vertex);
  return {0, *number};
}

std::string PajekLabels::FindTwins(uint64_t num_vertices) const {
  const bool names = ids_ == PajekIds::kLabels;
  std::vector<std::pair<uint64_t, uint64_t>> keys;  // a label's hash or number, and its vertex
  const uint64_t most = std::max<uint64_t>(places_.size(), numbers_.size());
  keys.reserve(most);
  const auto shown = [&](uint64_t vertex) {
    return names ? QuotedText(TextOf(vertex)) : StrCat(numbers_[vertex - 1]);
  };
  for (uint64_t vertex = 1; vertex <= most; ++vertex) {
    if (!Has(vertex)) continue;
    keys.emplace_back(names ? HashName(TextOf(vertex), 0) : numbers_[vertex - 1], vertex);
    uint64_t number = 0;
    const bool is_number =
        names ? ParseNumber(TextOf(vertex), &number) && TextOf(vertex) == StrCat(number)
              : ParseNumber(shown(vertex), &number);
    if (!is_number || number < 1 || number > num_vertices || Has(number)) continue;
    return StrCat("the label ", shown(vertex), " of vertex ", vertex, " is the number of vertex ",
                  number, ", which has no label");
  }
  std::sort(keys.begin(), keys.end());
  for (size_t i = 1; i < keys.size(); ++i) {
    const auto [key, vertex] = keys[i];
    const uint64_t before = keys[i - 1].second;
    if (key != keys[i - 1].first || (names && TextOf(vertex) != TextOf(before))) continue;
    return StrCat("the vertices ", before, " and ", vertex, " have the same label, ",
                  shown(vertex));
  }
  return "";
}

}  // namespace edgemill
