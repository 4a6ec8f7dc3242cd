#include "storage/read/graph_store.h"

#include <fcntl.h>

#include <algorithm>
#include <functional>
#include <optional>
#include <utility>

#include "common/cancel.h"
#include "common/check.h"
#include "storage/catalog/catalog.h"
#include "storage/catalog/catalog_contents.h"
#include "storage/catalog/data_directory.h"
#include "storage/catalog/graph_lock.h"
#include "storage/catalog/graph_state.h"
#include "storage/catalog/segment_file.h"
#include "storage/io/io_engine.h"
#include "storage/read/read_plan.h"

namespace edgemill {
namespace {

Codec WeightCodec(WeightType weights) {
  switch (weights) {
    case WeightType::kFloat32:
      return Codec::kRaw32;
    case WeightType::kFloat64:
      return Codec::kRaw64;
    default:
      return Codec::kPackedValues;
  }
}

/// The codec of each column of such a graph, in the order of ColumnKind.
std::array<Codec, kNumColumns> CodecsOfColumns(const GraphInfo& info) {
  const Codec weights = WeightCodec(info.weights);
  std::array<Codec, kNumColumns> codecs = {
      Codec::kPackedAscending, Codec::kPackedNeighbors, weights,
      Codec::kPackedAscending, Codec::kPackedNeighbors, weights,
      Codec::kRaw64Gaps,       Codec::kPackedValues,    Codec::kRaw8,
      Codec::kRaw64Gaps};
  for (size_t i = 0; i < info.edge_columns.size(); ++i) {
    for (const bool incoming : {false, true}) {
      codecs[static_cast<size_t>(ValuesColumn(i, incoming))] =
          WeightCodec(info.edge_columns[i].type);
    }
  }
  return codecs;
}

/// The number of the edge column called `name`, which must hold numbers or times.
StatusOr<size_t> FindEdgeColumn(const GraphInfo& info, const std::string& name,
                                const std::string& graph) {
  std::string names;
  for (size_t i = 0; i < info.edge_columns.size(); ++i) {
    const EdgeColumn& column = info.edge_columns[i];
    if (column.name == name) {
      if (column.kind != ValueKind::kText) return i;
      return UsageError(StrCat(graph, ": --weight ", name,
                               ": the column holds texts, which cannot be weights: name a column "
                               "of numbers"));
    }
    names += StrCat(i == 0 ? "" : ", ", column.name);
  }
  return UsageError(StrCat(graph, ": --weight ", name, ": the edges have no such column: ",
                           names.empty() ? "ingest it with --column" : "there are " + names));
}

StatusOr<uint64_t> BytesOfFilesIn(const std::string& path) {
  ASSIGN_OR_RETURN(const std::vector<std::string> names, ListDirectory(path));
  uint64_t bytes = 0;
  for (const std::string& name : names) {
    ASSIGN_OR_RETURN(const uint64_t size, RegularFileBytes(path + "/" + name));
    bytes += size;
  }
  return bytes;
}

uint64_t NumPages(const ColumnInfo& column, const GraphInfo& info) {
  return (column.num_blocks + info.page_blocks - 1) / info.page_blocks;
}

class DiskGraphStore : public GraphStore {
 public:
  DiskGraphStore(std::string path, File directory) {
    path_ = std::move(path);
    directory_ = std::move(directory);
  }

  /// Locks the graph, and opens all of it.
  Status OpenParts(const OpenOptions& options, MemoryBudget& budget);

