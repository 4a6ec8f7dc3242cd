#include "loaders/formats/rows/csr_input.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <utility>

#include "common/check.h"
#include "loaders/formats/lines/number_parser.h"

namespace edgemill {
namespace {

template <typename T>
T Load(const char* at) {
  T value;
  std::memcpy(&value, at, sizeof(value));
  return value;
}

double LoadWeight(CsrWeight type, const char* at) {
  switch (type) {
    case CsrWeight::kNone:
      return 0;
    case CsrWeight::kInt32:
      return Load<int32_t>(at);
    case CsrWeight::kUint32:
      return Load<uint32_t>(at);
    case CsrWeight::kInt64:
      return static_cast<double>(Load<int64_t>(at));
    case CsrWeight::kFloat32:
      return static_cast<double>(Load<float>(at));
    case CsrWeight::kFloat64:
      return Load<double>(at);
  }
  return 0;
}

class CsrInput final : public Input {
 public:
  CsrInput(std::unique_ptr<CsrLists> lists, const ReadOptions& options,
           std::vector<std::string> notes)
      : lists_(std::move(lists)), shape_(lists_->shape()), base_(options.base) {
    info_.weighted = shape_.keeps_weights;
    const bool is_real =
        shape_.weight == CsrWeight::kFloat32 || shape_.weight == CsrWeight::kFloat64;
    info_.integer_weights = shape_.keeps_weights && (!is_real || shape_.integer_weights);
    info_.body.line = 0;
    info_.notes = std::move(notes);
    info_.columns = {"offsets", "neighbours"};
    info_.min_id = base_;
    info_.num_vertices = shape_.num_vertices + shape_.sides.others - base_;
    info_.symmetric = shape_.symmetric;
    info_.expected_edges = shape_.num_edges;
  }

  const std::string& name() const override { return lists_->stream().name(); }
  const InputInfo& info() const override { return info_; }
  uint64_t stored_bytes() const override { return lists_->stream().stored_bytes(); }
  std::optional<uint64_t> decompressed_bytes() const override {
    return lists_->decompressed_bytes();
  }
  bool seekable() const override { return lists_->seekable(); }
  uint64_t fingerprint() const override { return lists_->stream().fingerprint(); }
  Status CheckEnd(const InputTotals&, InputInfo*) const override { return OkStatus(); }
  void CloseWhileIdle() override {
    lists_->CloseWhileIdle();
    started_ = end_peeked_ = false;
  }

  /// A position's record is a vertex. Its offset is stored_edge_bytes for each edge before it.
  Status Seek(const InputPosition& position) override {
    vertex_ = position.record;
    edge_ = position.offset / shape_.stored_edge_bytes;
    if (vertex_ <= shape_.num_vertices && edge_ <= shape_.num_edges) return OkStatus();
    return RefuseByte(lists_->stream(), 0, "fewer vertices or edges than when it was read before",
                      shape_.kind);
  }

  /// A raw chunk has the number of its first edge, the ends of some vertices' lists, and the edges
  /// of these lists. A list that does not fit in one raw chunk is in several.
  Status NextChunk(size_t bytes, RawChunk* raw) override {
    raw->begin = raw->end = Position();
    raw->text = {};
    if (!std::exchange(started_, true)) RETURN_IF_ERROR(lists_->Start(vertex_, edge_));
    const size_t edge_bytes = shape_.edge_bytes();
    const size_t max_edges = std::max<size_t>(bytes / edge_bytes, 1);
    const size_t max_vertices = std::max<size_t>(bytes / 8, 2) - 1;
    raw->buffer->Grow((max_vertices + 2) * 8 + max_edges * edge_bytes, 0);
    size_t count = 0;
    uint64_t edge_end = edge_;
    char* data = raw->buffer->data();
    std::memcpy(data, &edge_, 8);
    while (vertex_ < shape_.num_vertices && count < max_vertices) {
      RETURN_IF_ERROR(PeekEnd(edge_end));
      const uint64_t room_end = edge_ + max_edges;
      edge_end = std::min(next_end_, room_end);
      std::memcpy(data + 8 * ++count, &edge_end, 8);
      if (next_end_ > room_end) break;
      end_peeked_ = false;
      ++vertex_;
    }
    CHECK(edge_end >= edge_ && edge_end - edge_ <= max_edges);  // the buffer's limit
    char* const edges = data + 8 * (count + 1);
    RETURN_IF_ERROR(lists_->ReadEdges(edge_end - edge_, edges));
    raw->text = {data, 8 * (count + 1) + (edge_end - edge_) * edge_bytes};
    edge_ = edge_end;
    raw->ends_input = vertex_ == shape_.num_vertices;
    if (raw->ends_input && edge_ != shape_.num_edges) {
      if (vertex_ == 0) return lists_->RefuseEdge(0, "edges without vertices");
      return lists_->RefuseEnd(vertex_ - 1, "a last offset that is not the number of edges");
    }
    if (raw->ends_input) RETURN_IF_ERROR(lists_->CheckEnd());
    raw->unread_bytes = 0;
    raw->end = Position();
    return OkStatus();
  }

