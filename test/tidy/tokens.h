// C++ source as tokens: words, literals and signs, without comments and preprocessor lines.
#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

namespace edgemill::tidy {

struct Token {
  enum class Kind { kWord, kText, kSign };
  Kind kind = Kind::kSign;
  std::string_view text;  // without quotes for kText
  size_t line = 0;        // from 1

  bool Is(std::string_view expected) const { return kind != Kind::kText && text == expected; }
};

/// The tokens from `begin` to `end` (exclusive).
struct TokenRange {
  size_t begin = 0;
  size_t end = 0;
};

/// Words are names and numbers. "::" and "->" are one sign, all others have one character.
std::vector<Token> Tokenize(std::string_view text);

/// The bracket that closes the one at `open`, or the number of tokens if none does.
size_t CloseOf(const std::vector<Token>& tokens, size_t open);

/// The parts between the brackets at `open` and `close`, which commas separate.
std::vector<TokenRange> PartsOf(const std::vector<Token>& tokens, size_t open, size_t close);

}  // namespace edgemill::tidy
