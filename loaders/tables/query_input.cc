#include <array>

#include "common/cancel.h"
#include "loaders/source/name_hash.h"
#include "loaders/tables/table_engine.h"
#include "loaders/tables/table_input.h"
#include "loaders/tables/table_parser.h"

namespace edgemill {
namespace {

/// The rows of a raw chunk. DuckDB gives them 2,048 at a time.
constexpr uint64_t kQueryChunkRows = uint64_t{1} << 16;
constexpr const char* kSqlOption = "--sql";
constexpr const char* kWhereOption = "--where";
/// The rows of a query that is read several times. DuckDB keeps their order in a table, while a
/// query may give them in another order each time.
constexpr const char* kKeptRows = "edgemill_rows";

/// The rows of a raw chunk, as they came.
struct QueryRows final : RawRows {
  std::vector<TableChunk> chunks;
};

/// The option that gave the query.
const char* OptionOf(const ReadOptions& options) {
  return options.selected_files.empty() ? kSqlOption : kWhereOption;
}

/// Reads all that a statement gives.
Status ReadThrough(TableConnection& connection, const std::string& sql) {
  ASSIGN_OR_RETURN(TableStatement statement, connection.Prepare(sql));
  ASSIGN_OR_RETURN(TableRows rows, statement.Run());
  while (true) {
    RETURN_IF_ERROR(CheckCancelled());
    ASSIGN_OR_RETURN(const std::optional<TableChunk> some, rows.Next());
    if (!some.has_value()) return OkStatus();
  }
}

/// The error of the first file that cannot be read, of which only the footer is if not `whole`. Ok
/// when all can be read.
Status FindDamagedFile(const std::vector<std::string>& files, TableConnection& connection,
                       bool whole) {
  for (const std::string& file : files) {
    const Status status = ReadThrough(connection, StrCat("SELECT * FROM read_parquet(",
                                                         SqlText(file), whole ? ")" : ") LIMIT 0"));
    if (status.ok()) continue;
    if (status.code() != Code::kBadData) return status;
    return BadDataError(StrCat(file, ": ", status.message(),
                               ": the file is cut short or damaged: write it again"))
        .At({.file = file});
  }
  return OkStatus();
}

class QueryInput final : public Input {
 public:
  QueryInput(std::string sql, const ReadOptions& options, TableConnection connection,
             InputInfo info, TableParser parser)
      : name_(OptionOf(options)),
        sql_(std::move(sql)),
        files_(options.selected_files),
        keeps_rows_(!options.edge_columns.empty()),
        tables_(options.tables),
        connection_(std::move(connection)),
        info_(std::move(info)),
        parser_(std::move(parser)) {
    next_ = info_.body;
  }

  const std::string& name() const override { return name_; }
  const InputInfo& info() const override { return info_; }
  uint64_t stored_bytes() const override { return 0; }
  uint64_t fingerprint() const override { return HashName(sql_, 0); }
  bool seekable() const override { return false; }
  void CloseWhileIdle() override {}
  Status Seek(const InputPosition&) override {
    return UsageError(
        "--resume cannot go on among the rows of --sql, which may come in another order: "
        "remove the unfinished graph, and start again");
  }
  Status CheckEnd(const InputTotals&, InputInfo*) const override { return OkStatus(); }

  Status NextChunk(size_t, RawChunk* raw) override {
    raw->begin = raw->end = next_;
    raw->text = {};
    if (!rows_.has_value()) {
      stopper_.emplace(connection_);
      const Status started = Start();
      if (!started.ok()) return Explain(started);
    }
    auto taken = std::make_unique<QueryRows>();
    uint64_t count = 0;
    const uint64_t most = tables_->ChunkRows(kQueryChunkRows);
    while (count < most && !raw->ends_input) {
      StatusOr<std::optional<TableChunk>> some = rows_->Next();
      if (!some.ok()) return Explain(some.status());
      raw->ends_input = !some->has_value();
      if (raw->ends_input) break;
      count += (*some)->size();
      taken->bytes += BytesOf(**some);
      taken->chunks.push_back(*std::move(*some));
    }
    raw->rows = std::move(taken);
    next_.record += count;
    raw->end = next_;
    return OkStatus();
  }

  Status Parse(const RawChunk& raw, EdgeChunk* chunk, ParseResult* result) const override {
    TableSink sink(raw, parser_.layout().named, chunk);
    for (const TableChunk& some : static_cast<const QueryRows&>(*raw.rows).chunks) {
      if (!parser_.Parse(some, &sink, result)) break;
    }
    return OkStatus();
  }

