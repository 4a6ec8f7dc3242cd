// GraphML: what a text of it says of itself, and the input that reads it.
#include <algorithm>
#include <array>
#include <utility>

#include "loaders/formats/lines/amount_parser.h"
#include "loaders/formats/ordered/graphml_parser.h"
#include "loaders/formats/ordered/ordered_formats.h"
#include "loaders/formats/ordered/ordered_input.h"

namespace edgemill {
namespace {

/// The root's tag comes within so many bytes.
constexpr size_t kRootBytes = size_t{64} << 10;
/// The longest text that is searched for across parts of a file.
constexpr size_t kAttributeBytes = 64;

bool IsUtf16(std::string_view head) {
  return head.starts_with("\xff\xfe") || head.starts_with("\xfe\xff");
}

/// UTF-16 in one byte a letter. What is searched for is ASCII.
std::string Narrow(std::string_view text) {
  std::string narrow(text);
  std::erase(narrow, '\0');
  return narrow;
}

/// Whether `part` has the attribute "directed" of edges, and it is true.
bool HasDirected(std::string_view part) {
  constexpr std::string_view kAttribute = "directed";
  constexpr std::string_view kBlanks = " \t\r\n";
  for (size_t at = part.find(kAttribute); at != part.npos; at = part.find(kAttribute, at + 1)) {
    const bool begins = at > 0 && kBlanks.find(part[at - 1]) != part.npos;
    const size_t equals = part.find_first_not_of(kBlanks, at + kAttribute.size());
    if (!begins || equals == part.npos || part[equals] != '=') continue;
    const size_t quote = part.find_first_not_of(kBlanks, equals + 1);
    if (quote == part.npos || (part[quote] != '"' && part[quote] != '\'')) continue;
    const std::string_view value =
        part.substr(quote + 1, part.find(part[quote], quote + 1) - quote - 1);
    if (value == "true" || value == "1") return true;
  }
  return false;
}

std::string IgnoredText(const GraphmlFacts& facts) {
  std::string text;
  for (const std::string& name : facts.ignored) {
    text += text.empty() ? "" : ", ";
    text += QuotedText(name);
  }
  return text;
}

/// Sets how the text is understood from the `facts` of its head.
Status DecideIds(const GraphmlFacts& facts, const ReadOptions& options, GraphmlRule* rule,
                 InputInfo* info) {
  // If bad lines are allowed, a later word is taken as an error, not as a name.
  const bool counts = options.max_bad_lines == 0 || facts.begins_with_name;
  const bool found = options.ids == IdReading::kAuto && !facts.first_name.empty() && counts;
  rule->named = options.ids == IdReading::kNames || found;
  info->named = rule->named;
  info->min_id = options.base;
  if (!rule->named) return OkStatus();
  if (options.base > 0) {
    return UsageError(StrCat(rule->name, ": --base is for ids that are numbers, these are names"));
  }
  if (found) {
    info->named_because = StrCat(rule->name, ": ids are names (", QuotedText(facts.first_name),
                                 " in line ", facts.first_name_line, " is not a number)");
  }
  return OkStatus();
}

}  // namespace

bool IsGraphml(std::string_view head) {
  std::string narrow;
  if (IsUtf16(head)) {
    narrow = Narrow(head.substr(0, 2 * kRootBytes)).substr(2);
    head = narrow;
  }
  if (head.starts_with(kUtf8Mark)) head.remove_prefix(kUtf8Mark.size());
  const std::string_view stripped = StripSpace(head.substr(0, kRootBytes));
  if (!stripped.starts_with('<')) return false;
  // After declarations and comments, the first tag is that of the root.
  for (size_t at = 0; at + 1 < stripped.size() && stripped[at] == '<';) {
    const char next = stripped[at + 1];
    if (next != '?' && next != '!') {
      const size_t end = stripped.find_first_of(" \t\r\n/>", at);
      const std::string_view tag = stripped.substr(at + 1, end - at - 1);
      return tag == "graphml" || tag.ends_with(":graphml");
    }
    const bool is_comment = stripped.substr(at).starts_with("<!--");
    const size_t end = stripped.find(is_comment ? "-->" : ">", at);
    if (end == stripped.npos) return false;
    at = stripped.find('<', end);
    if (at == stripped.npos) return false;
  }
  return false;
}

StatusOr<std::unique_ptr<Input>> MakeGraphmlInput(ReopeningStream stream,
                                                  const ReadOptions& options,
                                                  InputPreview* preview) {
  ASSIGN_OR_RETURN(InputStream * opened, stream.EnsureOpen());
  GraphmlRule rule{.name = stream.name(),
                   .plain_ids = options.ids == IdReading::kAuto,
                   .base = options.base,
                   .weight = WeightRuleOf(options),
                   .keeps_weights = options.weights != WeightMode::kNone,
                   .empty_weight = options.empty_weight};
  // The head shows what the text is. Whatever its ids are, they can be read as names here.
  GraphmlRule rule_of_head = rule;
  rule_of_head.named = true;
  rule_of_head.ways = GraphmlWays::kFirst;
  ASSIGN_OR_RETURN(const auto parser, MakeGraphmlParser(rule_of_head));
  EdgeChunk chunk;
  ParseResult result;
  result.max_bad = UINT64_MAX;
  OrderedSink sink(true, 0, &chunk, &result);
  const bool is_all = opened->head_is_all();
  const bool is_wide = IsUtf16(opened->head());
  const Status parsed = parser->Feed(opened->head(), is_all, &sink).status();
  const GraphmlFacts& facts = parser->facts();
  if (!facts.has_graph) {
    RETURN_IF_ERROR(parsed);
    return BadDataError(StrCat(rule.name, ": no <graph> in the first MiB: leave out comments"));
  }
  InputInfo info;
  RETURN_IF_ERROR(DecideIds(facts, options, &rule, &info));
  bool is_mixed = facts.has_exceptions;
  if (facts.undirected && !is_mixed && !is_all && stream.regular()) {
    RETURN_IF_ERROR(LookThrough(&stream, 2 * kAttributeBytes, [&](std::string_view part) {
      is_mixed = is_wide ? HasDirected(Narrow(part)) : HasDirected(part);
      return !is_mixed;
    }));
  }
  if (is_mixed) rule.ways = GraphmlWays::kBoth;
  info.undirected = facts.undirected && !is_mixed;
  info.weighted = facts.weighted;
  info.integer_weights = facts.weighted && facts.integer_weights && !rule.weight.rounded;
  info.columns = {"source", "target"};
  if (info.weighted) info.columns.emplace_back("weight");
  info.notes = facts.notes;
  if (!facts.ignored.empty()) {
    info.notes.push_back(
        StrCat(rule.name, ": other data of edges is ignored: ", IgnoredText(facts)));
  }
  if (preview != nullptr) preview->AddRows(chunk, std::nullopt);
  return MakeOrderedInput(std::move(stream), std::move(info), options,
                          [rule]() -> StatusOr<std::unique_ptr<OrderedParser>> {
                            ASSIGN_OR_RETURN(auto made, MakeGraphmlParser(rule));
                            return std::unique_ptr<OrderedParser>(std::move(made));
                          });
}

}  // namespace edgemill
