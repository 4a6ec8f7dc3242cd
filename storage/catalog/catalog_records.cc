// Above 400 lines: every key and record of a catalog in one place, as docs/FORMAT.md has them.
#include "storage/catalog/catalog_records.h"

#include <algorithm>
#include <bit>
#include <cstdio>
#include <cstring>
#include <limits>
#include <span>
#include <type_traits>
#include <utility>

#include "storage/format/name_coding.h"

namespace edgemill {
namespace {

static_assert(std::endian::native == std::endian::little,
              "records are copied as they are in memory");

constexpr std::string_view kHeaderMagic = "EDGEMILL";
/// The most a path hint may be: PATH_MAX.
constexpr uint32_t kMaxPathBytes = 4096;

/// Appends fixed-width fields.
class Encoder {
 public:
  template <typename T>
  requires(std::is_trivially_copyable_v<T>) Encoder& Put(const T& value) {
    bytes_.append(reinterpret_cast<const char*>(&value), sizeof(value));
    return *this;
  }
  Encoder& PutBytes(std::string_view bytes) {
    bytes_.append(bytes);
    return *this;
  }
  std::string Take() { return std::move(bytes_); }

 private:
  std::string bytes_;
};

/// Reads fixed-width fields; a read past the end sticks as a failure.
class Decoder {
 public:
  explicit Decoder(std::string_view bytes) : rest_(bytes) {}

  template <typename T>
  requires(std::is_trivially_copyable_v<T>) T Get() {
    T value{};
    const std::string_view bytes = GetBytes(sizeof(T));
    if (ok_) std::memcpy(&value, bytes.data(), sizeof(T));
    return value;
  }
  /// Reads a byte that must be 0 or 1.
  bool GetBool() {
    const uint8_t value = Get<uint8_t>();
    ok_ = ok_ && value <= 1;
    return value == 1;
  }
  /// Reads an enumerator that must be at most `last`.
  template <typename E>
  E GetEnum(E last) {
    const uint8_t value = Get<uint8_t>();
    ok_ = ok_ && value <= static_cast<uint8_t>(last);
    return static_cast<E>(value);
  }
  std::string_view GetBytes(uint64_t size) {
    if (size > rest_.size()) ok_ = false;
    if (!ok_) return {};
    const std::string_view bytes = rest_.substr(0, size);
    rest_.remove_prefix(size);
    return bytes;
  }
  /// Reads `count` values of T, none when they are not all there.
  template <typename T>
  std::vector<T> GetMany(uint64_t count) {
    ok_ = ok_ && count <= rest_.size() / sizeof(T);
    std::vector<T> values;
    if (!ok_ || count == 0) return values;
    values.resize(count);
    std::memcpy(values.data(), GetBytes(count * sizeof(T)).data(), count * sizeof(T));
    return values;
  }
  bool ok() const { return ok_; }
  /// Whether all was read and nothing is left over.
  bool Done() const { return ok_ && rest_.empty(); }

