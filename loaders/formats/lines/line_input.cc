// Cuts text at line ends, and gives the pieces to a LineFormat.
#include <algorithm>
#include <cstring>

#include "loaders/formats/input.h"
#include "loaders/formats/lines/number_parser.h"

namespace edgemill {
namespace {

class LineInput final : public Input {
 public:
  LineInput(RestingStream stream, std::unique_ptr<LineFormat> format, char line_end,
            size_t max_line_bytes)
      : stream_(std::move(stream)),
        format_(std::move(format)),
        line_end_(line_end),
        max_line_bytes_(max_line_bytes),
        next_(format_->info().body) {}

  const std::string& name() const override { return stream_.name(); }
  const InputInfo& info() const override { return format_->info(); }
  uint64_t stored_bytes() const override { return stream_.stored_bytes(); }
  uint64_t fingerprint() const override { return stream_.fingerprint(); }
  std::optional<uint64_t> decompressed_bytes() const override {
    return stream_.decompressed_bytes();
  }
  bool seekable() const override { return stream_.seekable(); }
  void Rest() override { stream_.Rest(); }
  Status CheckEnd(const InputTotals& totals, InputInfo* info) const override {
    return format_->CheckEnd(totals, info);
  }
  Status Parse(const Piece& piece, EdgeChunk* chunk, PieceResult* result) const override {
    format_->Parse(piece, chunk, result);
    return OkStatus();
  }

  Status Seek(const InputPosition& position) override {
    next_ = position;
    return OkStatus();
  }

  Status Take(size_t bytes, Piece* piece) override {
    piece->begin = piece->end = next_;
    piece->text = {};
    piece->line_end = line_end_;
    if (!pending_error_.ok()) return pending_error_;
    ASSIGN_OR_RETURN(InputStream * stream, stream_.Awake());
    if (!started_) {
      RETURN_IF_ERROR(stream->Seek(next_.offset));
      started_ = true;
    }
    size_t size = 0;
    size_t cut = 0;
    RETURN_IF_ERROR(Fill(stream, bytes, piece->buffer.get(), &size, &cut));
    char* const data = piece->buffer->data();
    carry_.assign(data + cut, size - cut);
    piece->ends_line = cut == 0 || ended_ || data[cut - 1] == line_end_;
    data[cut] = line_end_;
    piece->text = {data, cut};
    piece->ends_input = ended_;
    next_.offset += cut;
    next_.line += static_cast<uint64_t>(std::count(data, data + cut, line_end_));
    next_.record += format_->CountRecords(*piece);
    next_.line_bytes += cut;
    if (piece->ends_line) next_.fields = next_.first_field = next_.line_bytes = 0;
    piece->end = next_;
    return OkStatus();
  }

 private:
  /// Reads at least `bytes`, and on to the first line end, or to where the line can be cut; `*cut`
  /// is behind the last line end, there, or at the end of the input.
  Status Fill(InputStream* stream, size_t bytes, RawBuffer* buffer, size_t* size, size_t* cut) {
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
        return *cut > 0 ? OkStatus() : TooLong({buffer->data(), *size});
      }
      wanted = *size + std::max(*size, bytes);
      buffer->Grow(wanted + 1, *size);
    }
  }

  Status TooLong(std::string_view text) const {
    const BadLine bad{next_.line, next_.line_bytes + 1,
                      StrCat("a line longer than ", max_line_bytes_, " bytes"),
                      "is this a text file, of this format?", std::string(text.substr(0, 100))};
    return LineError(name(), bad);
  }

  RestingStream stream_;
  std::unique_ptr<LineFormat> format_;
  char line_end_;
  size_t max_line_bytes_;
  InputPosition next_;
  bool started_ = false;
  bool ended_ = false;
  std::string carry_;  // the bytes behind the last cut
  Status pending_error_;
};

}  // namespace

std::unique_ptr<Input> MakeLineInput(RestingStream stream, std::unique_ptr<LineFormat> format,
                                     char line_end, size_t max_line_bytes) {
  return std::make_unique<LineInput>(std::move(stream), std::move(format), line_end,
                                     max_line_bytes);
}

}  // namespace edgemill
