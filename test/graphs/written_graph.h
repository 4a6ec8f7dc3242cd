// Small graphs written block by block, for tests of the storage layer.
#pragma once

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "common/os/file.h"
#include "common/random.h"
#include "storage/catalog/catalog.h"
#include "storage/read/graph_store.h"
#include "storage/write/graph_writer.h"
#include "test/temporary_directory.h"

namespace edgemill {

/// The sizes of a test graph. Only the sizes decide its contents.
struct TestGraph {
  uint32_t block_edges = 128;
  uint32_t page_blocks = 4;
  uint64_t num_vertices = 1000;
  uint64_t num_edges = 128 * 21 + 5;  // 22 blocks, the last page short
  uint32_t checkpoint_every = 5;      // blocks
};

inline Uuid TestUuid() { return *Uuid::Parse("01234567-89ab-4def-8123-456789abcdef"); }

inline uint64_t ValuesOf(const TestGraph& graph, ColumnKind column) {
  return column == ColumnKind::kOutOffsets ? graph.num_vertices + 1 : graph.num_edges;
}

inline uint64_t BlocksOf(const TestGraph& graph, ColumnKind column) {
  return (ValuesOf(graph, column) + graph.block_edges - 1) / graph.block_edges;
}

/// The contents that the header of block `block` of `column` must name.
inline BlockContents ContentsOf(const TestGraph& graph, ColumnKind column, uint64_t block) {
  const uint64_t rest = ValuesOf(graph, column) - block * graph.block_edges;
  return {column == ColumnKind::kOutOffsets ? Codec::kPackedAscending : Codec::kPackedNeighbors,
          static_cast<uint32_t>(std::min<uint64_t>(graph.block_edges, rest))};
}

/// Block `block` of `column`, sealed. Its bytes differ from those of all other blocks.
inline std::vector<std::byte> StoredBlock(const TestGraph& graph, ColumnKind column, uint64_t block,
                                          BlockLocation* location) {
  Random random(block * 8 + static_cast<uint64_t>(column));
  std::vector<std::byte> payload(graph.block_edges * 4 + random.Below(3000) / 8 * 8);
  for (std::byte& byte : payload) byte = static_cast<std::byte>(random());
  std::vector<std::byte> stored;
  const BlockIdentity identity{TestUuid(), column, static_cast<uint32_t>(block / graph.page_blocks),
                               block};
  *location = BlockSealer().Seal(identity, ContentsOf(graph, column, block), payload,
                                 CompressionPolicy::kNever, &stored);
  return stored;
}

inline PageInfo TestPage(uint32_t page) { return {page * 10, page * 10 + 10, page, page + 100}; }

/// Appends the blocks that are still missing, with checkpoints, and commits. Blocks of
/// out-neighbours and of offsets alternate.
inline Status FinishGraph(GraphWriter& writer, const TestGraph& graph) {
  for (uint64_t block = 0; block < BlocksOf(graph, ColumnKind::kOutNeighbors); ++block) {
    for (const ColumnKind column : {ColumnKind::kOutNeighbors, ColumnKind::kOutOffsets}) {
      if (block < writer.num_blocks(column) || block >= BlocksOf(graph, column)) continue;
      if (column == ColumnKind::kOutNeighbors && block % graph.page_blocks == 0) {
        const uint32_t page = static_cast<uint32_t>(block / graph.page_blocks);
        RETURN_IF_ERROR(writer.AppendPage(column, TestPage(page)));
      }
      BlockLocation location;
      std::vector<std::byte> stored = StoredBlock(graph, column, block, &location);
      RETURN_IF_ERROR(writer.AppendBlock(column, location, std::move(stored)));
    }
    if (block % graph.checkpoint_every == graph.checkpoint_every - 1) {
      writer.PutJournal("block", StrCat(block));
      RETURN_IF_ERROR(writer.Checkpoint());
    }
  }
  GraphInfo info;
  info.num_vertices = graph.num_vertices;
  info.num_edges = graph.num_edges;
  return writer.Commit(info);
}

inline CreateOptions TestOptions(const TestGraph& graph, std::vector<std::string> directories) {
  CreateOptions options;
  options.uuid = TestUuid();
  options.data_directories = std::move(directories);
  options.block_edges = graph.block_edges;
  options.page_blocks = graph.page_blocks;
  return options;
}

inline Status WriteGraph(const std::string& path, const TestGraph& graph,
                         const std::vector<std::string>& directories = {}) {
  ASSIGN_OR_RETURN(const std::unique_ptr<GraphWriter> writer,
                   GraphWriter::Create(path, TestOptions(graph, directories)));
  return FinishGraph(*writer, graph);
}

/// Opens the graph and checks every block. Returns ok only when the graph is whole and each block
/// has the right bytes.
inline Status CheckGraph(const std::string& path, const TestGraph& graph,
                         const std::vector<std::string>& directories = {}) {
  MemoryBudget budget(uint64_t{64} << 20);
  OpenOptions options;
  options.data_directories = directories;
  ASSIGN_OR_RETURN(const std::unique_ptr<GraphStore> store,
                   GraphStore::Open(path, options, budget));
  EXPECT_EQ(store->info().num_edges, graph.num_edges);
  EXPECT_EQ(store->info().num_vertices, graph.num_vertices);
  EXPECT_EQ(store->info().uuid, TestUuid());
  for (const ColumnKind column : {ColumnKind::kOutNeighbors, ColumnKind::kOutOffsets}) {
    EXPECT_EQ(store->column(column).num_blocks, BlocksOf(graph, column));
    EXPECT_EQ(store->blocks(column).size(), BlocksOf(graph, column));
    for (uint64_t block = 0; block < store->blocks(column).size(); ++block) {
      const BlockLocation& location = store->blocks(column)[block];
      const SegmentFile& segment = store->segments()[store->segment_file(column, location)];
      ASSIGN_OR_RETURN(const File file, File::Open(segment.file.path(), 0));
      std::vector<std::byte> stored(location.stored_bytes);
      ASSIGN_OR_RETURN(const size_t read, file.ReadAt(stored, location.offset()));
      stored.resize(read);
      const StatusOr<BlockHeader> header = CheckBlock(
          store->identity(column, block), store->block_contents(column, block), location, stored);
      RETURN_IF_ERROR(Annotate(header.status(), store->LocationText(column, location)));
      BlockLocation unused;
      EXPECT_TRUE(stored == StoredBlock(graph, column, block, &unused));
    }
  }
  for (uint32_t page = 0; page < store->pages(ColumnKind::kOutNeighbors).size(); ++page) {
    EXPECT_EQ(store->pages(ColumnKind::kOutNeighbors)[page].first_source,
              TestPage(page).first_source);
    EXPECT_EQ(store->pages(ColumnKind::kOutNeighbors)[page].max_target, TestPage(page).max_target);
  }
  return OkStatus();
}

/// The names and contents of the segments in the data directories, and the catalog's records. None
/// of these may depend on interruptions.
inline std::map<std::string, std::string> Contents(const std::string& path,
                                                   std::vector<std::string> directories = {}) {
  if (directories.empty()) directories = {path + "/data"};
  std::map<std::string, std::string> contents;
  for (size_t i = 0; i < directories.size(); ++i) {
    const std::string blocks = directories[i] + "/" + TestUuid().ToString();
    for (const auto& entry : std::filesystem::recursive_directory_iterator(blocks)) {
      if (!entry.is_regular_file()) continue;
      contents[StrCat(i, "/", entry.path().lexically_relative(blocks).native())] =
          *ReadWholeFile(entry.path().native(), entry.file_size());
    }
  }
  auto records = DumpRecords(path + "/catalog");
  EXPECT_TRUE(records.ok()) << records.status().message();
  if (records.ok()) {
    for (auto& [key, value] : *records) contents["record " + key] = value;
  }
  return contents;
}

}  // namespace edgemill
