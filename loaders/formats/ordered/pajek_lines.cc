#include "loaders/formats/ordered/pajek_lines.h"

#include <algorithm>
#include <array>
#include <utility>

#include "common/strings.h"
#include "loaders/formats/lines/line_format.h"
#include "loaders/formats/lines/number_parser.h"

namespace edgemill {

PajekSection PajekSectionOf(std::string_view line) {
  constexpr std::array<std::pair<std::string_view, PajekSection>, 12> kSections = {{
      {"*network", PajekSection::kNetwork},
      {"*vertices", PajekSection::kVertices},
      {"*arcs", PajekSection::kArcs},
      {"*edges", PajekSection::kEdges},
      {"*arcslist", PajekSection::kArcsList},
      {"*edgeslist", PajekSection::kEdgesList},
      {"*matrix", PajekSection::kMatrix},
      {"*partition", PajekSection::kOther},
      {"*vector", PajekSection::kOther},
      {"*permutation", PajekSection::kOther},
      {"*cluster", PajekSection::kOther},
      {"*hierarchy", PajekSection::kOther},
  }};
  line = StripSpace(line);
  if (!line.starts_with('*')) return PajekSection::kNone;
  const std::string word = Lower(line.substr(0, line.find_first_of(" \t:")));
  for (const auto& [name, section] : kSections) {
    if (word == name) return section;
  }
  return PajekSection::kUnknown;
}

bool HasPajekEdges(PajekSection section) {
  return section == PajekSection::kArcs || section == PajekSection::kArcsList ||
         IsPajekUndirected(section);
}

bool IsPajekUndirected(PajekSection section) {
  return section == PajekSection::kEdges || section == PajekSection::kEdgesList;
}

std::string_view NextPajekWord(std::string_view line, size_t* at, bool* open_quote) {
  while (*at < line.size() && IsBlank(line[*at])) ++*at;
  const size_t begin = *at;
  if (begin < line.size() && line[begin] == '"') {
    const size_t end = line.find('"', begin + 1);
    *open_quote = end == std::string_view::npos;
    *at = *open_quote ? line.size() : end + 1;
    return line.substr(begin + 1, *at - begin - (*open_quote ? 1 : 2));
  }
  while (*at < line.size() && !IsBlank(line[*at])) ++*at;
  return line.substr(begin, *at - begin);
}

bool HasPajekWeight(PajekSection section, std::string_view line) {
  if (section != PajekSection::kArcs && section != PajekSection::kEdges) return false;
  size_t at = 0;
  bool open_quote = false;
  NextPajekWord(line, &at, &open_quote);
  NextPajekWord(line, &at, &open_quote);
  return MeansWeight(NextPajekWord(line, &at, &open_quote));
}

bool IsPajekBlank(std::string_view line) {
  const std::string_view text = StripSpace(line);
  return text.empty() || text[0] == '%';
}

}  // namespace edgemill
