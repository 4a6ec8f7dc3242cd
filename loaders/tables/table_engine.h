// DuckDB as a reader of tables: a database in memory, statements, and rows in vectors.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "common/os/memory_budget.h"
#include "common/status.h"
#include "common/thread_annotations.h"
#include "loaders/options/read_options.h"
#include "loaders/tables/duckdb_api.h"

namespace edgemill {

/// Some rows, column by column. Move-only.
class TableChunk {
 public:
  TableChunk() = default;
  TableChunk(const DuckDbApi* api, DuckDbApi::Handle chunk) : api_(api), chunk_(chunk) {}
  TableChunk(TableChunk&& other) noexcept { *this = std::move(other); }
  TableChunk& operator=(TableChunk&& other) noexcept {
    std::swap(api_, other.api_);
    std::swap(chunk_, other.chunk_);
    return *this;
  }
  ~TableChunk() {
    if (chunk_ != nullptr) api_->destroy_data_chunk(&chunk_);
  }

  size_t size() const { return api_->data_chunk_get_size(chunk_); }
  /// The values of a column, whose type the statement has set by casts.
  template <typename T>
  const T* Values(int column) const {
    return static_cast<const T*>(api_->vector_get_data(Vector(column)));
  }
  /// One bit a row, set where there is a value; null when all rows have one.
  const uint64_t* Valid(int column) const { return api_->vector_get_validity(Vector(column)); }

 private:
  DuckDbApi::Handle Vector(int column) const {
    return api_->data_chunk_get_vector(chunk_, static_cast<uint64_t>(column));
  }
  const DuckDbApi* api_ = nullptr;
  DuckDbApi::Handle chunk_ = nullptr;
};

/// The rows of a statement, which DuckDB computes as they are asked for. Move-only. Used by one
/// thread at a time.
class TableRows {
 public:
  TableRows(const DuckDbApi* api, const DuckDbResult& result) : api_(api), result_(result) {}
  TableRows(TableRows&& other) noexcept
      : api_(std::exchange(other.api_, nullptr)), result_(other.result_) {}
  TableRows& operator=(TableRows&&) = delete;
  ~TableRows() {
    if (api_ != nullptr) api_->destroy_result(&result_);
  }
  /// The next rows; nullopt at the end. BadDataError or BudgetError with DuckDB's reason.
  StatusOr<std::optional<TableChunk>> Next();
  uint64_t num_columns() { return api_->column_count(&result_); }

 private:
  const DuckDbApi* api_;
  DuckDbResult result_;
};

/// A statement that is prepared once and run with other parameters again. Move-only.
class TableStatement {
 public:
  TableStatement(const DuckDbApi* api, DuckDbApi::Handle connection, DuckDbApi::Handle statement)
      : api_(api), connection_(connection), statement_(statement) {}
  TableStatement(TableStatement&& other) noexcept
      : api_(other.api_),
        connection_(other.connection_),
        statement_(std::exchange(other.statement_, nullptr)) {}
  TableStatement& operator=(TableStatement&&) = delete;
  ~TableStatement() {
    if (statement_ != nullptr) api_->destroy_prepare(&statement_);
  }
  bool is_select() const { return api_->prepared_statement_type(statement_) == kDuckDbSelect; }
  /// Runs the statement with whole numbers for $1, $2, ... Works until the first rows are there.
  /// CancelledError when a stop was requested meanwhile.
  StatusOr<TableRows> Run(const std::vector<uint64_t>& parameters = {});

 private:
  const DuckDbApi* api_;
  DuckDbApi::Handle connection_;
  DuckDbApi::Handle statement_;
};

/// A connection to the database. It runs one statement at a time. Move-only.
class TableConnection {
 public:
  TableConnection(const DuckDbApi* api, DuckDbApi::Handle connection)
      : api_(api), connection_(connection) {}
  TableConnection(TableConnection&& other) noexcept
      : api_(other.api_), connection_(std::exchange(other.connection_, nullptr)) {}
  TableConnection& operator=(TableConnection&&) = delete;
  ~TableConnection() {
    if (connection_ == nullptr) return;
    api_->interrupt(connection_);  // a statement that was left may still run
    api_->disconnect(&connection_);
  }
  /// BadDataError with DuckDB's reason when the statement is wrong, or what it reads is.
  StatusOr<TableStatement> Prepare(const std::string& sql);
  /// All rows of a statement whose result is small and has only columns of text. A NULL is empty.
  StatusOr<std::vector<std::vector<std::string>>> Texts(const std::string& sql);

 private:
  friend class StatementStopper;
  const DuckDbApi* api_;
  DuckDbApi::Handle connection_;
};

/// While it lives, a statement of the connection ends soon after a stop was requested, also while
/// TableRows::Next waits for rows. The connection must outlive it, and must not be moved.
class StatementStopper {
 public:
  explicit StatementStopper(const TableConnection& connection);

 private:
  std::jthread thread_;
};

/// DuckDB with memory of the budget. The inputs of one reader share it. It loads the library and
/// opens a database in memory when it is first asked for a connection. Thread-safe.
class TableEngine {
 public:
  explicit TableEngine(TableMeans means) : means_(std::move(means)) {}
  ~TableEngine();

  /// How DuckDB is used. The first connection decides.
  enum class Use {
    kScans,  // many statements, each on the thread that runs it
    kQuery,  // one statement, on threads of DuckDB's own; what does not fit goes to disk
  };
  /// A new connection. MissingError without DuckDB's library. BudgetError when `--memory` leaves
  /// too little for DuckDB.
  StatusOr<TableConnection> Connect(Use use);
  /// How many scans may run at once within DuckDB's memory. Call it after Connect.
  size_t max_scans() const;
  /// How many rows a raw chunk should have: `most`, or fewer where little memory is left beside
  /// DuckDB's. Call it after Connect.
  uint64_t ChunkRows(uint64_t most) const;

 private:
  Status Open(Use use) REQUIRES(mutex_);

  const TableMeans means_;
  mutable Mutex mutex_;
  const DuckDbApi* api_ GUARDED_BY(mutex_) = nullptr;
  DuckDbApi::Handle database_ GUARDED_BY(mutex_) = nullptr;
  MemoryReservation memory_ GUARDED_BY(mutex_);
  uint64_t limit_bytes_ GUARDED_BY(mutex_) = 0;
  uint64_t left_bytes_ GUARDED_BY(mutex_) = UINT64_MAX;  // of the budget
  std::string temporary_ GUARDED_BY(mutex_);  // the directory that Open has made for DuckDB
};

/// `text` as a literal of SQL, in single quotes; and `name` as an identifier, in double quotes.
std::string SqlText(std::string_view text);
std::string SqlName(std::string_view name);

}  // namespace edgemill
