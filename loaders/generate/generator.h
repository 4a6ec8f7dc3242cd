// Generated graphs, whose edges go directly to ingest. There is no edge file, and the memory does
// not grow with the graph.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "common/status.h"
#include "loaders/options/ingest_options.h"
#include "loaders/source/edge_source.h"

namespace edgemill {

enum class GeneratorKind { kKron, kRmat, kUniform, kWeb, kGrid, kRoad, kPath, kStar };

/// The graph to make. The same options give the same edges in the same order on every machine.
struct GeneratorOptions {
  GeneratorKind kind = GeneratorKind::kKron;
  /// kron, rmat, uniform: 2^scale vertices, unless `num_vertices` says otherwise (uniform only).
  int scale = 20;
  /// Edges drawn for each vertex, if `num_edges` is 0: 16 for kron, rmat and uniform. For web, it
  /// is the average.
  uint64_t edge_factor = 16;
  /// Vertices of uniform, web, road, grid, path and star; 0: 2^scale. Road and grid round up to a
  /// whole rectangle.
  uint64_t num_vertices = 0;
  uint64_t num_edges = 0;
  /// For rmat: the chances of the first three quadrants; the fourth has the rest. kron always has
  /// Graph500's .57, .19, .19.
  double a = 0.57;
  double b = 0.19;
  double c = 0.19;
  /// 0: GAP's seed, 27491095.
  uint64_t seed = 0;
};

/// The names of all kinds, such as "kron".
std::vector<std::string> GeneratorKindNames();
/// The kind with this name. UsageError with all names if there is none.
StatusOr<GeneratorKind> ParseGeneratorKind(std::string_view name);

/// Makes a source of the graph's edges. Kinds:
///   kron     Graph500's Kronecker graph with GAP's parameters and random stream (GAPBS
///            generator.h): a scale has exactly GAP's edges. Labels are shuffled by a bijection,
///            not by a permutation in memory.
///   rmat     a directed Kronecker graph with the chances of the options, labels not shuffled.
///   uniform  both ends drawn uniformly (Erdos-Renyi with repeats; GAP's urand).
///   web      lists with copies from earlier lists and with targets near their vertex, as in
///            crawls in the order of URLs.
///   grid     edges from each vertex to its right and lower neighbour in a rectangle.
///   road     a grid without a sixth of its edges, with a few diagonals and weights 1 to 100. Its
///            diameter is large.
///   path     0 - 1 - 2 - ...
///   star     edges from 0 to every other vertex.
/// rmat and web are directed, all others are undirected. UsageError for sizes beyond 2^32 - 2
/// vertices or 2^48 edges, or for invalid chances.
StatusOr<std::unique_ptr<EdgeSource>> MakeGenerator(const GeneratorOptions& options);

/// Sets the options that a kind needs: kron and uniform drop duplicates and loops, as GAP does, and
/// web drops duplicates.
void SetIngestDefaults(GeneratorKind kind, IngestOptions* options);

}  // namespace edgemill
