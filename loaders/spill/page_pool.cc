#include "loaders/spill/page_pool.h"

#include <algorithm>

#include "loaders/spill/page_table.h"

namespace edgemill {

PagePool::PagePool(std::span<std::byte> memory, uint64_t page_bytes, size_t spare_pages)
    : memory_(memory, page_bytes), spare_pages_(spare_pages) {
  MutexLock lock(mutex_);
  for (size_t i = num_pages(); i-- > 0;) free_.push_back(memory_.page(i));
}

size_t PagePool::num_taken() const {
  MutexLock lock(mutex_);
  return num_pages() - free_.size();
}

size_t PagePool::InFlight() const {
  size_t pages = 0;
  for (const Writing& run : writing_) pages += run.pages;
  return pages;
}

bool PagePool::ShouldWrite() const {
  return !full_.empty() && (write_alls_ > 0 || free_.size() + InFlight() <= spare_pages_);
}

void PagePool::Free(std::byte* page) {
  free_.push_back(page);
  CHECK_LE(free_.size() + full_.size(), num_pages());  // a page is in one of the two, once
}

StatusOr<std::byte*> PagePool::Acquire(bool has_copies) {
  MutexLock lock(mutex_);
  while (free_.empty() && error_.ok()) {
    if (full_.empty() && writing_.empty() && copying_ <= (has_copies ? 1 : 0)) {
      if (has_copies) return nullptr;
      return BudgetError(  // too many streams hold pages
          "too little memory for the pages of temporary files: give a larger --memory, or fewer "
          "--threads");
    }
    page_free_.Wait(mutex_, WaitCause::kMemory);
  }
  RETURN_IF_ERROR(error_);
  std::byte* const page = free_.back();
  free_.pop_back();
  if (ShouldWrite()) work_.NotifyOne();
  return page;
}

void PagePool::Give(std::byte* page) {
  MutexLock lock(mutex_);
  Free(page);
  page_free_.NotifyAll();
}

void PagePool::EndFilling(PageTable* table, size_t index, const std::byte* byte) {
  if (!memory_.End(byte)) return;
  const uint64_t bytes = table->FilledBytes(index);
  MutexLock lock(mutex_);
  full_.push_back({table, index, {memory_.PageOf(byte), bytes}});
  if (ShouldWrite()) work_.NotifyOne();
}

void PagePool::BeginCopies() {
  MutexLock lock(mutex_);
  ++copying_;
}

void PagePool::EndCopies() {
  MutexLock lock(mutex_);
  CHECK_GT(copying_, 0u);
  --copying_;
  page_free_.NotifyAll();
}

void PagePool::RemoveStream(PageTable* table) {
  const auto is_written = [table](const Writing& run) { return run.table == table; };
  MutexLock lock(mutex_);
  std::erase_if(full_, [table](const FullPage& page) { return page.table == table; });
  while (std::any_of(writing_.begin(), writing_.end(), is_written)) {
    page_free_.Wait(mutex_, WaitCause::kDisk);
  }
  for (std::byte* page : table->ReleaseMemory()) {
    memory_.Abandon(page);
    Free(page);
  }
  page_free_.NotifyAll();
}

PageRun PagePool::PopFull(uint64_t gather_bytes) {
  PageTable* const table = full_.front().table;
  PageRun run{.table = table, .first = full_.front().index, .pages = {full_.front().bytes}};
  const size_t most = std::max<size_t>(gather_bytes / table->layout().MostFileBytes(), 1);
  full_.pop_front();
  // A stream's pages become full in order, or nearly: one pass finds them.
  for (auto next = full_.begin(); run.pages.size() < most;) {
    const size_t index = run.first + run.pages.size();
    next = std::find_if(next, full_.end(), [table, index](const FullPage& page) {
      return page.table == table && page.index == index;
    });
    if (next == full_.end()) break;
    run.pages.push_back(next->bytes);
    next = full_.erase(next);
  }
  return run;
}

std::optional<PageRun> PagePool::AwaitFull(uint64_t gather_bytes) {
  MutexLock lock(mutex_);
  while (!ShouldWrite() && !stopping_) work_.Wait(mutex_);
  if (stopping_) return std::nullopt;
  PageRun run = PopFull(gather_bytes);
  writing_.push_back({run.table, run.first, run.pages.size()});
  return run;
}

void PagePool::EndWriting(const PageRun& run, const Status& written) {
  MutexLock lock(mutex_);
  const auto entry = std::find_if(writing_.begin(), writing_.end(), [&run](const Writing& other) {
    return other.table == run.table && other.first == run.first;
  });
  CHECK(entry != writing_.end());  // a run is one writer's, and ends once
  writing_.erase(entry);
  if (written.ok()) {
    for (const std::span<std::byte> page : run.pages) Free(page.data());
  } else if (error_.ok()) {
    error_ = written;
  }
  page_free_.NotifyAll();
}

void PagePool::Stop() {
  MutexLock lock(mutex_);
  stopping_ = true;
  work_.NotifyAll();
}

Status PagePool::WriteAll() {
  MutexLock lock(mutex_);
  ++write_alls_;
  work_.NotifyAll();
  // Pages whose copies are under way are not full yet.
  while (copying_ > 0 || (!full_.empty() && error_.ok()) || !writing_.empty()) {
    page_free_.Wait(mutex_, WaitCause::kDisk);
  }
  --write_alls_;
  return error_;
}

Status PagePool::Drain() {
  MutexLock lock(mutex_);
  while (!writing_.empty()) page_free_.Wait(mutex_, WaitCause::kDisk);
  return error_;
}

}  // namespace edgemill
