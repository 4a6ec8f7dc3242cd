#include "loaders/formats/lines/line_input.h"

#include <algorithm>
#include <cstring>
#include <span>
#include <utility>

#include "loaders/formats/lines/number_parser.h"

namespace edgemill {
namespace {

/// Cuts text at line ends, and gives the pieces to a LineFormat.
class LineInput final : public Input {
 public:
  LineInput(ReopeningStream stream, std::unique_ptr<LineFormat> format, char line_end,
            size_t max_line_bytes)
      : stream_(std::move(stream)),
        format_(std::move(format)),
        line_end_(line_end),
        max_line_bytes_(max_line_bytes),
        next_(format_->info().body),
        numbers_(next_) {}

  const std::string& name() const override { return stream_.name(); }
  const InputInfo& info() const override { return format_->info(); }
  uint64_t stored_bytes() const override { return stream_.stored_bytes(); }
  uint64_t fingerprint() const override { return stream_.fingerprint(); }
  std::optional<uint64_t> decompressed_bytes() const override {
    return stream_.decompressed_bytes();
  }
  bool seekable() const override { return stream_.seekable(); }
  void CloseWhileIdle() override { stream_.CloseWhileIdle(); }
  Status CheckEnd(const InputTotals& totals, InputInfo* info) const override {
    return format_->CheckEnd(totals, info);
  }
  Status Parse(const Piece& piece, EdgeChunk* chunk, PieceResult* result) const override {
    format_->Parse(piece, chunk, result);
    return OkStatus();
  }

  Status Seek(const InputPosition& position) override {
    next_ = numbers_ = position;
    return OkStatus();
  }

  Status Take(size_t bytes, Piece* piece) override {
    piece->begin = piece->end = next_;
    piece->text = {};
    piece->unread_bytes = 0;
    piece->too_long = false;
    piece->ends_input = false;
    piece->ends_line = true;
    piece->line_end = line_end_;
    if (!pending_error_.ok()) return pending_error_;
    ASSIGN_OR_RETURN(InputStream * stream, stream_.Awake());
    if (!std::exchange(started_, true)) RETURN_IF_ERROR(stream->Seek(next_.offset));
    if (stream->seekable()) {
      ASSIGN_OR_RETURN(piece->unread_bytes, Cut(*stream, bytes));
      piece->ends_input = next_.offset + piece->unread_bytes == stream->stored_bytes();
      if (piece->ends_input) RETURN_IF_ERROR(stream->CheckSizeUnchanged());
    }
    const bool is_cut = piece->unread_bytes > 0 || piece->ends_input;
    if (!is_cut) RETURN_IF_ERROR(TakeText(stream, bytes, piece));
    const uint64_t size = piece->unread_bytes + piece->text.size();
    next_.offset += size;
    next_.line_bytes += size;
    if (piece->ends_line) next_.fields = next_.first_field = next_.line_bytes = 0;
    piece->end = next_;
    return OkStatus();
  }

  Status Read(Piece* piece) const override {
    if (piece->text.data() == nullptr) {
      const size_t size = std::exchange(piece->unread_bytes, 0);
      piece->buffer->Grow(size + 1, 0);  // one more for the line end behind the piece
      char* const data = piece->buffer->data();
      RETURN_IF_ERROR(stream_.stream()->ReadAt(std::as_writable_bytes(std::span(data, size)),
                                               piece->begin.offset));
      data[size] = line_end_;
      piece->text = {data, size};
    }
    piece->lines = static_cast<uint64_t>(std::ranges::count(piece->text, line_end_));
    piece->records = format_->CountRecords(*piece);
    return OkStatus();
  }

  Status AssignLineNumbers(Piece* piece) override {
    piece->begin.line = numbers_.line;
    piece->begin.record = numbers_.record;
    if (piece->too_long) return TooLong(*piece);
    numbers_.line += piece->lines;
    numbers_.record += piece->records;
    piece->end.line = numbers_.line;
    piece->end.record = numbers_.record;
    return OkStatus();
  }

