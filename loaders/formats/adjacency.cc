// Lines such as "vertex neighbour neighbour ...", as in Graphalytics' validation graphs.
#include <utility>

#include "loaders/formats/formats.h"
#include "loaders/formats/lines/number_line.h"

namespace edgemill {
namespace {

class AdjacencyFormat final : public LineFormat {
 public:
  AdjacencyFormat(const TextHead& head, const ReadOptions& options)
      : comment_(options.comment), base_(options.base) {
    info_.body = head.begin();
    info_.min_id = base_;
    info_.separator = "blanks";
    info_.columns = {"source", "targets"};
  }

  size_t CutLine(std::string_view text, InputPosition* at) const override {
    ExternalId first = at->first_field;
    if (at->fields == 0) {
      if (IsComment(text, comment_)) return SkipLine(text, at);
      size_t behind = 0;
      BadLine ignored;
      if (ReadId({text}, {.least = base_}, &behind, &first, &ignored) == FieldFound::kBad) {
        return SkipLine(text, at);
      }
    }
    const size_t cut = CutNumberLine(text, 1, 1, at);
    if (cut > 0) at->first_field = first;
    return cut;
  }

  void Parse(const RawChunk& raw, EdgeChunk* chunk, ParseResult* result) const override {
    EdgeSink sink(chunk);
    std::vector<ExternalId> ids;
    NumberLines lines(raw);
    HeadLine line;
    while (lines.Next(&line)) {
      const uint64_t before = lines.fields_before();
      if (before == 0 ? line.text.empty() || IsComment(line.text, comment_)
                      : before == kSkippedFields) {
        continue;
      }
      result->totals.records += lines.ends();
      ids.assign(before > 0 ? 1 : 0, raw.begin.first_field);
      BadLine bad;
      if (!ReadIds(line, {.least = base_}, &ids, &bad)) {
        if (!result->AddBad(std::move(bad))) return;
        continue;
      }
      if (ids.size() == 1) sink.AddVertex(ids[0] - base_);
      for (size_t i = 1; i < ids.size(); ++i) {
        sink.Add(ids[0] - base_, ids[i] - base_);
        result->totals.loops += ids[0] == ids[i];
      }
      result->totals.edges += ids.size() - 1;
    }
  }

 private:
  std::string comment_;
  uint64_t base_;
};

}  // namespace

LineFormatOr MakeAdjacencyFormat(const TextHead& head, const ReadOptions& options) {
  return std::make_unique<AdjacencyFormat>(head, options);
}

}  // namespace edgemill
