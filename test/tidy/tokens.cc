#include "test/tidy/tokens.h"

#include <algorithm>
#include <cctype>

#include "test/tidy/source_text.h"

namespace edgemill::tidy {
namespace {

bool Opens(const Token& token) { return token.Is("(") || token.Is("[") || token.Is("{"); }
bool Closes(const Token& token) { return token.Is(")") || token.Is("]") || token.Is("}"); }

/// A literal without its quotes. A raw literal also loses its brackets.
std::string_view ContentsOf(std::string_view literal, bool is_raw) {
  if (literal.size() < 2) return {};
  literal = literal.substr(1, literal.size() - 2);
  if (!is_raw) return literal;
  const size_t open = literal.find('(');
  return literal.substr(open + 1, literal.rfind(')') - open - 1);
}

}  // namespace

std::vector<Token> Tokenize(std::string_view text) {
  std::vector<Token> tokens;
  size_t line = 1;
  for (size_t at = 0; at < text.size();) {
    const char c = text[at];
    const size_t blank_end = BlankEnd(text, at);
    size_t end = std::max(blank_end, at + 1);
    if (blank_end > at && c == '"') {
      const bool is_raw = !tokens.empty() && at > 0 && text[at - 1] == 'R' && tokens.back().Is("R");
      if (is_raw) tokens.pop_back();
      tokens.push_back({Token::Kind::kText, ContentsOf(text.substr(at, end - at), is_raw), line});
    } else if (blank_end > at && c == '\'') {
      tokens.push_back({Token::Kind::kText, text.substr(at + 1, end - at - 2), line});
    } else if (blank_end == at && IsWordCharacter(c)) {
      while (end < text.size() && IsWordCharacter(text[end])) ++end;
      tokens.push_back({Token::Kind::kWord, text.substr(at, end - at), line});
    } else if (blank_end == at && !std::isspace(static_cast<unsigned char>(c))) {
      const std::string_view two = text.substr(at, 2);
      if (two == "::" || two == "->") ++end;
      tokens.push_back({Token::Kind::kSign, text.substr(at, end - at), line});
    }
    line += static_cast<size_t>(std::count(text.begin() + static_cast<ptrdiff_t>(at),
                                           text.begin() + static_cast<ptrdiff_t>(end), '\n'));
    at = end;
  }
  return tokens;
}

size_t CloseOf(const std::vector<Token>& tokens, size_t open) {
  size_t depth = 0;
  for (size_t at = open; at < tokens.size(); ++at) {
    if (Opens(tokens[at])) ++depth;
    if (Closes(tokens[at]) && --depth == 0) return at;
  }
  return tokens.size();
}

std::vector<TokenRange> PartsOf(const std::vector<Token>& tokens, size_t open, size_t close) {
  std::vector<TokenRange> parts;
  size_t begin = open + 1;
  for (size_t at = begin; at < close; ++at) {
    if (Opens(tokens[at])) at = std::min(CloseOf(tokens, at), close);
    if (at >= close || !tokens[at].Is(",")) continue;
    parts.push_back({begin, at});
    begin = at + 1;
  }
  if (begin < close) parts.push_back({begin, close});
  return parts;
}

}  // namespace edgemill::tidy
