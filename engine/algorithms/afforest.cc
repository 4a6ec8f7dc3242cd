// Afforest on the CPU: see cc.cc.
#include <algorithm>
#include <array>
#include <atomic>
#include <bit>
#include <unordered_map>
#include <utility>

#include "common/parallel.h"
#include "common/random.h"
#include "engine/algorithms/afforest_cpu.h"
#include "engine/algorithms/afforest_gpu.h"
#include "engine/algorithms/union_find.h"
#include "engine/cpu/executor.h"
#include "kernels/block_ids.h"
#include "kernels/decode.h"

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
  /// Hangs `vertex`, a tree of its own, below `neighbor` if that is less: a store, for nobody else
  /// may be linking.
  void Hang(VertexId vertex, VertexId neighbor) {
    if (neighbor < vertex) StoreRelaxed(&parent_[vertex], neighbor);
  }
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

/// Links pairs of vertices many at a time, with their memory asked for ahead. All are linked once
/// it is gone.
class LinkBatch {
 public:
  explicit LinkBatch(Forest& forest) : forest_(forest) {}
  ~LinkBatch() { LinkAll(); }
  LinkBatch(const LinkBatch&) = delete;
  LinkBatch& operator=(const LinkBatch&) = delete;

  void Add(VertexId a, VertexId b) {
    if (size_ == pairs_.size()) LinkAll();
    forest_.Prefetch(b);
    pairs_[size_++] = {a, b};
  }

 private:
  void LinkAll() {
    for (uint32_t i = 0; i < size_; ++i) forest_.Link(pairs_[i].first, pairs_[i].second);
    size_ = 0;
  }

  Forest& forest_;
  uint32_t size_ = 0;
  std::array<std::pair<VertexId, VertexId>, 512> pairs_;
};

/// Afforest's two sweeps.
class Afforest {
 public:
  Afforest(const RunEnvironment& environment, std::span<uint32_t> parent)
      : graph_(environment.graph),
        recorder_(environment.recorder),
        hangs_(environment.graph.info().renumbering == Renumbering::kDegree),
        forest_(parent) {}

  Status Run() {
    RETURN_IF_ERROR(forest_.Plant(graph_.threads()));
    // In-lists of directed graphs are swept only for what the out-lists of the giant hide.
    const bool only_in = !graph_.can_sweep(Direction::kOut);
    const Direction first = only_in ? Direction::kIn : Direction::kOut;
    const bool can_skip = !graph_.info().directed || (!only_in && graph_.can_sweep(Direction::kIn));
    if (!can_skip) return LinkLists(first, 0, kInvalidVertex);
    RETURN_IF_ERROR(LinkFirstNeighbors(first));
    const VertexId giant = SampleGiant();
    RETURN_IF_ERROR(LinkLists(first, hangs_ ? 0 : kSampledNeighbors, giant));
    if (!graph_.info().directed) return OkStatus();
    // The giant may hang below a lesser root by now.
    return LinkLists(Direction::kIn, 0, forest_.FindRoot(giant));
  }

 private:
  static constexpr size_t kStartsAtOnce = 256;

  /// Links each vertex with its first kSampledNeighbors neighbours; or hangs it below the first,
  /// where ids are by degree: that is the hub among them, so that one is enough.
  Status LinkFirstNeighbors(Direction direction) {
    if (!hangs_) RETURN_IF_ERROR(graph_.KeepBlockIds());
    const VertexIndexView index = graph_.index(direction);
    recorder_.Start(Mode::kPush, graph_.num_vertices(), graph_.num_edges());
    recorder_.AddBlocks(graph_.num_blocks());
    RETURN_IF_ERROR(graph_.SweepAll(direction, false, [&](int thread, const BlockEdges& edges) {
      if (hangs_) return StatusOr<bool>(HangBelowFirsts(direction, edges));
      uint64_t lists = 0;
      VisitWords(direction, edges, [&](uint64_t, uint64_t bits) {
        lists += static_cast<uint64_t>(std::popcount(bits));
        return true;
      });
      return StatusOr<bool>(edges.WholePays(lists)
                                ? LinkFirstsOfWhole(index, edges, graph_.block_ids(thread))
                                : LinkFirstsAlone(direction, edges));
    }));
    recorder_.Finish();
    return OkStatus();
  }

  /// Calls `visit(word, bits)` for which of the vertices 64 * word + i have lists that begin in the
  /// block, until it returns false; returns what the last visit did.
  template <typename Visit>
  bool VisitWords(Direction direction, const BlockEdges& edges, Visit visit) const {
    for (uint64_t word = edges.owned_begin / 64; word * 64 < edges.owned_end; ++word) {
      const uint64_t bits =
          graph_.HaveEdges(direction, word) & BitsWithin(word, edges.owned_begin, edges.owned_end);
      if (bits != 0 && !visit(word, bits)) return false;
    }
    return true;
  }

