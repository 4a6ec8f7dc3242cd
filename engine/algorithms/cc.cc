// Connected components; of directed graphs the weakly connected ones.
//
// Result   component[v]: the least input id among the vertices that v is joined to by edges taken
//          both ways.
// Method   afforest (default): union-find by linking roots, larger to smaller. One sweep links
//          every vertex with its first two neighbours only, which joins most of the giant
//          component; a sample of vertices tells which that is. A second sweep links the rest of
//          the lists of vertices outside it, and reads only their blocks: an edge between two
//          members needs no look, and one with a single member inside is in the other's list (of
//          directed graphs in its in-list, so both directions are swept; without in-columns nothing
//          can be left out). labels: every vertex takes the least label around it until none
//          changes: a vertex program, along out-edges of symmetric graphs and both ways of directed
//          ones (push out, then pull from the same lists).
// Paper    Sutton, Ben-Nun, Barak: Optimizing Parallel Graph Connectivity Computation via Subgraph
//          Sampling, IPDPS 2018.
// State    parent, 4 bytes a vertex, and 4 more to count members at the end.
#include <algorithm>
#include <unordered_map>

#include "common/parallel.h"
#include "common/units.h"
#include "engine/algorithms/afforest_cpu.h"
#include "engine/algorithms/afforest_gpu.h"
#include "engine/algorithms/label_program.h"
#include "engine/api/algorithm.h"
#include "engine/api/executor_choice.h"

