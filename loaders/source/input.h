// One input of a reader. It is cut into raw chunks in order, which are parsed out of order.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "common/status.h"
#include "common/types.h"
#include "loaders/source/raw_chunk.h"
#include "storage/format/graph_info.h"

namespace edgemill {

/// What one input declares, and where its lines of data begin.
struct InputInfo {
  bool weighted = false;
  bool integer_weights = false;
  /// What the weights mean, which stand for an edge column's values; and the column's name.
  ValueKind values = ValueKind::kNumber;
  std::string value_name;
  bool undirected = false;
  bool symmetric = false;
  std::optional<uint64_t> num_vertices;
  ExternalId first_id = 0;
  bool usually_dense = false;
  bool has_vertex_list = false;
  bool named = false;         // vertices have names
  std::string named_because;  // a note for people; empty when the options say it
  /// The input is only a vertex list: it has no edges, and does not decide whether edges are
  /// weighted.
  bool only_vertices = false;
  std::optional<uint64_t> expected_edges;
  InputPosition body;
  /// How lines were understood, for people: what is between columns ("blanks", "','"), what each
  /// column holds, the least id, and what was guessed or is ignored.
  std::string separator;
  std::vector<std::string> columns;
  ExternalId min_id = 0;
  std::vector<std::string> notes;
  bool called_undirected = false;  // by a comment, which has no effect
  /// Lines before `body` that begin as comments do. With `reports_comments`, a note for people
  /// counts those that are left out.
  uint64_t leading_comments = 0;
  bool body_is_data = false;  // `body` is the first line of data
  /// The delimiter of columns, of which quoted ones may have line ends in them. 0: lines are
  /// records.
  char quoted_delimiter = 0;
  bool reports_comments = false;
  /// By a header as Neo4j's import takes it: the numbers of the columns of source, target and
  /// perhaps weight, from 1, in the inputs of CSV that follow.
  std::vector<std::string> columns_of_next;
};

/// A file (or pipe) with its format. A raw chunk passes through NextChunk, Read, AssignLineNumbers
/// and Parse. NextChunk, Seek and AssignLineNumbers are called by one thread at a time, Read and
/// Parse by many.
class Input {
 public:
  virtual ~Input() = default;

  virtual const std::string& name() const = 0;
  virtual const InputInfo& info() const = 0;
  virtual uint64_t stored_bytes() const = 0;
  virtual uint64_t fingerprint() const = 0;
  /// The stored bytes that were decompressed so far. Nullopt for an input that is not compressed:
  /// its raw chunks are stored bytes.
  virtual std::optional<uint64_t> decompressed_bytes() const { return std::nullopt; }
  /// Whether Seek gets to a position without reading what comes before.
  virtual bool seekable() const = 0;

  /// Takes the next raw chunk, up to about `bytes` long, into `raw`, whose buffer it may use. Sets
  /// ends_input in the last one. An error belongs to the input at raw->begin. Until
  /// AssignLineNumbers, the lines and records of the positions may be those of the input's start.
  virtual Status NextChunk(size_t bytes, RawChunk* raw) = 0;
  /// Reads what NextChunk left unread, unless Parse does. IoError or BadDataError.
  virtual Status Read(RawChunk* /*raw*/) const { return OkStatus(); }
  /// Sets lines and records of a raw chunk's positions. Called for raw chunks in order.
  /// BadDataError for a line that is too long.
  virtual Status AssignLineNumbers(RawChunk* /*raw*/) { return OkStatus(); }
  /// Goes to a position at which a raw chunk ended. Called before the first NextChunk.
  virtual Status Seek(const InputPosition& position) = 0;
  /// Turns a raw chunk into edges. IoError or BadDataError when it reads the bytes itself.
  virtual Status Parse(const RawChunk& raw, EdgeChunk* chunk, ParseResult* result) const = 0;
  /// The line, from 1, of an edge of a parsed raw chunk, if the input keeps it.
  virtual std::optional<uint64_t> LineOf(const RawChunk& /*raw*/, size_t /*edge*/) const {
    return std::nullopt;
  }
  /// Whether the sums over all raw chunks are what the input declares. Called once, at the end.
  virtual Status CheckEnd(const InputTotals& totals, InputInfo* info) const = 0;
  /// Closes the file if the next NextChunk or Seek can open it again, so that thousands of inputs
  /// do not need thousands of descriptors.
  virtual void CloseWhileIdle() = 0;
};

}  // namespace edgemill
