#include "loaders/spill/spill_space.h"

#include <fcntl.h>

#include <algorithm>

#include "common/parallel.h"
#include "storage/format/block_format.h"

namespace edgemill {
namespace {

/// Pages that follow each other in a stream do so in the file up to here: reads this long are as
/// fast as any.
constexpr uint64_t kMostRunBytes = uint64_t{1} << 20;
/// Runs that go back to the file system when they are free; it takes as long for a few pages as for
/// many.
constexpr uint64_t kLeastPunchBytes = uint64_t{256} << 10;
constexpr uint64_t kMostSlots = uint64_t{1} << 31;
/// Page tables are reserved so much at a time.
constexpr uint64_t kTableStepBytes = uint64_t{256} << 10;

/// What a writer writes at once, where pages are smaller: a request costs the processor and the
/// device as much as some 64 KiB.
constexpr uint64_t kMostGatherBytes = uint64_t{128} << 10;

/// The memory in which each writer gathers pages, of the space's; 0 where that is too little for
/// two.
uint64_t GatherBytes(const SpillSpace::Options& options, size_t num_writers) {
  const uint64_t most = std::min(options.memory_bytes / 32 / num_writers, kMostGatherBytes);
  const uint64_t pages = most / options.page_bytes;
  return pages < 2 ? 0 : pages * options.page_bytes;
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
  CHECK_EQ(options.page_bytes % kSpillAlignment, 0u);
  CHECK(!options.directories.empty());
  std::unique_ptr<SpillSpace> space(new SpillSpace(options.patience, budget));
  space->directories_ = options.directories;
  space->page_bytes_ = options.page_bytes;
  const size_t num_writers = std::min<size_t>(2 * options.directories.size(), 8);
  const uint64_t gather_bytes = GatherBytes(options, num_writers);
  space->num_pages_ = (options.memory_bytes - num_writers * gather_bytes) / options.page_bytes;
  const uint64_t gather_begin = space->num_pages_ * options.page_bytes;
  const uint64_t bytes = gather_begin + num_writers * gather_bytes;
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
    const std::span<std::byte> gathered =
        space->memory_.bytes().subspan(gather_begin + i * gather_bytes, gather_bytes);
    StatusOr<std::thread> writer =
        StartThread([raw = space.get(), gathered] { raw->WriteLoop(gathered); });
    // One is enough.
    if (!writer.ok() && i > 0) break;
    RETURN_IF_ERROR(writer.status());
    space->writers_.push_back(std::move(*writer));
  }
  return space;
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
  end_rows_.assign(files_.size(), 0);
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

std::unique_ptr<SpillStream> SpillSpace::NewStream() {
  return std::unique_ptr<SpillStream>(new SpillStream(this));
}

StatusOr<std::unique_ptr<SpillStream>> SpillSpace::OpenStream(StateReader* in) {
  std::unique_ptr<SpillStream> stream = NewStream();
  const uint64_t size = in->Get<uint64_t>();
  std::vector<uint32_t> slots = in->GetArray<uint32_t>();
  std::vector<uint64_t> checksums = in->GetArray<uint64_t>();
  if (!in->ok() || slots.size() != (size + page_bytes_ - 1) / page_bytes_ ||
      checksums.size() != NumPieces(size)) {
    return BadDataError("the ingest journal is damaged: ingest again with --replace");
  }
  for (size_t i = 0; i < slots.size(); ++i) {
    const File& file = FileOf(slots[i]);
    const uint64_t end = OffsetOf(slots[i]) + std::min(page_bytes_, size - i * page_bytes_);
    ASSIGN_OR_RETURN(const uint64_t file_bytes, file.Size());
    if (file_bytes < end) {
      return BadDataError(StrCat(file.path(), ": ", file_bytes, " bytes, and the journal says ",
                                 end, " at the least: ingest again with --replace"));
    }
  }
  MutexLock lock(mutex_);
  RETURN_IF_ERROR(ReserveTables(slots.size()));
  spilling_ = true;
  opened_.insert(opened_.end(), slots.begin(), slots.end());
  stream->size_ = size;
  stream->saved_size_ = size;
  stream->pages_.assign(slots.size(), nullptr);
  checksums.resize(slots.size() * NumPieces(page_bytes_));
  stream->slots_ = std::move(slots);
  stream->checksums_ = std::move(checksums);
  return stream;
}

void SpillSpace::EndOpening() {
  MutexLock lock(mutex_);
  keep_ = false;
  const auto num_files = static_cast<uint32_t>(files_.size());
  std::sort(opened_.begin(), opened_.end());
  for (const uint32_t slot : opened_) {
    uint32_t& end = end_rows_[slot % num_files];
    const uint32_t row = slot / num_files;
    if (row > end) free_ranges_.push_back({slot % num_files, end, row - end});
    end = row + 1;
  }
  opened_ = {};
}

bool SpillSpace::spilling() const {
  MutexLock lock(mutex_);
  return spilling_;
}

StatusOr<std::byte*> SpillSpace::TakePage() {
  MutexLock lock(mutex_);
  while (free_.empty() && error_.ok()) {
    CHECK(!full_.empty() || in_flight_ + copying_ > 0);  // more streams than half the pages
    page_free_.Wait(mutex_, WaitCause::kMemory);
  }
  RETURN_IF_ERROR(error_);
  std::byte* const page = free_.back();
  free_.pop_back();
  if (ShouldWrite()) work_.NotifyOne();
  return page;
}

bool SpillSpace::HasFreePage() const {
  MutexLock lock(mutex_);
  return !free_.empty();
}

void SpillSpace::EndFilling(SpillStream* stream, size_t index, const std::byte* byte) {
  if (FillersOf(byte).fetch_sub(1, std::memory_order_acq_rel) > 1) return;
  MutexLock lock(mutex_);
  full_.push_back({stream, index});
  if (ShouldWrite()) work_.NotifyOne();
}

uint32_t SpillSpace::SlotFor(SpillStream* stream, size_t index) {
  uint32_t& slot = stream->slots_[index];
  if (slot != kNoSlot) return slot;
  SlotRange& range = stream->range_;
  if (range.count == 0) {
    // Long streams get long ranges; short ones leave little unused.
    const uint64_t most = std::max<uint64_t>(kMostRunBytes / page_bytes_, 1);
    const auto wanted = static_cast<uint32_t>(std::clamp<uint64_t>(index, 1, most));
    if (!free_ranges_.empty()) {
      SlotRange& free_range = free_ranges_.back();
      range = {free_range.file, free_range.row, std::min(wanted, free_range.count)};
      free_range.row += range.count;
      free_range.count -= range.count;
      if (free_range.count == 0) free_ranges_.pop_back();
    } else {
      const auto file = static_cast<uint32_t>(next_file_++ % files_.size());
      range = {file, end_rows_[file], wanted};
      end_rows_[file] += wanted;
      CHECK_LT(uint64_t{end_rows_[file]} * files_.size(), kMostSlots);
    }
  }
  slot = range.row * static_cast<uint32_t>(files_.size()) + range.file;
  ++range.row;
  --range.count;
  return slot;
}

std::vector<uint64_t> SpillSpace::ChecksumsOf(std::span<const std::byte> bytes) const {
  std::vector<uint64_t> checksums;
  for (; !bytes.empty(); bytes = bytes.subspan(std::min(bytes.size(), piece_bytes()))) {
    checksums.push_back(Checksum64(bytes.first(std::min(bytes.size(), piece_bytes()))));
  }
  return checksums;
}

std::vector<SlotRange> SpillSpace::RangesOf(const SpillStream& stream) const {
  const auto num_files = static_cast<uint32_t>(files_.size());
  std::vector<SlotRange> ranges;
  for (const uint32_t slot : stream.slots_) {
    if (slot == kNoSlot) continue;
    const SlotRange next{slot % num_files, slot / num_files, 1};
    if (!ranges.empty() && ranges.back().file == next.file &&
        ranges.back().row + ranges.back().count == next.row) {
      ++ranges.back().count;
    } else {
      ranges.push_back(next);
    }
  }
  if (stream.range_.count > 0) ranges.push_back(stream.range_);
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
  std::vector<SlotRange> ranges;
  {
    MutexLock lock(mutex_);
    std::erase_if(full_, [stream](const FullPage& page) { return page.stream == stream; });
    while (stream->writes_under_way_ > 0) page_free_.Wait(mutex_, WaitCause::kDisk);
    for (std::byte* page : stream->pages_) {
      if (page == nullptr) continue;
      CHECK_LE(FillersOf(page).exchange(0), 1u);  // no copies
      free_.push_back(page);
    }
    ReleaseTables(stream->pages_.size());
    stream->pages_.clear();
    page_free_.NotifyAll();
    if (!stream->keep_) ranges = RangesOf(*stream);
  }
  GiveBack(ranges);
}

void SpillSpace::GiveBack(const std::vector<SlotRange>& ranges) {
  for (const SlotRange& range : ranges) {
    if (range.count * page_bytes_ < kLeastPunchBytes) continue;
    // Where the file system cannot, the slots are written again, and Commit removes the file.
    [[maybe_unused]] const Status punched =
        files_[range.file].PunchHole(range.row * page_bytes_, range.count * page_bytes_);
  }
  MutexLock lock(mutex_);
  free_ranges_.insert(free_ranges_.end(), ranges.begin(), ranges.end());
}

}  // namespace edgemill
