// A raw chunk parsed line after line: to tell which line an edge is of.
#pragma once

#include "common/status.h"
#include "loaders/source/input.h"
#include "loaders/source/raw_chunk.h"

namespace edgemill {

/// Parses a raw chunk of text line by line, which is slower than parsing all of it at once.
class ChunkLines {
 public:
  /// `input` and `raw` must outlive the object.
  ChunkLines(const Input& input, const RawChunk& raw);

  /// Parses the next line; false after the last one. `max_bad` is as in ParseResult.
  bool Next(uint64_t max_bad);
  /// About the line that Next parsed, or the part of it in this raw chunk: where it begins, its
  /// text with the line end, its edges, and what else was found.
  const InputPosition& begin() const { return line_.begin; }
  std::string_view text() const { return line_.text; }
  const EdgeChunk& chunk() const { return chunk_; }
  const ParseResult& result() const { return result_; }

 private:
  const Input& input_;
  const RawChunk& raw_;
  RawChunk line_;
  uint64_t lines_ = 1;  // of the text: more than one where quoted fields have line ends
  size_t next_ = 0;     // where the next line begins in the raw chunk's text
  EdgeChunk chunk_;
  ParseResult result_;
};

}  // namespace edgemill
