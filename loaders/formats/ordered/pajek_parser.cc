#include "loaders/formats/ordered/pajek_parser.h"

#include <algorithm>
#include <array>
#include <utility>
#include <vector>

#include "common/units.h"
#include "loaders/formats/lines/line_format.h"
#include "loaders/formats/ordered/pajek_lines.h"

namespace edgemill {
namespace {

constexpr const char* kTakeNumbers = "--ids sparse takes vertices' numbers instead";

/// A line of a list whose edges may not all be given yet.
struct PajekList {
  uint64_t line = 0;
  uint64_t source = 0;
  std::vector<uint64_t> targets;
  size_t given = 0;
};

class PajekParser final : public OrderedParser {
 public:
  explicit PajekParser(const PajekRule& rule)
      : rule_(rule), labels_(rule.ids, rule.base, rule.labels) {}

  StatusOr<size_t> Feed(std::string_view bytes, bool last, OrderedSink* sink) override {
    sink_ = sink;
    GiveList();
    std::string_view rest = bytes;
    while (!state_.stopped && list_.targets.empty()) {
      if (sink->is_full()) return bytes.size() - rest.size();
      const size_t end = rest.find(rule_.line_end);
      if (end == rest.npos && !last) break;
      const std::string_view line = rest.substr(0, end);
      if (end == rest.npos && line.empty() && carry_.empty()) break;
      RETURN_IF_ERROR(CheckLength(line.size()));
      if (carry_.empty()) {
        RETURN_IF_ERROR(TakeLine(line));
      } else {
        carry_ += line;
        RETURN_IF_ERROR(TakeLine(carry_));
        carry_.clear();
      }
      rest.remove_prefix(end == rest.npos ? rest.size() : end + 1);
      ++line_;
    }
    if (state_.stopped) return bytes.size();
    if (!list_.targets.empty()) return bytes.size() - rest.size();
    RETURN_IF_ERROR(CheckLength(rest.size()));
    carry_ += rest;
    if (last) RETURN_IF_ERROR(Finish());
    return bytes.size();
  }

  bool has_more() const override { return !state_.stopped && !state_.finished; }

  std::vector<std::string> Notes() const override {
    std::vector<std::string> notes;
    if (both_ways_ > 0) {
      notes.push_back(StrCat(rule_.name, ": ", both_ways_,
                             both_ways_ == 1 ? " edge beside arcs is stored in both directions"
                                             : " edges beside arcs are stored in both directions"));
    }
    if (rule_.ids != PajekIds::kNumbers && listed_ < num_vertices()) {
      notes.push_back(StrCat(rule_.name, ": ", num_vertices() - listed_, " of ", num_vertices(),
                             " vertices are not listed: only those with edges are stored"));
    }
    return notes;
  }

 private:
  struct State {
    bool stopped = false;   // there were too many bad lines
    bool finished = false;  // the text has ended
    bool is_first = false;  // the next line is the first of its section
  };

  uint64_t num_vertices() const { return num_vertices_.value_or(0); }

  Status CheckLength(size_t more) const {
    if (carry_.size() + more <= rule_.max_line_bytes) return OkStatus();
    return PlaceError(rule_.name, line_, 1,
                      StrCat("a line longer than ", rule_.max_line_bytes,
                             " bytes: is this a text file, of this format?"));
  }

  Status Refuse(std::string_view what) const { return PlaceError(rule_.name, line_, 1, what); }

  Status TakeLine(std::string_view line) {
    if (line_ == 1 && line.starts_with(kUtf8Mark)) line.remove_prefix(kUtf8Mark.size());
    if (line.ends_with('\r')) line.remove_suffix(1);
    if (IsPajekBlank(line)) return OkStatus();
    const PajekSection section = PajekSectionOf(line);
    if (section != PajekSection::kNone) return Begin(section, line);
    if (std::exchange(state_.is_first, false)) RETURN_IF_ERROR(CheckFirst(line));
    switch (section_) {
      case PajekSection::kVertices:
        return TakeVertex(line);
      case PajekSection::kArcs:
      case PajekSection::kEdges:
        TakePair(line);
        return OkStatus();
      case PajekSection::kArcsList:
      case PajekSection::kEdgesList:
        TakeList(line);
        return OkStatus();
      case PajekSection::kOther:
        return OkStatus();
      default:
        return Refuse("a line before *Vertices: if this is not a network of Pajek, give --format");
    }
  }