namespace edgemill {
namespace {

StatusOr<RunNeeds> PlanCc(const GraphStore& store, const RunOptions& options) {
  const GraphInfo& info = store.info();
  ASSIGN_OR_RETURN(const std::string method, ChosenMethod(kCc, options));
  if (method == "labels" && info.directed) {
    return UsageError("--method labels needs a symmetric graph: use afforest, or ingest with -s");
  }
  if (method == "afforest" && options.mode != Mode::kAuto) {
    return UsageError("--mode is for --method labels: afforest has one way of its own");
  }
  if (method == "afforest" && options.async_passes > 0) {
    return UsageError("--async is for --method labels: afforest has no iterations");
  }
  if (method == "afforest" && options.hybrid.cpu_share.has_value()) {
    return UsageError("--cpu-share is for --method labels: afforest runs on one processor");
  }
  const uint64_t num_blocks = info.num_blocks();
  RunNeeds needs;
  needs.graph.out_index = store.has(ColumnKind::kOutOffsets);
  needs.graph.in_index = !info.directed || store.has(ColumnKind::kInOffsets);
  needs.state_bytes = info.num_vertices * 4 +
                      std::max(info.num_vertices * 4,
                               method == "labels" ? Executor<LabelProgram>::SizeBytes(
                                                        info.num_vertices, num_blocks, options.mode)
                                                  : uint64_t{0});
  if (method == "labels") {
    needs.gpu = GpuNeedsOf<LabelProgram>(store, needs.graph, options.mode);
  } else {
    ArenaPlan arena;
    VertexId* parent = nullptr;
    arena.Plan(&parent, info.num_vertices);
    needs.gpu = {arena.bytes(), 0,
                 AfforestNeeds(ModeRules(store, needs.graph, Mode::kAuto, {}), info.directed)};
  }
  needs.verify_bytes = info.num_vertices * 8;
  needs.answer_bytes = info.num_vertices * 4;
  return needs;
}

/// The root most often met among vertices spread over all, of which there must be one.
VertexId MostCommon(std::span<const VertexId> roots) {
  std::unordered_map<VertexId, uint32_t> counts;
  VertexId common = roots[0];
  const size_t step = roots.size() / kSampledVertices + 1;
  for (size_t vertex = 0; vertex < roots.size(); vertex += step) {
    if (++counts[roots[vertex]] > counts[common]) common = roots[vertex];
  }
  return common;
}

/// How many components there are, of what sizes.
struct Sizes {
  uint64_t components = 0;
  uint64_t of_many = 0;  // of more than one vertex
  uint64_t largest = 0;  // vertices
};

/// Counts each root's members but for itself in `others`, zeros before, so that components of one
/// vertex touch no memory there. Those of the component that most are in are counted apart: all
/// threads would wait for its counter.
StatusOr<Sizes> CountMembers(std::span<const VertexId> roots, int threads,
                             std::span<uint32_t> others) {
  if (roots.empty()) return Sizes{};
  const VertexId common = MostCommon(roots);
  std::vector<Sizes> chunks(roots.size() / kVertexChunk + 1);
  RETURN_IF_ERROR(ParallelFor(roots.size(), kVertexChunk, threads, [&](size_t begin, size_t end) {
    Sizes sizes{.largest = 1};
    // Who adds first finds 0, who adds last finds all but its own.
    const auto add = [&](VertexId root, uint32_t members) {
      const uint64_t before = AtomicAdd(&others[root], members);
      sizes.of_many += before == 0;
      sizes.largest = std::max(sizes.largest, before + members + 1);
    };
    uint32_t in_common = 0;
    for (size_t vertex = begin; vertex < end; ++vertex) {
      const VertexId root = roots[vertex];
      if (root == vertex) {
        ++sizes.components;
      } else if (root == common) {
        ++in_common;
      } else {
        add(root, 1);
      }
    }
    if (in_common > 0) add(common, in_common);
    chunks[begin / kVertexChunk] = sizes;
    return OkStatus();
  }));
  Sizes all;
  for (const Sizes& sizes : chunks) {
    all.components += sizes.components;
    all.of_many += sizes.of_many;
    all.largest = std::max(all.largest, sizes.largest);
  }
  return all;
}

Status DescribeCc(const RunEnvironment& environment, Answer* answer) {
  LoadedGraph& graph = environment.graph;
  ASSIGN_OR_RETURN(const MemoryReservation reservation,
                   graph.budget().Reserve(graph.num_vertices() * 4, "sizes of components"));
  ASSIGN_OR_RETURN(Array<uint32_t> others, Array<uint32_t>::Allocate(graph.num_vertices()));
  ASSIGN_OR_RETURN(const Sizes sizes,
                   CountMembers(answer->small.span(), graph.threads(), others.span()));
  const uint64_t alone = sizes.components - sizes.of_many;
  answer->facts = {
      {"components", FormatCount(sizes.components), {{"components", sizes.components}}},
      {"largest",
       StrCat(FormatCount(sizes.largest), " vertices"),
       {{"largest_component_vertices", sizes.largest}}},
      {"of one vertex", FormatCount(alone), {{"components_of_one_vertex", alone}}}};
  return OkStatus();
}

StatusOr<Answer> RunCc(const RunEnvironment& environment) {
  LoadedGraph& graph = environment.graph;
  const uint64_t num_vertices = graph.num_vertices();
  ASSIGN_OR_RETURN(const std::string method, ChosenMethod(kCc, environment.options));
  Answer answer;
  answer.kind = ResultKind::kComponent;
  ASSIGN_OR_RETURN(answer.reservation, graph.budget().Reserve(num_vertices * 4, "components"));
  ASSIGN_OR_RETURN(answer.small, Array<uint32_t>::Allocate(num_vertices));
  if (method == "labels") {
    LabelProgram program{answer.small.data()};
    ASSIGN_OR_RETURN(auto executor,
                     MakeExecutor<LabelProgram>(environment, environment.options.mode));
    RETURN_IF_ERROR(executor->Initialise(program));
    RETURN_IF_ERROR(executor->RunToEnd(&program).status());
    RETURN_IF_ERROR(executor->Finish(program));
#if defined(EDGEMILL_WITH_CUDA)
  } else if (num_vertices > 0 && environment.gpu != nullptr) {
    RETURN_IF_ERROR(AfforestOnGpu(environment, answer.small.span()));
#endif
  } else if (num_vertices > 0) {
    RETURN_IF_ERROR(AfforestOnCpu(environment, answer.small.span()));
  }
  return answer;
}

/// Every edge joins equal labels, so components are not torn; and a union-find of its own, over all
/// edges, serial, finds the same number of components, so none are run together.
Status VerifyCc(const RunEnvironment& environment, const Answer& answer) {
  LoadedGraph& graph = environment.graph;
  ASSIGN_OR_RETURN(const MemoryReservation reservation,
                   graph.budget().Reserve(graph.num_vertices() * 4, "the verifier"));
  ASSIGN_OR_RETURN(Array<uint32_t> parent, Array<uint32_t>::Allocate(graph.num_vertices()));
  for (uint64_t v = 0; v < graph.num_vertices(); ++v) parent[v] = static_cast<VertexId>(v);
  const auto find = [&](VertexId vertex) {
    while (parent[vertex] != vertex) vertex = parent[vertex] = parent[parent[vertex]];
    return vertex;
  };
  Mutex mutex;
  uint64_t wrong = kInvalidVertex;
  uint64_t components = graph.num_vertices();
  const Direction direction = graph.can_sweep(Direction::kOut) ? Direction::kOut : Direction::kIn;
  RETURN_IF_ERROR(graph.SweepAll(direction, false, [&](int, const BlockEdges& edges) {
    MutexLock lock(mutex);
    ListCursor<NoWeight> cursor(edges, graph.num_vertices());
    const auto list = [&](VertexId vertex, EdgeIndex first, EdgeIndex last) {
      return cursor.VisitList(vertex, first, last, [&](const ListPiece<NoWeight>& piece) {
        for (uint32_t i = 0; i < piece.size; ++i) {
          const VertexId target = piece.target(i);
          if (answer.small[vertex] != answer.small[target]) wrong = vertex;
          const VertexId a = find(vertex);
          const VertexId b = find(target);
          if (a == b) continue;
          parent[std::max(a, b)] = std::min(a, b);
          --components;
        }
        return true;
      });
    };
    return StatusOr<bool>(VisitVertices(edges, graph.index(direction), list));
  }));
  if (wrong != kInvalidVertex) {
    return InternalError(StrCat("verification of CC failed: internal vertex ", wrong,
                                " has a neighbour in another component"));
  }
  uint64_t labels = 0;
  for (uint64_t vertex = 0; vertex < graph.num_vertices(); ++vertex) {
    labels += answer.small[vertex] == vertex;
  }
  if (labels != components) {
    return InternalError(
        StrCat("verification of CC failed: ", labels, " labels for ", components, " components"));
  }
  return OkStatus();
}

}  // namespace

const Algorithm kCc = {
    .help = {.name = "cc",
             .summary = "connected components (weakly connected ones of directed graphs)",
             .text =
                 "Two vertices are in one component when edges, taken both ways, join them. Every "
                 "vertex gets the least input\nid of its component; a vertex without edges is a "
                 "component of its own. Weights, duplicate edges and loops change\nnothing. Of "
                 "directed graphs with both columns both are used, with one of them that one "
                 "alone; the answer is the\nsame.\nMethods: afforest (default) joins trees of "
                 "vertices and skips what the giant component makes needless; labels\nspreads the "
                 "least label until none changes (symmetric graphs).\nMemory: 4 bytes a vertex for "
                 "each direction's index and 8 for components and their sizes.\nPaper: Sutton et "
                 "al., Optimizing Parallel Graph Connectivity Computation via Subgraph Sampling, "
                 "IPDPS 2018.\n",
             .options = {"--method", "--mode", "--async", "--async-passes"},
             .methods = {"afforest", "labels"}},
    .has_source = false,
    .plan = PlanCc,
    .run = RunCc,
    .describe = DescribeCc,
    .verify = VerifyCc,
};

}  // namespace edgemill
