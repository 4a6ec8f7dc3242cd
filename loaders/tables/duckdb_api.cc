#include "loaders/tables/duckdb_api.h"

#include <dlfcn.h>

#include <cstdlib>
#include <filesystem>
#include <string_view>

namespace edgemill {
namespace {

constexpr const char* kLibrary = "libduckdb.so";
constexpr const char* kVariable = "EDGEMILL_DUCKDB";
constexpr std::string_view kHowToGet =
    "install it as /usr/local/lib/libduckdb.so, or name the file in EDGEMILL_DUCKDB: it is in "
    "libduckdb-linux-amd64.zip of DuckDB's releases, and in the npm package "
    "@duckdb/node-bindings-linux-x64";

/// Finds one function after the other, until one is missing.
class Functions {
 public:
  explicit Functions(void* library) : library_(library) {}

  template <typename Function>
  void Find(const char* name, Function* function) {
    if (!missing_.empty()) return;
    *function = reinterpret_cast<Function>(dlsym(library_, name));
    if (*function == nullptr) missing_ = name;
  }
  const std::string& missing() const { return missing_; }

 private:
  void* library_;
  std::string missing_;
};

/// Sets all functions of `api`. Returns the name of one that the library does not have, or "".
std::string FindAll(void* library, DuckDbApi* api) {
  Functions find(library);
  find.Find("duckdb_library_version", &api->library_version);
  find.Find("duckdb_create_config", &api->create_config);
  find.Find("duckdb_set_config", &api->set_config);
  find.Find("duckdb_destroy_config", &api->destroy_config);
  find.Find("duckdb_open_ext", &api->open_ext);
  find.Find("duckdb_close", &api->close);
  find.Find("duckdb_free", &api->free);
  find.Find("duckdb_connect", &api->connect);
  find.Find("duckdb_disconnect", &api->disconnect);
  find.Find("duckdb_interrupt", &api->interrupt);
  find.Find("duckdb_prepare", &api->prepare);
  find.Find("duckdb_destroy_prepare", &api->destroy_prepare);
  find.Find("duckdb_prepare_error", &api->prepare_error);
  find.Find("duckdb_prepared_statement_type", &api->prepared_statement_type);
  find.Find("duckdb_bind_int64", &api->bind_int64);
  find.Find("duckdb_pending_prepared_streaming", &api->pending_prepared_streaming);
  find.Find("duckdb_pending_execute_task", &api->pending_execute_task);
  find.Find("duckdb_pending_error", &api->pending_error);
  find.Find("duckdb_execute_pending", &api->execute_pending);
  find.Find("duckdb_destroy_pending", &api->destroy_pending);
  find.Find("duckdb_column_count", &api->column_count);
  find.Find("duckdb_result_error", &api->result_error);
  find.Find("duckdb_destroy_result", &api->destroy_result);
  find.Find("duckdb_fetch_chunk", &api->fetch_chunk);
  find.Find("duckdb_destroy_data_chunk", &api->destroy_data_chunk);
  find.Find("duckdb_data_chunk_get_size", &api->data_chunk_get_size);
  find.Find("duckdb_data_chunk_get_vector", &api->data_chunk_get_vector);
  find.Find("duckdb_vector_get_data", &api->vector_get_data);
  find.Find("duckdb_vector_get_validity", &api->vector_get_validity);
  return find.missing();
}

/// The library, opened; null with the reason in `error`.
StatusOr<void*> OpenLibrary() {
  const char* const named = std::getenv(kVariable);
  if (named != nullptr && *named != '\0') {
    if (void* const library = dlopen(named, RTLD_NOW | RTLD_LOCAL)) return library;
    return MissingError(StrCat(kVariable, "=", named, ": DuckDB's library cannot be loaded (",
                               dlerror(), "): ", kHowToGet));
  }
  if (void* const library = dlopen(kLibrary, RTLD_NOW | RTLD_LOCAL)) return library;
  for (const std::string& place : DuckDbPlaces()) {
    std::error_code ignored;
    if (!std::filesystem::exists(place, ignored)) continue;
    if (void* const library = dlopen(place.c_str(), RTLD_NOW | RTLD_LOCAL)) return library;
    return BadDataError(
        StrCat(place, ": DuckDB's library cannot be loaded (", dlerror(), "): ", kHowToGet));
  }
  return MissingError(StrCat("there is no DuckDB library (", kLibrary,
                             "), which reads Parquet files and SQL: ", kHowToGet));
}

StatusOr<DuckDbApi> Load() {
  ASSIGN_OR_RETURN(void* const library, OpenLibrary());
  DuckDbApi api{};
  const std::string missing = FindAll(library, &api);
  if (missing.empty()) return api;
  return BadDataError(StrCat("the library of DuckDB that was found has no function ", missing,
                             ": it is too old, or of another kind: ", kHowToGet));
}

}  // namespace

std::vector<std::string> DuckDbPlaces() {
  std::vector<std::string> places;
  if (const char* const home = std::getenv("HOME"); home != nullptr && *home != '\0') {
    places.push_back(StrCat(home, "/.local/lib/", kLibrary));
  }
  for (const char* folder : {"/usr/local/lib/", "/usr/local/lib/edgemill/", "/opt/duckdb/"}) {
    places.push_back(StrCat(folder, kLibrary));
  }
  return places;
}

StatusOr<const DuckDbApi*> LoadDuckDb() {
  static const StatusOr<DuckDbApi> loaded = Load();
  if (!loaded.ok()) return loaded.status();
  return &*loaded;
}

}  // namespace edgemill
