// What the catalog says of a graph, of its columns and of their pages.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "common/os/uuid.h"
#include "common/types.h"

namespace edgemill {

enum class WeightType : uint8_t { kNone = 0, kInt32 = 1, kFloat32 = 2, kFloat64 = 3 };
/// What the values of an edge column mean. Stored: never renumber.
enum class ValueKind : uint8_t {
  kNumber = 0,
  kTime = 1,  // microseconds since 1970-01-01T00:00:00, without a time zone
  kText = 2,  // numbers of EdgeColumn::texts
};
/// A named value beside each edge, in addition to its weight.
struct EdgeColumn {
  std::string name;
  ValueKind kind = ValueKind::kNumber;
  WeightType type = WeightType::kInt32;  // how values are stored, as weights are; never kNone
  bool has_negative = false;
  std::vector<std::string> texts;  // of kText: those that occur, rising by their bytes

  bool operator==(const EdgeColumn&) const = default;
};
enum class Renumbering : uint8_t { kNone = 0, kDegree = 1, kHub = 2, kRandom = 3 };

/// What the catalog says of a graph as a whole.
struct GraphInfo {
  Uuid uuid;
  uint64_t num_vertices = 0;
  /// Edges stored in one direction. A symmetric graph counts each direction of an undirected edge.
  EdgeIndex num_edges = 0;
  bool directed = true;     // false: symmetric, so out-columns serve as in-columns too
  bool sparse_ids = false;  // external ids are in kExternalIds
  ExternalId id_base = 0;   // dense ids: external id = rank + id_base
  /// Bytes of kNames; 0: vertices have no names. Vertices with names have ids too: their ranks.
  uint64_t name_bytes = 0;
  WeightType weights = WeightType::kNone;
  Renumbering renumbering = Renumbering::kNone;
  uint64_t num_self_loops = 0;
  uint64_t num_duplicates = 0;  // edges beyond the first with the same source and target
  bool has_negative_weight = false;
  std::vector<EdgeColumn> edge_columns;
  /// The edge column that stands in the place of the weights, by OpenOptions::weight.
  std::optional<size_t> weight_column;
  uint32_t block_edges = 1u << 15;  // values a block of every column
  uint32_t page_blocks = 256;       // blocks a page
  /// Where the 64-bit edge offsets of a direction pass a multiple of 2^32. For each multiple, this
  /// has the first vertex v with first_edge(v) at or above it, rising. A vertex repeats when the
  /// list before it spans several multiples. [0] is out, [1] is in.
  std::array<std::vector<VertexId>, 2> offset_crossings;

  /// Blocks of a column of neighbours.
  uint64_t num_blocks() const { return (num_edges + block_edges - 1) / block_edges; }
};

/// A column's blocks, as the catalog lists them.
struct ColumnInfo {
  uint64_t num_values = 0;
  uint64_t stored_bytes = 0;   // headers and padding included
  uint64_t payload_bytes = 0;  // once decompressed
  uint64_t num_blocks = 0;
};

/// A page of a neighbour column: the unit of scheduling.
struct PageInfo {
  VertexId first_source = 0;  // of its first edge
  VertexId last_source = 0;   // of its last edge
  VertexId min_target = 0;
  VertexId max_target = 0;
};

}  // namespace edgemill