  Status Begin(PajekSection section, std::string_view line) {
    if (section_ == PajekSection::kVertices) RETURN_IF_ERROR(FinishVertices());
    const bool is_vertices = section == PajekSection::kVertices;
    // The parts of a project have vertices of their own.
    if (section_ == PajekSection::kOther && is_vertices) return OkStatus();
    if (section == PajekSection::kMatrix) {
      return Refuse("*Matrix, which is not read: write *Arcs or *Edges");
    }
    if (section == PajekSection::kUnknown) {
      const std::string_view word = SplitBlanks(line, 1)[0];
      return Refuse(StrCat(QuotedText(word), ", which is not read: leave this section out"));
    }
    const bool is_second =
        num_vertices_.has_value() && (is_vertices || section == PajekSection::kNetwork);
    if (is_second) return Refuse("a second network: write each network to a file of its own");
    if (HasPajekEdges(section) && !num_vertices_.has_value()) {
      return Refuse("edges before *Vertices: write \"*Vertices N\" first");
    }
    section_ = section;
    state_.is_first = true;
    if (!is_vertices) return OkStatus();
    const std::optional<uint64_t> number = ReadNumPajekVertices(line);
    if (!number.has_value()) {
      return Refuse("*Vertices without the number of vertices: write \"*Vertices N\"");
    }
    num_vertices_ = number;
    return OkStatus();
  }

  /// Refuses the first line of a section that is not as what was known before.
  Status CheckFirst(std::string_view line) const {
    if (rule_.undirected && HasPajekEdges(section_) && !IsPajekUndirected(section_)) {
      return Refuse("arcs, behind the first MiB of a pipe that has edges alone: give a file");
    }
    if (!rule_.knows_head_alone || rule_.weighted || rule_.ignores_weights) return OkStatus();
    if (!HasPajekWeight(section_, line)) return OkStatus();
    return Refuse(
        "a weight, behind the first MiB of a pipe that shows none: give a file, or "
        "--weights float, or none");
  }

  Status TakeVertex(std::string_view line) {
    if (rule_.ids == PajekIds::kNumbers) return OkStatus();
    size_t at = 0;
    uint64_t vertex = 0;
    if (!ReadNumber(line, &at, &vertex)) return OkStatus();
    while (at < line.size() && IsBlank(line[at])) ++at;
    bool open_quote = false;
    const size_t label_at = at;
    const std::string_view label = NextPajekWord(line, &at, &open_quote);
    if (!open_quote && !label.empty() && !labels_.MakeRoom(vertex, label.size())) {
      return BudgetError(
                 StrCat(rule_.name, ":", line_, ":1: the labels of vertices take more than ",
                        FormatBytes(rule_.labels.limit_bytes), ": ",
                        rule_.knows_head_alone ? "give a file, not a pipe, or " : "", kTakeNumbers))
          .At({.file = rule_.name, .line = line_, .column = 1});
    }
    FieldError error{"a label in a quote that does not end on its line", "close the quote"};
    if (open_quote || (!label.empty() && !labels_.Set(vertex, label, line_, &error))) {
      AddBad(line, label_at, error);
      return OkStatus();
    }
    ++listed_;
    sink_->AddVertex(Call(vertex, &numbers_[0]));
    return OkStatus();
  }

  Status FinishVertices() {
    if (rule_.ids == PajekIds::kNumbers) return OkStatus();
    ASSIGN_OR_RETURN(const auto twins, labels_.FindTwins(num_vertices()));
    if (!twins.has_value()) return OkStatus();
    return PlaceError(rule_.name, twins->line, 1, StrCat(twins->what, ": ", kTakeNumbers));
  }

  Status Finish() {
    state_.finished = true;
    if (section_ == PajekSection::kVertices) RETURN_IF_ERROR(FinishVertices());
    return num_vertices_.has_value() ? OkStatus()
                                     : Refuse("no *Vertices: the file is empty or cut short");
  }

  /// The next number of a vertex. If there is none, notes a bad line and returns false.
  bool ReadNumber(std::string_view line, size_t* at, uint64_t* vertex) {
    while (*at < line.size() && IsBlank(line[*at])) ++*at;
    const size_t begin = *at;
    uint64_t value = 0;
    while (*at < line.size() && IsDigit(line[*at]) && *at - begin < 19) {
      value = value * 10 + static_cast<uint64_t>(line[(*at)++] - '0');
    }
    const bool ends = *at == line.size() || IsBlank(line[*at]);
    if (*at > begin && ends && value - 1 < num_vertices()) [[likely]] {
      *vertex = value;
      return true;
    }
    FieldError error{"a vertex that is not among those of *Vertices",
                     "vertices are numbers from 1 to the number after *Vertices"};
    const size_t end = std::min(line.find_first_of(" \t", begin), line.size());
    ParseId(line.substr(begin, end - begin), &value, &error);
    AddBad(line, begin, error);
    return false;
  }

