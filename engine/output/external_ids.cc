#include "engine/output/external_ids.h"

#include <cstring>
#include <numeric>
#include <vector>

#include "common/check.h"
#include "common/strings.h"
#include "common/threads/parallel.h"
#include "engine/graph/vertex_index.h"
#include "storage/format/group_codec.h"

namespace edgemill {

uint64_t ExternalIds::SizeBytes(const GraphStore& store) {
  if (store.info().sparse_ids) return store.info().num_vertices * 8;
  return store.has(ColumnKind::kInternalOfRank) ? store.info().num_vertices * 4 : 0;
}

StatusOr<ExternalIds> ExternalIds::Load(const GraphStore& store, BlockReader& reader, int threads,
                                        MemoryBudget& budget) {
  const GraphInfo& info = store.info();
  const bool renumbered = store.has(ColumnKind::kInternalOfRank);
  ExternalIds names;
  names.base_ = info.id_base;
  if (!info.sparse_ids && !renumbered) return names;
  ASSIGN_OR_RETURN(names.reservation_, budget.Reserve(SizeBytes(store), "the ids of vertices"));
  if (info.sparse_ids) {
    ASSIGN_OR_RETURN(names.wide_, Array<uint64_t>::Allocate(info.num_vertices));
  } else {
    ASSIGN_OR_RETURN(names.narrow_, Array<uint32_t>::Allocate(info.num_vertices));
  }
  // Block b of both columns covers the same ranks. With one column, it is column 0 of the lease.
  std::vector<ColumnKind> columns;
  if (info.sparse_ids) columns.push_back(ColumnKind::kExternalIds);
  if (renumbered) columns.push_back(ColumnKind::kInternalOfRank);
  std::vector<uint64_t> blocks(store.column(columns[0]).num_blocks);
  std::iota(blocks.begin(), blocks.end(), uint64_t{0});
  const std::unique_ptr<BlockStream> stream = reader.Start(columns, std::move(blocks));
  RETURN_IF_ERROR(RunThreads(threads, [&](int /*thread*/) -> Status {
    while (true) {
      ASSIGN_OR_RETURN(const std::optional<BlockLease> lease, stream->Next());
      if (!lease.has_value()) return OkStatus();
      RETURN_IF_ERROR(names.ReadBlock(store, renumbered, *lease));
    }
  }));
  return names;
}

Status ExternalIds::ReadBlock(const GraphStore& store, bool renumbered, const BlockLease& lease) {
  const bool sparse = !wide_.empty();
  CHECK_EQ(sparse ? wide_.size() : narrow_.size(), store.info().num_vertices);
  const ColumnKind first = sparse ? ColumnKind::kExternalIds : ColumnKind::kInternalOfRank;
  const uint32_t num_values = store.block_values(first, lease.block());
  const uint64_t first_rank = lease.block() * store.info().block_edges;
  std::vector<uint32_t> internal(size_t{NumGroups(num_values)} * kGroupSize);
  if (renumbered) {
    ASSIGN_OR_RETURN(const PackedView view,
                     PackedView::Open(lease.payload(sparse ? 1 : 0), num_values));
    UnpackValues(view, internal.data());
  } else {
    std::iota(internal.begin(), internal.end(), static_cast<uint32_t>(first_rank));
  }
  const std::span<const std::byte> gaps = lease.payload(0);
  if (sparse && gaps.size() < num_values * sizeof(uint64_t)) {
    return DamagedBlock(store, first, lease.block(), "its payload is too short");
  }
  uint64_t id = 0;
  for (uint32_t i = 0; i < num_values; ++i) {
    if (internal[i] >= store.info().num_vertices) {
      return DamagedBlock(store, ColumnKind::kInternalOfRank, lease.block(),
                          StrCat("value ", i, " is not a vertex"));
    }
    if (sparse) {
      uint64_t gap;
      std::memcpy(&gap, gaps.data() + i * sizeof(gap), sizeof(gap));
      id += gap;
      wide_[internal[i]] = id;
    } else {
      narrow_[internal[i]] = static_cast<uint32_t>(first_rank + i);
    }
  }
  return OkStatus();
}

}  // namespace edgemill
