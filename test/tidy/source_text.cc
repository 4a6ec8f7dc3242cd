#include "test/tidy/source_text.h"

#include <algorithm>
#include <cctype>

namespace edgemill::tidy {
namespace {

/// The end (exclusive) of the literal that starts with a quote at `at`.
size_t LiteralEnd(std::string_view text, size_t at) {
  const char quote = text[at];
  if (quote == '"' && at > 0 && text[at - 1] == 'R') {
    const size_t open = text.find('(', at);
    if (open == std::string_view::npos) return text.size();
    const std::string close = ")" + std::string(text.substr(at + 1, open - at - 1)) + "\"";
    const size_t end = text.find(close, open);
    return end == std::string_view::npos ? text.size() : end + close.size();
  }
  size_t end = at + 1;
  while (end < text.size() && text[end] != quote && text[end] != '\n') {
    end += text[end] == '\\' ? 2 : 1;
  }
  return std::min(end + 1, text.size());
}

bool StartsWithWord(std::string_view head, std::string_view word) {
  return FindWord(head, word) != std::string_view::npos;
}

}  // namespace

size_t BlankEnd(std::string_view text, size_t at) {
  const auto until = [&](size_t end) { return std::min(end, text.size()); };
  if (text.substr(at, 2) == "//") return until(text.find('\n', at));
  if (text.substr(at, 2) == "/*") {
    const size_t end = text.find("*/", at + 2);
    return end == std::string_view::npos ? text.size() : end + 2;
  }
  const bool after_word = at > 0 && IsWordCharacter(text[at - 1]);
  if (text[at] == '"' || (text[at] == '\'' && !after_word)) return LiteralEnd(text, at);
  if (text[at] == '#') {
    size_t end = until(text.find('\n', at));
    while (end < text.size() && end > 0 && text[end - 1] == '\\') {
      end = until(text.find('\n', end + 1));
    }
    return end;
  }
  return at;
}

Scope ScopeAfter(std::string_view head) {
  const size_t last = head.find_last_not_of(" \n\t");
  if (last == std::string_view::npos) return Scope::kOpen;
  if (StartsWithWord(head, "namespace") || StartsWithWord(head, "extern")) return Scope::kOpen;
  const bool has_parameters = head.find('(') != std::string_view::npos;
  const std::string_view trimmed = head.substr(0, last + 1);
  const auto ends_with = [&](std::string_view end) { return trimmed.ends_with(end); };
  const bool function_end = ends_with(")") || ends_with("const") || ends_with("noexcept") ||
                            ends_with("override") || ends_with("final") || ends_with("}") ||
                            trimmed.find("->") != std::string_view::npos;
  if (has_parameters && function_end && !ends_with("=")) return Scope::kFunction;
  for (const std::string_view type : {"class", "struct", "union", "enum", "concept"}) {
    if (StartsWithWord(head, type)) return Scope::kOpen;
  }
  return Scope::kInitializer;
}

size_t FindWord(std::string_view line, std::string_view word, size_t start) {
  for (size_t at = line.find(word, start); at != std::string_view::npos;
       at = line.find(word, at + 1)) {
    const bool starts = at == 0 || !IsWordCharacter(line[at - 1]);
    const size_t end = at + word.size();
    if (starts && (end == line.size() || !IsWordCharacter(line[end]))) return at;
  }
  return std::string_view::npos;
}

std::vector<std::string_view> SplitLines(std::string_view text) {
  std::vector<std::string_view> lines;
  while (!text.empty()) {
    const size_t end = text.find('\n');
    lines.push_back(text.substr(0, end));
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
  }
  return lines;
}

std::vector<std::string_view> SplitWords(std::string_view line) {
  std::vector<std::string_view> words;
  size_t end = 0;
  for (size_t start = line.find_first_not_of(" \t"); start != std::string_view::npos;
       start = line.find_first_not_of(" \t", end)) {
    end = std::min(line.find_first_of(" \t", start), line.size());
    words.push_back(line.substr(start, end - start));
  }
  return words;
}

size_t CountColumns(std::string_view line) {
  const auto columns = std::count_if(line.begin(), line.end(), [](char c) {
    return (static_cast<unsigned char>(c) & 0xc0) != 0x80;  // the first byte of a UTF-8 character
  });
  return static_cast<size_t>(columns);
}

std::string StripSource(std::string_view text) {
  std::string stripped(text);
  size_t at = 0;
  while (at < text.size()) {
    const size_t end = BlankEnd(text, at);
    for (size_t i = at; i < end; ++i) {
      if (stripped[i] != '\n') stripped[i] = ' ';
    }
    at = std::max(end, at + 1);
  }
  return stripped;
}

std::vector<FunctionExtent> FindFunctions(std::string_view stripped) {
  std::vector<FunctionExtent> functions;
  std::vector<Scope> scopes;
  FunctionExtent current;
  size_t line = 1;
  size_t head_start = 0;
  size_t head_line = 1;
  const auto start_head = [&](size_t at) {
    head_start = at;
    head_line = line;
  };
  for (size_t at = 0; at < stripped.size(); ++at) {
    const char c = stripped[at];
    if (c == '\n') {
      ++line;
      const std::string_view head = stripped.substr(head_start, at - head_start);
      if (head.find_first_not_of(" \n\t") == std::string_view::npos) start_head(at + 1);
    } else if (c == '{') {
      const bool inside = !scopes.empty() && scopes.back() != Scope::kOpen;
      const std::string_view head = stripped.substr(head_start, at - head_start);
      const Scope scope = inside ? Scope::kInner : ScopeAfter(head);
      if (scope == Scope::kFunction) {
        const size_t first = std::min(head.find_first_not_of(" \n\t"), head.size());
        current = {head_line, 0, std::string(head.substr(first, head.find('(') - first))};
      }
      scopes.push_back(scope);
      if (scope == Scope::kOpen) start_head(at + 1);
    } else if (c == '}' && !scopes.empty()) {
      const Scope scope = scopes.back();
      scopes.pop_back();
      if (scope == Scope::kFunction) {
        current.last_line = line;
        functions.push_back(current);
      }
      if (scope == Scope::kFunction || scope == Scope::kOpen) start_head(at + 1);
    } else if (c == ';' && (scopes.empty() || scopes.back() == Scope::kOpen)) {
      start_head(at + 1);
    }
  }
  return functions;
}

}  // namespace edgemill::tidy
