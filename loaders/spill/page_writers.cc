#include "loaders/spill/page_writers.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "common/check.h"
#include "common/threads/parallel.h"
#include "loaders/spill/page_table.h"

namespace edgemill {
namespace {

/// The most bytes that a writer gathers from smaller pages. A request costs the processor and the
/// device as much as writing some 64 KiB.
constexpr uint64_t kMaxGatherBytes = uint64_t{256} << 10;

}  // namespace

uint64_t WriterPlan::LeastBytes(uint64_t page_bytes) {
  return 2 * page_bytes + MostSpilledPageBytes(page_bytes);
}

WriterPlan WriterPlan::For(size_t wanted, uint64_t memory_bytes, uint64_t page_bytes) {
  WriterPlan plan;
  plan.writers = std::clamp<size_t>(memory_bytes / 4 / LeastBytes(page_bytes), 1, wanted);
  plan.sorting_bytes = 2 * page_bytes;
  plan.gather_bytes = std::max(MostSpilledPageBytes(page_bytes),
                               std::min(memory_bytes / 32 / plan.writers, kMaxGatherBytes) /
                                   kSpillAlignment * kSpillAlignment);
  return plan;
}

Status PageWriters::Start(const WriterPlan& plan, std::span<std::byte> memory) {
  CHECK(threads_.empty());
  CHECK_EQ(memory.size(), plan.bytes());
  for (size_t i = 0; i < plan.writers; ++i) {
    const auto own = memory.subspan(i * plan.each_bytes(), plan.each_bytes());
    const Memory parts{.sorting = own.first(plan.sorting_bytes),
                       .gathered = own.subspan(plan.sorting_bytes)};
    StatusOr<std::thread> writer = StartThread([this, parts] { WriteLoop(parts); });
    // One writer is enough.
    if (!writer.ok() && i > 0) break;
    RETURN_IF_ERROR(writer.status());
    threads_.push_back(std::move(*writer));
  }
  return OkStatus();
}

PageWriters::~PageWriters() {
  pool_.Stop();
  const WaitScope waiting(WaitCause::kDisk);
  for (std::thread& thread : threads_) thread.join();
}

void PageWriters::WriteLoop(const Memory& memory) {
  while (const std::optional<PageRun> run = pool_.AwaitFull(memory.gathered.size())) {
    pool_.EndWriting(*run, Write(*run, memory));
  }
}

Status PageWriters::Write(const PageRun& run, const Memory& memory) {
  PageTable& table = *run.table;
  const SpillForm& form = table.layout().form();
  std::vector<SpilledPage> pages;
  std::vector<std::vector<uint64_t>> checksums;
  uint64_t size = 0;
  std::span<std::byte> bytes = memory.gathered;
  for (const std::span<std::byte> page : run.pages) {
    SpilledPage place{.offset = size};
    if (form.packed) {
      place.form = SpilledPage::Form::kPacked;
      place.bytes =
          static_cast<uint32_t>(PackPage(page, form.weight, memory.sorting, bytes.data() + size));
    } else {
      place.bytes = static_cast<uint32_t>(page.size());
      // A single page is written from its own memory.
      if (run.pages.size() == 1) {
        bytes = {page.data(), pool_.page_bytes()};
      } else {
        std::ranges::copy(page, bytes.data() + size);
      }
    }
    CHECK_LE(place.end(), bytes.size());  // the plan's memory is for the largest page
    checksums.push_back(table.layout().ChecksumsOf(bytes.subspan(size, place.bytes)));
    size = place.end();
    pages.push_back(place);
  }
  const uint64_t aligned = SpillAligned(size);
  if (bytes.data() == memory.gathered.data()) {
    std::ranges::fill(bytes.subspan(size, aligned - size), std::byte{0});
  }
  ASSIGN_OR_RETURN(const SpillRange range, files_.Write(bytes.first(aligned), [&] {
    return table.AllocateRange(files_, aligned);
  }));
  for (SpilledPage& place : pages) {
    place.file = range.file;
    place.offset += range.room.offset;
  }
  table.SetPages(run.first, pages, checksums);
  return OkStatus();
}

}  // namespace edgemill