 private:
  /// Reads the catalog. Keeps its block table in memory if the options say so.
  Status Load(const OpenOptions& options, MemoryBudget& budget);
  /// Finds the data directories and opens the segments.
  Status OpenSegments(const std::vector<std::string>& data_directories);
  /// Takes the counts from the header. BadDataError for counts that the catalog cannot hold.
  Status SetCounts(const HeaderRecord& header);
  /// Puts the edge column called `name` in the place of the weights.
  Status TakeAsWeights(const std::string& name);
  /// The column as which `stored` is seen; nullopt if it is not.
  std::optional<ColumnKind> SeenAs(ColumnKind stored) const;
  /// Reserves memory for exactly as many blocks and pages as the header lists.
  Status ReserveTables(MemoryBudget& budget);
  Status AddPage(ColumnKind stored, const PageRecord& page, bool keep);
  StatusOr<SegmentFile> OpenSegment(const SegmentKey& key, uint64_t length,
                                    const DataDirectory& directory) const;

  GraphLock lock_;
  MemoryReservation reservation_;
  CatalogContents contents_;
};

Status DiskGraphStore::SetCounts(const HeaderRecord& header) {
  if (!header.whole) {
    return BadDataError(StrCat(path_,
                               ": its ingest has not finished: go on with edgemill ingest "
                               "--resume, or remove it"));
  }
  for (const ColumnInfo& column : header.columns) {
    // The root hash is not checked yet: refuse more blocks than the catalog's files can hold.
    if (column.num_blocks > catalog_bytes_ / sizeof(BlockLocation)) {
      return BadDataError(StrCat(path_,
                                 ": the catalog's header lists more blocks than the catalog can "
                                 "hold: it is damaged"));
    }
  }
  info_ = header.info;
  codecs_ = CodecsOfColumns(info_);
  columns_ = header.columns;
  return OkStatus();
}

Status DiskGraphStore::TakeAsWeights(const std::string& name) {
  ASSIGN_OR_RETURN(info_.weight_column, FindEdgeColumn(info_, name, path_));
  const EdgeColumn& column = info_.edge_columns[*info_.weight_column];
  info_.weights = column.type;
  info_.has_negative_weight = column.has_negative;
  for (const ColumnKind weights : {ColumnKind::kOutWeights, ColumnKind::kInWeights}) {
    columns_[size_t(weights)] = std::exchange(columns_[size_t(StoredAs(weights))], {});
  }
  codecs_ = CodecsOfColumns(info_);
  return OkStatus();
}

std::optional<ColumnKind> DiskGraphStore::SeenAs(ColumnKind stored) const {
  if (!info_.weight_column.has_value()) return stored;
  for (const ColumnKind weights : {ColumnKind::kOutWeights, ColumnKind::kInWeights}) {
    if (stored == weights) return std::nullopt;
    if (stored == StoredAs(weights)) return weights;
  }
  return stored;
}

Status DiskGraphStore::ReserveTables(MemoryBudget& budget) {
  ASSIGN_OR_RETURN(reservation_, budget.Reserve(table_bytes(), "the graph's block table"));
  for (size_t c = 0; c < kNumColumns; ++c) {
    locations_[c].reserve(columns_[c].num_blocks);
    pages_[c].reserve(NumPages(columns_[c], info_));
  }
  return OkStatus();
}

Status DiskGraphStore::AddPage(ColumnKind stored, const PageRecord& page, bool keep) {
  const std::optional<ColumnKind> seen = SeenAs(stored);
  if (!seen.has_value()) return OkStatus();
  const ColumnKind column = *seen;
  for (const BlockLocation& location : page.blocks) {
    largest_read_bytes_ = std::max(largest_read_bytes_, ReadPlanner::SingleReadBytes(location));
  }
  if (!keep) return OkStatus();
  std::vector<BlockLocation>& locations = locations_[static_cast<size_t>(column)];
  if (locations.size() + page.blocks.size() > locations.capacity()) {
    return BadDataError("the catalog holds more blocks than its header lists: it is damaged");
  }
  locations.insert(locations.end(), page.blocks.begin(), page.blocks.end());
  if (page.info) pages_[static_cast<size_t>(column)].push_back(*page.info);
  return OkStatus();
}

Status DiskGraphStore::Load(const OpenOptions& options, MemoryBudget& budget) {
  const std::string catalog_path = StrCat(path_, "/", kCatalogName);
  ASSIGN_OR_RETURN(catalog_bytes_, BytesOfFilesIn(catalog_path));
  ASSIGN_OR_RETURN(const std::unique_ptr<Catalog> catalog,
                   Catalog::Open(catalog_path, Catalog::Mode::kRead));
  RETURN_IF_ERROR(ReadCatalog(
      *catalog, &contents_,
      [&](const HeaderRecord& header) -> Status {
        RETURN_IF_ERROR(SetCounts(header));
        if (!options.weight.empty()) RETURN_IF_ERROR(TakeAsWeights(options.weight));
        return options.block_table ? ReserveTables(budget) : OkStatus();
      },
      [&](ColumnKind column, const PageRecord& page) {
        return AddPage(column, page, options.block_table);
      }));
  return OkStatus();
}

StatusOr<SegmentFile> DiskGraphStore::OpenSegment(const SegmentKey& key, uint64_t length,
                                                  const DataDirectory& directory) const {
  SegmentFile segment{key.column, key.directory, key.number, length, false, File()};
  StatusOr<File> file = OpenDirect(directory.blocks, key.FileName(), O_RDONLY, &segment.direct);
  if (!file.ok() && file.status().code() == Code::kMissing) {
    return BadDataError(StrCat(directory.blocks.path(), "/", key.FileName(),
                               ": the segment is gone: restore it, or ingest the graph again"));
  }
  RETURN_IF_ERROR(file.status());
  ASSIGN_OR_RETURN(const uint64_t size, file->Size());
  if (size != SegmentFileBytes(length)) {
    return BadDataError(StrCat(
        file->path(), ": has ", size, " bytes instead of ", SegmentFileBytes(length), ": it was ",
        size < SegmentFileBytes(length) ? "cut off" : "added to", " after it was written"));
  }
  segment.file = std::move(*file);
  return segment;
}

Status DiskGraphStore::OpenSegments(const std::vector<std::string>& data_directories) {
  ASSIGN_OR_RETURN(
      const std::vector<DataDirectory> directories,
      FindDataDirectories(directory_, info_.uuid, contents_.directories, data_directories));
  for (const DataDirectory& directory : directories) {
    data_directories_.push_back({directory.uuid, directory.path, 0});
  }
  segment_bases_.resize(kNumColumns * directories.size());
  segments_.reserve(contents_.segments.size());
  for (const auto& [key, length] : contents_.segments) {  // in the order of segments()
    if (key.number == 0) {
      segment_bases_[static_cast<size_t>(key.column) * directories.size() + key.directory] =
          static_cast<uint32_t>(segments_.size());
    } else if (segments_.empty() || segments_.back().column != key.column ||
               segments_.back().directory != key.directory ||
               segments_.back().number + 1 != key.number) {
      return BadDataError(StrCat(path_, ": the catalog skips a segment before ", key.FileName(),
                                 ": it is damaged"));
    }
    ASSIGN_OR_RETURN(SegmentFile segment, OpenSegment(key, length, directories[key.directory]));
    segments_.push_back(std::move(segment));
    data_directories_[key.directory].stored_bytes += length;
  }
  contents_ = CatalogContents();
  return OkStatus();
}

/// Replaces the error of a catalog that cannot be read, if an interrupted ingest left it.
Status ExplainUnreadable(const File& directory, const Status& status) {
  if (status.code() != Code::kBadData) return status;
  const StatusOr<GraphStateReport> report = InspectGraph(directory);
  if (report.ok() && report->state == GraphState::kUnfinished) {
    return UnfinishedError(StrCat(directory.path(), ": ", Describe(report->state)));
  }
  return status;
}

Status DiskGraphStore::OpenParts(const OpenOptions& options, MemoryBudget& budget) {
  const std::string catalog = StrCat(path_, "/", kCatalogName);
  ASSIGN_OR_RETURN(const bool has_lock, Exists(StrCat(path_, "/", kLockName)));
  ASSIGN_OR_RETURN(const bool has_catalog, Exists(catalog));
  if (!has_lock || !has_catalog) {
    ASSIGN_OR_RETURN(const GraphStateReport report, InspectGraph(directory_));
    if (report.state == GraphState::kDamaged) return report.damage;
    return MissingError(StrCat(path_, ": no graph is here: this directory ",
                               report.state == GraphState::kForeign
                                   ? "is not a graph: give the NAME.mill that ingest made"
                                   : Describe(report.state)));
  }
  ASSIGN_OR_RETURN(lock_,
                   GraphLock::Acquire(directory_, options.exclusive ? GraphLock::Mode::kExclusive
                                                                    : GraphLock::Mode::kShared));
  if (Status status = Load(options, budget); !status.ok()) {
    status = ExplainUnreadable(directory_, status);
    const bool named = status.message().find(path_) != std::string_view::npos;
    return named ? status : Annotate(status, path_);
  }
  return OpenSegments(options.data_directories);
}

}  // namespace

StatusOr<std::unique_ptr<GraphStore>> GraphStore::Open(const std::string& path,
                                                       const OpenOptions& options,
                                                       MemoryBudget& budget) {
  while (true) {
    ASSIGN_OR_RETURN(File directory, OpenGraphDirectory(path));
    auto store = std::make_unique<DiskGraphStore>(path, std::move(directory));
    const Status opened = store->OpenParts(options, budget);
    // The lock belongs to the directory, but the catalog was opened by its path. If another graph
    // took this one's place meanwhile, the data that was read may be from both.
    if (!WasReplaced(store->directory())) {
      RETURN_IF_ERROR(opened);
      return std::unique_ptr<GraphStore>(std::move(store));
    }
    RETURN_IF_ERROR(CheckCancelled());
  }
}

uint64_t GraphStore::table_bytes() const {
  uint64_t bytes = 0;
  for (const ColumnInfo& column : columns_) {
    bytes += column.num_blocks * sizeof(BlockLocation) + NumPages(column, info_) * sizeof(PageInfo);
  }
  return bytes;
}

uint32_t GraphStore::block_values(ColumnKind column, uint64_t block) const {
  const uint64_t values = columns_[static_cast<size_t>(column)].num_values;
  const uint64_t begin = block * info_.block_edges;
  CHECK_LT(begin, values);
  return static_cast<uint32_t>(std::min<uint64_t>(info_.block_edges, values - begin));
}

BlockContents GraphStore::block_contents(ColumnKind column, uint64_t block) const {
  return {codecs_[static_cast<size_t>(column)], block_values(column, block)};
}

BlockIdentity GraphStore::identity(ColumnKind column, uint64_t block) const {
  return {info_.uuid, StoredAs(column), static_cast<uint32_t>(block / info_.page_blocks), block};
}

ColumnKind GraphStore::StoredAs(ColumnKind column) const {
  const bool out = column == ColumnKind::kOutWeights;
  if (!info_.weight_column.has_value() || (!out && column != ColumnKind::kInWeights)) return column;
  return ValuesColumn(*info_.weight_column, /*incoming=*/!out);
}

uint32_t GraphStore::segment_file(ColumnKind column, const BlockLocation& location) const {
  return segment_bases_[static_cast<size_t>(StoredAs(column)) * data_directories_.size() +
                        location.directory] +
         location.segment;
}

std::string GraphStore::LocationText(ColumnKind column, const BlockLocation& location) const {
  return StrCat(segments_[segment_file(column, location)].file.path(), " at ", location.offset());
}

FaultPlace GraphStore::PlaceOf(ColumnKind column, uint64_t block) const {
  const BlockLocation& location = blocks(column)[block];
  return {.file = segments_[segment_file(column, location)].file.path(),
          .offset = location.offset(),
          .block_of = std::string(ColumnName(StoredAs(column))),
          .block = block};
}

}  // namespace edgemill
