#include "storage/catalog/catalog.h"

#include <rocksdb/db.h>
#include <rocksdb/env.h>
#include <rocksdb/file_system.h>
#include <rocksdb/table.h>
#include <rocksdb/write_batch.h>

#include <cerrno>
#include <cstring>
#include <utility>

#include "common/check.h"
#include "common/os/file.h"
#include "common/thread_times.h"

namespace edgemill {
namespace {

/// Swallows RocksDB's own log: a graph directory holds no log files, and reading one leaves no
/// trace.
class NullLogger : public rocksdb::Logger {
 public:
  using rocksdb::Logger::Logv;
  void Logv(const char*, va_list) override {}
};

/// The error that a test injects into RocksDB's own file operation; ok outside of tests.
rocksdb::IOStatus Injected(fault::Op op, const std::string& path) {
  const int error = fault::Injected(op, path);
  if (error == 0) return rocksdb::IOStatus::OK();
  if (error == ENOSPC) return rocksdb::IOStatus::NoSpace(path, std::strerror(error));
  return rocksdb::IOStatus::IOError(path, std::strerror(error));
}

class HookedWritableFile : public rocksdb::FSWritableFileOwnerWrapper {
 public:
  using Base = rocksdb::FSWritableFileOwnerWrapper;
  HookedWritableFile(std::unique_ptr<rocksdb::FSWritableFile> file, std::string path)
      : Base(std::move(file)), path_(std::move(path)) {}

  rocksdb::IOStatus Append(const rocksdb::Slice& data, const rocksdb::IOOptions& options,
                           rocksdb::IODebugContext* context) override {
    const rocksdb::IOStatus injected = Injected(fault::Op::kWrite, path_);
    return injected.ok() ? Base::Append(data, options, context) : injected;
  }
  rocksdb::IOStatus Append(const rocksdb::Slice& data, const rocksdb::IOOptions& options,
                           const rocksdb::DataVerificationInfo& info,
                           rocksdb::IODebugContext* context) override {
    const rocksdb::IOStatus injected = Injected(fault::Op::kWrite, path_);
    return injected.ok() ? Base::Append(data, options, info, context) : injected;
  }
  rocksdb::IOStatus Sync(const rocksdb::IOOptions& options,
                         rocksdb::IODebugContext* context) override {
    const rocksdb::IOStatus injected = Injected(fault::Op::kSync, path_);
    return injected.ok() ? Base::Sync(options, context) : injected;
  }
  rocksdb::IOStatus Fsync(const rocksdb::IOOptions& options,
                          rocksdb::IODebugContext* context) override {
    const rocksdb::IOStatus injected = Injected(fault::Op::kSync, path_);
    return injected.ok() ? Base::Fsync(options, context) : injected;
  }

 private:
  const std::string path_;
};

/// The usual file system behind the hook that fails operations in tests (common/os/file.h).
class HookedFileSystem : public rocksdb::FileSystemWrapper {
 public:
  using Base = rocksdb::FileSystemWrapper;
  HookedFileSystem() : Base(rocksdb::FileSystem::Default()) {}
  const char* Name() const override { return "HookedFileSystem"; }

