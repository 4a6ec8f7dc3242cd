// N-Triples and N-Quads: lines such as "<subject> <predicate> <object> .". Subjects and objects are
// vertices. Their names are IRIs without angle brackets, or "_:label". Lines whose object is a
// literal are no edges.
#include <algorithm>
#include <array>
#include <charconv>

#include "loaders/formats/formats.h"
#include "loaders/formats/lines/number_line.h"

namespace edgemill {
namespace {

constexpr const char* kTripleAdvice = "lines are <subject> <predicate> <object> .";

/// Reads one line, with a triple or quad, from left to right.
class TripleLine {
 public:
  explicit TripleLine(std::string_view text) : text_(text) { SkipBlanks(); }

  /// Whether there is no triple on the line.
  bool empty() const { return at_ == text_.size() || text_[at_] == '#'; }
  bool at_literal() const { return at_ < text_.size() && text_[at_] == '"'; }
  /// Whether a term follows, such as the fourth one of N-Quads.
  bool at_term() const { return at_ < text_.size() && (text_[at_] == '<' || text_[at_] == '_'); }

  /// Reads an IRI or the label of a blank node.
  bool ReadTerm(std::string* name, FieldError* error) {
    if (at_ < text_.size() && text_[at_] == '<') return ReadIri(name, error);
    if (!text_.substr(at_).starts_with("_:")) return Fail("no IRI in <> and no blank node", error);
    const size_t end = std::min(text_.find_first_of(" \t<\"", at_), text_.size());
    *name = text_.substr(at_, end - at_);
    if (!CheckName(*name, error)) return AddOffset(error);
    at_ = end;
    SkipBlanks();
    return true;
  }

  bool ReadIri(std::string* name, FieldError* error) {
    if (at_ == text_.size() || text_[at_] != '<') return Fail("no IRI in <>", error);
    const size_t end = text_.find('>', at_);
    if (end == std::string_view::npos) return Fail("an IRI that does not end on its line", error);
    name->clear();
    for (++at_; at_ < end; ++at_) {
      if (text_[at_] != '\\') {
        *name += text_[at_];
      } else if (!ReadEscape(end, name)) {
        return Fail("an escape that is no \\uXXXX or \\UXXXXXXXX", error);
      }
    }
    if (!CheckName(*name, error)) return Fail(error->reason, error);
    ++at_;
    SkipBlanks();
    return true;
  }

  /// Skips a literal, its language and its type.
  bool SkipLiteral(FieldError* error) {
    size_t end = at_ + 1;
    while (end < text_.size() && text_[end] != '"') end += text_[end] == '\\' ? 2 : 1;
    if (end >= text_.size()) return Fail("a literal that does not end on its line", error);
    at_ = end + 1;
    if (text_.substr(at_).starts_with("^^")) {
      std::string type;
      at_ += 2;
      return ReadIri(&type, error);
    }
    if (at_ < text_.size() && text_[at_] == '@') {
      at_ = std::min(text_.find_first_of(" \t.", at_), text_.size());
    }
    SkipBlanks();
    return true;
  }

  /// Reads the full stop at the end. Only a comment may follow it.
  bool ReadEnd(FieldError* error) {
    if (at_ == text_.size() || text_[at_] != '.') return Fail("no full stop after a triple", error);
    ++at_;
    SkipBlanks();
    return empty() || Fail("text after the full stop", error);
  }

 private:
  void SkipBlanks() {
    while (at_ < text_.size() && IsBlank(text_[at_])) ++at_;
  }
  bool Fail(const char* reason, FieldError* error) const {
    *error = {reason, kTripleAdvice, at_};
    return false;
  }
  bool AddOffset(FieldError* error) const {
    error->offset += at_;
    return false;
  }

  /// Reads the escape at the backslash, up to its last digit, and adds its character as UTF-8.
  bool ReadEscape(size_t end, std::string* name) {
    const size_t digits = text_[at_ + 1] == 'u' ? 4 : text_[at_ + 1] == 'U' ? 8 : 0;
    if (digits == 0 || at_ + 1 + digits >= end) return false;
    uint32_t code = 0;
    const char* const first = text_.data() + at_ + 2;
    const auto [last, result] = std::from_chars(first, first + digits, code, 16);
    const bool is_surrogate = code >= 0xd800 && code < 0xe000;
    if (last != first + digits || result != std::errc() || is_surrogate || code > 0x10ffff) {
      return false;
    }
    at_ += 1 + digits;
    if (code < 0x80) {
      *name += static_cast<char>(code);
      return true;
    }
    const int tails = code < 0x800 ? 1 : code < 0x10000 ? 2 : 3;
    constexpr std::array<uint32_t, 4> kFirst = {0, 0xc0, 0xe0, 0xf0};
    *name += static_cast<char>(kFirst[static_cast<size_t>(tails)] | code >> (6 * tails));
    for (int i = tails - 1; i >= 0; --i)
      *name += static_cast<char>(0x80 | (code >> (6 * i) & 0x3f));
    return true;
  }

  std::string_view text_;
  size_t at_ = 0;
};

class TriplesFormat : public LineFormat {
 public:
  TriplesFormat(const TextHead& head, const ReadOptions& options) : name_(head.name) {
    info_.body = head.begin();
    info_.named = true;
    info_.separator = "blanks";
    info_.columns = {"source", "ignored", "target"};
    if (options.ids == IdReading::kAuto) {
      info_.named_because = StrCat(name_, ": ids are names (IRIs and labels of blank nodes)");
    }
    info_.notes.push_back(StrCat(name_, ": predicates are ignored"));
  }

  void Parse(const RawChunk& raw, EdgeChunk* chunk, ParseResult* result) const override {
    NameSink names(chunk, raw.name_seed);
    NumberLines lines(raw);
    HeadLine line;
    std::string source, target, ignored;
    while (lines.Next(&line)) {
      TripleLine triple(line.text);
      if (triple.empty()) continue;
      ++result->totals.records;
      FieldError error;
      bool good = triple.ReadTerm(&source, &error) && triple.ReadIri(&ignored, &error);
      const bool literal = triple.at_literal();
      good = good && (literal ? triple.SkipLiteral(&error) : triple.ReadTerm(&target, &error));
      if (good && triple.at_term()) good = triple.ReadTerm(&ignored, &error);
      if (!good || !triple.ReadEnd(&error)) {
        if (result->AddBad(MakeBadLine(line, error.offset, error.reason, error.advice))) continue;
        return;
      }
      if (literal) continue;
      names.Add(source, target);
      ++result->totals.edges;
      result->totals.loops += source == target;
    }
  }

  Status CheckEnd(const InputTotals& totals, InputInfo* info) const override {
    const uint64_t literals = totals.records - totals.edges - totals.bad_lines;
    if (literals > 0) {
      info->notes.push_back(StrCat(name_, ": ", literals, literals == 1 ? " line" : " lines",
                                   " with a literal for an object left out"));
    }
    return OkStatus();
  }

 private:
  std::string name_;
};

}  // namespace

LineFormatOr MakeTriplesFormat(const TextHead& head, const ReadOptions& options) {
  if (options.ids == IdReading::kNumbers) {
    return UsageError(StrCat(head.name, ": N-Triples have names for ids: leave out --ids"));
  }
  if (options.base > 0) {
    return UsageError(StrCat(head.name, ": --base is for ids that are numbers, these are names"));
  }
  return std::make_unique<TriplesFormat>(head, options);
}

}  // namespace edgemill
