// Single-source shortest paths with weights that are not negative.
//
// Result   distance[v]: the least sum of weights on a path from the source along out-edges, or
//          unreached. 64-bit integers for integer weights, doubles for real ones; without weights
//          every edge counts 1.
// Method   Buckets, as delta-stepping: vertices whose distance improved are active; those in the
//          lowest bucket (distances below a bound that rises by delta) push their distance plus
//          weight along their out-edges, by atomic minimum on the distances themselves; the others
//          wait. A vertex may be taken again when it improves again. The order does not matter: the
//          result is a fixed point, the same bits whatever the threads (sums of real weights are
//          taken along a path, from the source on). Delta grows while buckets are done in one go,
//          and shrinks when they take many: a crowd at medium distances needs narrow buckets, the
//          long tail of most graphs would take hundreds of these for next to no edges.
// Paper    Meyer, Sanders: Delta-stepping, J. Algorithms 2003. Light and heavy edges are not told
//          apart.
// State    distance, 8 bytes a vertex. Integers are tried in 4 bytes first: while no distance is
// 2^31
//          or more, no sum along a shortest path has passed 2^32; else the search is done again.
#include <algorithm>
#include <cmath>
#include <limits>

#include "common/parallel.h"
#include "common/units.h"
#include "engine/algorithms/sssp_program.h"
#include "engine/api/algorithm.h"
#include "engine/api/executor_choice.h"
#include "engine/api/plain_visit.h"

