// C++ source as tokens: words, literals and signs, without comments and preprocessor lines.
#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

namespace edgemill::tidy {

struct Token {
  enum class Kind { kWord, kText, kSign };
  Kind kind = Kind::kSign;
  std::string_view text;  // of a kText without its quotes
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

/// The bracket that closes the one at `open`; the number of tokens where none does.
size_t CloseOf(const std::vector<Token>& tokens, size_t open);

/// What commas part between the brackets at `open` and `close`.
std::vector<TokenRange> PartsOf(const std::vector<Token>& tokens, size_t open, size_t close);

}  // namespace edgemill::tidy
