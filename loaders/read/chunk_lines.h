// A raw chunk parsed line after line: to tell which line an edge is of.
#pragma once

#include "common/status.h"
#include "loaders/source/input.h"
#include "loaders/source/raw_chunk.h"

namespace edgemill {

/// Walks over the lines of a raw chunk of text. Slow beside parsing the raw chunk at once.
class ChunkLines {
 public:
  /// Both must outlive this.
  ChunkLines(const Input& input, const RawChunk& raw);

  /// Parses the next line, passing over as many bad ones as a raw chunk may have (`max_bad`); false
  /// behind the last one.
  bool Next(uint64_t max_bad);
  /// The line that Next parsed: where it, or its part in this raw chunk, begins; its text with the
  /// line end; its edges; what else was found.
  const InputPosition& begin() const { return line_.begin; }
  std::string_view text() const { return line_.text; }
  const EdgeChunk& chunk() const { return chunk_; }
  const ParseResult& result() const { return result_; }

 private:
  const Input& input_;
  const RawChunk& raw_;
  RawChunk line_;
  size_t next_ = 0;  // in the raw chunk's text
  EdgeChunk chunk_;
  ParseResult result_;
};

}  // namespace edgemill
