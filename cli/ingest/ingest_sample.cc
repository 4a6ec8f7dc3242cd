#include "cli/ingest/ingest_sample.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "common/clock.h"
#include "loaders/buckets/bucket_set.h"
#include "loaders/sort/record_sort.h"
#include "storage/format/block_format.h"
#include "storage/format/group_codec.h"
#include "storage/format/name_coding.h"

namespace edgemill::cli {
namespace {

/// So few that the sample fits into the memory that every process gets.
constexpr size_t kMaxKeys = size_t{1} << 18;
constexpr int kMaxChunks = 256;  // for chunks that hold few edges, or only vertices
constexpr size_t kMaxNames = size_t{1} << 17;
constexpr size_t kBlockEdges = 32768;
/// A name and its id, cut to 32 bits.
using NamedId = std::pair<std::string, uint32_t>;

/// Bits of a value in blocks as they are stored.
class BlockBits {
 public:
  BlockBits(ColumnKind column, Codec codec, CompressionPolicy policy)
      : column_(column), codec_(codec), policy_(policy) {}

  void Add(std::span<const std::byte> payload, size_t values) {
    sealed_.clear();
    const BlockContents contents{codec_, static_cast<uint32_t>(values)};
    const BlockLocation location =
        sealer_.Seal({.column = column_}, contents, payload, policy_, &sealed_);
    bytes_ += static_cast<double>(location.stored_bytes);
    values_ += static_cast<double>(values);
  }
  double bits() const { return 8 * bytes_ / std::max(1.0, values_); }

