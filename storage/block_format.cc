#include "storage/block_format.h"

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <memory>

#define XXH_INLINE_ALL
#include <xxhash.h>
#include <zstd.h>

#include "common/check.h"
#include "storage/group_codec.h"

namespace edgemill {
namespace {

constexpr int kZstdLevel = 1;
/// No payload is larger: the packed worst case, or 8 bytes a value.
constexpr size_t kMaxPayloadBytes =
    std::max(MaxPackedBytes(kMaxBlockValues), size_t{8} * kMaxBlockValues);

struct ZstdDecompressor {
  ZSTD_DCtx* context = ZSTD_createDCtx();
  ~ZstdDecompressor() { ZSTD_freeDCtx(context); }
};

uint64_t HeaderSeed(const BlockHeader& header) {
  return XXH3_64bits(&header, offsetof(BlockHeader, checksum));
}

std::string BlockName(const BlockIdentity& identity) {
  return StrCat("block ", identity.block, " of ", ColumnName(identity.column));
}

}  // namespace

std::string_view ColumnName(ColumnKind column) {
  static constexpr std::string_view kNames[kNumColumns] = {
      "out-offsets",  "out-neighbors", "out-weights",  "in-offsets",
      "in-neighbors", "in-weights",    "external-ids", "internal-of-rank"};
  const size_t index = static_cast<size_t>(column);
  return index < kNumColumns ? kNames[index] : "an unknown column";
}

uint64_t Checksum64(std::span<const std::byte> bytes, uint64_t seed) {
  return XXH3_64bits_withSeed(bytes.data(), bytes.size(), seed);
}

struct BlockSealer::State {
  ZSTD_CCtx* context = ZSTD_createCCtx();
  std::vector<std::byte> compressed;
  ~State() { ZSTD_freeCCtx(context); }
};

BlockSealer::BlockSealer() : state_(std::make_unique<State>()) {}
BlockSealer::~BlockSealer() = default;
BlockSealer::BlockSealer(BlockSealer&&) noexcept = default;
BlockSealer& BlockSealer::operator=(BlockSealer&&) noexcept = default;

BlockLocation BlockSealer::Seal(const BlockIdentity& identity, Codec codec, uint32_t num_values,
                                std::span<const std::byte> payload, CompressionPolicy policy,
                                std::vector<std::byte>* out) {
  CHECK_GT(num_values, 0u);
  CHECK_LE(num_values, kMaxBlockValues);
  std::span<const std::byte> stored = payload;
  if (policy == CompressionPolicy::kWhereItPays) {
    std::vector<std::byte>& buffer = state_->compressed;
    buffer.resize(ZSTD_compressBound(payload.size()));
    const size_t size = ZSTD_compressCCtx(state_->context, buffer.data(), buffer.size(),
                                          payload.data(), payload.size(), kZstdLevel);
    CHECK(!ZSTD_isError(size));
    if (static_cast<double>(size) <=
        static_cast<double>(payload.size()) * (1 - kZstdMinimumSaving)) {
      stored = std::span<const std::byte>(buffer.data(), size);
    }
  }
  BlockHeader header{};
  header.magic = kBlockMagic;
  header.version = kBlockVersion;
  header.column = identity.column;
  header.codec = codec;
  header.compression = stored.data() == payload.data() ? Compression::kNone : Compression::kZstd;
  header.page = identity.page;
  header.graph = identity.graph.bytes;
  header.block = identity.block;
  header.num_values = num_values;
  header.stored_bytes = static_cast<uint32_t>(stored.size());
  header.payload_bytes = static_cast<uint32_t>(payload.size());
  header.checksum = Checksum64(stored, HeaderSeed(header));

  const size_t begin = out->size();
  const size_t extent =
      (sizeof(header) + stored.size() + kBlockAlignment - 1) / kBlockAlignment * kBlockAlignment;
  out->resize(begin + extent);
  std::memcpy(out->data() + begin, &header, sizeof(header));
  std::memcpy(out->data() + begin + sizeof(header), stored.data(), stored.size());
  BlockLocation location{};
  location.checksum = header.checksum;
  location.stored_bytes = static_cast<uint32_t>(extent);
  location.payload_bytes = header.payload_bytes;
  return location;
}

StatusOr<BlockHeader> CheckBlock(const BlockIdentity& expected, const BlockLocation& location,
                                 std::span<const std::byte> stored) {
  const auto bad = [&](std::string_view what) {
    return BadDataError(StrCat(BlockName(expected), ": ", what));
  };
  BlockHeader header;
  if (stored.size() < sizeof(header)) return bad("shorter than a block header");
  std::memcpy(&header, stored.data(), sizeof(header));
  if (header.magic != kBlockMagic) return bad("no block starts here (wrong magic)");
  if (header.version != kBlockVersion) {
    return bad(
        StrCat("block version ", header.version, ", this program reads version ", kBlockVersion));
  }
  const Uuid graph{header.graph};
  const BlockIdentity found{graph, header.column, header.page, header.block};
  if (found != expected) {
    return bad(StrCat("another block is in its place: block ", found.block, " of ",
                      ColumnName(found.column), ", page ", found.page, ", of graph ",
                      graph.ToString()));
  }
  const std::span<const std::byte> after_header = stored.subspan(sizeof(header));
  if (header.stored_bytes > after_header.size()) return bad("its length runs past its place");
  const uint64_t checksum = Checksum64(after_header.first(header.stored_bytes), HeaderSeed(header));
  if (checksum != header.checksum || checksum != location.checksum) {
    return bad("checksum mismatch: its bytes have changed since they were written");
  }
  if (header.payload_bytes != location.payload_bytes || header.payload_bytes > kMaxPayloadBytes ||
      (header.compression == Compression::kNone && header.payload_bytes != header.stored_bytes) ||
      header.compression > Compression::kZstd || header.num_values == 0 ||
      header.num_values > kMaxBlockValues) {
    return bad("its header contradicts itself or the catalog");
  }
  return header;
}

std::span<const std::byte> StoredPayload(const BlockHeader& header,
                                         std::span<const std::byte> stored) {
  return stored.subspan(sizeof(BlockHeader), header.stored_bytes);
}

Status DecompressPayload(const BlockHeader& header, std::span<const std::byte> stored,
                         std::span<std::byte> out) {
  CHECK_EQ(out.size(), size_t{header.payload_bytes});
  const std::span<const std::byte> payload = StoredPayload(header, stored);
  thread_local ZstdDecompressor decompressor;
  const size_t size = ZSTD_decompressDCtx(decompressor.context, out.data(), out.size(),
                                          payload.data(), payload.size());
  if (ZSTD_isError(size) || size != out.size()) {
    return BadDataError(StrCat("block ", header.block, " of ", ColumnName(header.column),
                               ": Zstandard gives ",
                               ZSTD_isError(size) ? ZSTD_getErrorName(size) : "another length"));
  }
  return OkStatus();
}

}  // namespace edgemill
