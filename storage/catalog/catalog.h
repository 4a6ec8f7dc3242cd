// The catalog: a graph's few records in RocksDB, bound together by a root hash.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "common/status.h"
#include "storage/catalog/catalog_records.h"

namespace edgemill {

/// A sorted map of small records. Changes are collected and written by one synced, atomic batch
/// that also brings the root record up to date. Not thread-safe. Memory: a few MiB for a graph of
/// any size.
class Catalog {
 public:
  enum class Mode {
    kCreate,  // there must be none yet
    kWrite,   // a log cut off by a crash loses its unfinished last batch only
    kRead,  // writes nothing at all, so works on read-only media; any damage to the log is an error
    /// As kRead, but tolerates a cut-off log as kWrite does, because an interrupted ingest may
    /// leave one.
    kReadUnfinished,
  };

  /// Opens the RocksDB in the directory `path` (which must exist). BadDataError when it is damaged
  /// or missing files, MissingError when there is none, PermissionError, IoError.
  static StatusOr<std::unique_ptr<Catalog>> Open(const std::string& path, Mode mode);
  virtual ~Catalog() = default;

  /// The record of `key`; nullopt when there is none.
  virtual StatusOr<std::optional<std::string>> Get(std::string_view key) = 0;
  /// Calls `visit` on every record, the root too, in key order; stops at its first error.
  virtual Status ForEach(
      const std::function<Status(std::string_view key, std::string_view value)>& visit) = 0;

  /// Collects a change for the next Write; the last one to a key counts.
  void Put(std::string key, std::string value);
  void Delete(std::string key);
  /// Makes the collected changes durable, all or none, with the root record that fits them. After
  /// an IoError (disk full, device) no change was made or, if the failure came late, all of them.
  /// The catalog must then be opened again.
  Status Write();

  /// Moves everything from the log to a table file, so that opening has nothing to replay. Records
  /// are durable without it.
  virtual Status Flush() = 0;

 protected:
  using Changes = std::map<std::string, std::optional<std::string>>;
  /// Writes `changes` in one synced batch.
  virtual Status WriteBatch(const Changes& changes) = 0;

 private:
  Changes changes_;
};

/// Sums up records as they are visited, and checks whether the root record fits them.
class RootCheck {
 public:
  /// Takes the next record, of any kind.
  Status Add(std::string_view key, std::string_view value);
  /// BadDataError unless the root record was met and fits the others.
  Status Finish() const;

 private:
  RootRecord sum_;
  std::optional<RootRecord> root_;
};

/// Every record of the catalog in `path` (read-only), in key order, for comparing two graphs.
StatusOr<std::vector<std::pair<std::string, std::string>>> DumpRecords(const std::string& path);

}  // namespace edgemill
