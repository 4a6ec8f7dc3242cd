#include "loaders/stream/input_stream.h"

#include <algorithm>
#include <cstring>

#include "common/check.h"

namespace edgemill {
namespace {

constexpr size_t kFirstHeadBytes = size_t{16} << 10;  // small inputs need no whole MiB

bool StartsWith(std::span<const std::byte> bytes, std::initializer_list<int> magic) {
  if (bytes.size() < magic.size()) return false;
  size_t i = 0;
  for (const int wanted : magic) {
    if (bytes[i++] != static_cast<std::byte>(wanted)) return false;
  }
  return true;
}

bool IsZstd(std::span<const std::byte> bytes) {
  if (StartsWith(bytes, {0x28, 0xb5, 0x2f, 0xfd})) return true;
  // A skippable frame: 0x184D2A50 to 0x184D2A5F.
  return bytes.size() >= 4 && (bytes[0] & std::byte{0xf0}) == std::byte{0x50} &&
         StartsWith(bytes.subspan(1), {0x2a, 0x4d, 0x18});
}

/// "BZh", the size of blocks, and the first block's mark, or that of the end.
bool IsBzip2(std::span<const std::byte> bytes) {
  if (!StartsWith(bytes, {'B', 'Z', 'h'}) || bytes.size() < 4) return false;
  if (bytes[3] < std::byte{'1'} || bytes[3] > std::byte{'9'}) return false;
  bytes = bytes.subspan(4);
  return bytes.size() < 6 || StartsWith(bytes, {0x31, 0x41, 0x59, 0x26, 0x53, 0x59}) ||
         StartsWith(bytes, {0x17, 0x72, 0x45, 0x38, 0x50, 0x90});
}

InputCompression CompressionOf(std::span<const std::byte> bytes) {
  if (StartsWith(bytes, {0x1f, 0x8b, 0x08})) return InputCompression::kGzip;
  if (IsBzip2(bytes)) return InputCompression::kBzip2;
  if (StartsWith(bytes, {0xfd, '7', 'z', 'X', 'Z', 0x00})) return InputCompression::kXz;
  return IsZstd(bytes) ? InputCompression::kZstd : InputCompression::kNone;
}

std::string_view NameOf(InputCompression compression) {
  switch (compression) {
    case InputCompression::kNone:
      return "nothing";
    case InputCompression::kGzip:
      return "gzip";
    case InputCompression::kBzip2:
      return "bzip2";
    case InputCompression::kXz:
      return "xz";
    case InputCompression::kZstd:
      return "Zstandard";
  }
  return "";
}

/// The decompressor; null for kNone.
StatusOr<std::unique_ptr<Decompressor>> MakeDecompressor(InputCompression compression,
                                                         int window_log_max) {
  switch (compression) {
    case InputCompression::kNone:
      break;
    case InputCompression::kGzip:
      return MakeGzipDecompressor();
    case InputCompression::kBzip2:
      return MakeBzip2Decompressor();
    case InputCompression::kXz:
      return MakeXzDecompressor(window_log_max);
    case InputCompression::kZstd:
      return MakeZstdDecompressor(window_log_max);
  }
  return std::unique_ptr<Decompressor>();
}

/// FNV-1a over 8 bytes at a time: tells changed inputs apart, not attackers.
uint64_t Hash(std::string_view text, uint64_t seed) {
  uint64_t hash = 0xcbf29ce484222325u ^ seed;
  while (!text.empty()) {
    uint64_t word = text.size();
    const size_t size = std::min(text.size(), sizeof(word));
    std::memcpy(&word, text.data(), size);
    hash = (hash ^ word) * 0x100000001b3u;
    hash ^= hash >> 32;
    text.remove_prefix(size);
  }
  return hash;
}

}  // namespace

std::string StripCompression(std::string_view path, InputCompression* compression) {
  *compression = InputCompression::kNone;
  for (const auto& [suffix, kind] : kCompressionSuffixes) {
    if (!path.ends_with(suffix)) continue;
    *compression = kind;
    path.remove_suffix(suffix.size());
    break;
  }
  return std::string(path);
}

StatusOr<std::unique_ptr<InputStream>> InputStream::Open(const std::string& path, bool trust_suffix,
                                                         int window_log_max, const File* copy) {
  std::unique_ptr<InputStream> stream(new InputStream);
  ASSIGN_OR_RETURN(stream->file_, StoredInput::Open(path, copy));
  RETURN_IF_ERROR(stream->DetectCompression(trust_suffix, window_log_max));
  std::string head;
  size_t filled = 0;
  bool more = true;
  Status status;
  for (size_t size = kFirstHeadBytes; more && size <= kHeadBytes; size *= 4) {
    head.resize(size);
    size_t count = 0;
    status = stream->Read(std::as_writable_bytes(std::span(head).subspan(filled)), &count);
    filled += count;
    more = status.ok() && filled == size;
  }
  // Damage after some good data is reported only when reading gets there.
  if (!status.ok() && (filled == 0 || !stream->regular())) return status;
  head.resize(filled);
  stream->head_ = std::move(head);
  stream->head_is_all_ = !more && status.ok();
  stream->fingerprint_ =
      Hash(std::string_view(stream->head_).substr(0, kFingerprintBytes), stream->stored_bytes());
  stream->offset_ = 0;
  return stream;
}

Status InputStream::DetectCompression(bool trust_suffix, int window_log_max) {
  InputCompression named;
  StripCompression(file_.path(), &named);
  RETURN_IF_ERROR(RefillStored());
  InputCompression found = CompressionOf(stored_);
  if (named != InputCompression::kNone && found != named) {
    return BadDataError(StrCat(name(), ": the name says ", NameOf(named),
                               ", the first bytes do not: rename the file or fetch it again"));
  }
  if (trust_suffix) found = named;
  compression_ = found;
  ASSIGN_OR_RETURN(decompressor_, MakeDecompressor(found, window_log_max));
  return OkStatus();
}

Status InputStream::RefillStored() {
  CHECK_EQ(stored_begin_, stored_.size());  // all of it is taken
  stored_begin_ = 0;
  if (stored_ended_) {
    stored_.clear();
    return OkStatus();
  }
  // One byte more than the rest of a small file, so that its end is seen.
  const uint64_t rest = regular() ? file_.bytes() - file_.offset() + 1 : kBlockBytes;
  stored_.resize(std::min<uint64_t>(kBlockBytes, rest));
  size_t filled = 0;
  const Status status = file_.Read(stored_, &filled);
  stored_ended_ = filled < stored_.size();
  stored_.resize(filled);
  return status;
}

Status InputStream::ReadDecompressed(std::span<std::byte> into, size_t* filled) {
  *filled = 0;
  while (*filled < into.size()) {
    if (stored_begin_ == stored_.size()) RETURN_IF_ERROR(RefillStored());
    const std::span<const std::byte> rest = std::span(stored_).subspan(stored_begin_);
    StatusOr<Decompressor::Step> step = decompressor_->Run(rest, into.subspan(*filled));
    const uint64_t stored_at = file_.offset() - rest.size();
    if (!step.ok()) {
      return Annotate(step.status(), StrCat(name(), ": byte ", offset_ + *filled,
                                            " (compressed byte ", stored_at, ")"))
          .At({.file = name(), .offset = offset_ + *filled});
    }
    CHECK(step->consumed <= rest.size() && step->produced <= into.size() - *filled);
    stored_begin_ += step->consumed;
    *filled += step->produced;
    if (!rest.empty() || step->produced > 0) continue;
    if (decompressor_->AtBoundary()) return OkStatus();
    return BadDataError(StrCat(name(), ": byte ", offset_ + *filled, " (compressed byte ",
                               stored_at,
                               "): the compressed data is cut short: fetch the file again"))
        .At({.file = name(), .offset = offset_ + *filled});
  }
  return OkStatus();
}

Status InputStream::Read(std::span<std::byte> into, size_t* filled) {
  size_t from_head = 0;
  if (offset_ < head_.size()) {
    from_head = std::min<size_t>(into.size(), head_.size() - offset_);
    std::memcpy(into.data(), head_.data() + offset_, from_head);
    offset_ += from_head;
    if (offset_ == head_.size()) head_ = std::string();
    if (into.size() == from_head || head_is_all_) {
      *filled = from_head;
      return OkStatus();
    }
  }
  const std::span<std::byte> rest = into.subspan(from_head);
  *filled = 0;
  if (!error_.ok()) {
    *filled = from_head;
    return error_;
  }
  Status& status = error_;
  if (decompressor_ != nullptr) {
    status = ReadDecompressed(rest, filled);
  } else {
    const size_t sniffed = std::min(rest.size(), stored_.size() - stored_begin_);
    if (sniffed > 0) std::memcpy(rest.data(), stored_.data() + stored_begin_, sniffed);
    stored_begin_ += sniffed;
    if (stored_begin_ == stored_.size() && !stored_.empty()) {
      stored_ = std::vector<std::byte>();
      stored_begin_ = 0;
    }
    status = file_.Read(rest.subspan(sniffed), filled);
    *filled += sniffed;
  }
  offset_ += *filled;
  *filled += from_head;
  return status;
}

Status InputStream::ReadAt(std::span<std::byte> into, uint64_t offset) const {
  CHECK(seekable());
  return file_.ReadAt(into, offset);
}

Status InputStream::PeekAt(std::span<std::byte> into, uint64_t offset) const {
  CHECK(seekable());
  return file_.PeekAt(into, offset);
}

Status InputStream::Seek(uint64_t offset) {
  if (seekable()) {
    if (offset > file_.bytes()) {
      return ByteError(name(), file_.bytes(),
                       StrCat("ends before byte ", offset, ": the input has changed"));
    }
    head_ = std::string();
    stored_ = std::vector<std::byte>();
    stored_begin_ = 0;
    file_.Seek(offset);
    offset_ = offset;
    return OkStatus();
  }
  CHECK_LE(offset_, offset);
  std::vector<std::byte> skipped(kBlockBytes);
  while (offset_ < offset) {
    const size_t wanted = std::min<uint64_t>(skipped.size(), offset - offset_);
    size_t filled = 0;
    RETURN_IF_ERROR(Read(std::span(skipped).first(wanted), &filled));
    if (filled < wanted) {
      return ByteError(name(), offset_,
                       StrCat("ends before byte ", offset, ": the input has changed"));
    }
  }
  return OkStatus();
}

}  // namespace edgemill