 private:
  const ColumnKind column_;
  const Codec codec_;
  const CompressionPolicy policy_;
  BlockSealer sealer_;
  std::vector<std::byte> sealed_;
  double bytes_ = 0, values_ = 0;
};

/// Adds values of `value_bytes` each, stored as they are.
void AddBytes(std::span<const std::byte> values, size_t value_bytes, BlockBits* bits) {
  const size_t block = kBlockEdges * value_bytes;
  std::vector<std::byte> payload(block + kDecodeSlackBytes);
  for (size_t first = 0; first < values.size(); first += block) {
    const auto some = values.subspan(first, std::min(block, values.size() - first));
    std::copy(some.begin(), some.end(), payload.begin());
    bits->Add(std::span(payload).first(some.size()), some.size() / value_bytes);
  }
}

/// Adds `values` in blocks. `pack(block, place of its first value, payload)` packs one block.
template <typename T, typename Pack>
void AddPacked(std::span<const T> values, Pack pack, BlockBits* bits) {
  std::vector<uint64_t> packed(
      (MaxPackedBytes(kBlockEdges) + kDecodeSlackBytes) / sizeof(uint64_t) + 1);
  auto* const payload = reinterpret_cast<std::byte*>(packed.data());
  for (size_t first = 0; first < values.size(); first += kBlockEdges) {
    const auto block = values.subspan(first, std::min(kBlockEdges, values.size() - first));
    bits->Add({payload, pack(block, first, payload)}, block.size());
  }
}

/// An edge as a key, and its place among the weights.
struct PlacedKey {
  uint64_t key;
  size_t place;
};

/// Bits of a weight, stored as the ingest will store it.
double WeightBits(std::span<const double> weights, CompressionPolicy policy) {
  BlockBits bits(ColumnKind::kOutWeights, Codec::kPackedValues, policy);
  std::vector<uint32_t> values;
  bool whole_numbers = true, single = true;
  const auto pack = [&](std::span<const double> block, size_t, std::byte* payload) {
    values.clear();
    for (const double weight : block) {
      const auto whole = static_cast<int32_t>(std::clamp(weight, -2147483648.0, 2147483647.0));
      whole_numbers &= whole == weight;
      single &= static_cast<double>(static_cast<float>(weight)) == weight;
      values.push_back(static_cast<uint32_t>(whole));
    }
    return PackValues(values, payload);
  };
  AddPacked(weights, pack, &bits);
  if (!whole_numbers) return 8.0 * (single ? sizeof(float) : sizeof(double));
  return bits.bits();
}

/// Bits of an offset. `offsets` are the places at which lists end, in ascending order.
double OffsetBits(std::span<const uint32_t> offsets, CompressionPolicy policy) {
  BlockBits bits(ColumnKind::kOutOffsets, Codec::kPackedAscending, policy);
  const auto pack = [&](std::span<const uint32_t> block, size_t first, std::byte* payload) {
    return PackAscending(block, first == 0 ? 0 : offsets[first - 1], payload);
  };
  AddPacked(offsets, pack, &bits);
  return bits.bits();
}

/// Sorts `edges`, packs and stores them as the ingest will, and adds the bits to `sample`. `ends`
/// is the number of vertices.
void AddColumns(std::vector<PlacedKey> edges, std::span<const double> weights, size_t ends,
                CompressionPolicy policy, PackedSample* sample) {
  std::sort(edges.begin(), edges.end(),
            [](const PlacedKey& a, const PlacedKey& b) { return a.key < b.key; });
  std::vector<uint64_t> keys;
  std::vector<double> sorted_weights;
  std::vector<uint32_t> offsets(ends);
  for (const PlacedKey& edge : edges) {
    keys.push_back(edge.key);
    if (!weights.empty()) sorted_weights.push_back(weights[edge.place]);
    offsets[edge.key >> 32] = static_cast<uint32_t>(keys.size());
  }
  for (size_t i = 1; i < ends; ++i) offsets[i] = std::max(offsets[i], offsets[i - 1]);
  BlockBits bits(ColumnKind::kOutNeighbors, Codec::kPackedNeighbors, policy);
  const auto pack = [&](std::span<const uint64_t> block, size_t first, std::byte* payload) {
    const auto previous = first == 0 ? std::nullopt : std::optional(keys[first - 1]);
    return PackNeighbors(block, previous, payload);
  };
  AddPacked(std::span<const uint64_t>(keys), pack, &bits);
  sample->neighbor_bits += bits.bits();
  sample->weight_bits += WeightBits(sorted_weights, policy);
  sample->offset_bits += OffsetBits(offsets, policy);
}

/// Packs all columns that `schema` has.
PackedSample PackColumns(std::span<const uint64_t> keys, std::span<const double> weights,
                         size_t ends, const GraphSchema& schema) {
  PackedSample sample{.edges = static_cast<double>(keys.size()),
                      .vertices = static_cast<double>(ends)};
  std::vector<PlacedKey> forward, reversed;
  for (size_t i = 0; i < keys.size(); ++i) {
    forward.push_back({keys[i], i});
    reversed.push_back({ReverseKey(keys[i]), i});
  }
  if (schema.both_ways || schema.symmetrize) {
    forward.insert(forward.end(), reversed.begin(), reversed.end());
    AddColumns(std::move(forward), weights, ends, schema.compression, &sample);
    return sample;
  }
  const std::span<const double> none;
  if (schema.columns.out) {
    AddColumns(std::move(forward), schema.columns.out_weights ? weights : none, ends,
               schema.compression, &sample);
  }
  if (schema.columns.in) {
    AddColumns(std::move(reversed), schema.columns.in_weights ? weights : none, ends,
               schema.compression, &sample);
  }
  return sample;
}

/// The different ends of the edges `keys`, in ascending order.
std::vector<uint32_t> EndsOf(std::span<const uint64_t> keys) {
  std::vector<uint32_t> ends;
  ends.reserve(2 * keys.size());
  for (const uint64_t key : keys) {
    ends.insert(ends.end(), {static_cast<uint32_t>(key >> 32), static_cast<uint32_t>(key)});
  }
  std::sort(ends.begin(), ends.end());
  ends.erase(std::unique(ends.begin(), ends.end()), ends.end());
  return ends;
}

/// `keys` with the ids of a graph that has only these edges. Ids are by degree if the graph
/// renumbers. Otherwise they are in the order of names, if there are any, or of the ids as read.
std::vector<uint64_t> WithIdsOfGraph(std::span<const uint64_t> keys, std::span<const uint32_t> ends,
                                     std::span<const NamedId> names, bool renumbers) {
  const auto place = [&](uint64_t id) {
    return static_cast<uint32_t>(std::lower_bound(ends.begin(), ends.end(), id) - ends.begin());
  };
  std::vector<uint64_t> ranked;
  ranked.reserve(keys.size());
  for (const uint64_t key : keys)
    ranked.push_back(EdgeKey(place(key >> 32), place(key & 0xffffffff)));
  std::vector<uint32_t> order(ends.size());  // the place of each end
  std::iota(order.begin(), order.end(), 0u);
  if (renumbers) {
    std::vector<uint32_t> degrees(ends.size());
    for (const uint64_t key : ranked) {
      ++degrees[key >> 32];
      ++degrees[static_cast<uint32_t>(key)];
    }
    std::stable_sort(order.begin(), order.end(),
                     [&](uint32_t a, uint32_t b) { return degrees[a] > degrees[b]; });
  } else if (!names.empty()) {
    order.clear();
    std::vector<bool> named(ends.size());
    for (const auto& [name, id] : names) {
      const size_t at = place(id);
      if (at < ends.size() && ends[at] == id && !named[at]) {
        order.push_back(static_cast<uint32_t>(at));
        named[at] = true;
      }
    }
    for (uint32_t at = 0; at < ends.size(); ++at) {
      if (!named[at]) order.push_back(at);
    }
  } else {
    return ranked;
  }
  std::vector<uint32_t> ids(ends.size());
  for (uint32_t id = 0; id < order.size(); ++id) ids[order[id]] = id;
  for (uint64_t& key : ranked) key = EdgeKey(ids[key >> 32], ids[static_cast<uint32_t>(key)]);
  return ranked;
}

/// Packs the sample's edges, to measure time and size. Also packs their first half, to see what
/// more edges change. Twice as many edges change nothing in a crawl, and a bit an edge at random.
void PackSample(const GraphSchema& schema, std::span<const NamedId> names,
                std::span<const double> weights, IngestSample* sample) {
  if (sample->keys.empty()) return;
  const auto pack = [&](std::span<const uint64_t> keys) {
    const std::vector<uint32_t> ends = EndsOf(keys);
    return PackColumns(WithIdsOfGraph(keys, ends, names, schema.renumbers()), weights, ends.size(),
                       schema);
  };
  const std::span<const uint64_t> keys(sample->keys);
  const auto half = keys.first((keys.size() + 1) / 2);
  sample->half = pack(half);
  for (const uint64_t key : half) {
    sample->half_max_id = std::max<ExternalId>({sample->half_max_id, key >> 32, key & 0xffffffff});
  }
  sample->quarter_vertices = static_cast<double>(EndsOf(half.first((half.size() + 1) / 2)).size());
  Stopwatch watch;
  sample->packed = pack(keys);
  sample->sort_seconds = watch.seconds();
}

/// Sorts the names without duplicates, and counts their bytes. Each name shares bytes with the one
/// before.
void PackNames(std::vector<NamedId>& names, CompressionPolicy policy, IngestSample* sample) {
  if (names.empty()) return;
  std::sort(names.begin(), names.end());
  names.erase(std::unique(names.begin(), names.end()), names.end());
  std::string all;
  const auto bytes_of_each = [&](size_t step) {
    NameEncoder encoder;
    std::string coded, before;
    for (size_t i = 0; i < names.size(); i += step) {
      if (i > 0 && names[i].first == before) continue;  // another's hash, cut, is the same
      before = names[i].first;
      encoder.Append(before, &coded);
    }
    if (step == 1) all = coded;
    return static_cast<double>(coded.size()) / static_cast<double>(encoder.num_names());
  };
  sample->names = static_cast<double>(names.size());
  sample->name_bytes = bytes_of_each(1);
  sample->half_name_bytes = bytes_of_each(2);
  BlockBits bits(ColumnKind::kNames, Codec::kRaw8, policy);
  AddBytes(std::as_bytes(std::span(all)), 1, &bits);
  sample->stored_name_share = bits.bits() / 8;
}

/// Counts the bits of ids that are stored as gaps, for all of `ids` and for every second one.
void PackIds(std::vector<uint64_t>& ids, CompressionPolicy policy, IngestSample* sample) {
  std::sort(ids.begin(), ids.end());
  ids.erase(std::unique(ids.begin(), ids.end()), ids.end());
  const auto bits_of_each = [&](size_t step) {
    std::vector<uint64_t> gaps;
    uint64_t before = 0;
    for (size_t i = 0; i < ids.size(); i += step)
      gaps.push_back(ids[i] - std::exchange(before, ids[i]));
    BlockBits bits(ColumnKind::kExternalIds, Codec::kRaw64Gaps, policy);
    AddBytes(std::as_bytes(std::span(gaps)), sizeof(uint64_t), &bits);
    return bits.bits();
  };
  sample->id_bits = bits_of_each(1);
  sample->half_id_bits = bits_of_each(2);
}

}  // namespace

StatusOr<IngestSample> DrawSample(EdgeSource& source, GraphSchema* schema) {
  IngestSample sample;
  sample.previews = source.info().previews;
  std::vector<NamedId> names;
  std::vector<double> weights;
  std::vector<uint64_t> ids;
  std::vector<NarrowEdge> first;
  bool is_wide = false;
  Stopwatch watch;
  EdgeChunk chunk;
  for (int i = 0; i < kMaxChunks && !sample.whole && sample.keys.size() < kMaxKeys; ++i) {
    ASSIGN_OR_RETURN(const bool more, source.Next(&chunk));
    sample.whole = !more;
    if (!more) break;
    // For formats without lines the preview has no rows yet.
    if (!sample.previews.empty() && sample.previews[0].separator.empty()) {
      sample.previews[0].AddRows(chunk, std::nullopt);
    }
    sample.edges += static_cast<double>(chunk.num_edges());
    sample.input_bytes += static_cast<double>(chunk.input_bytes);
    sample.stored_bytes += static_cast<double>(chunk.stored_bytes);
    sample.last_edges = static_cast<double>(chunk.num_edges());
    sample.last_input_bytes = static_cast<double>(chunk.input_bytes);
    for (const NameList::Entry& name : chunk.names.entries()) {
      if (names.size() == kMaxNames) break;
      names.emplace_back(chunk.names.TextOf(name), static_cast<uint32_t>(name.id));
    }
    weights.insert(weights.end(), chunk.weights.begin(), chunk.weights.end());
    is_wide |= !chunk.wide.empty();
    first.insert(first.end(), chunk.narrow.begin(), chunk.narrow.end());
    for (const NarrowEdge& edge : chunk.narrow) {
      sample.max_id = std::max<ExternalId>(sample.max_id, std::max(edge.source, edge.target));
      sample.keys.push_back(EdgeKey(edge.source, edge.target));
      ids.insert(ids.end(), {edge.source, edge.target});
    }
    for (const WideEdge& edge : chunk.wide) {
      sample.max_id = std::max({sample.max_id, edge.source, edge.target});
      ids.insert(ids.end(), {edge.source, edge.target});
      sample.keys.push_back(
          EdgeKey(static_cast<uint32_t>(edge.source), static_cast<uint32_t>(edge.target)));
    }
  }
  sample.seconds = watch.seconds();
  if (is_wide) first.clear();
  DecideRenumbering(first, schema);
  PackNames(names, schema->compression, &sample);
  if (!source.info().named) PackIds(ids, schema->compression, &sample);
  PackSample(*schema, names, schema->weighted ? weights : std::vector<double>(), &sample);
  return sample;
}

}  // namespace edgemill::cli
