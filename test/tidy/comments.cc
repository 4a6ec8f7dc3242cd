#include "test/tidy/comments.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <regex>

#include "test/tidy/sentences.h"
#include "test/tidy/source_text.h"

namespace edgemill::tidy {
namespace {

/// A word or phrase that comments must not have, and the words to write instead.
struct BannedTerm {
  const char* pattern;
  const char* instead;
};
const std::array kBannedTerms = {
    BannedTerm{R"(\b[Hh]as (\w+ ){1,6}be\b)", "a verb: sets, copies, makes"},
    BannedTerm{R"(\b([Ww]ho|[Ww]hom|[Ww]hoever|[Nn]obody|[Aa]nybody|[Ee]verybody|[Ss]omebody)\b)",
               "which, that, none, any: programs and vertices are no persons"},
    BannedTerm{R"(\bsweeps?\b)", "pass, scan"},
    BannedTerm{R"(\b[Cc]ards?\b)", "GPU"},
};

/// Consecutive lines of a comment that make a paragraph.
struct Paragraph {
  size_t first_line = 0;  // from 1
  std::string text;
};

/// The text after the slashes of a line that is only a comment. `*found` says whether the line is.
std::string_view CommentOf(std::string_view line, bool* found) {
  const size_t begin = line.find_first_not_of(' ');
  *found = begin != std::string_view::npos && line.substr(begin).starts_with("//");
  if (!*found) return {};
  std::string_view text = line.substr(begin + 2);
  if (text.starts_with("/")) text.remove_prefix(1);
  if (text.starts_with(" ")) text.remove_prefix(1);
  return text;
}

/// A paragraph ends before an empty line or a line that is not a comment. A line of a list or a
/// table, which begins with blanks or a list marker, begins a paragraph.
std::vector<Paragraph> FindParagraphs(std::string_view text) {
  std::vector<Paragraph> paragraphs;
  size_t number = 0;
  bool joins = false;
  for (const std::string_view line : SplitLines(text)) {
    ++number;
    bool found = false;
    const std::string_view comment = CommentOf(line, &found);
    if (!found || comment.find_first_not_of(' ') == std::string_view::npos) {
      joins = false;
      continue;
    }
    const bool is_item = comment.starts_with("  ") || comment.starts_with("* ") ||
                         comment.starts_with("- ") || comment.starts_with("|");
    if (!joins || is_item) paragraphs.push_back({number, {}});
    paragraphs.back().text.append(comment).append("\n");
    joins = true;
  }
  return paragraphs;
}

}  // namespace

void CheckComments(const std::string& path, std::string_view text, Faults* faults) {
  const auto fault = [&](size_t line, const std::string& what) {
    faults->push_back(path + ":" + std::to_string(line) + ": " + what);
  };
  for (const Paragraph& paragraph : FindParagraphs(text)) {
    size_t words = 0, line = paragraph.first_line, first_line = line;
    std::string first_words;
    for (const std::string_view part : SplitLines(paragraph.text)) {
      for (const std::string_view word : SplitWords(part)) {
        if (words == 0) first_line = line;
        if (IsWord(word) && ++words <= 5) first_words.append(word).append(" ");
        if (!EndsSentence(word)) continue;
        if (words > kMaxSentenceWords) {
          fault(first_line, "the sentence \"" + first_words + "...\" has " + std::to_string(words) +
                                " words, the limit is " + std::to_string(kMaxSentenceWords));
        }
        words = 0;
        first_words.clear();
      }
      ++line;
    }
    if (words > kMaxSentenceWords) {
      fault(first_line, "the sentence \"" + first_words + "...\" has " + std::to_string(words) +
                            " words, the limit is " + std::to_string(kMaxSentenceWords));
    }
  }
  for (const BannedTerm& banned : kBannedTerms) {
    const std::regex pattern(banned.pattern);
    size_t number = 0;
    for (const std::string_view line : SplitLines(text)) {
      ++number;
      const size_t begin = line.find("// ");
      if (begin == std::string_view::npos) continue;
      const std::string comment(line.substr(begin));
      std::smatch match;
      if (std::regex_search(comment, match, pattern)) {
        fault(number, "\"" + match.str() + "\" in a comment: write " + banned.instead);
      }
    }
  }
}

}  // namespace edgemill::tidy
