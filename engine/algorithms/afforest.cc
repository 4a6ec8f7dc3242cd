// Afforest on the CPU: see cc.cc.
#include <algorithm>
#include <atomic>
#include <unordered_map>

#include "common/parallel.h"
#include "common/random.h"
#include "engine/algorithms/afforest_cpu.h"
#include "engine/algorithms/afforest_gpu.h"
#include "engine/algorithms/union_find.h"
#include "engine/executor.h"
#include "engine/short_lists.h"

namespace edgemill {
namespace {

/// The union-find forest: parent[v] <= v, so that a tree's root is its least member.
class Forest {
 public:
  explicit Forest(std::span<uint32_t> parent) : parent_(parent) {}

  /// Makes every vertex a tree of its own.
  Status Plant(int threads) {
    return ParallelFor(parent_.size(), kVertexChunk, threads, [&](size_t begin, size_t end) {
      for (size_t vertex = begin; vertex < end; ++vertex) {
        parent_[vertex] = static_cast<VertexId>(vertex);
      }
      return OkStatus();
    });
  }
  void Link(VertexId a, VertexId b) { LinkTrees(parent_.data(), a, b); }
  void Prefetch(VertexId vertex) const { edgemill::Prefetch(&parent_[vertex]); }
  /// Points every vertex at its root.
  Status Compress(int threads) {
    return ParallelFor(parent_.size(), kVertexChunk, threads, [&](size_t begin, size_t end) {
      for (size_t vertex = begin; vertex < end; ++vertex) {
        PointAtRoot(parent_.data(), static_cast<VertexId>(vertex));
      }
      return OkStatus();
    });
  }
  /// Points `vertex` at its root.
  VertexId Compress(VertexId vertex) { return PointAtRoot(parent_.data(), vertex); }
  VertexId FindRoot(VertexId vertex) const { return RootOf(parent_.data(), vertex); }
  /// What the vertex was pointed at last.
  VertexId parent(VertexId vertex) const { return LoadRelaxed(&parent_[vertex]); }

 private:
  std::span<uint32_t> parent_;
};

/// Afforest's two sweeps.
class Afforest {
 public:
  Afforest(const RunEnvironment& environment, std::span<uint32_t> parent)
      : graph_(environment.graph), recorder_(environment.recorder), forest_(parent) {}

  Status Run() {
    RETURN_IF_ERROR(forest_.Plant(graph_.threads()));
    // In-lists of directed graphs are swept only for what the out-lists of the giant hide.
    const bool only_in = !graph_.can_sweep(Direction::kOut);
    const Direction first = only_in ? Direction::kIn : Direction::kOut;
    const bool can_skip = !graph_.info().directed || (!only_in && graph_.can_sweep(Direction::kIn));
    if (!can_skip) return LinkLists(first, 0, kInvalidVertex);
    RETURN_IF_ERROR(LinkFirstNeighbors(first));
    const VertexId giant = SampleGiant();
    RETURN_IF_ERROR(LinkLists(first, kSampledNeighbors, giant));
    if (!graph_.info().directed) return OkStatus();
    // The giant may hang below a lesser root by now.
    return LinkLists(Direction::kIn, 0, forest_.FindRoot(giant));
  }

 private:
  /// Links each vertex with its first kSampledNeighbors neighbours, which are decoded alone, those
  /// of many lists at a time.
  Status LinkFirstNeighbors(Direction direction) {
    const VertexIndexView index = graph_.index(direction);
    recorder_.Start(Mode::kPush, graph_.num_vertices(), graph_.num_edges());
    recorder_.AddBlocks(graph_.num_blocks());
    RETURN_IF_ERROR(graph_.SweepAll(direction, false, [&](int, const BlockEdges& edges) {
      ShortLists<NoWeight, VertexId> heads;
      bool sound =
          VisitVertices(edges, index, [&](VertexId vertex, EdgeIndex first, EdgeIndex last) {
            last = std::min(last, first + kSampledNeighbors);
            if (first < edges.begin || last > edges.end)
              return LinkRange(vertex, first, last, edges);
            if (!heads.HasRoom(kSampledNeighbors) && !LinkHeads(edges, &heads)) return false;
            heads.Add(vertex, static_cast<uint32_t>(first - edges.begin),
                      static_cast<uint32_t>(last - first), vertex);
            return true;
          });
      return StatusOr<bool>(sound && LinkHeads(edges, &heads));
    }));
    recorder_.Finish();
    return OkStatus();
  }

  /// Links the lists' owners with what `heads` has of the lists.
  bool LinkHeads(const BlockEdges& edges, ShortLists<NoWeight, VertexId>* heads) {
    if (!heads->Decode(edges, graph_.num_vertices())) return false;
    heads->VisitEdges([&](VertexId target, VertexId, NoWeight) { forest_.Prefetch(target); });
    heads->VisitEdges(
        [&](VertexId target, VertexId vertex, NoWeight) { forest_.Link(vertex, target); });
    heads->Clear();
    return true;
  }

  /// Links `vertex` with those of the edges [first, last) of its list that lie in the block. A
  /// list's second neighbour may be in the next block, which then links it.
  bool LinkRange(VertexId vertex, EdgeIndex first, EdgeIndex last, const BlockEdges& edges) {
    if (last <= edges.begin) return true;
    ListCursor<NoWeight> cursor(edges, graph_.num_vertices());
    return LinkList(cursor, vertex, first, last);
  }
  bool LinkList(ListCursor<NoWeight>& cursor, VertexId vertex, EdgeIndex first, EdgeIndex last) {
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
          forest_.FindRoot(static_cast<VertexId>(random.Below(graph_.num_vertices())));
      if (++counts[root] > counts[giant]) giant = root;
    }
    return giant;
  }

  /// Links the lists, from neighbour `skip` on, of vertices that are not in the tree of `giant`, a
  /// root. All vertices point at their roots afterwards.
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
                                    if (forest_.Compress(vertex) == giant) continue;
                                    const EdgeIndex first = index.first_edge(vertex) + skip;
                                    const EdgeIndex last = index.first_edge(vertex + 1);
                                    if (first >= last) continue;
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
                return forest_.parent(vertex) == giant || LinkList(cursor, vertex, first, last);
              }));
        }));
    recorder_.Finish();
    return vertices == 0 ? OkStatus() : forest_.Compress(graph_.threads());
  }

  LoadedGraph& graph_;
  Recorder& recorder_;
  Forest forest_;
};

}  // namespace

Status AfforestOnCpu(const RunEnvironment& environment, std::span<VertexId> component) {
  return Afforest(environment, component).Run();
}

}  // namespace edgemill