  Status Parse(const RawChunk& raw, EdgeChunk* chunk, ParseResult* result) const override {
    const char* const ends = raw.text.data();
    if (raw.text.empty()) return OkStatus();
    const uint64_t first_edge = Load<uint64_t>(ends);
    const uint64_t end_edge = raw.end.offset / shape_.stored_edge_bytes;
    const uint64_t count = end_edge - first_edge;
    const char* target_at = ends + raw.text.size() - count * shape_.edge_bytes();
    const size_t target_step = shape_.weights_apart ? shape_.target_bytes : shape_.edge_bytes();
    const size_t weight_step = shape_.weights_apart ? shape_.weight_bytes() : shape_.edge_bytes();
    const char* weight_at =
        target_at + (shape_.weights_apart ? count * target_step : shape_.target_bytes);
    EdgeSink sink(chunk);
    const uint64_t limit = shape_.sides.bipartite ? shape_.sides.others : shape_.num_vertices;
    uint64_t vertex = raw.begin.record;
    uint64_t edge = first_edge;
    for (size_t i = 1; edge < end_edge; ++i, ++vertex) {
      for (const uint64_t list_end = Load<uint64_t>(ends + 8 * i); edge < list_end; ++edge) {
        const uint64_t target =
            shape_.target_bytes == 4 ? Load<uint32_t>(target_at) : Load<uint64_t>(target_at);
        if (target >= limit) {
          return lists_->RefuseEdge(edge,
                                    StrCat("a neighbour (", target, ") that is not a vertex"));
        }
        uint64_t source_id = vertex + shape_.sides.list_shift;
        uint64_t target_id = target + shape_.sides.target_shift;
        if (source_id < base_ || target_id < base_) {
          return lists_->RefuseEdge(edge, "id 0 with --base 1");
        }
        if (shape_.sides.lists_hold_sources) std::swap(source_id, target_id);
        sink.Add(source_id - base_, target_id - base_);
        if (shape_.keeps_weights) {
          const double weight = LoadWeight(shape_.weight, weight_at);
          if (!IsGood(weight)) return RefuseWeight(edge, weight);
          sink.AddWeight(weight);
        }
        result->totals.loops += source_id == target_id;
        target_at += target_step;
        weight_at += weight_step;
      }
    }
    result->totals.edges = result->totals.records = count;
    return OkStatus();
  }

 private:
  InputPosition Position() const { return {edge_ * shape_.stored_edge_bytes, 0, vertex_}; }

  bool IsGood(double weight) const {
    return shape_.weight == CsrWeight::kInt64 ? std::fabs(weight) <= kMaxExactInteger
                                              : std::isfinite(weight);
  }

  Status RefuseWeight(uint64_t edge, double weight) const {
    return lists_->RefuseEdge(
        edge, StrCat(shape_.weight == CsrWeight::kInt64 ? "an edge with an integer weight beyond "
                                                          "2^53 (is it floating point? --weights "
                                                          "float reads it so, none leaves it out)"
                     : std::isnan(weight) ? "an edge whose weight is not a number (NaN)"
                                          : "an edge whose weight is infinite"));
  }

  /// Sets next_end_ to the end of the list of vertex_, which must be at least `least`.
  Status PeekEnd(uint64_t least) {
    if (end_peeked_) return OkStatus();
    ASSIGN_OR_RETURN(next_end_, lists_->NextEnd());
    if (next_end_ < least || next_end_ > shape_.num_edges) {
      return lists_->RefuseEnd(
          vertex_, "an offset below the offset before it, or above the number of edges");
    }
    end_peeked_ = true;
    return OkStatus();
  }

  std::unique_ptr<CsrLists> lists_;
  CsrShape shape_;
  InputInfo info_;
  uint64_t base_;
  bool started_ = false;
  uint64_t vertex_ = 0;
  uint64_t edge_ = 0;
  uint64_t next_end_ = 0;
  bool end_peeked_ = false;
};

}  // namespace

size_t CsrShape::weight_bytes() const {
  switch (weight) {
    case CsrWeight::kNone:
      return 0;
    case CsrWeight::kInt64:
    case CsrWeight::kFloat64:
      return 8;
    default:
      return 4;
  }
}

StatusOr<std::unique_ptr<Input>> MakeCsrInput(std::unique_ptr<CsrLists> lists,
                                              const ReadOptions& options,
                                              std::vector<std::string> notes) {
  if (lists->shape().num_vertices + lists->shape().sides.others < options.base) {
    return BadDataError(StrCat(lists->stream().name(), ": no vertices with --base 1"));
  }
  return std::unique_ptr<Input>(
      std::make_unique<CsrInput>(std::move(lists), options, std::move(notes)));
}

}  // namespace edgemill
