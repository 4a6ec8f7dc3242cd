#include "storage/format/block_format.h"

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <memory>
#include <new>

#define XXH_INLINE_ALL
#include <xxhash.h>
#include <zstd.h>
#include <zstd_errors.h>

#include "common/check.h"
#include "common/strings.h"
#include "storage/format/byte_form.h"
#include "storage/format/group_codec.h"

namespace edgemill {
namespace {

constexpr int kZstdLevel = 1;
/// No payload is larger: the packed worst case, or 8 bytes a value.
constexpr size_t kMaxPayloadBytes =
    std::max(MaxPackedBytes(kMaxBlockValues), size_t{8} * kMaxBlockValues);

/// The size of the probe, which is compressed first: bytes of a raw payload, or groups of a packed
/// one. In web graphs, lists that repeat are only some lists apart.
constexpr size_t kProbeBytes = 12288;
constexpr uint32_t kProbeGroups = 48;
/// The share that the probe must save before the whole payload is tried. It is less than
/// kZstdMinimumSaving, because a short sample repeats less.
constexpr double kProbeSaving = 0.05;

/// Returns `context`, which a library allocated. Throws bad_alloc if the library returned null.
template <typename T>
T* Allocated(T* context) {
  if (context == nullptr) throw std::bad_alloc();
  return context;
}

struct ZstdDecompressor {
  ZSTD_DCtx* context = Allocated(ZSTD_createDCtx());
  std::vector<std::byte> form;
  ~ZstdDecompressor() { ZSTD_freeDCtx(context); }
};

bool IsPacked(Codec codec) { return codec <= Codec::kPackedValues; }

uint64_t HeaderSeed(const BlockHeader& header) {
  return XXH3_64bits(&header, offsetof(BlockHeader, checksum));
}

std::string BlockName(const BlockIdentity& identity) {
  return StrCat("block ", identity.block, " of ", ColumnName(identity.column));
}

}  // namespace

std::string_view ColumnName(ColumnKind column) {
  static const std::array<std::string, kNumColumns> kNames = [] {
    std::array<std::string, kNumColumns> names = {
        "out-offsets", "out-neighbors", "out-weights",      "in-offsets", "in-neighbors",
        "in-weights",  "external-ids",  "internal-of-rank", "names",      "name-groups"};
    for (size_t i = 0; i < kMaxEdgeColumns; ++i) {
      for (const bool incoming : {false, true}) {
        names[static_cast<size_t>(ValuesColumn(i, incoming))] =
            StrCat(incoming ? "in" : "out", "-column-", i + 1);
      }
    }
    return names;
  }();
  const size_t index = static_cast<size_t>(column);
  return index < kNumColumns ? std::string_view(kNames[index]) : "an unknown column";
}

bool IsNeighborColumn(ColumnKind column) {
  return column == ColumnKind::kOutNeighbors || column == ColumnKind::kInNeighbors;
}

uint64_t Checksum64(std::span<const std::byte> bytes, uint64_t seed) {
  return XXH3_64bits_withSeed(bytes.data(), bytes.size(), seed);
}

struct BlockSealer::State {
  ZSTD_CCtx* context = Allocated(ZSTD_createCCtx());
  std::vector<std::byte> compressed;
  std::vector<std::byte> form_memory;
  std::vector<uint64_t> rebuilt;
  ~State() { ZSTD_freeCCtx(context); }

  /// Compresses `bytes` into `compressed`; returns the share of `whole` bytes that this saves.
  double Compress(std::span<const std::byte> bytes, size_t whole) {
    compressed.resize(ZSTD_compressBound(bytes.size()));
    const size_t size = ZSTD_compressCCtx(context, compressed.data(), compressed.size(),
                                          bytes.data(), bytes.size(), kZstdLevel);
    if (ZSTD_getErrorCode(size) == ZSTD_error_memory_allocation) throw std::bad_alloc();
    CHECK(!ZSTD_isError(size));
    compressed.resize(size);
    return 1 - static_cast<double>(size) / static_cast<double>(whole);
  }

