// GAPBS's serialized graphs (.sg, .wsg): bool directed; int64 edges, vertices; int64
// offsets[vertices + 1]; int32 neighbours (with int32 weights in .wsg); for directed graphs the
// same of the in-lists again.
#include <algorithm>
#include <cstring>

#include "loaders/formats/binary_formats.h"

namespace edgemill {
namespace {

constexpr size_t kHeaderBytes = 1 + 8 + 8;

template <typename T>
T Load(const char* at) {
  T value;
  std::memcpy(&value, at, sizeof(value));
  return value;
}

class SerializedInput final : public Input {
 public:
  SerializedInput(RestingStream stream, RestingStream offsets, const ReadOptions& options,
                  bool weighted)
      : edges_stream_(std::move(stream)),
        offsets_stream_(std::move(offsets)),
        base_(options.base),
        edge_bytes_(weighted ? 8 : 4) {
    info_.weighted = info_.integer_weights = weighted && options.weights != WeightMode::kNone;
    info_.body.line = 0;
    info_.columns = {"offsets", "neighbours"};
    info_.min_id = base_;
  }

  /// Reads and checks the header; `head` is the front of the file.
  Status Start(std::string_view head) {
    if (head.size() < kHeaderBytes) return Refuse(head.size(), "a header cut short");
    const unsigned char directed = static_cast<unsigned char>(head[0]);
    const int64_t edges = Load<int64_t>(&head[1]);
    const int64_t vertices = Load<int64_t>(&head[9]);
    if (directed > 1) return Refuse(0, "a 'directed' flag that is neither 0 nor 1");
    if (edges < 0 || edges > int64_t{1} << 48) return Refuse(1, "an impossible number of edges");
    if (vertices < 0 || vertices > int64_t{1} << 31) {
      return Refuse(9, "an impossible number of vertices");
    }
    num_edges_ = static_cast<uint64_t>(edges);
    num_vertices_ = static_cast<uint64_t>(vertices);
    offsets_end_ = kHeaderBytes + 8 * (num_vertices_ + 1);
    const uint64_t part = 8 * (num_vertices_ + 1) + num_edges_ * edge_bytes_;
    file_bytes_ = kHeaderBytes + part * (1 + directed);
    if (edges_stream_.seekable() && edges_stream_.stored_bytes() != file_bytes_) {
      return Refuse(
          std::min(edges_stream_.stored_bytes(), file_bytes_),
          StrCat("a file of ", edges_stream_.stored_bytes(), " bytes where ", num_vertices_,
                 " vertices and ", num_edges_, " edges take ", file_bytes_));
    }
    if (num_vertices_ < base_) return Refuse(9, "no vertices with --base 1");
    info_.num_vertices = num_vertices_ - base_;
    info_.symmetric = directed == 0;
    info_.expected_edges = num_edges_;
    return OkStatus();
  }

  const std::string& name() const override { return edges_stream_.name(); }
  const InputInfo& info() const override { return info_; }
  uint64_t stored_bytes() const override { return edges_stream_.stored_bytes(); }
  std::optional<uint64_t> decompressed_bytes() const override {
    return edges_stream_.decompressed_bytes();
  }
  bool seekable() const override { return edges_stream_.seekable(); }
  uint64_t fingerprint() const override { return edges_stream_.fingerprint(); }
  Status CheckEnd(const InputTotals&, InputInfo*) const override { return OkStatus(); }
  void Rest() override {
    edges_stream_.Rest();
    offsets_stream_.Rest();
    edges_ = offsets_ = nullptr;
    block_.clear();
    block_at_ = 0;
    offset_peeked_ = false;
  }

  /// Positions count vertices (record) and the edges before them (offset / edge_bytes).
  Status Seek(const InputPosition& position) override {
    vertex_ = position.record;
    edge_ = position.offset / edge_bytes_;
    if (vertex_ <= num_vertices_ && edge_ <= num_edges_) return OkStatus();
    return Refuse(0, "fewer vertices or edges than when it was read before");
  }

