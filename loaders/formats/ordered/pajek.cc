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
#include "loaders/options/label_memory.h"

namespace edgemill {
namespace {

/// Labels of the head, up to this byte, decide whether they are names.
constexpr size_t kLabelsLookBytes = size_t{64} << 10;
/// A look at the head gives so many bytes of names, which the labels of a few edges have.
constexpr size_t kPreviewNameBytes = size_t{1} << 20;

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
  PajekLabelSpace labels;
};

/// Takes the facts of one line after the other.
class PajekLook {
 public:
  /// With `labels_count`, labels decide how vertices are called.
  void Take(std::string_view line, bool labels_count) {
    if (++number_ == 1 && line.starts_with(kUtf8Mark)) line.remove_prefix(kUtf8Mark.size());
    const bool is_plain = !line.empty() && IsDigit(line[0]);
    if (!is_plain && IsPajekBlank(line)) return;
    const PajekSection section = is_plain ? PajekSection::kNone : PajekSectionOf(line);
    if (section != PajekSection::kNone) return Begin(section, line);
    if (section_ == PajekSection::kVertices) return TakeLabel(line, labels_count);
    if (!std::exchange(is_first_, false)) return;
    facts_.has_arcs |= HasPajekEdges(section_) && !IsPajekUndirected(section_);
    facts_.has_edges |= IsPajekUndirected(section_);
    facts_.has_third_column |= HasPajekWeight(section_, line);
  }

  /// Takes the next part of a text, whose lines may be cut. Returns false for a line that is longer
  /// than `max_line_bytes`.
  bool TakePart(std::string_view part, char line_end, size_t max_line_bytes) {
    while (true) {
      const size_t end = part.find(line_end);
      if (end == part.npos) break;
      carry_ += carry_.empty() ? std::string_view() : part.substr(0, end);
      Take(carry_.empty() ? part.substr(0, end) : carry_, false);
      carry_.clear();
      part.remove_prefix(end + 1);
    }
    carry_ += part;
    return carry_.size() <= max_line_bytes;
  }
  /// Takes the last line, which may have no end.
  void TakeRest() {
    if (!carry_.empty()) Take(carry_, false);
  }

  const PajekFacts& facts() const { return facts_; }

 private:
  void Begin(PajekSection section, std::string_view line) {
    // The parts of a project have vertices of their own.
    const bool is_vertices = section == PajekSection::kVertices;
    if (section_ == PajekSection::kOther && is_vertices) return;
    section_ = section;
    is_first_ = true;
    if (is_vertices && !facts_.num_vertices.has_value()) {
      facts_.num_vertices = ReadNumPajekVertices(line);
    }
  }

  void TakeLabel(std::string_view line, bool labels_count) {
    size_t at = 0;
    bool open_quote = false;
    uint64_t vertex = 0;
    const bool is_number = ParseNumber(NextPajekWord(line, &at, &open_quote), &vertex);
    std::string_view label = NextPajekWord(line, &at, &open_quote);
    if (label.ends_with('\r')) label.remove_suffix(1);
    if (label.empty()) return;
    if (is_number && !open_quote && vertex <= facts_.num_vertices.value_or(0)) {
      facts_.labels.vertices = std::max(facts_.labels.vertices, vertex);
      facts_.labels.text_bytes += label.size();
    }
    if (!labels_count) return;
    facts_.has_labels = true;
    const bool is_id = std::all_of(label.begin(), label.end(), IsDigit);
    facts_.has_odd_labels |= !is_id && !LooksLikeName(label);
    if (facts_.first_name.empty() && LooksLikeName(label)) {
      facts_.first_name = label;
      facts_.first_name_line = number_;
    }
  }