namespace edgemill {
namespace {

/// Blocks of edges looked at to choose delta.
constexpr uint64_t kSampleBlocks = 4;
/// The first delta, in mean weights. Narrow buckets relax fewer edges; wide ones take fewer rounds,
/// and each round reads again what the cache does not hold.
constexpr double kDeltaMeanWeightsCached = 0.0625;
constexpr double kDeltaMeanWeightsRead = 1;

StatusOr<RunNeeds> PlanSssp(const GraphStore& store, const RunOptions& options) {
  const GraphInfo& info = store.info();
  if (info.has_negative_weight) {
    return UsageError(StrCat(store.path(),
                             " has negative weights, and sssp takes none: shift or "
                             "drop them and ingest again, or ingest with --weights none"));
  }
  if (options.delta.has_value() && !(*options.delta > 0 && std::isfinite(*options.delta))) {
    return UsageError(StrCat("--delta ", *options.delta, ": must be above 0"));
  }
  if (info.directed && !store.has(ColumnKind::kOutOffsets)) {
    return UsageError(
        StrCat(store.path(), " has no out-columns, which sssp needs: ingest with --columns both"));
  }
  RunNeeds needs;
  needs.weights = info.weights != WeightType::kNone;
  needs.graph.out_index = true;
  needs.graph.in_index =
      !info.directed || options.mode == Mode::kPull || options.mode == Mode::kNotifyPull;
  const uint64_t num_blocks = info.num_blocks();
  needs.state_bytes = info.num_vertices * 8 + Executor<SsspProgram<double, double>>::SizeBytes(
                                                  info.num_vertices, num_blocks, options.mode);
  // Weights of all types are read alike, and distances are of one size.
  needs.gpu = needs.weights
                  ? GpuNeedsOf<SsspProgram<int32_t, uint64_t>>(store, needs.graph, options.mode)
                  : GpuNeedsOf<SsspProgram<NoWeight, uint32_t>>(store, needs.graph, options.mode);
  needs.verify_bytes = info.num_vertices * 8 + VertexMarks::SizeBytes(info.num_vertices);
  needs.answer_bytes = info.num_vertices * 8;
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

/// Puts distances where answers of their kind are.
void SetDistances(Array<uint32_t> distances, Answer* answer) {
  answer->kind = ResultKind::kIntegerDistance;
  answer->small = std::move(distances);
}
void SetDistances(Array<uint64_t> distances, Answer* answer) {
  answer->kind = ResultKind::kIntegerDistance;
  answer->distances = std::move(distances);
}
void SetDistances(Array<double> distances, Answer* answer) {
  answer->kind = ResultKind::kRealDistance;
  answer->reals = std::move(distances);
}

/// Distances as `Distance`, and in `*farthest` the longest.
template <typename W, typename Distance>
StatusOr<Answer> Search(const RunEnvironment& environment, Distance* farthest) {
  LoadedGraph& graph = environment.graph;
  const uint64_t num_vertices = graph.num_vertices();
  Answer answer;
  ASSIGN_OR_RETURN(answer.reservation,
                   graph.budget().Reserve(num_vertices * sizeof(Distance), "distances"));
  ASSIGN_OR_RETURN(Array<Distance> distance, Array<Distance>::Allocate(num_vertices));
  double delta = environment.options.delta.value_or(0);
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
                  .adaptive = !environment.options.delta.has_value()};
  ASSIGN_OR_RETURN(auto executor, MakeExecutor<Program>(environment, environment.options.mode));
  RETURN_IF_ERROR(executor->Initialise(program));
  RETURN_IF_ERROR(executor->RunToEnd(&program).status());
  RETURN_IF_ERROR(executor->Finish(program));
  ASSIGN_OR_RETURN(const auto reach, ReachOf<Distance>(distance.span(), graph.threads()));
  *farthest = reach.farthest;
  answer.facts = {
      {"reached",
       StrCat(FormatCount(reach.vertices), " of ", FormatCount(num_vertices)),
       {{"reached_vertices", reach.vertices}}},
      {"farthest distance", StrCat(*farthest), {{"farthest_distance", Wide(*farthest)}}},
      {"delta", StrCat(delta), {{"delta", delta}}}};
  SetDistances(std::move(distance), &answer);
  return answer;
}

template <typename W>
StatusOr<Answer> SearchReals(const RunEnvironment& environment) {
  double farthest;
  return Search<W, double>(environment, &farthest);
}

template <typename W>
StatusOr<Answer> SearchIntegers(const RunEnvironment& environment) {
  uint32_t farthest;
  ASSIGN_OR_RETURN(Answer answer, (Search<W, uint32_t>(environment, &farthest)));
  if constexpr (std::is_same_v<W, int32_t>) {
    // Weights are below 2^31: sums that do not fit come after a distance of 2^31 or more.
    if (farthest >> 31 != 0) {
      answer = Answer();
      uint64_t wide_farthest;
      return Search<W, uint64_t>(environment, &wide_farthest);
    }
  }
  return answer;
}

/// The source has distance 0, no edge shortens a path, and every other reached vertex is founded:
/// an edge gives it exactly its distance, from a vertex that is nearer or, as weights may be 0,
/// from one as near that is founded itself. Such ties take another pass for each step against the
/// order of the edges.
template <typename W, typename Distance>
Status Check(const RunEnvironment& environment, std::span<const Distance> distance) {
  LoadedGraph& graph = environment.graph;
  const auto wrong = [&graph](VertexId vertex) {
    return WrongVertex(graph, "SSSP", vertex, "has a distance that its in-edges do not give");
  };
  const auto is_reached = [&](VertexId v) { return distance[v] != Unreached<Distance>(); };
  if (distance[environment.source] != 0) return wrong(environment.source);
  ASSIGN_OR_RETURN(VertexMarks founded, VertexMarks::Allocate(graph.num_vertices(), graph.budget(),
                                                              "the verifier's marks"));
  founded.Add(environment.source);
  while (true) {
    VertexId too_far = kInvalidVertex;
    uint8_t found_some = 0;
    RETURN_IF_ERROR(PlainVisit(graph, [&](const WeightedEdge<W>& edge) {
      if (!is_reached(edge.source)) return;
      const auto from = Wide(distance[edge.source]);
      const auto to = Wide(distance[edge.target]);
      const auto through = from + Length<decltype(Wide(Distance{}))>(edge.weight);
      if (through < to || !is_reached(edge.target)) {
        AtomicMin(&too_far, edge.target);
      } else if (through == to && (from < to || founded.has(edge.source)) &&
                 founded.Add(edge.target) && LoadRelaxed(&found_some) == 0) {
        StoreRelaxed(&found_some, uint8_t{1});
      }
    }));
    RETURN_IF_ERROR(wrong(too_far));
    ASSIGN_OR_RETURN(const VertexId unfounded, FirstVertexWhere(graph, [&](VertexId vertex) {
                       return is_reached(vertex) && !founded.has(vertex);
                     }));
    if (unfounded == kInvalidVertex || found_some == 0) return wrong(unfounded);
  }
}

StatusOr<Answer> RunSssp(const RunEnvironment& environment) {
  switch (environment.graph.info().weights) {
    case WeightType::kInt32:
      return SearchIntegers<int32_t>(environment);
    case WeightType::kFloat32:
      return SearchReals<float>(environment);
    case WeightType::kFloat64:
      return SearchReals<double>(environment);
    case WeightType::kNone:
      break;
  }
  environment.graph.progress().Note(
      "the graph has no weights: every edge counts 1, as for bfs, which is faster");
  return SearchIntegers<NoWeight>(environment);
}

Status VerifySssp(const RunEnvironment& environment, const Answer& answer) {
  switch (environment.graph.info().weights) {
    case WeightType::kInt32:
      if (answer.distances.size() > 0) {
        return Check<int32_t, uint64_t>(environment, answer.distances.span());
      }
      return Check<int32_t, uint32_t>(environment, answer.small.span());
    case WeightType::kFloat32:
      return Check<float, double>(environment, answer.reals.span());
    case WeightType::kFloat64:
      return Check<double, double>(environment, answer.reals.span());
    case WeightType::kNone:
      break;
  }
  return Check<NoWeight, uint32_t>(environment, answer.small.span());
}

}  // namespace

const Algorithm kSssp = {
    .help =
        {.name = "sssp",
         .aliases = {"sssp-delta"},
         .summary = "distances from a source over weights that are not negative",
         .text =
             "Finds for every vertex the least sum of weights on a path from the source (-r ID) "
             "along out-edges; on\nsymmetric graphs edges go both ways. The source has distance "
             "0; unreachable vertices are written as inf.\nInteger weights give exact "
             "distances of up to 64 bits, real weights (float, double) sums in double, taken from "
             "the\nsource "
             "on. A graph without weights counts 1 an edge, with a note. Of duplicate edges the "
             "lightest counts;\nloops change nothing. A graph with any negative weight is "
             "refused, as is an unknown source.\n--delta is the width of the buckets in which "
             "vertices are taken (default: a sixteenth of the mean weight of a sample\nwhile the "
             "graph stays in memory, "
             "else the mean weight; wider while buckets are done in one go); "
             "it changes the time, not\nthe answer.\nNeeds out-columns. Memory: 4 bytes a vertex "
             "for the index, 8 for "
             "distances, 3/4 for frontiers.\nPaper: Meyer and Sanders, Delta-stepping, J. "
             "Algorithms 2003.\n",
         .options = {"-r", "--delta", "--mode", "--async", "--async-passes"},
         .methods = {}},
    .has_source = true,
    .plan = PlanSssp,
    .run = RunSssp,
    .verify = VerifySssp,
};

}  // namespace edgemill