 private:
  /// The bytes up to the last line end of the next `bytes`, or to the end of the input; 0 where
  /// these have no line end, or the input has no more.
  StatusOr<uint64_t> Cut(const InputStream& stream, uint64_t bytes) const {
    const uint64_t rest = stream.stored_bytes() - std::min(stream.stored_bytes(), next_.offset);
    if (rest <= bytes) return rest;
    // Few lines are longer than what is looked at first.
    std::string tail;
    for (uint64_t size = std::min<uint64_t>(bytes, 4096);; size = std::min(bytes, 8 * size)) {
      tail.resize(size);
      RETURN_IF_ERROR(
          stream.PeekAt(std::as_writable_bytes(std::span(tail)), next_.offset + bytes - size));
      const size_t end = tail.rfind(line_end_);
      if (end != std::string::npos) return bytes - size + end + 1;
      if (size == bytes) return 0;
    }
  }

  /// Reads the next text of a stream, or of a file where a line longer than `bytes` begins.
  Status TakeText(InputStream* stream, size_t bytes, Piece* piece) {
    if (stream->seekable()) {
      carry_.clear();
      RETURN_IF_ERROR(stream->Seek(next_.offset));
    }
    size_t size = 0;
    size_t cut = 0;
    RETURN_IF_ERROR(Fill(stream, bytes, piece, &size, &cut));
    char* const data = piece->buffer->data();
    carry_.assign(data + cut, size - cut);
    // Told when its number is known; nothing behind it is read.
    if (piece->too_long) pending_error_ = BadDataError(StrCat(name(), ": a line is too long"));
    piece->ends_input = ended_;
    piece->ends_line = cut == 0 || ended_ || data[cut - 1] == line_end_;
    data[cut] = line_end_;
    piece->text = {data, cut};
    return OkStatus();
  }

  /// Reads at least `bytes`, and on to the first line end, or to where the line can be cut; `*cut`
  /// is behind the last line end, there, or at the end of the input.
  Status Fill(InputStream* stream, size_t bytes, Piece* piece, size_t* size, size_t* cut) {
    RawBuffer* const buffer = piece->buffer.get();
    *size = carry_.size();
    size_t wanted = std::max(bytes, *size + 1);
    buffer->Grow(wanted + 1, 0);  // one more for the line end behind the piece
    std::memcpy(buffer->data(), carry_.data(), carry_.size());
    while (true) {
      size_t filled = 0;
      const std::span<char> room(buffer->data() + *size, wanted - *size);
      const Status status = stream->Read(std::as_writable_bytes(room), &filled);
      *size += filled;
      ended_ = status.ok() && filled < room.size();
      *cut = *size;
      if (ended_) return OkStatus();
      while (*cut > 0 && buffer->data()[*cut - 1] != line_end_) --*cut;
      if (*cut > 0) {
        pending_error_ = status;  // after what came before it
        return OkStatus();
      }
      RETURN_IF_ERROR(status);
      if (*size > max_line_bytes_) {
        *cut = format_->CutLine({buffer->data(), *size}, &next_);
        piece->too_long = *cut == 0;
        if (piece->too_long) *cut = std::min(*size, kToldBytes);
        return OkStatus();
      }
      wanted = *size + std::max(*size, bytes);
      buffer->Grow(wanted + 1, *size);
    }
  }

  Status TooLong(const Piece& piece) const {
    const BadLine bad{piece.begin.line, piece.begin.line_bytes + 1,
                      StrCat("a line longer than ", max_line_bytes_, " bytes"),
                      "is this a text file, of this format?", std::string(piece.text)};
    return LineError(name(), bad);
  }

  /// The bytes of a line that is too long that errors show.
  static constexpr size_t kToldBytes = 100;

  ReopeningStream stream_;
  std::unique_ptr<LineFormat> format_;
  char line_end_;
  size_t max_line_bytes_;
  InputPosition next_;     // of the next piece to be taken; without its line and record
  InputPosition numbers_;  // line and record of the next piece to be numbered
  bool started_ = false;
  bool ended_ = false;
  std::string carry_;  // the bytes behind the last cut
  Status pending_error_;
};

}  // namespace

std::unique_ptr<Input> MakeLineInput(ReopeningStream stream, std::unique_ptr<LineFormat> format,
                                     char line_end, size_t max_line_bytes) {
  return std::make_unique<LineInput>(std::move(stream), std::move(format), line_end,
                                     max_line_bytes);
}

}  // namespace edgemill
