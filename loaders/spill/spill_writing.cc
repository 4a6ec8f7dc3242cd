// How a space's pages get to its files: by its writer threads when memory is short, and when a
// stream is saved.
#include <algorithm>

#include "common/units.h"
#include "loaders/spill/spill_space.h"

namespace edgemill {

bool SpillSpace::ShouldWrite() const {
  // Writing starts while some pages are left, so that it overlaps with filling them.
  return !full_.empty() && (write_outs_ > 0 || free_.size() + in_flight_ <= num_pages_ / 4);
}

Status SpillSpace::WriteOut() {
  MutexLock lock(mutex_);
  ++write_outs_;
  work_.NotifyAll();
  // Pages whose copies are under way are not full yet.
  while (copying_ > 0 || (!full_.empty() && error_.ok()) || in_flight_ > 0) {
    page_free_.Wait(mutex_, WaitCause::kDisk);
  }
  --write_outs_;
  return error_;
}

Status SpillSpace::Drain() {
  MutexLock lock(mutex_);
  while (in_flight_ > 0) page_free_.Wait(mutex_, WaitCause::kDisk);
  return error_;
}

Status SpillSpace::Save(std::span<SpillStream* const> streams) {
  std::vector<SpillStream*> unsaved;
  for (SpillStream* stream : streams) {
    if (stream->saved_size_ < stream->size_) unsaved.push_back(stream);
  }
  if (unsaved.empty()) return OkStatus();
  RETURN_IF_ERROR(WriteOut());
  for (SpillStream* stream : unsaved) RETURN_IF_ERROR(SaveTail(stream));
  for (const File& file : files_) RETURN_IF_ERROR(file.Sync());
  bool linked = false;
  {
    MutexLock lock(mutex_);
    spilling_ = true;
    std::swap(linked, linked_);
  }
  for (const std::string& directory : directories_) {
    if (!linked) RETURN_IF_ERROR(SyncDirectory(directory));
  }
  for (SpillStream* stream : unsaved) stream->saved_size_ = stream->size_;
  MutexLock lock(mutex_);
  linked_ = true;
  return OkStatus();
}

Status SpillSpace::SaveTail(SpillStream* stream) {
  std::byte* page = nullptr;
  uint32_t slot = kNoSlot;
  {
    MutexLock lock(mutex_);
    page = stream->pages_.back();
    if (page == nullptr) return OkStatus();
    slot = SlotFor(stream, stream->pages_.size() - 1);
    const uint64_t before = (stream->pages_.size() - 1) * page_bytes_;
    stream->SetChecksums(stream->pages_.size() - 1, ChecksumsOf({page, stream->size_ - before}));
  }
  return WritePages(slot, {page, page_bytes_});
}

Status SpillSpace::WritePages(uint32_t slot, std::span<std::byte> pages) {
  const File& file = FileOf(slot);
  const Status written = transfers_
                             .Transfer({.op = IoRequest::Op::kWrite,
                                        .file = &file,
                                        .offset = OffsetOf(slot),
                                        .memory = pages})
                             .status();
  if (written.ok()) {
    bytes_written_.fetch_add(pages.size(), std::memory_order_relaxed);
    return written;
  }
  if (!written.disk_full()) return written;
  const std::string directory = file.path().substr(0, file.path().rfind('/'));
  ASSIGN_OR_RETURN(const uint64_t free_bytes, FreeDiskBytes(directory));
  const uint64_t expected = expected_bytes_.load(std::memory_order_relaxed);
  const uint64_t needed = expected > bytes_written() ? expected - bytes_written() : page_bytes_;
  return written.WithMessage(StrCat(written.message(), ": ", directory, " is full: about ",
                                    FormatBytes(std::max(needed / files_.size(), page_bytes_)),
                                    " more are needed for temporary files, ",
                                    FormatBytes(free_bytes), " are free"));
}

SpillSpace::PageRun SpillSpace::TakeFull(size_t most) {
  SpillStream* const stream = full_.front().stream;
  const size_t first = full_.front().index;
  full_.pop_front();
  PageRun run{.stream = stream, .first = first, .slot = SlotFor(stream, first), .pages = {}};
  size_t end = first;
  // A stream's pages become full in order, or nearly: one pass finds them.
  auto next = full_.begin();
  while (true) {
    run.pages.push_back(stream->pages_[end++]);
    if (run.pages.size() == most) break;
    next = std::find_if(next, full_.end(), [stream, end](const FullPage& page) {
      return page.stream == stream && page.index == end;
    });
    if (next == full_.end()) break;
    if (SlotFor(stream, end) != run.slot + (end - first) * files_.size()) break;
    next = full_.erase(next);
  }
  const bool last = end == stream->pages_.size() && stream->tail_bytes_ > 0;
  run.bytes = run.pages.size() * page_bytes_ - (last ? page_bytes_ - stream->tail_bytes_ : 0);
  return run;
}

StatusOr<std::vector<uint64_t>> SpillSpace::WriteRun(const PageRun& run,
                                                     std::span<std::byte> gathered) {
  std::vector<uint64_t> checksums;
  for (size_t i = 0; i < run.pages.size(); ++i) {
    const std::span<std::byte> page(run.pages[i], page_bytes_);
    const std::vector<uint64_t> sums =
        ChecksumsOf(page.first(std::min(page_bytes_, run.bytes - i * page_bytes_)));
    checksums.insert(checksums.end(), sums.begin(), sums.end());
    if (run.pages.size() > 1) std::ranges::copy(page, gathered.begin() + i * page_bytes_);
  }
  RETURN_IF_ERROR(WritePages(run.slot, run.pages.size() > 1
                                           ? gathered.first(run.pages.size() * page_bytes_)
                                           : std::span(run.pages[0], page_bytes_)));
  return checksums;
}

void SpillSpace::WriteLoop(std::span<std::byte> gathered) {
  const size_t most = std::max<size_t>(gathered.size() / page_bytes_, 1);
  MutexLock lock(mutex_);
  while (true) {
    while (!ShouldWrite() && !stopping_) work_.Wait(mutex_);
    if (stopping_) return;
    const PageRun run = TakeFull(most);
    spilling_ = true;
    in_flight_ += run.pages.size();
    run.stream->writes_under_way_ += run.pages.size();
    mutex_.Unlock();
    const StatusOr<std::vector<uint64_t>> checksums = WriteRun(run, gathered);
    mutex_.Lock();
    if (checksums.ok()) run.stream->SetChecksums(run.first, *checksums);
    // Readers copy from the pages without the lock: till then they become no other stream's.
    while (run.stream->reads_under_way_ > 0) page_free_.Wait(mutex_);
    in_flight_ -= run.pages.size();
    run.stream->writes_under_way_ -= run.pages.size();
    if (checksums.ok()) {
      for (size_t i = 0; i < run.pages.size(); ++i) run.stream->pages_[run.first + i] = nullptr;
      free_.insert(free_.end(), run.pages.begin(), run.pages.end());
    } else if (error_.ok()) {
      error_ = checksums.status();
    }
    page_free_.NotifyAll();
  }
}

}  // namespace edgemill
