#include <algorithm>
#include <utility>

#include "common/cancel.h"
#include "common/thread_annotations.h"
#include "loaders/tables/table_engine.h"
#include "loaders/tables/table_input.h"
#include "loaders/tables/table_parser.h"

namespace edgemill {
namespace {

/// The rows of a raw chunk: as many row groups as have about so many rows, or a part of a larger
/// one. Numbers take 8 to 24 bytes a row; names may take 100.
constexpr uint64_t kChunkRows = uint64_t{1} << 19;
constexpr uint64_t kNamedChunkRows = uint64_t{1} << 17;

/// A connection with the statement that reads a range of rows.
struct Scan {
  TableConnection connection;
  TableStatement statement;
};

/// Scans that are not in use, at most `most` in all. Thread-safe.
class ScanPool {
 public:
  explicit ScanPool(size_t most) : most_(most) {}

  /// Takes a scan, and waits while all are in use. Scans are made by `make`.
  template <typename Make>
  StatusOr<std::unique_ptr<Scan>> Take(const Make& make) {
    {
      MutexLock lock(mutex_);
      while (in_use_ == most_) returned_.Wait(mutex_);
      ++in_use_;
      if (!free_.empty()) {
        std::unique_ptr<Scan> scan = std::move(free_.back());
        free_.pop_back();
        return scan;
      }
    }
    StatusOr<std::unique_ptr<Scan>> made = make();
    if (!made.ok()) Return(nullptr);
    return made;
  }
  void Return(std::unique_ptr<Scan> scan) {
    MutexLock lock(mutex_);
    --in_use_;
    if (scan != nullptr) free_.push_back(std::move(scan));
    returned_.NotifyOne();
  }
  void Clear() {
    MutexLock lock(mutex_);
    free_.clear();
  }

 private:
  const size_t most_;
  Mutex mutex_;
  CondVar returned_;
  size_t in_use_ GUARDED_BY(mutex_) = 0;
  std::vector<std::unique_ptr<Scan>> free_ GUARDED_BY(mutex_);
};

class ParquetInput final : public Input {
 public:
  ParquetInput(const InputStream& stream, std::shared_ptr<TableEngine> tables, InputInfo info,
               TableParser parser, uint64_t rows)
      : name_(stream.name()),
        bytes_(stream.stored_bytes()),
        fingerprint_(stream.fingerprint()),
        tables_(std::move(tables)),
        info_(std::move(info)),
        parser_(std::move(parser)),
        rows_(rows),
        chunk_rows_(tables_->ChunkRows(parser_.layout().named ? kNamedChunkRows : kChunkRows)),
        scans_(tables_->max_scans()) {
    info_.expected_edges = rows;
    next_ = info_.body;
  }

  const std::string& name() const override { return name_; }
  const InputInfo& info() const override { return info_; }
  uint64_t stored_bytes() const override { return bytes_; }
  uint64_t fingerprint() const override { return fingerprint_; }
  bool seekable() const override { return true; }
  void CloseWhileIdle() override { scans_.Clear(); }
  Status Seek(const InputPosition& position) override {
    if (position.record > rows_) return BadDataError("the reader's position is damaged");
    next_ = position;
    return OkStatus();
  }
  Status CheckEnd(const InputTotals&, InputInfo*) const override { return OkStatus(); }

  Status NextChunk(size_t, RawChunk* raw) override {
    raw->begin = next_;
    raw->text = {};
    next_.record = EndOfChunk(next_.record);
    raw->ends_input = next_.record == rows_;
    // The offset counts stored bytes, in proportion to the rows.
    const double share = rows_ == 0 ? 1 : static_cast<double>(next_.record) / double(rows_);
    next_.offset = raw->ends_input ? bytes_ : static_cast<uint64_t>(share * double(bytes_));
    raw->unread_bytes = next_.offset - raw->begin.offset;
    raw->end = next_;
    return OkStatus();
  }

  Status Parse(const RawChunk& raw, EdgeChunk* chunk, ParseResult* result) const override {
    if (raw.end.record == raw.begin.record) return OkStatus();
    StatusOr<std::unique_ptr<Scan>> scan = scans_.Take([this] { return MakeScan(); });
    if (!scan.ok()) return Explain(raw, scan.status());
    const Status status = ParseRows((*scan)->statement, raw, chunk, result);
    scans_.Return(std::move(*scan));
    return status.ok() ? status : Explain(raw, status);
  }

 private:
  /// Where a raw chunk that begins at `row` ends.
  uint64_t EndOfChunk(uint64_t row) const {
    const uint64_t most = row + chunk_rows_;
    if (most >= rows_) return rows_;
    const std::vector<uint64_t>& starts = parser_.group_starts();
    const uint64_t border = *(std::upper_bound(starts.begin(), starts.end(), most) - 1);
    return border > row ? border : most;
  }

  StatusOr<std::unique_ptr<Scan>> MakeScan() const {
    ASSIGN_OR_RETURN(TableConnection connection, tables_->Connect(TableEngine::Use::kScans));
    ASSIGN_OR_RETURN(TableStatement statement,
                     connection.Prepare(StrCat(
                         "SELECT ", parser_.layout().select, " FROM read_parquet(", SqlText(name_),
                         ") WHERE file_row_number >= $1 AND file_row_number < $2")));
    return std::make_unique<Scan>(Scan{std::move(connection), std::move(statement)});
  }

