// Shortest paths with a GPU.
#include <algorithm>
#include <cmath>
#include <limits>

#include "common/parallel.h"
#include "engine/old/algorithms/executor_choice.h"
#include "engine/old/algorithms/sssp_program.h"

namespace edgemill {
namespace {

/// Blocks of edges looked at to choose delta.
constexpr uint64_t kSampleBlocks = 4;
/// The first delta, in mean weights.
constexpr double kDeltaMeanWeightsCached = 0.0625;
constexpr double kDeltaMeanWeightsRead = 1;

StatusOr<GpuAlgorithmNeeds> Plan(const GraphStore& store, const RunOptions& options) {
  const GraphInfo& info = store.info();
  GpuAlgorithmNeeds needs;
  needs.weights = info.weights != WeightType::kNone;
  needs.graph.out_index = true;
  needs.graph.in_index =
      !info.directed || options.mode == Mode::kPull || options.mode == Mode::kNotifyPull;
  needs.work_bytes = Executor<SsspProgram<double, double>>::SizeBytes(
      info.num_vertices, info.num_blocks(), options.mode);
  // Weights of all types are read alike, and distances are of one size.
  needs.gpu = needs.weights
                  ? GpuNeedsOf<SsspProgram<int32_t, uint64_t>>(store, needs.graph, options.mode)
                  : GpuNeedsOf<SsspProgram<NoWeight, uint32_t>>(store, needs.graph, options.mode);
  needs.block_ids = Executor<SsspProgram<NoWeight, uint32_t>>::kWhole && !needs.weights;
  return needs;
}

/// Calls `visit(thread, source, target, weight)` for every edge; threads run side by side.
template <typename W, typename Visit>
Status VisitEdges(LoadedGraph& graph, std::vector<uint64_t> blocks, Visit visit) {
  const VertexIndexView index = graph.index(Direction::kOut);
  constexpr bool kWeighted = !std::is_same_v<W, NoWeight>;
  return graph.Sweep(
      Direction::kOut, kWeighted, std::move(blocks), [&](int thread, const BlockEdges& edges) {
        ListCursor<W> cursor(edges, graph.num_vertices());
        return StatusOr<bool>(
            VisitVertices(edges, index, [&](VertexId source, EdgeIndex first, EdgeIndex last) {
              return cursor.VisitList(source, first, last, [&](const ListPiece<W>& piece) {
                for (uint32_t i = 0; i < piece.size; ++i)
                  visit(thread, source, piece.target(i), piece.weight(i));
                return true;
              });
            }));
      });
}

/// A distance in the type that any sum fits.
template <typename Distance>
WideDistance<Distance> Wide(Distance distance) {
  return distance;
}

/// The default delta: a multiple of the mean weight of a few blocks spread over the graph.
template <typename W>
StatusOr<double> ChooseDelta(LoadedGraph& graph, double mean_weights) {
  std::vector<uint64_t> blocks;
  const uint64_t step = std::max<uint64_t>(1, graph.num_blocks() / kSampleBlocks);
  for (uint64_t block = 0; block < graph.num_blocks(); block += step) blocks.push_back(block);
  struct alignas(64) Sample {
    double sum = 0;
    uint64_t count = 0;
  };
  std::vector<Sample> samples(static_cast<size_t>(graph.threads()));
  RETURN_IF_ERROR(VisitEdges<W>(graph, blocks, [&](int thread, VertexId, VertexId, W weight) {
    Sample& sample = samples[static_cast<size_t>(thread)];
    sample.sum += Length<double>(weight);
    ++sample.count;
  }));
  Sample all;
  for (const Sample& sample : samples) {
    all.sum += sample.sum;
    all.count += sample.count;
  }
  const double mean = all.count == 0 ? 1 : all.sum / static_cast<double>(all.count);
  return mean > 0 ? mean * mean_weights : 1.0;
}

/// What is said of an answer.
template <typename Distance>
struct Reach {
  uint64_t vertices = 0;
  Distance farthest = 0;
};

template <typename Distance>
StatusOr<Reach<Distance>> ReachOf(std::span<const Distance> distances, int threads) {
  std::vector<Reach<Distance>> chunks(distances.size() / kVertexChunk + 1);
  RETURN_IF_ERROR(
      ParallelFor(distances.size(), kVertexChunk, threads, [&](size_t begin, size_t end) {
        Reach<Distance> reach;
        for (size_t vertex = begin; vertex < end; ++vertex) {
          const Distance distance = distances[vertex];
          if (distance == Unreached<Distance>()) continue;
          ++reach.vertices;
          reach.farthest = std::max(reach.farthest, distance);
        }
        chunks[begin / kVertexChunk] = reach;
        return OkStatus();
      }));
  Reach<Distance> all;
  for (const Reach<Distance>& chunk : chunks) {
    all.vertices += chunk.vertices;
    all.farthest = std::max(all.farthest, chunk.farthest);
  }
  return all;
}

/// Distances as `Distance`, in the state; returns the longest.
template <typename W, typename Distance>
StatusOr<Distance> Search(const RunEnvironment& environment, State& state, Answer* answer) {
  LoadedGraph& graph = environment.graph;
  const std::span<Distance> distance = state.Find<Distance>("distance");
  double delta = environment.options.values.GetOr("--delta", 0.0);
  if (delta == 0) {
    ASSIGN_OR_RETURN(delta,
                     ChooseDelta<W>(graph, environment.fits_in_cache ? kDeltaMeanWeightsCached
                                                                     : kDeltaMeanWeightsRead));
  }
  using Program = SsspProgram<W, Distance>;
  Program program{.distance = distance.data(),
                  .source = environment.source,
                  .bound = delta,
                  .delta = delta,
                  .least_delta = delta,
                  .adaptive = !environment.options.values.Has("--delta")};
  ASSIGN_OR_RETURN(auto executor, MakeExecutor<Program>(environment, environment.options.mode));
  RETURN_IF_ERROR(executor->Initialise(program));
  RETURN_IF_ERROR(executor->RunToEnd(&program).status());
  RETURN_IF_ERROR(executor->Finish(program));
  ASSIGN_OR_RETURN(const auto reach, ReachOf<Distance>(distance, graph.threads()));
  *answer = {};
  answer->Fill("distance", distance);
  answer->AddReached(reach.vertices, graph.num_vertices());
  answer->AddFact("farthest distance", StrCat(reach.farthest), Wide(reach.farthest));
  answer->AddFact("delta", StrCat(delta), delta);
  return reach.farthest;
}

template <typename W>
Status SearchIntegers(const RunEnvironment& environment, State& state, Answer* answer) {
  ASSIGN_OR_RETURN(const uint32_t farthest, (Search<W, uint32_t>(environment, state, answer)));
  state.set_form(1);  // of 32 bits
  if constexpr (std::is_same_v<W, int32_t>) {
    // Weights are below 2^31: sums that do not fit come after a distance of 2^31 or more.
    if (farthest >> 31 != 0) {
      state.set_form(0);
      return Search<W, uint64_t>(environment, state, answer).status();
    }
  }
  return OkStatus();
}

Status Run(const RunEnvironment& environment, State& state, const RunContext&, Answer* answer) {
  switch (environment.graph.info().weights) {
    case WeightType::kInt32:
      return SearchIntegers<int32_t>(environment, state, answer);
    case WeightType::kFloat32:
      return Search<float, double>(environment, state, answer).status();
    case WeightType::kFloat64:
      return Search<double, double>(environment, state, answer).status();
    case WeightType::kNone:
      break;
  }
  environment.graph.progress().Note(
      "the graph has no weights: every edge counts 1, as for bfs, which is faster");
  return SearchIntegers<NoWeight>(environment, state, answer);
}

}  // namespace

const GpuAlgorithm kGpuSssp = {Plan, Run};

}  // namespace edgemill
