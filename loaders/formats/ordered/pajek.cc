// Pajek's networks (http://mrvar.fdv.uni-lj.si/pajek): "*Vertices N", perhaps with a label on a
// line for each vertex, then arcs and edges between their numbers.
#include <algorithm>
#include <optional>
#include <utility>

#include "loaders/formats/lines/amount_parser.h"
#include "loaders/formats/ordered/ordered_formats.h"
#include "loaders/formats/ordered/ordered_input.h"
#include "loaders/formats/ordered/pajek_lines.h"
#include "loaders/formats/ordered/pajek_parser.h"

namespace edgemill {
namespace {

/// Labels of the head, up to this byte, decide whether they are names.
constexpr size_t kLabelsLookBytes = size_t{64} << 10;
/// The line that begins a section is at most so long, and so is the first line of an edge.
constexpr size_t kSectionBytes = 256;

/// What a network, or its first part, shows.
struct PajekFacts {
  bool has_arcs = false;
  bool has_edges = false;
  bool has_third_column = false;  // on the first line of arcs or edges
  bool has_labels = false;
  bool has_odd_labels = false;  // numbers that are no ids, such as coordinates
  std::string first_name;       // the first label that is not a number
  uint64_t first_name_line = 0;
  std::optional<uint64_t> num_vertices;
};

/// Takes the facts of one line after the other.
class PajekLook {
 public:
  void Take(std::string_view line, uint64_t number, bool labels_count) {
    if (IsPajekBlank(line)) return;
    const PajekSection section = PajekSectionOf(line);
    if (section != PajekSection::kNone) {
      section_ = section;
      is_first_ = true;
      facts_.has_arcs |= HasPajekEdges(section) && !IsPajekUndirected(section);
      facts_.has_edges |= IsPajekUndirected(section);
      if (section == PajekSection::kVertices && !facts_.num_vertices.has_value()) {
        facts_.num_vertices = ReadNumPajekVertices(line);
      }
      return;
    }
    size_t at = 0;
    bool open_quote = false;
    NextPajekWord(line, &at, &open_quote);
    if (section_ == PajekSection::kVertices && labels_count) {
      const std::string_view label = NextPajekWord(line, &at, &open_quote);
      facts_.has_labels |= !label.empty();
      const bool is_id = std::all_of(label.begin(), label.end(), IsDigit);
      facts_.has_odd_labels |= !is_id && !LooksLikeName(label);
      if (!label.empty() && facts_.first_name.empty() && LooksLikeName(label)) {
        facts_.first_name = label;
        facts_.first_name_line = number;
      }
    }
    const bool has_pairs = section_ == PajekSection::kArcs || section_ == PajekSection::kEdges;
    if (!std::exchange(is_first_, false) || !has_pairs) return;
    NextPajekWord(line, &at, &open_quote);
    facts_.has_third_column |= MeansWeight(NextPajekWord(line, &at, &open_quote));
  }
  const PajekFacts& facts() const { return facts_; }

