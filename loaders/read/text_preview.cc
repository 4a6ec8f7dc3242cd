#include "loaders/read/text_preview.h"

#include <algorithm>

#include "loaders/read/chunk_lines.h"

namespace edgemill {
namespace {

/// How much of a head is parsed. This is enough for some rows, unless comments are longer.
constexpr size_t kPreviewBytes = size_t{64} << 10;

/// The first whole lines behind the header, as a raw chunk with a line end behind them.
RawChunk FirstLines(const TextHead& head, const InputPosition& body) {
  std::string_view text = head.text;
  text.remove_prefix(std::min<uint64_t>(body.offset - head.offset, text.size()));
  const bool all = head.whole && text.size() <= kPreviewBytes;
  text = text.substr(0, kPreviewBytes);
  if (!all) text = text.substr(0, text.rfind(head.line_end) + 1);
  RawChunk raw;
  raw.begin = body;
  raw.line_end = head.line_end;
  raw.buffer = std::make_unique<RawBuffer>();
  raw.buffer->Grow(text.size() + 1, 0);
  std::copy(text.begin(), text.end(), raw.buffer->data());
  raw.buffer->data()[text.size()] = head.line_end;
  raw.text = {raw.buffer->data(), text.size()};
  return raw;
}

}  // namespace

InputPreview PreviewText(const Input& input, const TextHead& head) {
  InputPreview preview;
  const RawChunk raw = FirstLines(head, input.info().body);
  preview.skipped_lines = raw.begin.line - 1;
  ChunkLines lines(input, raw);
  while (preview.rows.size() < InputPreview::kMaxRows && lines.Next(UINT64_MAX)) {
    preview.AddRows(lines.chunk(), lines.begin().line);
    const bool comment = lines.result().totals.records == 0 && !StripSpace(lines.text()).empty();
    preview.skipped_lines += preview.rows.empty() && comment;
  }
  return preview;
}

}  // namespace edgemill
