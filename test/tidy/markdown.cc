#include "test/tidy/markdown.h"

#include <algorithm>
#include <cctype>
#include <regex>
#include <set>
#include <string_view>
#include <vector>

#include "test/tidy/sentences.h"
#include "test/tidy/source_text.h"

namespace edgemill::tidy {
namespace {

namespace fs = std::filesystem;

constexpr size_t kMaxPageColumns = 120;
enum class BlockKind { kText, kHeading, kTableRow, kCode };

/// A paragraph, a list item, a fenced block, a heading, or one line of a table.
struct Block {
  BlockKind kind = BlockKind::kText;
  size_t first_line = 0;  // from 1
  std::vector<std::string_view> lines;
};

std::string_view WithoutIndent(std::string_view line) {
  return line.substr(std::min(line.find_first_not_of(" \t"), line.size()));
}

bool StartsListItem(std::string_view line) {
  static const std::regex kMarker(R"(([*+-]|\d+[.)]) .*)");
  return std::regex_match(line.begin(), line.end(), kMarker);
}

BlockKind KindOf(std::string_view line) {
  static const std::regex kHeading("#{1,6} .*");
  if (line.starts_with("```")) return BlockKind::kCode;
  if (line.starts_with("|")) return BlockKind::kTableRow;
  const bool heading = std::regex_match(line.begin(), line.end(), kHeading);
  return heading ? BlockKind::kHeading : BlockKind::kText;
}

std::vector<Block> SplitBlocks(std::string_view text) {
  std::vector<Block> blocks;
  bool fenced = false;
  bool joins = false;  // whether a line of text belongs to the last block
  size_t number = 0;
  for (const std::string_view line : SplitLines(text)) {
    ++number;
    const std::string_view content = WithoutIndent(line);
    if (!fenced && content.empty()) {
      joins = false;
      continue;
    }
    const BlockKind kind = fenced ? BlockKind::kCode : KindOf(content);
    const bool item = kind == BlockKind::kText && StartsListItem(content);
    const bool starts = !fenced && (kind != BlockKind::kText || item || !joins);
    if (starts) blocks.push_back({kind, number, {}});
    blocks.back().lines.push_back(line);
    if (content.starts_with("```")) fenced = !fenced;
    joins = kind == BlockKind::kText;
  }
  return blocks;
}

/// The lines of a block, with letters for the punctuation inside inline code. There, punctuation
/// ends no sentence and makes no link.
std::string MaskInlineCode(const Block& block) {
  std::string text;
  bool code = false;
  for (const std::string_view line : block.lines) {
    for (const char c : line) {
      if (c == '`') code = !code;
      const bool masked = code && c != '`' && std::ispunct(static_cast<unsigned char>(c));
      text += masked ? 'x' : c;
    }
    text += '\n';
  }
  return text;
}

/// Whether a line break cannot shorten a line, because it is one word or one link, perhaps in a
/// list item.
bool CannotBreak(std::string_view line) {
  static const std::regex kOneWordOrLink(R"(\s*([*+-] )?(\S+|!?\[[^\]]*\]\([^)\s]+\)[.,;:]?))");
  return std::regex_match(line.begin(), line.end(), kOneWordOrLink);
}

/// The anchor of a heading, as GitHub makes it: lower case, no punctuation, hyphens for blanks.
std::string AnchorOf(std::string_view heading) {
  std::string anchor;
  for (const char c : heading.substr(std::min(heading.find(' ') + 1, heading.size()))) {
    const auto byte = static_cast<unsigned char>(c);
    if (c == ' ') anchor += '-';
    if (std::isalnum(byte) || c == '-' || c == '_' || byte >= 0x80) {
      anchor += static_cast<char>(std::tolower(byte));
    }
  }
  return anchor;
}

/// The anchors of a page's headings. A heading that occurs again gets a number.
std::set<std::string> AnchorsOf(std::string_view text) {
  std::set<std::string> anchors;
  std::map<std::string, int> uses;
  for (const Block& block : SplitBlocks(text)) {
    if (block.kind != BlockKind::kHeading) continue;
    const std::string anchor = AnchorOf(WithoutIndent(block.lines.front()));
    const int earlier = uses[anchor]++;
    anchors.insert(earlier == 0 ? anchor : anchor + "-" + std::to_string(earlier));
  }
  return anchors;
}

class PageChecker {
 public:
  PageChecker(const fs::path& root, const std::map<std::string, std::string>& pages,
              const std::string& path, Faults* faults)
      : root_(root), pages_(pages), path_(path), faults_(faults) {}

