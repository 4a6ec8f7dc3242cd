// A piece parsed line after line: to tell which line an edge is of.
#pragma once

#include "common/status.h"
#include "loaders/source/input.h"
#include "loaders/source/piece.h"

namespace edgemill {

/// Walks over the lines of a piece of text. Slow beside parsing the piece at once.
class PieceLines {
 public:
  /// Both must outlive this.
  PieceLines(const Input& input, const Piece& piece);

  /// Parses the next line, passing over as many bad ones as a piece may have (`max_bad`); false
  /// behind the last one.
  bool Next(uint64_t max_bad);
  /// The line that Next parsed: where it, or its part in this piece, begins; its text with the line
  /// end; its edges; what else was found.
  const InputPosition& begin() const { return line_.begin; }
  std::string_view text() const { return line_.text; }
  const EdgeChunk& chunk() const { return chunk_; }
  const PieceResult& result() const { return result_; }

 private:
  const Input& input_;
  const Piece& piece_;
  Piece line_;
  size_t next_ = 0;  // in the piece's text
  EdgeChunk chunk_;
  PieceResult result_;
};

}  // namespace edgemill
