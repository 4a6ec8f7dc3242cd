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
#include <atomic>
#include <unordered_map>

#include "common/parallel.h"
#include "common/random.h"
#include "common/units.h"
#include "engine/algorithm.h"
#include "engine/algorithms/afforest_gpu.h"
#include "engine/algorithms/label_program.h"
#include "engine/algorithms/union_find.h"
#include "engine/executor_choice.h"

namespace edgemill {
namespace {

/// The union-find forest: parent[v] <= v, so that a tree's root is its least member.
class Forest {
 public:
  explicit Forest(std::span<uint32_t> parent) : parent_(parent) {}

  void Link(VertexId a, VertexId b) { LinkTrees(parent_.data(), a, b); }
  /// Points every vertex at its root.
  Status Compress(int threads) {
    return ParallelFor(parent_.size(), kVertexChunk, threads, [&](size_t begin, size_t end) {
      for (size_t vertex = begin; vertex < end; ++vertex) {
        PointAtRoot(parent_.data(), static_cast<VertexId>(vertex));
      }
      return OkStatus();
    });
  }
  VertexId root(VertexId vertex) const { return LoadRelaxed(&parent_[vertex]); }

 private:
  std::span<uint32_t> parent_;
};

/// Afforest's two sweeps.
class Afforest {
 public:
  Afforest(const RunEnvironment& environment, std::span<uint32_t> parent)
      : graph_(environment.graph), recorder_(environment.recorder), forest_(parent) {}

  Status Run() {
    // In-lists of directed graphs are swept only for what the out-lists of the giant hide.
    const bool only_in = !graph_.can_sweep(Direction::kOut);
    const Direction first = only_in ? Direction::kIn : Direction::kOut;
    const bool can_skip = !graph_.info().directed || (!only_in && graph_.can_sweep(Direction::kIn));
    if (!can_skip) return LinkLists(first, 0, kInvalidVertex);
    RETURN_IF_ERROR(LinkFirstNeighbors(first));
    RETURN_IF_ERROR(forest_.Compress(graph_.threads()));
    const VertexId giant = SampleGiant();
    RETURN_IF_ERROR(LinkLists(first, kSampledNeighbors, giant));
    if (!graph_.info().directed) return OkStatus();
    // The giant may hang below a lesser root by now.
    return LinkLists(Direction::kIn, 0, forest_.root(giant));
  }

 private:
  /// Links each vertex with its first kSampledNeighbors neighbours. Decodes only the groups where
  /// lists start.
  Status LinkFirstNeighbors(Direction direction) {
    const VertexIndexView index = graph_.index(direction);
    recorder_.Start(Mode::kPush, graph_.num_vertices(), graph_.num_edges());
    recorder_.AddBlocks(graph_.num_blocks());
    RETURN_IF_ERROR(graph_.SweepAll(direction, false, [&](int, const BlockEdges& edges) {
      ListCursor<NoWeight> cursor(edges, graph_.num_vertices());
      return StatusOr<bool>(
          VisitVertices(edges, index, [&](VertexId vertex, EdgeIndex first, EdgeIndex last) {
            // A list's second neighbour may be in the next block, which then links it.
            return LinkRange(cursor, vertex, first, std::min(last, first + kSampledNeighbors),
                             edges);
          }));
    }));
    recorder_.Finish();
    return OkStatus();
  }

  /// Links `vertex` with those of the edges [first, last) of its list that lie in the cursor's
  /// block.
  bool LinkRange(ListCursor<NoWeight>& cursor, VertexId vertex, EdgeIndex first, EdgeIndex last,
                 const BlockEdges& edges) {
    if (last <= edges.begin) return true;
    return cursor.VisitList(vertex, first, last, [&](const ListPiece<NoWeight>& piece) {
      for (uint32_t i = 0; i < piece.size; ++i) forest_.Link(vertex, piece.target(i));
      return true;
    });
  }

  /// The root most often met among sampled vertices.
  VertexId SampleGiant() const {
    Random random(graph_.num_vertices());
    std::unordered_map<VertexId, uint32_t> counts;
    VertexId giant = 0;
    for (uint32_t i = 0; i < kSampledVertices; ++i) {
      const VertexId root =
          forest_.root(static_cast<VertexId>(random.Below(graph_.num_vertices())));
      if (++counts[root] > counts[giant]) giant = root;
    }
    return giant;
  }

