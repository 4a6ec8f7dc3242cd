#include "loaders/spill/page_table.h"

#include <algorithm>
#include <utility>

#include "common/check.h"
#include "storage/format/block_format.h"

namespace edgemill {
namespace {

/// The most bytes that are set aside for the next pages of a stream. Longer reads are not faster.
constexpr uint64_t kMaxRangeBytes = uint64_t{1} << 20;
/// How much memory for page tables is reserved at a time.
constexpr uint64_t kTableStepBytes = uint64_t{256} << 10;

}  // namespace

Status TableBudget::Reserve(uint64_t pages) {
  MutexLock lock(mutex_);
  const uint64_t bytes = (pages_ + pages) * SpillTableBytes(page_bytes_);
  while (first_bytes_ + steps_.size() * kTableStepBytes < bytes) {
    ASSIGN_OR_RETURN(MemoryReservation step,
                     budget_.Reserve(kTableStepBytes, "page tables of temporary files"));
    steps_.push_back(std::move(step));
  }
  pages_ += pages;
  return OkStatus();
}

void TableBudget::Release(uint64_t pages) {
  MutexLock lock(mutex_);
  CHECK_LE(pages, pages_);  // what is released was reserved
  pages_ -= pages;
  const uint64_t bytes = pages_ * SpillTableBytes(page_bytes_);
  const uint64_t beyond = bytes - std::min(bytes, first_bytes_);
  const uint64_t steps = (beyond + kTableStepBytes - 1) / kTableStepBytes;
  if (steps_.size() > steps) steps_.resize(steps);
}

uint64_t PageLayout::BytesOfPage(size_t index, uint64_t size) const {
  CHECK_LT(index * page_bytes_, size);  // no page is empty
  return std::min(page_bytes_, size - index * page_bytes_);
}

uint64_t PageLayout::MostFileBytes() const {
  if (!form_.packed) return page_bytes_;
  return MaxPackedPageBytes(page_bytes_ / form_.record_bytes, form_.weight);
}

size_t PageLayout::ChecksumsAPage() const {
  return form_.packed ? 1 : (page_bytes_ + chunk_bytes_ - 1) / chunk_bytes_;
}

std::vector<uint64_t> PageLayout::ChecksumsOf(std::span<const std::byte> bytes) const {
  const uint64_t chunk_bytes = form_.packed ? bytes.size() : chunk_bytes_;
  std::vector<uint64_t> checksums;
  while (!bytes.empty()) {
    const auto chunk = bytes.first(std::min(bytes.size(), chunk_bytes));
    checksums.push_back(Checksum64(chunk));
    bytes = bytes.subspan(chunk.size());
  }
  return checksums;
}

size_t PageTable::num_pages() const {
  MutexLock lock(mutex_);
  return pages_.size();
}

SpilledPage PageTable::page(size_t index) const {
  MutexLock lock(mutex_);
  CHECK_LT(index, pages_.size());
  return pages_[index];
}

std::vector<SpilledPage> PageTable::pages() const {
  MutexLock lock(mutex_);
  return pages_;
}

std::vector<uint64_t> PageTable::Checksums(size_t first, size_t count) const {
  MutexLock lock(mutex_);
  CHECK_LE(first + count, checksums_.size());
  const auto begin = checksums_.begin() + static_cast<ptrdiff_t>(first);
  return {begin, begin + static_cast<ptrdiff_t>(count)};
}

std::vector<SpillRange> PageTable::Ranges() const {
  MutexLock lock(mutex_);
  std::vector<SpillRange> ranges;
  for (const SpilledPage& page : pages_) {
    if (!page.written() || page.form == SpilledPage::Form::kTail) continue;
    SpillRange* const last = ranges.empty() ? nullptr : &ranges.back();
    // A write begins at a multiple of the alignment, with padding before it.
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
  if (range_.room.bytes > 0) ranges.push_back(range_);
  return ranges;
}

void PageTable::Add(std::byte* memory) {
  MutexLock lock(mutex_);
  pages_.push_back({.memory = memory});
  checksums_.resize(pages_.size() * layout_.ChecksumsAPage());
}

void PageTable::SetLast(std::byte* memory) {
  MutexLock lock(mutex_);
  CHECK(!pages_.empty() && pages_.back().memory == nullptr);  // a page has one place in memory
  pages_.back().memory = memory;
}

void PageTable::Restore(std::vector<SpilledPage> pages, std::vector<uint64_t> checksums) {
  MutexLock lock(mutex_);
  CHECK(pages_.empty());
  CHECK_EQ(checksums.size(), pages.size() * layout_.ChecksumsAPage());
  pages_ = std::move(pages);
  checksums_ = std::move(checksums);
}

std::byte* PageTable::Seal(uint64_t tail_bytes) {
  CHECK_LT(tail_bytes, layout_.page_bytes());  // whole pages need no seal
  MutexLock lock(mutex_);
  if (tail_bytes == 0 || tail_bytes_ > 0 || pages_.back().memory == nullptr) return nullptr;
  tail_bytes_ = tail_bytes;
  return pages_.back().memory;
}

uint64_t PageTable::FilledBytes(size_t index) const {
  MutexLock lock(mutex_);
  return index + 1 == pages_.size() && tail_bytes_ > 0 ? tail_bytes_ : layout_.page_bytes();
}

SpillRange PageTable::AllocateRange(SpillFiles& files, uint64_t bytes) {
  MutexLock lock(mutex_);
  if (range_.room.bytes < bytes || files.full(range_.file)) {
    files.Free(range_);
    // Long streams get long ranges; short ones leave little unused.
    range_ =
        files.Allocate(std::max(bytes, std::min(SpillAligned(written_bytes_), kMaxRangeBytes)));
  }
  const SpillRange taken{range_.file, {range_.room.offset, bytes}};
  range_.room.offset += bytes;
  range_.room.bytes -= bytes;
  written_bytes_ += bytes;
  return taken;
}

void PageTable::SetPages(size_t first, const std::vector<SpilledPage>& pages,
                         const std::vector<std::vector<uint64_t>>& checksums) {
  MutexLock lock(mutex_);
  CHECK_LE(first + pages.size(), pages_.size());
  // Readers copy from the pages without the lock. Until they have ended, no other stream may get
  // the pages.
  while (reads_under_way_ > 0) reads_done_.Wait(mutex_);
  const size_t each = layout_.ChecksumsAPage();
  for (size_t i = 0; i < pages.size(); ++i) {
    CHECK_LE(checksums[i].size(), each);
    pages_[first + i] = pages[i];
    std::ranges::copy(checksums[i], &checksums_[(first + i) * each]);
  }
}

std::vector<std::byte*> PageTable::ReleaseMemory() {
  MutexLock lock(mutex_);
  CHECK_EQ(reads_under_way_, 0u);  // there are no readers of a stream that is destroyed
  std::vector<std::byte*> memory;
  for (SpilledPage& page : pages_) {
    std::byte* const own = std::exchange(page.memory, nullptr);
    if (own != nullptr) memory.push_back(own);
  }
  return memory;
}

std::vector<SpilledPage> PageTable::BeginRead(size_t first, uint64_t wanted,
                                              uint64_t max_read) const {
  MutexLock lock(mutex_);
  CHECK_LT(first, pages_.size());
  if (pages_[first].memory == nullptr) return PagesInFile(first, wanted, max_read);
  ++reads_under_way_;
  return {pages_[first]};
}

void PageTable::EndRead() const {
  MutexLock lock(mutex_);
  CHECK_GT(reads_under_way_, 0u);
  if (--reads_under_way_ == 0) reads_done_.NotifyAll();
}

std::vector<SpilledPage> PageTable::PagesInFile(size_t first, uint64_t wanted,
                                                uint64_t max_read) const {
  std::vector<SpilledPage> pages{pages_[first]};
  CHECK(pages.front().written());  // a page is in memory, in its file, or in both
  for (size_t i = first + 1; i < pages_.size(); ++i) {
    const SpilledPage& before = pages.back();
    const SpilledPage& page = pages_[i];
    if ((i - first) * layout_.page_bytes() >= wanted || page.memory != nullptr ||
        page.file != before.file || page.offset < before.end()) {
      break;
    }
    // The gap between packed pages that were written one after the other is less than a sector.
    const uint64_t gap = page.offset - before.end();
    if (layout_.form().packed
            ? gap >= kSpillAlignment || page.end() - pages.front().offset > max_read
            : gap > 0) {
      break;
    }
    pages.push_back(page);
  }
  return pages;
}

}  // namespace edgemill
