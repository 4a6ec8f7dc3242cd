#include "loaders/formats/pairs.h"

#include <algorithm>
#include <cstring>

#include "loaders/formats/lines/number_parser.h"

namespace edgemill {
namespace {

constexpr uint32_t kNoNarrowId = UINT32_MAX;  // the least id that only wide edges may have

template <typename Edge>
std::span<std::byte> AsBytes(std::vector<Edge>& edges) {
  return std::as_writable_bytes(std::span(edges));
}

/// bin32 and bin64: files of pairs of ids. A seekable file is read directly into the chunk.
class PairInput final : public Input {
 public:
  PairInput(ReopeningStream stream, const ReadOptions& options, size_t id_bytes)
      : stream_(std::move(stream)), base_(options.base), edge_bytes_(2 * id_bytes) {
    info_.body.line = 0;
    info_.usually_dense = true;
    info_.columns = {"source", "target"};
    info_.min_id = base_;
    next_ = info_.body;
  }

  Status Start() {
    if (!stream_.seekable()) return OkStatus();
    const uint64_t size = stream_.stored_bytes();
    if (size % edge_bytes_ != 0) return OddLength(size);
    info_.expected_edges = size / edge_bytes_;
    return OkStatus();
  }

  const std::string& name() const override { return stream_.name(); }
  const InputInfo& info() const override { return info_; }
  uint64_t stored_bytes() const override { return stream_.stored_bytes(); }
  std::optional<uint64_t> decompressed_bytes() const override {
    return stream_.decompressed_bytes();
  }
  bool seekable() const override { return stream_.seekable(); }
  uint64_t fingerprint() const override { return stream_.fingerprint(); }
  void CloseWhileIdle() override { stream_.CloseWhileIdle(); }
  Status CheckEnd(const InputTotals&, InputInfo*) const override { return OkStatus(); }
  Status Seek(const InputPosition& position) override {
    next_ = position;
    return OkStatus();
  }

  Status NextChunk(size_t bytes, RawChunk* raw) override {
    raw->begin = raw->end = next_;
    raw->text = {};
    ASSIGN_OR_RETURN(InputStream * stream, stream_.EnsureOpen());
    bytes = std::max(bytes / edge_bytes_, size_t{1}) * edge_bytes_;
    if (stream->seekable()) {
      const uint64_t rest = stream->stored_bytes() - std::min(stream->stored_bytes(), next_.offset);
      raw->unread_bytes = std::min<uint64_t>(bytes, rest);
      raw->ends_input = raw->unread_bytes == rest;
      if (raw->ends_input) RETURN_IF_ERROR(stream->CheckSizeUnchanged());
      next_.offset += raw->unread_bytes;
    } else {
      if (stream->offset() != next_.offset) RETURN_IF_ERROR(stream->Seek(next_.offset));
      RETURN_IF_ERROR(ReadStreamed(stream, bytes, raw));
    }
    raw->end = next_;
    return OkStatus();
  }

  Status Parse(const RawChunk& raw, EdgeChunk* chunk, ParseResult* result) const override {
    const size_t bytes = raw.unread_bytes + raw.text.size();
    const size_t count = bytes / edge_bytes_;
    const bool narrow = edge_bytes_ == sizeof(NarrowEdge);
    if (narrow) {
      chunk->narrow.resize(count);
    } else {
      chunk->wide.resize(count);
    }
    const std::span<std::byte> into = narrow ? AsBytes(chunk->narrow) : AsBytes(chunk->wide);
    if (raw.unread_bytes > 0) {
      RETURN_IF_ERROR(stream_.stream()->ReadAt(into, raw.begin.offset));
    } else if (bytes > 0) {
      std::memcpy(into.data(), raw.text.data(), bytes);
    }
    result->totals.records = result->totals.edges = count;
    return narrow ? FinishNarrow(raw, chunk) : FinishWide(raw, chunk);
  }

 private:
  Status OddLength(uint64_t size) const {
    return ByteError(name(), size - size % edge_bytes_,
                     StrCat(size, " bytes are not whole pairs of ", edge_bytes_,
                            " bytes: the file is cut short, or of another format"));
  }

  Status ReadStreamed(InputStream* stream, size_t bytes, RawChunk* raw) {
    raw->buffer->Grow(bytes, 0);
    size_t filled = 0;
    const std::span<char> room(raw->buffer->data(), bytes);
    RETURN_IF_ERROR(stream->Read(std::as_writable_bytes(room), &filled));
    next_.offset += filled;
    if (filled % edge_bytes_ != 0) return OddLength(next_.offset);
    raw->text = {raw->buffer->data(), filled};
    raw->ends_input = filled < bytes;
    return OkStatus();
  }

  Status Refuse(const RawChunk& raw, size_t edge, bool second, const char* reason,
                const char* advice) const {
    const uint64_t offset = raw.begin.offset + edge * edge_bytes_ + (second ? edge_bytes_ / 2 : 0);
    return ByteError(name(), offset, StrCat(reason, ": ", advice));
  }

  Status RefuseBelowBase(const RawChunk& raw, size_t edge, bool second) const {
    return Refuse(raw, edge, second, "id 0 where ids start from 1",
                  "ids start from 1 with --base 1");
  }

  Status FinishNarrow(const RawChunk& raw, EdgeChunk* chunk) const {
    std::vector<NarrowEdge>& edges = chunk->narrow;
    if (base_ > 0) {
      for (size_t i = 0; i < edges.size(); ++i) {
        if (edges[i].source == 0) return RefuseBelowBase(raw, i, false);
        if (edges[i].target == 0) return RefuseBelowBase(raw, i, true);
        --edges[i].source;
        --edges[i].target;
      }
      return OkStatus();
    }
    uint32_t largest = 0;
    for (const NarrowEdge& edge : edges) largest = std::max({largest, edge.source, edge.target});
    if (largest != kNoNarrowId) return OkStatus();
    chunk->wide.reserve(edges.size());
    for (const NarrowEdge& edge : edges) chunk->wide.push_back({edge.source, edge.target});
    edges.clear();
    return OkStatus();
  }

  Status FinishWide(const RawChunk& raw, EdgeChunk* chunk) const {
    std::vector<WideEdge>& edges = chunk->wide;
    uint64_t largest = 0;
    for (size_t i = 0; i < edges.size(); ++i) {
      for (uint64_t* const id : {&edges[i].source, &edges[i].target}) {
        const bool second = id == &edges[i].target;
        if (*id > kMaxExternalId) {
          return Refuse(raw, i, second, "the id 2^64 - 1", "ids must be below 2^64 - 1");
        }
        if (*id < base_) return RefuseBelowBase(raw, i, second);
        *id -= base_;
        largest = std::max(largest, *id);
      }
    }
    if (largest >= kNoNarrowId) return OkStatus();
    chunk->narrow.reserve(edges.size());
    for (const WideEdge& edge : edges) {
      chunk->narrow.push_back(
          {static_cast<uint32_t>(edge.source), static_cast<uint32_t>(edge.target)});
    }
    edges.clear();
    return OkStatus();
  }

  ReopeningStream stream_;
  InputInfo info_;
  uint64_t base_;
  size_t edge_bytes_;
  InputPosition next_;
};

}  // namespace

StatusOr<std::unique_ptr<Input>> MakePairInput(ReopeningStream stream, const ReadOptions& options,
                                               size_t id_bytes) {
  auto input = std::make_unique<PairInput>(std::move(stream), options, id_bytes);
  RETURN_IF_ERROR(input->Start());
  return std::unique_ptr<Input>(std::move(input));
}

}  // namespace edgemill