  void CheckAll() {
    for (const Block& block : SplitBlocks(pages_.at(path_))) {
      if (block.kind == BlockKind::kCode) continue;
      if (block.kind != BlockKind::kTableRow) CheckColumns(block);
      if (block.kind == BlockKind::kText) CheckSentences(block);
      CheckLinks(block);
    }
  }

 private:
  void Fault(size_t line, const std::string& what) {
    faults_->push_back(path_ + ":" + std::to_string(line) + ": " + what);
  }

  void CheckColumns(const Block& block) {
    size_t number = block.first_line;
    for (const std::string_view line : block.lines) {
      const size_t columns = CountColumns(line);
      if (columns > kMaxPageColumns && !CannotBreak(line)) {
        Fault(number, "the line has " + std::to_string(columns) + " columns, the limit is " +
                          std::to_string(kMaxPageColumns));
      }
      ++number;
    }
  }

  /// Counts the words of each sentence. A link's text counts, its target does not.
  void CheckSentences(const Block& block) {
    static const std::regex kTarget(R"(\]\([^)\s]*\))");
    const std::string text = std::regex_replace(MaskInlineCode(block), kTarget, "");
    size_t words = 0;
    size_t first_line = block.first_line;
    std::string first_words;
    const auto end_sentence = [&] {
      if (words > kMaxSentenceWords) {
        Fault(first_line, "the sentence \"" + first_words + "...\" has " + std::to_string(words) +
                              " words, the limit is " + std::to_string(kMaxSentenceWords));
      }
      words = 0;
      first_words.clear();
    };
    size_t number = block.first_line;
    for (const std::string_view line : SplitLines(text)) {
      for (const std::string_view token : SplitWords(line)) {
        if (!IsWord(token)) continue;
        if (++words == 1) first_line = number;
        if (words <= 4) first_words += std::string(token) + " ";
        if (EndsSentence(token)) end_sentence();
      }
      ++number;
    }
    end_sentence();
  }

  void CheckLinks(const Block& block) {
    static const std::regex kLink(R"(\]\(([^)\s]+)\))");
    const std::string text = MaskInlineCode(block);
    for (auto link = std::sregex_iterator(text.begin(), text.end(), kLink);
         link != std::sregex_iterator(); ++link) {
      const auto line_ends = std::count(text.begin(), text.begin() + link->position(), '\n');
      CheckLink(block.first_line + static_cast<size_t>(line_ends), link->str(1));
    }
  }

  void CheckLink(size_t number, const std::string& link) {
    if (link.find("://") != std::string::npos || link.starts_with("mailto:")) return;
    const size_t hash = std::min(link.find('#'), link.size());
    std::string target = path_;
    if (hash > 0) {
      target = (fs::path(path_).parent_path() / link.substr(0, hash)).lexically_normal().string();
    }
    if (target.starts_with("..") || !fs::exists(root_ / target)) {
      Fault(number, "the link " + link + " leads to no file of the repository");
      return;
    }
    const auto page = pages_.find(target);
    if (hash == link.size() || page == pages_.end()) return;
    if (!AnchorsOf(page->second).contains(link.substr(hash + 1))) {
      Fault(number, "the link " + link + " leads to no heading of " + target);
    }
  }

  const fs::path& root_;
  const std::map<std::string, std::string>& pages_;
  const std::string& path_;
  Faults* faults_;
};

}  // namespace

void CheckMarkdown(const fs::path& root, const std::map<std::string, std::string>& pages,
                   Faults* faults) {
  for (const auto& [path, text] : pages) PageChecker(root, pages, path, faults).CheckAll();
}

}  // namespace edgemill::tidy
