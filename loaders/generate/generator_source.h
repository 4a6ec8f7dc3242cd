// The part that all generators share: they make chunks by number.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <string>

#include "common/status.h"
#include "loaders/source/edge_source.h"

namespace edgemill {

/// Makes chunk `number` of a graph. The chunk depends only on the number. Thread-safe.
using ChunkMaker = std::function<void(uint64_t number, EdgeChunk* chunk)>;

/// An edge source of `num_chunks` chunks.
class GeneratorSource : public EdgeSource {
 public:
  GeneratorSource(EdgeSourceInfo info, uint64_t num_chunks, ChunkMaker make)
      : info_(std::move(info)), num_chunks_(num_chunks), make_(std::move(make)) {}

  const EdgeSourceInfo& info() const override { return info_; }
  StatusOr<bool> Next(EdgeChunk* chunk) override;
  StatusOr<std::string> PositionAfter(uint64_t sequence) override;
  Status Resume(const std::string& position) override;

 private:
  const EdgeSourceInfo info_;
  const uint64_t num_chunks_;
  const ChunkMaker make_;
  std::atomic<uint64_t> next_{0};
};

/// A graph's facts and the maker of its chunks, from which a source is made.
struct GeneratorPlan {
  uint64_t num_vertices = 0;
  uint64_t expected_edges = 0;
  bool undirected = true;
  bool weighted = false;
  uint64_t num_chunks = 0;
  ChunkMaker make;
};

/// The chances of the first three quadrants of an adjacency matrix.
struct QuadrantChances {
  double a = 0;
  double b = 0;
  double c = 0;
};

/// kron and rmat draw `scale` quadrants for each edge; uniform draws two ids. Chunks have 2^18
/// edges, each chunk with its own seed.
GeneratorPlan PlanRmat(int scale, uint64_t num_edges, const QuadrantChances& chances, uint64_t seed,
                       bool shuffle);
GeneratorPlan PlanUniform(uint64_t num_vertices, uint64_t num_edges, uint64_t seed);
GeneratorPlan PlanWeb(uint64_t num_vertices, uint64_t degree, uint64_t seed);
GeneratorPlan PlanGrid(uint64_t num_vertices, bool road, uint64_t seed);
GeneratorPlan PlanPath(uint64_t num_vertices);
GeneratorPlan PlanStar(uint64_t num_vertices);

}  // namespace edgemill
