#include "loaders/spill/spill_files.h"

#include <fcntl.h>

#include <algorithm>
#include <cstring>
#include <utility>

#include "common/buffer.h"
#include "common/check.h"
#include "common/units.h"

namespace edgemill {
namespace {

/// Free ranges of at least this size go back to a file system that is short of room. This takes
/// several milliseconds beside reads, for few pages and for many.
constexpr uint64_t kMinPunchBytes = uint64_t{256} << 10;

/// Opens a spill file for direct I/O, or buffered where the file system has none.
StatusOr<File> OpenSpillFile(const std::string& path, int flags) {
  StatusOr<File> file = File::Open(path, flags | O_DIRECT);
  if (file.ok()) return file;
  return File::Open(path, flags);
}

bool IsSpillAligned(uint64_t bytes) { return bytes % kSpillAlignment == 0; }

}  // namespace

StatusOr<std::unique_ptr<SpillFile>> SpillFile::Open(const std::string& directory, bool reopen) {
  const std::string path = directory + "/pages.spill";
  ASSIGN_OR_RETURN(File file, OpenSpillFile(path, reopen ? O_RDWR : O_RDWR | O_CREAT | O_TRUNC));
  ASSIGN_OR_RETURN(const uint64_t bytes, file.Size());
  std::unique_ptr<SpillFile> opened(new SpillFile(directory, std::move(file)));
  opened->preallocation_.Begin(bytes);
  return opened;
}

bool SpillFile::full() const {
  MutexLock lock(mutex_);
  return full_;
}

ExtentAllocator::Range SpillFile::Allocate(uint64_t bytes) {
  MutexLock lock(mutex_);
  return {room_.Allocate(bytes), bytes};
}

void SpillFile::Free(const ExtentAllocator::Range& range) {
  MutexLock lock(mutex_);
  CHECK_LE(range.end(), room_.end());  // no range was taken behind the end
  room_.Free(range);
}

void SpillFile::LeaveFull(const ExtentAllocator::Range& range) {
  MutexLock lock(mutex_);
  room_.Free(range);
  full_ = true;
}

void SpillFile::Restore(std::vector<ExtentAllocator::Range> taken) {
  MutexLock lock(mutex_);
  room_.Restore(std::move(taken));
}

void SpillFile::FreeAndPunch(std::vector<ExtentAllocator::Range> ranges) {
  const StatusOr<uint64_t> free_bytes = FreeDiskBytes(directory_);
  bool is_short = false;
  {
    MutexLock lock(mutex_);
    // The ingest will still write about as many bytes elsewhere as this file has.
    if (free_bytes.ok() && *free_bytes < room_.end() && !short_of_space_) {
      short_of_space_ = true;
      const std::vector<ExtentAllocator::Range> gaps = room_.TakeFreeRanges(preallocation_.end());
      ranges.insert(ranges.end(), gaps.begin(), gaps.end());
    }
    is_short = short_of_space_;
  }
  for (const ExtentAllocator::Range& range : ranges) {
    if (range.bytes < kMinPunchBytes || !is_short) continue;
    // If the file system cannot do this, the range is overwritten later, and Commit removes the
    // file.
    [[maybe_unused]] const Status punched = file_.PunchHole(range.offset, range.bytes);
  }
  MutexLock lock(mutex_);
  for (const ExtentAllocator::Range& range : ranges) room_.Free(range);
}

StatusOr<std::unique_ptr<SpillFiles>> SpillFiles::Open(const std::vector<std::string>& directories,
                                                       bool reopen, uint64_t page_bytes,
                                                       const IoPatience& patience) {
  CHECK(!directories.empty());
  std::unique_ptr<SpillFiles> files(new SpillFiles(page_bytes, patience));
  {
    MutexLock lock(files->mutex_);
    files->linked_ = reopen;
    // Nothing is removed before all streams are open.
    files->keep_ = reopen;
  }
  for (const std::string& directory : directories) {
    ASSIGN_OR_RETURN(std::unique_ptr<SpillFile> file, SpillFile::Open(directory, reopen));
    files->files_.push_back(std::move(file));
  }
  return files;
}

SpillFiles::~SpillFiles() {
  MutexLock lock(mutex_);
  if (keep_) return;
  for (const auto& file : files_) {
    // A destructor returns no error, and Commit removes the whole directory anyway.
    [[maybe_unused]] const Status removed = RemoveFile(file->file().path());
  }
}

void SpillFiles::AddOpened(const std::vector<SpillRange>& ranges) {
  used_ = true;
  MutexLock lock(mutex_);
  CHECK(keep_);  // streams are opened again only before EndOpening
  opened_.insert(opened_.end(), ranges.begin(), ranges.end());
}

void SpillFiles::EndOpening() {
  MutexLock lock(mutex_);
  keep_ = false;
  for (size_t i = 0; i < files_.size(); ++i) files_[i]->Restore(RangesIn(i, opened_));
  opened_ = {};
}

void SpillFiles::LeaveFiles() {
  MutexLock lock(mutex_);
  keep_ = true;
}

SpillRange SpillFiles::Allocate(uint64_t bytes) {
  CHECK(bytes > 0 && IsSpillAligned(bytes));  // ranges keep direct I/O aligned
  size_t file = next_file_++ % files_.size();
  for (size_t i = 1; i < files_.size() && full(file); ++i) file = next_file_++ % files_.size();
  return {static_cast<uint16_t>(file), files_[file]->Allocate(bytes)};
}

bool SpillFiles::LeaveFull(const SpillRange& range) {
  files_[range.file]->LeaveFull(range.room);
  return std::any_of(files_.begin(), files_.end(), [](const auto& file) { return !file->full(); });
}

std::vector<ExtentAllocator::Range> SpillFiles::RangesIn(size_t index,
                                                         const std::vector<SpillRange>& ranges) {
  std::vector<ExtentAllocator::Range> rooms;
  for (const SpillRange& range : ranges) {
    if (range.file == index) rooms.push_back(range.room);
  }
  return rooms;
}

void SpillFiles::FreeAndPunch(const std::vector<SpillRange>& ranges) {
  if (ranges.empty()) return;
  {
    MutexLock lock(mutex_);
    // While files are kept, ranges that the journal names may not be freed.
    if (keep_) return;
  }
  for (size_t i = 0; i < files_.size(); ++i) files_[i]->FreeAndPunch(RangesIn(i, ranges));
}

Status SpillFiles::WriteTo(const SpillRange& range, std::span<std::byte> bytes) {
  CHECK(IsSpillAligned(range.room.offset) && IsSpillAligned(bytes.size()));
  CHECK_LE(bytes.size(), range.room.bytes);  // a write stays within its range
  used_ = true;
  SpillFile& file = *files_[range.file];
  file.Preallocate(range.room.offset + bytes.size());
  const Status written = transfers_
                             .Transfer({.op = IoRequest::Op::kWrite,
                                        .file = &file.file(),
                                        .offset = range.room.offset,
                                        .memory = bytes})
                             .status();
  if (written.ok()) {
    bytes_written_.fetch_add(bytes.size(), std::memory_order_relaxed);
    return written;
  }
  if (!written.disk_full()) return written;
  ASSIGN_OR_RETURN(const uint64_t free_bytes, FreeDiskBytes(file.directory()));
  const uint64_t expected = expected_bytes_.load(std::memory_order_relaxed);
  const uint64_t needed = expected > bytes_written() ? expected - bytes_written() : page_bytes_;
  return written.WithMessage(
      StrCat(written.message(), ": ", file.directory(), " is full: about ",
             FormatBytes(std::max(needed / files_.size(), page_bytes_)),
             " more are needed for temporary files, ", FormatBytes(free_bytes),
             " are free: free some space, add a --spill directory, or give a larger --memory"));
}

StatusOr<size_t> SpillFiles::Read(size_t index, uint64_t offset, std::span<std::byte> into) {
  CHECK_LT(index, files_.size());
  const File& from = file(index);
  // Whole sectors are read directly into `into`, the rest through a buffer.
  const bool aligned =
      IsSpillAligned(offset) && IsSpillAligned(reinterpret_cast<uintptr_t>(into.data()));
  const size_t direct = aligned ? into.size() / kSpillAlignment * kSpillAlignment : 0;
  size_t got = 0;
  if (direct > 0) {
    ASSIGN_OR_RETURN(
        got, transfers_.Transfer({.file = &from, .offset = offset, .memory = into.first(direct)}));
  }
  if (got < direct || direct == into.size()) return got;
  const uint64_t begin = (offset + direct) / kSpillAlignment * kSpillAlignment;
  const uint64_t end = SpillAligned(offset + into.size());
  ASSIGN_OR_RETURN(Buffer cover, Buffer::Allocate(end - begin));
  ASSIGN_OR_RETURN(const size_t read,
                   transfers_.Transfer({.file = &from, .offset = begin, .memory = cover.bytes()}));
  const size_t skip = offset + direct - begin;
  const size_t rest = std::min<size_t>(into.size() - direct, read > skip ? read - skip : 0);
  std::memcpy(into.data() + direct, cover.data() + skip, rest);
  return got + rest;
}

Status SpillFiles::Sync() {
  for (const auto& file : files_) RETURN_IF_ERROR(file->file().Sync());
  bool linked = false;
  {
    MutexLock lock(mutex_);
    linked = linked_;
  }
  for (const auto& file : files_) {
    if (!linked) RETURN_IF_ERROR(SyncDirectory(file->directory()));
  }
  MutexLock lock(mutex_);
  linked_ = true;
  return OkStatus();
}

}  // namespace edgemill
