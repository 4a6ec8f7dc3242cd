// The GraphWriter over segments and catalog; graph_writer.cc makes and resumes them.
#pragma once

#include <array>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "storage/catalog/catalog.h"
#include "storage/catalog/catalog_records.h"
#include "storage/catalog/data_directory.h"
#include "storage/catalog/graph_lock.h"
#include "storage/write/graph_writer.h"
#include "storage/write/placement.h"
#include "storage/write/segment_writer.h"

namespace edgemill {

/// Where a graph lies: its directories, which one lock guards.
struct GraphPlace {
  File directory;
  GraphLock lock;
  std::vector<DataDirectory> directories;
  GraphIdentity identity;
};

/// Writes blocks to segments in the background. A checkpoint puts their records into the catalog.
class DiskGraphWriter : public GraphWriter {
 public:
  /// What an ingest starts from: a new graph, or the state at its last checkpoint.
  struct Parts {
    GraphPlace place;
    std::unique_ptr<Catalog> catalog;
    HeaderRecord header;
    std::vector<DirectoryRecord> records;
    std::map<std::string, std::string> journal;
  };

  explicit DiskGraphWriter(Parts parts);
  Status Start(const std::map<SegmentKey, uint64_t>& lengths);
  /// Takes in a page of the last checkpoint; called in order.
  void RestorePage(ColumnKind column, const PageRecord& page);

  const Uuid& uuid() const override { return header_.info.uuid; }
  uint32_t block_edges() const override { return header_.info.block_edges; }
  uint32_t page_blocks() const override { return header_.info.page_blocks; }
  const std::vector<std::string>& spill_directories() const override { return spill_directories_; }
  void PutJournal(std::string_view key, std::string_view value) override;
  std::optional<std::string> GetJournal(std::string_view key) const override;
  Status AppendBlock(ColumnKind column, BlockLocation location,
                     std::vector<std::byte> stored) override;
  Status AppendPage(ColumnKind column, const PageInfo& page) override;
  uint64_t num_blocks(ColumnKind column) const override {
    return header_.columns[static_cast<size_t>(column)].num_blocks;
  }
  Status Checkpoint() override;
  Status Commit(GraphInfo info) override;
  bool committed() const override { return committed_; }
  uint64_t stored_bytes() const override;

 private:
  /// The pages of a column that are incomplete, or not yet in the catalog.
  struct Column {
    uint32_t first_open = 0;     // number of open_pages[0]
    uint32_t num_described = 0;  // pages whose PageInfo is known
    std::deque<PageRecord> open_pages;
  };

  PageRecord& OpenPage(Column& column, uint64_t page);
  /// Collects the records of a checkpoint; closes pages that are complete.
  void PutPages();
  void PutSegments();
  Status CheckWhole(const GraphInfo& info) const;

  GraphPlace place_;
  std::unique_ptr<Catalog> catalog_;
  HeaderRecord header_;
  std::vector<PlacementTarget> targets_;
  std::vector<std::string> spill_directories_;
  std::array<Column, kNumColumns> columns_;
  std::map<std::string, std::string, std::less<>> journal_;
  std::map<SegmentKey, uint64_t> recorded_lengths_;
  std::unique_ptr<SegmentWriter> segments_;
  bool committed_ = false;
};

/// Deletes the spill directories of the graph in `place` with all they hold, and takes them out of
/// its identity.
Status RemoveSpills(GraphPlace* place);

}  // namespace edgemill
