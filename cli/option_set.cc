#include "cli/option_set.h"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <limits>

#include "cli/nearest_word.h"
#include "common/check.h"
#include "common/strings.h"
#include "common/units.h"

namespace edgemill::cli {
namespace {

std::string Join(const std::vector<std::string>& words, std::string_view separator) {
  std::string text;
  for (const std::string& word : words) {
    if (!text.empty()) text += separator;
    text += word;
  }
  return text;
}

Status TakeText(const std::string& text, std::string* value) {
  if (text.empty()) return UsageError("an empty text does not do: give one, or leave it out");
  *value = text;
  return OkStatus();
}

Status AddText(const std::string& text, std::vector<std::string>* values) {
  return TakeText(text, &values->emplace_back());
}

/// Whether what is written to `a` would be lost when `b` is written. Devices take both.
bool SameFile(const std::string& a, const std::string& b) {
  if (a == "-" || b == "-") return a == b;
  std::error_code error;
  const std::filesystem::file_status status = std::filesystem::status(a, error);
  if (std::filesystem::exists(status)) {
    return std::filesystem::is_regular_file(status) && std::filesystem::equivalent(a, b, error);
  }
  return std::filesystem::weakly_canonical(a, error) == std::filesystem::weakly_canonical(b, error);
}

}  // namespace

void OptionSet::Add(Spec spec) {
  spec.section = section_;
  specs_.push_back(std::move(spec));
}

void OptionSet::Flag(std::string_view names, bool* value, std::string_view help) {
  Add({.names = std::string(names), .help = std::string(help), .flag = value});
}

void OptionSet::Text(std::string_view names, std::string* value, std::string_view placeholder,
                     std::string_view help) {
  Add({.names = std::string(names),
       .placeholder = std::string(placeholder),
       .help = std::string(help),
       .assign = [value](const std::string& text) { return TakeText(text, value); }});
}

void OptionSet::Texts(std::string_view names, std::vector<std::string>* values,
                      std::string_view placeholder, std::string_view help) {
  Add({.names = std::string(names),
       .placeholder = std::string(placeholder),
       .help = std::string(help),
       .assign = [values](const std::string& text) { return AddText(text, values); },
       .repeatable = true});
}

void OptionSet::Number(std::string_view names, uint64_t* value, std::string_view placeholder,
                       std::string_view help, uint64_t least, uint64_t most) {
  const auto assign = [value, least, most](const std::string& text) {
    uint64_t number = 0;
    if (!ParseNumber(text, &number) || number < least || number > most) {
      const std::string range = most == std::numeric_limits<uint64_t>::max()
                                    ? StrCat("of at least ", least)
                                    : StrCat("from ", least, " to ", most);
      return UsageError(StrCat("\"", text, "\" does not do: give a whole number ", range));
    }
    *value = number;
    return OkStatus();
  };
  Add({.names = std::string(names),
       .placeholder = std::string(placeholder),
       .help = std::string(help),
       .assign = assign});
}

void OptionSet::Real(std::string_view names, double* value, std::string_view placeholder,
                     std::string_view help, double least, double most) {
  const auto assign = [value, least, most](const std::string& text) {
    double number = 0;
    if (!ParseNumber(text, &number) || !std::isfinite(number) || number < least || number > most) {
      const std::string range = most == std::numeric_limits<double>::max()
                                    ? StrCat("of at least ", least)
                                    : StrCat("from ", least, " to ", most);
      return UsageError(StrCat("\"", text, "\" does not do: give a number ", range));
    }
    *value = number;
    return OkStatus();
  };
  Add({.names = std::string(names),
       .placeholder = std::string(placeholder),
       .help = std::string(help),
       .assign = assign});
}

void OptionSet::Bytes(std::string_view names, uint64_t* value, std::string_view help) {
  Add({.names = std::string(names),
       .placeholder = "SIZE",
       .help = std::string(help),
       .assign = [value](const std::string& text) -> Status {
         ASSIGN_OR_RETURN(*value, ParseBytes(text));
         return *value > 0 ? OkStatus()
                           : UsageError(StrCat("\"", text, "\" is nothing: give more"));
       }});
}

void OptionSet::Choice(std::string_view names, std::string* value, std::vector<std::string> choices,
                       std::string_view help) {
  const std::string placeholder = Join(choices, "|");
  const auto assign = [value, choices = std::move(choices)](const std::string& text) {
    if (std::find(choices.begin(), choices.end(), text) == choices.end()) {
      const std::string nearest = Nearest(text, choices);
      return UsageError(
          StrCat("\"", text, "\" is none of ", Join(choices, ", "), ": ",
                 nearest.empty() ? "give one of them" : StrCat("did you mean ", nearest, "?")));
    }
    *value = text;
    return OkStatus();
  };
  Add({.names = std::string(names),
       .placeholder = placeholder,
       .help = std::string(help),
       .assign = assign});
}

void OptionSet::Positional(std::string_view name, std::string* value, bool required,
                           std::string_view help) {
  Add({.names = std::string(name),
       .help = std::string(help),
       .assign = [value](const std::string& text) { return TakeText(text, value); },
       .positional = true,
       .least = required ? size_t{1} : size_t{0}});
}

void OptionSet::Positionals(std::string_view name, std::vector<std::string>* values, size_t least,
                            std::string_view help) {
  Add({.names = std::string(name),
       .help = std::string(help),
       .assign = [values](const std::string& text) { return AddText(text, values); },
       .positional = true,
       .repeatable = true,
       .least = least});
}

OptionSet::Spec& OptionSet::Declared(std::string_view name) {
  const auto named = std::find_if(specs_.begin(), specs_.end(),
                                  [&](const Spec& spec) { return LongName(spec) == name; });
  CHECK(named != specs_.end());
  return *named;
}

void OptionSet::WritesTo(std::string_view name) { Declared(name).written = true; }

void OptionSet::NeverSuggest(std::string_view name) { Declared(name).suggested = false; }

std::string OptionSet::LongName(const Spec& spec) const {
  const size_t dashes = spec.names.find("--");
  return spec.names.substr(dashes == std::string::npos ? 0 : dashes);
}

Status OptionSet::Unknown(const std::string& argument) const {
  const std::string hint = StrCat("edgemill help ", command_, " lists what there is");
  if (argument.size() < 2 || argument[0] != '-') {
    return UsageError(StrCat(command_, ": \"", argument, "\" is one argument too many: ", hint));
  }
  std::vector<std::string> known;
  for (const Spec& spec : specs_) {
    if (!spec.positional && spec.suggested) known.push_back(LongName(spec));
  }
  const std::string name = argument.substr(0, argument.find('='));
  const std::string nearest = Nearest(name, known);
  return UsageError(StrCat(command_, ": there is no option ", name, ": ",
                           nearest.empty() ? hint : StrCat("did you mean ", nearest, "?")));
}

Status OptionSet::Assign(Spec& spec) {
  if (spec.flag != nullptr) {
    if (spec.count > 0) *spec.flag = true;
    return OkStatus();
  }
  if (!spec.repeatable && spec.given.size() > 1) {
    return UsageError(
        StrCat(command_, ": ", LongName(spec), " is given more than once: give it once"));
  }
  if (spec.positional && spec.given.size() < spec.least) {
    return UsageError(StrCat(command_, ": ", spec.names, " is missing: usage is edgemill ",
                             command_, " ", PositionalUsage()));
  }
  for (const std::string& text : spec.given) {
    const Status status = spec.assign(text);
    if (!status.ok()) return Annotate(status, StrCat(command_, ": ", LongName(spec)));
  }
  return OkStatus();
}

Status OptionSet::CheckWrittenFiles() const {
  for (auto one = specs_.begin(); one != specs_.end(); ++one) {
    if (!one->written || one->given.empty()) continue;
    for (auto other = std::next(one); other != specs_.end(); ++other) {
      if (!other->written || other->given.empty()) continue;
      if (!SameFile(one->given[0], other->given[0])) continue;
      const std::string place =
          one->given[0] == "-" ? "standard output" : StrCat("the file ", one->given[0]);
      return UsageError(StrCat(command_, ": ", LongName(*one), " and ", LongName(*other),
                               " both want ", place, ": give each its own"));
    }
  }
  return OkStatus();
}

Status OptionSet::Distribute(const std::vector<std::string>& arguments) {
  size_t next = 0;
  for (Spec& spec : specs_) {
    if (!spec.positional) continue;
    const size_t end = spec.repeatable ? arguments.size() : std::min(next + 1, arguments.size());
    spec.given.assign(arguments.begin() + static_cast<ptrdiff_t>(next),
                      arguments.begin() + static_cast<ptrdiff_t>(end));
    spec.count = spec.given.size();
    next = end;
  }
  return next < arguments.size() ? Unknown(arguments[next]) : OkStatus();
}

OptionSet::Spec* OptionSet::Find(std::string_view name) {
  for (Spec& spec : specs_) {
    if (spec.positional) continue;
    const size_t comma = spec.names.find(',');
    const bool is_short = comma != std::string::npos && name == spec.names.substr(0, comma);
    if (is_short || name == LongName(spec)) return &spec;
  }
  return nullptr;
}

StatusOr<bool> OptionSet::TakeOption(const std::string& word, const std::string* next) {
  const bool is_long = word[1] == '-';
  const size_t name_size = is_long ? std::min(word.find('='), word.size()) : 2;
  Spec* const spec = Find(word.substr(0, name_size));
  if (spec == nullptr) return Unknown(word);
  ++spec->count;
  const std::string rest = word.substr(name_size);  // "=value", or of "-r5" and "-vs" the end
  if (spec->flag != nullptr) {
    if (rest.empty()) return false;
    if (!is_long) return TakeOption(StrCat("-", rest), next);
    return UsageError(
        StrCat(command_, ": ", LongName(*spec), " takes no value: leave out \"", rest, "\""));
  }
  if (!rest.empty()) {
    spec->given.push_back(rest.substr(is_long ? 1 : 0));
    return false;
  }
  if (next == nullptr) {
    return UsageError(
        StrCat(command_, ": ", LongName(*spec), " needs a value: see edgemill help ", command_));
  }
  spec->given.push_back(*next);
  return true;
}

Status OptionSet::Parse(const std::vector<std::string>& arguments) {
  std::vector<std::string> positional;
  bool dashes_ended = false;
  for (size_t at = 0; at < arguments.size(); ++at) {
    const std::string& argument = arguments[at];
    if (dashes_ended || argument.size() < 2 || argument[0] != '-') {
      positional.push_back(argument);
    } else if (argument == "--") {
      dashes_ended = true;
    } else {
      const std::string* const next = at + 1 < arguments.size() ? &arguments[at + 1] : nullptr;
      ASSIGN_OR_RETURN(const bool took_next, TakeOption(argument, next));
      at += took_next ? 1 : 0;
    }
  }
  RETURN_IF_ERROR(Distribute(positional));
  for (Spec& spec : specs_) RETURN_IF_ERROR(Assign(spec));
  return CheckWrittenFiles();
}

bool OptionSet::Given(std::string_view name) const {
  return std::any_of(specs_.begin(), specs_.end(), [&](const Spec& spec) {
    return spec.count > 0 && (LongName(spec) == name || spec.names == name);
  });
}

std::string OptionSet::PositionalUsage() const {
  std::string usage;
  for (const Spec& spec : specs_) {
    if (!spec.positional) continue;
    if (!usage.empty()) usage += ' ';
    usage += spec.least == 0 ? StrCat("[", spec.names, "]") : spec.names;
  }
  return usage;
}

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

}  // namespace

