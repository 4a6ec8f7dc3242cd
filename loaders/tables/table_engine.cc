#include "loaders/tables/table_engine.h"

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <filesystem>
#include <mutex>
#include <stop_token>
#include <thread>

#include "common/cancel.h"
#include "common/threads/parallel.h"
#include "common/units.h"

namespace edgemill {
namespace {

/// What the library takes for its code, its tables and small objects, measured as resident bytes.
constexpr uint64_t kLibraryBytes = 48 * kMebibyte;
/// DuckDB's own limit: half of what a scan may take, the least for scans, and the least for a
/// query.
constexpr uint64_t kScanBytes = 16 * kMebibyte;
constexpr uint64_t kMinScansBytes = 32 * kMebibyte;
constexpr uint64_t kMinQueryBytes = 64 * kMebibyte;
/// What the ingest gets beyond its least before DuckDB gets more than its least.
constexpr uint64_t kForIngestBytes = 64 * kMebibyte;
/// Raw chunks have all their rows where so much is left, and half of them at half of it.
constexpr uint64_t kAmpleBytes = 256 * kMebibyte;
constexpr uint64_t kMinChunkRows = uint64_t{1} << 13;
/// The limit without a budget.
constexpr uint64_t kDefaultBytes = 256 * kMebibyte;

/// DuckDB's reason without its kind, its advice and its position: the first line.
std::string FirstLine(const char* text) {
  std::string_view line = text == nullptr ? "no reason given" : text;
  line = line.substr(0, line.find('\n'));
  while (!line.empty() && (line.back() == '.' || line.back() == ' ')) line.remove_suffix(1);
  return std::string(line);
}

/// The Status of an error of DuckDB.
Status DuckDbError(const char* text) {
  const std::string reason = FirstLine(text);
  if (reason.starts_with("Out of Memory")) {
    return BudgetError(StrCat("DuckDB, which reads tables, has too little memory (", reason,
                              "): give a larger --memory, or fewer --threads"));
  }
  if (reason.starts_with("INTERRUPT")) return CancelledError("stopped");
  return BadDataError(reason);
}

std::string Quoted(std::string_view text, char quote) {
  std::string quoted(1, quote);
  for (const char c : text) {
    if (c == quote) quoted += quote;
    quoted += c;
  }
  return quoted + quote;
}

}  // namespace

StatusOr<std::optional<TableChunk>> TableRows::Next() {
  const DuckDbApi::Handle chunk = api_->fetch_chunk(result_);
  if (chunk != nullptr) {
    TableChunk rows(api_, chunk);
    if (rows.size() > 0) return std::optional(std::move(rows));
  }
  const char* const error = api_->result_error(&result_);
  if (error != nullptr && *error != '\0') return DuckDbError(error);
  return std::optional<TableChunk>();
}

StatusOr<TableRows> TableStatement::Run(const std::vector<uint64_t>& parameters) {
  for (size_t i = 0; i < parameters.size(); ++i) {
    CHECK_EQ(api_->bind_int64(statement_, i + 1, static_cast<int64_t>(parameters[i])), kDuckDbOk);
  }
  DuckDbApi::Handle pending = nullptr;
  Status status;
  if (api_->pending_prepared_streaming(statement_, &pending) != kDuckDbOk) {
    status = DuckDbError(api_->pending_error(pending));
  }
  // Long statements are run in small tasks, so that a stop takes effect soon.
  for (int state = kDuckDbOk + 1; status.ok() && state != kDuckDbPendingReady;) {
    state = api_->pending_execute_task(pending);
    if (state == kDuckDbPendingError) status = DuckDbError(api_->pending_error(pending));
    if (status.ok()) status = CheckCancelled();
    constexpr auto kPause = std::chrono::microseconds(200);
    if (state == kDuckDbPendingNoTasks) std::this_thread::sleep_for(kPause);
  }
  DuckDbResult result{};
  if (status.ok() && api_->execute_pending(pending, &result) != kDuckDbOk) {
    status = DuckDbError(api_->result_error(&result));
    api_->destroy_result(&result);
  }
  // Otherwise the tasks under way would be waited for, and they may take hours.
  if (!status.ok()) api_->interrupt(connection_);
  api_->destroy_pending(&pending);
  if (!status.ok()) return status;
  return TableRows(api_, result);
}

StatementStopper::StatementStopper(const TableConnection& connection)
    : thread_([api = connection.api_, handle = connection.connection_](std::stop_token ended) {
        constexpr auto kPeriod = std::chrono::milliseconds(50);
        std::mutex mutex;
        std::condition_variable_any wakes;
        std::unique_lock lock(mutex);
        while (!ended.stop_requested()) {
          if (CancelRequested()) api->interrupt(handle);
          wakes.wait_for(lock, ended, kPeriod, [] { return false; });
        }
      }) {}

StatusOr<TableStatement> TableConnection::Prepare(const std::string& sql) {
  DuckDbApi::Handle prepared = nullptr;
  const int state = api_->prepare(connection_, sql.c_str(), &prepared);
  TableStatement statement(api_, connection_, prepared);
  if (state != kDuckDbOk) return DuckDbError(api_->prepare_error(prepared));
  return statement;
}

StatusOr<std::vector<std::vector<std::string>>> TableConnection::Texts(const std::string& sql) {
  ASSIGN_OR_RETURN(TableStatement statement, Prepare(sql));
  ASSIGN_OR_RETURN(TableRows rows, statement.Run());
  std::vector<std::vector<std::string>> texts;
  const int columns = static_cast<int>(rows.num_columns());
  while (true) {
    ASSIGN_OR_RETURN(const std::optional<TableChunk> chunk, rows.Next());
    if (!chunk.has_value()) return texts;
    for (size_t row = 0; row < chunk->size(); ++row) {
      texts.emplace_back();
      for (int column = 0; column < columns; ++column) {
        const uint64_t* const valid = chunk->Valid(column);
        const bool is_null = valid != nullptr && (valid[row / 64] >> (row % 64) & 1) == 0;
        texts.back().emplace_back(is_null ? std::string_view()
                                          : chunk->Values<DuckDbString>(column)[row].text());
      }
    }
  }
}

TableEngine::~TableEngine() {
  MutexLock lock(mutex_);
  if (database_ != nullptr) api_->close(&database_);
  std::error_code ignored;
  if (!temporary_.empty()) std::filesystem::remove(temporary_, ignored);  // if it is empty
}

StatusOr<TableConnection> TableEngine::Connect(Use use) {
  MutexLock lock(mutex_);
  if (database_ == nullptr) RETURN_IF_ERROR(Open(use));
  DuckDbApi::Handle connection = nullptr;
  if (api_->connect(database_, &connection) != kDuckDbOk) {
    return BudgetError("DuckDB has no memory for a connection: give a larger --memory");
  }
  return TableConnection(api_, connection);
}

size_t TableEngine::max_scans() const {
  MutexLock lock(mutex_);
  return std::max<size_t>(limit_bytes_ / (2 * kScanBytes), 1);
}

uint64_t TableEngine::ChunkRows(uint64_t most) const {
  MutexLock lock(mutex_);
  uint64_t rows = most;
  for (uint64_t bytes = kAmpleBytes; bytes > left_bytes_ && rows > kMinChunkRows; bytes /= 2) {
    rows /= 2;
  }
  return rows;
}

Status TableEngine::Open(Use use) {
  ASSIGN_OR_RETURN(api_, LoadDuckDb());
  const bool scans = use == Use::kScans;
  const auto threads =
      static_cast<uint64_t>(means_.threads > 0 ? means_.threads : AvailableThreads());
  limit_bytes_ = kDefaultBytes;
  if (means_.budget != nullptr) {
    const uint64_t available = means_.budget->available_bytes();
    const uint64_t least = scans ? kMinScansBytes : kMinQueryBytes;
    const uint64_t others = kLibraryBytes + means_.beside_bytes;
    if (available < least + others) {  // the error says how much is enough for all
      return means_.budget
          ->Reserve(least + others, "DuckDB, which reads tables, with the ingest behind it,")
          .status();
    }
    // Near the least, the ingest gets what is more, so that its errors name numbers that work.
    const uint64_t more = available - least - others;
    const uint64_t shared = more - std::min(more, kForIngestBytes);
    limit_bytes_ =
        scans ? std::clamp(available / 6, least, 2 * threads * kScanBytes) : available / 2;
    limit_bytes_ = std::min(limit_bytes_, least + shared / 2);
    ASSIGN_OR_RETURN(memory_, means_.budget->Reserve(kLibraryBytes + limit_bytes_,
                                                     "DuckDB, which reads tables"));
    left_bytes_ = available - kLibraryBytes - limit_bytes_;
  }
  if (!scans) temporary_ = means_.temporary_directory;
  const std::vector<std::pair<const char*, std::string>> settings = {
      {"threads", scans ? "1" : StrCat(threads)},
      {"memory_limit", StrCat(limit_bytes_ / 1024, "KiB")},
      {"temp_directory", temporary_},
      // Rows come in the order of the table, so that the same input gives the same graph.
      {"preserve_insertion_order", "true"},
      // Nothing is fetched from the network to read a table.
      {"autoinstall_known_extensions", "false"},
  };
  DuckDbApi::Handle config = nullptr;
  CHECK_EQ(api_->create_config(&config), kDuckDbOk);
  Status status;
  for (const auto& [name, value] : settings) {
    if (status.ok() && api_->set_config(config, name, value.c_str()) != kDuckDbOk) {
      status = BadDataError(StrCat("DuckDB ", api_->library_version(), " has no setting ", name,
                                   ": install a newer library"));
    }
  }
  char* error = nullptr;
  if (status.ok() && api_->open_ext(nullptr, &database_, config, &error) != kDuckDbOk) {
    status = Annotate(DuckDbError(error), StrCat("DuckDB ", api_->library_version()));
    api_->free(error);
    database_ = nullptr;
  }
  api_->destroy_config(&config);
  return status;
}

std::string SqlText(std::string_view text) { return Quoted(text, '\''); }
std::string SqlName(std::string_view name) { return Quoted(name, '"'); }

}  // namespace edgemill