 private:
  PajekFacts facts_;
  PajekSection section_ = PajekSection::kNone;
  bool is_first_ = false;  // no line of the section was taken
};

/// Takes facts of the sections that begin in `part`, and of the line after each of them.
void TakeSections(std::string_view part, char line_end, PajekLook* look) {
  for (size_t at = part.find('*'); at != part.npos; at = part.find('*', at + 1)) {
    const size_t before = part.find_last_not_of(" \t", at == 0 ? part.npos : at - 1);
    if (at == 0 || (before != part.npos && part[before] != line_end)) continue;
    std::string_view rest = part.substr(at);
    for (int lines = 0; lines < 2 && !rest.empty();) {
      const size_t end = std::min(rest.find(line_end), rest.size());
      const std::string_view line = rest.substr(0, end);
      lines += !IsPajekBlank(line);
      look->Take(line, 0, false);
      rest.remove_prefix(std::min(end + 1, rest.size()));
    }
  }
}

/// Decides how vertices are called.
Status DecidePajekIds(const PajekFacts& facts, const ReadOptions& options, PajekRule* rule,
                      InputInfo* info) {
  const bool found = options.ids == IdReading::kAuto && !facts.first_name.empty();
  if (options.ids == IdReading::kNames || found) {
    rule->ids = PajekIds::kLabels;
  } else if (options.ids == IdReading::kAuto && facts.has_labels && !facts.has_odd_labels) {
    rule->ids = PajekIds::kLabelNumbers;
  }
  info->named = rule->ids == PajekIds::kLabels;
  info->min_id = options.base;
  if (rule->ids == PajekIds::kNumbers) {
    info->num_vertices = facts.num_vertices;
    info->first_id = 1 - options.base;
    info->min_id = 1;
    if (facts.has_labels) {
      info->notes.push_back(StrCat(rule->name, ": labels of vertices are ignored"));
    }
  }
  if (rule->ids == PajekIds::kLabelNumbers) {
    info->notes.push_back(StrCat(rule->name,
                                 ": ids are the labels of vertices: --ids sparse takes vertices' "
                                 "numbers, from 1"));
  }
  if (info->named && options.base > 0) {
    return UsageError(StrCat(rule->name, ": --base is for ids that are numbers, these are names"));
  }
  if (found) {
    info->named_because =
        StrCat(rule->name, ": ids are names (the label ", QuotedText(facts.first_name), " in line ",
               facts.first_name_line, " is not a number)");
  }
  return OkStatus();
}

}  // namespace

bool IsPajek(const TextHead& head) {
  HeadLines lines(head);
  HeadLine line;
  while (lines.Next(&line)) {
    if (IsPajekBlank(line.text)) continue;
    const PajekSection section = PajekSectionOf(line.text);
    return section != PajekSection::kNone && section != PajekSection::kUnknown;
  }
  return false;
}

StatusOr<std::unique_ptr<Input>> MakePajekInput(const TextHead& head, ReopeningStream stream,
                                                const InputSpec& spec, const ReadOptions& options,
                                                InputPreview* preview) {
  PajekLook look;
  HeadLines lines(head);
  HeadLine line;
  while (lines.Next(&line)) {
    look.Take(line.text, line.number, lines.position().offset < kLabelsLookBytes);
  }
  PajekRule rule{.name = stream.name(),
                 .ignores_weights = options.weights == WeightMode::kNone,
                 .weight = WeightRuleOf(options),
                 .base = options.base,
                 .line_end = head.line_end,
                 .max_line_bytes = options.max_line_bytes};
  InputInfo info;
  RETURN_IF_ERROR(DecidePajekIds(look.facts(), options, &rule, &info));
  if (!head.whole && stream.regular()) {
    RETURN_IF_ERROR(LookThrough(spec, 2 * kSectionBytes, [&](std::string_view part) {
      TakeSections(part, head.line_end, &look);
      return true;
    }));
  }
  const PajekFacts& facts = look.facts();
  rule.undirected = info.undirected = facts.has_edges && !facts.has_arcs;
  const bool asked = options.weights == WeightMode::kInt || options.weights == WeightMode::kFloat;
  rule.weighted = info.weighted = !rule.ignores_weights && (facts.has_third_column || asked);
  info.columns = {"source", "target"};
  if (info.weighted) info.columns.emplace_back("weight");
  info.integer_weights = info.weighted && options.weights == WeightMode::kInt;
  if (preview != nullptr) {
    EdgeChunk chunk;
    ParseResult result;
    result.max_bad = UINT64_MAX;
    OrderedSink sink(info.named, 0, &chunk, &result);
    PajekRule of_head = rule;
    of_head.undirected = true;  // shows each edge once
    // Errors are reported when reading gets there.
    (void)MakePajekParser(of_head)->Feed(head.text, head.whole, &sink);
    preview->AddRows(chunk, std::nullopt);
  }
  return MakeOrderedInput(
      std::move(stream), std::move(info), options,
      [rule]() -> StatusOr<std::unique_ptr<OrderedParser>> { return MakePajekParser(rule); });
}

}  // namespace edgemill
