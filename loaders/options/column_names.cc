#include "loaders/options/column_names.h"

#include <algorithm>
#include <cctype>

#include "common/strings.h"

namespace edgemill {
namespace {

std::string Lower(std::string_view text) {
  std::string lower(text);
  std::transform(lower.begin(), lower.end(), lower.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return lower;
}

}  // namespace

std::string ListedColumns(std::span<const std::string> names) {
  constexpr size_t kMaxListed = 12;
  std::string list;
  for (size_t i = 0; i < std::min(names.size(), kMaxListed); ++i) {
    list += StrCat(i == 0 ? "" : ", ", ShownText(names[i]));
  }
  return names.size() > kMaxListed ? list + ", ..." : list;
}

bool CallsColumn(std::string_view wanted, std::string_view name) {
  return Lower(wanted) == Lower(name);
}

StatusOr<size_t> ColumnCalled(const std::string& input, std::span<const std::string> names,
                              const std::string& wanted, std::string_view option) {
  for (const bool any_case : {false, true}) {
    const auto found = std::find_if(names.begin(), names.end(), [&](const std::string& name) {
      return any_case ? CallsColumn(wanted, name) : name == wanted;
    });
    if (found != names.end()) return static_cast<size_t>(found - names.begin());
  }
  uint64_t number = 0;
  if (ParseNumber(wanted, &number) && number >= 1 && number <= names.size()) {
    return static_cast<size_t>(number - 1);
  }
  return UsageError(StrCat(input, ": there is no column '", wanted, "' among ", names.size(), " (",
                           ListedColumns(names), "): correct ", option));
}

}  // namespace edgemill