  /// Links the lists, from neighbour `skip` on, of vertices that are not in `giant`.
  Status LinkLists(Direction direction, uint32_t skip, VertexId giant) {
    const VertexIndexView index = graph_.index(direction);
    BlockPlan plan(graph_.num_blocks(), graph_.info().block_edges);
    std::atomic<uint64_t> vertices{0};
    std::atomic<uint64_t> num_edges{0};
    RETURN_IF_ERROR(ParallelFor(graph_.num_vertices(), kVertexChunk, graph_.threads(),
                                [&](size_t begin, size_t end) {
                                  uint64_t outside = 0;
                                  uint64_t rest = 0;
                                  for (size_t i = begin; i < end; ++i) {
                                    const VertexId vertex = static_cast<VertexId>(i);
                                    const EdgeIndex first = index.first_edge(vertex) + skip;
                                    const EdgeIndex last = index.first_edge(vertex + 1);
                                    if (first >= last || forest_.root(vertex) == giant) continue;
                                    plan.AddEdges(first, last);
                                    ++outside;
                                    rest += last - first;
                                  }
                                  vertices.fetch_add(outside, std::memory_order_relaxed);
                                  num_edges.fetch_add(rest, std::memory_order_relaxed);
                                  return OkStatus();
                                }));
    std::vector<uint64_t> blocks = plan.Blocks();
    recorder_.Start(Mode::kPush, vertices, num_edges);
    recorder_.AddBlocks(blocks.size());
    RETURN_IF_ERROR(
        graph_.Sweep(direction, false, std::move(blocks), [&](int, const BlockEdges& edges) {
          ListCursor<NoWeight> cursor(edges, graph_.num_vertices());
          return StatusOr<bool>(
              VisitVertices(edges, index, [&](VertexId vertex, EdgeIndex first, EdgeIndex last) {
                if (forest_.root(vertex) == giant) return true;
                return cursor.VisitList(vertex, first, last, [&](const ListPiece<NoWeight>& piece) {
                  for (uint32_t i = 0; i < piece.size; ++i) forest_.Link(vertex, piece.target(i));
                  return true;
                });
              }));
        }));
    recorder_.Finish();
    return forest_.Compress(graph_.threads());
  }

  LoadedGraph& graph_;
  Recorder& recorder_;
  Forest forest_;
};

StatusOr<RunNeeds> Plan(const GraphStore& store, const RunOptions& options) {
  const GraphInfo& info = store.info();
  ASSIGN_OR_RETURN(const std::string method, ChosenMethod(kCc, options));
  if (method == "labels" && info.directed) {
    return UsageError("--method labels needs a symmetric graph: use afforest, or ingest with -s");
  }
  if (method == "afforest" && options.mode != Mode::kAuto) {
    return UsageError("--mode is for --method labels: afforest has one way of its own");
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

/// Counts each root's members. Those of the component that most are in are counted apart: all
/// threads would wait for its counter.
Status CountMembers(std::span<const VertexId> roots, int threads, std::span<uint32_t> sizes) {
  if (roots.empty()) return OkStatus();
  const VertexId common = MostCommon(roots);
  return ParallelFor(roots.size(), kVertexChunk, threads, [&](size_t begin, size_t end) {
    uint32_t in_common = 0;
    for (size_t vertex = begin; vertex < end; ++vertex) {
      if (roots[vertex] == common) {
        ++in_common;
      } else {
        AtomicAdd(&sizes[roots[vertex]], 1u);
      }
    }
    if (in_common > 0) AtomicAdd(&sizes[common], in_common);
    return OkStatus();
  });
}

/// Counts components and their members.
Status AddFacts(LoadedGraph& graph, Answer* answer) {
  ASSIGN_OR_RETURN(const MemoryReservation reservation,
                   graph.budget().Reserve(graph.num_vertices() * 4, "sizes of components"));
  ASSIGN_OR_RETURN(Array<uint32_t> sizes, Array<uint32_t>::Allocate(graph.num_vertices()));
  RETURN_IF_ERROR(CountMembers(answer->small.span(), graph.threads(), sizes.span()));
  struct Counts {
    uint64_t components = 0;
    uint64_t alone = 0;
    uint64_t largest = 0;
  };
  std::vector<Counts> chunks(sizes.size() / kVertexChunk + 1);
  RETURN_IF_ERROR(
      ParallelFor(sizes.size(), kVertexChunk, graph.threads(), [&](size_t begin, size_t end) {
        Counts counts;
        for (size_t vertex = begin; vertex < end; ++vertex) {
          counts.components += sizes[vertex] > 0;
          counts.alone += sizes[vertex] == 1;
          counts.largest = std::max<uint64_t>(counts.largest, sizes[vertex]);
        }
        chunks[begin / kVertexChunk] = counts;
        return OkStatus();
      }));
  Counts all;
  for (const Counts& counts : chunks) {
    all.components += counts.components;
    all.alone += counts.alone;
    all.largest = std::max(all.largest, counts.largest);
  }
  answer->facts = {
      {"components", FormatCount(all.components), {{"components", all.components}}},
      {"largest",
       StrCat(FormatCount(all.largest), " vertices"),
       {{"largest_component_vertices", all.largest}}},
      {"of one vertex", FormatCount(all.alone), {{"components_of_one_vertex", all.alone}}}};
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
    for (uint64_t vertex = 0; vertex < num_vertices; ++vertex) {
      answer.small[vertex] = static_cast<VertexId>(vertex);
    }
    RETURN_IF_ERROR(Afforest(environment, answer.small.span()).Run());
  }
  RETURN_IF_ERROR(AddFacts(graph, &answer));
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
             .options = {"--method", "--mode"},
             .methods = {"afforest", "labels"}},
    .has_source = false,
    .plan = Plan,
    .run = RunCc,
    .verify = VerifyCc,
};

}  // namespace edgemill
