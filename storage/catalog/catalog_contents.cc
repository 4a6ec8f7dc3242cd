#include "storage/catalog/catalog_contents.h"

#include <algorithm>
#include <array>
#include <optional>

#include "storage/format/group_codec.h"

namespace edgemill {
namespace {

/// No stored block is longer: a header, then 8 bytes a value or the packed worst case, then
/// padding.
constexpr uint64_t kMaxStoredBytes =
    sizeof(BlockHeader) +
    std::max<uint64_t>(MaxPackedBytes(kMaxBlockValues), uint64_t{8} * kMaxBlockValues) +
    kBlockAlignment;

/// Sums up pages, and finds contradictions between pages, segments and header.
class PageChecker {
 public:
  explicit PageChecker(const HeaderRecord& header) : header_(header) {}

  Status Add(ColumnKind column, uint32_t page, const PageRecord& record) {
    Column& sum = columns_[static_cast<size_t>(column)];
    const auto bad = [&](std::string_view what) {
      return BadDataError(StrCat("the catalog's page ", page, " of ", ColumnName(column), ": ",
                                 what, ": the catalog is damaged"));
    };
    if (page != sum.num_pages) return bad("pages before it are missing");
    const uint32_t page_blocks = header_.info.page_blocks;
    if (sum.info.num_blocks != uint64_t{page} * page_blocks) return bad("the page before is short");
    if (record.blocks.size() > page_blocks) return bad("too many blocks");
    if (header_.whole && record.blocks.empty()) return bad("no blocks");
    RETURN_IF_ERROR(CheckInfo(column, page, record, sum));
    ++sum.num_pages;
    for (const BlockLocation& block : record.blocks) {
      if (!Place(column, block)) return bad("a block's place is impossible");
      ++sum.info.num_blocks;
      sum.info.stored_bytes += block.stored_bytes;
      sum.info.payload_bytes += block.payload_bytes;
    }
    return OkStatus();
  }

  Status Finish(const std::map<SegmentKey, uint64_t>& segments) const {
    if (ends_ != segments) {
      return BadDataError(
          "the catalog's segments are not as long as the blocks in them: the catalog is "
          "damaged");
    }
    for (int c = 0; c < kNumColumns; ++c) {
      const ColumnKind column = static_cast<ColumnKind>(c);
      const ColumnInfo& want = header_.columns[c];
      const ColumnInfo& have = columns_[c].info;
      const uint64_t values = want.num_blocks == 0 ? 0 : ExpectedValues(header_.info, column);
      const uint64_t block_edges = header_.info.block_edges;
      const bool counts_fit =
          !header_.whole || (want.num_values == values &&
                             want.num_blocks == (values + block_edges - 1) / block_edges);
      if (have.num_blocks != want.num_blocks || have.stored_bytes != want.stored_bytes ||
          have.payload_bytes != want.payload_bytes || !counts_fit) {
        return BadDataError(StrCat("the catalog's pages of ", ColumnName(column), " hold ",
                                   have.num_blocks,
                                   " blocks, which does not fit its header: the catalog "
                                   "is damaged"));
      }
    }
    return OkStatus();
  }

 private:
  struct Column {
    uint32_t num_pages = 0;
    VertexId last_source = 0;
    ColumnInfo info;
  };

  Status CheckInfo(ColumnKind column, uint32_t page, const PageRecord& record, Column& sum) const {
    bool ok = record.info.has_value() == IsNeighborColumn(column) ||
              (!header_.whole && IsNeighborColumn(column));
    if (ok && record.info && header_.whole) {
      const PageInfo& info = *record.info;
      ok = info.first_source <= info.last_source && info.last_source < header_.info.num_vertices &&
           info.min_target <= info.max_target && info.max_target < header_.info.num_vertices &&
           info.first_source >= sum.last_source;
      sum.last_source = info.last_source;
    }
    if (ok) return OkStatus();
    return BadDataError(StrCat("the catalog's page ", page, " of ", ColumnName(column),
                               ": impossible vertex ranges: the catalog is damaged"));
  }

  /// Whether `block` lies right behind the one before it in its segment.
  bool Place(ColumnKind column, const BlockLocation& block) {
    if (block.directory >= header_.num_directories || block.stored_bytes % kBlockAlignment != 0 ||
        block.stored_bytes < sizeof(BlockHeader) || block.stored_bytes > kMaxStoredBytes ||
        block.payload_bytes > kMaxStoredBytes) {
      return false;
    }
    uint64_t& end = ends_[{column, block.directory, block.segment}];
    if (block.offset() != end) return false;
    end += block.stored_bytes;
    return true;
  }

  const HeaderRecord& header_;
  std::array<Column, kNumColumns> columns_;
  std::map<SegmentKey, uint64_t> ends_;
};

}  // namespace

StatusOr<HeaderRecord> ReadHeader(Catalog& catalog) {
  ASSIGN_OR_RETURN(const std::optional<std::string> bytes, catalog.Get(HeaderKey()));
  if (!bytes) return BadDataError("the catalog has no header record: it is damaged");
  return DecodeHeader(*bytes);
}

Status ReadCatalog(Catalog& catalog, CatalogContents* contents,
                   const std::function<Status(const HeaderRecord&)>& on_header,
                   const std::function<Status(ColumnKind, const PageRecord&)>& on_page) {
  ASSIGN_OR_RETURN(contents->header, ReadHeader(catalog));
  RETURN_IF_ERROR(on_header(contents->header));
  RootCheck root;
  PageChecker pages(contents->header);
  RETURN_IF_ERROR(catalog.ForEach([&](std::string_view key, std::string_view value) -> Status {
    RETURN_IF_ERROR(root.Add(key, value));
    ASSIGN_OR_RETURN(const ParsedKey parsed, ParseKey(key));
    switch (parsed.kind) {
      case RecordKind::kHeader:
        contents->header_bytes = value;
        break;
      case RecordKind::kRoot:
        break;
      case RecordKind::kDirectory: {
        ASSIGN_OR_RETURN(DirectoryRecord record, DecodeDirectory(value));
        if (parsed.directory != contents->directories.size()) {
          return BadDataError("the catalog lacks a data directory's record: it is damaged");
        }
        contents->directories.push_back(std::move(record));
        break;
      }
      case RecordKind::kJournal:
        contents->journal[parsed.journal] = value;
        break;
      case RecordKind::kPage: {
        ASSIGN_OR_RETURN(const PageRecord record, DecodePage(value));
        RETURN_IF_ERROR(pages.Add(parsed.column, parsed.page, record));
        RETURN_IF_ERROR(on_page(parsed.column, record));
        break;
      }
      case RecordKind::kSegment: {
        ASSIGN_OR_RETURN(contents->segments[parsed.segment], DecodeSegment(value));
        break;
      }
    }
    return OkStatus();
  }));
  RETURN_IF_ERROR(root.Finish());
  if (contents->directories.size() != contents->header.num_directories) {
    return BadDataError("the catalog lacks a data directory's record: it is damaged");
  }
  return pages.Finish(contents->segments);
}

}  // namespace edgemill