  Compression TryRaw(std::span<const std::byte> payload);
  Compression TryPacked(const PackedView& view, std::span<const std::byte> payload);
};

/// Leaves the compressed payload in `compressed` if that pays.
Compression BlockSealer::State::TryRaw(std::span<const std::byte> payload) {
  if (payload.size() > 3 * kProbeBytes) {
    const size_t middle = (payload.size() - kProbeBytes) / 2;
    if (Compress(payload.subspan(middle, kProbeBytes), kProbeBytes) < kProbeSaving) {
      return Compression::kNone;
    }
  }
  return Compress(payload, payload.size()) < kZstdMinimumSaving ? Compression::kNone
                                                                : Compression::kZstd;
}

/// The same with the byte form of a packed payload.
Compression BlockSealer::State::TryPacked(const PackedView& view,
                                          std::span<const std::byte> payload) {
  const uint32_t num_groups = view.num_groups();
  if (num_groups > 3 * kProbeGroups) {
    const uint32_t middle = (num_groups - kProbeGroups) / 2;
    size_t packed = 0;
    for (uint32_t i = 0; i < kProbeGroups; ++i) {
      packed += 8 + size_t{4} * view.header(middle + i).num_words();
    }
    const auto sample = MakeByteForm(view, middle, kProbeGroups, &form_memory);
    if (Compress(sample, packed) < kProbeSaving) return Compression::kNone;
  }
  const std::span<const std::byte> form = MakeByteForm(view, 0, num_groups, &form_memory);
  if (Compress(form, payload.size()) < kZstdMinimumSaving) return Compression::kNone;
  // A payload that cannot be rebuilt bit for bit is stored as it is. Only other encoders make such
  // payloads.
  rebuilt.resize((payload.size() + 7) / 8);
  const std::span<std::byte> back(reinterpret_cast<std::byte*>(rebuilt.data()), payload.size());
  const bool same = RebuildPacked(form, view.num_values(), back).ok() &&
                    std::memcmp(back.data(), payload.data(), payload.size()) == 0;
  return same ? Compression::kByteForm : Compression::kNone;
}

BlockSealer::BlockSealer() : state_(std::make_unique<State>()) {}
BlockSealer::~BlockSealer() = default;
BlockSealer::BlockSealer(BlockSealer&&) noexcept = default;
BlockSealer& BlockSealer::operator=(BlockSealer&&) noexcept = default;

BlockLocation BlockSealer::Seal(const BlockIdentity& identity, const BlockContents& contents,
                                std::span<const std::byte> payload, CompressionPolicy policy,
                                std::vector<std::byte>* out) {
  const auto [codec, num_values] = contents;
  CHECK_GT(num_values, 0u);
  CHECK_LE(num_values, kMaxBlockValues);
  Compression compression = Compression::kNone;
  if (policy == CompressionPolicy::kWhereItPays) {
    if (!IsPacked(codec)) {
      compression = state_->TryRaw(payload);
    } else if (const StatusOr<PackedView> view = PackedView::Open(payload, num_values); view.ok()) {
      compression = state_->TryPacked(*view, payload);
    }
  }
  const std::span<const std::byte> stored =
      compression == Compression::kNone ? payload : state_->compressed;
  BlockHeader header{};
  header.magic = kBlockMagic;
  header.version = kBlockVersion;
  header.column = identity.column;
  header.codec = codec;
  header.compression = compression;
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

StatusOr<BlockHeader> CheckBlock(const BlockIdentity& expected, const BlockContents& contents,
                                 const BlockLocation& location, std::span<const std::byte> stored) {
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
      header.compression > Compression::kByteForm ||
      (header.compression == Compression::kByteForm && !IsPacked(header.codec)) ||
      header.num_values == 0 || header.num_values > kMaxBlockValues) {
    return bad("its header contradicts itself or the catalog");
  }
  if (header.num_values != contents.num_values || header.codec != contents.codec) {
    return bad(StrCat("it holds ", header.num_values, " values of codec ",
                      static_cast<int>(header.codec), ", where its column has ",
                      contents.num_values, " of codec ", static_cast<int>(contents.codec)));
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
  thread_local ZstdDecompressor zstd;
  const auto bad = [&](std::string_view what) {
    return BadDataError(
        StrCat("block ", header.block, " of ", ColumnName(header.column), ": ", what));
  };
  std::span<std::byte> frame = out;
  if (header.compression == Compression::kByteForm) {
    const unsigned long long size = ZSTD_getFrameContentSize(payload.data(), payload.size());
    if (size > MaxByteFormBytes(header.num_values)) return bad("no byte form is so long");
    const size_t form_bytes = static_cast<size_t>(size);
    zstd.form.resize(std::max(zstd.form.size(), form_bytes + kByteFormSlackBytes));
    frame = std::span<std::byte>(zstd.form).first(form_bytes);
  }
  const size_t size =
      ZSTD_decompressDCtx(zstd.context, frame.data(), frame.size(), payload.data(), payload.size());
  if (ZSTD_isError(size) || size != frame.size()) {
    return bad(StrCat("Zstandard gives ",
                      ZSTD_isError(size) ? ZSTD_getErrorName(size) : "another length"));
  }
  if (header.compression != Compression::kByteForm) return OkStatus();
  const Status status = RebuildPacked(frame, header.num_values, out);
  return status.ok() ? status : bad(status.message());
}

}  // namespace edgemill
