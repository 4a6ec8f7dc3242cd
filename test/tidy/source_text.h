// C++ source in the forms that the tidy rules use: lines, text without comments and literals, and
// functions.
#pragma once

#include <cctype>
#include <string>
#include <string_view>
#include <vector>

namespace edgemill::tidy {

/// The first and last line of a function in its file. Lines count from 1.
struct FunctionExtent {
  size_t first_line = 0;
  size_t last_line = 0;
  std::string head;  // its first words, for messages
};

/// What a brace opens. Outside of functions, kOpen is a namespace, a class or an enum, and
/// kFunction the body of a function. kInner is a scope inside a function.
enum class Scope { kOpen, kFunction, kInner, kInitializer };
/// The kind of scope, from the code between the end of the statement before and the brace.
Scope ScopeAfter(std::string_view head);

/// `text` with blanks for comments, contents of literals and preprocessor lines. Line ends stay.
std::string StripSource(std::string_view text);

/// The end (exclusive) of the comment, literal or preprocessor line that starts at `at`. Returns
/// `at` if none starts there.
size_t BlankEnd(std::string_view text, size_t at);

/// Finds the functions that `stripped` (from StripSource) defines. Looks at braces and the code
/// before them, not at the grammar. The result is exact for code with this project's format.
std::vector<FunctionExtent> FindFunctions(std::string_view stripped);

/// The lines of `text`, without their ends.
std::vector<std::string_view> SplitLines(std::string_view text);

/// Whether a character may be part of an identifier.
inline bool IsWordCharacter(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) || c == '_';
}

/// The words of `line`, which blanks and tabs separate.
std::vector<std::string_view> SplitWords(std::string_view line);

/// How many columns `line` takes: one for each UTF-8 character.
size_t CountColumns(std::string_view line);

/// The first place from `start` on at which `word` is a whole identifier in `line`, or npos.
size_t FindWord(std::string_view line, std::string_view word, size_t start = 0);

}  // namespace edgemill::tidy
