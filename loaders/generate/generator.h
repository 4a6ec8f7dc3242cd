// Graphs made up edge by edge, straight into ingest: no edge file, no memory that grows with the
// graph.
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

/// Which graph to make. The same options give the same edges in the same order on every machine.
struct GeneratorOptions {
  GeneratorKind kind = GeneratorKind::kKron;
  /// kron, rmat, uniform: 2^scale vertices, unless `num_vertices` says otherwise (uniform only).
  int scale = 20;
  /// Edges a vertex drawn, where `num_edges` is 0: 16 for kron, rmat and uniform, 10 on average for
  /// web.
  uint64_t edge_factor = 16;
  /// uniform, web, road, grid, path, star; 0: 2^scale. Road and grid round up to a whole rectangle.
  uint64_t num_vertices = 0;
  uint64_t num_edges = 0;
  /// rmat: the chances of the quadrants; the fourth is what is left. kron has Graph500's .57, .19,
  /// .19.
  double a = 0.57;
  double b = 0.19;
  double c = 0.19;
  /// 0: the kind's own (kron's and uniform's is GAP's 27491095).
  uint64_t seed = 0;
};

/// "kron", "rmat", ...
std::vector<std::string> GeneratorKindNames();
/// From "kron", "rmat", ...; UsageError with the list otherwise.
StatusOr<GeneratorKind> ParseGeneratorKind(std::string_view name);

/// A source of the graph's edges. Kinds:
///   kron     Graph500's Kronecker graph with GAP's parameters and random stream (GAPBS
///            generator.h): a scale has exactly GAP's edges. Labels are shuffled by a bijection in
///            place of a permutation in memory.
///   rmat     the same with chances of one's own, directed, labels not shuffled.
///   uniform  both ends drawn uniformly (Erdos-Renyi with repeats; GAP's urand).
///   web      lists that copy from the list before and stay near their vertex, as crawls in the
///            order of URLs do.
///   grid     each vertex to its right and lower neighbour in a rectangle.
///   road     a grid with a sixth of its edges left out and a few diagonals, weights 1 to 100: of
///            large diameter.
///   path     0 - 1 - 2 - ...
///   star     0 to every other vertex.
/// UsageError for sizes beyond 2^32 - 2 vertices or 2^48 edges, or chances that are none.
StatusOr<std::unique_ptr<EdgeSource>> MakeGenerator(const GeneratorOptions& options);

/// Sets what goes with a kind: kron and uniform are undirected, without duplicates and loops, as in
/// GAP; rmat and web are directed, web without duplicates; grid, road, path and star are
/// undirected.
void SetIngestDefaults(GeneratorKind kind, IngestOptions* options);

}  // namespace edgemill
