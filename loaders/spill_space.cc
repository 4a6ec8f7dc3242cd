#include "loaders/spill_space.h"

#include <fcntl.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "common/units.h"
#include "storage/block_format.h"

namespace edgemill {
namespace {

constexpr uint64_t kSector = 4096;

/// Opens a spill file for direct I/O, or buffered where the file system has none.
StatusOr<File> OpenSpillFile(const std::string& path, int flags) {
  StatusOr<File> file = File::Open(path, flags | O_DIRECT);
  if (file.ok() || PathExists(path)) return file.ok() ? std::move(file) : File::Open(path, flags);
  return File::Open(path, flags);
}

}  // namespace

SpillStream::~SpillStream() {
  space_->Forget(this);
  if (file_.valid() && !keep_) {
    // Nobody can be told here, and Commit removes the whole directory anyway.
    [[maybe_unused]] const Status removed = RemoveFile(path_);
  }
}

Status SpillStream::OpenFile() {
  if (file_.valid()) return OkStatus();
  ASSIGN_OR_RETURN(file_, OpenSpillFile(path_, O_RDWR | O_CREAT));
  return OkStatus();
}

Status SpillStream::Append(std::span<const std::byte> bytes) {
  const uint64_t page_bytes = space_->page_bytes();
  while (!bytes.empty()) {
    const uint64_t inside = size_ % page_bytes;
    ASSIGN_OR_RETURN(std::byte* const page, LastPage(inside));
    const size_t count = std::min<uint64_t>(bytes.size(), page_bytes - inside);
    std::memcpy(page + inside, bytes.data(), count);
    size_ += count;
    bytes = bytes.subspan(count);
    if (inside + count == page_bytes) space_->PageFull(this, pages_.size() - 1);
  }
  return OkStatus();
}

StatusOr<std::byte*> SpillStream::LastPage(uint64_t inside) {
  if (inside != 0) {
    MutexLock lock(space_->mutex_);
    if (pages_.back() != nullptr) return pages_.back();
  }
  ASSIGN_OR_RETURN(std::byte* const page, space_->TakePage());
  // A stream opened again after a crash goes on in the middle of its last page.
  const Status read =
      inside == 0 ? OkStatus() : ReadFile(size_ - inside, std::span(page, inside));
  MutexLock lock(space_->mutex_);
  if (inside == 0) pages_.push_back(nullptr);
  pages_.back() = page;
  RETURN_IF_ERROR(read);
  return page;
}

void SpillStream::Seal() {
  if (size_ % space_->page_bytes() == 0 || pages_.back() == nullptr) return;
  space_->PageFull(this, pages_.size() - 1);
}

Status SpillStream::ReadFile(uint64_t offset, std::span<std::byte> into) const {
  space_->bytes_read_.fetch_add(into.size(), std::memory_order_relaxed);
  // Whole sectors go straight to where they belong, the rest through a buffer.
  const bool aligned =
      offset % kSector == 0 && reinterpret_cast<uintptr_t>(into.data()) % kSector == 0;
  const size_t direct = aligned ? into.size() / kSector * kSector : 0;
  size_t got = 0;
  if (direct > 0) {
    ASSIGN_OR_RETURN(got, file_.ReadAt(into.first(direct), offset));
  }
  if (got == direct && direct < into.size()) {
    const uint64_t begin = (offset + direct) / kSector * kSector;
    const uint64_t end = (offset + into.size() + kSector - 1) / kSector * kSector;
    ASSIGN_OR_RETURN(Buffer cover, Buffer::Allocate(end - begin));
    ASSIGN_OR_RETURN(const size_t read, file_.ReadAt(cover.bytes(), begin));
    const size_t skip = offset + direct - begin;
    const size_t rest = std::min<size_t>(into.size() - direct, read > skip ? read - skip : 0);
    std::memcpy(into.data() + direct, cover.data() + skip, rest);
    got += rest;
  }
  if (got < into.size()) {
    return IoError(StrCat("read ", path_, " (offset ", offset, ", length ", into.size(),
                          "): the file has become shorter"));
  }
  return OkStatus();
}

Status SpillStream::Read(uint64_t offset, std::span<std::byte> into) const {
  CHECK_LE(offset + into.size(), size_);
  const uint64_t page_bytes = space_->page_bytes();
  while (!into.empty()) {
    const size_t index = offset / page_bytes;
    const uint64_t inside = offset % page_bytes;
    // Runs of pages that are not in memory are one read.
    size_t end = index;
    const std::byte* page = nullptr;
    {
      MutexLock lock(space_->mutex_);
      page = pages_[index];
      while (end < pages_.size() && pages_[end] == nullptr) ++end;
    }
    const uint64_t run_end = page != nullptr ? (index + 1) * page_bytes : end * page_bytes;
    const size_t count = std::min<uint64_t>(into.size(), run_end - offset);
    if (page != nullptr) {
      std::memcpy(into.data(), page + inside, count);
    } else {
      RETURN_IF_ERROR(ReadFile(offset, into.first(count)));
    }
    into = into.subspan(count);
    offset += count;
  }
  return OkStatus();
}

Status SpillStream::Save() {
  RETURN_IF_ERROR(space_->WriteOut());
  if (size_ == 0) return OkStatus();
  if (pages_.back() != nullptr) {
    RETURN_IF_ERROR(space_->WritePage(this, pages_.size() - 1, pages_.back()));
  }
  return file_.Sync();
}

StatusOr<std::unique_ptr<SpillSpace>> SpillSpace::Create(const Options& options,
                                                         MemoryBudget& budget) {
  CHECK_EQ(options.page_bytes % kSector, 0u);
  CHECK(!options.directories.empty());
  std::unique_ptr<SpillSpace> space(new SpillSpace);
  space->directories_ = options.directories;
  space->page_bytes_ = options.page_bytes;
  space->num_pages_ = options.memory_bytes / options.page_bytes;
  const uint64_t bytes = space->num_pages_ * options.page_bytes;
  ASSIGN_OR_RETURN(space->reservation_, budget.Reserve(bytes, "edges on their way to disk"));
  ASSIGN_OR_RETURN(space->memory_, Buffer::Allocate(bytes));
  {
    MutexLock lock(space->mutex_);
    for (size_t i = space->num_pages_; i-- > 0;) {
      space->free_.push_back(space->memory_.data() + i * options.page_bytes);
    }
  }
  const size_t num_writers = std::min<size_t>(2 * options.directories.size(), 8);
  for (size_t i = 0; i < num_writers; ++i) {
    space->writers_.emplace_back([raw = space.get()] { raw->WriteLoop(); });
  }
  return space;
}

SpillSpace::~SpillSpace() {
  {
    MutexLock lock(mutex_);
    stopping_ = true;
    work_.NotifyAll();
  }
  for (std::thread& writer : writers_) writer.join();
}

std::string SpillSpace::PathOf(const std::string& name) const {
  const uint64_t hash = Checksum64(std::as_bytes(std::span(name)));
  return StrCat(directories_[hash % directories_.size()], "/", name, ".spill");
}

std::unique_ptr<SpillStream> SpillSpace::NewStream(const std::string& name) {
  return std::unique_ptr<SpillStream>(new SpillStream(this, name, PathOf(name)));
}

StatusOr<std::unique_ptr<SpillStream>> SpillSpace::OpenStream(const std::string& name,
                                                              uint64_t size) {
  std::unique_ptr<SpillStream> stream = NewStream(name);
  if (size == 0) return stream;
  stream->keep_ = true;
  ASSIGN_OR_RETURN(stream->file_, OpenSpillFile(stream->path_, O_RDWR));
  ASSIGN_OR_RETURN(const uint64_t file_bytes, stream->file_.Size());
  if (file_bytes < size) {
    return BadDataError(StrCat(stream->path_, ": ", file_bytes, " bytes, and the journal says ",
                               size, ": ingest again with --replace"));
  }
  stream->size_ = size;
  stream->pages_.assign((size + page_bytes_ - 1) / page_bytes_, nullptr);
  stream->keep_ = false;
  return stream;
}

bool SpillSpace::spilling() const {
  MutexLock lock(mutex_);
  return spilling_;
}

StatusOr<std::byte*> SpillSpace::TakePage() {
  MutexLock lock(mutex_);
  // Writing starts while some pages are left, so that it overlaps with filling them.
  if (!spilling_ && free_.size() <= num_pages_ / 4) {
    spilling_ = true;
    queue_.insert(queue_.end(), full_.begin(), full_.end());
    full_.clear();
    work_.NotifyAll();
  }
  while (free_.empty() && error_.ok()) {
    CHECK(queue_head_ < queue_.size() || in_flight_ > 0);  // more streams than half the pages
    page_free_.Wait(mutex_);
  }
  RETURN_IF_ERROR(error_);
  std::byte* const page = free_.back();
  free_.pop_back();
  return page;
}

void SpillSpace::PageFull(SpillStream* stream, size_t index) {
  MutexLock lock(mutex_);
  if (!spilling_) {
    full_.push_back({stream, index});
    return;
  }
  queue_.push_back({stream, index});
  work_.NotifyOne();
}

Status SpillSpace::WriteOut() {
  {
    MutexLock lock(mutex_);
    spilling_ = true;
    queue_.insert(queue_.end(), full_.begin(), full_.end());
    full_.clear();
    work_.NotifyAll();
  }
  return Drain();
}

Status SpillSpace::Drain() {
  MutexLock lock(mutex_);
  while ((queue_head_ < queue_.size() && error_.ok()) || in_flight_ > 0) page_free_.Wait(mutex_);
  return error_;
}

void SpillSpace::Forget(SpillStream* stream) {
  MutexLock lock(mutex_);
  const auto of_stream = [stream](const FullPage& page) { return page.stream == stream; };
  std::erase_if(full_, of_stream);
  queue_.erase(queue_.begin(), queue_.begin() + static_cast<ptrdiff_t>(queue_head_));
  queue_head_ = 0;
  std::erase_if(queue_, of_stream);
  while (stream->writes_under_way_ > 0) page_free_.Wait(mutex_);
  for (std::byte* page : stream->pages_) {
    if (page != nullptr) free_.push_back(page);
  }
  stream->pages_.clear();
  page_free_.NotifyAll();
}

Status SpillSpace::WritePage(SpillStream* stream, size_t index, const std::byte* page) {
  {
    // Two writer threads may get the first two pages of a stream at once.
    MutexLock lock(mutex_);
    RETURN_IF_ERROR(stream->OpenFile());
  }
  const uint64_t offset = index * page_bytes_;
  const Status written = stream->file_.WriteAt({page, page_bytes_}, offset);
  if (written.ok()) {
    bytes_written_.fetch_add(page_bytes_, std::memory_order_relaxed);
    return OkStatus();
  }
  const std::string directory = stream->path_.substr(0, stream->path_.rfind('/'));
  const StatusOr<uint64_t> free_bytes = FreeDiskBytes(directory);
  if (!free_bytes.ok() || *free_bytes > 4 * page_bytes_) return written;
  return IoError(StrCat(written.message(), ": ", directory, " is full: ",
                        FormatBytes(*free_bytes), " free after ", FormatBytes(bytes_written()),
                        " of temporary files: make room, then go on with --resume"));
}

void SpillSpace::WriteLoop() {
  MutexLock lock(mutex_);
  while (true) {
    while (queue_head_ == queue_.size() && !stopping_) work_.Wait(mutex_);
    if (stopping_) return;
    const FullPage next = queue_[queue_head_++];
    if (queue_head_ > 1024) {
      queue_.erase(queue_.begin(), queue_.begin() + static_cast<ptrdiff_t>(queue_head_));
      queue_head_ = 0;
    }
    std::byte* const page = next.stream->pages_[next.index];
    ++in_flight_;
    ++next.stream->writes_under_way_;
    mutex_.Unlock();
    const Status written = WritePage(next.stream, next.index, page);
    mutex_.Lock();
    --in_flight_;
    --next.stream->writes_under_way_;
    if (written.ok()) {
      next.stream->pages_[next.index] = nullptr;
      free_.push_back(page);
    } else if (error_.ok()) {
      error_ = written;
    }
    page_free_.NotifyAll();
  }
}

}  // namespace edgemill
