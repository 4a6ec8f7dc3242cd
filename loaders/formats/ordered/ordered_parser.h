// Parsers of texts that carry state from line to line, so that one thread reads them in order.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "common/status.h"
#include "loaders/formats/lines/name_parser.h"
#include "loaders/source/raw_chunk.h"

namespace edgemill {

/// A vertex: its id, or its name if vertices have names.
struct VertexRef {
  ExternalId id = 0;
  std::string_view name;
};

/// The destination of edges and vertices of an ordered text.
class OrderedSink {
 public:
  /// With `named`, vertices have names, whose hashes get `name_seed`. Unless `lines` is null, it
  /// gets the line of each edge.
  OrderedSink(bool named, uint64_t name_seed, EdgeChunk* chunk, ParseResult* result,
              std::vector<uint64_t>* lines = nullptr)
      : chunk_(chunk), edges_(chunk), result_(result), lines_(lines) {
    if (named) names_.emplace(chunk, name_seed);
  }

  /// From so many bytes of names on, the sink is full.
  void LimitNames(size_t bytes) { most_name_bytes_ = bytes; }
  bool is_full() const {
    const std::vector<NameList::Entry>& names = chunk_->names.entries();
    return !names.empty() && names.back().offset + names.back().length >= most_name_bytes_;
  }
  /// The line of the edges that follow.
  void SetLine(uint64_t line) { line_ = line; }
  /// Adds an edge, and with `both_ways` also the one in the other direction, unless it is a loop.
  void AddEdge(const VertexRef& source, const VertexRef& target, std::optional<double> weight,
               bool both_ways);
  void AddVertex(const VertexRef& vertex);
  /// Notes a bad line. Returns false when parsing should stop.
  bool AddBad(BadLine bad);
  InputTotals* totals() { return &result_->totals; }

 private:
  void AddOne(const VertexRef& source, const VertexRef& target, std::optional<double> weight);

  EdgeChunk* chunk_;
  EdgeSink edges_;
  std::optional<NameSink> names_;
  size_t most_name_bytes_ = SIZE_MAX;
  ParseResult* result_;
  std::vector<uint64_t>* lines_;
  uint64_t line_ = 0;
};

/// Parses one text from its start to its end.
class OrderedParser {
 public:
  virtual ~OrderedParser() = default;

  /// Parses the next bytes of the text, whose tokens may be cut anywhere. `last`: no more follow.
  /// Returns how many bytes it took: fewer than all only when `sink` is full. BadDataError for a
  /// text that is not of this format. What comes before the error is in `sink`.
  virtual StatusOr<size_t> Feed(std::string_view bytes, bool last, OrderedSink* sink) = 0;
  /// Whether Feed must be called again after it took the last bytes, since the sink was full.
  virtual bool has_more() const { return false; }
  /// Notes for people about the whole text. Called after its last bytes.
  virtual std::vector<std::string> Notes() const { return {}; }
};

/// "NAME:LINE:COLUMN: WHAT" as a BadDataError with its place. `what` says what to do, too.
Status PlaceError(const std::string& name, uint64_t line, uint64_t column, std::string_view what);

}  // namespace edgemill
