// Arrays of any number type, read as edges.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "common/status.h"
#include "edgemill/c_api.h"
#include "edgemill/edgemill.h"

namespace edgemill::c {

/// UsageError unless `format`, of Arrow, is a number type that the name in `what` may have.
Status CheckFormat(std::string_view format, std::string_view what);

/// Gives the edges of arrays in parts. Ids and weights of other types than uint64_t and double are
/// copied, a part at a time.
class EdgeParts {
 public:
  /// The parts that follow are of `edges`, whose first edge is the `first_edge`-th of the input.
  /// UsageError for a type that is not of numbers.
  Status Begin(const edgemill_edges& edges, bool weighted, uint64_t first_edge);
  bool AtEnd() const { return at_ == edges_.count; }
  /// The next part, valid until the next call; empty at the end. BadDataError, with the number of
  /// the edge, for what is not an id or a weight.
  StatusOr<EdgeArrays> Next();

 private:
  edgemill_edges edges_ = {};
  bool weighted_ = false;
  uint64_t first_edge_ = 0;
  uint64_t at_ = 0;
  std::vector<ExternalId> sources_, targets_;
  std::vector<double> weights_;
};

}  // namespace edgemill::c
