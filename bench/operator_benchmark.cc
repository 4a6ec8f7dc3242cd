// Measures what an operator costs when hardly any vertex is active. It times an EdgeMap from one
// vertex with one edge, and a pass of a search along a path. Blocks are in memory.
//
//   operator_benchmark --benchmark_format=json
//
// Arguments are numbers of threads. Each time is that of one operator, or of one pass.
#include <benchmark/benchmark.h>

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "bench/trials/generated_graph.h"
#include "common/check.h"
#include "engine/compile/for_cpu.h"
#include "engine/run/make_engine.h"

namespace edgemill {
namespace {

constexpr uint64_t kPathVertices = 100'000;
constexpr uint32_t kUnreached = ~uint32_t{0};

/// Programs for the three ways to take messages.
struct TakesFirst {
  using Monoid = Any<VertexId>;
  View<uint32_t> level;
  uint32_t depth;
  VertexId Emit(VertexId u) const { return u; }
  bool Cond(VertexId v) const { return level[v] == kUnreached; }
  bool Apply(VertexId v, VertexId) {
    level[v] = depth;
    return true;
  }
  void Next() { ++depth; }
};
struct Relaxes {
  using Monoid = Min<uint32_t>;
  View<uint32_t> level;
  uint32_t Emit(VertexId u) const { return level[u] + 1; }
  bool Relax(VertexId v, uint32_t least) { return AtomicMin(level[v], least); }
};
struct Collects {
  using Monoid = Sum<uint32_t>;
  View<uint32_t> level;
  uint32_t Emit(VertexId) const { return 1; }
  bool Apply(VertexId v, uint32_t sum) {
    level[v] = sum;
    return true;
  }
};

struct Levels : State {
  Levels(uint64_t num_vertices, int threads) : State(num_vertices, threads) { HoldSets(2); }
  VertexArray<uint32_t> level{*this, "level"};
  Programs<TakesFirst, Relaxes, Collects> programs{*this, kOut};
};

/// A path graph on disk, opened for `threads` threads, with all blocks cached. The destructor
/// removes it.
class PathGraph {
 public:
  explicit PathGraph(int threads) : path_(StrCat("operator_benchmark.", getpid(), ".mill")) {
    bench::GeneratedGraphOptions options;
    options.generator = {.kind = GeneratorKind::kPath, .num_vertices = kPathVertices};
    options.memory_bytes = uint64_t{256} << 20;
    CHECK(bench::MakeGeneratedGraph(options, path_, progress_).ok());
    store_ = Value(GraphStore::Open(path_, {}, budget_));
    reader_ = Value(BlockReader::Create(
        *store_, {.cache_bytes = uint64_t{64} << 20, .threads = threads}, budget_));
    graph_ = Value(
        LoadedGraph::Load({*store_, *reader_, threads, budget_, progress_}, {.out_index = true}));
    recorder_.emplace(*graph_);
    state_.emplace(kPathVertices, threads);
    CHECK(state_->Allocate(budget_).ok());
    engine_ = Value(MakeCpuEngine(*graph_, *state_, {}, *recorder_));
  }
  ~PathGraph() { std::filesystem::remove_all(path_); }

  Engine& engine() { return *engine_; }
  VertexArray<uint32_t>& level() { return state_->level; }
  /// The set of the first vertex, which has level 0. All other vertices are unreached.
  VertexSet Start() {
    level().Fill(kUnreached);
    level().Set(0, 0);
    return Value(engine_->sets().Of({0}));
  }
  template <typename T>
  static T Value(StatusOr<T> value) {
    CHECK(value.ok());
    return std::move(*value);
  }

 private:
  const std::string path_;
  Progress progress_;
  MemoryBudget budget_{uint64_t{1} << 30};
  std::unique_ptr<GraphStore> store_;
  std::unique_ptr<BlockReader> reader_;
  std::unique_ptr<LoadedGraph> graph_;
  std::optional<Recorder> recorder_;
  std::optional<Levels> state_;
  std::unique_ptr<Engine> engine_;
};

template <typename P>
void MapOneEdge(benchmark::State& state) {
  PathGraph path(static_cast<int>(state.range(0)));
  const VertexSet from = path.Start();
  for (auto _ : state) {
    path.level().Set(1, kUnreached);
    P program{path.level().view()};
    benchmark::DoNotOptimize(PathGraph::Value(path.engine().EdgeMap(kOut, from, program)).size());
  }
}
void BM_EdgeMapTakesFirst(benchmark::State& state) { MapOneEdge<TakesFirst>(state); }
void BM_EdgeMapRelaxes(benchmark::State& state) { MapOneEdge<Relaxes>(state); }
void BM_EdgeMapCollects(benchmark::State& state) { MapOneEdge<Collects>(state); }

void BM_FixpointPass(benchmark::State& state) {
  PathGraph path(static_cast<int>(state.range(0)));
  for (auto _ : state) {
    VertexSet from = path.Start();
    const TakesFirst program{path.level().view(), 1};
    CHECK(path.engine().Fixpoint(kOut, std::move(from), program).ok());
  }
  state.counters["a pass"] =
      benchmark::Counter(static_cast<double>(state.iterations()) * kPathVertices,
                         benchmark::Counter::kIsRate | benchmark::Counter::kInvert);  // seconds
}

BENCHMARK(BM_EdgeMapTakesFirst)->Arg(1)->Arg(16)->Unit(benchmark::kMicrosecond);
BENCHMARK(BM_EdgeMapRelaxes)->Arg(1)->Arg(16)->Unit(benchmark::kMicrosecond);
BENCHMARK(BM_EdgeMapCollects)->Arg(1)->Arg(16)->Unit(benchmark::kMicrosecond);
BENCHMARK(BM_FixpointPass)->Arg(1)->Arg(16)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace edgemill
