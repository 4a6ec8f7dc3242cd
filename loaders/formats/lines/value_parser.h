// Values of edge columns that are no numbers, as the doubles that stand for them.
#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "loaders/formats/lines/header_words.h"
#include "loaders/formats/lines/number_parser.h"
#include "loaders/source/text_codes.h"
#include "storage/format/graph_info.h"

namespace edgemill {

/// Advice for a value of an edge column of numbers that is none, or not of the column's type.
inline constexpr const char* kNumbersOnly =
    "correct the value, or say --column NAME:text or another type";

/// Reads a whole field as a time (ParseTime) if `codes` is null. Otherwise takes it, even if it is
/// empty, as a text with a number in `codes`. Sets `error` and returns false when it is no time,
/// when there are too many texts, or when the field is no UTF-8.
bool ParseValue(std::string_view field, TextCodes* codes, double* value, FieldError* error);

/// Does the same for a value of the column that is not kept. Texts need not be few.
bool CheckValue(std::string_view field, ValueKind kind, FieldError* error);

/// What the values of a column look like in some rows.
struct SeenValues {
  ValueKind kind = ValueKind::kNumber;
  /// If they are texts, and some before are not: the first row with another value, and what the
  /// values before it are.
  std::optional<size_t> odd_row;
  std::string_view others;
};
/// What the values of a column look like, without missing ones. With `only_first`, the first value
/// decides.
SeenValues SeenInColumn(const std::vector<LineFields>& rows, size_t column, bool decimal_comma,
                        bool only_first);

}  // namespace edgemill
