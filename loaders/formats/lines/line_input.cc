#include "loaders/formats/lines/line_input.h"

#include <algorithm>
#include <cstring>
#include <span>
#include <utility>

#include "loaders/formats/lines/number_parser.h"

namespace edgemill {
namespace {

/// Cuts text at line ends, and gives the raw chunks to a LineFormat.
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
  Status Parse(const RawChunk& raw, EdgeChunk* chunk, ParseResult* result) const override {
    format_->Parse(raw, chunk, result);
    return OkStatus();
  }

  Status Seek(const InputPosition& position) override {
    next_ = numbers_ = position;
    return OkStatus();
  }

  Status NextChunk(size_t bytes, RawChunk* raw) override {
    raw->begin = raw->end = next_;
    raw->text = {};
    raw->unread_bytes = 0;
    raw->too_long = false;
    raw->ends_input = false;
    raw->ends_line = true;
    raw->line_end = line_end_;
    if (!pending_error_.ok()) return pending_error_;
    ASSIGN_OR_RETURN(InputStream * stream, stream_.EnsureOpen());
    if (!std::exchange(started_, true)) RETURN_IF_ERROR(stream->Seek(next_.offset));
    // Where quoted fields have line ends, only the text before shows which line ends a record.
    if (stream->seekable() && info().quoted_delimiter == 0) {
      ASSIGN_OR_RETURN(raw->unread_bytes, Cut(*stream, bytes));
      raw->ends_input = next_.offset + raw->unread_bytes == stream->stored_bytes();
      if (raw->ends_input) RETURN_IF_ERROR(stream->CheckSizeUnchanged());
    }
    const bool is_cut = raw->unread_bytes > 0 || raw->ends_input;
    if (!is_cut) RETURN_IF_ERROR(ReadText(stream, bytes, raw));
    const uint64_t size = raw->unread_bytes + raw->text.size();
    next_.offset += size;
    next_.line_bytes += size;
    if (raw->ends_line) next_.fields = next_.first_field = next_.line_bytes = 0;
    raw->end = next_;
    return OkStatus();
  }

  Status Read(RawChunk* raw) const override {
    if (raw->text.data() == nullptr) {
      const size_t size = std::exchange(raw->unread_bytes, 0);
      raw->buffer->Grow(size + 1, 0);  // one more for the line end behind the raw chunk
      char* const data = raw->buffer->data();
      RETURN_IF_ERROR(stream_.stream()->ReadAt(std::as_writable_bytes(std::span(data, size)),
                                               raw->begin.offset));
      data[size] = line_end_;
      raw->text = {data, size};
    }
    raw->lines = static_cast<uint64_t>(std::ranges::count(raw->text, line_end_));
    raw->records = format_->CountRecords(*raw);
    return OkStatus();
  }

  Status AssignLineNumbers(RawChunk* raw) override {
    raw->begin.line = numbers_.line;
    raw->begin.record = numbers_.record;
    if (raw->too_long) return TooLong(*raw);
    numbers_.line += raw->lines;
    numbers_.record += raw->records;
    raw->end.line = numbers_.line;
    raw->end.record = numbers_.record;
    return OkStatus();
  }

 private:
  /// Returns the bytes up to the last line end in the next `bytes`, or up to the end of the input.
  /// Returns 0 if there is no line end, or the input has ended.
  StatusOr<uint64_t> Cut(const InputStream& stream, uint64_t bytes) const {
    const uint64_t rest = stream.stored_bytes() - std::min(stream.stored_bytes(), next_.offset);
    if (rest <= bytes) return rest;
    // First looks at a short tail, since few lines are longer.
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

  /// Reads the next text of a stream, or of a file if the next line is longer than `bytes`.
  Status ReadText(InputStream* stream, size_t bytes, RawChunk* raw) {
    if (stream->seekable()) {
      carry_.clear();
      RETURN_IF_ERROR(stream->Seek(next_.offset));
    }
    size_t size = 0;
    size_t cut = 0;
    RETURN_IF_ERROR(Fill(stream, bytes, raw, &size, &cut));
    char* const data = raw->buffer->data();
    carry_.assign(data + cut, size - cut);
    // AssignLineNumbers reports a too long line with its number. Nothing after it is read.
    if (raw->too_long) pending_error_ = BadDataError(StrCat(name(), ": a line is too long"));
    raw->ends_input = ended_;
    raw->ends_line = cut == 0 || ended_ || data[cut - 1] == line_end_;
    data[cut] = line_end_;
    raw->text = {data, cut};
    return OkStatus();
  }

  /// Reads at least `bytes`, and more until there is a line end or the line can be cut. Sets `*cut`
  /// to just after the last line end, or to where the line is cut, or to the end of the input.
  Status Fill(InputStream* stream, size_t bytes, RawChunk* raw, size_t* size, size_t* cut) {
    RawBuffer* const buffer = raw->buffer.get();
    *size = carry_.size();
    size_t wanted = std::max(bytes, *size + 1);
    buffer->Grow(wanted + 1, 0);  // one more for the line end behind the raw chunk
    std::memcpy(buffer->data(), carry_.data(), carry_.size());
    while (true) {
      size_t filled = 0;
      const std::span<char> room(buffer->data() + *size, wanted - *size);
      const Status status = stream->Read(std::as_writable_bytes(room), &filled);
      *size += filled;
      ended_ = status.ok() && filled < room.size();
      *cut = *size;
      if (ended_) return OkStatus();
      *cut = WholeLines({buffer->data(), *size});
      if (*cut > 0) {
        pending_error_ = status;  // returned after the text before it
        return OkStatus();
      }
      RETURN_IF_ERROR(status);
      if (*size > max_line_bytes_) {
        *cut = format_->CutLine({buffer->data(), *size}, &next_);
        raw->too_long = *cut == 0;
        if (raw->too_long) *cut = std::min(*size, kShownBytes);
        return OkStatus();
      }
      wanted = *size + std::max(*size, bytes);
      buffer->Grow(wanted + 1, *size);
    }
  }

  /// The length of the whole lines, or records, at the front of `text`.
  size_t WholeLines(std::string_view text) const {
    const char quoted_delimiter = info().quoted_delimiter;
    if (quoted_delimiter == 0) return text.rfind(line_end_) + 1;
    size_t whole = 0;
    for (size_t end = 0; end != std::string_view::npos;) {
      whole = end;
      end = RecordEnd(text, whole, line_end_, quoted_delimiter);
    }
    return whole;
  }

  Status TooLong(const RawChunk& raw) const {
    const BadLine bad{raw.begin.line, raw.begin.line_bytes + 1,
                      StrCat("a line longer than ", max_line_bytes_, " bytes"),
                      "is this a text file, of this format?", std::string(raw.text)};
    return LineError(name(), bad);
  }

  /// Errors show this many bytes of a too long line.
  static constexpr size_t kShownBytes = 100;

  ReopeningStream stream_;
  std::unique_ptr<LineFormat> format_;
  char line_end_;
  size_t max_line_bytes_;
  InputPosition next_;     // of the next raw chunk to take, without its line and record
  InputPosition numbers_;  // line and record of the next raw chunk to number
  bool started_ = false;
  bool ended_ = false;
  std::string carry_;  // the bytes after the last cut
  Status pending_error_;
};

}  // namespace

std::unique_ptr<Input> MakeLineInput(ReopeningStream stream, std::unique_ptr<LineFormat> format,
                                     char line_end, size_t max_line_bytes) {
  return std::make_unique<LineInput>(std::move(stream), std::move(format), line_end,
                                     max_line_bytes);
}

}  // namespace edgemill
