#include "loaders/spill/spill_space.h"

#include <fcntl.h>

#include <algorithm>
#include <utility>

#include "common/parallel.h"
#include "storage/format/block_format.h"

namespace edgemill {
namespace {

/// Pages that follow each other in a stream do so in the file up to here: reads this long are as
/// fast as any.
constexpr uint64_t kMostRangeBytes = uint64_t{1} << 20;
/// Ranges that go back to the file system when they are free and it is short of room; it takes as
/// long for a few pages as for many, several milliseconds beside reads.
constexpr uint64_t kLeastPunchBytes = uint64_t{256} << 10;
/// Page tables are reserved so much at a time.
constexpr uint64_t kTableStepBytes = uint64_t{256} << 10;

/// Pages that are kept free, while others are written, hold no more.
constexpr uint64_t kMostSpareBytes = uint64_t{64} << 20;

/// What a writer writes at once, where pages are smaller: a request costs the processor and the
/// device as much as some 64 KiB.
constexpr uint64_t kMostGatherBytes = uint64_t{256} << 10;
/// Writers: two keep a device busy, and where many threads fill pages as many pack, while others
/// wait for their writes.
constexpr size_t kLeastWriters = 2;
constexpr size_t kMostWriters = 16;

/// The most bytes of a page in its file, whatever its records.
uint64_t MostPageBytes(uint64_t page_bytes) {
  uint64_t most = page_bytes;
  for (const SpilledWeight weight : {SpilledWeight::kNone, SpilledWeight::kInt32,
                                     SpilledWeight::kFloat32, SpilledWeight::kFloat64}) {
    most = std::max(most, MostPackedPageBytes(page_bytes / SpilledRecordBytes(weight), weight));
  }
  return SpillAligned(most);
}

/// Opens a spill file for direct I/O, or buffered where the file system has none.
StatusOr<File> OpenSpillFile(const std::string& path, int flags) {
  StatusOr<File> file = File::Open(path, flags | O_DIRECT);
  if (file.ok()) return file;
  return File::Open(path, flags);
}

}  // namespace

StatusOr<std::unique_ptr<SpillSpace>> SpillSpace::Create(const Options& options,
                                                         MemoryBudget& budget) {
  CHECK(IsPageSize(options.page_bytes));
  CHECK(!options.directories.empty());
  std::unique_ptr<SpillSpace> space(new SpillSpace(options.patience, budget));
  space->directories_ = options.directories;
  space->page_bytes_ = options.page_bytes;
  const uint64_t writer_bytes = WriterBytes(options.page_bytes);
  const size_t wanted = std::clamp(
      std::max(kLeastWriters * options.directories.size(), static_cast<size_t>(options.threads)),
      kLeastWriters, kMostWriters);
  const auto num_writers = std::clamp<size_t>(options.memory_bytes / 4 / writer_bytes, 1, wanted);
  const uint64_t gather_bytes =
      std::max(MostPageBytes(options.page_bytes),
               std::min(options.memory_bytes / 32 / num_writers, kMostGatherBytes) /
                   kSpillAlignment * kSpillAlignment);
  const uint64_t of_writers = num_writers * (2 * options.page_bytes + gather_bytes);
  if (options.memory_bytes < of_writers + 2 * options.page_bytes) {
    return BudgetError(
        "too little memory for the pages of temporary files: resume with as much as the ingest was "
        "begun with");
  }
  space->num_pages_ = (options.memory_bytes - of_writers) / options.page_bytes;
  const uint64_t pages_end = space->num_pages_ * options.page_bytes;
  // Writing starts while some pages are left, so that it overlaps with filling them; where all that
  // is expected fits, only when it turns out that it does not.
  const bool fits = options.expected_bytes > 0 && options.expected_bytes <= pages_end;
  space->spare_pages_ = std::min(space->num_pages_ / (fits ? 64 : 4),
                                 static_cast<size_t>(kMostSpareBytes / options.page_bytes));
  const uint64_t bytes = pages_end + of_writers;
  space->table_bytes_ = options.table_bytes;
  ASSIGN_OR_RETURN(space->reservation_,
                   budget.Reserve(bytes + options.table_bytes, "edges on their way to disk"));
  ASSIGN_OR_RETURN(space->memory_, Buffer::Allocate(bytes));
  space->fillers_ = std::vector<std::atomic<uint32_t>>(space->num_pages_);
  RETURN_IF_ERROR(space->OpenFiles(options.reopen));
  {
    MutexLock lock(space->mutex_);
    for (size_t i = space->num_pages_; i-- > 0;) {
      space->free_.push_back(space->memory_.data() + i * options.page_bytes);
    }
  }
  for (size_t i = 0; i < num_writers; ++i) {
    const auto own = space->memory_.bytes().subspan(pages_end + i * (of_writers / num_writers));
    const WriterMemory memory{.sorting = own.first(2 * options.page_bytes),
                              .gathered = own.subspan(2 * options.page_bytes, gather_bytes)};
    StatusOr<std::thread> writer =
        StartThread([raw = space.get(), memory] { raw->WriteLoop(memory); });
    // One is enough.
    if (!writer.ok() && i > 0) break;
    RETURN_IF_ERROR(writer.status());
    space->writers_.push_back(std::move(*writer));
  }
  return space;
}

uint64_t SpillSpace::WriterBytes(uint64_t page_bytes) {
  return 2 * page_bytes + MostPageBytes(page_bytes);
}

Status SpillSpace::OpenFiles(bool reopen) {
  MutexLock lock(mutex_);
  linked_ = reopen;
  // Until all are open nothing is removed.
  keep_ = reopen;
  for (const std::string& directory : directories_) {
    const std::string path = directory + "/pages.spill";
    ASSIGN_OR_RETURN(File file, OpenSpillFile(path, reopen ? O_RDWR : O_RDWR | O_CREAT | O_TRUNC));
    files_.push_back(std::move(file));
  }
  rooms_.resize(files_.size());
  is_full_.resize(files_.size());
  is_short_.resize(files_.size());
  ahead_ = std::vector<RoomAhead>(files_.size());
  for (size_t i = 0; i < files_.size(); ++i) {
    ASSIGN_OR_RETURN(const uint64_t bytes, files_[i].Size());
    ahead_[i].Begin(bytes);
  }
  return OkStatus();
}

SpillSpace::~SpillSpace() {
  {
    MutexLock lock(mutex_);
    stopping_ = true;
    work_.NotifyAll();
  }
  {
    const WaitScope waiting(WaitCause::kDisk);
    for (std::thread& writer : writers_) writer.join();
  }
  MutexLock lock(mutex_);
  if (keep_) return;
  for (const File& file : files_) {
    // Nobody can be told here, and Commit removes the whole directory anyway.
    [[maybe_unused]] const Status removed = RemoveFile(file.path());
  }
}

std::unique_ptr<SpillStream> SpillSpace::NewStream(const SpillForm& form) {
  return std::unique_ptr<SpillStream>(new SpillStream(this, form));
}

StatusOr<std::unique_ptr<SpillStream>> SpillSpace::OpenStream(StateReader* in,
                                                              const SpillForm& form) {
  std::unique_ptr<SpillStream> stream = NewStream(form);
  stream->size_ = in->Get<uint64_t>();
  stream->saved_size_ = stream->size_;
  const uint64_t num_pages = (stream->size_ + stream->page_bytes_ - 1) / stream->page_bytes_;
  std::vector<SpilledPage> pages = in->GetArray<SpilledPage>();
  std::vector<uint64_t> checksums = in->GetArray<uint64_t>();
  bool sound = in->ok() && pages.size() == num_pages &&
               checksums.size() == num_pages * stream->ChecksumsAPage();
  for (size_t i = 0; i < num_pages && sound; ++i) {
    SpilledPage& page = pages[i];
    page.memory = nullptr;
    sound = page.file < files_.size() && page.written() && page.form <= SpilledPage::Form::kTail &&
            (page.form == SpilledPage::Form::kPacked ? form.packed
                                                     : page.bytes == stream->BytesOfPage(i)) &&
            (page.form != SpilledPage::Form::kTail || i + 1 == num_pages) &&
            page.bytes <= MostPageBytes(page_bytes_) && page.offset < uint64_t{1} << 62;
  }
  if (!sound) return BadDataError("the ingest journal is damaged: ingest again with --replace");
  for (const SpilledPage& page : pages) {
    const File& file = files_[page.file];
    ASSIGN_OR_RETURN(const uint64_t file_bytes, file.Size());
    if (file_bytes < page.end()) {
      return BadDataError(StrCat(file.path(), ": ", file_bytes, " bytes, and the journal says ",
                                 page.end(), " at the least: ingest again with --replace"));
    }
  }
  MutexLock lock(mutex_);
  RETURN_IF_ERROR(ReserveTables(pages.size()));
  spilling_ = true;
  stream->pages_ = std::move(pages);
  stream->checksums_ = std::move(checksums);
  if (num_pages > 0 && stream->pages_.back().form == SpilledPage::Form::kTail) {
    const SpilledPage& tail = stream->pages_.back();
    stream->tails_[0] = {tail.file, {tail.offset, page_bytes_}};
    stream->saves_ = 1;
  }
  const std::vector<SpillRange> ranges = RangesOf(*stream);
  opened_.insert(opened_.end(), ranges.begin(), ranges.end());
  return stream;
}

void SpillSpace::EndOpening() {
  MutexLock lock(mutex_);
  keep_ = false;
  for (size_t file = 0; file < files_.size(); ++file) {
    std::vector<FileRoom::Range> taken;
    for (const SpillRange& range : opened_) {
      if (range.file == file) taken.push_back(range.room);
    }
    rooms_[file].Restore(std::move(taken));
  }
  opened_ = {};
}

bool SpillSpace::spilling() const {
  MutexLock lock(mutex_);
  return spilling_;
}

StatusOr<std::byte*> SpillSpace::TakePage(SpillCopies* copies) {
  MutexLock lock(mutex_);
  while (free_.empty() && error_.ok()) {
    const size_t own = copies != nullptr && !copies->empty() ? 1 : 0;
    if (!full_.empty() || in_flight_ > 0 || copying_ > own) {
      page_free_.Wait(mutex_, WaitCause::kMemory);
      continue;
    }
    if (own == 0) {  // more streams than half the pages
      return BudgetError(
          "too little memory for the pages of temporary files: give a larger --memory, or fewer "
          "--threads");
    }
    mutex_.Unlock();
    copies->RunCopies();
    mutex_.Lock();
  }
  RETURN_IF_ERROR(error_);
  std::byte* const page = free_.back();
  free_.pop_back();
  if (ShouldWrite()) work_.NotifyOne();
  return page;
}

void SpillSpace::EndFilling(SpillStream* stream, size_t index, const std::byte* byte) {
  if (FillersOf(byte).fetch_sub(1, std::memory_order_acq_rel) > 1) return;
  MutexLock lock(mutex_);
  full_.push_back({stream, index});
  if (ShouldWrite()) work_.NotifyOne();
}

SpillRange SpillSpace::RoomFor(SpillStream* stream, uint64_t bytes) {
  SpillRange& range = stream->range_;
  if (range.room.bytes < bytes || is_full_[range.file]) {
    rooms_[range.file].Give(range.room);
    // Long streams get long ranges; short ones leave little unused.
    const uint64_t wanted =
        std::max(bytes, std::min(SpillAligned(stream->written_bytes_), kMostRangeBytes));
    range = NewRoom(wanted);
  }
  const SpillRange taken{range.file, {range.room.offset, bytes}};
  range.room.offset += bytes;
  range.room.bytes -= bytes;
  stream->written_bytes_ += bytes;
  return taken;
}

SpillRange SpillSpace::NewRoom(uint64_t bytes) {
  size_t file = next_file_++ % files_.size();
  for (size_t i = 1; i < files_.size() && is_full_[file]; ++i) file = next_file_++ % files_.size();
  return {static_cast<uint16_t>(file), {rooms_[file].Take(bytes), bytes}};
}

bool SpillSpace::LeaveFullFile(const SpillRange& range) {
  MutexLock lock(mutex_);
  rooms_[range.file].Give(range.room);
  is_full_[range.file] = true;
  return std::find(is_full_.begin(), is_full_.end(), false) != is_full_.end();
}

std::vector<SpillRange> SpillSpace::RangesOf(const SpillStream& stream) const {
  std::vector<SpillRange> ranges;
  for (const SpilledPage& page : stream.pages_) {
    if (!page.written() || page.form == SpilledPage::Form::kTail) continue;
    SpillRange* const last = ranges.empty() ? nullptr : &ranges.back();
    // What was written at once begins at a multiple of the alignment, behind what fills up to it.
    const bool follows = last != nullptr && last->file == page.file &&
                         page.offset >= last->room.end() &&
                         page.offset <= SpillAligned(last->room.end());
    if (follows) {
      last->room.bytes = page.end() - last->room.offset;
    } else {
      ranges.push_back({page.file, {page.offset, page.bytes}});
    }
  }
  for (SpillRange& range : ranges) range.room.bytes = SpillAligned(range.room.bytes);
  for (const SpillRange& tail : stream.tails_) {
    if (tail.room.bytes > 0) ranges.push_back(tail);
  }
  if (stream.range_.room.bytes > 0) ranges.push_back(stream.range_);
  return ranges;
}

Status SpillSpace::ReserveTables(uint64_t pages) {
  const uint64_t bytes = (table_pages_ + pages) * SpillTableBytes(page_bytes_);
  while (table_bytes_ + tables_.size() * kTableStepBytes < bytes) {
    ASSIGN_OR_RETURN(MemoryReservation step,
                     budget_.Reserve(kTableStepBytes, "page tables of temporary files"));
    tables_.push_back(std::move(step));
  }
  table_pages_ += pages;
  return OkStatus();
}

void SpillSpace::ReleaseTables(uint64_t pages) {
  table_pages_ -= pages;
  const uint64_t bytes = table_pages_ * SpillTableBytes(page_bytes_);
  const uint64_t beyond = bytes - std::min(bytes, table_bytes_);
  const uint64_t steps = (beyond + kTableStepBytes - 1) / kTableStepBytes;
  if (tables_.size() > steps) tables_.resize(steps);
}

void SpillSpace::Forget(SpillStream* stream) {
  std::vector<SpillRange> ranges;
  {
    MutexLock lock(mutex_);
    std::erase_if(full_, [stream](const FullPage& page) { return page.stream == stream; });
    while (stream->writes_under_way_ > 0) page_free_.Wait(mutex_, WaitCause::kDisk);
    // Until all are opened the journal's are not ours to give back.
    if (!stream->keep_ && !keep_) ranges = RangesOf(*stream);
    for (const SpilledPage& page : stream->pages_) {
      if (page.memory == nullptr) continue;
      CHECK_LE(FillersOf(page.memory).exchange(0), 1u);  // no copies
      free_.push_back(page.memory);
    }
    ReleaseTables(stream->pages_.size());
    stream->pages_.clear();
    page_free_.NotifyAll();
  }
  GiveBack(std::move(ranges));
}

void SpillSpace::GiveBack(std::vector<SpillRange> ranges) {
  if (ranges.empty()) return;
  std::vector<bool> is_short;
  for (size_t i = 0; i < files_.size(); ++i) {
    const StatusOr<uint64_t> free_bytes = FreeDiskBytes(directories_[i]);
    MutexLock lock(mutex_);
    // What the file has is about what is still to be written elsewhere.
    if (free_bytes.ok() && *free_bytes < rooms_[i].end() && !is_short_[i]) {
      is_short_[i] = true;
      const auto file = static_cast<uint16_t>(i);
      for (const FileRoom::Range& room : rooms_[i].TakeFree(ahead_[i].end())) {
        ranges.push_back({file, room});
      }
    }
    is_short.push_back(is_short_[i]);
  }
  for (const SpillRange& range : ranges) {
    if (range.room.bytes < kLeastPunchBytes || !is_short[range.file]) continue;
    // Where the file system cannot, the room is written again, and Commit removes the file.
    [[maybe_unused]] const Status punched =
        files_[range.file].PunchHole(range.room.offset, range.room.bytes);
  }
  MutexLock lock(mutex_);
  for (const SpillRange& range : ranges) rooms_[range.file].Give(range.room);
}

}  // namespace edgemill
