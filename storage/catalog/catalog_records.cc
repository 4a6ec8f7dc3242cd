// Above 400 lines: every key and record of a catalog in one place, as docs/FORMAT.md has them.
#include "storage/catalog/catalog_records.h"

#include <algorithm>
#include <bit>
#include <cstdio>
#include <cstring>
#include <functional>
#include <limits>
#include <set>
#include <span>
#include <type_traits>
#include <utility>

#include "common/check.h"
#include "storage/format/name_coding.h"

namespace edgemill {
namespace {

static_assert(std::endian::native == std::endian::little,
              "records are copied as they are in memory");

constexpr std::string_view kHeaderMagic = "EDGEMILL";
/// The most bytes of a path hint: PATH_MAX.
constexpr uint32_t kMaxPathBytes = 4096;

// A record's fields are listed once, in a function that both visit: the encoder appends each field,
// the decoder sets it.

/// Appends fixed-width fields.
class Encoder {
 public:
  /// Values as they are in memory; a bool is a byte.
  template <typename... T>
  void Fields(const T&... values) {
    (Put(values), ...);
  }
  /// An enumerator, which is at most `last`.
  template <typename E>
  void Enum(E value, E) {
    Put(static_cast<uint8_t>(value));
  }
  /// A count of type N, then the values.
  template <typename N, typename Values>
  void Counted(const Values& values) {
    Put(static_cast<N>(values.size()));
    PutMany(values);
  }
  /// A count, for values that follow one by one.
  template <typename Values>
  void Resized(const Values& values) {
    Put(static_cast<uint32_t>(values.size()));
  }
  template <typename Values>
  void PutMany(const Values& values) {
    const auto bytes = std::as_bytes(std::span(values));
    bytes_.append(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  }
  template <typename T>
  requires(std::is_trivially_copyable_v<T>) void Put(const T& value) {
    bytes_.append(reinterpret_cast<const char*>(&value), sizeof(value));
  }
  std::string Take() { return std::move(bytes_); }

 private:
  std::string bytes_;
};

/// Reads fixed-width fields. After a read past the end, ok() stays false.
class Decoder {
 public:
  explicit Decoder(std::string_view bytes) : rest_(bytes) {}

  template <typename... T>
  void Fields(T&... values) {
    (Set(values), ...);
  }
  template <typename E>
  void Enum(E& value, E last) {
    const auto read = Get<uint8_t>();
    ok_ = ok_ && read <= static_cast<uint8_t>(last);
    value = static_cast<E>(read);
  }
  template <typename N, typename Values>
  void Counted(Values& values) {
    values = GetMany<Values>(Get<N>());
  }
  /// Each of the values that follow takes a byte or more.
  template <typename Values>
  void Resized(Values& values) {
    const auto count = Get<uint32_t>();
    ok_ = ok_ && count <= rest_.size();
    if (ok_) values.resize(count);
  }
  template <typename T>
  requires(std::is_trivially_copyable_v<T>) T Get() {
    T value{};
    const std::string_view bytes = GetBytes(sizeof(T));
    if (ok_) std::memcpy(&value, bytes.data(), sizeof(T));
    return value;
  }
  std::string_view GetBytes(uint64_t size) {
    if (size > rest_.size()) ok_ = false;
    if (!ok_) return {};
    const std::string_view bytes = rest_.substr(0, size);
    rest_.remove_prefix(size);
    return bytes;
  }
  /// Reads `count` values, none when they are not all there.
  template <typename Values>
  Values GetMany(uint64_t count) {
    constexpr size_t kSize = sizeof(typename Values::value_type);
    ok_ = ok_ && count <= rest_.size() / kSize;
    Values values;
    if (!ok_ || count == 0) return values;
    values.resize(count);
    std::memcpy(values.data(), GetBytes(count * kSize).data(), count * kSize);
    return values;
  }
  bool ok() const { return ok_; }
  /// Whether all was read and nothing is left over.
  bool Done() const { return ok_ && rest_.empty(); }

