#include <algorithm>
#include <cstring>

#include "loaders/spill/spill_space.h"

namespace edgemill {
namespace {

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
  const uint64_t end =
      (offset + into.size() + kSpillAlignment - 1) / kSpillAlignment * kSpillAlignment;
  ASSIGN_OR_RETURN(Buffer cover, Buffer::Allocate(end - begin));
  ASSIGN_OR_RETURN(const size_t read,
                   transfers.Transfer({.file = &file, .offset = begin, .memory = cover.bytes()}));
  const size_t skip = offset + direct - begin;
  const size_t rest = std::min<size_t>(into.size() - direct, read > skip ? read - skip : 0);
  std::memcpy(into.data() + direct, cover.data() + skip, rest);
  return got + rest;
}

}  // namespace

SpillStream::~SpillStream() { space_->Forget(this); }

Status SpillStream::Append(std::span<const std::byte> bytes) {
  while (!bytes.empty()) {
    ASSIGN_OR_RETURN(const Copy copy, PlaceFirst(&bytes));
    copy.Run();
  }
  return OkStatus();
}

Status SpillStream::Place(std::span<const std::byte> bytes, SpillCopies* copies) {
  while (!bytes.empty()) {
    // No page that waits for these copies comes free.
    if (!copies->empty() && !space_->HasFreePage()) copies->Run();
    ASSIGN_OR_RETURN(const Copy copy, PlaceFirst(&bytes));
    if (copies->empty()) {
      MutexLock lock(space_->mutex_);
      ++space_->copying_;
    }
    copies->copies_.push_back(copy);
  }
  return OkStatus();
}

StatusOr<SpillStream::Copy> SpillStream::PlaceFirst(std::span<const std::byte>* bytes) {
  const uint64_t page_bytes = space_->page_bytes();
  const uint64_t inside = size_ % page_bytes;
  ASSIGN_OR_RETURN(std::byte* const page, LastPage(inside));
  const size_t count = std::min<uint64_t>(bytes->size(), page_bytes - inside);
  const Copy copy{this, pages_.size() - 1, page + inside, bytes->first(count)};
  // Where this ends the page, the copy takes the place of the stream among its fillers.
  if (inside + count < page_bytes) ++space_->FillersOf(page);
  size_ += count;
  *bytes = bytes->subspan(count);
  return copy;
}

void SpillStream::Copy::Run() const {
  std::memcpy(to, from.data(), from.size());
  stream->space_->EndFilling(stream, index, to);
}

void SpillCopies::Run() {
  if (copies_.empty()) return;
  SpillSpace& space = *copies_.front().stream->space_;
  for (const SpillStream::Copy& copy : copies_) copy.Run();
  copies_.clear();
  MutexLock lock(space.mutex_);
  if (--space.copying_ == 0) space.page_free_.NotifyAll();
}

StatusOr<std::byte*> SpillStream::LastPage(uint64_t inside) {
  if (inside != 0) {
    MutexLock lock(space_->mutex_);
    if (pages_.back() != nullptr) return pages_.back();
  }
  ASSIGN_OR_RETURN(std::byte* const page, space_->TakePage());
  // A stream opened again after a crash goes on in the middle of its last page.
  const Status read =
      inside == 0 ? OkStatus() : ReadWritten(size_ - inside, std::span(page, inside));
  MutexLock lock(space_->mutex_);
  if (inside == 0) {
    if (const Status reserved = space_->ReserveTables(1); !reserved.ok()) {
      space_->free_.push_back(page);
      return reserved;
    }
    pages_.push_back(nullptr);
    slots_.push_back(SpillSpace::kNoSlot);
    checksums_.resize(pages_.size() * space_->NumPieces(space_->page_bytes()));
  }
  pages_.back() = page;
  space_->FillersOf(page) = 1;
  RETURN_IF_ERROR(read);
  return page;
}

void SpillStream::Seal() {
  if (size_ % space_->page_bytes() == 0 || pages_.back() == nullptr) return;
  {
    MutexLock lock(space_->mutex_);
    if (tail_bytes_ > 0) return;  // it is sealed
    tail_bytes_ = size_ % space_->page_bytes();
  }
  space_->EndFilling(this, pages_.size() - 1, pages_.back());
}

void SpillStream::Keep() {
  keep_ = true;
  MutexLock lock(space_->mutex_);
  space_->keep_ = true;
}

void SpillStream::PutState(StateWriter* out) const {
  CHECK_EQ(saved_size_, size_);
  MutexLock lock(space_->mutex_);
  out->Put(size_);
  out->PutArray(std::span<const uint32_t>(slots_));
  out->PutArray(std::span(checksums_).first(space_->NumPieces(size_)));
}