  rocksdb::IOStatus FileExists(const std::string& path, const rocksdb::IOOptions& options,
                               rocksdb::IODebugContext* context) override {
    const rocksdb::IOStatus injected = Injected(fault::Op::kStat, path);
    return injected.ok() ? Base::FileExists(path, options, context) : injected;
  }
  rocksdb::IOStatus GetFileSize(const std::string& path, const rocksdb::IOOptions& options,
                                uint64_t* bytes, rocksdb::IODebugContext* context) override {
    const rocksdb::IOStatus injected = Injected(fault::Op::kStat, path);
    return injected.ok() ? Base::GetFileSize(path, options, bytes, context) : injected;
  }
  rocksdb::IOStatus NewSequentialFile(const std::string& path, const rocksdb::FileOptions& options,
                                      std::unique_ptr<rocksdb::FSSequentialFile>* file,
                                      rocksdb::IODebugContext* context) override {
    const rocksdb::IOStatus injected = Injected(fault::Op::kOpen, path);
    return injected.ok() ? Base::NewSequentialFile(path, options, file, context) : injected;
  }
  rocksdb::IOStatus NewRandomAccessFile(const std::string& path,
                                        const rocksdb::FileOptions& options,
                                        std::unique_ptr<rocksdb::FSRandomAccessFile>* file,
                                        rocksdb::IODebugContext* context) override {
    const rocksdb::IOStatus injected = Injected(fault::Op::kOpen, path);
    return injected.ok() ? Base::NewRandomAccessFile(path, options, file, context) : injected;
  }
  rocksdb::IOStatus NewWritableFile(const std::string& path, const rocksdb::FileOptions& options,
                                    std::unique_ptr<rocksdb::FSWritableFile>* file,
                                    rocksdb::IODebugContext* context) override {
    rocksdb::IOStatus status = Injected(fault::Op::kOpen, path);
    if (status.ok()) status = Base::NewWritableFile(path, options, file, context);
    if (status.ok()) *file = std::make_unique<HookedWritableFile>(std::move(*file), path);
    return status;
  }
  rocksdb::IOStatus DeleteFile(const std::string& path, const rocksdb::IOOptions& options,
                               rocksdb::IODebugContext* context) override {
    const rocksdb::IOStatus injected = Injected(fault::Op::kRemove, path);
    return injected.ok() ? Base::DeleteFile(path, options, context) : injected;
  }
  rocksdb::IOStatus RenameFile(const std::string& from, const std::string& to,
                               const rocksdb::IOOptions& options,
                               rocksdb::IODebugContext* context) override {
    const rocksdb::IOStatus injected = Injected(fault::Op::kRename, from);
    return injected.ok() ? Base::RenameFile(from, to, options, context) : injected;
  }
};

rocksdb::Env* HookedEnv() {
  static rocksdb::Env* const env =
      rocksdb::NewCompositeEnv(std::make_shared<HookedFileSystem>()).release();
  return env;  // never destroyed: RocksDB's threads may outlive main
}

rocksdb::Slice ToSlice(std::string_view text) { return {text.data(), text.size()}; }
std::string_view ToView(const rocksdb::Slice& slice) { return {slice.data(), slice.size()}; }

/// The one place where RocksDB's errors become ours.
Status FromRocksDb(const rocksdb::Status& status, std::string_view path) {
  if (status.ok()) return OkStatus();
  const std::string text = status.ToString();
  const std::string message = StrCat(path, ": catalog: ", text);
  const auto mentions = [&](std::string_view words) {
    return text.find(words) != std::string::npos;
  };
  if (status.IsNoSpace()) {
    return Status(Code::kIo, StrCat(message, ": free some space and try again"), ENOSPC);
  }
  if (mentions("Permission denied") || mentions("Read-only file system")) {
    return PermissionError(StrCat(message, ": check the owner and mode, or the mount"));
  }
  for (const int error : {EMFILE, ENFILE, ENOMEM}) {
    if (mentions(std::strerror(error))) return ErrnoError(error, "open the catalog", path);
  }
  if (status.IsMemoryLimit()) return BudgetError(message);
  // RocksDB calls a file that it cannot read corrupt, and gives the cause at the end of its
  // message.
  if ((status.IsIOError() || mentions("IO error")) && !status.IsPathNotFound() &&
      !mentions("No such file")) {
    return IoError(StrCat(message, ": check the disk, and the system's log"));
  }
  return BadDataError(StrCat(message, ": the graph's catalog is damaged: ingest it again"));
}

rocksdb::Options MakeOptions(Catalog::Mode mode) {
  rocksdb::Options options;
  options.create_if_missing = options.error_if_exists = mode == Catalog::Mode::kCreate;
  options.env = HookedEnv();
  options.info_log = std::make_shared<NullLogger>();
  options.info_log_level = rocksdb::InfoLogLevel::FATAL_LEVEL;
  options.stats_dump_period_sec = 0;
  options.stats_persist_period_sec = 0;
  options.write_buffer_size = size_t{4} << 20;
  options.max_write_buffer_number = 2;
  options.max_open_files = 16;
  options.max_file_opening_threads = 1;
  options.max_background_jobs = 1;
  options.max_subcompactions = 1;
  options.manifest_preallocation_size = 64 << 10;
  options.compression = rocksdb::kNoCompression;
  options.paranoid_checks = true;
  options.wal_recovery_mode = mode == Catalog::Mode::kRead
                                  ? rocksdb::WALRecoveryMode::kAbsoluteConsistency
                                  : rocksdb::WALRecoveryMode::kTolerateCorruptedTailRecords;
  rocksdb::BlockBasedTableOptions table;
  table.no_block_cache = true;
  table.checksum = rocksdb::kXXH3;
  options.table_factory.reset(rocksdb::NewBlockBasedTableFactory(table));
  return options;
}

class RocksDbCatalog : public Catalog {
 public:
  RocksDbCatalog(std::string path, std::unique_ptr<rocksdb::DB> db)
      : path_(std::move(path)), db_(std::move(db)) {}
  ~RocksDbCatalog() override {
    const WaitScope waiting(WaitCause::kDisk);
    db_.reset();
  }

  StatusOr<std::optional<std::string>> Get(std::string_view key) override {
    std::string value;
    const rocksdb::Status status = db_->Get(rocksdb::ReadOptions(), ToSlice(key), &value);
    if (status.IsNotFound()) return std::optional<std::string>();
    RETURN_IF_ERROR(FromRocksDb(status, path_));
    return std::optional<std::string>(std::move(value));
  }