 private:
  template <typename T>
  void Set(T& value) {
    value = Get<T>();
  }
  /// A byte that must be 0 or 1.
  void Set(bool& value) {
    const auto read = Get<uint8_t>();
    ok_ = ok_ && read <= 1;
    value = read == 1;
  }

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

/// Checks version and features, before other fields are used.
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

/// Whether the graph has weights, but none in the lists with these columns.
bool LackWeights(const HeaderRecord& record, ColumnKind neighbors, ColumnKind weights) {
  return record.whole && record.info.weights != WeightType::kNone && HasBlocks(record, neighbors) &&
         !HasBlocks(record, weights);
}

bool OutListsLackWeights(const HeaderRecord& record) {
  return LackWeights(record, ColumnKind::kOutNeighbors, ColumnKind::kOutWeights);
}
bool InListsLackWeights(const HeaderRecord& record) {
  return LackWeights(record, ColumnKind::kInNeighbors, ColumnKind::kInWeights);
}

/// Whether the record says that edges have columns, or will: kEdgeColumnsFeature.
bool HasEdgeColumns(const HeaderRecord& record) {
  return !record.info.edge_columns.empty() ||
         std::any_of(record.columns.begin() + kNumFixedColumns, record.columns.end(),
                     [](const ColumnInfo& column) { return column.num_blocks > 0; });
}

/// The incompatible features of the graph.
uint64_t FeaturesOf(const HeaderRecord& record) {
  const bool one_way = OutListsLackWeights(record) || InListsLackWeights(record);
  return (HasNames(record) ? kNamesFeature : 0) | (one_way ? kOneWayWeightsFeature : 0) |
         (HasEdgeColumns(record) ? kEdgeColumnsFeature : 0);
}

/// Whether the description of an edge column is possible.
bool IsPossible(const EdgeColumn& column) {
  return !column.name.empty() && column.name.size() <= kMaxEdgeColumnName &&
         column.type != WeightType::kNone &&
         (column.kind == ValueKind::kText ? column.type == WeightType::kInt32
                                          : column.texts.empty()) &&
         std::adjacent_find(column.texts.begin(), column.texts.end(), std::greater_equal<>()) ==
             column.texts.end();
}

/// Whether the edge columns have the names and the blocks that they must have.
bool EdgeColumnsFit(const HeaderRecord& record) {
  if (!record.whole) return record.info.edge_columns.empty();
  const std::vector<EdgeColumn>& columns = record.info.edge_columns;
  std::set<std::string_view> names;
  for (size_t i = 0; i < kMaxEdgeColumns; ++i) {
    const bool out = HasBlocks(record, ValuesColumn(i, /*incoming=*/false));
    const bool in = HasBlocks(record, ValuesColumn(i, /*incoming=*/true));
    const bool exists = i < columns.size();
    if ((out || in) != (exists && record.info.num_edges > 0) ||
        (out && !HasBlocks(record, ColumnKind::kOutNeighbors)) ||
        (in && !HasBlocks(record, ColumnKind::kInNeighbors)) ||
        (exists && (!IsPossible(columns[i]) || !names.insert(columns[i].name).second))) {
      return false;
    }
  }
  return columns.size() <= kMaxEdgeColumns;
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
            (!OutListsLackWeights(record) || HasBlocks(record, ColumnKind::kInWeights)) &&
            (!InListsLackWeights(record) || HasBlocks(record, ColumnKind::kOutWeights)) &&
            (!record.whole ||
             HasBlocks(record, ColumnKind::kNames) == HasBlocks(record, ColumnKind::kNameGroups)) &&
            EdgeColumnsFit(record);
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
  CHECK_LT(index, kMaxDataDirectories);  // a byte of the key
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
  CHECK_GT(page_blocks, 0u);
  const uint64_t page = block / page_blocks;
  if (page > std::numeric_limits<uint32_t>::max()) {
    return OutputError("more than 2^32 pages: take larger blocks or pages");
  }
  return static_cast<uint32_t>(page);
}

namespace {

template <typename Visitor, typename Columns>
void ColumnFields(Visitor& visitor, Columns some) {
  for (auto& column : some) {
    visitor.Fields(column.num_values, column.num_blocks, column.stored_bytes, column.payload_bytes);
  }
}

template <typename Visitor, typename Columns>
void EdgeColumnFields(Visitor& visitor, Columns& columns) {
  visitor.Resized(columns);
  for (auto& column : columns) {
    visitor.template Counted<uint16_t>(column.name);
    visitor.Enum(column.kind, ValueKind::kText);
    visitor.Enum(column.type, WeightType::kFloat64);
    visitor.Fields(column.has_negative);
    visitor.Resized(column.texts);
    for (auto& text : column.texts) visitor.template Counted<uint32_t>(text);
  }
}

/// What follows the feature flags of a header.
template <typename Visitor, typename Record>
void HeaderFields(Visitor& visitor, Record& record, uint64_t features) {
  auto& info = record.info;
  visitor.Fields(record.whole, info.uuid.bytes, info.block_edges, info.page_blocks,
                 record.num_directories, info.num_vertices, info.num_edges, info.directed,
                 info.sparse_ids);
  visitor.Enum(info.weights, WeightType::kFloat64);
  visitor.Enum(info.renumbering, Renumbering::kRandom);
  visitor.Fields(info.has_negative_weight, info.id_base, info.num_self_loops, info.num_duplicates);
  const auto columns = std::span(record.columns);
  ColumnFields(visitor, columns.first(kNumColumnsWithoutNames));
  for (auto& crossings : info.offset_crossings) visitor.template Counted<uint64_t>(crossings);
  constexpr int kNumNames = kNumFixedColumns - kNumColumnsWithoutNames;
  if ((features & kNamesFeature) != 0) {
    ColumnFields(visitor, columns.subspan(kNumColumnsWithoutNames, kNumNames));
  }
  if ((features & kEdgeColumnsFeature) == 0) return;
  ColumnFields(visitor, columns.subspan(kNumFixedColumns));
  EdgeColumnFields(visitor, info.edge_columns);
}

template <typename Visitor, typename Record>
void DirectoryFields(Visitor& visitor, Record& record) {
  visitor.Fields(record.uuid.bytes, record.weight);
  visitor.template Counted<uint32_t>(record.path);
}

/// A page as it is stored: `info` is 0 where the page has none.
struct StoredPage {
  uint32_t num_blocks = 0;
  uint32_t has_info = 0;
  PageInfo info;

