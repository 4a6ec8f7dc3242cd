#include "loaders/spill/spill_stream.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include "common/check.h"

namespace edgemill {
namespace {

/// The most bytes of consecutive packed pages that are read at once. Longer reads are not faster,
/// and so many bytes stay in the cache while they are unpacked. In a small space the limit is a
/// part of the pages' memory, since many threads may read.
constexpr uint64_t kMaxReadBytes = uint64_t{512} << 10;
constexpr uint64_t kReadsOfPages = 64;

/// A stream as the journal has it.
struct SavedStream {
  uint64_t size = 0;
  std::vector<SpilledPage> pages;
  std::vector<uint64_t> checksums;

  template <typename Visitor, typename Stream>
  static void ListFields(Visitor& visitor, Stream& stream) {
    visitor.Fields(stream.size, stream.pages, stream.checksums);
  }
};

}  // namespace

void SpillCopies::AddRuns(std::span<const SpillRun> runs) {
  run_ = runs_.size();
  skip_ = 0;
  runs_.insert(runs_.end(), runs.begin(), runs.end());
}

void SpillCopies::Add(PagePool& pool, PageTable* table, size_t index, std::span<std::byte> to) {
  if (copies_.empty()) {
    pool.BeginCopies();
    pool_ = &pool;
  }
  CHECK(pool_ == &pool);  // copies are of one space
  copies_.push_back({table, index, to, run_, skip_});
  skip_ += to.size();
  for (; run_ < runs_.size() && skip_ >= runs_[run_].size(); ++run_) skip_ -= runs_[run_].size();
}

void SpillCopies::RunCopies() {
  if (copies_.empty()) return;
  for (const Copy& copy : copies_) {
    std::span<std::byte> left = copy.to;
    size_t skip = copy.skip;
    for (const SpillRun* run = &runs_[copy.run]; !left.empty(); ++run, skip = 0) {
      const SpillRun from = run->subspan(skip, std::min(run->size() - skip, left.size()));
      std::memcpy(left.data(), from.data(), from.size());
      left = left.subspan(from.size());
    }
    pool_->EndFilling(copy.table, copy.index, copy.to.data());
  }
  copies_.clear();
  pool_->EndCopies();
}

void SpillCopies::CopyAll() {
  RunCopies();
  runs_.clear();
}

SpillStream::SpillStream(const SpillParts& parts, const SpillForm& form)
    : parts_(parts), table_(PageLayout(form, parts.pool.page_bytes())) {}

SpillStream::~SpillStream() {
  parts_.pool.RemoveStream(&table_);
  parts_.tables.Release(table_.num_pages());
  if (!keep_) parts_.files.FreeAndPunch(Ranges());
}

std::vector<SpillRange> SpillStream::Ranges() const {
  std::vector<SpillRange> ranges = table_.Ranges();
  for (const SpillRange& tail : tails_) {
    if (tail.room.bytes > 0) ranges.push_back(tail);
  }
  return ranges;
}

StatusOr<std::unique_ptr<SpillStream>> SpillStream::Open(const SpillParts& parts,
                                                         const SpillForm& form, StateReader* in) {
  const uint64_t page_bytes = parts.pool.page_bytes();
  auto stream = std::make_unique<SpillStream>(parts, form);
  const PageLayout& layout = stream->layout();
  SavedStream saved;
  in->Fields(saved);
  auto& [size, pages, checksums] = saved;
  const uint64_t num_pages = (size + layout.page_bytes() - 1) / layout.page_bytes();
  bool sound = in->ok() && pages.size() == num_pages &&
               checksums.size() == num_pages * layout.ChecksumsAPage();
  for (size_t i = 0; i < num_pages && sound; ++i) {
    SpilledPage& page = pages[i];
    page.memory = nullptr;
    sound = page.file < parts.files.size() && page.written() &&
            page.form <= SpilledPage::Form::kTail &&
            (page.form == SpilledPage::Form::kPacked ? form.packed
                                                     : page.bytes == layout.BytesOfPage(i, size)) &&
            (page.form != SpilledPage::Form::kTail || i + 1 == num_pages) &&
            page.bytes <= MostSpilledPageBytes(page_bytes) && page.offset < uint64_t{1} << 62;
  }
  if (!sound) return BadDataError("the ingest journal is damaged: ingest again with --replace");
  for (const SpilledPage& page : pages) {
    const File& file = parts.files.file(page.file);
    ASSIGN_OR_RETURN(const uint64_t file_bytes, file.Size());
    if (file_bytes < page.end()) {
      return BadDataError(StrCat(file.path(), ": ", file_bytes, " bytes, but the journal lists ",
                                 page.end(), " at the least: ingest again with --replace"));
    }
  }
  RETURN_IF_ERROR(parts.tables.Reserve(num_pages));
  stream->size_ = stream->saved_size_ = size;
  if (num_pages > 0 && pages.back().form == SpilledPage::Form::kTail) {
    stream->tails_[0] = {pages.back().file, {pages.back().offset, page_bytes}};
    stream->saves_ = 1;
  }
  stream->table_.Restore(std::move(pages), std::move(checksums));
  parts.files.AddOpened(stream->Ranges());
  return stream;
}

Status SpillStream::Append(std::span<const std::byte> bytes) {
  while (!bytes.empty()) {
    const size_t index = size_ / page_bytes();
    ASSIGN_OR_RETURN(const std::span<std::byte> to, PlaceFirst(bytes.size(), nullptr));
    std::memcpy(to.data(), bytes.data(), to.size());
    parts_.pool.EndFilling(&table_, index, to.data());
    bytes = bytes.subspan(to.size());
  }
  return OkStatus();
}

Status SpillStream::Reserve(std::span<const SpillRun> runs, SpillCopies* copies) {
  uint64_t left = 0;
  for (const SpillRun& bytes : runs) left += bytes.size();
  copies->AddRuns(runs);
  while (left > 0) {
    const size_t index = size_ / page_bytes();
    ASSIGN_OR_RETURN(const std::span<std::byte> to, PlaceFirst(left, copies));
    copies->Add(parts_.pool, &table_, index, to);
    left -= to.size();
  }
  return OkStatus();
}

StatusOr<std::span<std::byte>> SpillStream::PlaceFirst(uint64_t count, SpillCopies* copies) {
  const uint64_t inside = size_ % page_bytes();
  ASSIGN_OR_RETURN(std::byte* const page, LastPage(inside, copies));
  count = std::min(count, page_bytes() - inside);
  // If these bytes end the page, their copy replaces the stream among the page's fillers.
  if (inside + count < page_bytes()) parts_.pool.memory().Add(page);
  size_ += count;
  return std::span(page + inside, count);
}

StatusOr<std::byte*> SpillStream::LastPage(uint64_t inside, SpillCopies* copies) {
  std::vector<SpilledPage> saved;
  if (inside != 0) {
    const SpilledPage last = table_.page(size_ / page_bytes());
    if (last.memory != nullptr) return last.memory;
    saved.push_back(last);
  }
  const bool has_copies = copies != nullptr && !copies->empty();
  ASSIGN_OR_RETURN(std::byte * page, parts_.pool.Acquire(has_copies));
  if (page == nullptr) {
    copies->RunCopies();
    ASSIGN_OR_RETURN(page, parts_.pool.Acquire(false));
  }
  // A stream that is opened again after a crash continues in the middle of its last page.
  const Status read = saved.empty()
                          ? OkStatus()
                          : reader().Read(saved, size_ - inside, std::span(page, inside)).status();
  if (inside != 0) {
    table_.SetLast(page);
  } else if (const Status reserved = parts_.tables.Reserve(1); reserved.ok()) {
    table_.Add(page);
  } else {
    parts_.pool.Give(page);
    return reserved;
  }
  parts_.pool.memory().Begin(page);
  RETURN_IF_ERROR(read);
  return page;
}

Status SpillStream::Read(uint64_t offset, std::span<std::byte> into) const {
  CHECK_LE(offset + into.size(), size_);
  const uint64_t max_read =
      std::min(parts_.pool.num_pages() * parts_.pool.page_bytes() / kReadsOfPages, kMaxReadBytes);
  PageReader from_file = reader();
  while (!into.empty()) {
    const uint64_t inside = offset % page_bytes();
    const std::vector<SpilledPage> pages =
        table_.BeginRead(offset / page_bytes(), inside + into.size(), max_read);
    uint64_t count = std::min<uint64_t>(into.size(), page_bytes() - inside);
    if (pages.front().memory != nullptr) {
      std::memcpy(into.data(), pages.front().memory + inside, count);
      table_.EndRead();
    } else {
      ASSIGN_OR_RETURN(count, from_file.Read(pages, offset, into));
    }
    into = into.subspan(count);
    offset += count;
  }
  return OkStatus();
}

Status SpillStream::BadAt(uint64_t offset, std::string_view what) const {
  return reader().BadAt(offset, what);
}

void SpillStream::Seal() {
  const std::byte* const memory = table_.Seal(size_ % page_bytes());
  if (memory != nullptr) parts_.pool.EndFilling(&table_, size_ / page_bytes(), memory);
}

void SpillStream::LeaveFiles() {
  keep_ = true;
  parts_.files.LeaveFiles();
}

void SpillStream::PutState(StateWriter* out) const {
  CHECK_EQ(saved_size_, size_);
  SavedStream saved{.size = size_, .pages = table_.pages(), .checksums = {}};
  saved.checksums = table_.Checksums(0, saved.pages.size() * layout().ChecksumsAPage());
  for (SpilledPage& page : saved.pages) page.memory = nullptr;
  out->Fields(std::as_const(saved));
}

Status SpillStream::Save() {
  SpillStream* const stream = this;
  return SaveAll(parts_, std::span(&stream, 1));
}

Status SpillStream::SaveAll(const SpillParts& parts, std::span<SpillStream* const> streams) {
  std::vector<SpillStream*> unsaved;
  for (SpillStream* stream : streams) {
    if (stream->saved_size_ < stream->size_) unsaved.push_back(stream);
  }
  if (unsaved.empty()) return OkStatus();
  RETURN_IF_ERROR(parts.pool.WriteAll());
  for (SpillStream* stream : unsaved) RETURN_IF_ERROR(stream->SaveTail());
  RETURN_IF_ERROR(parts.files.Sync());
  for (SpillStream* stream : unsaved) {
    stream->saved_size_ = stream->size_;
    ++stream->saves_;
  }
  return OkStatus();
}

Status SpillStream::SaveTail() {
  const size_t index = (size_ - 1) / page_bytes();
  SpilledPage page = table_.page(index);
  if (page.memory == nullptr) return OkStatus();
  const uint64_t bytes = layout().BytesOfPage(index, size_);
  SpillRange& tail = tails_[saves_ % tails_.size()];
  const auto allocate_range = [&] {
    const SpillRange own = std::exchange(tail, {});
    return own.room.bytes > 0 ? own : parts_.files.Allocate(parts_.pool.page_bytes());
  };
  ASSIGN_OR_RETURN(tail, parts_.files.Write({page.memory, SpillAligned(bytes)}, allocate_range));
  page.file = tail.file;
  page.offset = tail.room.offset;
  page.bytes = static_cast<uint32_t>(bytes);
  page.form = SpilledPage::Form::kTail;
  table_.SetPages(index, {page}, {layout().ChecksumsOf({page.memory, bytes})});
  return OkStatus();
}

}  // namespace edgemill
