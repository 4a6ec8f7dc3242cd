// Lines of any count of numbers: what adjacency lines and METIS share.
#pragma once

#include <cstdint>
#include <vector>

#include "loaders/formats/line_format.h"
#include "loaders/formats/number_parser.h"
#include "loaders/source/piece.h"

namespace edgemill {

/// Adjacency lines hold a whole neighbour list and may be this long.
inline constexpr size_t kMaxAdjacencyLine = size_t{64} << 20;

/// Walks over a piece's lines; they come without line end and trailing blanks.
class NumberLines {
 public:
  explicit NumberLines(const Piece& piece) : piece_(piece), number_(piece.begin.line) {}
  bool Next(HeadLine* line);

 private:
  const Piece& piece_;
  size_t at_ = 0;
  uint64_t number_;
};

/// Reads the next field at `*at` (blanks before it skipped) as an id in [min_id, max_id] and moves
/// behind it. False at a bad one, which `bad` describes; at the end of the line `*end` is set and
/// no id read.
bool ReadId(const HeadLine& line, uint64_t min_id, uint64_t max_id, size_t* at, ExternalId* id,
            bool* end, BadLine* bad);

/// Reads the whole line into `ids` (cleared first).
bool ReadIds(const HeadLine& line, uint64_t min_id, uint64_t max_id, std::vector<ExternalId>* ids,
             BadLine* bad);

}  // namespace edgemill