  /// How `vertex` is called outside.
  VertexRef Call(uint64_t vertex, std::string* number) const {
    if (rule_.ids == PajekIds::kNumbers) return {vertex - rule_.base, {}};
    VertexRef called = labels_.Get(vertex, number);
    if (rule_.ids == PajekIds::kLabelNumbers) called.id -= rule_.base;
    return called;
  }

  void AddEdge(uint64_t source, uint64_t target, std::optional<double> weight) {
    const bool both_ways = IsPajekUndirected(section_) && !rule_.gives_once;
    both_ways_ += both_ways;
    sink_->AddEdge(Call(source, &numbers_[0]), Call(target, &numbers_[1]), weight, both_ways);
  }

  void TakePair(std::string_view line) {
    size_t at = 0;
    uint64_t source = 0, target = 0;
    if (!ReadNumber(line, &at, &source) || !ReadNumber(line, &at, &target)) return;
    while (at < line.size() && IsBlank(line[at])) ++at;
    std::optional<double> weight;
    if (rule_.weighted) weight = 1;  // as Pajek does where there is none
    const size_t begin = at;
    bool open_quote = false;
    const std::string_view word = NextPajekWord(line, &at, &open_quote);
    if (!word.empty() && !rule_.ignores_weights && (rule_.weighted || MeansWeight(word))) {
      FieldError error{"a weight, where the first line of edges has none",
                       "--weights float reads it, --weights none leaves it out"};
      if (!rule_.weighted || !ParseWeight(word, rule_.weight, &*weight, &error)) {
        return AddBad(line, begin, error);
      }
    }
    sink_->SetLine(line_);
    AddEdge(source, target, weight);
  }

  /// Takes all edges of a list, or none if one is bad.
  void TakeList(std::string_view line) {
    size_t at = 0;
    list_ = {.line = line_};
    if (!ReadNumber(line, &at, &list_.source)) return;
    while (true) {
      while (at < line.size() && IsBlank(line[at])) ++at;
      if (at == line.size()) break;
      uint64_t target = 0;
      if (!ReadNumber(line, &at, &target)) return list_.targets.clear();
      list_.targets.push_back(target);
    }
    GiveList();
  }

  /// Gives the edges of the list, until the sink is full.
  void GiveList() {
    std::optional<double> weight;
    if (rule_.weighted) weight = 1;
    sink_->SetLine(list_.line);
    while (list_.given < list_.targets.size()) {
      if (sink_->is_full()) return;
      AddEdge(list_.source, list_.targets[list_.given++], weight);
    }
    list_.targets.clear();
    list_.given = 0;
  }

  void AddBad(std::string_view line, size_t at, const FieldError& error) {
    BadLine bad = MakeBadLine({line, 0, line_}, at + error.offset, error.reason, error.advice);
    bad.missing = error.missing;
    state_.stopped |= !sink_->AddBad(std::move(bad));
  }

  const PajekRule rule_;
  PajekLabels labels_;
  PajekSection section_ = PajekSection::kNone;
  std::optional<uint64_t> num_vertices_;  // nullopt: *Vertices was not met
  uint64_t listed_ = 0;
  uint64_t line_ = 1;
  uint64_t both_ways_ = 0;
  State state_;
  PajekList list_;
  std::string carry_;
  std::array<std::string, 2> numbers_;  // of vertices without labels, as text
  OrderedSink* sink_ = nullptr;
};

}  // namespace

std::optional<uint64_t> ReadNumPajekVertices(std::string_view line) {
  const std::vector<std::string_view> words = SplitBlanks(line, 3);
  uint64_t number = 0;
  if (words.size() < 2 || !ParseNumber(words[1], &number) || number >= kMaxExternalId) {
    return std::nullopt;
  }
  return number;
}

std::unique_ptr<OrderedParser> MakePajekParser(const PajekRule& rule) {
  return std::make_unique<PajekParser>(rule);
}

}  // namespace edgemill
