// C++ source as the tidy rules look at it: lines, the same without comments and literals,
// functions.
#pragma once

#include <cctype>
#include <string>
#include <string_view>
#include <vector>

namespace edgemill::tidy {

/// A function's place in its file; lines count from 1, both ends included.
struct FunctionExtent {
  size_t first_line = 0;
  size_t last_line = 0;
  std::string head;  // its first words, for messages
};

/// What a brace outside of functions opens: a namespace, a class or an enum; a function's body; an
/// initialiser. kInner: of a function.
enum class Scope { kOpen, kFunction, kInner, kInitializer };
/// By the code between the end of the statement before and the brace.
Scope ScopeAfter(std::string_view head);

/// `text` with comments, the contents of literals and preprocessor lines blanked; line ends stay.
std::string StripSource(std::string_view text);

/// The end (exclusive) of the comment, literal or preprocessor line that starts at `at`; `at` where
/// none does.
size_t BlankEnd(std::string_view text, size_t at);

/// The functions that `stripped` (from StripSource) defines. By braces and their heads, not by
/// grammar: exact for code formatted as ours is.
std::vector<FunctionExtent> FindFunctions(std::string_view stripped);

/// The lines of `text`, without their ends.
std::vector<std::string_view> SplitLines(std::string_view text);

/// Whether it may stand in an identifier.
inline bool IsWordCharacter(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) || c == '_';
}

/// The words of `line`: what blanks and tabs part.
std::vector<std::string_view> SplitWords(std::string_view line);

/// How many columns `line` takes: one for each UTF-8 character.
size_t CountColumns(std::string_view line);

/// The place of `word` in `line` from `start` as a whole identifier; npos when it is not there.
size_t FindWord(std::string_view line, std::string_view word, size_t start = 0);

}  // namespace edgemill::tidy