  /// A piece is the offsets of some vertices, one more than vertices, then their edges. A vertex
  /// with many edges goes over several pieces.
  Status Take(size_t bytes, Piece* piece) override {
    piece->begin = piece->end = {edge_ * edge_bytes_, 0, vertex_};
    piece->text = {};
    RETURN_IF_ERROR(PrepareStreams());
    const size_t max_edges = std::max<size_t>(bytes / edge_bytes_, 1);
    const size_t max_vertices = std::max<size_t>(bytes / 8, 2) - 1;
    piece->buffer->Grow((max_vertices + 2) * 8 + max_edges * edge_bytes_, 0);
    size_t count = 0;
    uint64_t edge_end = edge_;
    char* data = piece->buffer->data();
    std::memcpy(data, &edge_, 8);
    while (vertex_ < num_vertices_ && count < max_vertices) {
      RETURN_IF_ERROR(PeekOffset());
      const uint64_t list_end = next_offset_;
      const uint64_t room_end = edge_ + max_edges;
      edge_end = std::min(list_end, room_end);
      std::memcpy(data + 8 * ++count, &edge_end, 8);
      if (list_end > room_end) break;
      offset_peeked_ = false;
      ++vertex_;
    }
    const size_t edge_bytes = (edge_end - edge_) * edge_bytes_;
    size_t filled = 0;
    const std::span<char> room(data + 8 * (count + 1), edge_bytes);
    RETURN_IF_ERROR(edges_->Read(std::as_writable_bytes(room), &filled));
    if (filled < edge_bytes) return Refuse(edges_->offset(), "a file cut short");
    edge_ = edge_end;
    piece->ends_input = vertex_ == num_vertices_;
    if (piece->ends_input && edge_ != num_edges_) {
      return Refuse(offsets_end_ - 8, "a last offset that is not the number of edges");
    }
    if (piece->ends_input) RETURN_IF_ERROR(CheckFileEnds());
    piece->text = {data, 8 * (count + 1) + edge_bytes};
    piece->unread_bytes = 0;
    piece->end = {edge_ * edge_bytes_, 0, vertex_};
    return OkStatus();
  }

  Status Parse(const Piece& piece, EdgeChunk* chunk, PieceResult* result) const override {
    const char* const offsets = piece.text.data();
    if (piece.text.empty()) return OkStatus();
    const uint64_t first_edge = Load<uint64_t>(offsets);
    const uint64_t end_edge = piece.end.offset / edge_bytes_;
    const char* at = offsets + piece.text.size() - (end_edge - first_edge) * edge_bytes_;
    EdgeSink sink(chunk);
    uint64_t vertex = piece.begin.record;
    uint64_t edge = first_edge;
    for (size_t i = 1; edge < end_edge; ++i, ++vertex) {
      for (const uint64_t list_end = Load<uint64_t>(offsets + 8 * i); edge < list_end; ++edge) {
        const uint64_t target = Load<uint32_t>(at);
        if (target >= num_vertices_) {
          return Refuse(offsets_end_ + edge * edge_bytes_,
                        StrCat("a neighbour (", Load<int32_t>(at), ") that is no vertex"));
        }
        if (vertex < base_ || target < base_) {
          return Refuse(offsets_end_ + edge * edge_bytes_, "id 0 with --base 1");
        }
        sink.Add(vertex - base_, target - base_);
        if (info_.weighted) sink.AddWeight(Load<int32_t>(at + 4));
        result->totals.loops += vertex == target;
        at += edge_bytes_;
      }
    }
    result->totals.edges = result->totals.records = end_edge - first_edge;
    return OkStatus();
  }

 private:
  Status Refuse(uint64_t offset, std::string_view reason) const {
    return ByteError(name(), offset,
                     StrCat(reason, ": the file is damaged, or no serialized graph of GAPBS"));
  }

