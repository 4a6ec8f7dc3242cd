#include "loaders/read/look.h"

#include <algorithm>

#include "loaders/read/piece_lines.h"

namespace edgemill {
namespace {

/// So much of a head is enough for some rows, but where comments are longer.
constexpr size_t kLookBytes = size_t{64} << 10;

/// The first whole lines behind the header, as a piece with a line end behind them.
Piece FirstLines(const TextHead& head, const InputPosition& body) {
  std::string_view text = head.text;
  text.remove_prefix(std::min<uint64_t>(body.offset - head.offset, text.size()));
  const bool all = head.whole && text.size() <= kLookBytes;
  text = text.substr(0, kLookBytes);
  if (!all) text = text.substr(0, text.rfind(head.line_end) + 1);
  Piece piece;
  piece.begin = body;
  piece.line_end = head.line_end;
  piece.buffer = std::make_unique<RawBuffer>();
  piece.buffer->Grow(text.size() + 1, 0);
  std::copy(text.begin(), text.end(), piece.buffer->data());
  piece.buffer->data()[text.size()] = head.line_end;
  piece.text = {piece.buffer->data(), text.size()};
  return piece;
}

}  // namespace

InputLook LookAtText(const Input& input, const TextHead& head) {
  InputLook look;
  const Piece piece = FirstLines(head, input.info().body);
  look.skipped_lines = piece.begin.line - 1;
  PieceLines lines(input, piece);
  while (look.rows.size() < InputLook::kMaxRows && lines.Next(UINT64_MAX)) {
    look.AddRows(lines.chunk(), lines.begin().line);
    const bool comment = lines.result().totals.records == 0 && !StripSpace(lines.text()).empty();
    look.skipped_lines += look.rows.empty() && comment;
  }
  return look;
}

}  // namespace edgemill
