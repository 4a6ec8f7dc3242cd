// Arrays of any number type, read as edges.
#pragma once

#include <array>
#include <string>
#include <string_view>
#include <vector>

#include "common/status.h"
#include "edgemill/c_api.h"
#include "edgemill/edgemill.h"

namespace edgemill::c {

/// What edges have besides two ends.
struct EdgeKind {
  bool weighted = false;
  bool named = false;  // the ends are names
};

/// Whether `format`, of Arrow, is a type of texts.
bool IsOfNames(std::string_view format);

/// UsageError unless `format` is a type of numbers or, if `named`, of texts. `what` is for the
/// message.
Status CheckFormat(std::string_view format, bool named, std::string_view what);

/// The places of sources, targets and weights among the columns with these two or three titles.
/// UsageError where titles contradict their places.
StatusOr<std::array<size_t, 3>> EdgeColumns(const std::vector<std::string>& titles);

/// Gives the edges of arrays in parts. Ids and weights of other types than uint64_t and double are
/// copied, a part at a time.
class EdgeParts {
 public:
  /// The parts that follow are of `edges`, whose first edge is the `first_edge`-th of the input.
  /// UsageError for a type that edges of this kind do not have.
  Status Begin(const edgemill_edges& edges, EdgeKind kind, uint64_t first_edge);
  bool AtEnd() const { return at_ == edges_.count; }
  /// The next part, valid until the next call; empty at the end. BadDataError, with the number of
  /// the edge, for what is not an id or a weight.
  StatusOr<EdgeArrays> Next();

 private:
  edgemill_edges edges_ = {};
  EdgeKind kind_;
  uint64_t first_edge_ = 0;
  uint64_t at_ = 0;
  std::vector<ExternalId> sources_, targets_;
  std::vector<std::string_view> source_names_, target_names_;
  std::vector<double> weights_;
};

}  // namespace edgemill::c
