#include "cli/options/option_help.h"

#include <algorithm>

#include "common/strings.h"

namespace edgemill::cli {

std::string OptionUsage(const OptionSpec& spec) {
  std::string names = spec.names;
  if (const size_t comma = names.find(','); comma != std::string::npos) {
    names.insert(comma + 1, " ");
  }
  return spec.placeholder.empty() ? names : StrCat(names, " ", spec.placeholder);
}

void AppendEntry(std::string* out, const std::string& left, std::string_view text, size_t indent) {
  constexpr size_t kWidth = 100;
  std::string line = StrCat("  ", left);
  if (line.size() + 2 > indent) {
    *out += line + "\n";
    line.clear();
  }
  line.resize(indent, ' ');
  size_t at = 0;
  while (at < text.size()) {
    const size_t end = std::min(text.find(' ', at), text.size());
    const std::string_view word = text.substr(at, end - at);
    if (line.size() > indent && line.size() + 1 + word.size() > kWidth) {
      *out += line + "\n";
      line.assign(indent, ' ');
    }
    if (line.size() > indent) line += ' ';
    line += word;
    at = end + 1;
  }
  *out += line + "\n";
}

std::string PositionalUsage(const std::vector<OptionSpec>& specs) {
  std::string usage;
  for (const OptionSpec& spec : specs) {
    if (!spec.positional) continue;
    if (!usage.empty()) usage += ' ';
    usage += spec.least == 0 ? StrCat("[", spec.names, "]") : spec.names;
  }
  return usage;
}

std::string OptionHelp(const std::vector<OptionSpec>& specs) {
  std::string text;
  for (const OptionSpec& spec : specs) {
    if (spec.positional) AppendEntry(&text, spec.names, spec.help);
  }
  std::string section = "-";
  for (const OptionSpec& spec : specs) {
    if (spec.positional) continue;
    if (spec.section != section) {
      section = spec.section;
      text += StrCat("\n", section.empty() ? "Options" : section, ":\n");
    }
    AppendEntry(&text, OptionUsage(spec), spec.help);
  }
  return text;
}

std::string OptionHelpOn(const std::vector<OptionSpec>& specs,
                         const std::vector<std::string_view>& names) {
  std::string text;
  for (const OptionSpec& spec : specs) {
    const bool wanted = std::any_of(names.begin(), names.end(), [&](std::string_view name) {
      return name == spec.LongName() || name == spec.names.substr(0, spec.names.find(','));
    });
    if (wanted && !spec.positional) AppendEntry(&text, OptionUsage(spec), spec.help);
  }
  return text;
}

}  // namespace edgemill::cli
