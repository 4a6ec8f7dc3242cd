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
#include <numeric>
#include <unordered_map>

#include "common/parallel.h"
#include "common/random.h"
#include "common/units.h"
#include "engine/algorithms/afforest_cpu.h"
#include "engine/algorithms/afforest_gpu.h"
#include "engine/algorithms/label_program.h"
#include "engine/api/algorithm.h"
#include "engine/api/executor_choice.h"
#include "engine/api/plain_visit.h"

namespace edgemill {
namespace {

/// Sets of vertices that many threads unite at once. Roots are linked in a random order, so that
/// trees stay low whatever the edges and their order (Jayanti, Tarjan: A Randomized Concurrent
/// Algorithm for Disjoint Set Union, PODC 2016). Apart from union_find.h, whose faults the verifier
/// must not share.
class VertexSets {
 public:
  static constexpr uint64_t kBytesPerVertex = sizeof(VertexId);

  /// Each vertex alone. BudgetError.
  static StatusOr<VertexSets> Allocate(LoadedGraph& graph) {
    VertexSets sets;
    const uint64_t size = graph.num_vertices();
    const int threads = graph.threads();
    ASSIGN_OR_RETURN(sets.reservation_,
                     graph.budget().Reserve(size * kBytesPerVertex, "the verifier's sets"));
    ASSIGN_OR_RETURN(sets.parent_, Array<VertexId>::Allocate(size));
    RETURN_IF_ERROR(
        ParallelFor(size, FirstTouchGrain(size, threads), threads, [&](size_t begin, size_t end) {
          std::iota(&sets.parent_[begin], &sets.parent_[end], static_cast<VertexId>(begin));
          return OkStatus();
        }));
    return sets;
  }

  bool Same(VertexId a, VertexId b) { return Find(a) == Find(b); }

  void Unite(VertexId a, VertexId b) {
    while ((a = Find(a)) != (b = Find(b))) {
      if (Mix64(a) > Mix64(b)) std::swap(a, b);
      if (AtomicReplace(&parent_[a], a, b)) return;
    }
  }

 private:
  VertexId Find(VertexId vertex) {
    while (true) {
      const VertexId parent = LoadRelaxed(&parent_[vertex]);
      const VertexId above = LoadRelaxed(&parent_[parent]);
      if (above == parent) return parent;
      StoreRelaxed(&parent_[vertex], above);
      vertex = above;
    }
  }

  MemoryReservation reservation_;
  Array<VertexId> parent_;
};

/// Bytes that the verifier holds beside the answer.
uint64_t VerifierBytes(uint64_t num_vertices) {
  return num_vertices * VertexSets::kBytesPerVertex + VertexMarks::SizeBytes(num_vertices);
}

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
  needs.block_ids = true;
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
  needs.verify_bytes = info.num_vertices * 4 + VerifierBytes(info.num_vertices);
  needs.answer_bytes = info.num_vertices * 4;
  needs.answers_vertices = true;
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

/// Every edge joins equal labels, so no component is torn; edges join every vertex with its label,
/// so none are run together; and no label is above its vertex, so each is its component's least.
Status VerifyCc(const RunEnvironment& environment, const Answer& answer) {
  LoadedGraph& graph = environment.graph;
  const std::span<const VertexId> label = answer.small.span();
  const auto wrong = [&graph](VertexId vertex, std::string_view what) {
    return WrongVertex(graph, "CC", vertex, what);
  };
  ASSIGN_OR_RETURN(const VertexId above, FirstVertexWhere(graph, [&](VertexId vertex) {
                     return label[vertex] > vertex;
                   }));
  RETURN_IF_ERROR(wrong(above, "has a label that is not the least"));
  ASSIGN_OR_RETURN(VertexSets sets, VertexSets::Allocate(graph));
  // Vertices known to be joined with their labels. Between two of them with one label an edge joins
  // nothing, so that most edges need no look at the sets.
  ASSIGN_OR_RETURN(VertexMarks joined, VertexMarks::Allocate(graph.num_vertices(), graph.budget(),
                                                             "the verifier's marks"));
  VertexId torn = kInvalidVertex;
  RETURN_IF_ERROR(PlainVisit(graph, [&](const Edge& edge) {
    const auto [source, target] = edge;
    if (label[source] != label[target]) {
      AtomicMin(&torn, source);
    } else if (!joined.has(source) || !joined.has(target)) {
      sets.Unite(source, target);
      if (!sets.Same(source, label[source])) return;
      joined.Add(source);
      joined.Add(target);
    }
  }));
  RETURN_IF_ERROR(wrong(torn, "has a neighbour in another component"));
  ASSIGN_OR_RETURN(const VertexId apart, FirstVertexWhere(graph, [&](VertexId vertex) {
                     return !joined.has(vertex) && !sets.Same(vertex, label[vertex]);
                   }));
  return wrong(apart, "is not joined with its label");
}

}  // namespace

const Algorithm kCc = {
    .help = {.name = "cc",
             .aliases = {"wcc"},
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
