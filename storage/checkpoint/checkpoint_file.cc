#include "storage/checkpoint/checkpoint_file.h"

#include <fcntl.h>

#include <algorithm>
#include <cstring>
#include <utility>

#include "common/check.h"
#include "common/state_blob.h"
#include "common/strings.h"
#include "common/threads/parallel.h"

namespace edgemill {
namespace {

/// Bytes of a block before compression: as many values of 8 bytes as a block may have.
constexpr size_t kBlockBytes = size_t{512} << 10;
/// A block in memory as it is stored, and what Zstandard needs beside it.
constexpr uint64_t kWorkerBytes = uint64_t{3} << 20;
constexpr int kMaxWorkers = 8;
/// More than the table of a checkpoint of 2^32 vertices takes.
constexpr uint64_t kMaxTableBytes = uint64_t{64} << 20;
constexpr std::array<char, 8> kMagic = {'E', 'M', 'C', 'H', 'K', 'P', 'T', '\n'};

/// The last bytes of the file.
struct Trailer {
  std::array<char, 8> magic;
  uint32_t version;
  uint32_t reserved;  // zero
  uint64_t table_offset;
  uint64_t table_bytes;
  uint64_t checksum;  // of the table, seeded by that of the fields above
};
static_assert(sizeof(Trailer) == 40);

uint64_t TableChecksum(const Trailer& trailer, std::string_view table) {
  const auto fields = std::as_bytes(std::span(&trailer, 1)).first(offsetof(Trailer, checksum));
  return Checksum64(std::as_bytes(std::span(table)), Checksum64(fields));
}

/// Blocks are bound to the run and to the place in its checkpoint.
BlockIdentity IdentityOf(const CheckpointTable& table, uint64_t block) {
  const std::string text = table.identity.Text();
  const uint64_t salt = Checksum64(std::as_bytes(std::span(text)), table.sequence);
  return {table.identity.graph.Derive(salt), ColumnKind::kNames, 0, block};
}

/// The last value may have fewer bytes than 8.
BlockContents ContentsOf(uint64_t bytes) {
  return {Codec::kRaw64, static_cast<uint32_t>((bytes + 7) / 8)};
}

int WorkersOf(int threads) { return std::clamp(threads, 1, kMaxWorkers); }

}  // namespace

std::string CheckpointIdentity::Text() const {
  return StrCat(algorithm, parameters.empty() ? "" : " ", parameters, " on graph ",
                graph.ToString());
}

std::string CheckpointEnd(std::string table, uint64_t offset) {
  Trailer trailer{kMagic, kCheckpointVersion, 0, offset, table.size(), 0};
  trailer.checksum = TableChecksum(trailer, table);
  table.append(reinterpret_cast<const char*>(&trailer), sizeof(trailer));
  return table;
}

uint64_t CheckpointWriter::MemoryBytes(int threads) {
  return kWorkerBytes * static_cast<uint64_t>(WorkersOf(threads));
}

CheckpointWriter::CheckpointWriter(File file, CheckpointTable table, int threads)
    : file_(std::move(file)),
      table_(std::move(table)),
      threads_(WorkersOf(threads)),
      sealers_(static_cast<size_t>(threads_)),
      stored_(static_cast<size_t>(threads_)) {
  CHECK(table_.sections.empty() && table_.blocks.empty());
}

void CheckpointWriter::Begin(SectionKind kind, uint64_t number, std::string name) {
  table_.sections.push_back({.kind = kind,
                             .number = number,
                             .name = std::move(name),
                             .first_block = table_.blocks.size()});
}

Status CheckpointWriter::Add(std::span<const std::byte> bytes) {
  CHECK(!table_.sections.empty());
  table_.sections.back().bytes += bytes.size();
  std::vector<std::span<const std::byte>> payloads;
  while (!bytes.empty()) {
    payloads.push_back(bytes.first(std::min(bytes.size(), kBlockBytes)));
    bytes = bytes.subspan(payloads.back().size());
    if (payloads.size() < stored_.size() && !bytes.empty()) continue;
    RETURN_IF_ERROR(AddBlocks(payloads));
    payloads.clear();
  }
  return OkStatus();
}

Status CheckpointWriter::AddBlocks(std::span<const std::span<const std::byte>> payloads) {
  const size_t first = table_.blocks.size();
  table_.blocks.resize(first + payloads.size());
  // A checkpoint is also written after a request to stop, so that cancellation is ignored.
  ForEachChunk(payloads.size(), 1, threads_, [&](size_t i, size_t) {
    stored_[i].clear();
    CheckpointBlock& block = table_.blocks[first + i];
    block.location = sealers_[i].Seal(IdentityOf(table_, first + i), ContentsOf(payloads[i].size()),
                                      payloads[i], CompressionPolicy::kWhereItPays, &stored_[i]);
    block.checksum = Checksum64(stored_[i]);
  });
  for (size_t i = 0; i < payloads.size(); ++i) {
    table_.blocks[first + i].location.set_offset(offset_);
    RETURN_IF_ERROR(file_.WriteAt(stored_[i], offset_));
    offset_ += stored_[i].size();
  }
  return OkStatus();
}

Status CheckpointWriter::Finish() {
  StateWriter writer;
  CheckpointTable::ListFields(writer, std::as_const(table_));
  const std::string end = CheckpointEnd(writer.Take(), offset_);
  RETURN_IF_ERROR(file_.WriteAt(std::as_bytes(std::span(end)), offset_));
  offset_ += end.size();
  return OkStatus();
}

Status CheckpointReader::BadData(std::string_view what) const {
  return BadDataError(StrCat(path(), ": ", what)).At({.file = path()});
}

StatusOr<CheckpointReader> CheckpointReader::Open(const std::string& path) {
  CheckpointReader reader;
  ASSIGN_OR_RETURN(reader.file_, File::Open(path, O_RDONLY | O_NOFOLLOW));
  ASSIGN_OR_RETURN(reader.file_bytes_, reader.file_.Size());
  Trailer trailer{};
  if (reader.file_bytes_ < sizeof(trailer)) return reader.BadData("is too short for a checkpoint");
  const uint64_t end = reader.file_bytes_ - sizeof(trailer);
  ASSIGN_OR_RETURN(const size_t read,
                   reader.file_.ReadAt(std::as_writable_bytes(std::span(&trailer, 1)), end));
  if (read != sizeof(trailer) || trailer.magic != kMagic) {
    return reader.BadData("is not a whole checkpoint: its end is missing");
  }
  if (trailer.version != kCheckpointVersion) {
    return reader.BadData(StrCat("is a checkpoint of format ", trailer.version,
                                 ", and this program reads format ", kCheckpointVersion));
  }
  if (trailer.table_bytes > kMaxTableBytes || trailer.table_bytes > end ||
      trailer.table_offset != end - trailer.table_bytes) {
    return reader.BadData("is damaged: the place of its table is wrong");
  }
  std::string table(trailer.table_bytes, '\0');
  ASSIGN_OR_RETURN(
      const size_t table_read,
      reader.file_.ReadAt(std::as_writable_bytes(std::span(table)), trailer.table_offset));
  if (table_read != table.size() || TableChecksum(trailer, table) != trailer.checksum) {
    return reader.BadData("is damaged: the checksum of its table differs");
  }
  StateReader fields(table);
  CheckpointTable::ListFields(fields, reader.table_);
  if (!fields.Finish().ok()) return reader.BadData("is damaged: its table is not valid");
  RETURN_IF_ERROR(reader.CheckTable());
  uint64_t stored = 0;
  for (const CheckpointBlock& block : reader.table_.blocks) stored += block.location.stored_bytes;
  if (stored != trailer.table_offset) return reader.BadData("is damaged: blocks are missing");
  return reader;
}

Status CheckpointReader::CheckTable() const {
  uint64_t block = 0, offset = 0;
  for (const CheckpointSection& section : table_.sections) {
    if (section.first_block != block) return BadData("is damaged: its sections are out of order");
    for (uint64_t bytes = 0; bytes < section.bytes; ++block) {
      if (block == table_.blocks.size()) return BadData("is damaged: blocks are missing");
      const BlockLocation& location = table_.blocks[block].location;
      const bool sound = location.payload_bytes > 0 && location.payload_bytes <= kBlockBytes &&
                         location.stored_bytes <= 2 * kBlockBytes && location.offset() == offset &&
                         location.payload_bytes <= section.bytes - bytes;
      if (!sound) return BadData("is damaged: a block has a wrong place or length");
      bytes += location.payload_bytes;
      offset += location.stored_bytes;
    }
  }
  return block == table_.blocks.size() ? OkStatus() : BadData("is damaged: it has more blocks");
}

StatusOr<CheckpointReader> CheckpointReader::OpenWhole(const std::string& path, int threads) {
  ASSIGN_OR_RETURN(CheckpointReader reader, Open(path));
  for (const CheckpointSection& section : reader.table_.sections) {
    RETURN_IF_ERROR(reader.Visit(section, threads, [](uint64_t, auto) { return OkStatus(); }));
  }
  return reader;
}

const CheckpointSection* CheckpointReader::Find(SectionKind kind, uint64_t number) const {
  for (const CheckpointSection& section : table_.sections) {
    if (section.kind == kind && section.number == number) return &section;
  }
  return nullptr;
}

Status CheckpointReader::Visit(
    const CheckpointSection& section, int threads,
    const std::function<Status(uint64_t offset, std::span<const std::byte>)>& visit) const {
  std::vector<uint64_t> offsets;  // of blocks in the section
  for (uint64_t bytes = 0; bytes < section.bytes;) {
    offsets.push_back(bytes);
    bytes += table_.blocks[section.first_block + offsets.size() - 1].location.payload_bytes;
  }
  return ParallelFor(offsets.size(), 1, WorkersOf(threads), [&](size_t i, size_t) -> Status {
    const uint64_t number = section.first_block + i;
    const CheckpointBlock& block = table_.blocks[number];
    std::vector<std::byte> stored(block.location.stored_bytes), payload;
    ASSIGN_OR_RETURN(const size_t read, file_.ReadAt(stored, block.location.offset()));
    if (read != stored.size() || Checksum64(stored) != block.checksum) {
      return BadData(StrCat("is damaged: the checksum of block ", number, " differs"));
    }
    const uint32_t bytes = block.location.payload_bytes;
    auto header = CheckBlock(IdentityOf(table_, number), ContentsOf(bytes), block.location, stored);
    if (!header.ok()) return BadData(header.status().message());
    if (header->compression == Compression::kNone) {
      return visit(offsets[i], StoredPayload(*header, stored));
    }
    payload.resize(bytes);
    RETURN_IF_ERROR(DecompressPayload(*header, stored, payload));
    return visit(offsets[i], payload);
  });
}

Status CheckpointReader::Read(const CheckpointSection& section, int threads,
                              std::span<std::byte> out) const {
  if (out.size() != section.bytes) {
    return BadData(StrCat("has ", section.bytes, " bytes of ", section.name, ", not ", out.size()));
  }
  return Visit(section, threads, [&](uint64_t offset, std::span<const std::byte> bytes) {
    std::memcpy(out.data() + offset, bytes.data(), bytes.size());
    return OkStatus();
  });
}

}  // namespace edgemill
