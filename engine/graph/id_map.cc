#include "engine/graph/id_map.h"

#include <algorithm>
#include <cstring>
#include <optional>
#include <vector>

#include "common/cancel.h"
#include "common/check.h"
#include "common/threads/parallel.h"
#include "common/units.h"
#include "engine/graph/vertex_index.h"
#include "storage/format/group_codec.h"

namespace edgemill {

uint64_t IdMap::NumValues(uint64_t block) const {
  const GraphInfo& info = store_.info();
  return std::min<uint64_t>(info.block_edges, info.num_vertices - block * info.block_edges);
}

Status IdMap::ReadIds(uint64_t block, std::span<ExternalId> ids) {
  CHECK_EQ(ids.size(), NumValues(block));
  const GraphInfo& info = store_.info();
  if (!info.sparse_ids) {
    const ExternalId first = block * info.block_edges + info.id_base;
    for (size_t i = 0; i < ids.size(); ++i) ids[i] = first + i;
    return OkStatus();
  }
  ASSIGN_OR_RETURN(const BlockLease lease, reader_.ReadOne(ColumnKind::kExternalIds, block));
  if (lease.payload().size() != ids.size_bytes()) {
    return DamagedBlock(store_, ColumnKind::kExternalIds, block,
                        "its length is not that of its ids");
  }
  std::memcpy(ids.data(), lease.payload().data(), ids.size_bytes());
  for (size_t i = 1; i < ids.size(); ++i) {
    ids[i] += ids[i - 1];
    if (ids[i] <= ids[i - 1]) {
      return DamagedBlock(store_, ColumnKind::kExternalIds, block, "its ids do not rise");
    }
  }
  return OkStatus();
}

Status IdMap::ReadVertices(uint64_t block, std::span<VertexId> vertices) {
  CHECK_EQ(vertices.size(), NumValues(block));
  const GraphInfo& info = store_.info();
  if (info.renumbering == Renumbering::kNone) {
    const uint64_t first = block * info.block_edges;
    for (size_t i = 0; i < vertices.size(); ++i) vertices[i] = static_cast<VertexId>(first + i);
    return OkStatus();
  }
  ASSIGN_OR_RETURN(const BlockLease lease, reader_.ReadOne(ColumnKind::kInternalOfRank, block));
  const StatusOr<PackedView> view =
      PackedView::Open(lease.payload(), static_cast<uint32_t>(vertices.size()));
  if (!view.ok()) {
    return DamagedBlock(store_, ColumnKind::kInternalOfRank, block, view.status().message());
  }
  UnpackValues(*view, vertices.data());
  if (*std::max_element(vertices.begin(), vertices.end()) >= info.num_vertices) {
    return DamagedBlock(store_, ColumnKind::kInternalOfRank, block, "an id is not a vertex's");
  }
  return OkStatus();
}

Status IdMap::Unknown(ExternalId id, ExternalId first, ExternalId last) const {
  return UsageError(StrCat("vertex ", id, " is not in ", store_.path(), ": its ",
                           FormatCount(store_.info().num_vertices), " ids run from ", first, " to ",
                           last));
}

StatusOr<VertexId> IdMap::Find(ExternalId id) {
  const GraphInfo& info = store_.info();
  if (info.num_vertices == 0) {
    return UsageError(StrCat("vertex ", id, " is not in ", store_.path(), ": it has no vertices"));
  }
  std::vector<ExternalId> ids(info.block_edges);
  const uint64_t num_blocks = (info.num_vertices + info.block_edges - 1) / info.block_edges;
  uint64_t rank = id - info.id_base;
  if (!info.sparse_ids) {
    if (id < info.id_base || rank >= info.num_vertices) {
      return Unknown(id, info.id_base, info.id_base + info.num_vertices - 1);
    }
  } else {
    // The last block whose first id is at most `id`.
    uint64_t begin = 0;
    for (uint64_t end = num_blocks; begin < end;) {
      const uint64_t middle = begin + (end - begin) / 2;
      const auto block_ids = std::span(ids).first(NumValues(middle));
      RETURN_IF_ERROR(ReadIds(middle, block_ids));
      if (id > block_ids.back()) {
        begin = middle + 1;
      } else {
        end = middle;
      }
    }
    const uint64_t block = std::min(begin, num_blocks - 1);
    const auto block_ids = std::span(ids).first(NumValues(block));
    RETURN_IF_ERROR(ReadIds(block, block_ids));
    const auto place = std::lower_bound(block_ids.begin(), block_ids.end(), id);
    if (place == block_ids.end() || *place != id) {
      RETURN_IF_ERROR(ReadIds(0, std::span(ids).first(NumValues(0))));
      const ExternalId least = ids.front();
      const auto last = std::span(ids).first(NumValues(num_blocks - 1));
      RETURN_IF_ERROR(ReadIds(num_blocks - 1, last));
      return Unknown(id, least, last.back());
    }
    rank = block * info.block_edges + static_cast<uint64_t>(place - block_ids.begin());
  }
  std::vector<VertexId> vertices(NumValues(rank / info.block_edges));
  RETURN_IF_ERROR(ReadVertices(rank / info.block_edges, vertices));
  return vertices[rank % info.block_edges];
}

StatusOr<std::pair<ExternalId, VertexId>> IdMap::At(uint64_t rank) {
  const GraphInfo& info = store_.info();
  CHECK_LT(rank, info.num_vertices);
  const uint64_t block = rank / info.block_edges;
  std::vector<ExternalId> ids(NumValues(block));
  std::vector<VertexId> vertices(NumValues(block));
  RETURN_IF_ERROR(ReadIds(block, ids));
  RETURN_IF_ERROR(ReadVertices(block, vertices));
  return std::pair(ids[rank % info.block_edges], vertices[rank % info.block_edges]);
}

StatusOr<ExternalId> IdMap::IdOf(VertexId vertex) {
  std::optional<ExternalId> id;
  const Status status =
      Visit([&](uint64_t, std::span<const ExternalId> ids, std::span<const VertexId> vertices) {
        const auto place = std::find(vertices.begin(), vertices.end(), vertex);
        if (place == vertices.end()) return OkStatus();
        id = ids[static_cast<size_t>(place - vertices.begin())];
        return InternalError("found");  // ends the visit
      });
  if (id.has_value()) return *id;
  return status.ok() ? InternalError(StrCat("vertex ", vertex, " has no id")) : status;
}

Status IdMap::Read(uint64_t first_rank, std::span<ExternalId> ids, std::span<VertexId> vertices) {
  CHECK_EQ(ids.size(), vertices.size());
  const uint64_t block_edges = store_.info().block_edges;
  std::vector<ExternalId> block_ids;
  std::vector<VertexId> block_vertices;
  for (size_t done = 0; done < ids.size();) {
    const uint64_t block = (first_rank + done) / block_edges;
    const uint64_t skipped = (first_rank + done) % block_edges;
    const uint64_t in_block = NumValues(block);
    const uint64_t count = std::min<uint64_t>(in_block - skipped, ids.size() - done);
    if (count == in_block) {
      RETURN_IF_ERROR(ReadIds(block, ids.subspan(done, count)));
      RETURN_IF_ERROR(ReadVertices(block, vertices.subspan(done, count)));
    } else {
      block_ids.resize(in_block);
      block_vertices.resize(in_block);
      RETURN_IF_ERROR(ReadIds(block, block_ids));
      RETURN_IF_ERROR(ReadVertices(block, block_vertices));
      std::copy_n(block_ids.data() + skipped, count, ids.data() + done);
      std::copy_n(block_vertices.data() + skipped, count, vertices.data() + done);
    }
    done += count;
  }
  return OkStatus();
}

Status IdMap::Visit(const Visitor& visit) {
  const GraphInfo& info = store_.info();
  std::vector<ExternalId> ids(info.block_edges);
  std::vector<VertexId> vertices(info.block_edges);
  for (uint64_t block = 0; block * info.block_edges < info.num_vertices; ++block) {
    RETURN_IF_ERROR(VisitBlock(block, ids, vertices, visit));
  }
  return OkStatus();
}

Status IdMap::VisitInParallel(int threads, const Visitor& visit) {
  const GraphInfo& info = store_.info();
  return ParallelFor(info.num_vertices, info.block_edges, threads, [&](size_t begin, size_t) {
    std::vector<ExternalId> ids(info.block_edges);
    std::vector<VertexId> vertices(info.block_edges);
    return VisitBlock(begin / info.block_edges, ids, vertices, visit);
  });
}

Status IdMap::VisitBlock(uint64_t block, std::vector<ExternalId>& ids,
                         std::vector<VertexId>& vertices, const Visitor& visit) {
  RETURN_IF_ERROR(CheckCancelled());
  const uint64_t count = NumValues(block);
  RETURN_IF_ERROR(ReadIds(block, std::span(ids).first(count)));
  RETURN_IF_ERROR(ReadVertices(block, std::span(vertices).first(count)));
  return visit(block * store_.info().block_edges, std::span(ids).first(count),
               std::span(vertices).first(count));
}

}  // namespace edgemill
