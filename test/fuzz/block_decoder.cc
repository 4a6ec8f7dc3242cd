// Arbitrary bytes as a stored block, with a wrong checksum and with the right one. CheckBlock takes
// only what is sealed. The decoders stay inside the payload and agree with the reference. No id at
// or beyond V is accepted.
#include <algorithm>
#include <cstring>
#include <string>
#include <vector>

#include "common/buffer.h"
#include "common/check.h"
#include "kernels/cpu/block_ids.h"
#include "kernels/cpu/decode.h"
#include "storage/format/block_format.h"
#include "storage/format/byte_form.h"
#include "test/fuzz/targets.h"

namespace edgemill {
namespace {

/// An 8-byte aligned copy with the slack that decoders may read, and not a byte more.
struct Payload {
  explicit Payload(std::span<const uint8_t> data)
      : words((data.size() + kDecodeSlackBytes + 7) / 8), size(data.size()) {
    if (size > 0) std::memcpy(words.data(), data.data(), size);
  }
  std::span<const std::byte> bytes() const {
    return {reinterpret_cast<const std::byte*>(words.data()), size};
  }
  std::vector<uint64_t> words;
  size_t size;
};

/// Decodes group `group` as lists of `list_size` edges, the first of source `source`. The accepted
/// lists must be those of the definition.
void CheckLists(const PackedView& view, uint32_t group, uint32_t source, uint32_t list_size,
                uint64_t num_vertices) {
  uint32_t reference[kGroupSize];
  UnpackGroup(view, group, reference);
  alignas(64) uint32_t values[kGroupSize];
  DecodeGroupValues(view, group, values);
  CHECK(std::equal(values, values + kGroupSize, reference));
  GroupPrefix prefix;
  DecodeGroupPrefix(view, group, &prefix);
  const uint32_t count = std::min<uint32_t>(kGroupSize, view.num_values() - group * kGroupSize);
  for (uint32_t begin = 0; begin < count; begin += list_size, ++source) {
    const uint32_t end = std::min(count, begin + list_size);
    const bool is_head = begin > 0 || source % 2 == 0;
    uint32_t id =
        is_head ? source + UnZigZag(reference[begin]) : view.header(group).base + reference[begin];
    bool inside = id < num_vertices;
    for (uint32_t i = begin + 1; i < end; ++i) {
      const uint32_t next = id + reference[i];
      inside = inside && next >= id && next < num_vertices;
      id = next;
    }
    uint32_t constant = 0;
    const bool accepted =
        ListConstant(prefix, source, begin, end, is_head, num_vertices, &constant);
    CHECK_EQ(accepted, inside);
    for (uint32_t i = begin; accepted && i < end; ++i) {
      CHECK_LT(prefix.sums()[i] + constant, num_vertices);
    }
  }
}

/// Decodes the whole block as lists of `list_size` edges, the first of source `source`; it may
/// begin before the block. Ids must be accepted if all are vertices, and must be right.
void CheckBlockIds(const PackedView& view, uint32_t source, uint32_t list_size,
                   uint64_t num_vertices) {
  static auto& memory = *new Buffer(*Buffer::Allocate(BlockIds::SizeBytes(kMaxBlockValues)));
  BlockIds ids(memory.data(), kMaxBlockValues);
  const uint32_t begin = source * 0x9e3779b9u;  // low bits of the first edge's number; any value
  std::vector<uint32_t> starts;
  for (uint32_t edge = 0; edge < view.num_values(); edge += list_size) {
    starts.push_back(begin + edge);
  }
  const bool continues = source % 2 == 0;
  bool inside = true;
  std::vector<uint32_t> expected;
  VisitNeighbors(
      view, 0, view.num_values(),
      [&](uint32_t edge) {
        const bool is_head = edge % list_size == 0 && !(continues && edge == 0);
        return std::pair(source + edge / list_size, is_head);
      },
      [&](uint32_t edge, uint32_t owner, uint32_t id) {
        const bool is_head = edge % list_size == 0 && !(continues && edge == 0);
        const uint32_t before = edge % kGroupSize == 0 ? view.header(edge / kGroupSize).base
                                                       : (expected.empty() ? 0 : expected.back());
        inside = inside && id < num_vertices && (is_head || id >= before);
        (void)owner;
        expected.push_back(id);
      });
  const BlockLists lists{source, continues, static_cast<uint32_t>(starts.size()), begin,
                         starts.data()};
  const bool accepted = ids.Decode(view, lists, num_vertices);
  // A group whose base is no vertex may be accepted if all its ids are vertices.
  if (inside) CHECK(accepted);
  for (size_t i = 0; accepted && i < expected.size(); ++i) {
    CHECK_EQ(ids.ids()[i], expected[i]);
    CHECK_LT(expected[i], num_vertices);
  }
}

/// Checks the first ids of the same lists. Here each list starts in the block.
void CheckListStarts(const PackedView& view, uint32_t source, uint32_t list_size,
                     uint64_t num_vertices) {
  std::vector<ListStart> lists;
  std::vector<uint32_t> expected;
  bool inside = true;
  std::vector<uint32_t> values(size_t{view.num_groups()} * kGroupSize);
  UnpackValues(view, values.data());
  for (uint32_t place = 0; place < view.num_values(); place += list_size, ++source) {
    const ListStart list{source, place, std::min(list_size, view.num_values() - place)};
    uint32_t id = source + UnZigZag(values[place]);
    for (uint32_t i = 0; i < kStartIds; ++i) {
      if (i > 0 && i < list.num_ids()) id += values[place + i];
      expected.push_back(i < list.num_ids() ? id : 0);
      inside = inside && expected.back() < num_vertices;
    }
    lists.push_back(list);
  }
  struct alignas(64) Vector {
    uint32_t ids[kStartIds];
  };
  std::vector<Vector> starts(lists.size());
  CHECK_EQ(DecodeListStarts(view, lists, num_vertices, starts.front().ids), inside);
  for (size_t i = 0; i < expected.size(); ++i) {
    CHECK_EQ(starts[i / kStartIds].ids[i % kStartIds], expected[i]);
  }
}

void DecodePayload(std::span<const std::byte> payload, uint32_t num_values, uint32_t seed) {
  const StatusOr<PackedView> view = PackedView::Open(payload, num_values);
  if (!view.ok()) return;
  static const auto& targets = *new std::vector<std::string>(DecodeTargets());
  CHECK(UseDecodeTarget(targets[(seed >> 5) % targets.size()]));
  std::vector<uint32_t> values(size_t{view->num_groups()} * kGroupSize);
  UnpackValues(*view, values.data());
  UnpackAscending(*view, values.data());
  constexpr uint64_t kBounds[] = {1, 100, uint64_t{1} << 20, kMaxVertices};
  CheckBlockIds(*view, seed % 1000, 1 + (seed >> 3) % 400, kBounds[seed % 4]);
  CheckListStarts(*view, seed % 1000, 1 + (seed >> 3) % 400, kBounds[seed % 4]);
  for (uint32_t group = 0; group < std::min(view->num_groups(), 8u); ++group) {
    CheckLists(*view, group, seed % 1000, 1 + (seed >> 3) % kGroupSize, kBounds[seed % 4]);
  }
}

/// Checks the bytes as a stored block. They are accepted only with the catalog's checksum, which is
/// taken from them.
void TryAsStored(std::span<const uint8_t> data) {
  const Payload stored(data);
  BlockLocation location{};
  BlockHeader header{};
  if (data.size() >= sizeof(header)) std::memcpy(&header, data.data(), sizeof(header));
  location.checksum = header.checksum;
  location.payload_bytes = header.payload_bytes;
  const BlockIdentity identity{Uuid{header.graph}, header.column, header.page, header.block};
  const StatusOr<BlockHeader> checked =
      CheckBlock(identity, {header.codec, header.num_values}, location, stored.bytes());
  if (!checked.ok()) return;
  CHECK_LE(sizeof(header) + checked->stored_bytes, data.size());
}

/// Takes the bytes as a byte form of `num_values` values, for a payload of any length. If a payload
/// is rebuilt, its own byte form must give the same payload.
void TryAsByteForm(std::span<const uint8_t> data, uint32_t num_values, uint32_t seed) {
  std::vector<std::byte> form(data.size() + kByteFormSlackBytes);
  std::copy_n(std::as_bytes(data).begin(), data.size(), form.begin());
  std::vector<uint64_t> words((MaxPackedBytes(num_values) + kDecodeSlackBytes) / 8);
  const size_t bytes = size_t{4} * (seed % (MaxPackedBytes(num_values) / 4 + 1));
  const std::span<std::byte> payload(reinterpret_cast<std::byte*>(words.data()), bytes);
  if (!RebuildPacked(std::span(form).first(data.size()), num_values, payload).ok()) return;
  const StatusOr<PackedView> view = PackedView::Open(payload, num_values);
  CHECK(view.ok());
  const std::span<const std::byte> again = MakeByteForm(*view, 0, view->num_groups(), &form);
  std::vector<uint64_t> twice(words.size());
  const std::span<std::byte> back(reinterpret_cast<std::byte*>(twice.data()), bytes);
  CHECK(RebuildPacked(again, num_values, back).ok());
  CHECK(std::equal(back.begin(), back.end(), payload.begin()));
}

/// Seals the bytes as a payload and opens the block. Then one bit is flipped, and the block must be
/// refused.
void TrySealed(std::span<const uint8_t> data, uint32_t num_values, uint32_t seed) {
  const Payload payload(data);
  const BlockIdentity identity{Uuid{}, ColumnKind::kOutNeighbors, 3, 1000};
  std::vector<std::byte> stored;
  static BlockSealer* const sealer = new BlockSealer();
  const CompressionPolicy policy =
      seed % 2 == 0 ? CompressionPolicy::kNever : CompressionPolicy::kWhereItPays;
  const BlockContents contents{Codec::kPackedNeighbors, num_values};
  const BlockLocation location = sealer->Seal(identity, contents, payload.bytes(), policy, &stored);
  const StatusOr<BlockHeader> header = CheckBlock(identity, contents, location, stored);
  CHECK(header.ok());
  std::vector<uint64_t> words((header->payload_bytes + kDecodeSlackBytes + 7) / 8);
  const std::span<std::byte> out(reinterpret_cast<std::byte*>(words.data()), header->payload_bytes);
  if (header->compression != Compression::kNone) {
    CHECK(DecompressPayload(*header, stored, out).ok());
  } else {
    const std::span<const std::byte> raw = StoredPayload(*header, stored);
    std::copy(raw.begin(), raw.end(), out.begin());
  }
  CHECK(std::equal(out.begin(), out.end(), payload.bytes().begin()));
  DecodePayload(out, num_values, seed);
  const size_t site = seed % (sizeof(BlockHeader) + header->stored_bytes);
  stored[site] ^= std::byte{1} << (seed >> 8) % 8;
  CHECK(!CheckBlock(identity, contents, location, stored).ok());
}

}  // namespace

void FuzzBlockDecoder(FuzzInput data) {
  if (data.size() < 8) return;
  uint32_t seed, num_values;
  std::memcpy(&seed, data.data(), 4);
  std::memcpy(&num_values, data.data() + 4, 4);
  const FuzzInput rest = data.subspan(8);
  TryAsStored(rest);
  TryAsByteForm(rest, 1 + num_values % 600, seed);
  DecodePayload(Payload(rest).bytes(), num_values % (kMaxBlockValues + 2), seed);
  if (!rest.empty()) TrySealed(rest, 1 + num_values % kMaxBlockValues, seed);
}

}  // namespace edgemill