  /// Hangs the vertices whose lists begin in the block below the first of each.
  bool HangBelowFirsts(Direction direction, const BlockEdges& edges) {
    constexpr uint32_t kAtOnce = 1024;
    const VertexIndexView index = graph_.index(direction);
    std::array<VertexId, kAtOnce> vertices;
    std::array<uint32_t, kAtOnce> places, values;
    uint32_t count = 0;
    const auto hang = [&] {
      DecodeValuesAt(edges.neighbors, std::span(places).first(count), values.data());
      bool sound = true;
      for (uint32_t i = 0; i < count; ++i) {
        const VertexId first = vertices[i] + UnZigZag(values[i]);
        sound &= first < index.num_vertices;
        forest_.Hang(vertices[i], first);
      }
      count = 0;
      return sound;
    };
    const bool sound = VisitWords(direction, edges, [&](uint64_t word, uint64_t bits) {
      for (; bits != 0; bits &= bits - 1) {
        const VertexId vertex = static_cast<VertexId>(word * 64) + std::countr_zero(bits);
        vertices[count] = vertex;
        places[count++] = index.low[vertex] - static_cast<uint32_t>(edges.begin);
      }
      return count + 64 <= kAtOnce || hang();
    });
    return sound && hang();
  }

  /// A block of short lists: all ids first.
  bool LinkFirstsOfWhole(const VertexIndexView& index, const BlockEdges& edges, BlockIds& ids) {
    if (!ids.Decode(edges.neighbors, edges.lists(index), index.num_vertices)) return false;
    LinkBatch links(forest_);
    for (uint32_t list = 0; list < ids.num_lists(); ++list) {
      const VertexId vertex = ids.source(list);
      uint64_t wanted = kSampledNeighbors;
      if (list == 0 && edges.continues) {
        wanted -= std::min<uint64_t>(wanted, edges.begin - index.first_edge(vertex));
      }
      const auto neighbors = ids.ids(list);
      for (const VertexId neighbor : neighbors.first(std::min<size_t>(wanted, neighbors.size()))) {
        links.Add(vertex, neighbor);
      }
    }
    return true;
  }

  /// A block of long lists: the first ids of each are decoded alone, those of many lists at a time.
  bool LinkFirstsAlone(Direction direction, const BlockEdges& edges) {
    const VertexIndexView index = graph_.index(direction);
    if (edges.continues && !LinkSampled(edges.owned_begin - 1, index, edges)) return false;
    LinkBatch links(forest_);
    std::array<ListStart, kStartsAtOnce> lists;
    uint32_t count = 0;
    const auto link = [&] {
      return LinkStarts(std::span(lists).first(std::exchange(count, 0)), index, edges, links);
    };
    const bool sound = VisitWords(direction, edges, [&](uint64_t word, uint64_t bits) {
      for (; bits != 0; bits &= bits - 1) {
        const auto bit = static_cast<VertexId>(std::countr_zero(bits));
        lists[count++] = edges.list_start(index, static_cast<VertexId>(word * 64) + bit);
      }
      return count + 64 <= lists.size() || link();
    });
    return sound && link();
  }
  bool LinkStarts(std::span<const ListStart> lists, const VertexIndexView& index,
                  const BlockEdges& edges, LinkBatch& links) {
    alignas(64) std::array<VertexId, kStartsAtOnce * kStartIds> ids;
    if (!DecodeListStarts(edges.neighbors, lists, index.num_vertices, ids.data())) return false;
    for (size_t i = 0; i < lists.size(); ++i) {
      const uint32_t wanted = std::min(lists[i].size, kSampledNeighbors);
      if (lists[i].num_ids() < wanted) {  // goes on in the next group
        if (!LinkSampled(lists[i].source, index, edges)) return false;
        continue;
      }
      for (uint32_t j = 0; j < wanted; ++j) links.Add(lists[i].source, ids[i * kStartIds + j]);
    }
    return true;
  }

  /// Links `vertex` with those of its first kSampledNeighbors neighbours that lie in the block.
  bool LinkSampled(VertexId vertex, const VertexIndexView& index, const BlockEdges& edges) {
    const EdgeIndex first = index.first_edge(vertex);
    const EdgeIndex last = std::min(index.first_edge(vertex + 1), first + kSampledNeighbors);
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
  const bool hangs_;  // vertices below their first neighbours, instead of linking several
  Forest forest_;
};

}  // namespace

Status AfforestOnCpu(const RunEnvironment& environment, std::span<VertexId> component) {
  return Afforest(environment, component).Run();
}

}  // namespace edgemill
