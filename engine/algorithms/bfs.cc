// Breadth-first search: the least number of edges from the source to every vertex.
//
// Result   level[v]: hops from the source along out-edges, or unreached. With --parents, parent[v]:
//          a vertex one level up with an edge to v (any of them: a valid tree, not always the same
//          one when pushing with threads); the source is its own parent.
// Method   Level by level. While the frontier is small its vertices push along their out-edges;
//          once it has more than a twentieth of all edges, unreached vertices pull: each looks
//          through its in-edges until it meets one from the frontier, which on small-world graphs
//          is soon. Only blocks with edges of the frontier (push) or of unreached vertices (pull)
//          are read, and of these only the groups looked at are decoded.
// Paper    Beamer, Asanovic, Patterson: Direction-Optimizing Breadth-First Search, SC 2012.
// State    level, 4 bytes a vertex, with parents 4 more; and a bit, which pushes look at first: for
//          most edges it says "reached", and no random read leaves the second-level cache.
#include <algorithm>

#include "common/parallel.h"
#include "common/units.h"
#include "engine/algorithms/bfs_program.h"
#include "engine/api/algorithm.h"
#include "engine/api/executor_choice.h"
#include "engine/api/plain_visit.h"

namespace edgemill {
namespace {

constexpr uint32_t kUnreached = BfsProgram<false>::kUnreached;

/// Bytes of state on a graph of `num_vertices`.
uint64_t StateBytes(uint64_t num_vertices, bool parents) {
  return num_vertices * (parents ? 8 : 4) + (num_vertices + 63) / 64 * 8;
}

/// Bytes that the verifier holds beside the state: a mark a vertex, and the depths that parents
/// give.
uint64_t VerifierBytes(uint64_t num_vertices, bool parents) {
  return VertexMarks::SizeBytes(num_vertices) + (parents ? num_vertices * 4 : 0);
}

StatusOr<RunNeeds> PlanBfs(const GraphStore& store, const RunOptions& options) {
  const GraphInfo& info = store.info();
  RunNeeds needs;
  needs.graph.out_index = options.mode != Mode::kPull && store.has(ColumnKind::kOutOffsets);
  needs.graph.in_index =
      options.mode != Mode::kPush && (!info.directed || store.has(ColumnKind::kInOffsets));
  const uint64_t num_blocks = info.num_blocks();
  needs.state_bytes =
      StateBytes(info.num_vertices, options.parents) +
      Executor<BfsProgram<false>>::SizeBytes(info.num_vertices, num_blocks, options.mode);
  needs.gpu = options.parents ? GpuNeedsOf<BfsProgram<true>>(store, needs.graph, options.mode)
                              : GpuNeedsOf<BfsProgram<false>>(store, needs.graph, options.mode);
  needs.verify_bytes = StateBytes(info.num_vertices, options.parents) +
                       VerifierBytes(info.num_vertices, options.parents);
  needs.answer_bytes = info.num_vertices * 4;
  needs.answers_vertices = options.parents;
  needs.any_mode_will_do = true;
  needs.block_ids = Executor<BfsProgram<false>>::kWhole;
  return needs;
}

template <bool kParents>
StatusOr<Answer> Search(const RunEnvironment& environment) {
  LoadedGraph& graph = environment.graph;
  const uint64_t num_vertices = graph.num_vertices();
  Answer answer;
  ASSIGN_OR_RETURN(answer.reservation,
                   graph.budget().Reserve(StateBytes(num_vertices, kParents), "BFS levels"));
  ASSIGN_OR_RETURN(Array<uint32_t> level, Array<uint32_t>::Allocate(num_vertices));
  ASSIGN_OR_RETURN(Array<uint32_t> parent, Array<uint32_t>::Allocate(kParents ? num_vertices : 0));
  ASSIGN_OR_RETURN(Array<uint64_t> seen, Array<uint64_t>::Allocate((num_vertices + 63) / 64));
  using Program = BfsProgram<kParents>;
  Program program{level.data(), parent.data(), seen.data(), environment.source};
  ASSIGN_OR_RETURN(auto executor, MakeExecutor<Program>(environment, environment.options.mode));
  RETURN_IF_ERROR(executor->Initialise(program));
  ASSIGN_OR_RETURN(const auto totals, executor->RunToEnd(&program));
  const uint64_t levels = totals.iterations;
  const uint64_t reached = totals.activations;
  RETURN_IF_ERROR(executor->Finish(program));
  answer.kind = kParents ? ResultKind::kParent : ResultKind::kLevel;
  answer.small = std::move(kParents ? parent : level);
  answer.facts = {
      {"reached",
       StrCat(FormatCount(reached), " of ", FormatCount(num_vertices)),
       {{"reached_vertices", reached}}},
      {"farthest level", FormatCount(levels - 1), {{"farthest_level", uint64_t{levels - 1}}}}};
  return answer;
}

StatusOr<Answer> RunBfs(const RunEnvironment& environment) {
  return environment.options.parents ? Search<true>(environment) : Search<false>(environment);
}

/// Levels: the source has 0, none falls by more than 1 along an edge, and every other reached
/// vertex has an in-neighbour one level up. Parents: following them from any reached vertex ends at
/// the source, each step is an edge, and the depths they give pass the test for levels.
class Verifier {
 public:
  Verifier(LoadedGraph& graph, VertexId source) : graph_(graph), source_(source) {}

