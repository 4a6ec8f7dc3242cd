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
#include <atomic>

#include "common/parallel.h"
#include "common/units.h"
#include "engine/algorithms/bfs_program.h"
#include "engine/api/algorithm.h"
#include "engine/api/executor_choice.h"

namespace edgemill {
namespace {

constexpr uint32_t kUnreached = BfsProgram<false>::kUnreached;

/// Bytes of state on a graph of `num_vertices`.
uint64_t StateBytes(uint64_t num_vertices, bool parents) {
  return num_vertices * (parents ? 8 : 4) + (num_vertices + 63) / 64 * 8;
}

/// Bytes that the verifier holds beside the state: a depth and a mark a vertex.
uint64_t VerifierBytes(uint64_t num_vertices) { return num_vertices * 5; }

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
  needs.verify_bytes =
      StateBytes(info.num_vertices, options.parents) + VerifierBytes(info.num_vertices);
  needs.answer_bytes = info.num_vertices * 4;
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

/// Levels: the source alone has 0, none falls by more than 1 along an edge, and every other reached
/// vertex has an in-neighbour one level up. Parents: following them from any reached vertex ends at
/// the source, each step is an edge, and the depths they give pass the test for levels.
class Verifier {
 public:
  explicit Verifier(const RunEnvironment& environment)
      : graph_(environment.graph),
        source_(environment.source),
        direction_(graph_.can_sweep(Direction::kOut) ? Direction::kOut : Direction::kIn) {}

  Status Check(const Answer& answer) {
    const uint64_t num_vertices = graph_.num_vertices();
    ASSIGN_OR_RETURN(const MemoryReservation reservation,
                     graph_.budget().Reserve(VerifierBytes(num_vertices), "the verifier"));
    ASSIGN_OR_RETURN(depth_, Array<uint32_t>::Allocate(num_vertices));
    ASSIGN_OR_RETURN(shown_, Array<uint8_t>::Allocate(num_vertices));
    parents_ = answer.kind == ResultKind::kParent ? answer.small.data() : nullptr;
    if (parents_ == nullptr) {
      std::copy(answer.small.begin(), answer.small.end(), depth_.begin());
    } else {
      RETURN_IF_ERROR(FindDepths());
    }
    RETURN_IF_ERROR(CheckEdges());
    for (uint64_t vertex = 0; vertex < num_vertices; ++vertex) {
      const bool is_source = vertex == source_;
      if (is_source != (depth_[vertex] == 0)) return Wrong(vertex, "has a wrong level 0");
      if (!is_source && depth_[vertex] != kUnreached && shown_[vertex] == 0) {
        return Wrong(vertex, "has no predecessor one level up");
      }
    }
    return OkStatus();
  }

 private:
  static Status Wrong(uint64_t vertex, std::string_view what) {
    return InternalError(StrCat("verification of BFS failed: internal vertex ", vertex, " ", what));
  }

  /// Depths in the tree, by walking up to the first vertex whose depth is known.
  Status FindDepths() {
    std::fill(depth_.begin(), depth_.end(), kUnreached);
    if (parents_[source_] != source_) return Wrong(source_, "is not its own parent");
    depth_[source_] = 0;
    std::vector<VertexId> path;
    for (uint64_t start = 0; start < graph_.num_vertices(); ++start) {
      VertexId vertex = static_cast<VertexId>(start);
      path.clear();
      while (vertex != kInvalidVertex && depth_[vertex] == kUnreached) {
        if (path.size() > graph_.num_vertices()) return Wrong(start, "is on a cycle of parents");
        path.push_back(vertex);
        vertex = parents_[vertex];
      }
      if (vertex == kInvalidVertex) {
        if (path.size() > 1) return Wrong(start, "has an unreached ancestor");
        continue;
      }
      for (uint32_t depth = depth_[vertex]; !path.empty(); path.pop_back()) {
        depth_[path.back()] = ++depth;
      }
    }
    return OkStatus();
  }

  Status CheckEdges() {
    std::atomic<uint64_t> wrong{kInvalidVertex};
    const VertexIndexView index = graph_.index(direction_);
    RETURN_IF_ERROR(graph_.SweepAll(direction_, false, [&](int, const BlockEdges& edges) {
      ListCursor<NoWeight> cursor(edges, graph_.num_vertices());
      const bool sound =
          VisitVertices(edges, index, [&](VertexId owner, EdgeIndex first, EdgeIndex last) {
            return cursor.VisitList(owner, first, last, [&](const ListPiece<NoWeight>& piece) {
              for (uint32_t i = 0; i < piece.size; ++i) {
                const bool out = direction_ == Direction::kOut;
                const VertexId source = out ? owner : piece.target(i);
                const VertexId target = out ? piece.target(i) : owner;
                if (!CheckEdge(source, target)) wrong = target;
              }
              return true;
            });
          });
      return StatusOr<bool>(sound);
    }));
    if (wrong != kInvalidVertex) return Wrong(wrong, "is more than one level below a predecessor");
    return OkStatus();
  }

  bool CheckEdge(VertexId source, VertexId target) {
    if (depth_[source] == kUnreached) return true;
    if (depth_[target] > depth_[source] + 1) return false;
    if (depth_[target] == depth_[source] + 1 &&
        (parents_ == nullptr || parents_[target] == source)) {
      StoreRelaxed(&shown_[target], uint8_t{1});
    }
    return true;
  }

  LoadedGraph& graph_;
  const VertexId source_;
  const Direction direction_;
  const VertexId* parents_ = nullptr;
  Array<uint32_t> depth_;
  Array<uint8_t> shown_;
};

Status VerifyBfs(const RunEnvironment& environment, const Answer& answer) {
  return Verifier(environment).Check(answer);
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
