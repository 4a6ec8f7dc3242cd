// Where each vertex's list starts: 4 bytes a vertex, exact beyond 2^32 edges.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "common/buffer.h"
#include "common/memory_budget.h"
#include "common/status.h"
#include "common/types.h"
#include "kernels/device.h"
#include "storage/block_reader.h"
#include "storage/graph_store.h"

namespace edgemill {

/// Which lists of a vertex are meant: those of its out-edges or of its in-edges.
enum class Direction { kOut = 0, kIn = 1 };

/// The index as kernels use it: plain pointers, copied freely, for host and device. Vertices run to
/// num_vertices, one past the last, whose "first edge" is the number of edges.
struct VertexIndexView {
  const uint32_t* low = nullptr;        // low 32 bits of each first edge
  const VertexId* crossings = nullptr;  // vertices at which the start passes a multiple of 2^32
  uint32_t num_crossings = 0;
  VertexId num_vertices = 0;

  /// Number of the first edge of `vertex`'s list.
  EM_HOST_DEVICE EdgeIndex first_edge(VertexId vertex) const {
    uint64_t high = 0;
    if (num_crossings > 0) [[unlikely]] {
      uint32_t begin = 0;
      for (uint32_t end = num_crossings; begin < end;) {
        const uint32_t middle = begin + (end - begin) / 2;
        if (crossings[middle] <= vertex) {
          begin = middle + 1;
        } else {
          end = middle;
        }
      }
      high = begin;
    }
    return high << 32 | low[vertex];
  }
  EM_HOST_DEVICE EdgeIndex degree(VertexId vertex) const {
    return first_edge(vertex + 1) - first_edge(vertex);
  }
  /// The first vertex (num_vertices if none) whose list starts at `edge` or after it. Logarithmic.
  EM_HOST_DEVICE VertexId LowerBound(EdgeIndex edge) const {
    VertexId begin = 0;
    for (VertexId end = num_vertices; begin < end;) {
      const VertexId middle = begin + (end - begin) / 2;
      if (first_edge(middle) < edge) {
        begin = middle + 1;
      } else {
        end = middle;
      }
    }
    return begin;
  }
};

/// Owns one direction's index. Immutable once loaded; thread-safe.
class VertexIndex {
 public:
  /// Bytes that the index of `num_vertices` vertices takes.
  static uint64_t SizeBytes(uint64_t num_vertices) { return 4 * (num_vertices + 1); }

  /// Reads the offsets column of `direction`, on `threads` threads, into memory reserved in
  /// `budget`, and checks it: it never falls, starts at 0 and ends at the number of edges.
  /// BadDataError otherwise.
  static StatusOr<VertexIndex> Load(const GraphStore& store, BlockReader& reader,
                                    Direction direction, int threads, MemoryBudget& budget);

  VertexIndexView view() const {
    return {low_.data(), crossings_.data(), static_cast<uint32_t>(crossings_.size()),
            static_cast<VertexId>(low_.size() - 1)};
  }

 private:
  Status Check(EdgeIndex num_edges, int threads) const;

  MemoryReservation reservation_;
  Array<uint32_t> low_;
  std::vector<VertexId> crossings_;
};

/// An error that names a block whose contents cannot be right although its checksum is.
Status DamagedBlock(const GraphStore& store, ColumnKind column, uint64_t block,
                    std::string_view what);

/// Decodes every block of a column of packed, rising or plain 32-bit values into `values` (column's
/// num_values).
Status LoadPackedColumn(const GraphStore& store, BlockReader& reader, ColumnKind column,
                        bool ascending, int threads, std::span<uint32_t> values);

}  // namespace edgemill