 private:
  /// Runs the query.
  Status Start() {
    std::string from = StrCat("(", sql_, "\n)");
    if (keeps_rows_) {
      ASSIGN_OR_RETURN(
          TableStatement keep,
          connection_.Prepare(StrCat("CREATE TABLE IF NOT EXISTS ", kKeptRows, " AS ", from)));
      RETURN_IF_ERROR(keep.Run().status());
      from = kKeptRows;
    }
    ASSIGN_OR_RETURN(
        TableStatement statement,
        connection_.Prepare(StrCat("SELECT ", parser_.layout().select, " FROM ", from)));
    statement_.emplace(std::move(statement));
    ASSIGN_OR_RETURN(TableRows rows, statement_->Run());
    rows_.emplace(std::move(rows));
    return OkStatus();
  }

  /// Names the file that the error of the query is about, if --where gave it.
  Status Explain(const Status& status) {
    if (status.code() == Code::kBadData && !files_.empty()) {
      rows_.reset();  // a connection runs one statement at a time
      statement_.reset();
      RETURN_IF_ERROR(FindDamagedFile(files_, connection_, /*whole=*/true));
    }
    return Annotate(status, name_);
  }

  /// About what the rows take in memory.
  uint64_t BytesOf(const TableChunk& rows) const {
    const TableLayout& layout = parser_.layout();
    uint64_t bytes = 0;
    const std::array<TableValue, 3> values = {layout.source_value, layout.target_value,
                                              layout.weight.value};
    for (int column = 0; column < (layout.weighted() ? 3 : 2); ++column) {
      const bool text = values[static_cast<size_t>(column)] == TableValue::kText;
      bytes += rows.size() * (text ? sizeof(DuckDbString) : sizeof(uint64_t));
      for (size_t row = 0; text && row < rows.size(); ++row) {
        const uint32_t length = rows.Values<DuckDbString>(column)[row].length;
        bytes += length > DuckDbString::kInlineBytes ? length : 0;
      }
    }
    return bytes;
  }

  const std::string name_;
  const std::string sql_;
  const std::vector<std::string> files_;
  const bool keeps_rows_;
  const std::shared_ptr<TableEngine> tables_;
  TableConnection connection_;
  std::optional<StatementStopper> stopper_;
  std::optional<TableStatement> statement_;
  std::optional<TableRows> rows_;
  InputInfo info_;
  const TableParser parser_;
  InputPosition next_;
};

/// The statement without a semicolon at its end.
std::string WithoutEnd(std::string_view sql) {
  sql = StripSpace(sql);
  while (!sql.empty() && (sql.back() == ';' || sql.back() == '\n')) {
    sql.remove_suffix(1);
    sql = StripSpace(sql);
  }
  return std::string(sql);
}

/// The error of a statement that is wrong, unless one of its files is.
Status WrongStatement(const Status& status, const ReadOptions& options,
                      TableConnection& connection) {
  if (status.code() != Code::kBadData) return status;
  RETURN_IF_ERROR(FindDamagedFile(options.selected_files, connection, /*whole=*/false));
  return UsageError(StrCat(OptionOf(options), ": ", status.message()));
}

}  // namespace

StatusOr<std::unique_ptr<Input>> MakeQueryInput(const ReadOptions& options) {
  const std::string sql = WithoutEnd(options.sql);
  ASSIGN_OR_RETURN(TableConnection connection, options.tables->Connect(TableEngine::Use::kQuery));
  {
    const StatusOr<TableStatement> statement = connection.Prepare(sql);
    if (!statement.ok()) return WrongStatement(statement.status(), options, connection);
    if (!statement->is_select()) {
      return UsageError("--sql: the statement gives no rows: give one SELECT");
    }
  }
  const auto described = connection.Texts(
      StrCat("SELECT column_name, column_type FROM (DESCRIBE SELECT * FROM (", sql, "\n))"));
  if (!described.ok()) return WrongStatement(described.status(), options, connection);
  std::vector<TableColumn> columns;
  for (const std::vector<std::string>& column : *described) {
    columns.push_back({column[0], column[1]});
  }
  InputInfo info;
  ASSIGN_OR_RETURN(TableLayout layout,
                   ChooseTableColumns(OptionOf(options), std::move(columns), options, &info));
  return std::unique_ptr<Input>(
      std::make_unique<QueryInput>(sql, options, std::move(connection), std::move(info),
                                   TableParser(std::move(layout), options, {})));
}

}  // namespace edgemill
