#include "storage/write/disk_graph_writer.h"

#include <utility>

#include "common/check.h"
#include "storage/catalog/graph_removal.h"

namespace edgemill {
namespace {

/// The journal's key for the hash of a segment's last bytes.
std::string TailKey(const SegmentKey& key) {
  return StrCat("tail/", uint32_t{key.directory}, "/", key.FileName());
}

}  // namespace

DiskGraphWriter::DiskGraphWriter(Parts parts)
    : place_(std::move(parts.place)),
      catalog_(std::move(parts.catalog)),
      header_(std::move(parts.header)),
      journal_(parts.journal.begin(), parts.journal.end()) {
  for (const DirectoryRecord& record : parts.records) {
    targets_.push_back({record.uuid, record.weight});
  }
  spill_directories_ = place_.identity.spills;
  for (const DataDirectory& directory : place_.directories) {
    if (!place_.identity.spills.empty()) break;
    spill_directories_.push_back(StrCat(directory.blocks.path(), "/", kSpillName));
  }
  header_.columns = {};  // counted up again from the pages
}

Status DiskGraphWriter::Start(const std::map<SegmentKey, uint64_t>& lengths) {
  ASSIGN_OR_RETURN(segments_, SegmentWriter::Create(place_.directories));
  RETURN_IF_ERROR(segments_->Restore(lengths));
  for (const auto& [key, hash] : segments_->TailHashes()) {
    if (GetJournal(TailKey(key)) == StrCat(hash)) continue;
    return BadDataError(StrCat(place_.directories[key.directory].blocks.path(), "/", key.FileName(),
                               ": its last bytes are not those that were written: start again "
                               "with --replace"));
  }
  recorded_lengths_ = lengths;
  for (const std::string& spill : spill_directories_) {
    const Status made = MakeDirectory(spill);
    if (made.code() != Code::kMissing) {
      RETURN_IF_ERROR(made);
      continue;
    }
    return BadDataError(StrCat(spill,
                               ": temporary files of the ingest are gone: bring them back and give "
                               "the same command again, or start over with --replace"));
  }
  return OkStatus();
}

void DiskGraphWriter::RestorePage(ColumnKind kind, const PageRecord& page) {
  Column& column = columns_[static_cast<size_t>(kind)];
  ColumnInfo& total = header_.columns[static_cast<size_t>(kind)];
  for (const BlockLocation& block : page.blocks) {
    ++total.num_blocks;
    total.stored_bytes += block.stored_bytes;
    total.payload_bytes += block.payload_bytes;
  }
  if (page.info) ++column.num_described;
  const bool described = page.info.has_value() || !IsNeighborColumn(kind);
  if (column.open_pages.empty() && described && page.blocks.size() == page_blocks()) {
    ++column.first_open;
  } else {
    column.open_pages.push_back(page);
  }
}

PageRecord& DiskGraphWriter::OpenPage(Column& column, uint64_t page) {
  CHECK_GE(page, uint64_t{column.first_open});
  while (page - column.first_open >= column.open_pages.size()) {
    column.open_pages.emplace_back();
    column.open_pages.back().blocks.reserve(page_blocks());
  }
  return column.open_pages[page - column.first_open];
}

void DiskGraphWriter::PutJournal(std::string_view key, std::string_view value) {
  journal_.insert_or_assign(std::string(key), std::string(value));
  catalog_->Put(JournalKey(key), std::string(value));
}

std::optional<std::string> DiskGraphWriter::GetJournal(std::string_view key) const {
  const auto found = journal_.find(key);
  if (found == journal_.end()) return std::nullopt;
  return found->second;
}

Status DiskGraphWriter::AppendBlock(ColumnKind kind, BlockLocation location,
                                    std::vector<std::byte> stored) {
  CHECK(!committed_);
  CHECK_EQ(stored.size(), size_t{location.stored_bytes});
  ColumnInfo& total = header_.columns[static_cast<size_t>(kind)];
  const StatusOr<uint32_t> page = PageOfBlock(total.num_blocks, page_blocks());
  RETURN_IF_ERROR(Annotate(page.status(), StrCat(place_.directory.path(), ": ", ColumnName(kind))));
  const uint8_t target = PlaceBlock(uuid(), kind, total.num_blocks, targets_);
  RETURN_IF_ERROR(segments_->Append(kind, target, stored, &location));
  OpenPage(columns_[static_cast<size_t>(kind)], *page).blocks.push_back(location);
  ++total.num_blocks;
  total.stored_bytes += location.stored_bytes;
  total.payload_bytes += location.payload_bytes;
  return OkStatus();
}

Status DiskGraphWriter::AppendPage(ColumnKind kind, const PageInfo& page) {
  CHECK(!committed_);
  CHECK(IsNeighborColumn(kind));
  CHECK_LE(page.first_source, page.last_source);
  CHECK_LE(page.min_target, page.max_target);
  Column& column = columns_[static_cast<size_t>(kind)];
  OpenPage(column, column.num_described).info = page;
  ++column.num_described;
  return OkStatus();
}

void DiskGraphWriter::PutPages() {
  for (int c = 0; c < kNumColumns; ++c) {
    const ColumnKind kind = static_cast<ColumnKind>(c);
    Column& column = columns_[c];
    uint32_t page = column.first_open;
    for (const PageRecord& record : column.open_pages) {
      catalog_->Put(PageKey(kind, page++), EncodePage(record));
    }
    const auto complete = [&](const PageRecord& record) {
      return record.blocks.size() == page_blocks() &&
             (record.info.has_value() || !IsNeighborColumn(kind));
    };
    while (!column.open_pages.empty() && complete(column.open_pages.front())) {
      column.open_pages.pop_front();
      ++column.first_open;
    }
  }
}

void DiskGraphWriter::PutSegments() {
  for (const auto& [key, length] : segments_->lengths()) {
    const auto recorded = recorded_lengths_.find(key);
    if (recorded != recorded_lengths_.end() && recorded->second == length) continue;
    catalog_->Put(key.Encode(), EncodeSegment(length));
    recorded_lengths_[key] = length;
  }
}

uint64_t DiskGraphWriter::stored_bytes() const {
  uint64_t bytes = 0;
  for (const ColumnInfo& column : header_.columns) bytes += column.stored_bytes;
  return bytes;
}

Status DiskGraphWriter::Checkpoint() {
  CHECK(!committed_);
  fault::KillPoint("storage.checkpoint.begin");
  RETURN_IF_ERROR(segments_->Sync());
  fault::KillPoint("storage.checkpoint.synced");
  PutPages();
  PutSegments();
  for (const auto& [key, hash] : segments_->TailHashes()) PutJournal(TailKey(key), StrCat(hash));
  catalog_->Put(HeaderKey(), EncodeHeader(header_));
  RETURN_IF_ERROR(catalog_->Write());
  fault::KillPoint("storage.checkpoint.written");
  return OkStatus();
}

/// Checks the caller's counts against what was appended, so that a defect of the ingest shows
/// before readers meet it.
Status DiskGraphWriter::CheckWhole(const GraphInfo& info) const {
  for (int c = 0; c < kNumColumns; ++c) {
    const ColumnKind kind = static_cast<ColumnKind>(c);
    const uint64_t blocks = header_.columns[c].num_blocks;
    const uint64_t values = ExpectedValues(info, kind);
    if (blocks > 0 && blocks != (values + block_edges() - 1) / block_edges()) {
      return InternalError(StrCat(place_.directory.path(), ": ", blocks, " blocks of ",
                                  ColumnName(kind), " cannot hold ", values, " values"));
    }
    const uint64_t pages = (blocks + page_blocks() - 1) / page_blocks();
    if (IsNeighborColumn(kind) && columns_[c].num_described != pages) {
      return InternalError(StrCat(place_.directory.path(), ": ", columns_[c].num_described, " of ",
                                  pages, " pages of ", ColumnName(kind), " were described"));
    }
  }
  return OkStatus();
}

Status DiskGraphWriter::Commit(GraphInfo info) {
  CHECK(!committed_);
  info.uuid = uuid();
  info.block_edges = block_edges();
  info.page_blocks = page_blocks();
  RETURN_IF_ERROR(CheckWhole(info));
  HeaderRecord whole = header_;
  whole.whole = true;
  whole.info = std::move(info);
  for (int c = 0; c < kNumColumns; ++c) {
    if (whole.columns[c].num_blocks == 0) continue;
    whole.columns[c].num_values = ExpectedValues(whole.info, static_cast<ColumnKind>(c));
  }
  const std::string header = EncodeHeader(whole);
  if (const StatusOr<HeaderRecord> readable = DecodeHeader(header); !readable.ok()) {
    return InternalError(
        StrCat(place_.directory.path(), ": the graph's own counts contradict each other"));
  }
  RETURN_IF_ERROR(segments_->Sync());
  fault::KillPoint("storage.commit.synced");
  PutPages();
  PutSegments();
  for (const auto& [key, value] : journal_) catalog_->Delete(JournalKey(key));
  catalog_->Put(HeaderKey(), header);
  committed_ = true;  // even if writing fails: bytes not synced may still be on disk
  RETURN_IF_ERROR(catalog_->Write());
  header_ = std::move(whole);
  fault::KillPoint("storage.commit.written");
  RETURN_IF_ERROR(RemoveSpills(&place_));
  fault::KillPoint("storage.commit.cleaned");
  return catalog_->Flush();
}

Status RemoveSpills(GraphPlace* place) {
  RETURN_IF_ERROR(RemoveNamedSpills(place->directory, &place->identity));
  for (const DataDirectory& data : place->directories) {
    RETURN_IF_ERROR(RemoveTree(StrCat(data.blocks.path(), "/", kSpillName)));
    RETURN_IF_ERROR(SyncDirectory(data.blocks.path()));
  }
  return OkStatus();
}

}  // namespace edgemill
