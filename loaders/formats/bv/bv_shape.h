// What the .properties file of a BV graph declares.
#pragma once

#include <cstdint>
#include <string>

#include "common/status.h"
#include "loaders/formats/bv/bit_reader.h"

namespace edgemill {

/// A BV graph has vertices 0 to num_vertices - 1. Its codes are those that the file says, or
/// WebGraph's own.
struct BvShape {
  uint64_t num_vertices = 0;
  uint64_t num_edges = 0;
  uint64_t window = 7;        // a list may refer to one of so many lists before it
  uint64_t max_chain = 3;     // of references; UINT64_MAX: there is no bound
  uint64_t min_interval = 4;  // the least length of an interval; 0: there are none
  uint32_t zeta_k = 3;
  BvCode outdegrees = BvCode::kGamma;
  BvCode references = BvCode::kUnary;
  BvCode block_counts = BvCode::kGamma;
  BvCode blocks = BvCode::kGamma;
  BvCode residuals = BvCode::kZeta;
  BvCode offsets = BvCode::kGamma;
};

/// Whether the file can be read and describes a BV graph.
bool DescribesBvGraph(const std::string& properties_path);

/// BadDataError, with the line, for a file that describes none, or one that cannot be read.
StatusOr<BvShape> ReadBvShape(const std::string& properties_path);

}  // namespace edgemill
