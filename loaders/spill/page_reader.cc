#include "loaders/spill/page_reader.h"

#include <algorithm>
#include <cstring>

#include "common/check.h"
#include "storage/format/block_format.h"
#include "storage/format/group_codec.h"

namespace edgemill {
namespace {

/// Makes `memory` large enough for `bytes`.
Status Fit(uint64_t bytes, Buffer* memory) {
  if (memory->size() >= bytes) return OkStatus();
  ASSIGN_OR_RETURN(*memory, Buffer::Allocate(bytes));
  return OkStatus();
}

}  // namespace

Status PageReader::BadAt(uint64_t offset, std::string_view what) const {
  const size_t index = offset / page_bytes_;
  const SpilledPage page = index < table_.num_pages() ? table_.page(index) : SpilledPage{};
  // A page that never left memory has no file: the error names the first file of the space.
  const uint64_t inside = page.form == SpilledPage::Form::kPacked ? 0 : offset % page_bytes_;
  const std::string place =
      page.written() ? StrCat(files_.file(page.file).path(), ": offset ", page.offset + inside)
                     : StrCat(files_.file(0).path(), ": in memory");
  return BadDataError(StrCat(place, ", ", what, ": ingest again with --replace"));
}

Status PageReader::ReadChunks(const SpilledPage& first, uint64_t offset,
                              std::span<std::byte> into) {
  CHECK_EQ(offset % page_bytes_ % layout_.chunk_bytes(), 0u);  // a checksum is of a whole chunk
  files_.CountRead(into.size());
  const uint64_t inside = offset % page_bytes_;
  ASSIGN_OR_RETURN(const size_t got, files_.Read(first.file, first.offset + inside, into));
  if (got < into.size()) {
    return BadAt(offset, StrCat("length ", into.size(), ": the file has become shorter"));
  }
  // Each page has its own checksums.
  while (!into.empty()) {
    const size_t index = offset / page_bytes_;
    const uint64_t begin = offset % page_bytes_;
    const auto chunk = into.first(std::min<uint64_t>(into.size(), page_bytes_ - begin));
    const std::vector<uint64_t> found = layout_.ChecksumsOf(chunk);
    if (found != table_.Checksums(index * layout_.ChecksumsAPage() + begin / layout_.chunk_bytes(),
                                  found.size())) {
      return BadAt(offset,
                   StrCat("length ", chunk.size(), ": the bytes are not those that were written"));
    }
    into = into.subspan(chunk.size());
    offset += chunk.size();
  }
  return OkStatus();
}

Status PageReader::ReadAsIs(const SpilledPage& first, uint64_t offset, std::span<std::byte> into) {
  const uint64_t chunk_bytes = layout_.chunk_bytes();
  const uint64_t run_begin = offset / page_bytes_ * page_bytes_;  // of the first page
  const auto page_at = [&](uint64_t at) {
    SpilledPage page = first;
    page.offset += at / page_bytes_ * page_bytes_ - run_begin;
    return page;
  };
  while (!into.empty()) {
    const uint64_t inside = offset % page_bytes_;
    const uint64_t skip = inside % chunk_bytes;
    // A chunk ends at a multiple of its size, at a page's end, or at the stream's end.
    const uint64_t end = offset + into.size();
    const bool ends_chunk = end == size_ || end % page_bytes_ == 0;
    const uint64_t last_inside = end % page_bytes_ / chunk_bytes * chunk_bytes;
    const uint64_t whole_end = ends_chunk ? end : end / page_bytes_ * page_bytes_ + last_inside;
    uint64_t count = skip == 0 && whole_end > offset ? whole_end - offset : 0;
    if (count > 0) {
      RETURN_IF_ERROR(ReadChunks(page_at(offset), offset, into.first(count)));
    } else {
      // Reads a whole chunk, of which a part is wanted.
      RETURN_IF_ERROR(Fit(chunk_bytes, &cover_));
      const uint64_t begin = offset - skip;
      const auto chunk = cover_.bytes().first(
          std::min({chunk_bytes, size_ - begin, page_bytes_ - begin % page_bytes_}));
      RETURN_IF_ERROR(ReadChunks(page_at(begin), begin, chunk));
      count = std::min<uint64_t>(into.size(), chunk.size() - skip);
      std::memcpy(into.data(), chunk.data() + skip, count);
    }
    into = into.subspan(count);
    offset += count;
  }
  return OkStatus();
}

StatusOr<bool> PageReader::Unpack(std::span<const std::byte> bytes, uint64_t size, uint64_t inside,
                                  std::span<std::byte> part) {
  const SpilledWeight weight = layout_.form().weight;
  if (part.size() == size) return UnpackPage(bytes, weight, part);
  RETURN_IF_ERROR(Fit(size, &page_));
  const auto whole = page_.bytes().first(size);
  if (!UnpackPage(bytes, weight, whole)) return false;
  std::ranges::copy(whole.subspan(inside, part.size()), part.begin());
  return true;
}

StatusOr<uint64_t> PageReader::ReadPacked(const std::vector<SpilledPage>& pages, uint64_t offset,
                                          std::span<std::byte> into) {
  const SpilledPage& first = pages.front();
  const uint64_t length = pages.back().end() - first.offset;
  files_.CountRead(length);
  const uint64_t skip = first.offset % kSpillAlignment;
  const uint64_t cover = SpillAligned(skip + length);
  RETURN_IF_ERROR(Fit(cover + kDecodeSlackBytes, &cover_));
  ASSIGN_OR_RETURN(const size_t got,
                   files_.Read(first.file, first.offset - skip, cover_.bytes().first(cover)));
  const std::vector<uint64_t> checksums = table_.Checksums(offset / page_bytes_, pages.size());
  uint64_t done = 0;
  for (size_t i = 0; i < pages.size(); ++i) {
    const SpilledPage& page = pages[i];
    const uint64_t at = skip + page.offset - first.offset;
    if (got < at + page.bytes) {
      return BadAt(offset, StrCat("length ", page.bytes, ": the file has become shorter"));
    }
    const std::span<const std::byte> bytes = cover_.bytes().subspan(at, page.bytes);
    if (Checksum64(bytes) != checksums[i]) {
      return BadAt(offset,
                   StrCat("length ", page.bytes, ": the bytes are not those that were written"));
    }
    const uint64_t inside = offset % page_bytes_;
    const uint64_t size = layout_.BytesOfPage(offset / page_bytes_, size_);
    const auto part = into.first(std::min(into.size(), size - inside));
    if (page.form != SpilledPage::Form::kPacked) {
      std::ranges::copy(bytes.subspan(inside, part.size()), part.begin());
    } else {
      ASSIGN_OR_RETURN(const bool unpacked, Unpack(bytes, size, inside, part));
      if (!unpacked) {
        return BadAt(offset, StrCat("length ", page.bytes, ": its records cannot be unpacked"));
      }
    }
    into = into.subspan(part.size());
    offset += part.size();
    done += part.size();
  }
  return done;
}

StatusOr<uint64_t> PageReader::Read(const std::vector<SpilledPage>& pages, uint64_t offset,
                                    std::span<std::byte> into) {
  CHECK(!pages.empty() && pages.front().written());
  if (layout_.form().packed) return ReadPacked(pages, offset, into);
  const uint64_t inside = offset % page_bytes_;
  const uint64_t count = std::min<uint64_t>(into.size(), pages.size() * page_bytes_ - inside);
  RETURN_IF_ERROR(ReadAsIs(pages.front(), offset, into.first(count)));
  return count;
}

}  // namespace edgemill
