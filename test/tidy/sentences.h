// Sentences of prose, in Markdown and in comments.
#pragma once

#include <algorithm>
#include <cctype>
#include <string_view>

namespace edgemill::tidy {

/// Sentences with more words are refused.
inline constexpr size_t kMaxSentenceWords = 30;

/// Whether a token counts as a word, because it has a letter or a digit.
inline bool IsWord(std::string_view token) {
  return std::any_of(token.begin(), token.end(), [](char c) {
    return std::isalnum(static_cast<unsigned char>(c)) || static_cast<unsigned char>(c) >= 0x80;
  });
}

/// Whether a sentence, or a part of one before a colon or semicolon, ends with this word.
inline bool EndsSentence(std::string_view word) {
  const size_t last = word.find_last_not_of("*_)\"'`");
  return last != std::string_view::npos && std::string_view(".!?:;").find(word[last]) < 5;
}

}  // namespace edgemill::tidy
