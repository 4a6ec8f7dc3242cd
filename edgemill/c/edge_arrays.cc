#include "edgemill/c/edge_arrays.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <span>

#include "common/strings.h"
#include "edgemill/c/caller.h"
#include "loaders/formats/lines/header_words.h"

namespace edgemill::c {
namespace {

/// Edges of one part: a chunk of the ingest.
constexpr uint64_t kPartEdges = uint64_t{1} << 16;
/// From here on, a real of this type may stand for several whole numbers.
template <typename T>
constexpr T kInexactFrom = T{2} *
                           static_cast<T>(uint64_t{1} << (std::numeric_limits<T>::digits - 1));

/// Calls `visit` with a null pointer of the number type that `format` stands for. Returns whether
/// there is one.
template <typename F>
bool WithType(char format, const F& visit) {
  const auto is = [&]<typename T>(char name, T* type) {
    if (name == format) visit(type);
    return name == format;
  };
  return is('c', static_cast<const int8_t*>(nullptr)) ||
         is('C', static_cast<const uint8_t*>(nullptr)) ||
         is('s', static_cast<const int16_t*>(nullptr)) ||
         is('S', static_cast<const uint16_t*>(nullptr)) ||
         is('i', static_cast<const int32_t*>(nullptr)) ||
         is('I', static_cast<const uint32_t*>(nullptr)) ||
         is('l', static_cast<const int64_t*>(nullptr)) ||
         is('L', static_cast<const uint64_t*>(nullptr)) ||
         is('f', static_cast<const float*>(nullptr)) ||
         is('g', static_cast<const double*>(nullptr));
}

bool IsValid(const edgemill_array& array, uint64_t i) {
  if (array.valid == nullptr) return true;
  const uint64_t bit = static_cast<uint64_t>(array.offset) + i;
  return (array.valid[bit / 8] >> (bit % 8) & 1) != 0;
}

/// A number as an id. Returns whether it is one; 2^64 - 1, which is none, is found later.
template <typename T>
bool AsElement(T number, ExternalId* id) {
  if constexpr (std::is_floating_point_v<T>) {
    if (!(number >= 0 && number < kInexactFrom<T> && std::trunc(number) == number)) return false;
  } else if (number < T{0}) {
    return false;
  }
  *id = static_cast<ExternalId>(number);
  return true;
}
template <typename T>
bool AsElement(T number, double* weight) {
  *weight = static_cast<double>(number);
  return std::isfinite(*weight);
}

/// What an id that is a real must be besides; empty for what needs no such words.
template <typename T>
std::string ExactRule(T number, ExternalId* /*id*/) {
  if constexpr (std::is_floating_point_v<T>) {
    if (number >= kInexactFrom<T>) {
      return StrCat(", and reals of this type are exact below 2^", std::numeric_limits<T>::digits);
    }
  }
  return "";
}
template <typename T>
std::string ExactRule(T /*number*/, double* /*weight*/) {
  return "";
}

/// What an array's elements are, for messages.
struct Meaning {
  std::string_view name;  // "source"
  std::string_view rule;  // "ids are whole numbers ..."
  uint64_t first_edge;    // of the part
};

/// Elements `at` to `at` + `count` of an array, in it or, converted, in `copy`.
template <typename Element>
StatusOr<std::span<const Element>> Elements(const edgemill_array& array, uint64_t at,
                                            uint64_t count, const Meaning& meaning,
                                            std::vector<Element>* copy) {
  const uint64_t first = static_cast<uint64_t>(array.offset) + at;
  constexpr char kOwnFormat = std::is_same_v<Element, double> ? 'g' : 'L';
  if (array.format[0] == kOwnFormat && array.valid == nullptr) {
    return std::span(static_cast<const Element*>(array.values) + first, count);
  }
  copy->resize(count);
  Status status;
  WithType(array.format[0], [&]<typename T>(const T* /*type*/) {
    const T* const values = static_cast<const T*>(array.values) + first;
    for (uint64_t i = 0; i < count; ++i) {
      const bool valid = IsValid(array, at + i);
      if (valid && AsElement(values[i], &(*copy)[i])) continue;
      status = BadDataError(StrCat("edge ", meaning.first_edge + i, ": the ", meaning.name, " is ",
                                   valid ? StrCat(values[i]) : "missing", ": ", meaning.rule,
                                   valid ? ExactRule(values[i], &(*copy)[i]) : ""));
      return;
    }
  });
  RETURN_IF_ERROR(status);
  return std::span<const Element>(*copy);
}

/// The names `at` to `at` + `count` of an array, as views of its text.
StatusOr<std::span<const std::string_view>> NameElements(const edgemill_array& array, uint64_t at,
                                                         uint64_t count, const Meaning& meaning,
                                                         std::vector<std::string_view>* views) {
  views->clear();
  const auto add_all = [&](const auto* offsets) -> Status {
    for (uint64_t i = 0; i < count; ++i) {
      if (!IsValid(array, at + i)) {
        return BadDataError(
            StrCat("edge ", meaning.first_edge + i, ": the ", meaning.name, " is missing"));
      }
      const auto begin = static_cast<size_t>(offsets[i]);
      views->emplace_back(array.text + begin, static_cast<size_t>(offsets[i + 1]) - begin);
    }
    return OkStatus();
  };
  const uint64_t first = static_cast<uint64_t>(array.offset) + at;
  RETURN_IF_ERROR(array.format[0] == 'U'
                      ? add_all(static_cast<const int64_t*>(array.values) + first)
                      : add_all(static_cast<const int32_t*>(array.values) + first));
  return std::span<const std::string_view>(*views);
}

}  // namespace

bool IsOfNames(std::string_view format) { return format == "u" || format == "U"; }

Status CheckFormat(std::string_view format, bool named, std::string_view what) {
  const bool is_number = format.size() == 1 && WithType(format[0], [](const auto* /*type*/) {});
  if (named ? IsOfNames(format) : is_number) return OkStatus();
  return UsageError(
      StrCat("ingest: ", what, " have the Arrow type \"", format, "\": give ",
             named ? "texts as names" : "whole numbers as ids, and numbers as weights"));
}

StatusOr<std::array<size_t, 3>> EdgeColumns(const std::vector<std::string>& titles) {
  const int source = FindUse(titles, ColumnUse::kSource);
  const int target = FindUse(titles, ColumnUse::kTarget);
  std::array<size_t, 3> places = {0, 1, 2};
  if (source >= 0 && target >= 0) {
    places = {static_cast<size_t>(source), static_cast<size_t>(target),
              static_cast<size_t>(3 - source - target)};
  }
  constexpr ColumnUse kUses[] = {ColumnUse::kSource, ColumnUse::kTarget, ColumnUse::kWeight};
  constexpr const char* kNames[] = {"source", "target", "weight"};
  for (size_t i = 0; i < titles.size(); ++i) {
    const std::string& title = titles[places[i]];
    const ColumnUse use = UseOfColumn(title);
    if (use == kUses[i] || (use == ColumnUse::kOther && places[i] == i)) continue;
    return UsageError(StrCat("ingest: the column ", QuotedText(title), " would be the ", kNames[i],
                             ": give the columns in the order source, target, weight"));
  }
  return places;
}

Status EdgeParts::Begin(const edgemill_edges& edges, EdgeKind kind, uint64_t first_edge) {
  edges_ = edges;
  kind_ = kind;
  first_edge_ = first_edge;
  at_ = 0;
  if (edges.count == 0) return OkStatus();
  const auto is_given = [](const edgemill_array& array) {
    return array.values != nullptr && array.format != nullptr;
  };
  if (!is_given(edges.sources) || !is_given(edges.targets) ||
      is_given(edges.weights) != kind.weighted) {
    return UsageError(StrCat("ingest: give arrays of sources and targets, and ",
                             kind.weighted ? "a weight for each edge" : "no weights"));
  }
  RETURN_IF_ERROR(CheckFormat(edges.sources.format, kind.named, "sources"));
  RETURN_IF_ERROR(CheckFormat(edges.targets.format, kind.named, "targets"));
  if (kind.named && (edges.sources.text == nullptr || edges.targets.text == nullptr)) {
    return UsageError("ingest: arrays of names have no text: give it beside the offsets");
  }
  return kind.weighted ? CheckFormat(edges.weights.format, false, "weights") : OkStatus();
}

StatusOr<EdgeArrays> EdgeParts::Next() {
  constexpr std::string_view kIdRule = "ids are whole numbers from 0 to 2^64 - 2";
  const uint64_t count = std::min(kPartEdges, edges_.count - at_);
  const Meaning source = {"source", kIdRule, first_edge_ + at_};
  const Meaning target = {"target", kIdRule, first_edge_ + at_};
  const Meaning weight = {"weight", "weights are finite numbers", first_edge_ + at_};
  EdgeArrays part;
  if (kind_.named) {
    ASSIGN_OR_RETURN(part.source_names,
                     NameElements(edges_.sources, at_, count, source, &source_names_));
    ASSIGN_OR_RETURN(part.target_names,
                     NameElements(edges_.targets, at_, count, target, &target_names_));
  } else {
    ASSIGN_OR_RETURN(part.sources, Elements(edges_.sources, at_, count, source, &sources_));
    ASSIGN_OR_RETURN(part.targets, Elements(edges_.targets, at_, count, target, &targets_));
  }
  if (kind_.weighted) {
    ASSIGN_OR_RETURN(part.weights, Elements(edges_.weights, at_, count, weight, &weights_));
  }
  at_ += count;
  return part;
}

}  // namespace edgemill::c

edgemill_error* edgemill_edge_columns(const char* const* titles, size_t count, size_t* places) {
  return edgemill::c::Guarded([&]() -> edgemill::Status {
    ASSIGN_OR_RETURN(const auto found, edgemill::c::EdgeColumns({titles, titles + count}));
    std::copy_n(found.begin(), count, places);
    return edgemill::OkStatus();
  });
}