  template <typename Visitor, typename Page>
  static void ListFields(Visitor& visitor, Page& page) {
    visitor.Fields(page.num_blocks, page.has_info, page.info.first_source, page.info.last_source,
                   page.info.min_target, page.info.max_target);
  }
};

template <typename Visitor, typename Record>
void RootFields(Visitor& visitor, Record& record) {
  visitor.Fields(record.num_records, record.hash);
}

}  // namespace

std::string EncodeHeader(const HeaderRecord& record) {
  const uint64_t features = FeaturesOf(record);
  Encoder encoder;
  CHECK_LE(record.num_directories, kMaxDataDirectories);
  encoder.PutMany(kHeaderMagic);
  encoder.Fields(kCatalogVersion, features, kKnownCompatibleFeatures);
  HeaderFields(encoder, record, features);
  return encoder.Take();
}

StatusOr<HeaderRecord> DecodeHeader(std::string_view bytes) {
  Decoder decoder(bytes);
  if (decoder.GetBytes(kHeaderMagic.size()) != kHeaderMagic) return Damaged("header");
  const uint32_t version = decoder.Get<uint32_t>();
  const uint64_t incompatible = decoder.Get<uint64_t>();
  decoder.Get<uint64_t>();  // unknown compatible features do not prevent reading
  if (!decoder.ok()) return Damaged("header");
  RETURN_IF_ERROR(CheckVersion(version, incompatible));
  HeaderRecord record;
  HeaderFields(decoder, record, incompatible);
  record.info.name_bytes = record.columns[static_cast<size_t>(ColumnKind::kNames)].num_values;
  if (!decoder.Done() || incompatible != FeaturesOf(record)) return Damaged("header");
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
  Encoder encoder;
  DirectoryFields(encoder, record);
  return encoder.Take();
}

StatusOr<DirectoryRecord> DecodeDirectory(std::string_view bytes) {
  Decoder decoder(bytes);
  DirectoryRecord record;
  DirectoryFields(decoder, record);
  if (!decoder.Done() || record.weight == 0 || !IsHint(record.path)) {
    return Damaged("data directory");
  }
  return record;
}

std::string EncodePage(const PageRecord& record) {
  CHECK_LE(record.blocks.size(), size_t{kMaxPageBlocks});
  const StoredPage page{.num_blocks = static_cast<uint32_t>(record.blocks.size()),
                        .has_info = record.info.has_value(),
                        .info = record.info.value_or(PageInfo{})};
  Encoder encoder;
  StoredPage::ListFields(encoder, page);
  encoder.PutMany(record.blocks);
  return encoder.Take();
}

StatusOr<PageRecord> DecodePage(std::string_view bytes) {
  Decoder decoder(bytes);
  StoredPage page;
  StoredPage::ListFields(decoder, page);
  PageRecord record;
  if (page.has_info == 1) record.info = page.info;
  record.blocks = decoder.GetMany<std::vector<BlockLocation>>(page.num_blocks);
  const bool stray_ranges =
      page.has_info == 0 && (page.info.first_source | page.info.last_source | page.info.min_target |
                             page.info.max_target) != 0;
  if (!decoder.Done() || page.has_info > 1 || stray_ranges || page.num_blocks > kMaxPageBlocks) {
    return Damaged("page");
  }
  return record;
}

std::string EncodeSegment(uint64_t length) {
  Encoder encoder;
  encoder.Put(length);
  return encoder.Take();
}

StatusOr<uint64_t> DecodeSegment(std::string_view bytes) {
  Decoder decoder(bytes);
  const uint64_t length = decoder.Get<uint64_t>();
  if (!decoder.Done() || length % kBlockAlignment != 0) return Damaged("segment");
  return length;
}

std::string EncodeRoot(const RootRecord& record) {
  Encoder encoder;
  RootFields(encoder, record);
  return encoder.Take();
}

StatusOr<RootRecord> DecodeRoot(std::string_view bytes) {
  Decoder decoder(bytes);
  RootRecord record;
  RootFields(decoder, record);
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
    case ColumnKind::kFirstValues:
      break;
  }
  return info.num_edges;  // edge columns
}

}  // namespace edgemill
