// KONECT's out.* files: the line "% sym|asym|bip KIND", perhaps "% EDGES LEFT RIGHT", then lines
// "source target [weight [time]]" with ids from 1.
#include <algorithm>
#include <array>

#include "loaders/formats/formats.h"

namespace edgemill {
namespace {

constexpr std::array<std::string_view, 3> kDirections = {"sym", "asym", "bip"};
constexpr std::array<std::string_view, 9> kWeightKinds = {
    "unweighted", "positive",      "posweighted",      "signed", "multisigned",
    "weighted",   "multiweighted", "multiposweighted", "dynamic"};

template <size_t kSize>
bool Holds(const std::array<std::string_view, kSize>& words, std::string_view word) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

/// The words after the '%' of a line; none if the line does not begin with '%'.
std::vector<std::string_view> HeaderWords(std::string_view line) {
  line = StripSpace(line);
  if (!line.starts_with('%')) return {};
  return SplitBlanks(line.substr(1), 4);
}

/// The use of the third column. In dynamic networks it says whether an edge is added or removed, so
/// it is not surely a weight.
ThirdColumn ThirdColumnOf(std::string_view kind) {
  if (kind == "unweighted") return ThirdColumn::kIgnored;
  return kind.empty() || kind == "dynamic" ? ThirdColumn::kGuessed : ThirdColumn::kWeight;
}

/// Numbers of the second line: the edges, and the vertices of the left side. 0: not declared.
struct Counts {
  uint64_t edges = 0;
  uint64_t left = 0;
};

Counts ReadCounts(std::string_view line) {
  const std::vector<std::string_view> words = HeaderWords(line);
  Counts counts;
  if (words.empty() || !ParseNumber(words[0], &counts.edges)) return {};
  if (words.size() > 1 && !ParseNumber(words[1], &counts.left)) return {};
  return counts;
}

/// The error of a bipartite network: its left and right ids both count from 1, and would be mixed.
Status RefuseBipartite(const TextHead& head, const HeadLine& banner, uint64_t left) {
  const std::string shift = left > 0 ? StrCat(left) : std::string("LEFT");
  return BadDataError(StrCat(
      head.name, ":", banner.number, ":", banner.text.find('b') + 1,
      ": a bipartite network: id 1 of the left column is another vertex than id 1 of the right: "
      "give the right column ids of its own (awk '!/^%/ { $2 += ",
      shift, "; print }' FILE > FILE.txt", left > 0 ? "" : ", LEFT being the largest left id",
      ") and ingest that with --undirected, or say --format el where both columns mean the same "
      "vertices"));
}

}  // namespace

bool IsKonect(const TextHead& head) {
  HeadLines lines(head);
  HeadLine first;
  if (!lines.Next(&first)) return false;
  const std::vector<std::string_view> words = HeaderWords(first.text);
  return !words.empty() && words.size() <= 2 && Holds(kDirections, words[0]) &&
         (words.size() == 1 || Holds(kWeightKinds, words[1]));
}

LineFormatOr MakeKonectFormat(const TextHead& head, const ReadOptions& options) {
  HeadLines lines(head);
  HeadLine banner;
  lines.Next(&banner);
  if (!IsKonect(head)) {
    return LineError(head.name,
                     MakeBadLine(banner, 0, "not the first line of a KONECT file",
                                 "it is '% sym|asym|bip KIND', such as '% sym unweighted'"));
  }
  const std::vector<std::string_view> words = HeaderWords(banner.text);
  HeadLine second;
  const Counts counts = lines.Next(&second) ? ReadCounts(second.text) : Counts{};
  if (words[0] == "bip") return RefuseBipartite(head, banner, counts.left);
  ColumnLayout layout = BaseLayout(options);
  layout.comment.clear();  // the header begins with '%' whatever --comment says
  layout.min_id = 1;
  InputInfo info;
  info.undirected = words[0] == "sym";
  if (counts.edges > 0) info.expected_edges = counts.edges;
  info.body = head.begin();
  ChooseBlankColumns(head, ThirdColumnOf(words.size() > 1 ? words[1] : ""), &layout, &info);
  return std::make_unique<ColumnFormat>(head.name, info, std::move(layout));
}

}  // namespace edgemill