  Status ForEach(const std::function<Status(std::string_view, std::string_view)>& visit) override {
    rocksdb::ReadOptions options;
    options.fill_cache = false;
    const std::unique_ptr<rocksdb::Iterator> iterator(db_->NewIterator(options));
    for (iterator->SeekToFirst(); iterator->Valid(); iterator->Next()) {
      RETURN_IF_ERROR(visit(ToView(iterator->key()), ToView(iterator->value())));
    }
    return FromRocksDb(iterator->status(), path_);
  }

  Status Flush() override {
    const WaitScope waiting(WaitCause::kDisk);
    return FromRocksDb(db_->Flush(rocksdb::FlushOptions()), path_);
  }

 protected:
  Status WriteBatch(const Changes& changes) override {
    rocksdb::WriteBatch batch;
    for (const auto& [key, value] : changes) {
      const rocksdb::Status status = value ? batch.Put(key, *value) : batch.Delete(key);
      RETURN_IF_ERROR(FromRocksDb(status, path_));
    }
    rocksdb::WriteOptions options;
    options.sync = true;
    const WaitScope waiting(WaitCause::kDisk);
    return FromRocksDb(db_->Write(options, &batch), path_);
  }

 private:
  std::string path_;
  std::unique_ptr<rocksdb::DB> db_;
};

/// Ok when all files at `path` are regular ones: RocksDB would wait for ever at a pipe.
Status CheckFiles(const std::string& path) {
  ASSIGN_OR_RETURN(const std::vector<std::string> names, ListDirectory(path));
  for (const std::string& name : names) {
    RETURN_IF_ERROR(RegularFileBytes(path + "/" + name).status());
  }
  return OkStatus();
}

}  // namespace

StatusOr<std::unique_ptr<Catalog>> Catalog::Open(const std::string& path, Mode mode) {
  const WaitScope waiting(WaitCause::kDisk);
  if (mode != Mode::kCreate) {
    ASSIGN_OR_RETURN(const bool exists, Exists(path + "/CURRENT"));
    if (!exists) return MissingError(StrCat(path, ": no catalog is here"));
    RETURN_IF_ERROR(CheckFiles(path));
  }
  const rocksdb::Options options = MakeOptions(mode);
  rocksdb::DB* raw = nullptr;
  const bool read_only = mode == Mode::kRead || mode == Mode::kReadUnfinished;
  const rocksdb::Status status = read_only ? rocksdb::DB::OpenForReadOnly(options, path, &raw)
                                           : rocksdb::DB::Open(options, path, &raw);
  std::unique_ptr<rocksdb::DB> db(raw);
  RETURN_IF_ERROR(FromRocksDb(status, path));
  return std::unique_ptr<Catalog>(std::make_unique<RocksDbCatalog>(path, std::move(db)));
}

void Catalog::Put(std::string key, std::string value) {
  changes_[std::move(key)] = std::move(value);
}

void Catalog::Delete(std::string key) { changes_[std::move(key)] = std::nullopt; }

Status Catalog::Write() {
  CHECK(!changes_.contains(RootKey()));  // only Write sets the root record
  RootRecord root;
  ASSIGN_OR_RETURN(const std::optional<std::string> old_root, Get(RootKey()));
  if (old_root) {
    ASSIGN_OR_RETURN(root, DecodeRoot(*old_root));
  }
  for (const auto& [key, value] : changes_) {
    ASSIGN_OR_RETURN(const std::optional<std::string> old, Get(key));
    if (old) {
      root.hash -= RecordHash(key, *old);
      --root.num_records;
    }
    if (value) {
      root.hash += RecordHash(key, *value);
      ++root.num_records;
    }
  }
  changes_[RootKey()] = EncodeRoot(root);
  const Changes changes = std::exchange(changes_, {});
  return WriteBatch(changes);
}

Status RootCheck::Add(std::string_view key, std::string_view value) {
  if (key == RootKey()) {
    ASSIGN_OR_RETURN(root_, DecodeRoot(value));
    return OkStatus();
  }
  sum_.hash += RecordHash(key, value);
  ++sum_.num_records;
  return OkStatus();
}

Status RootCheck::Finish() const {
  if (!root_) return BadDataError("the catalog's root record is missing: the catalog is damaged");
  if (root_->num_records != sum_.num_records) {
    return BadDataError(StrCat("the catalog holds ", sum_.num_records, " records where ",
                               root_->num_records, " were written: the catalog is damaged"));
  }
  if (root_->hash != sum_.hash) {
    return BadDataError(
        "the catalog's root hash does not fit its records: one is altered or stale");
  }
  return OkStatus();
}

StatusOr<std::vector<std::pair<std::string, std::string>>> DumpRecords(const std::string& path) {
  ASSIGN_OR_RETURN(const std::unique_ptr<Catalog> catalog,
                   Catalog::Open(path, Catalog::Mode::kReadUnfinished));
  std::vector<std::pair<std::string, std::string>> records;
  RETURN_IF_ERROR(catalog->ForEach([&](std::string_view key, std::string_view value) {
    records.emplace_back(key, value);
    return OkStatus();
  }));
  return records;
}

}  // namespace edgemill