  /// A compressed file's size shows only at its end.
  Status CheckFileEnds() {
    if (edges_stream_.seekable()) return edges_->CheckSizeUnchanged();
    RETURN_IF_ERROR(edges_->Seek(file_bytes_));
    std::byte more;
    size_t filled = 0;
    RETURN_IF_ERROR(edges_->Read({&more, 1}, &filled));
    if (filled == 0) return OkStatus();
    return Refuse(file_bytes_, "bytes behind the last neighbour");
  }

  Status PrepareStreams() {
    if (edges_ != nullptr) return OkStatus();
    ASSIGN_OR_RETURN(edges_, edges_stream_.Awake());
    ASSIGN_OR_RETURN(offsets_, offsets_stream_.Awake());
    RETURN_IF_ERROR(offsets_->Seek(kHeaderBytes + 8 * vertex_));
    ASSIGN_OR_RETURN(uint64_t first, ReadOffset());
    if (vertex_ == 0 && first != 0) return Refuse(kHeaderBytes, "a first offset that is not 0");
    last_offset_ = first;
    return edges_->Seek(offsets_end_ + edge_ * edge_bytes_);
  }

  StatusOr<uint64_t> ReadOffset() {
    if (block_at_ == block_.size()) {
      block_.resize(size_t{64} << 10);
      const uint64_t rest = offsets_end_ - offsets_->offset();
      const size_t wanted = std::min<uint64_t>(block_.size(), rest);
      size_t filled = 0;
      RETURN_IF_ERROR(
          offsets_->Read(std::as_writable_bytes(std::span(block_).first(wanted)), &filled));
      if (filled < 8 || filled % 8 != 0) return Refuse(offsets_->offset(), "offsets cut short");
      block_.resize(filled);
      block_at_ = 0;
    }
    block_at_ += 8;
    return Load<uint64_t>(&block_[block_at_ - 8]);
  }

  /// The end of the list of vertex_, in next_offset_.
  Status PeekOffset() {
    if (offset_peeked_) return OkStatus();
    ASSIGN_OR_RETURN(next_offset_, ReadOffset());
    if (next_offset_ < last_offset_ || next_offset_ > num_edges_) {
      return Refuse(kHeaderBytes + 8 * (vertex_ + 1),
                    "an offset that is not between its neighbours");
    }
    last_offset_ = next_offset_;
    offset_peeked_ = true;
    return OkStatus();
  }

  RestingStream edges_stream_;
  RestingStream offsets_stream_;
  InputInfo info_;
  uint64_t base_;
  size_t edge_bytes_;
  uint64_t num_edges_ = 0;
  uint64_t num_vertices_ = 0;
  uint64_t offsets_end_ = 0;
  uint64_t file_bytes_ = 0;
  InputStream* edges_ = nullptr;
  InputStream* offsets_ = nullptr;
  uint64_t vertex_ = 0;
  uint64_t edge_ = 0;
  uint64_t next_offset_ = 0;
  uint64_t last_offset_ = 0;
  bool offset_peeked_ = false;
  std::vector<char> block_;
  size_t block_at_ = 0;
};

}  // namespace

StatusOr<std::unique_ptr<Input>> MakeSerializedInput(RestingStream stream, InputSpec spec,
                                                     const ReadOptions& options, bool weighted) {
  if (!stream.regular()) {
    return UsageError(StrCat(stream.name(),
                             ": a serialized graph is read in two places at once, "
                             "which a pipe does not allow: give a file"));
  }
  ASSIGN_OR_RETURN(InputStream * opened, stream.Awake());
  const std::string head(opened->head().substr(0, kHeaderBytes));
  ASSIGN_OR_RETURN(auto second,
                   InputStream::Open(spec.path, spec.trust_suffix, spec.zstd_window_log_max));
  auto input = std::make_unique<SerializedInput>(
      std::move(stream), RestingStream(std::move(spec), std::move(second)), options, weighted);
  RETURN_IF_ERROR(input->Start(head));
  return std::unique_ptr<Input>(std::move(input));
}

}  // namespace edgemill
