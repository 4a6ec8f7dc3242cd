#include "cli/options/option_help.h"

#include <algorithm>

#include "common/strings.h"

namespace edgemill::cli {

namespace {

/// Appends `left`, then `text` wrapped to 100 columns in a column of its own.
void AppendEntry(std::string* out, const std::string& left, std::string_view text) {
  constexpr size_t kIndent = 30;
  constexpr size_t kWidth = 100;
  std::string line = StrCat("  ", left);
  if (line.size() + 2 > kIndent) {
    *out += line + "\n";
    line.clear();
  }
  line.resize(kIndent, ' ');
  size_t at = 0;
  while (at < text.size()) {
    const size_t end = std::min(text.find(' ', at), text.size());
    const std::string_view word = text.substr(at, end - at);
    if (line.size() > kIndent && line.size() + 1 + word.size() > kWidth) {
      *out += line + "\n";
      line.assign(kIndent, ' ');
    }
    if (line.size() > kIndent) line += ' ';
    line += word;
    at = end + 1;
  }
  *out += line + "\n";
}

void AppendOption(const OptionSpec& spec, std::string* text) {
  std::string names = spec.names;
  if (const size_t comma = names.find(','); comma != std::string::npos) {
    names.insert(comma + 1, " ");
  }
  AppendEntry(text, spec.placeholder.empty() ? names : StrCat(names, " ", spec.placeholder),
              spec.help);
}

}  // namespace

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
    AppendOption(spec, &text);
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
    if (wanted && !spec.positional) AppendOption(spec, &text);
  }
  return text;
}

}  // namespace edgemill::cli