 private:
  std::string_view rest_;
  bool ok_ = true;
};

Status Damaged(std::string_view record) {
  return BadDataError(StrCat("the catalog's ", record, " record is damaged"));
}

std::string BigEndian(uint64_t value, int bytes) {
  std::string text;
  for (int shift = 8 * (bytes - 1); shift >= 0; shift -= 8) {
    text += static_cast<char>(value >> shift & 255);
  }
  return text;
}

uint64_t FromBigEndian(std::string_view bytes) {
  uint64_t value = 0;
  for (const char byte : bytes) value = value << 8 | static_cast<uint8_t>(byte);
  return value;
}

std::string KeyOf(RecordKind kind) { return std::string(1, static_cast<char>(kind)); }

/// Version and features, before anything else is believed.
Status CheckVersion(uint32_t version, uint64_t incompatible) {
  if (version != kCatalogVersion) {
    return BadDataError(StrCat("the graph has format version ", version,
                               ", this program reads version ", kCatalogVersion,
                               ": use the program that wrote it, or ingest again"));
  }
  if (const uint64_t unknown = incompatible & ~kKnownIncompatibleFeatures; unknown != 0) {
    return BadDataError(StrCat("the graph (format version ", version,
                               ") uses features that this program does not know (flags ", unknown,
                               "): use a newer program"));
  }
  return OkStatus();
}

bool HasBlocks(const HeaderRecord& record, ColumnKind column) {
  return record.columns[static_cast<size_t>(column)].num_blocks > 0;
}

/// Whether the record says that vertices have names, or will: kNamesFeature.
bool HasNames(const HeaderRecord& record) {
  return HasBlocks(record, ColumnKind::kNames) || HasBlocks(record, ColumnKind::kNameGroups);
}

Status CheckRanges(const HeaderRecord& record) {
  const GraphInfo& info = record.info;
  bool ok = info.num_vertices <= kMaxVertices && info.num_edges <= kMaxEdges && info.id_base <= 1 &&
            std::has_single_bit(info.block_edges) && info.block_edges >= 128 &&
            info.block_edges <= 65536 && info.page_blocks >= 1 &&
            info.page_blocks <= kMaxPageBlocks && record.num_directories >= 1 &&
            record.num_directories <= kMaxDataDirectories &&
            info.num_self_loops <= info.num_edges && info.num_duplicates <= info.num_edges &&
            (info.name_bytes == 0 || (!info.sparse_ids && info.id_base == 0)) &&
            info.name_bytes / kMaxCodedNameBytes <= info.num_vertices &&
            (!record.whole ||
             HasBlocks(record, ColumnKind::kNames) == HasBlocks(record, ColumnKind::kNameGroups));
  for (const std::vector<VertexId>& crossings : info.offset_crossings) {
    ok = ok && std::is_sorted(crossings.begin(), crossings.end()) &&
         (crossings.empty() || crossings.back() <= info.num_vertices) &&
         crossings.size() <= info.num_edges >> 32;
  }
  return ok ? OkStatus() : Damaged("header");
}

}  // namespace

std::string HeaderKey() { return KeyOf(RecordKind::kHeader); }
std::string RootKey() { return KeyOf(RecordKind::kRoot); }
std::string DirectoryKey(uint32_t index) {
  return KeyOf(RecordKind::kDirectory) + BigEndian(index, 1);
}
std::string JournalKey(std::string_view name) { return KeyOf(RecordKind::kJournal).append(name); }
std::string PageKey(ColumnKind column, uint32_t page) {
  return KeyOf(RecordKind::kPage) + static_cast<char>(column) + BigEndian(page, 4);
}

std::string SegmentKey::Encode() const {
  return KeyOf(RecordKind::kSegment) + static_cast<char>(column) + static_cast<char>(directory) +
         BigEndian(number, 2);
}

std::string SegmentKey::FileName() const {
  std::string digits = StrCat(number);
  if (digits.size() < 4) digits.insert(0, 4 - digits.size(), '0');
  return StrCat(ColumnName(column), ".", digits, ".seg");
}

StatusOr<ParsedKey> ParseKey(std::string_view key) {
  const auto bad = [] { return BadDataError("the catalog holds a record of an unknown kind"); };
  if (key.empty()) return bad();
  ParsedKey parsed;
  parsed.kind = static_cast<RecordKind>(key[0]);
  const std::string_view rest = key.substr(1);
  const auto column = [&] { return static_cast<ColumnKind>(rest[0]); };
  const bool has_column = !rest.empty() && static_cast<uint8_t>(rest[0]) < kNumColumns;
  switch (parsed.kind) {
    case RecordKind::kHeader:
    case RecordKind::kRoot:
      if (!rest.empty()) return bad();
      return parsed;
    case RecordKind::kJournal:
      parsed.journal = rest;
      return parsed;
    case RecordKind::kDirectory:
      if (rest.size() != 1) return bad();
      parsed.directory = static_cast<uint8_t>(rest[0]);
      return parsed;
    case RecordKind::kPage:
      if (rest.size() != 5 || !has_column) return bad();
      parsed.column = column();
      parsed.page = static_cast<uint32_t>(FromBigEndian(rest.substr(1)));
      return parsed;
    case RecordKind::kSegment:
      if (rest.size() != 4 || !has_column) return bad();
      parsed.segment = {column(), static_cast<uint8_t>(rest[1]),
                        static_cast<uint16_t>(FromBigEndian(rest.substr(2)))};
      return parsed;
  }
  return bad();
}

StatusOr<uint32_t> PageOfBlock(uint64_t block, uint32_t page_blocks) {
  const uint64_t page = block / page_blocks;
  if (page > std::numeric_limits<uint32_t>::max()) {
    return OutputError("more than 2^32 pages: take larger blocks or pages");
  }
  return static_cast<uint32_t>(page);
}

std::string EncodeHeader(const HeaderRecord& record) {
  const GraphInfo& info = record.info;
  const auto columns = std::span(record.columns);
  const bool named = HasNames(record);
  Encoder encoder;
  encoder.PutBytes(kHeaderMagic)
      .Put(kCatalogVersion)
      .Put(named ? kNamesFeature : uint64_t{0})  // incompatible features
      .Put(uint64_t{0})                          // compatible features
      .Put(uint8_t{record.whole})
      .Put(info.uuid.bytes)
      .Put(info.block_edges)
      .Put(info.page_blocks)
      .Put(record.num_directories)
      .Put(info.num_vertices)
      .Put(info.num_edges)
      .Put(uint8_t{info.directed})
      .Put(uint8_t{info.sparse_ids})
      .Put(static_cast<uint8_t>(info.weights))
      .Put(static_cast<uint8_t>(info.renumbering))
      .Put(uint8_t{info.has_negative_weight})
      .Put(info.id_base)
      .Put(info.num_self_loops)
      .Put(info.num_duplicates);
  const auto put_columns = [&encoder](std::span<const ColumnInfo> some) {
    for (const ColumnInfo& column : some) {
      encoder.Put(column.num_values)
          .Put(column.num_blocks)
          .Put(column.stored_bytes)
          .Put(column.payload_bytes);
    }
  };
  put_columns(columns.first(kNumColumnsWithoutNames));
  for (const std::vector<VertexId>& crossings : info.offset_crossings) {
    encoder.Put(static_cast<uint64_t>(crossings.size()));
    for (const VertexId vertex : crossings) encoder.Put(vertex);
  }
  if (named) put_columns(columns.subspan(kNumColumnsWithoutNames));
  return encoder.Take();
}

StatusOr<HeaderRecord> DecodeHeader(std::string_view bytes) {
  Decoder decoder(bytes);
  if (decoder.GetBytes(kHeaderMagic.size()) != kHeaderMagic) return Damaged("header");
  const uint32_t version = decoder.Get<uint32_t>();
  const uint64_t incompatible = decoder.Get<uint64_t>();
  decoder.Get<uint64_t>();  // compatible features that we do not know do not hinder reading
  if (!decoder.ok()) return Damaged("header");
  RETURN_IF_ERROR(CheckVersion(version, incompatible));
  HeaderRecord record;
  GraphInfo& info = record.info;
  record.whole = decoder.GetBool();
  info.uuid.bytes = decoder.Get<std::array<uint8_t, 16>>();
  info.block_edges = decoder.Get<uint32_t>();
  info.page_blocks = decoder.Get<uint32_t>();
  record.num_directories = decoder.Get<uint32_t>();
  info.num_vertices = decoder.Get<uint64_t>();
  info.num_edges = decoder.Get<uint64_t>();
  info.directed = decoder.GetBool();
  info.sparse_ids = decoder.GetBool();
  info.weights = decoder.GetEnum(WeightType::kFloat64);
  info.renumbering = decoder.GetEnum(Renumbering::kHub);
  info.has_negative_weight = decoder.GetBool();
  info.id_base = decoder.Get<uint64_t>();
  info.num_self_loops = decoder.Get<uint64_t>();
  info.num_duplicates = decoder.Get<uint64_t>();
  const auto get_columns = [&decoder](std::span<ColumnInfo> some) {
    for (ColumnInfo& column : some) {
      column.num_values = decoder.Get<uint64_t>();
      column.num_blocks = decoder.Get<uint64_t>();
      column.stored_bytes = decoder.Get<uint64_t>();
      column.payload_bytes = decoder.Get<uint64_t>();
    }
  };
  const auto columns = std::span(record.columns);
  get_columns(columns.first(kNumColumnsWithoutNames));
  for (std::vector<VertexId>& crossings : info.offset_crossings) {
    crossings = decoder.GetMany<VertexId>(decoder.Get<uint64_t>());
  }
  const bool named = (incompatible & kNamesFeature) != 0;
  if (named) get_columns(columns.subspan(kNumColumnsWithoutNames));
  info.name_bytes = record.columns[static_cast<size_t>(ColumnKind::kNames)].num_values;
  if (!decoder.Done() || named != HasNames(record)) return Damaged("header");
  RETURN_IF_ERROR(CheckRanges(record));
  return record;
}

bool IsHint(std::string_view path) {
  if (path.empty() || path.size() > kMaxPathBytes || path.find('\0') != std::string_view::npos) {
    return false;
  }
  return path.starts_with('/') ||
         (path != "." && path != ".." && path.find('/') == std::string_view::npos);
}

Status CheckWritable(std::string_view header_bytes) {
  Decoder decoder(header_bytes);
  decoder.GetBytes(kHeaderMagic.size() + sizeof(uint32_t) + sizeof(uint64_t));
  const uint64_t compatible = decoder.Get<uint64_t>();
  if (!decoder.ok()) return Damaged("header");
  if (const uint64_t unknown = compatible & ~kKnownCompatibleFeatures; unknown != 0) {
    return BadDataError(
        StrCat("the graph uses features that this program can read past but not keep "
               "when it writes (flags ",
               unknown, "): use a newer program"));
  }
  return OkStatus();
}

std::string EncodeDirectory(const DirectoryRecord& record) {
  return Encoder()
      .Put(record.uuid.bytes)
      .Put(record.weight)
      .Put(static_cast<uint32_t>(record.path.size()))
      .PutBytes(record.path)
      .Take();
}

StatusOr<DirectoryRecord> DecodeDirectory(std::string_view bytes) {
  Decoder decoder(bytes);
  DirectoryRecord record;
  record.uuid.bytes = decoder.Get<std::array<uint8_t, 16>>();
  record.weight = decoder.Get<uint32_t>();
  const uint32_t size = decoder.Get<uint32_t>();
  record.path = decoder.GetBytes(size);
  if (!decoder.Done() || record.weight == 0 || !IsHint(record.path)) {
    return Damaged("data directory");
  }
  return record;
}

std::string EncodePage(const PageRecord& record) {
  const PageInfo info = record.info.value_or(PageInfo{});
  Encoder encoder;
  encoder.Put(static_cast<uint32_t>(record.blocks.size()))
      .Put(uint32_t{record.info.has_value()})
      .Put(info.first_source)
      .Put(info.last_source)
      .Put(info.min_target)
      .Put(info.max_target);
  for (const BlockLocation& block : record.blocks) encoder.Put(block);
  return encoder.Take();
}

StatusOr<PageRecord> DecodePage(std::string_view bytes) {
  Decoder decoder(bytes);
  PageRecord record;
  const uint32_t num_blocks = decoder.Get<uint32_t>();
  const uint32_t has_info = decoder.Get<uint32_t>();
  PageInfo info;
  info.first_source = decoder.Get<uint32_t>();
  info.last_source = decoder.Get<uint32_t>();
  info.min_target = decoder.Get<uint32_t>();
  info.max_target = decoder.Get<uint32_t>();
  if (has_info == 1) record.info = info;
  record.blocks = decoder.GetMany<BlockLocation>(num_blocks);
  const bool stray_ranges = has_info == 0 && (info.first_source | info.last_source |
                                              info.min_target | info.max_target) != 0;
  if (!decoder.Done() || has_info > 1 || stray_ranges || num_blocks > kMaxPageBlocks) {
    return Damaged("page");
  }
  return record;
}

std::string EncodeSegment(uint64_t length) { return Encoder().Put(length).Take(); }

StatusOr<uint64_t> DecodeSegment(std::string_view bytes) {
  Decoder decoder(bytes);
  const uint64_t length = decoder.Get<uint64_t>();
  if (!decoder.Done() || length % kBlockAlignment != 0) return Damaged("segment");
  return length;
}

std::string EncodeRoot(const RootRecord& record) {
  return Encoder().Put(record.num_records).Put(record.hash).Take();
}

StatusOr<RootRecord> DecodeRoot(std::string_view bytes) {
  Decoder decoder(bytes);
  RootRecord record;
  record.num_records = decoder.Get<uint64_t>();
  record.hash = decoder.Get<uint64_t>();
  if (!decoder.Done()) return Damaged("root");
  return record;
}

uint64_t RecordHash(std::string_view key, std::string_view value) {
  const uint64_t seed = Checksum64(std::as_bytes(std::span(key)));
  return Checksum64(std::as_bytes(std::span(value)), seed);
}

uint64_t ExpectedValues(const GraphInfo& info, ColumnKind column) {
  switch (column) {
    case ColumnKind::kOutOffsets:
    case ColumnKind::kInOffsets:
      return info.num_vertices + 1;
    case ColumnKind::kOutNeighbors:
    case ColumnKind::kOutWeights:
    case ColumnKind::kInNeighbors:
    case ColumnKind::kInWeights:
      return info.num_edges;
    case ColumnKind::kExternalIds:
    case ColumnKind::kInternalOfRank:
      return info.num_vertices;
    case ColumnKind::kNames:
      return info.name_bytes;
    case ColumnKind::kNameGroups:
      return info.name_bytes == 0 ? 0 : NumNameGroups(info.num_vertices);
  }
  return 0;
}

}  // namespace edgemill
