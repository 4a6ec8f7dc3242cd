// Columns of inputs with names, as options call them.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>

#include "common/status.h"

namespace edgemill {

/// The names, with commas between; of many the first ones.
std::string ListedColumns(std::span<const std::string> names);

/// Whether `wanted` is the name, in any case.
bool CallsColumn(std::string_view wanted, std::string_view name);

/// The column (from 0) of `input` that `wanted` means: a name, in any case where none is exactly
/// this, or a number from 1. `option` gave it. UsageError where there is none.
StatusOr<size_t> ColumnCalled(const std::string& input, std::span<const std::string> names,
                              const std::string& wanted, std::string_view option);

}  // namespace edgemill
