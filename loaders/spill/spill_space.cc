#include "loaders/spill/spill_space.h"

#include <algorithm>
#include <utility>

#include "common/check.h"

namespace edgemill {
namespace {

/// The most bytes of pages that are kept free while others are written.
constexpr uint64_t kMaxSpareBytes = uint64_t{64} << 20;

/// Two writers keep a device busy. If many threads fill pages, as many writers are needed: some
/// pack pages while others wait for the disk.
constexpr size_t kMinWriters = 2;
constexpr size_t kMaxWriters = 16;

/// How many pages are free when writing starts, so that writing overlaps with filling. If all
/// expected data fits `pages_bytes`, they are few: pages are written only if the estimate was
/// wrong.
size_t SparePages(const SpillSpace::Options& options, uint64_t pages_bytes) {
  const bool fits = options.expected_bytes > 0 && options.expected_bytes <= pages_bytes;
  const size_t num_pages = pages_bytes / options.page_bytes;
  return std::min(num_pages / (fits ? 64 : 4),
                  static_cast<size_t>(kMaxSpareBytes / options.page_bytes));
}

}  // namespace

SpillSpace::SpillSpace(Contents contents, const Options& options, const WriterPlan& plan,
                       MemoryBudget& budget)
    : reservation_(std::move(contents.reservation)),
      memory_(std::move(contents.memory)),
      files_(std::move(contents.files)),
      pool_(memory_.bytes().first(memory_.size() - plan.bytes()), options.page_bytes,
            SparePages(options, memory_.size() - plan.bytes())),
      tables_(budget, options.table_bytes, options.page_bytes),
      writers_(pool_, *files_) {}

StatusOr<std::unique_ptr<SpillSpace>> SpillSpace::Create(const Options& options,
                                                         MemoryBudget& budget) {
  CHECK(IsPageSize(options.page_bytes));
  CHECK(!options.directories.empty());
  const size_t wanted = std::clamp(
      std::max(kMinWriters * options.directories.size(), static_cast<size_t>(options.threads)),
      kMinWriters, kMaxWriters);
  const WriterPlan plan = WriterPlan::For(wanted, options.memory_bytes, options.page_bytes);
  if (options.memory_bytes < plan.bytes() + 2 * options.page_bytes) {
    return BudgetError(
        "too little memory for the pages of temporary files: resume with as much as the ingest "
        "began with");
  }
  const uint64_t pages_bytes =
      (options.memory_bytes - plan.bytes()) / options.page_bytes * options.page_bytes;
  const uint64_t bytes = pages_bytes + plan.bytes();
  Contents contents;
  ASSIGN_OR_RETURN(contents.reservation,
                   budget.Reserve(bytes + options.table_bytes, "pages of temporary files"));
  ASSIGN_OR_RETURN(contents.memory, Buffer::Allocate(bytes));
  ASSIGN_OR_RETURN(contents.files, SpillFiles::Open(options.directories, options.reopen,
                                                    options.page_bytes, options.patience));
  std::unique_ptr<SpillSpace> space(new SpillSpace(std::move(contents), options, plan, budget));
  RETURN_IF_ERROR(space->writers_.Start(plan, space->memory_.bytes().subspan(pages_bytes)));
  return space;
}

bool SpillSpace::SavingPays(double seconds) const {
  // The rate is that of pages in memory, which are half as large in their files.
  constexpr double kSavedBytesPerSecond = 1e9, kMinSeconds = .1, kWorkASave = 20;
  const double save_seconds =
      static_cast<double>(pool_.num_taken() * page_bytes()) / kSavedBytesPerSecond;
  return save_seconds < kMinSeconds || seconds > kWorkASave * save_seconds;
}

}  // namespace edgemill
