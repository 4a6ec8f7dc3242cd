// An HTML page in one file: facts, bars of shares, charts, tables. It needs no other file and no
// network, and is for wide and narrow screens, light and dark ones, and paper.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "common/page/chart.h"
#include "common/page/text_table.h"

namespace edgemill {

/// One row of shares: a name, a bar of parts, and what it says in words.
struct ShareRow {
  struct Part {
    std::string name;
    int hue = 0;
    double value = 0;
    std::string text;  // the value for people
  };
  std::string name;
  std::vector<Part> parts;
  /// What the whole bar stands for; 0: the sum of the parts.
  double whole = 0;
  std::string text = {};  // after the bar; empty: the parts' texts are its legend
};

/// A page that is being written, from top to bottom. Text is escaped.
class HtmlPage {
 public:
  using Facts = std::vector<std::pair<std::string, std::string>>;

  /// `lead` is the one sentence to read first. `about` are small lines below: command, version.
  HtmlPage(std::string_view title, std::string_view lead, const Facts& about);

  void Section(std::string_view heading);
  void Paragraph(std::string_view text);
  /// Names with short values, in columns.
  void AddFacts(const Facts& facts);
  /// Names with texts, one below the other.
  void AddTexts(const Facts& texts);
  void Shares(const std::vector<ShareRow>& rows);
  /// Charts beside each other where the screen has room.
  void Charts(const std::vector<Drawing>& drawings);
  /// A chart over the page's whole width.
  void WideChart(const Drawing& drawing);
  /// A table that scrolls by itself where it is wider than the screen.
  void Table(const TextTable& table);

  /// The file's text.
  std::string Text() const;

 private:
  void AddList(std::string_view tag, const Facts& facts);

  std::string title_;
  std::string body_;
};

}  // namespace edgemill