  Status Check(const Answer& answer) {
    Array<uint32_t> depths;
    MemoryReservation reservation;
    level_ = answer.small.data();
    if (answer.kind == ResultKind::kParent) {
      const uint64_t num_vertices = graph_.num_vertices();
      ASSIGN_OR_RETURN(reservation,
                       graph_.budget().Reserve(num_vertices * 4, "the verifier's depths"));
      ASSIGN_OR_RETURN(depths, Array<uint32_t>::Allocate(num_vertices));
      parent_ = answer.small.data();
      level_ = depths.data();
      RETURN_IF_ERROR(FindDepths(depths.data()));
    }
    return CheckEdges();
  }

 private:
  Status Wrong(VertexId vertex, std::string_view what) const {
    return WrongVertex(graph_, "BFS", vertex, what);
  }

  /// The depth of each vertex in the tree of parents.
  Status FindDepths(uint32_t* depth) {
    if (parent_[source_] != source_) return Wrong(source_, "is not its own parent");
    ForEachChunk(graph_.num_vertices(), FirstTouchGrain(graph_.num_vertices(), graph_.threads()),
                 graph_.threads(), [&](size_t begin, size_t end) {
                   std::fill(depth + begin, depth + end, kUnreached);
                 });
    depth[source_] = 0;
    ASSIGN_OR_RETURN(const VertexId cut_off, FirstVertexWhere(graph_, [&](VertexId vertex) {
                       return parent_[vertex] != kInvalidVertex && !FindDepth(vertex, depth);
                     }));
    return Wrong(cut_off, "has parents that do not lead to the source");
  }

  /// Walks from `start` up to the first vertex whose depth is known, and once more to write depths
  /// down: without memory for the path. Other threads may write the same depths. False where there
  /// is no such vertex.
  bool FindDepth(VertexId start, uint32_t* depth) {
    const uint64_t num_vertices = graph_.num_vertices();
    VertexId vertex = start;
    uint32_t known;
    uint64_t steps = 0;
    while ((known = LoadRelaxed(&depth[vertex])) == kUnreached) {
      vertex = parent_[vertex];
      if (vertex >= num_vertices || ++steps == num_vertices) return false;
    }
    for (vertex = start; steps > 0; --steps) {
      StoreRelaxed(&depth[vertex], static_cast<uint32_t>(known + steps));
      vertex = parent_[vertex];
    }
    return true;
  }

  Status CheckEdges() {
    // Those with a predecessor, where there are parents their own, one level up.
    ASSIGN_OR_RETURN(
        VertexMarks shown,
        VertexMarks::Allocate(graph_.num_vertices(), graph_.budget(), "the verifier's marks"));
    VertexId too_low = kInvalidVertex;
    const auto visit = [&too_low, &shown, level = level_, parent = parent_](const Edge& edge) {
      const auto [source, target] = edge;
      if (level[source] == kUnreached) return;
      const uint64_t next = uint64_t{level[source]} + 1;
      if (level[target] > next) {
        AtomicMin(&too_low, target);
      } else if (level[target] == next && (parent == nullptr || parent[target] == source)) {
        shown.Add(target);
      }
    };
    RETURN_IF_ERROR(PlainVisit(graph_, visit));
    RETURN_IF_ERROR(Wrong(too_low, "is more than one level below a predecessor"));
    ASSIGN_OR_RETURN(const VertexId unfounded, FirstVertexWhere(graph_, [&](VertexId vertex) {
                       if (vertex == source_) return level_[vertex] != 0;
                       return level_[vertex] != kUnreached && !shown.has(vertex);
                     }));
    return Wrong(unfounded, unfounded == source_ ? "is the source, and its level is not 0"
                                                 : "has no predecessor one level up");
  }

  LoadedGraph& graph_;
  const VertexId source_;
  const uint32_t* level_ = nullptr;
  const VertexId* parent_ = nullptr;  // null: levels alone are to be checked
};

Status VerifyBfs(const RunEnvironment& environment, const Answer& answer) {
  return Verifier(environment.graph, environment.source).Check(answer);
}

}  // namespace

const Algorithm kBfs = {
    .help =
        {.name = "bfs",
         .summary = "levels (hops) from a source, or with --parents a tree of shortest paths",
         .text =
             "Finds for every vertex the least number of edges on a path from the source (-r ID) "
             "along out-edges; on\nsymmetric graphs edges go both ways. The source has level 0. "
             "Weights are ignored; duplicate edges and loops\nchange nothing. Unreachable "
             "vertices are written as inf. --parents gives for each vertex the input id of\na "
             "vertex one level up with an edge to it; the source is its own parent; which of "
             "several is chosen may\ndiffer from run to run.\nAn unknown source is an error. "
             "Graphs ingested with --columns out only push, with --columns in only pull.\n"
             "Memory: 4 bytes a vertex for each direction's index, 4 for levels, 4 for parents, "
             "1/2 for frontiers.\nPaper: Beamer et al., Direction-Optimizing Breadth-First "
             "Search, SC 2012.\n",
         .options = {"-r", "--parents", "--mode"},
         .methods = {}},
    .has_source = true,
    .plan = PlanBfs,
    .run = RunBfs,
    .verify = VerifyBfs,
};

}  // namespace edgemill
