// Makes a graph on disk whose vertices have names from a graph without names.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "common/os/file.h"
#include "loaders/encode/name_columns.h"
#include "storage/read/graph_store.h"
#include "storage/write/graph_writer.h"

namespace edgemill {

/// Appends a block of `from` to `writer`. The graph of `writer` has the same uuid and sizes.
inline Status CopyBlock(const GraphStore& from, ColumnKind column, uint64_t block,
                        GraphWriter& writer) {
  if (block % writer.page_blocks() == 0 && !from.pages(column).empty()) {
    RETURN_IF_ERROR(writer.AppendPage(column, from.pages(column)[block / writer.page_blocks()]));
  }
  const BlockLocation& location = from.blocks(column)[block];
  ASSIGN_OR_RETURN(const File file,
                   File::Open(from.segments()[from.segment_file(column, location)].file.path(), 0));
  std::vector<std::byte> stored(location.stored_bytes);
  RETURN_IF_ERROR(file.ReadAt(stored, location.offset()).status());
  return writer.AppendBlock(column, location, std::move(stored));
}

/// Writes the graph at `path`, whose ids are 0, 1, ..., to `named_path` with names. Vertex i gets
/// `names[i]`; `names` ascend.
inline Status WriteNamedGraph(const std::string& path, const std::vector<std::string>& names,
                              const std::string& named_path) {
  MemoryBudget budget(uint64_t{64} << 20);
  ASSIGN_OR_RETURN(const auto store, GraphStore::Open(path, {}, budget));
  CreateOptions options;
  options.uuid = store->info().uuid;
  options.block_edges = store->info().block_edges;
  options.page_blocks = store->info().page_blocks;
  ASSIGN_OR_RETURN(const auto writer, GraphWriter::Create(named_path, options));
  for (int kind = 0; kind < kNumColumnsWithoutNames; ++kind) {
    for (uint64_t block = 0; block < store->column(ColumnKind(kind)).num_blocks; ++block) {
      RETURN_IF_ERROR(CopyBlock(*store, ColumnKind(kind), block, *writer));
    }
  }
  NameColumns columns(*writer, CompressionPolicy::kNever);
  for (const std::string& name : names) RETURN_IF_ERROR(columns.Append(name));
  RETURN_IF_ERROR(columns.Finish());
  GraphInfo info = store->info();
  info.name_bytes = columns.bytes();
  return writer->Commit(info);
}

}  // namespace edgemill
