#include "engine/cpu/intersect/list_loader.h"

#include <algorithm>
#include <numeric>
#include <utility>

#include "common/check.h"
#include "common/strings.h"
#include "common/threads/parallel.h"
#include "engine/plan/direction_policy.h"
#include "kernels/portable_atomics.h"

namespace edgemill {
namespace {

constexpr size_t kVerticesAtOnce = 1024;         // that a thread takes to merge their lists
constexpr size_t kMostAtOnce = size_t{1} << 15;  // neighbours that a thread moves together

/// How many lists a vertex has.
uint64_t NumLists(const GraphInfo& info) { return info.directed ? 2 : 1; }

/// How many neighbours of lower rank the lists of `vertex` may have, before lists of several blocks
/// or directions are merged. In a block, each is kept once.
uint64_t MostKept(const LoadedGraph& graph, const VertexOrder& order, VertexId vertex) {
  const uint64_t distinct = order.RankOf(vertex);
  const auto most = [&](Direction direction) {
    const EdgeIndex degree = graph.index(direction).degree(vertex);
    return std::min(degree, distinct + degree / graph.info().block_edges + 1);
  };
  return most(Direction::kOut) + (graph.info().directed ? most(Direction::kIn) : 0);
}

}  // namespace

uint64_t ListLoader::LongestList(const LoadedGraph& graph, const VertexOrder& order) {
  uint64_t longest = 0;
  ForEachChunk(graph.num_vertices(), size_t{1} << 16, graph.threads(),
               [&](size_t begin, size_t end) {
                 uint64_t of_chunk = 0;
                 for (size_t v = begin; v < end; ++v) {
                   const auto vertex = static_cast<VertexId>(v);
                   const uint64_t kept = MostKept(graph, order, vertex);
                   of_chunk = std::max(of_chunk, std::min<uint64_t>(kept, order.RankOf(vertex)));
                 }
                 AtomicMax(&longest, of_chunk);
               });
  return longest;
}

uint64_t ListLoader::LeastStage(const GraphInfo& info, uint64_t longest) {
  const uint64_t directions = NumLists(info);
  // A block that several stages share is read for each. Whole blocks make these few.
  const uint64_t few_blocks = std::min<uint64_t>(4 * info.block_edges, info.num_edges);
  return directions * std::max(longest + info.num_edges / info.block_edges + 2, few_blocks);
}

uint64_t ListLoader::SizeBytes(const GraphInfo& info, int threads, const Sizes& sizes) {
  const uint64_t directions = NumLists(info);
  // Vectors grow to twice what they hold.
  const uint64_t of_thread = 2 * (sizeof(uint32_t) * info.block_edges +
                                  (sizeof(uint32_t) + 1) * (kMostAtOnce + sizes.longest) +
                                  directions * sizeof(uint64_t) * sizes.longest);
  return static_cast<uint64_t>(threads) * of_thread + sizes.stage_entries * sizeof(uint32_t) +
         directions * sizeof(Piece) * (sizes.stage_entries + info.num_blocks());
}

StatusOr<ListLoader> ListLoader::Create(LoadedGraph& graph, const VertexOrder& order, bool arcs,
                                        const Sizes& sizes) {
  const uint64_t stage_entries = sizes.stage_entries;
  if (stage_entries >= uint64_t{1} << 32) {  // places in the stage have 32 bits
    return BudgetError(StrCat(graph.store().path(), ": a list of ", sizes.longest,
                              " neighbours is too long to intersect: ingest the graph with larger "
                              "--block-edges"));
  }
  ListLoader loader(graph, order, arcs, sizes);
  const GraphInfo& info = graph.info();
  ASSIGN_OR_RETURN(loader.reservation_,
                   graph.budget().Reserve(SizeBytes(info, graph.threads(), sizes),
                                          "a stage of lists to intersect"));
  ASSIGN_OR_RETURN(loader.stage_, Array<uint32_t>::Allocate(stage_entries));
  for (const Direction direction : ListsOf(kBoth, info.directed, /*reversed=*/false)) {
    Side side{.direction = direction, .starts = {}, .heads = {}};
    ASSIGN_OR_RETURN(side.starts, Array<Piece>::Allocate(stage_entries));
    ASSIGN_OR_RETURN(side.heads, Array<Piece>::Allocate(info.num_blocks()));
    loader.sides_.push_back(std::move(side));
  }
  loader.scratches_.resize(static_cast<size_t>(graph.threads()));
  return loader;
}

Status ListLoader::Fill(OrientedLists& lists, Recorder& recorder) {
  const auto num_vertices = static_cast<VertexId>(graph_.num_vertices());
  while (lists.end() < num_vertices) {
    const VertexId end = StageEnd(lists.end());
    if (begin_ != lists.end() || end_ != end) {  // else the stage has these vertices already
      RETURN_IF_ERROR(ReadStage(lists.end(), end, recorder));
    }
    if (!lists.HasRoom(end_ - begin_, used_)) {
      CHECK_LT(lists.begin(), lists.end());  // empty lists have room for a stage
      break;
    }
    RETURN_IF_ERROR(MergeStage(lists));
  }
  return OkStatus();
}

VertexId ListLoader::StageEnd(VertexId begin) const {
  uint64_t left = sizes_.stage_entries;
  VertexId end = begin;
  for (; end < graph_.num_vertices() && end - begin < sizes_.stage_entries; ++end) {
    const uint64_t most = MostKept(graph_, order_, end);
    if (most > left) break;
    left -= most;
  }
  CHECK_LT(begin, end);  // the stage holds the longest list
  return end;
}

Status ListLoader::ReadStage(VertexId begin, VertexId end, Recorder& recorder) {
  begin_ = begin;
  end_ = end;
  used_ = 0;
  RETURN_IF_ERROR(graph_.decode_scratch().Reserve(/*weights=*/false));
  for (Side& side : sides_) {
    const VertexIndexView index = graph_.index(side.direction);
    const EdgeIndex first = index.first_edge(begin), last = index.first_edge(end);
    std::fill_n(side.starts.begin(), end - begin, Piece{});
    if (first == last) continue;
    const uint64_t block_edges = graph_.info().block_edges;
    std::vector<uint64_t> blocks((last - 1) / block_edges - first / block_edges + 1);
    std::iota(blocks.begin(), blocks.end(), first / block_edges);
    for (const uint64_t block : blocks) side.heads[block] = Piece{};
    recorder.AddBlocks(blocks.size());
    recorder.AddEdges(last - first);
    RETURN_IF_ERROR(graph_.blocks().Visit(
        side.direction, /*with_weights=*/false, std::move(blocks),
        [&](int thread, const BlockEdges& edges) -> StatusOr<bool> {
          BlockIds& ids = graph_.decode_scratch().ids(thread);
          if (!ids.Decode(edges.neighbors, edges.lists(index), index.num_vertices)) return false;
          return KeepOfBlock(side, edges, ids, scratches_[static_cast<size_t>(thread)]);
        }));
  }
  return OkStatus();
}

void ListLoader::KeepOfList(VertexId source, std::span<const VertexId> ids,
                            std::vector<uint32_t>* kept) {
  VertexId before = kInvalidVertex;  // duplicates follow each other
  if (order_.is_by_id()) {
    for (const VertexId id : ids) {
      if (id >= source) break;
      if (id != before) kept->push_back(id);
      before = id;
    }
    return;
  }
  const uint32_t rank = order_.RankOf(source);
  for (const VertexId id : ids) {
    const uint32_t other = order_.RankOf(id);
    if (other < rank && id != before) kept->push_back(other);
    before = id;
  }
}

bool ListLoader::KeepOfBlock(Side& side, const BlockEdges& edges, const BlockIds& ids,
                             Scratch& scratch) {
  // Pieces get places in the block first, then these move to the stage together.
  std::vector<uint32_t>& kept = scratch.kept;
  kept.clear();
  uint32_t first_list = 0, end_list = 0;
  for (uint32_t list = 0; list < ids.num_lists(); ++list) {
    const VertexId source = ids.source(list);
    if (source < begin_) {
      first_list = list + 1;
      continue;
    }
    if (source >= end_) break;
    end_list = list + 1;
    const auto at = static_cast<uint32_t>(kept.size());
    KeepOfList(source, ids.ids(list), &kept);
    const Piece piece{at, static_cast<uint32_t>(kept.size()) - at};
    const bool continues = list == 0 && edges.continues;
    (continues ? side.heads[edges.block] : side.starts[source - begin_]) = piece;
  }
  const uint64_t place = AtomicAdd(&used_, uint64_t{kept.size()});
  if (place + kept.size() > sizes_.stage_entries) return false;  // else as StageEnd made sure
  std::copy(kept.begin(), kept.end(), stage_.begin() + place);
  const auto first = static_cast<uint32_t>(place);
  for (uint32_t list = first_list; list < end_list; ++list) {
    const bool continues = list == 0 && edges.continues;
    (continues ? side.heads[edges.block] : side.starts[ids.source(list) - begin_]).first += first;
  }
  return true;
}

template <typename Visit>
void ListLoader::ForEachPiece(const Side& side, VertexId vertex, Visit visit) const {
  const VertexIndexView index = graph_.index(side.direction);
  const EdgeIndex first = index.first_edge(vertex), last = index.first_edge(vertex + 1);
  if (first == last) return;
  const auto of = [&](const Piece& piece) {
    if (piece.size > 0) visit(std::span(stage_.data() + piece.first, piece.size));
  };
  of(side.starts[vertex - begin_]);
  const uint64_t block_edges = graph_.info().block_edges;
  for (uint64_t block = first / block_edges + 1; block <= (last - 1) / block_edges; ++block) {
    of(side.heads[block]);
  }
}

void ListLoader::MergeList(VertexId vertex, Scratch& scratch) const {
  std::vector<uint32_t>& ranks = scratch.ranks;
  const size_t begin = ranks.size();
  if (sides_.size() == 1) {
    ForEachPiece(sides_[0], vertex, [&](std::span<const uint32_t> piece) {
      // The last piece may have ended with the same neighbour.
      const bool again = order_.is_by_id() && ranks.size() > begin && ranks.back() == piece[0];
      ranks.insert(ranks.end(), piece.begin() + (again ? 1 : 0), piece.end());
    });
    const auto first = ranks.begin() + static_cast<ptrdiff_t>(begin);
    if (!order_.is_by_id()) {
      std::sort(first, ranks.end());
      ranks.erase(std::unique(first, ranks.end()), ranks.end());
    }
    if (arcs_) scratch.arcs.resize(ranks.size(), 2);
    scratch.merged.emplace_back(vertex, static_cast<uint32_t>(ranks.size() - begin));
    return;
  }
  std::vector<uint64_t>& entries = scratch.entries;
  entries.clear();
  for (size_t side = 0; side < sides_.size(); ++side) {
    ForEachPiece(sides_[side], vertex, [&](std::span<const uint32_t> piece) {
      for (const uint32_t rank : piece) entries.push_back(uint64_t{rank} << 1 | side);
    });
  }
  std::sort(entries.begin(), entries.end());
  entries.erase(std::unique(entries.begin(), entries.end()), entries.end());
  for (const uint64_t entry : entries) {
    const auto rank = static_cast<uint32_t>(entry >> 1);
    if (ranks.size() > begin && ranks.back() == rank) {
      if (arcs_) ++scratch.arcs.back();
      continue;
    }
    ranks.push_back(rank);
    if (arcs_) scratch.arcs.push_back(1);
  }
  scratch.merged.emplace_back(vertex, static_cast<uint32_t>(ranks.size() - begin));
}

void ListLoader::MoveMerged(Scratch& scratch, OrientedLists& lists) const {
  uint64_t first = lists.Take(scratch.ranks.size());
  std::copy(scratch.ranks.begin(), scratch.ranks.end(), lists.ranks(first));
  if (arcs_) std::copy(scratch.arcs.begin(), scratch.arcs.end(), lists.arcs(first));
  for (const auto& [vertex, size] : scratch.merged) {
    lists.Put(vertex, first, size);
    first += size;
  }
  scratch.ranks.clear();
  scratch.arcs.clear();
  scratch.merged.clear();
}

Status ListLoader::MergeStage(OrientedLists& lists) {
  lists.ExtendTo(end_);
  std::atomic<size_t> next{0};
  const size_t num_vertices = end_ - begin_;
  const auto merge = [&](int thread) -> Status {
    Scratch& scratch = scratches_[static_cast<size_t>(thread)];
    while (true) {
      const size_t begin = next.fetch_add(kVerticesAtOnce, std::memory_order_relaxed);
      if (begin >= num_vertices) return OkStatus();
      const size_t end = std::min(begin + kVerticesAtOnce, num_vertices);
      for (size_t i = begin; i < end; ++i) {
        MergeList(begin_ + static_cast<VertexId>(i), scratch);
        if (scratch.merged.back().second > sizes_.longest) {
          return BadDataError(StrCat(graph_.store().path(), ": the list of internal vertex ",
                                     begin_ + i, " has ids in no order"));
        }
        if (scratch.ranks.size() >= kMostAtOnce) MoveMerged(scratch, lists);
      }
      MoveMerged(scratch, lists);
    }
  };
  return ShareWork(TeamFor(used_, size_t{1} << 14, graph_.threads()), merge);
}

}  // namespace edgemill
