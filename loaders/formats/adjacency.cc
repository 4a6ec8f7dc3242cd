// "vertex neighbour neighbour ..." lines, as Graphalytics' validation graphs have them.
#include <utility>

#include "loaders/formats/formats.h"
#include "loaders/formats/number_line.h"

namespace edgemill {
namespace {

class AdjacencyFormat final : public LineFormat {
 public:
  AdjacencyFormat(const TextHead& head, const ReadOptions& options)
      : comment_(options.comment), base_(options.base) {
    info_.body = {head.offset, 1, 0};
  }

  size_t max_line_bytes() const override { return kMaxAdjacencyLine; }

  void Parse(const Piece& piece, EdgeChunk* chunk, PieceResult* result) const override {
    EdgeSink sink(chunk);
    std::vector<ExternalId> ids;
    NumberLines lines(piece);
    HeadLine line;
    while (lines.Next(&line)) {
      if (line.text.empty() || IsComment(line.text, comment_)) continue;
      ++result->totals.records;
      BadLine bad;
      if (!ReadIds(line, base_, ~ExternalId{0}, &ids, &bad)) {
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
