// Data that passes between an input's cutter, its parser and the ledger: raw chunks, and the
// results of parsing them.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "common/status.h"
#include "loaders/source/edge_source.h"

namespace edgemill {

/// A place in one input.
struct InputPosition {
  uint64_t offset = 0;  // bytes of the uncompressed input before it
  uint64_t line = 1;    // the line that begins there, from 1; 0 in binary formats
  uint64_t record = 0;  // what the format counts: METIS vertices, CSR edges
  /// Inside a line that LineFormat::CutLine has cut: how many of its fields come before this place,
  /// and the value of the first field. 0 at the start of a line.
  uint64_t fields = 0;
  ExternalId first_field = 0;
  uint64_t line_bytes = 0;  // bytes of this line before the place; 0 at the start of a line
};

/// Memory for the bytes of a raw chunk, reused for later raw chunks. Not zeroed.
class RawBuffer {
 public:
  char* data() { return data_.get(); }
  size_t capacity() const { return capacity_; }
  /// Makes the memory hold `size` bytes. Keeps the first `kept` bytes.
  void Grow(size_t size, size_t kept);

 private:
  std::unique_ptr<char[]> data_;
  size_t capacity_ = 0;
};

/// What an input took that gives no text, in a form of its own: rows of a query, places of lists.
struct RawRows {
  virtual ~RawRows() = default;
  uint64_t bytes = 0;  // about what they take in memory, or take of the file
};

/// Consecutive bytes of one input, cut at a border between records, or between fields of a long
/// line.
struct RawChunk {
  InputPosition begin;
  InputPosition end;
  /// The bytes. In text formats text.data()[text.size()] may be read too and is a line end, so that
  /// scans stop there even if the input's last line has no line end.
  std::string_view text;
  /// How many bytes are still to be read at begin.offset. If any, text is empty.
  uint64_t unread_bytes = 0;
  // Set when the raw chunk is read: lines that end in text, and records as in InputPosition.
  uint64_t lines = 0;
  uint64_t records = 0;
  bool too_long = false;  // text is a part of a line that is too long and cannot be cut
  bool ends_input = false;
  bool ends_line = true;   // false: its last line goes on in the next raw chunk
  char line_end = '\n';    // '\r' in text that has no '\n'
  uint64_t name_seed = 0;  // of the hashes of names
  std::unique_ptr<RawBuffer> buffer;
  std::unique_ptr<RawRows> rows;  // of an input without text
};

/// A line, or record, that cannot be used.
struct BadLine {
  uint64_t line = 1;    // from 1
  uint64_t column = 1;  // of the offending field: from 1, in bytes of the line
  std::string reason;   // what is wrong
  std::string advice;   // what to do
  std::string text;     // the raw line without its end; cut to kMaxText
  /// In a table: "row 12, column "payee"", in place of line and column. There, `line` is the row.
  std::string place;
  bool missing = false;  // an id is not there, or NULL or the like
  static constexpr size_t kMaxText = 4096;
};

/// Sums over the raw chunks of one input, in order.
struct InputTotals {
  uint64_t records = 0;  // data lines (or binary records), bad ones too
  uint64_t edges = 0;
  uint64_t loops = 0;
  uint64_t bad_lines = 0;
  uint64_t missing_ids = 0;  // bad lines without an id
  /// Lines of comments after the first record, and before it.
  uint64_t comments = 0;
  uint64_t leading_comments = 0;
  /// Weights whose thousands separators or currencies were left out. Edges without a weight that
  /// were left out, and those that got the weight 1.
  uint64_t cleaned_weights = 0;
  uint64_t skipped_weights = 0;
  uint64_t filled_weights = 0;

  void Add(const InputTotals& other) {
    (records > 0 ? comments : leading_comments) += other.leading_comments;
    comments += other.comments;
    records += other.records;
    edges += other.edges;
    loops += other.loops;
    bad_lines += other.bad_lines;
    missing_ids += other.missing_ids;
    cleaned_weights += other.cleaned_weights;
    skipped_weights += other.skipped_weights;
    filled_weights += other.filled_weights;
  }
};

/// What parsing one raw chunk found besides its edges.
struct ParseResult {
  InputTotals totals;
  /// Bad lines in order. Beyond `max_bad` the parser stops, since what follows does not matter.
  std::vector<BadLine> bad;
  uint64_t max_bad = 0;

  /// Notes a bad line; false when parsing should stop.
  bool AddBad(BadLine line) {
    totals.missing_ids += line.missing;
    bad.push_back(std::move(line));
    ++totals.bad_lines;
    return bad.size() <= max_bad;
  }
};

/// Appends edges to a chunk, in 32-bit ids until one does not fit.
class EdgeSink {
 public:
  explicit EdgeSink(EdgeChunk* chunk) : chunk_(chunk) {}

  void Add(ExternalId source, ExternalId target) {
    if ((source | target) < kNarrowLimit && !wide_) [[likely]] {
      chunk_->narrow.push_back({static_cast<uint32_t>(source), static_cast<uint32_t>(target)});
    } else {
      AddWide(source, target);
    }
  }
  void AddWeight(double weight) { chunk_->weights.push_back(weight); }
  void AddVertex(ExternalId vertex) { chunk_->vertices.push_back(vertex); }
  bool empty() const { return chunk_->num_edges() == 0; }

 private:
  static constexpr uint64_t kNarrowLimit = UINT32_MAX;  // if (a | b) is below it, both ids are
  void AddWide(ExternalId source, ExternalId target);

  EdgeChunk* chunk_;
  bool wide_ = false;
};

}  // namespace edgemill
