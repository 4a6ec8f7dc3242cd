#include <algorithm>
#include <cstring>

#include "loaders/spill/spill_space.h"
#include "storage/format/block_format.h"
#include "storage/format/group_codec.h"

namespace edgemill {
namespace {

/// Packed pages that lie one after the other are read at once up to here: longer reads are no
/// faster, and what they are unpacked from stays in the cache. Of a small space it is a part of
/// what pages have, since many threads may read.
constexpr uint64_t kMostReadBytes = uint64_t{512} << 10;
constexpr uint64_t kReadsOfPages = 64;

/// Makes `memory` hold `bytes`.
Status Fit(uint64_t bytes, Buffer* memory) {
  if (memory->size() >= bytes) return OkStatus();
  ASSIGN_OR_RETURN(*memory, Buffer::Allocate(bytes));
  return OkStatus();
}

/// Reads from `file`, opened for direct I/O, any bytes into any memory; short at the end of the
/// file.
StatusOr<size_t> ReadAnywhere(TransferPool& transfers, const File& file, uint64_t offset,
                              std::span<std::byte> into) {
  // Whole sectors go straight to where they belong, the rest through a buffer.
  const bool aligned = offset % kSpillAlignment == 0 &&
                       reinterpret_cast<uintptr_t>(into.data()) % kSpillAlignment == 0;
  const size_t direct = aligned ? into.size() / kSpillAlignment * kSpillAlignment : 0;
  size_t got = 0;
  if (direct > 0) {
    ASSIGN_OR_RETURN(
        got, transfers.Transfer({.file = &file, .offset = offset, .memory = into.first(direct)}));
  }
  if (got < direct || direct == into.size()) return got;
  const uint64_t begin = (offset + direct) / kSpillAlignment * kSpillAlignment;
  const uint64_t end = SpillAligned(offset + into.size());
  ASSIGN_OR_RETURN(Buffer cover, Buffer::Allocate(end - begin));
  ASSIGN_OR_RETURN(const size_t read,
                   transfers.Transfer({.file = &file, .offset = begin, .memory = cover.bytes()}));
  const size_t skip = offset + direct - begin;
  const size_t rest = std::min<size_t>(into.size() - direct, read > skip ? read - skip : 0);
  std::memcpy(into.data() + direct, cover.data() + skip, rest);
  return got + rest;
}

}  // namespace

SpillStream::SpillStream(SpillSpace* space, const SpillForm& form)
    : space_(space),
      form_(form),
      page_bytes_(space->page_bytes() / form.record_bytes * form.record_bytes) {}

SpillStream::~SpillStream() { space_->Forget(this); }

Status SpillStream::Append(std::span<const std::byte> bytes) {
  while (!bytes.empty()) {
    ASSIGN_OR_RETURN(const Copy copy, PlaceFirst(bytes.size(), nullptr));
    copy.Run(&bytes, 0);
    bytes = bytes.subspan(copy.to.size());
  }
  return OkStatus();
}

Status SpillStream::Place(std::span<const SpillRun> runs, SpillCopies* copies) {
  size_t run = copies->runs_.size(), skip = 0;
  uint64_t left = 0;
  for (const SpillRun& bytes : runs) left += bytes.size();
  copies->runs_.insert(copies->runs_.end(), runs.begin(), runs.end());
  while (left > 0) {
    ASSIGN_OR_RETURN(const Copy place, PlaceFirst(left, copies));
    if (copies->empty()) {
      MutexLock lock(space_->mutex_);
      ++space_->copying_;
    }
    copies->copies_.push_back({place, run, skip});
    left -= place.to.size();
    skip += place.to.size();
    for (; left > 0 && skip >= copies->runs_[run].size(); ++run) skip -= copies->runs_[run].size();
  }
  return OkStatus();
}

StatusOr<SpillStream::Copy> SpillStream::PlaceFirst(uint64_t count, SpillCopies* copies) {
  const uint64_t inside = size_ % page_bytes_;
  ASSIGN_OR_RETURN(std::byte* const page, LastPage(inside, copies));
  count = std::min(count, page_bytes_ - inside);
  // Where this ends the page, the copy takes the place of the stream among its fillers.
  if (inside + count < page_bytes_) ++space_->FillersOf(page);
  size_ += count;
  return Copy{this, pages_.size() - 1, std::span(page + inside, count)};
}

void SpillStream::Copy::Run(const SpillRun* runs, size_t skip) const {
  std::span<std::byte> left = to;
  for (; !left.empty(); ++runs, skip = 0) {
    const SpillRun from = runs->subspan(skip, std::min(runs->size() - skip, left.size()));
    std::memcpy(left.data(), from.data(), from.size());
    left = left.subspan(from.size());
  }
  stream->space_->EndFilling(stream, index, to.data());
}

void SpillCopies::Run() {
  RunCopies();
  runs_.clear();
}

void SpillCopies::RunCopies() {
  if (copies_.empty()) return;
  SpillSpace& space = *copies_.front().place.stream->space_;
  for (const Copy& copy : copies_) copy.place.Run(&runs_[copy.run], copy.skip);
  copies_.clear();
  MutexLock lock(space.mutex_);
  --space.copying_;
  space.page_free_.NotifyAll();
}

StatusOr<std::byte*> SpillStream::LastPage(uint64_t inside, SpillCopies* copies) {
  std::vector<SpilledPage> saved;
  if (inside != 0) {
    MutexLock lock(space_->mutex_);
    if (pages_.back().memory != nullptr) return pages_.back().memory;
    saved.push_back(pages_.back());
  }
  ASSIGN_OR_RETURN(std::byte* const page, space_->TakePage(copies));
  // A stream opened again after a crash goes on in the middle of its last page.
  ReadMemory memory;
  const Status read =
      saved.empty() ? OkStatus()
                    : ReadPages(saved, size_ - inside, std::span(page, inside), &memory).status();
  MutexLock lock(space_->mutex_);
  if (inside == 0) {
    if (const Status reserved = space_->ReserveTables(1); !reserved.ok()) {
      space_->free_.push_back(page);
      return reserved;
    }
    pages_.emplace_back();
    checksums_.resize(pages_.size() * ChecksumsAPage());
  }
  pages_.back().memory = page;
  space_->FillersOf(page) = 1;
  RETURN_IF_ERROR(read);
  return page;
}

void SpillStream::Seal() {
  std::byte* memory = nullptr;
  size_t index = 0;
  {
    MutexLock lock(space_->mutex_);
    if (size_ % page_bytes_ == 0 || tail_bytes_ > 0) return;  // whole, or it is sealed
    index = pages_.size() - 1;
    memory = pages_[index].memory;
    if (memory == nullptr) return;
    tail_bytes_ = size_ % page_bytes_;
  }
  space_->EndFilling(this, index, memory);
}

void SpillStream::Keep() {
  keep_ = true;
  MutexLock lock(space_->mutex_);
  space_->keep_ = true;
}

void SpillStream::PutState(StateWriter* out) const {
  CHECK_EQ(saved_size_, size_);
  MutexLock lock(space_->mutex_);
  std::vector<SpilledPage> pages = pages_;
  for (SpilledPage& page : pages) page.memory = nullptr;
  out->Put(size_);
  out->PutArray(std::span<const SpilledPage>(pages));
  out->PutArray(std::span<const uint64_t>(checksums_));
}

size_t SpillStream::ChecksumsAPage() const {
  return form_.packed ? 1 : (page_bytes_ + space_->piece_bytes() - 1) / space_->piece_bytes();
}

std::vector<uint64_t> SpillStream::ChecksumsOf(std::span<const std::byte> bytes) const {
  const uint64_t piece_bytes = form_.packed ? bytes.size() : space_->piece_bytes();
  std::vector<uint64_t> checksums;
  while (!bytes.empty()) {
    const auto piece = bytes.first(std::min(bytes.size(), piece_bytes));
    checksums.push_back(Checksum64(piece));
    bytes = bytes.subspan(piece.size());
  }
  return checksums;
}

std::vector<uint64_t> SpillStream::Checksums(size_t first, size_t count) const {
  MutexLock lock(space_->mutex_);
  const auto begin = checksums_.begin() + static_cast<ptrdiff_t>(first);
  return {begin, begin + static_cast<ptrdiff_t>(count)};
}

void SpillStream::SetChecksums(size_t index, const std::vector<uint64_t>& checksums) {
  std::copy(checksums.begin(), checksums.end(),
            checksums_.begin() + static_cast<ptrdiff_t>(index * ChecksumsAPage()));
}

Status SpillStream::BadAt(uint64_t offset, std::string_view what) const {
  const size_t index = offset / page_bytes_;
  SpilledPage page;
  {
    MutexLock lock(space_->mutex_);
    if (index < pages_.size()) page = pages_[index];
  }
  // A page that never left memory is not in a file: its space is named by the first one.
  const uint64_t inside = page.form == SpilledPage::Form::kPacked ? 0 : offset % page_bytes_;
  const std::string place =
      page.written() ? StrCat(space_->files_[page.file].path(), ": offset ", page.offset + inside)
                     : StrCat(space_->files_[0].path(), ": in memory");
  return BadDataError(StrCat(place, ", ", what, ": ingest again with --replace"));
}

Status SpillStream::ReadPieces(const SpilledPage& first, uint64_t offset,
                               std::span<std::byte> into) const {
  space_->bytes_read_.fetch_add(into.size(), std::memory_order_relaxed);
  const uint64_t inside = offset % page_bytes_;
  ASSIGN_OR_RETURN(const size_t got, ReadAnywhere(space_->transfers_, space_->files_[first.file],
                                                  first.offset + inside, into));
  if (got < into.size()) {
    return BadAt(offset, StrCat("length ", into.size(), ": the file has become shorter"));
  }
  // A page's checksums begin anew.
  while (!into.empty()) {
    const size_t index = offset / page_bytes_;
    const uint64_t begin = offset % page_bytes_;
    const auto piece = into.first(std::min<uint64_t>(into.size(), page_bytes_ - begin));
    const std::vector<uint64_t> found = ChecksumsOf(piece);
    if (found !=
        Checksums(index * ChecksumsAPage() + begin / space_->piece_bytes(), found.size())) {
      return BadAt(offset,
                   StrCat("length ", piece.size(), ": the bytes are not those that were written"));
    }
    into = into.subspan(piece.size());
    offset += piece.size();
  }
  return OkStatus();
}

Status SpillStream::ReadAsIs(const SpilledPage& first, uint64_t offset,
                             std::span<std::byte> into) const {
  const uint64_t piece_bytes = space_->piece_bytes();
  const uint64_t run_begin = offset / page_bytes_ * page_bytes_;  // of the first page
  const auto page_at = [&](uint64_t at) {
    SpilledPage page = first;
    page.offset += at / page_bytes_ * page_bytes_ - run_begin;
    return page;
  };
  Buffer cover;
  while (!into.empty()) {
    const uint64_t inside = offset % page_bytes_;
    const uint64_t skip = inside % piece_bytes;
    // Up to where a piece ends: a multiple of the piece, a page's end, or the stream's.
    const uint64_t end = offset + into.size();
    const bool ends_piece = end == size_ || end % page_bytes_ == 0;
    const uint64_t last_inside = end % page_bytes_ / piece_bytes * piece_bytes;
    const uint64_t whole_end = ends_piece ? end : end / page_bytes_ * page_bytes_ + last_inside;
    uint64_t count = skip == 0 && whole_end > offset ? whole_end - offset : 0;
    if (count > 0) {
      RETURN_IF_ERROR(ReadPieces(page_at(offset), offset, into.first(count)));
    } else {
      // Of a piece of which a part is wanted.
      if (cover.size() == 0) {
        ASSIGN_OR_RETURN(cover, Buffer::Allocate(piece_bytes));
      }
      const uint64_t begin = offset - skip;
      const auto piece = cover.bytes().first(
          std::min({piece_bytes, size_ - begin, page_bytes_ - begin % page_bytes_}));
      RETURN_IF_ERROR(ReadPieces(page_at(begin), begin, piece));
      count = std::min<uint64_t>(into.size(), piece.size() - skip);
      std::memcpy(into.data(), piece.data() + skip, count);
    }
    into = into.subspan(count);
    offset += count;
  }
  return OkStatus();
}

StatusOr<uint64_t> SpillStream::ReadPacked(const std::vector<SpilledPage>& pages, uint64_t offset,
                                           std::span<std::byte> into, ReadMemory* memory) const {
  const SpilledPage& first = pages.front();
  const uint64_t length = pages.back().end() - first.offset;
  space_->bytes_read_.fetch_add(length, std::memory_order_relaxed);
  const uint64_t skip = first.offset % kSpillAlignment;
  const uint64_t cover = SpillAligned(skip + length);
  RETURN_IF_ERROR(Fit(cover + kDecodeSlackBytes, &memory->cover));
  ASSIGN_OR_RETURN(const size_t got,
                   space_->transfers_.Transfer({.file = &space_->files_[first.file],
                                                .offset = first.offset - skip,
                                                .memory = memory->cover.bytes().first(cover)}));
  const std::vector<uint64_t> checksums = Checksums(offset / page_bytes_, pages.size());
  uint64_t done = 0;
  for (size_t i = 0; i < pages.size(); ++i) {
    const SpilledPage& page = pages[i];
    const uint64_t at = skip + page.offset - first.offset;
    if (got < at + page.bytes) {
      return BadAt(offset, StrCat("length ", page.bytes, ": the file has become shorter"));
    }
    const std::span<const std::byte> bytes = memory->cover.bytes().subspan(at, page.bytes);
    if (Checksum64(bytes) != checksums[i]) {
      return BadAt(offset,
                   StrCat("length ", page.bytes, ": the bytes are not those that were written"));
    }
    const uint64_t inside = offset % page_bytes_;
    const uint64_t size = BytesOfPage(offset / page_bytes_);
    const auto part = into.first(std::min(into.size(), size - inside));
    if (page.form != SpilledPage::Form::kPacked) {
      std::ranges::copy(bytes.subspan(inside, part.size()), part.begin());
    } else {
      if (part.size() < size) RETURN_IF_ERROR(Fit(size, &memory->page));
      const auto whole = part.size() < size ? memory->page.bytes().first(size) : part;
      if (!UnpackPage(bytes, form_.weight, whole)) {
        return BadAt(offset, StrCat("length ", page.bytes, ": its records cannot be unpacked"));
      }
      if (part.size() < size) std::ranges::copy(whole.subspan(inside, part.size()), part.begin());
    }
    into = into.subspan(part.size());
    offset += part.size();
    done += part.size();
  }
  return done;
}

StatusOr<uint64_t> SpillStream::ReadPages(const std::vector<SpilledPage>& pages, uint64_t offset,
                                          std::span<std::byte> into, ReadMemory* memory) const {
  if (form_.packed) return ReadPacked(pages, offset, into, memory);
  const uint64_t inside = offset % page_bytes_;
  const uint64_t count = std::min<uint64_t>(into.size(), pages.size() * page_bytes_ - inside);
  RETURN_IF_ERROR(ReadAsIs(pages.front(), offset, into.first(count)));
  return count;
}

std::vector<SpilledPage> SpillStream::PagesInFile(size_t first, uint64_t wanted) const {
  std::vector<SpilledPage> pages{pages_[first]};
  const uint64_t most_read =
      std::min(space_->num_pages_ * space_->page_bytes() / kReadsOfPages, kMostReadBytes);
  for (size_t i = first + 1; i < pages_.size(); ++i) {
    const SpilledPage& before = pages.back();
    const SpilledPage& page = pages_[i];
    if ((i - first) * page_bytes_ >= wanted || page.memory != nullptr || page.file != before.file ||
        page.offset < before.end()) {
      break;
    }
    // Between packed pages that were written one after the other lies less than a sector.
    const uint64_t gap = page.offset - before.end();
    if (form_.packed ? gap >= kSpillAlignment || page.end() - pages.front().offset > most_read
                     : gap > 0) {
      break;
    }
    pages.push_back(page);
  }
  return pages;
}

Status SpillStream::Read(uint64_t offset, std::span<std::byte> into) const {
  CHECK_LE(offset + into.size(), size_);
  ReadMemory memory;
  while (!into.empty()) {
    const size_t index = offset / page_bytes_;
    const uint64_t inside = offset % page_bytes_;
    std::vector<SpilledPage> pages;
    {
      MutexLock lock(space_->mutex_);
      if (pages_[index].memory != nullptr) {
        pages.push_back(pages_[index]);
        ++reads_under_way_;
      } else {
        pages = PagesInFile(index, inside + into.size());
      }
    }
    uint64_t count = std::min<uint64_t>(into.size(), page_bytes_ - inside);
    if (pages.front().memory == nullptr) {
      ASSIGN_OR_RETURN(count, ReadPages(pages, offset, into, &memory));
    } else {
      std::memcpy(into.data(), pages.front().memory + inside, count);
      MutexLock lock(space_->mutex_);
      if (--reads_under_way_ == 0 && writes_under_way_ > 0) space_->page_free_.NotifyAll();
    }
    into = into.subspan(count);
    offset += count;
  }
  return OkStatus();
}

Status SpillStream::Save() {
  SpillStream* const stream = this;
  return space_->Save(std::span(&stream, 1));
}

}  // namespace edgemill
