// Arbitrary bytes as keys and values of a catalog and as identity files. They are refused, or
// decoding and encoding gives the same bytes.
#include "storage/catalog/catalog_records.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "common/check.h"
#include "storage/catalog/identity_file.h"
#include "test/fuzz/targets.h"

namespace edgemill {
namespace {

void TryKey(std::string_view bytes) {
  const StatusOr<ParsedKey> key = ParseKey(bytes);
  if (!key.ok()) return;
  switch (key->kind) {
    case RecordKind::kDirectory:
      CHECK(DirectoryKey(key->directory) == bytes);
      break;
    case RecordKind::kHeader:
      CHECK(HeaderKey() == bytes);
      break;
    case RecordKind::kJournal:
      CHECK(JournalKey(key->journal) == bytes);
      break;
    case RecordKind::kPage:
      CHECK(PageKey(key->column, key->page) == bytes);
      break;
    case RecordKind::kRoot:
      CHECK(RootKey() == bytes);
      break;
    case RecordKind::kSegment:
      CHECK(key->segment.Encode() == bytes);
      break;
  }
}

void TryHeader(std::string_view bytes) {
  const StatusOr<HeaderRecord> header = DecodeHeader(bytes);
  const bool writable = CheckWritable(bytes).ok();
  if (!header.ok()) return;
  CHECK_LE(header->info.num_vertices, kMaxVertices);
  CHECK_LE(header->info.num_edges, kMaxEdges);
  // A header keeps no compatible features, so the bytes come back only without them.
  if (writable) CHECK(EncodeHeader(*header) == bytes);
}

void TryIdentity(std::string_view bytes) {
  const StatusOr<GraphIdentity> graph = DecodeGraphIdentity(bytes, "IDENTITY");
  if (graph.ok()) CHECK(EncodeIdentity(*graph) == bytes);
  const StatusOr<DirectoryIdentity> directory = DecodeDirectoryIdentity(bytes, "IDENTITY");
  if (directory.ok()) CHECK(EncodeIdentity(*directory) == bytes);
}

void TryValue(uint8_t kind, std::string_view bytes) {
  switch (kind % 7) {
    case 0:
      return TryKey(bytes);
    case 1:
      return TryHeader(bytes);
    case 2: {
      const StatusOr<DirectoryRecord> record = DecodeDirectory(bytes);
      if (record.ok()) CHECK(IsHint(record->path) && EncodeDirectory(*record) == bytes);
      return;
    }
    case 3: {
      const StatusOr<PageRecord> record = DecodePage(bytes);
      if (record.ok()) CHECK(EncodePage(*record) == bytes);
      return;
    }
    case 4: {
      const StatusOr<uint64_t> length = DecodeSegment(bytes);
      if (length.ok()) CHECK(EncodeSegment(*length) == bytes);
      return;
    }
    case 5: {
      const StatusOr<RootRecord> root = DecodeRoot(bytes);
      if (root.ok()) CHECK(EncodeRoot(*root) == bytes);
      return;
    }
    default:
      return TryIdentity(bytes);
  }
}

/// The header of a whole graph, changed at some bytes by the input, so that decoding may accept it.
std::string LikelyHeader(std::string_view bytes) {
  HeaderRecord record;
  record.whole = true;
  record.num_directories = 1;
  record.info.num_vertices = 10;
  std::string header = EncodeHeader(record);
  for (size_t i = 0; i + 1 < bytes.size(); i += 2) {
    header[static_cast<uint8_t>(bytes[i]) % header.size()] ^= bytes[i + 1];
  }
  return header;
}

}  // namespace

void FuzzCatalogRecords(FuzzInput data) {
  if (data.empty()) return;
  const std::string_view rest(reinterpret_cast<const char*>(data.data()) + 1, data.size() - 1);
  TryValue(data[0], rest);
  TryHeader(LikelyHeader(rest));
}

}  // namespace edgemill