std::string OptionSet::Help() const {
  std::string text;
  for (const Spec& spec : specs_) {
    if (spec.positional) AppendEntry(&text, spec.names, spec.help);
  }
  std::string section = "-";
  for (const Spec& spec : specs_) {
    if (spec.positional) continue;
    if (spec.section != section) {
      section = spec.section;
      text += StrCat("\n", section.empty() ? "Options" : section, ":\n");
    }
    AppendHelp(spec, &text);
  }
  return text;
}

std::string OptionSet::HelpOn(const std::vector<std::string_view>& names) const {
  std::string text;
  for (const Spec& spec : specs_) {
    const bool wanted = std::any_of(names.begin(), names.end(), [&](std::string_view name) {
      return name == LongName(spec) || name == spec.names.substr(0, spec.names.find(','));
    });
    if (wanted && !spec.positional) AppendHelp(spec, &text);
  }
  return text;
}

void OptionSet::AppendHelp(const Spec& spec, std::string* text) {
  std::string names = spec.names;
  if (const size_t comma = names.find(','); comma != std::string::npos) {
    names.insert(comma + 1, " ");
  }
  AppendEntry(text, spec.placeholder.empty() ? names : StrCat(names, " ", spec.placeholder),
              spec.help);
}

}  // namespace edgemill::cli
