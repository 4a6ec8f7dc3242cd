#include "engine/api/options.h"

#include <algorithm>
#include <cmath>

#include "common/strings.h"

namespace edgemill {

std::string OptionRange::Text() const {
  if (std::isfinite(least) && std::isfinite(most)) return StrCat("from ", least, " to ", most);
  std::string text;
  const auto add = [&](std::string_view word, double bound) {
    if (std::isfinite(bound)) text += StrCat(text.empty() ? "" : " and ", word, " ", bound);
  };
  add("of at least", least);
  add("above", above);
  add("of at most", most);
  add("below", below);
  return text;
}

std::string OptionDeclaration::HelpText() const {
  std::string text(help);
  if (!method.empty()) text += StrCat(", with --method ", method);
  if (!default_text.empty()) text += StrCat(" (", default_text, ")");
  return text;
}

std::vector<std::string> OptionDeclaration::Choices() const {
  std::vector<std::string> words;
  for (size_t begin = 0; begin <= choices.size() && !choices.empty();) {
    const size_t end = std::min(choices.find('|', begin), choices.size());
    words.emplace_back(choices.substr(begin, end - begin));
    begin = end + 1;
  }
  return words;
}

bool OptionValue::Is(OptionKind kind) const {
  switch (kind) {
    case OptionKind::kFlag:
      return std::holds_alternative<bool>(value_);
    case OptionKind::kNumber:
    case OptionKind::kVertex:
      return std::holds_alternative<uint64_t>(value_);
    case OptionKind::kVertices:
      return std::holds_alternative<uint64_t>(value_) ||
             std::holds_alternative<std::vector<ExternalId>>(value_);
    case OptionKind::kReal:
      return std::holds_alternative<double>(value_) || std::holds_alternative<uint64_t>(value_);
    case OptionKind::kValues:
      return std::holds_alternative<InputValues>(value_);
    case OptionKind::kChoice:
      break;
  }
  return std::holds_alternative<std::string>(value_);
}

std::string OptionValue::Text() const {
  return std::visit(
      []<typename T>(const T& value) {
        if constexpr (std::is_same_v<T, std::vector<ExternalId>>) {
          std::string text;
          for (const ExternalId id : value) text += StrCat(text.empty() ? "" : ", ", id);
          return text;
        } else if constexpr (std::is_same_v<T, InputValues>) {
          return value.file;
        } else {
          return StrCat(value);
        }
      },
      value_);
}

OptionValues::OptionValues(std::initializer_list<std::pair<std::string_view, OptionValue>> values) {
  for (const auto& [name, value] : values) Set(name, value);
}

void OptionValues::Set(std::string_view name, OptionValue value) {
  Remove(name);
  entries_.emplace_back(name, std::move(value));
}

void OptionValues::Remove(std::string_view name) {
  std::erase_if(entries_, [&](const Entry& entry) { return entry.first == name; });
}

const OptionValue* OptionValues::Find(std::string_view name) const {
  const auto found = std::find_if(entries_.begin(), entries_.end(),
                                  [&](const Entry& entry) { return entry.first == name; });
  return found == entries_.end() ? nullptr : &found->second;
}

std::optional<ExternalId> OptionValues::source() const {
  const std::vector<ExternalId> all = sources();
  return all.empty() ? std::nullopt : std::optional(all[0]);
}

std::vector<ExternalId> OptionValues::sources() const {
  const OptionValue* const value = Find(LongName(kSource));
  if (value == nullptr) return {};
  const auto* const several = std::get_if<std::vector<ExternalId>>(&value->variant());
  return several == nullptr ? std::vector{value->As<uint64_t>()} : *several;
}

Status CheckValue(const OptionDeclaration& option, const OptionValue& value) {
  const auto refused = [&](std::string_view what) {
    return UsageError(StrCat(option.long_name(), " ", value.Text(), ": ", what));
  };
  const bool is_number = option.kind == OptionKind::kNumber;
  if (is_number || option.kind == OptionKind::kReal) {
    if (value.Is(option.kind) && option.range.Has(value.As<double>())) return OkStatus();
    const std::string range = option.range.Text();
    return refused(
        StrCat("give a ", is_number ? "whole " : "", "number", range.empty() ? "" : " ", range));
  }
  if (option.kind == OptionKind::kVertex && value.Is(OptionKind::kVertices) &&
      !value.Is(OptionKind::kVertex)) {
    return UsageError(StrCat(option.long_name(), ": give it once, it takes one vertex"));
  }
  if (!value.Is(option.kind)) return refused("is not a value for this option");
  if (option.kind != OptionKind::kChoice) return OkStatus();
  const std::vector<std::string> choices = option.Choices();
  if (std::find(choices.begin(), choices.end(), value.As<std::string_view>()) != choices.end()) {
    return OkStatus();
  }
  std::string known;
  for (const std::string& choice : choices) known += StrCat(known.empty() ? "" : ", ", choice);
  return refused(StrCat("is none of ", known));
}

}  // namespace edgemill
