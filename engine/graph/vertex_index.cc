#include "engine/graph/vertex_index.h"

#include <algorithm>
#include <numeric>
#include <optional>

#include "common/threads/parallel.h"
#include "kernels/cpu/decode.h"
#include "storage/format/group_codec.h"

namespace edgemill {

Status DamagedBlock(const GraphStore& store, ColumnKind column, uint64_t block,
                    std::string_view what) {
  return BadDataError(StrCat(store.path(), ": block ", block, " of ", ColumnName(column), ": ",
                             what, ": run edgemill verify, then ingest the graph again"));
}

namespace {

/// Decodes one payload of rising values into `values`, all of the block's.
Status DecodeRising(std::span<const std::byte> payload, std::span<uint32_t> values) {
  ASSIGN_OR_RETURN(const PackedView view,
                   PackedView::Open(payload, static_cast<uint32_t>(values.size())));
  GroupPrefix prefix;
  for (uint32_t group = 0; group < view.num_groups(); ++group) {
    const size_t first = size_t{group} * kGroupSize;
    const size_t count = std::min<size_t>(kGroupSize, values.size() - first);
    DecodeGroupPrefix(view, group, &prefix);
    for (size_t i = 0; i < count; ++i) values[first + i] = prefix.base + prefix.sums()[i];
  }
  return OkStatus();
}

}  // namespace

Status VertexIndex::ReadOffsets(const GraphContext& context, ColumnKind column) {
  const GraphStore& store = context.store;
  CHECK_EQ(low_.size(), store.column(column).num_values);
  std::vector<uint64_t> blocks(store.column(column).num_blocks);
  std::iota(blocks.begin(), blocks.end(), uint64_t{0});
  const auto stream = context.reader.Start(std::span(&column, 1), std::move(blocks));
  return RunThreads(context.threads, [&](int) -> Status {
    for (;;) {
      ASSIGN_OR_RETURN(std::optional<BlockLease> lease, stream->Next());
      if (!lease.has_value()) return OkStatus();
      const uint64_t block = lease->block();
      const Status decoded = DecodeRising(
          lease->payload(),
          low_.span().subspan(block * store.info().block_edges, store.block_values(column, block)));
      if (!decoded.ok()) return DamagedBlock(store, column, block, decoded.message());
      context.progress.Advance(store.block_values(column, block), lease->payload().size());
    }
  });
}

StatusOr<VertexIndex> VertexIndex::Load(const GraphContext& context, Direction direction) {
  const GraphStore& store = context.store;
  const GraphInfo& info = store.info();
  const ColumnKind column =
      direction == Direction::kOut ? ColumnKind::kOutOffsets : ColumnKind::kInOffsets;
  if (store.column(column).num_values != info.num_vertices + 1) {
    return BadDataError(StrCat(store.path(), ": ", ColumnName(column), " holds ",
                               store.column(column).num_values, " values for ", info.num_vertices,
                               " vertices: ingest the graph again"));
  }
  VertexIndex index;
  ASSIGN_OR_RETURN(index.reservation_, context.budget.Reserve(SizeBytes(info), "the vertex index"));
  ASSIGN_OR_RETURN(index.low_, Array<uint32_t>::Allocate(info.num_vertices + 1));
  index.crossings_ = info.offset_crossings[static_cast<size_t>(direction)];
  RETURN_IF_ERROR(index.ReadOffsets(context, column));
  if (Status checked = index.Check(info.num_edges, context.threads); !checked.ok()) {
    if (checked.code() != Code::kBadData)
      return checked;  // interrupted: says nothing of the offsets
    return BadDataError(StrCat(store.path(), ": ", ColumnName(column), ": ", checked.message(),
                               ": run edgemill verify, then ingest the graph again"));
  }
  ASSIGN_OR_RETURN(index.have_edges_, Array<uint64_t>::Allocate((info.num_vertices + 63) / 64));
  RETURN_IF_ERROR(ParallelFor(index.have_edges_.size(), size_t{1} << 14, context.threads,
                              [&](size_t begin, size_t end) {
                                for (size_t word = begin; word < end; ++word) {
                                  index.have_edges_[word] = index.view().HaveEdges(word);
                                }
                                return OkStatus();
                              }));
  ASSIGN_OR_RETURN(index.block_firsts_, Array<VertexId>::Allocate(info.num_blocks() + 1));
  for (uint64_t block = 0; block < info.num_blocks(); ++block) {
    index.block_firsts_[block] = index.view().LowerBound(block * info.block_edges);
  }
  index.block_firsts_[info.num_blocks()] = static_cast<VertexId>(info.num_vertices);
  return index;
}

Status VertexIndex::Check(EdgeIndex num_edges, int threads) const {
  const VertexIndexView index = view();
  const VertexId last = index.num_vertices;
  if (!std::is_sorted(crossings_.begin(), crossings_.end()) ||
      (!crossings_.empty() && crossings_.back() > last)) {
    return BadDataError("the crossings of 2^32 edges do not rise");
  }
  if (index.first_edge(0) != 0 || index.first_edge(last) != num_edges) {
    return BadDataError(StrCat("lists run from edge ", index.first_edge(0), " to ",
                               index.first_edge(last), ", not from 0 to ", num_edges));
  }
  return ParallelFor(last, size_t{1} << 20, threads, [&](size_t begin, size_t end) -> Status {
    EdgeIndex start = index.first_edge(static_cast<VertexId>(begin));
    for (size_t vertex = begin + 1; vertex <= end; ++vertex) {
      const EdgeIndex next = index.first_edge(static_cast<VertexId>(vertex));
      if (next < start) {
        return BadDataError(StrCat("the list of vertex ", vertex, " starts before the one before"));
      }
      start = next;
    }
    return OkStatus();
  });
}

}  // namespace edgemill
