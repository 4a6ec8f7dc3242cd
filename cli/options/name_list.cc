#include "cli/options/name_list.h"

#include <algorithm>

#include "common/strings.h"

namespace edgemill::cli {

std::vector<std::string> SplitNames(std::string_view text) {
  std::vector<std::string> names;
  for (size_t begin = 0; begin <= text.size();) {
    const size_t end = std::min(text.find(',', begin), text.size());
    names.emplace_back(text.substr(begin, end - begin));
    begin = end + 1;
  }
  return names;
}

std::string JoinNames(const std::vector<std::string>& names, std::string_view separator) {
  std::string text;
  for (const std::string& name : names) text += StrCat(text.empty() ? "" : separator, name);
  return text;
}

StatusOr<std::vector<size_t>> ChosenNames(std::string_view text,
                                          const std::vector<std::string>& known,
                                          std::string_view option) {
  std::vector<size_t> chosen;
  if (text == "none") return chosen;
  for (const std::string& name : SplitNames(text)) {
    const auto found = std::find(known.begin(), known.end(), name);
    if (found == known.end()) {
      return UsageError(StrCat(option, " ", name, ": there are ", JoinNames(known, ", ")));
    }
    const auto place = static_cast<size_t>(found - known.begin());
    if (std::find(chosen.begin(), chosen.end(), place) != chosen.end()) {
      return UsageError(StrCat(option, ": ", name, " is given more than once: give it once"));
    }
    chosen.push_back(place);
  }
  return chosen;
}

}  // namespace edgemill::cli