  Status ParseRows(TableStatement& statement, const RawChunk& raw, EdgeChunk* chunk,
                   ParseResult* result) const {
    ASSIGN_OR_RETURN(TableRows rows, statement.Run({raw.begin.record, raw.end.record}));
    TableSink sink(raw, parser_.layout().named, chunk);
    while (true) {
      RETURN_IF_ERROR(CheckCancelled());
      ASSIGN_OR_RETURN(const std::optional<TableChunk> some, rows.Next());
      if (!some.has_value()) break;
      if (!parser_.Parse(*some, &sink, result)) return OkStatus();
    }
    if (sink.row == raw.end.record) return OkStatus();
    return BadDataError(StrCat("the footer declares ", raw.end.record - raw.begin.record,
                               " rows here, and there are ", sink.row - raw.begin.record));
  }

  /// Says where in the file DuckDB met an error.
  Status Explain(const RawChunk& raw, const Status& status) const {
    if (status.code() != Code::kBadData) return status;
    return BadDataError(StrCat(name_, ": in the rows from ", parser_.PlaceOf(raw.begin.record),
                               " to ", parser_.PlaceOf(raw.end.record - 1), ": ", status.message(),
                               ": the file is damaged: write it again"))
        .At({.file = name_});
  }

  const std::string name_;
  const uint64_t bytes_;
  const uint64_t fingerprint_;
  const std::shared_ptr<TableEngine> tables_;
  InputInfo info_;
  const TableParser parser_;
  const uint64_t rows_;
  const uint64_t chunk_rows_;
  InputPosition next_;
  mutable ScanPool scans_;
};

/// The first row of each row group, and the number of all rows at the end.
StatusOr<std::vector<uint64_t>> GroupBorders(const std::string& name, TableConnection& connection) {
  ASSIGN_OR_RETURN(
      const auto groups,
      connection.Texts(StrCat("SELECT CAST(any_value(row_group_num_rows) AS VARCHAR) FROM ",
                              "parquet_metadata(", SqlText(name), ") GROUP BY row_group_id ",
                              "ORDER BY row_group_id")));
  std::vector<uint64_t> borders = {0};
  for (const std::vector<std::string>& group : groups) {
    uint64_t rows = 0;
    if (!ParseNumber(group[0], &rows) || rows > uint64_t{INT64_MAX} - borders.back()) {
      return BadDataError(
          StrCat("row group ", borders.size() - 1, " declares ", group[0], " rows"));
    }
    borders.push_back(borders.back() + rows);
  }
  return borders;
}

StatusOr<std::vector<TableColumn>> ColumnsOf(const std::string& name, TableConnection& connection) {
  ASSIGN_OR_RETURN(
      const auto described,
      connection.Texts(StrCat("SELECT column_name, column_type FROM (DESCRIBE SELECT * FROM ",
                              "read_parquet(", SqlText(name), "))")));
  std::vector<TableColumn> columns;
  for (const std::vector<std::string>& column : described)
    columns.push_back({column[0], column[1]});
  return columns;
}

}  // namespace

bool IsParquet(std::string_view head) { return head.starts_with("PAR1"); }

Status CheckNoPattern(const std::string& name) {
  if (name.find_first_of("*?[") == std::string::npos) return OkStatus();
  return UsageError(StrCat(name,
                           ": DuckDB takes *, ? and [ in the name of a Parquet file as a pattern: "
                           "rename the file"));
}

StatusOr<std::unique_ptr<Input>> MakeParquetInput(const std::string& path,
                                                  const InputStream& stream,
                                                  const ReadOptions& options) {
  const std::string& name = stream.name();
  if (!stream.seekable() || path == "-") {
    return UsageError(StrCat(name,
                             ": Parquet is read from a plain file, since its description is "
                             "at its end: write it to a file"));
  }
  if (!IsParquet(stream.head())) {
    return BadDataError(StrCat(name, ": no Parquet file, since it does not begin with PAR1: say ",
                               "with --format what it is"));
  }
  RETURN_IF_ERROR(CheckNoPattern(name));
  ASSIGN_OR_RETURN(TableConnection connection, options.tables->Connect(TableEngine::Use::kScans));
  const auto in_file = [&](const Status& status) {
    if (status.code() != Code::kBadData) return status;
    return BadDataError(
        StrCat(name, ": ", status.message(), ": the file is cut short or damaged: write it again"));
  };
  const auto borders = GroupBorders(name, connection);
  if (!borders.ok()) return in_file(borders.status());
  auto columns = ColumnsOf(name, connection);
  if (!columns.ok()) return in_file(columns.status());
  InputInfo info;
  ASSIGN_OR_RETURN(TableLayout layout,
                   ChooseTableColumns(name, std::move(*columns), options, &info));
  std::vector<uint64_t> starts(borders->begin(), borders->end() - 1);
  const uint64_t rows = borders->back();
  return std::unique_ptr<Input>(std::make_unique<ParquetInput>(
      stream, options.tables, std::move(info),
      TableParser(std::move(layout), options, std::move(starts)), rows));
}

}  // namespace edgemill
