// Measures packing and decoding the neighbour lists of a Kronecker graph on one core, in edges a
// second and bits an edge.
//
//   codec_benchmark --benchmark_format=json
//
// The lists are those of an R-MAT graph (A = .57, B = C = .19, 16 edges a vertex, both directions,
// shuffled ids) of the given scale. Blocks are visited in order (sequential) or shuffled (random).
#include <benchmark/benchmark.h>

#include <algorithm>
#include <map>
#include <memory>
#include <numeric>
#include <optional>
#include <string>
#include <vector>

#include "common/check.h"
#include "common/random.h"
#include "kernels/cpu/decode.h"
#include "storage/format/group_codec.h"

namespace edgemill {
namespace {

constexpr uint32_t kBlockEdges = 1u << 15;

/// Sorted, distinct edges, source << 32 | target, of both directions.
std::vector<uint64_t> RmatEdges(int scale) {
  Random random(1);
  std::vector<uint32_t> label(size_t{1} << scale);
  std::iota(label.begin(), label.end(), 0u);
  std::shuffle(label.begin(), label.end(), random);
  std::vector<uint64_t> edges;
  edges.reserve(size_t{32} << scale);
  for (uint64_t i = 0; i < uint64_t{16} << scale; ++i) {
    uint32_t source = 0, target = 0;
    for (int bit = 0; bit < scale; ++bit) {
      const double draw = random.Unit();
      source = source << 1 | uint32_t(draw >= .76);
      target = target << 1 | uint32_t((draw >= .57 && draw < .76) || draw >= .95);
    }
    edges.push_back(uint64_t{label[source]} << 32 | label[target]);
    edges.push_back(uint64_t{label[target]} << 32 | label[source]);
  }
  std::sort(edges.begin(), edges.end());
  edges.erase(std::unique(edges.begin(), edges.end()), edges.end());
  return edges;
}

/// A graph's edges and their packed blocks.
struct PackedEdges {
  explicit PackedEdges(int scale) : edges(RmatEdges(scale)) {
    std::vector<std::byte> scratch(MaxPackedBytes(kBlockEdges));
    for (size_t first = 0; first < edges.size(); first += kBlockEdges) {
      const size_t size = PackNeighbors(Block(first), Previous(first), scratch.data());
      std::vector<uint64_t> words((size + kDecodeSlackBytes) / 8 + 1);
      std::copy_n(scratch.data(), size, reinterpret_cast<std::byte*>(words.data()));
      blocks.push_back(std::move(words));
      sizes.push_back(size);
    }
  }
  std::span<const uint64_t> Block(size_t first) const {
    return {edges.data() + first, std::min<size_t>(kBlockEdges, edges.size() - first)};
  }
  std::optional<uint64_t> Previous(size_t first) const {
    return first == 0 ? std::nullopt : std::optional(edges[first - 1]);
  }
  double BitsPerEdge() const {
    return 8.0 * double(std::accumulate(sizes.begin(), sizes.end(), size_t{0})) /
           double(edges.size());
  }
  std::vector<uint64_t> edges;
  std::vector<std::vector<uint64_t>> blocks;
  std::vector<size_t> sizes;
};

const PackedEdges& Graph(int scale) {
  static std::map<int, std::unique_ptr<PackedEdges>> graphs;
  std::unique_ptr<PackedEdges>& graph = graphs[scale];
  if (graph == nullptr) graph = std::make_unique<PackedEdges>(scale);
  return *graph;
}

void Report(benchmark::State& state, const PackedEdges& graph) {
  state.counters["edges/s"] = benchmark::Counter(
      double(state.iterations()) * double(graph.edges.size()), benchmark::Counter::kIsRate);
  state.counters["bits/edge"] = graph.BitsPerEdge();
}

void BM_Pack(benchmark::State& state) {
  const PackedEdges& graph = Graph(int(state.range(0)));
  std::vector<std::byte> out(MaxPackedBytes(kBlockEdges));
  for (auto _ : state) {
    for (size_t first = 0; first < graph.edges.size(); first += kBlockEdges) {
      benchmark::DoNotOptimize(
          PackNeighbors(graph.Block(first), graph.Previous(first), out.data()));
    }
  }
  Report(state, graph);
}
BENCHMARK(BM_Pack)->Arg(18)->Unit(benchmark::kMillisecond);

/// Decodes every group with `target` and sums the prefix sums, in the given order of blocks.
void Decode(benchmark::State& state, const std::string& target, bool shuffled) {
  const PackedEdges& graph = Graph(int(state.range(0)));
  CHECK(UseDecodeTarget(target));
  std::vector<uint32_t> order(graph.blocks.size());
  std::iota(order.begin(), order.end(), 0u);
  Random random(2);
  if (shuffled) std::shuffle(order.begin(), order.end(), random);
  GroupPrefix prefix;
  for (auto _ : state) {
    uint32_t sum = 0;
    for (const uint32_t block : order) {
      const uint32_t count = uint32_t(graph.Block(size_t{block} * kBlockEdges).size());
      const auto* bytes = reinterpret_cast<const std::byte*>(graph.blocks[block].data());
      const StatusOr<PackedView> view = PackedView::Open({bytes, graph.sizes[block]}, count);
      CHECK(view.ok());
      for (uint32_t group = 0; group < view->num_groups(); ++group) {
        DecodeGroupPrefix(*view, group, &prefix);
        for (uint32_t i = 0; i < kGroupSize; ++i) sum += prefix.sums()[i];
      }
    }
    benchmark::DoNotOptimize(sum);
  }
  Report(state, graph);
}
/// Registers both orders of blocks for every instruction set that this processor has.
[[maybe_unused]] const bool registered = [] {
  for (const std::string& target : DecodeTargets()) {
    for (const bool shuffled : {false, true}) {
      const std::string name =
          "BM_Decode/" + target + (shuffled ? "/blocks at random" : "/blocks in order");
      const auto run = [=](benchmark::State& state) { Decode(state, target, shuffled); };
      benchmark::RegisterBenchmark(name.c_str(), run)->Arg(20)->Unit(benchmark::kMillisecond);
    }
  }
  return true;
}();

}  // namespace
}  // namespace edgemill
