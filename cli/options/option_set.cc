#include "cli/options/option_set.h"

#include <algorithm>
#include <limits>
#include <utility>

#include "cli/options/name_list.h"
#include "cli/options/nearest_word.h"
#include "cli/options/option_help.h"
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

Status AssignText(const std::string& text, std::string* value) {
  if (text.empty()) {
    return UsageError("an empty text is not valid: give one, or leave the option out");
  }
  *value = text;
  return OkStatus();
}

Status AddText(const std::string& text, std::vector<std::string>* values) {
  return AssignText(text, &values->emplace_back());
}

template <typename Value>
Status ParseInRange(const std::string& text, const NumberRange<Value>& range, std::string_view kind,
                    Value* value) {
  Value number = 0;
  if (ParseNumber(text, &number) && number >= range.least && number <= range.most) {
    *value = number;
    return OkStatus();
  }
  const std::string bounds = range.most == std::numeric_limits<Value>::max()
                                 ? StrCat("of at least ", range.least)
                                 : StrCat("from ", range.least, " to ", range.most);
  return UsageError(StrCat("\"", text, "\" is not valid: give a ", kind, " ", bounds));
}

Status ParseChoice(const std::string& text, const std::vector<std::string>& choices,
                   std::string* value) {
  if (std::find(choices.begin(), choices.end(), text) == choices.end()) {
    return UsageError(StrCat("\"", text, "\" is none of ", Join(choices, ", "), ": ",
                             DidYouMean(text, choices, "give one of them")));
  }
  *value = text;
  return OkStatus();
}

}  // namespace

void OptionSet::Add(OptionSpec spec) {
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
       .assign = [value](const std::string& text) { return AssignText(text, value); },
       .text = value});
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
                       std::string_view help, const NumberRange<uint64_t>& range) {
  Add({.names = std::string(names),
       .placeholder = std::string(placeholder),
       .help = std::string(help),
       .assign = [value, range](const std::string& text) {
         return ParseInRange(text, range, "whole number", value);
       }});
}

void OptionSet::Real(std::string_view names, double* value, std::string_view placeholder,
                     std::string_view help, const NumberRange<double>& range) {
  Add({.names = std::string(names),
       .placeholder = std::string(placeholder),
       .help = std::string(help),
       .assign = [value, range](const std::string& text) {
         return ParseInRange(text, range, "number", value);
       }});
}

void OptionSet::Bytes(std::string_view names, uint64_t* value, std::string_view help) {
  Add({.names = std::string(names),
       .placeholder = "SIZE",
       .help = std::string(help),
       .assign = [value](const std::string& text) -> Status {
         ASSIGN_OR_RETURN(*value, ParseBytes(text));
         return *value > 0 ? OkStatus()
                           : UsageError(StrCat("\"", text, "\" is not valid: give a size above 0"));
       }});
}

void OptionSet::Choice(std::string_view names, std::string* value, std::vector<std::string> choices,
                       std::string_view help) {
  const std::string placeholder = Join(choices, "|");
  const auto assign = [value, choices = std::move(choices)](const std::string& text) {
    return ParseChoice(text, choices, value);
  };
  Add({.names = std::string(names),
       .placeholder = placeholder,
       .help = std::string(help),
       .assign = assign,
       .text = value});
}

