// How a space's pages get to its files: by its writer threads when memory is short, and when a
// stream is saved.
#include <algorithm>
#include <utility>

#include "common/units.h"
#include "loaders/spill/spill_space.h"

namespace edgemill {

bool SpillSpace::ShouldWrite() const {
  return !full_.empty() && (write_outs_ > 0 || free_.size() + in_flight_ <= spare_pages_);
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

bool SpillSpace::SavingPays(double seconds) const {
  // Of pages in memory, which are half as large in their files.
  constexpr double kSavedBytesPerSecond = 1e9, kLeastSeconds = .1, kWorkASave = 20;
  MutexLock lock(mutex_);
  const double save_seconds =
      static_cast<double>((num_pages_ - free_.size()) * page_bytes_) / kSavedBytesPerSecond;
  return save_seconds < kLeastSeconds || seconds > kWorkASave * save_seconds;
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
  for (SpillStream* stream : unsaved) {
    stream->saved_size_ = stream->size_;
    ++stream->saves_;
  }
  MutexLock lock(mutex_);
  linked_ = true;
  return OkStatus();
}

Status SpillSpace::SaveTail(SpillStream* stream) {
  const size_t index = stream->pages_.size() - 1;
  SpillRange* range = nullptr;
  SpilledPage page;
  {
    MutexLock lock(mutex_);
    page = stream->pages_[index];
    if (page.memory == nullptr) return OkStatus();
    range = &stream->tails_[stream->saves_ % stream->tails_.size()];
  }
  const uint64_t bytes = stream->BytesOfPage(index);
  for (;;) {
    if (range->room.bytes == 0) {
      MutexLock lock(mutex_);
      *range = NewRoom(page_bytes_);
    }
    const Status written = WriteBytes(*range, {page.memory, SpillAligned(bytes)});
    if (written.ok()) break;
    if (!written.disk_full() || !LeaveFullFile(std::exchange(*range, {}))) return written;
  }
  MutexLock lock(mutex_);
  page.file = range->file;
  page.offset = range->room.offset;
  page.bytes = static_cast<uint32_t>(bytes);
  page.form = SpilledPage::Form::kTail;
  stream->pages_[index] = page;
  stream->SetChecksums(index, stream->ChecksumsOf({page.memory, bytes}));
  return OkStatus();
}

Status SpillSpace::WriteBytes(const SpillRange& range, std::span<std::byte> bytes) {
  const File& file = files_[range.file];
  ahead_[range.file].Cover(file, range.room.offset + bytes.size());
  const Status written = transfers_
                             .Transfer({.op = IoRequest::Op::kWrite,
                                        .file = &file,
                                        .offset = range.room.offset,
                                        .memory = bytes})
                             .status();
  if (written.ok()) {
    bytes_written_.fetch_add(bytes.size(), std::memory_order_relaxed);
    return written;
  }
  if (!written.disk_full()) return written;
  const std::string directory = file.path().substr(0, file.path().rfind('/'));
  ASSIGN_OR_RETURN(const uint64_t free_bytes, FreeDiskBytes(directory));
  const uint64_t expected = expected_bytes_.load(std::memory_order_relaxed);
  const uint64_t needed = expected > bytes_written() ? expected - bytes_written() : page_bytes_;
  return written.WithMessage(
      StrCat(written.message(), ": ", directory, " is full: about ",
             FormatBytes(std::max(needed / files_.size(), page_bytes_)),
             " more are needed for temporary files, ", FormatBytes(free_bytes),
             " are free: free some space, add a --spill directory, or give more --memory"));
}

SpillSpace::PageRun SpillSpace::TakeFull(const WriterMemory& memory) {
  SpillStream* const stream = full_.front().stream;
  const size_t first = full_.front().index;
  const uint64_t each = stream->form_.packed
                            ? MostPackedPageBytes(stream->page_records(), stream->form_.weight)
                            : page_bytes_;
  const size_t most = std::max<size_t>(memory.gathered.size() / each, 1);
  full_.pop_front();
  PageRun run{.stream = stream, .first = first};
  // A stream's pages become full in order, or nearly: one pass finds them.
  auto next = full_.begin();
  for (size_t index = first;; ++index) {
    run.pages.push_back(stream->pages_[index].memory);
    const bool last = index + 1 == stream->pages_.size() && stream->tail_bytes_ > 0;
    run.bytes.push_back(last ? stream->tail_bytes_ : stream->page_bytes_);
    if (run.pages.size() == most) break;
    next = std::find_if(next, full_.end(), [stream, index](const FullPage& page) {
      return page.stream == stream && page.index == index + 1;
    });
    if (next == full_.end()) break;
    next = full_.erase(next);
  }
  return run;
}

StatusOr<SpillSpace::WrittenRun> SpillSpace::WriteRun(const PageRun& run,
                                                      const WriterMemory& memory) {
  const SpillStream& stream = *run.stream;
  WrittenRun written;
  uint64_t size = 0;
  std::span<std::byte> bytes = memory.gathered;
  for (size_t i = 0; i < run.pages.size(); ++i) {
    const std::span<std::byte> page(run.pages[i], run.bytes[i]);
    SpilledPage place{.offset = size};
    if (stream.form_.packed) {
      place.form = SpilledPage::Form::kPacked;
      place.bytes = static_cast<uint32_t>(
          PackPage(page, stream.form_.weight, memory.sorting, bytes.data() + size));
    } else {
      place.bytes = static_cast<uint32_t>(page.size());
      // A page by itself is written from where it is.
      if (run.pages.size() == 1) {
        bytes = {run.pages[0], page_bytes_};
      } else {
        std::ranges::copy(page, bytes.data() + size);
      }
    }
    written.checksums.push_back(stream.ChecksumsOf(bytes.subspan(size, place.bytes)));
    size = place.end();
    written.pages.push_back(place);
  }
  const uint64_t aligned = SpillAligned(size);
  if (bytes.data() == memory.gathered.data()) {
    std::ranges::fill(bytes.subspan(size, aligned - size), std::byte{0});
  }
  for (;;) {
    SpillRange range;
    {
      MutexLock lock(mutex_);
      range = RoomFor(run.stream, aligned);
    }
    const Status status = WriteBytes(range, bytes.first(aligned));
    if (status.disk_full() && LeaveFullFile(range)) continue;
    RETURN_IF_ERROR(status);
    for (SpilledPage& place : written.pages) {
      place.file = range.file;
      place.offset += range.room.offset;
    }
    return written;
  }
}

void SpillSpace::WriteLoop(const WriterMemory& memory) {
  MutexLock lock(mutex_);
  while (true) {
    while (!ShouldWrite() && !stopping_) work_.Wait(mutex_);
    if (stopping_) return;
    const PageRun run = TakeFull(memory);
    SpillStream& stream = *run.stream;
    spilling_ = true;
    in_flight_ += run.pages.size();
    stream.writes_under_way_ += run.pages.size();
    mutex_.Unlock();
    const StatusOr<WrittenRun> written = WriteRun(run, memory);
    mutex_.Lock();
    // Readers copy from the pages without the lock: till then they become no other stream's.
    while (stream.reads_under_way_ > 0) page_free_.Wait(mutex_);
    in_flight_ -= run.pages.size();
    stream.writes_under_way_ -= run.pages.size();
    if (written.ok()) {
      for (size_t i = 0; i < run.pages.size(); ++i) {
        stream.SetChecksums(run.first + i, written->checksums[i]);
        stream.pages_[run.first + i] = written->pages[i];
      }
      free_.insert(free_.end(), run.pages.begin(), run.pages.end());
    } else if (error_.ok()) {
      error_ = written.status();
    }
    page_free_.NotifyAll();
  }
}

}  // namespace edgemill