void SpillStream::SetChecksums(size_t index, const std::vector<uint64_t>& checksums) {
  const uint64_t first = index * space_->NumPieces(space_->page_bytes());
  std::copy(checksums.begin(), checksums.end(), checksums_.begin() + static_cast<ptrdiff_t>(first));
}

Status SpillStream::ReadPieces(uint64_t offset, std::span<std::byte> into) const {
  space_->bytes_read_.fetch_add(into.size(), std::memory_order_relaxed);
  uint32_t slot = 0;
  std::vector<uint64_t> checksums;
  {
    MutexLock lock(space_->mutex_);
    slot = slots_[offset / space_->page_bytes()];
    const auto first = checksums_.begin() + static_cast<ptrdiff_t>(offset / space_->piece_bytes());
    checksums.assign(first, first + static_cast<ptrdiff_t>(space_->NumPieces(into.size())));
  }
  const uint64_t place = space_->OffsetOf(slot) + offset % space_->page_bytes();
  ASSIGN_OR_RETURN(const size_t got,
                   ReadAnywhere(space_->transfers_, space_->FileOf(slot), place, into));
  if (got == into.size() && space_->ChecksumsOf(into) == checksums) return OkStatus();
  return BadAt(offset, StrCat("length ", into.size(), ": ",
                              got < into.size() ? "the file has become shorter"
                                                : "the bytes are not those that were written"));
}

Status SpillStream::BadAt(uint64_t offset, std::string_view what) const {
  const size_t index = offset / space_->page_bytes();
  uint32_t slot = SpillSpace::kNoSlot;
  {
    MutexLock lock(space_->mutex_);
    if (index < slots_.size()) slot = slots_[index];
  }
  // A page that never left memory is not in a file: its space is named by the first one.
  const std::string place = slot == SpillSpace::kNoSlot
                                ? StrCat(space_->files_[0].path(), ": in memory")
                                : StrCat(space_->FileOf(slot).path(), ": offset ",
                                         space_->OffsetOf(slot) + offset % space_->page_bytes());
  return BadDataError(StrCat(place, ", ", what, ": ingest again with --replace"));
}

Status SpillStream::ReadWritten(uint64_t offset, std::span<std::byte> into) const {
  const uint64_t piece_bytes = space_->piece_bytes();
  Buffer cover;
  while (!into.empty()) {
    const uint64_t skip = offset % piece_bytes;
    const uint64_t whole =
        offset + into.size() == size_ ? into.size() : into.size() / piece_bytes * piece_bytes;
    uint64_t count = skip == 0 ? whole : 0;
    if (count > 0) {
      RETURN_IF_ERROR(ReadPieces(offset, into.first(count)));
    } else {
      // Of a piece of which a part is wanted.
      if (cover.size() == 0) {
        ASSIGN_OR_RETURN(cover, Buffer::Allocate(piece_bytes));
      }
      const auto piece = cover.bytes().first(std::min(piece_bytes, size_ - (offset - skip)));
      RETURN_IF_ERROR(ReadPieces(offset - skip, piece));
      count = std::min<uint64_t>(into.size(), piece.size() - skip);
      std::memcpy(into.data(), piece.data() + skip, count);
    }
    into = into.subspan(count);
    offset += count;
  }
  return OkStatus();
}

Status SpillStream::Read(uint64_t offset, std::span<std::byte> into) const {
  CHECK_LE(offset + into.size(), size_);
  const uint64_t page_bytes = space_->page_bytes();
  const size_t num_files = space_->files_.size();
  while (!into.empty()) {
    const size_t index = offset / page_bytes;
    const uint64_t inside = offset % page_bytes;
    size_t end = index + 1;
    const auto count = [&] { return std::min<uint64_t>(into.size(), end * page_bytes - offset); };
    const std::byte* page = nullptr;
    {
      MutexLock lock(space_->mutex_);
      page = pages_[index];
      if (page != nullptr) ++reads_under_way_;
      // Runs of pages that lie one after the other are one read.
      while (page == nullptr && end < pages_.size() && pages_[end] == nullptr &&
             slots_[end] == slots_[end - 1] + num_files) {
        ++end;
      }
    }
    if (page == nullptr) {
      RETURN_IF_ERROR(ReadWritten(offset, into.first(count())));
    } else {
      std::memcpy(into.data(), page + inside, count());
      MutexLock lock(space_->mutex_);
      if (--reads_under_way_ == 0 && writes_under_way_ > 0) space_->page_free_.NotifyAll();
    }
    const uint64_t done = count();
    into = into.subspan(done);
    offset += done;
  }
  return OkStatus();
}

Status SpillStream::Save() {
  SpillStream* const stream = this;
  return space_->Save(std::span(&stream, 1));
}

}  // namespace edgemill