void OptionSet::Positional(std::string_view name, std::string* value, bool required,
                           std::string_view help, std::vector<std::string> choices) {
  const std::string placeholder = Join(choices, "|");
  const auto assign = [value, choices = std::move(choices)](const std::string& text) {
    return choices.empty() ? AssignText(text, value) : ParseChoice(text, choices, value);
  };
  Add({.names = std::string(name),
       .placeholder = placeholder,
       .help = std::string(help),
       .assign = assign,
       .positional = true,
       .least = required ? size_t{1} : size_t{0},
       .text = value});
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

const OptionSpec& OptionSet::Declared(std::string_view name) const {
  const auto named = std::find_if(specs_.begin(), specs_.end(),
                                  [&](const OptionSpec& spec) { return spec.LongName() == name; });
  CHECK(named != specs_.end());
  return *named;
}

OptionSpec& OptionSet::Declared(std::string_view name) {
  return const_cast<OptionSpec&>(std::as_const(*this).Declared(name));
}

void OptionSet::ActsWith(std::string_view name, std::string_view other,
                         std::vector<std::string> values, std::string_view except) {
  CHECK(!Declared(name).positional);
  CHECK(values.empty() || Declared(other).text != nullptr);
  CHECK(except.empty() || Declared(name).text != nullptr);
  rules_.push_back({std::string(name), std::string(other), std::move(values), std::string(except)});
}

void OptionSet::Exclude(std::vector<std::string_view> names) {
  for (size_t i = 0; i < names.size(); ++i) {
    for (size_t j = i + 1; j < names.size(); ++j) {
      CHECK(!Declared(names[i]).positional && !Declared(names[j]).positional);
      rules_.push_back({std::string(names[i]), std::string(names[j]), {}, {}, /*excludes=*/true});
    }
  }
}

Status OptionSet::CheckRule(const Rule& rule) const {
  const OptionSpec& other = Declared(rule.other);
  if (!rule.except.empty() && *Declared(rule.option).text == rule.except) return OkStatus();
  if (rule.excludes) {
    if (other.count == 0) return OkStatus();
    return UsageError(
        StrCat(command_, ": ", rule.option, " and ", rule.other, " exclude each other: give one"));
  }
  if (rule.values.empty()) {
    if (other.count > 0) return OkStatus();
    return UsageError(StrCat(command_, ": ", rule.option, " is for ", rule.other,
                             ": give that too, or leave ", rule.option, " out"));
  }
  const std::vector<std::string> values = SplitNames(*other.text);
  const bool acts = std::any_of(values.begin(), values.end(), [&](const std::string& value) {
    return std::find(rule.values.begin(), rule.values.end(), value) != rule.values.end();
  });
  if (acts) return OkStatus();
  return UsageError(StrCat(command_, ": ", rule.option, " cannot act with ", rule.other, " ",
                           *other.text, ": leave it out, or give ", rule.other, " ",
                           Join(rule.values, " or ")));
}

void OptionSet::WritesTo(std::string_view name, FilesBeside beside) {
  OptionSpec& spec = Declared(name);
  spec.use = FileUse::kWritten;
  spec.beside = std::move(beside);
}

void OptionSet::Reads(std::string_view name) { Declared(name).use = FileUse::kRead; }

void OptionSet::Makes(std::string_view name) { Declared(name).use = FileUse::kMade; }

void OptionSet::NeverSuggest(std::string_view name) { Declared(name).suggested = false; }

Status OptionSet::Unknown(const std::string& argument) const {
  const std::string hint = StrCat("edgemill help ", command_, " lists what there is");
  if (argument.size() < 2 || argument[0] != '-') {
    return UsageError(StrCat(command_, ": \"", argument, "\" is one argument too many: ", hint));
  }
  std::vector<std::string> known;
  for (const OptionSpec& spec : specs_) {
    if (!spec.positional && spec.suggested) known.push_back(spec.LongName());
  }
  const std::string name = argument.substr(0, argument.find('='));
  return UsageError(
      StrCat(command_, ": there is no option ", name, ": ", DidYouMean(name, known, hint)));
}

Status OptionSet::Assign(OptionSpec& spec) {
  if (spec.flag != nullptr) {
    if (spec.count > 0) *spec.flag = true;
    return OkStatus();
  }
  if (!spec.repeatable && spec.given.size() > 1) {
    return UsageError(
        StrCat(command_, ": ", spec.LongName(), " is given more than once: give it once"));
  }
  if (spec.positional && spec.given.size() < spec.least) {
    return UsageError(StrCat(command_, ": ", spec.names, " is missing: usage is edgemill ",
                             command_, " ", PositionalUsage(specs_)));
  }
  for (const std::string& text : spec.given) {
    const Status status = spec.assign(text);
    if (!status.ok()) return Annotate(status, StrCat(command_, ": ", spec.LongName()));
  }
  return OkStatus();
}

Status OptionSet::CheckFiles() const {
  std::vector<NamedFile> files;
  for (const OptionSpec& spec : specs_) {
    if (spec.use == FileUse::kNone) continue;
    for (const std::string& path : spec.given) {
      files.push_back({spec.LongName(), path, spec.use});
      if (!spec.beside) continue;
      for (const std::string& other : spec.beside(path)) {
        files.push_back({spec.LongName(), other, spec.use});
      }
    }
  }
  const Status status = CheckNamedFiles(files);
  return status.code() == Code::kUsage ? Annotate(status, command_) : status;
}

Status OptionSet::Distribute(const std::vector<std::string>& arguments) {
  size_t next = 0;
  for (OptionSpec& spec : specs_) {
    if (!spec.positional) continue;
    const size_t end = spec.repeatable ? arguments.size() : std::min(next + 1, arguments.size());
    spec.given.assign(arguments.begin() + static_cast<ptrdiff_t>(next),
                      arguments.begin() + static_cast<ptrdiff_t>(end));
    spec.count = spec.given.size();
    next = end;
  }
  return next < arguments.size() ? Unknown(arguments[next]) : OkStatus();
}

OptionSpec* OptionSet::Find(std::string_view name) {
  for (OptionSpec& spec : specs_) {
    if (spec.positional) continue;
    const size_t comma = spec.names.find(',');
    const bool is_short = comma != std::string::npos && name == spec.names.substr(0, comma);
    if (is_short || name == spec.LongName()) return &spec;
  }
  return nullptr;
}

StatusOr<bool> OptionSet::ParseOption(const std::string& word, const std::string* next) {
  const bool is_long = word[1] == '-';
  const size_t name_size = is_long ? std::min(word.find('='), word.size()) : 2;
  OptionSpec* const spec = Find(word.substr(0, name_size));
  if (spec == nullptr) return Unknown(word);
  ++spec->count;
  const std::string rest = word.substr(name_size);  // "=value", or the end of "-r5" or "-vs"
  if (spec->flag != nullptr) {
    if (rest.empty()) return false;
    if (!is_long) return ParseOption(StrCat("-", rest), next);
    return UsageError(
        StrCat(command_, ": ", spec->LongName(), " takes no value: leave out \"", rest, "\""));
  }
  if (!rest.empty()) {
    spec->given.push_back(rest.substr(is_long ? 1 : 0));
    return false;
  }
  if (next == nullptr) {
    return UsageError(
        StrCat(command_, ": ", spec->LongName(), " needs a value: see edgemill help ", command_));
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
      ASSIGN_OR_RETURN(const bool took_next, ParseOption(argument, next));
      at += took_next ? 1 : 0;
    }
  }
  RETURN_IF_ERROR(Distribute(positional));
  for (OptionSpec& spec : specs_) RETURN_IF_ERROR(Assign(spec));
  for (const Rule& rule : rules_) {
    if (Declared(rule.option).count > 0) RETURN_IF_ERROR(CheckRule(rule));
  }
  return CheckFiles();
}

std::vector<std::string> OptionSet::Names() const {
  std::vector<std::string> names;
  for (const OptionSpec& spec : specs_) {
    if (!spec.positional) names.push_back(spec.LongName());
  }
  return names;
}

bool OptionSet::Given(std::string_view name) const {
  return std::any_of(specs_.begin(), specs_.end(), [&](const OptionSpec& spec) {
    return spec.count > 0 && (spec.LongName() == name || spec.names == name);
  });
}

}  // namespace edgemill::cli
