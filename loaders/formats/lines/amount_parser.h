// Weights as people write amounts: "1,091.60", "$ 3.50", "1.091,60 EUR", "(12.00)". And none at
// all.
#pragma once

#include <string_view>

#include "loaders/formats/lines/number_parser.h"
#include "loaders/options/read_options.h"
#include "loaders/source/raw_chunk.h"

namespace edgemill {

/// The rules for numbers of which `mode` says the type.
WeightRule RuleOfMode(WeightMode mode, bool decimal_comma);
/// The rules for weights that the options give.
WeightRule WeightRuleOf(const ReadOptions& options);

/// Reads a whole field as ParseWeight does, or else as an amount: with separators of thousands, a
/// sign or code of a currency before or behind it, or in parentheses, which make it negative. Sets
/// `*cleaned` if such marks were left out. On errors, sets `error` and returns false.
bool ParseAmount(std::string_view field, WeightRule rule, double* weight, bool* cleaned,
                 FieldError* error);

/// Whether all of `field` is a number or an amount.
bool IsAmount(std::string_view field, bool decimal_comma);

/// What happens to an edge without a weight: sets `*weight` and counts the edge in `totals`, or
/// sets `error` and returns false for EmptyWeight::kError.
bool TakeEmptyWeight(EmptyWeight rule, double* weight, InputTotals* totals, FieldError* error);

}  // namespace edgemill
