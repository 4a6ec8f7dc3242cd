#include "loaders/formats/ordered/ordered_input.h"

#include <algorithm>
#include <span>
#include <string>
#include <utility>

#include "common/cancel.h"

namespace edgemill {
namespace {

/// The parser gets at most so many bytes at once.
constexpr size_t kPieceBytes = size_t{64} << 10;
constexpr size_t kLookBytes = size_t{1} << 20;

/// The edges of a raw chunk, and what else parsing them found.
struct OrderedRows final : RawRows {
  EdgeChunk chunk;
  ParseResult result;
  std::vector<uint64_t> lines;  // of edges
};

/// The bytes that the parser gets.
struct Piece {
  std::vector<char> bytes;
  std::string_view rest;  // of `bytes`, which the parser did not take yet
  bool is_last = false;
  Status error;  // of the text after the piece

  void Read(size_t most, InputStream* stream) {
    bytes.resize(most);
    size_t filled = 0;
    error = stream->Read(std::as_writable_bytes(std::span(bytes)), &filled);
    is_last = error.ok() && filled < most;
    rest = {bytes.data(), filled};
  }
};

class OrderedInput final : public Input {
 public:
  OrderedInput(ReopeningStream stream, InputInfo info, const ReadOptions& options,
               OrderedParserMaker maker)
      : stream_(std::move(stream)),
        info_(std::move(info)),
        maker_(std::move(maker)),
        max_bad_(options.max_bad_lines) {
    info_.body.line = 0;
  }

  const std::string& name() const override { return stream_.name(); }
  const InputInfo& info() const override { return info_; }
  uint64_t stored_bytes() const override { return stream_.stored_bytes(); }
  uint64_t fingerprint() const override { return stream_.fingerprint(); }
  std::optional<uint64_t> decompressed_bytes() const override {
    const std::optional<uint64_t> decompressed = stream_.decompressed_bytes();
    return decompressed.has_value() ? decompressed : fed_;
  }
  bool seekable() const override { return false; }
  void CloseWhileIdle() override {
    stream_.CloseWhileIdle();
    parser_.reset();
  }

  Status Seek(const InputPosition& position) override {
    first_ = position;
    return OkStatus();
  }

  Status NextChunk(size_t bytes, RawChunk* raw) override {
    bytes = std::max<size_t>(bytes, 1);
    raw->text = {};
    raw->unread_bytes = 0;
    raw->ends_input = false;
    raw->begin = raw->end = Position();
    RETURN_IF_ERROR(pending_error_);
    if (parser_ == nullptr) RETURN_IF_ERROR(Start(bytes, raw->name_seed));
    raw->begin = Position();
    auto rows = std::make_unique<OrderedRows>();
    pending_error_ = ParseNext(bytes, raw->name_seed, rows.get());
    const bool is_empty = rows->chunk.num_edges() == 0 && rows->result.totals.bad_lines == 0;
    if (is_empty) RETURN_IF_ERROR(pending_error_);
    rows->bytes = fed_ - raw->begin.offset;
    raw->rows = std::move(rows);
    raw->ends_input = ended_ && pending_error_.ok();
    raw->end = Position();
    return OkStatus();
  }

  Status Parse(const RawChunk& raw, EdgeChunk* chunk, ParseResult* result) const override {
    if (raw.rows == nullptr) return OkStatus();
    auto& rows = static_cast<OrderedRows&>(*raw.rows);
    std::swap(*chunk, rows.chunk);
    const uint64_t max_bad = result->max_bad;
    *result = std::move(rows.result);
    result->max_bad = max_bad;
    return OkStatus();
  }

  std::optional<uint64_t> LineOf(const RawChunk& raw, size_t edge) const override {
    const auto& lines = static_cast<const OrderedRows&>(*raw.rows).lines;
    return edge < lines.size() ? std::optional(lines[edge]) : std::nullopt;
  }

  Status CheckEnd(const InputTotals&, InputInfo* info) const override {
    info->notes.insert(info->notes.end(), end_notes_.begin(), end_notes_.end());
    return OkStatus();
  }

 private:
  InputPosition Position() const { return {fed_, 0, chunks_}; }

  /// Opens the text, and parses what comes before the first raw chunk.
  Status Start(size_t bytes, uint64_t name_seed) {
    ASSIGN_OR_RETURN(parser_, maker_());
    ASSIGN_OR_RETURN(InputStream * stream, stream_.EnsureOpen());
    RETURN_IF_ERROR(stream->Seek(0));
    fed_ = chunks_ = 0;
    piece_ = {};
    ended_ = false;
    while (chunks_ < first_.record && !ended_) {
      RETURN_IF_ERROR(CheckCancelled());
      OrderedRows skipped;
      RETURN_IF_ERROR(ParseNext(bytes, name_seed, &skipped));
    }
    if (fed_ == first_.offset && chunks_ == first_.record && !ended_) return OkStatus();
    return ByteError(name(), fed_, "ends before the place where reading stopped: it has changed");
  }

