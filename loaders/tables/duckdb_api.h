// The functions of DuckDB's C library that reading tables needs, declared here and found at run
// time: Edgemill is built without DuckDB, and users have the library or not.
#pragma once

#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>
#include <vector>

#include "common/status.h"

namespace edgemill {

/// A result as DuckDB's C interface declares it (duckdb_result). Only DuckDB reads the fields.
struct DuckDbResult {
  uint64_t column_count;
  uint64_t row_count;
  uint64_t rows_changed;
  void* columns;
  char* error_message;
  void* internal_data;
};

/// A string in a vector (duckdb_string_t). Up to 12 bytes lie in the struct itself.
struct DuckDbString {
  static constexpr uint32_t kInlineBytes = 12;
  uint32_t length;
  char bytes[kInlineBytes];  // of longer strings: their first four, and a pointer
  std::string_view text() const {
    if (length <= kInlineBytes) return {bytes, length};
    const char* text = nullptr;
    std::memcpy(&text, bytes + 4, sizeof(text));
    return {text, length};
  }
};
static_assert(sizeof(DuckDbString) == 16);

/// Values of duckdb_state, duckdb_pending_state and duckdb_statement_type.
inline constexpr int kDuckDbOk = 0;
inline constexpr int kDuckDbPendingReady = 0;
inline constexpr int kDuckDbPendingError = 2;
inline constexpr int kDuckDbPendingNoTasks = 3;
inline constexpr int kDuckDbSelect = 1;

/// The functions, by their names without "duckdb_". Handles are pointers that DuckDB makes.
struct DuckDbApi {
  using Handle = void*;
  const char* (*library_version)();
  int (*create_config)(Handle* config);
  int (*set_config)(Handle config, const char* name, const char* value);
  void (*destroy_config)(Handle* config);
  int (*open_ext)(const char* path, Handle* database, Handle config, char** error);
  void (*close)(Handle* database);
  void (*free)(void* pointer);
  int (*connect)(Handle database, Handle* connection);
  void (*disconnect)(Handle* connection);
  void (*interrupt)(Handle connection);
  int (*prepare)(Handle connection, const char* sql, Handle* statement);
  void (*destroy_prepare)(Handle* statement);
  const char* (*prepare_error)(Handle statement);
  int (*prepared_statement_type)(Handle statement);
  int (*bind_int64)(Handle statement, uint64_t index, int64_t value);
  int (*pending_prepared_streaming)(Handle statement, Handle* pending);
  int (*pending_execute_task)(Handle pending);
  const char* (*pending_error)(Handle pending);
  int (*execute_pending)(Handle pending, DuckDbResult* result);
  void (*destroy_pending)(Handle* pending);
  uint64_t (*column_count)(DuckDbResult* result);
  const char* (*result_error)(DuckDbResult* result);
  void (*destroy_result)(DuckDbResult* result);
  Handle (*fetch_chunk)(DuckDbResult result);
  void (*destroy_data_chunk)(Handle* chunk);
  uint64_t (*data_chunk_get_size)(Handle chunk);
  Handle (*data_chunk_get_vector)(Handle chunk, uint64_t column);
  void* (*vector_get_data)(Handle vector);
  uint64_t* (*vector_get_validity)(Handle vector);
};

/// Loads the library at the first call: the file that EDGEMILL_DUCKDB names, or libduckdb.so of the
/// dynamic linker's folders, or one in DuckDbPlaces(). MissingError, with the ways to get the
/// library, when there is none. BadDataError when the file is no such library, or too old. The
/// library stays loaded. Thread-safe.
StatusOr<const DuckDbApi*> LoadDuckDb();

/// Files where the library may be, beside the folders of the dynamic linker.
std::vector<std::string> DuckDbPlaces();

}  // namespace edgemill