  PajekFacts facts_;
  PajekSection section_ = PajekSection::kNone;
  bool is_first_ = false;  // no line of the section was taken
  uint64_t number_ = 0;    // of the line
  std::string carry_;      // a line whose end is in the next part
};

/// What the first line that says something begins; nullopt if there is none.
std::optional<PajekSection> FirstSection(const TextHead& head) {
  HeadLines lines(head);
  HeadLine line;
  while (lines.Next(&line)) {
    if (!IsPajekBlank(line.text)) return PajekSectionOf(line.text);
  }
  return std::nullopt;
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

/// Reserves memory for labels: as much as there is of them if the whole text `is_known`.
Status ReserveLabels(const PajekFacts& facts, bool is_known, const ReadOptions& options,
                     PajekRule* rule) {
  if (rule->ids == PajekIds::kNumbers) return OkStatus();
  LabelMemory fixed(nullptr);
  LabelMemory& memory = options.label_memory == nullptr ? fixed : *options.label_memory;
  if (is_known) rule->labels = facts.labels;
  if (rule->ids == PajekIds::kLabelNumbers) rule->labels.text_bytes = 0;
  rule->labels.limit_bytes = is_known ? rule->labels.NeededBytes() : memory.UsualBytes();
  const Status reserved = memory.Need(rule->labels.limit_bytes, "labels of vertices");
  if (reserved.ok()) return OkStatus();
  return BudgetError(StrCat(rule->name, ": ", reserved.message(), ", or --ids sparse, which takes ",
                            "vertices' numbers instead"))
      .At({.file = rule->name});
}

}  // namespace

bool IsPajek(const TextHead& head) {
  const std::optional<PajekSection> first = FirstSection(head);
  return first.has_value() && *first != PajekSection::kNone && *first != PajekSection::kUnknown;
}

bool IsNoPajek(const TextHead& head) { return FirstSection(head) == PajekSection::kNone; }

StatusOr<std::unique_ptr<Input>> MakePajekInput(const TextHead& head, ReopeningStream stream,
                                                const ReadOptions& options, InputPreview* preview) {
  PajekLook look_at_head;
  HeadLines lines(head);
  HeadLine line;
  while (lines.Next(&line)) {
    look_at_head.Take(line.text, lines.position().offset < kLabelsLookBytes);
  }
  PajekRule rule{.name = stream.name(),
                 .ignores_weights = options.weights == WeightMode::kNone,
                 .weight = WeightRuleOf(options),
                 .base = options.base,
                 .line_end = head.line_end,
                 .max_line_bytes = options.max_line_bytes};
  InputInfo info;
  RETURN_IF_ERROR(DecidePajekIds(look_at_head.facts(), options, &rule, &info));
  PajekLook look_at_all;
  const bool is_known = head.whole || stream.regular();
  std::string kept;  // the head, if the file is read to its end
  if (!head.whole && stream.regular()) {
    if (preview != nullptr) kept = head.text;
    RETURN_IF_ERROR(LookThrough(&stream, 0, [&](std::string_view part) {
      return look_at_all.TakePart(part, head.line_end, options.max_line_bytes);
    }));
    look_at_all.TakeRest();
  }
  const std::string_view text = kept.empty() ? head.text : std::string_view(kept);
  const PajekFacts& facts = !head.whole && is_known ? look_at_all.facts() : look_at_head.facts();
  rule.knows_head_alone = !is_known;
  RETURN_IF_ERROR(ReserveLabels(facts, is_known, options, &rule));
  rule.undirected = rule.gives_once = info.undirected = facts.has_edges && !facts.has_arcs;
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
    sink.LimitNames(kPreviewNameBytes);
    PajekRule of_head = rule;
    of_head.gives_once = true;
    // Errors are reported when reading gets there.
    (void)MakePajekParser(of_head)->Feed(text, head.whole, &sink);
    preview->AddRows(chunk, std::nullopt);
  }
  return MakeOrderedInput(
      std::move(stream), std::move(info), options,
      [rule]() -> StatusOr<std::unique_ptr<OrderedParser>> { return MakePajekParser(rule); });
}

}  // namespace edgemill