  /// Parses about `bytes` more, or until there are as many bytes of names.
  Status ParseNext(size_t bytes, uint64_t name_seed, OrderedRows* rows) {
    ASSIGN_OR_RETURN(InputStream * stream, stream_.EnsureOpen());
    rows->result.max_bad = max_bad_;
    OrderedSink sink(info_.named, name_seed, &rows->chunk, &rows->result, &rows->lines);
    sink.LimitNames(bytes);
    ++chunks_;
    for (const uint64_t end = fed_ + bytes; fed_ < end && !ended_ && !sink.is_full();) {
      if (piece_.rest.empty() && !piece_.is_last) {
        piece_.Read(std::min(bytes, kPieceBytes), stream);
      }
      const StatusOr<size_t> taken = parser_->Feed(piece_.rest, piece_.is_last, &sink);
      const size_t done = taken.ok() ? *taken : piece_.rest.size();
      fed_ += done;
      piece_.rest.remove_prefix(done);
      if (!taken.ok()) return taken.status();
      if (piece_.rest.empty()) RETURN_IF_ERROR(piece_.error);
      if (rows->result.totals.bad_lines > max_bad_) return OkStatus();
      ended_ = piece_.is_last && piece_.rest.empty() && !parser_->has_more();
    }
    if (!ended_ || parser_ == nullptr) return OkStatus();
    if (stream->seekable()) RETURN_IF_ERROR(stream->CheckSizeUnchanged());
    end_notes_ = parser_->Notes();
    parser_.reset();  // what it keeps is free for the next input
    return OkStatus();
  }

  ReopeningStream stream_;
  InputInfo info_;
  const OrderedParserMaker maker_;
  const uint64_t max_bad_;
  std::unique_ptr<OrderedParser> parser_;  // null: not started
  Piece piece_;
  InputPosition first_;  // of the first raw chunk
  uint64_t fed_ = 0;     // bytes of the text that the parser got
  uint64_t chunks_ = 0;  // raw chunks before the next one
  bool ended_ = false;
  std::vector<std::string> end_notes_;
  Status pending_error_;  // of the text after the last raw chunk
};

}  // namespace

void OrderedSink::AddEdge(const VertexRef& source, const VertexRef& target,
                          std::optional<double> weight, bool both_ways) {
  const bool is_loop = names_.has_value() ? source.name == target.name : source.id == target.id;
  ++result_->totals.records;
  AddOne(source, target, weight);
  result_->totals.loops += is_loop;
  if (both_ways && !is_loop) AddOne(target, source, weight);
}

void OrderedSink::AddOne(const VertexRef& source, const VertexRef& target,
                         std::optional<double> weight) {
  if (names_.has_value()) {
    names_->Add(source.name, target.name);
  } else {
    edges_.Add(source.id, target.id);
  }
  if (weight.has_value()) edges_.AddWeight(*weight);
  if (lines_ != nullptr) lines_->push_back(line_);
  ++result_->totals.edges;
}

void OrderedSink::AddVertex(const VertexRef& vertex) {
  if (names_.has_value()) {
    names_->AddVertex(vertex.name);
  } else {
    edges_.AddVertex(vertex.id);
  }
}

bool OrderedSink::AddBad(BadLine bad) {
  ++result_->totals.records;
  return result_->AddBad(std::move(bad));
}

Status PlaceError(const std::string& name, uint64_t line, uint64_t column, std::string_view what) {
  return BadDataError(StrCat(name, ":", line, ":", column, ": ", what))
      .At({.file = name, .line = line, .column = column});
}

std::unique_ptr<Input> MakeOrderedInput(ReopeningStream stream, InputInfo info,
                                        const ReadOptions& options, OrderedParserMaker maker) {
  return std::make_unique<OrderedInput>(std::move(stream), std::move(info), options,
                                        std::move(maker));
}

Status LookThrough(ReopeningStream* stream, size_t overlap,
                   const std::function<bool(std::string_view part)>& look) {
  ASSIGN_OR_RETURN(InputStream * opened, stream->EnsureOpen());
  std::string part;
  for (bool more = true; more;) {
    RETURN_IF_ERROR(CheckCancelled());
    const size_t kept = std::min(part.size(), overlap);
    part.erase(0, part.size() - kept);
    part.resize(kept + kLookBytes);
    size_t filled = 0;
    const std::span<char> room = std::span(part).subspan(kept);
    const Status status = opened->Read(std::as_writable_bytes(room), &filled);
    part.resize(kept + filled);
    // Damage is reported when reading gets there.
    more = look(part) && status.ok() && filled == kLookBytes;
  }
  stream->CloseWhileIdle();
  return OkStatus();
}

}  // namespace edgemill
