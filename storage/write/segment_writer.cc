#include "storage/write/segment_writer.h"

#include <fcntl.h>

#include <algorithm>
#include <bit>
#include <cstring>
#include <utility>

#include "common/check.h"
#include "common/units.h"
#include "storage/format/block_format.h"

namespace edgemill {
namespace {

constexpr size_t kMaxWritesInFlight = 16;
constexpr size_t kMinChunkBytes = size_t{64} << 10;
constexpr size_t kMaxChunkBytes = size_t{1} << 20;
/// An ingest appends to offsets, neighbours and weights of one direction at a time.
constexpr size_t kColumnsAtATime = 3;

}  // namespace

SegmentWriter::SegmentWriter(std::span<const DataDirectory> directories, uint64_t max_segment_bytes)
    : directories_(directories),
      max_segment_bytes_(max_segment_bytes),
      new_entries_(directories.size()) {
  // Half of the memory is for the ends of all streams in use, the other half for writes under way.
  chunk_bytes_ =
      std::clamp(std::bit_floor(kWriteBehindBytes / 2 / (kColumnsAtATime * directories.size())),
                 kMinChunkBytes, kMaxChunkBytes);
  writes_.resize(kWriteBehindBytes / chunk_bytes_);
}

StatusOr<std::unique_ptr<SegmentWriter>> SegmentWriter::Create(
    std::span<const DataDirectory> directories, uint64_t max_segment_bytes,
    const IoPatience& patience) {
  CHECK(!directories.empty());
  std::unique_ptr<SegmentWriter> writer(new SegmentWriter(directories, max_segment_bytes));
  ASSIGN_OR_RETURN(writer->engine_, TimeoutEngine::Create(kMaxWritesInFlight, patience));
  return writer;
}

Status SegmentWriter::Fail(Status status) {
  if (failure_.ok()) failure_ = std::move(status);
  return failure_;
}

StatusOr<std::unique_ptr<SegmentWriter::Stream>> SegmentWriter::OpenStream(const SegmentKey& key,
                                                                           int flags) {
  auto stream = std::make_unique<Stream>();
  stream->key = key;
  bool direct = false;
  ASSIGN_OR_RETURN(stream->file, OpenDirect(directories_[key.directory].blocks, key.FileName(),
                                            O_RDWR | flags, &direct));
  return stream;
}

StatusOr<SegmentWriter::Stream*> SegmentWriter::StreamFor(ColumnKind column, uint8_t directory,
                                                          uint64_t more_bytes) {
  std::unique_ptr<Stream>& stream = streams_[{column, directory}];
  SegmentKey key{column, directory, 0};
  if (stream != nullptr) {
    if (stream->length + more_bytes <= max_segment_bytes_ || stream->length == 0) {
      return stream.get();
    }
    RETURN_IF_ERROR(FlushTail(*stream));
    if (stream->key.number == UINT16_MAX) {
      return OutputError(StrCat(stream->file.path(), ": the last segment of its column is full"));
    }
    key.number = static_cast<uint16_t>(stream->key.number + 1);
    full_.push_back(std::move(stream));
  }
  ASSIGN_OR_RETURN(stream, OpenStream(key, O_CREAT | O_EXCL));
  new_entries_[directory] = true;
  lengths_[key] = 0;
  return stream.get();
}

Status SegmentWriter::Append(ColumnKind column, uint8_t directory, std::span<const std::byte> bytes,
                             BlockLocation* location) {
  CHECK_EQ(bytes.size() % kBlockAlignment, size_t{0});
  CHECK_LT(size_t{directory}, directories_.size());
  RETURN_IF_ERROR(failure_);
  StatusOr<Stream*> found = StreamFor(column, directory, bytes.size());
  if (!found.ok()) {
    if (streams_.at({column, directory}) == nullptr) streams_.erase({column, directory});
    return Fail(found.status());
  }
  Stream& stream = **found;
  location->directory = directory;
  location->segment = stream.key.number;
  location->set_offset(stream.length);
  while (!bytes.empty()) {
    RETURN_IF_ERROR(AcquireChunk(stream));
    const size_t filled = stream.length - stream.chunk_begin;
    const size_t size = std::min(chunk_bytes_ - filled, bytes.size());
    std::memcpy(chunks_[stream.chunk].data() + filled, bytes.data(), size);
    bytes = bytes.subspan(size);
    stream.length += size;
    if (filled + size < chunk_bytes_) continue;
    const bool ample = stream.ahead.Cover(stream.file, stream.chunk_begin + chunk_bytes_);
    const Status given = ample ? OkStatus() : ReleasePreallocation();
    if (!given.ok()) return Fail(given);
    RETURN_IF_ERROR(WriteChunk(stream, chunk_bytes_));
  }
  lengths_[stream.key] = stream.length;
  return OkStatus();
}

Status SegmentWriter::AcquireChunk(Stream& stream) {
  if (stream.chunk >= 0) return OkStatus();
  while (free_chunks_.empty()) {
    if (chunks_.size() < writes_.size()) {
      StatusOr<Buffer> buffer = Buffer::Allocate(chunk_bytes_);
      if (!buffer.ok()) return Fail(buffer.status());
      free_chunks_.push_back(static_cast<int>(chunks_.size()));
      chunks_.push_back(std::move(*buffer));
    } else if (engine_->in_flight() > 0) {
      RETURN_IF_ERROR(WaitFor(engine_->in_flight() - 1));
    } else {
      RETURN_IF_ERROR(FlushTails(&stream));
    }
  }
  stream.chunk = free_chunks_.back();
  free_chunks_.pop_back();
  if (!stream.tail.empty()) {
    std::memcpy(chunks_[stream.chunk].data(), stream.tail.data(), stream.tail.size());
    stream.tail.clear();
  }
  return OkStatus();
}

Status SegmentWriter::WriteChunk(Stream& stream, uint64_t bytes) {
  if (engine_->in_flight() == engine_->depth()) RETURN_IF_ERROR(WaitFor(engine_->depth() - 1));
  const int chunk = std::exchange(stream.chunk, -1);
  writes_[chunk] = {&stream, bytes};
  const Status status = engine_->Submit({.op = IoRequest::Op::kWrite,
                                         .file = &stream.file,
                                         .offset = stream.chunk_begin,
                                         .memory = chunks_[chunk].bytes().first(bytes),
                                         .tag = static_cast<uint64_t>(chunk)});
  if (!status.ok()) return Fail(status);
  stream.dirty = true;
  stream.chunk_begin += bytes;
  return WaitFor(engine_->in_flight());
}

/// Writes what the stream's buffer holds, and zeros up to the next multiple of kSegmentAlignment.
/// Keeps the bytes after the last multiple, which are written again with the next block. Callers
/// wait for these writes before they append to the stream again.
Status SegmentWriter::FlushTail(Stream& stream) {
  if (stream.chunk < 0) return OkStatus();
  const size_t filled = stream.length - stream.chunk_begin;
  const size_t extent = SegmentFileBytes(filled);
  std::byte* const data = chunks_[stream.chunk].data();
  std::memset(data + filled, 0, extent - filled);
  const size_t whole = filled / kSegmentAlignment * kSegmentAlignment;
  stream.tail.assign(data + whole, data + filled);
  const uint64_t begin = stream.chunk_begin;
  RETURN_IF_ERROR(WriteChunk(stream, extent));
  stream.chunk_begin = begin + whole;
  return OkStatus();
}

Status SegmentWriter::FlushTails(const Stream* except) {
  for (const auto& [key, stream] : streams_) {
    if (stream != nullptr && stream.get() != except) RETURN_IF_ERROR(FlushTail(*stream));
  }
  return WaitFor(0);
}

Status SegmentWriter::WaitFor(size_t left_in_flight) {
  std::vector<IoCompletion> completions;
  do {
    completions.clear();
    const size_t least = engine_->in_flight() > left_in_flight ? 1 : 0;
    if (Status status = engine_->Wait(least, &completions); !status.ok()) return Fail(status);
    for (const IoCompletion& completion : completions) {
      Write& write = writes_[completion.tag];
      free_chunks_.push_back(static_cast<int>(completion.tag));
      if (completion.status.ok()) {
        write = {};
      } else {
        Fail(Explain(completion.status, *write.stream)).ok();
      }
    }
  } while (engine_->in_flight() > left_in_flight);
  return failure_;
}

/// Only a full disk is a failure that the user can fix. Adds its place, the bytes needed and the
/// bytes free.
Status SegmentWriter::Explain(const Status& status, const Stream& stream) {
  if (!status.disk_full()) return status;
  const DataDirectory& directory = directories_[stream.key.directory];
  const StatusOr<uint64_t> free_bytes = FreeDiskBytes(directory.path);
  uint64_t needed = 0;
  for (const auto& [key, other] : streams_) {
    if (other != nullptr && other->key.directory == stream.key.directory) {
      needed += other->length - other->chunk_begin;
    }
  }
  for (const Write& write : writes_) {
    if (write.stream != nullptr && write.stream->key.directory == stream.key.directory) {
      needed += write.bytes;
    }
  }
  return status.WithMessage(
      StrCat(status.message(), ": data directory ", directory.path,
             " is full: ", FormatBytes(needed), " are being written, and more may follow; ",
             free_bytes.ok() ? FormatBytes(*free_bytes) : std::string("an unknown amount"),
             " free: free some space there (ingest --dry-run shows how much a graph needs)"));
}

Status SegmentWriter::Sync() {
  RETURN_IF_ERROR(failure_);
  RETURN_IF_ERROR(FlushTails(nullptr));
  const Status status = SyncFiles();
  return status.ok() ? status : Fail(status);
}

Status SegmentWriter::SyncFiles() {
  for (const std::unique_ptr<Stream>& stream : full_) RETURN_IF_ERROR(SyncFile(*stream));
  full_.clear();
  for (const auto& [key, stream] : streams_) {
    if (!stream->dirty) continue;
    // Some file systems allocate space only when data reach the disk: a full disk then shows here.
    if (const Status status = SyncFile(*stream); !status.ok()) return Explain(status, *stream);
    stream->dirty = false;
  }
  for (size_t i = 0; i < directories_.size(); ++i) {
    if (!new_entries_[i]) continue;
    RETURN_IF_ERROR(SyncDirectory(directories_[i].blocks.path()));
    new_entries_[i] = false;
  }
  return OkStatus();
}

Status SegmentWriter::ReleasePreallocation() {
  RETURN_IF_ERROR(WaitFor(0));
  for (const auto& [key, stream] : streams_) {
    if (stream != nullptr) RETURN_IF_ERROR(EndFile(*stream));
  }
  for (const std::unique_ptr<Stream>& stream : full_) RETURN_IF_ERROR(EndFile(*stream));
  return OkStatus();
}

Status SegmentWriter::EndFile(Stream& stream) {
  const uint64_t bytes = SegmentFileBytes(stream.length);
  // Some space may have been set aside even where setting it aside failed.
  if (stream.ahead.end() <= bytes && !stream.ahead.gave_up()) return OkStatus();
  return stream.file.Truncate(bytes);
}

Status SegmentWriter::SyncFile(Stream& stream) {
  RETURN_IF_ERROR(EndFile(stream));
  stream.ahead.Begin(SegmentFileBytes(stream.length));
  return stream.file.Sync();
}

std::map<SegmentKey, uint64_t> SegmentWriter::TailHashes() const {
  std::map<SegmentKey, uint64_t> hashes;
  for (const auto& [key, stream] : streams_) {
    CHECK_EQ(stream->tail.size(), stream->length % kSegmentAlignment);
    hashes[stream->key] = Checksum64(stream->tail);
  }
  return hashes;
}

Status SegmentWriter::Restore(const std::map<SegmentKey, uint64_t>& lengths) {
  CHECK(streams_.empty());
  RETURN_IF_ERROR(DeleteOthers(lengths));
  for (const auto& [key, length] : lengths) RETURN_IF_ERROR(RestoreSegment(key, length));
  return Sync();
}

Status SegmentWriter::DeleteOthers(const std::map<SegmentKey, uint64_t>& lengths) {
  for (size_t i = 0; i < directories_.size(); ++i) {
    const std::string& path = directories_[i].blocks.path();
    ASSIGN_OR_RETURN(const std::vector<std::string> names, ListDirectory(path));
    for (const std::string& name : names) {
      SegmentKey key{ColumnKind::kOutOffsets, static_cast<uint8_t>(i), 0};
      if (!ParseSegmentName(name, &key.column, &key.number) || lengths.contains(key)) continue;
      RETURN_IF_ERROR(RemoveFile(path + "/" + name));
      new_entries_[i] = true;
    }
  }
  return OkStatus();
}

Status SegmentWriter::RestoreSegment(const SegmentKey& key, uint64_t length) {
  if (key.directory >= directories_.size()) {
    return BadDataError(StrCat(key.FileName(), ": the catalog puts it on data directory ",
                               uint32_t{key.directory}, ", which does not exist"));
  }
  ASSIGN_OR_RETURN(std::unique_ptr<Stream> stream, OpenStream(key, 0));
  ASSIGN_OR_RETURN(const uint64_t size, stream->file.Size());
  if (size < length) {
    return BadDataError(StrCat(stream->file.path(), ": has ", size, " bytes where ", length,
                               " were made to last: start again with --replace"));
  }
  // Cut, then grow again: what follows the last block is zeros, as in a run without interruption. A
  // process that dies in between leaves a file without them.
  RETURN_IF_ERROR(stream->file.Truncate(length));
  RETURN_IF_ERROR(stream->file.Truncate(SegmentFileBytes(length)));
  stream->dirty = true;
  stream->length = length;
  stream->ahead.Begin(SegmentFileBytes(length));
  stream->chunk_begin = length / kSegmentAlignment * kSegmentAlignment;
  if (stream->chunk_begin < length) {
    ASSIGN_OR_RETURN(Buffer buffer, Buffer::Allocate(kSegmentAlignment));
    ASSIGN_OR_RETURN(const size_t read, stream->file.ReadAt(buffer.bytes(), stream->chunk_begin));
    if (read != kSegmentAlignment) {
      return IoError(StrCat(stream->file.path(), ": became shorter while it was read"));
    }
    stream->tail.assign(buffer.data(), buffer.data() + (length - stream->chunk_begin));
  }
  lengths_[key] = length;
  std::unique_ptr<Stream>& last = streams_[{key.column, key.directory}];
  if (last != nullptr) full_.push_back(std::move(last));  // keys come in order: a lower number
  last = std::move(stream);
  return OkStatus();
}

}  // namespace edgemill
