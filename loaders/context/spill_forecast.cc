#include "loaders/context/spill_forecast.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <optional>
#include <vector>

#include "loaders/buckets/bucket_set.h"
#include "loaders/context/id_sets.h"
#include "loaders/context/ingest_plan.h"
#include "loaders/names/name_ranks.h"
#include "loaders/sort/renumberer.h"
#include "loaders/spill/spill_space.h"

namespace edgemill {
namespace {

/// Buckets are cut by a sample, so some are larger than intended. Some buckets are split if the
/// mean times this factor is above the size that can be sorted.
constexpr double kUneven = 1.3;
/// Pages are written when less than a quarter of them is free. If all keys fit in memory, pages are
/// written only when nearly none is free (SpillSpace::Create).
constexpr double kFilledBeforeWriting = 0.75;
constexpr double kFilledWhereItFits = 63.0 / 64;
/// Ends of the edges in a chunk of wide edges. Each id of a chunk is spilled once.
constexpr double kChunkEnds = 65536;
/// The most leading bits of keys that pages do not store as they are (spill_page.cc).
constexpr int kMaxSortedBits = 16;

/// The mean number of bits in which the keys of a page differ. Each page fills up and then ends.
class PageWidths {
 public:
  explicit PageWidths(uint64_t page_records) : page_records_(page_records) {}

  struct Page {
    uint64_t count = 0;
    uint32_t least[2] = {~0u, ~0u}, most[2] = {0, 0};
  };
  void Add(uint64_t key, Page* page) {
    const uint32_t ends[2] = {static_cast<uint32_t>(key >> 32), static_cast<uint32_t>(key)};
    for (int i = 0; i < 2; ++i) {
      page->least[i] = std::min(page->least[i], ends[i]);
      page->most[i] = std::max(page->most[i], ends[i]);
    }
    if (++page->count == page_records_) End(page);
  }
  void End(Page* page) {
    if (page->count == 0) return;
    const auto bits = std::bit_width(page->most[0] - page->least[0]) +
                      std::bit_width(page->most[1] - page->least[1]);
    bits_ += static_cast<double>(page->count) * bits;
    records_ += static_cast<double>(page->count);
    *page = Page();
  }
  double bits() const { return bits_ / std::max(1.0, records_); }

 private:
  const uint64_t page_records_;
  double bits_ = 0, records_ = 0;
};

/// The bits in which the keys of a page differ, when `keys` go to `buckets` buckets in this order.
double KeyBits(std::span<const uint64_t> keys, size_t buckets, uint64_t page_records) {
  constexpr size_t kSampled = 1 << 16;
  std::vector<uint64_t> some;
  for (size_t i = 0; i < keys.size(); i += keys.size() / kSampled + 1) some.push_back(keys[i]);
  const KeySplitters splitters = KeySplitters::FromSample(std::move(some), buckets);
  std::vector<uint16_t> places(keys.size());
  splitters.FindAll(keys, places.data());
  std::vector<PageWidths::Page> pages(splitters.size());
  PageWidths widths(page_records);
  for (size_t i = 0; i < keys.size(); ++i) widths.Add(keys[i], &pages[places[i]]);
  for (PageWidths::Page& page : pages) widths.End(&page);
  return widths.bits();
}

/// Whether many of the later `keys` are larger than all earlier ones.
bool KeysRise(std::span<const uint64_t> keys) {
  const auto half = keys.first(keys.size() / 2), rest = keys.subspan(keys.size() / 2);
  if (half.empty()) return false;
  const uint64_t most = *std::max_element(half.begin(), half.end());
  return std::count_if(rest.begin(), rest.end(), [most](uint64_t key) { return key > most; }) >
         static_cast<std::ptrdiff_t>(rest.size() / 8);
}

/// A model of how the edges of an ingest pass through temporary files.
class SpillModel {
 public:
  SpillModel(const GraphSchema& schema, const InputExtent& extent, const IngestPlan& plan)
      : schema_(schema),
        extent_(extent),
        plan_(plan),
        doubled_(schema.both_ways || schema.symmetrize),
        sets_(schema.columns.in || schema.symmetrize ? 2 : 1),
        record_bytes_(SpilledRecordBytes(schema.spilled_weight)),
        spread_edges_(extent.edges * (doubled_ ? 2 : 1)) {}

  /// Plans pages as EdgePartitioner::MakeBuckets does. If `beside` has a value, pages get more
  /// memory, but leave `beside` bytes. The size of a page follows from the number of buckets.
  void MakePages(std::optional<uint64_t> beside, uint64_t available) {
    const auto streams = [&](double buckets) {
      return static_cast<size_t>((buckets * 1.25 + 2) * sets_);
    };
    const auto bytes = static_cast<uint64_t>(SpreadMemory());
    const auto logged = static_cast<uint64_t>(schema_.renumbers() ? LogMemory() : 0);
    const auto bucket_edges = [&] { return static_cast<double>(plan_.sort.bucket_edges); };
    if (beside.has_value()) {
      plan_.GrowPages(bytes + logged, streams(spread_edges_ / bucket_edges() + 1), *beside,
                      available);
    }
    plan_.pages.FitTables(bytes);
    const double most =
        std::max(1.0, std::floor(static_cast<double>(plan_.pages.max_streams) / sets_ * 0.75));
    while (plan_.sort.workers > 1 && plan_.sort.edges_limit == 0 &&
           spread_edges_ / most > static_cast<double>(plan_.sort.max_edges) * 2 / 3 &&
           plan_.sort.SetWorkers(plan_.sort.workers - 1)) {
    }
    buckets_ = std::clamp(spread_edges_ / bucket_edges() + 1, 1.0, most);
    page_bytes_ = plan_.pages.PageBytes(streams(buckets_));
    const uint64_t writers = 2 * SpillSpace::WriterBytes(page_bytes_);
    pages_ = static_cast<double>((plan_.pages.bytes - std::min(plan_.pages.bytes / 4, writers)) /
                                 page_bytes_);
    const uint64_t held = PagePlan::HoldingBytes(bytes + logged, streams(buckets_));
    fits_ = held <= static_cast<uint64_t>(pages_) * page_bytes_;
  }
  /// Whether all edges that become keys stay in memory.
  bool fits() const { return fits_; }
  /// The bytes of `streams` streams that pages hold before any page is written.
  double HeldBytes(double streams) const {
    // The last page of a stream is half full.
    const double filled =
        pages_ * (fits_ ? kFilledWhereItFits : kFilledBeforeWriting) - streams / 2;
    return std::max(0.0, filled) * static_cast<double>(page_bytes_);
  }
  double streams() const { return buckets_ * sets_; }

  /// Bytes in memory of the edges in buckets, of the edges in a log, and of wide edges in a log.
  double SpreadMemory() const { return spread_edges_ * sets_ * record_bytes_; }
  double LogMemory() const { return extent_.edges * record_bytes_; }
  double WideMemory() const {
    return extent_.edges * (2 * sizeof(ExternalId) + SpilledWeightBytes(schema_.spilled_weight));
  }

  /// Bytes of a key of `key_bits` bits and its weight in a page, when there are `streams` streams.
  double PackedBytes(double key_bits, double streams) const {
    const double records = std::max(1.0, static_cast<double>(page_bytes_) / record_bytes_);
    const int high_bits = std::min(
        static_cast<int>(std::bit_width(static_cast<uint64_t>(records))) - 1, kMaxSortedBits);
    const double places = 1 + std::ldexp(1.0, high_bits) / records;
    const double weight_bits = schema_.spilled_weight == SpilledWeight::kInt32
                                   ? 9
                                   : 8 * SpilledWeightBytes(schema_.spilled_weight);
    const double packed = (std::max(0.0, key_bits - high_bits) + places + weight_bits) / 8;
    // Some pages of a stream are written at once: those that filled up since its last write. Half a
    // sector is lost at the end of each write.
    const double run = std::max(1.0, pages_ * kFilledBeforeWriting / streams - 1);
    return packed + kSpillAlignment / 2.0 / (run * records);
  }
  /// Bits of keys with graph ids, in one of `buckets` buckets, for any order of edges.
  double RankBits(double buckets) const {
    const double vertices = std::max(2.0, extent_.vertices);
    return std::ceil(std::log2(vertices)) + std::ceil(std::log2(std::max(1.0, vertices / buckets)));
  }
  /// Bits of keys with the ids as read, estimated by the sample.
  double ReadBits(double buckets) const {
    const auto records =
        static_cast<uint64_t>(std::max(1.0, static_cast<double>(page_bytes_) / record_bytes_));
    std::vector<uint64_t> keys(extent_.keys.begin(), extent_.keys.end());
    std::vector<uint64_t> reversed(keys.size());
    std::transform(keys.begin(), keys.end(), reversed.begin(), ReverseKey);
    const auto count = static_cast<size_t>(buckets);
    if (sets_ == 2 && !doubled_) {
      return (KeyBits(keys, count, records) + KeyBits(reversed, count, records)) / 2;
    }
    if (doubled_) {
      std::vector<uint64_t> both;
      for (size_t i = 0; i < keys.size(); ++i) both.insert(both.end(), {keys[i], reversed[i]});
      keys = std::move(both);
    }
    return KeyBits(keys, count, records);
  }
  /// Bytes of all keys in buckets, and of the keys of too large buckets, which are split. The files
  /// of split buckets stay, for a resume.
  double SpreadBytes(bool by_rank) const {
    const auto bytes_in = [&](double buckets) {
      const double bits = by_rank ? RankBits(buckets) : ReadBits(buckets);
      return spread_edges_ * sets_ * PackedBytes(bits, buckets * sets_) +
             buckets * sets_ * kSpillAlignment / 2;  // lost at the end of each stream
    };
    double bytes = bytes_in(buckets_);
    double buckets = buckets_;
    const auto most = static_cast<double>(plan_.sort.max_edges);
    // If keys rise, all keys above those of the sample go to the last bucket. It is cut as it
    // grows, so one bucket may be too large in the end.
    if (KeysRise(extent_.keys)) {
      bytes += bytes * std::min(1.0, static_cast<double>(plan_.sort.bucket_edges) / spread_edges_);
    }
    const double max_parts = std::clamp(pages_ / 4, 2.0, 128.0);
    for (double each = spread_edges_ / buckets; each * kUneven > most;
         each = spread_edges_ / buckets) {
      const double parts =
          std::clamp(each / static_cast<double>(plan_.sort.bucket_edges) + 1, 2.0, max_parts);
      const double share = std::clamp((each * kUneven - most) / (each * (kUneven - 1)), 0.0, 1.0);
      buckets *= parts;
      bytes += share * bytes_in(buckets);
      if (share < 1) break;
    }
    return bytes;
  }
  double LogBytes() const { return extent_.edges * PackedBytes(ReadBits(1), 1); }
  /// Bytes of the ids of wide edges: each id once for each of its chunks, and later once in all.
  double WideIdBytes() const {
    const double vertices = std::max(2.0, extent_.vertices);
    const double a_chunk = vertices * -std::expm1(-kChunkEnds / vertices);
    const double ids = std::min(2.0, 2 * a_chunk / kChunkEnds) * extent_.edges;
    return ids * PackedBytes(std::bit_width(extent_.max_id), buckets_) +
           extent_.vertices * sizeof(uint64_t);
  }

 private:
  const GraphSchema& schema_;
  const InputExtent& extent_;
  IngestPlan plan_;
  const bool doubled_;
  const double sets_;
  const double record_bytes_;
  const double spread_edges_;
  double buckets_ = 1;
  double pages_ = 1;
  uint64_t page_bytes_ = 1;
  bool fits_ = false;
};

/// The bytes that come to pages while edges are read, and the bytes on disk if all are written.
struct FirstPass {
  double bytes;
  double written;
};

/// Estimates the bytes that are written when `rest` bytes come after `first`; `all` are the bytes
/// if everything is written. If some of `first` must be written, everything is saved. Otherwise
/// only the bytes that pages cannot hold are written, those of `first` before the rest.
double Written(const SpillModel& model, const FirstPass& first, double rest, double all) {
  // Pages to which chunks are being copied hold memory, too.
  constexpr double kCertainlyFreeShare = 0.8;
  if (first.bytes > kCertainlyFreeShare * model.HeldBytes(1)) return all;
  const double beyond = std::max(0.0, first.bytes + rest - model.HeldBytes(model.streams()));
  const double of_first = std::min(beyond, first.bytes);
  return of_first * first.written / std::max(1.0, first.bytes) +
         (beyond - of_first) * (all - first.written) / std::max(1.0, rest);
}

/// Bytes of names when they are gathered, and again when they are merged. A name that the filter of
/// known names has lost is gathered again.
double NameBytes(const InputExtent& extent, const IngestPlan& plan) {
  const double names = std::max(1.0, extent.vertices);
  const double known = static_cast<double>(plan.name_filter_bytes) / sizeof(uint64_t);
  const double again = std::max(0.0, 2 * extent.edges - names) * std::max(0.0, 1 - known / names);
  return extent.name_bytes * (2 + again / names);
}

}  // namespace

StatusOr<double> ForecastSpills(const EdgeSourceInfo& info, const GraphSchema& schema,
                                const IngestOptions& options, const InputExtent& extent,
                                const MemoryBudget& budget) {
  const IdChoice ids{options.ids, options.max_vertex_id, options.num_vertices,
                     options.narrow_id_limit};
  const auto vertices = static_cast<uint64_t>(extent.vertices);
  IngestNeeds needs{.weighted = schema.weighted,
                    .num_id_sets = IdSets::NumNeeded(info, ids),
                    .named = info.named,
                    .input_bytes = info.input_bytes,
                    .num_vertices = options.num_vertices.value_or(info.num_vertices.value_or(0))};
  if (schema.renumbers()) needs.renumbering_bytes = Renumberer::MemoryBytes(needs.num_vertices);
  ASSIGN_OR_RETURN(const IngestPlan plan, PlanIngest(options, needs, budget));
  // The memory beside sets of ids and chunks.
  const uint64_t id_set_bytes = plan.id_set_bytes * static_cast<uint64_t>(needs.num_id_sets);
  const uint64_t taken = id_set_bytes + plan.chunk_bytes;
  const uint64_t available = plan.available_bytes - std::min(plan.available_bytes, taken);
  SpillModel model(schema, extent, plan);
  // The new ids of vertices are kept for a resume. So are the input's ids, if they leave gaps.
  const bool wide_allowed = needs.num_id_sets > 0 && options.ids != IdMode::kDense;
  const bool sparse = wide_allowed && !(info.usually_dense && options.ids == IdMode::kAuto);
  const double renumbered =
      schema.renumbers() ? extent.vertices * (sizeof(uint32_t) + (sparse ? sizeof(uint64_t) : 0))
                         : 0;
  if (info.named) {
    model.MakePages(std::nullopt, available);
    const uint64_t left = plan.available_bytes - plan.pages.total_bytes();
    const uint64_t rank_bytes = left - std::min(left, plan.chunk_bytes + left / 8);
    const auto slices = static_cast<double>(
        NameRanks::NumSlices(vertices, std::max<uint64_t>(rank_bytes, uint64_t{2} << 20)));
    const double names = NameBytes(extent, plan);
    const double log = schema.renumbers() ? model.LogBytes() + renumbered : 0;
    const double first = model.WideMemory() + names / 2;
    return Written(model, {first, first},
                   (slices - 1) * model.WideMemory() + names / 2 + model.SpreadMemory() +
                       (schema.renumbers() ? model.LogMemory() : 0),
                   slices * model.WideMemory() + names + log + model.SpreadBytes(true));
  }
  if (wide_allowed && extent.max_id >= plan.id_set_bytes * 8) {
    model.MakePages(std::nullopt, available);
    const double kept = schema.renumbers() ? renumbered : extent.vertices * sizeof(uint64_t);
    const double log = schema.renumbers() ? model.LogBytes() : 0;
    return Written(model, {model.WideMemory(), model.WideMemory()},
                   model.SpreadMemory() + model.WideIdBytes() + log,
                   model.WideMemory() + model.WideIdBytes() + kept + log + model.SpreadBytes(true));
  }
  std::optional<uint64_t> beside;
  if (!info.has_vertex_list) {
    beside = (wide_allowed ? static_cast<uint64_t>(2 * extent.edges) * sizeof(uint64_t) : 0) +
             (schema.renumbers() ? Renumberer::MemoryBytes(vertices) : 0);
  }
  model.MakePages(beside, available);
  if (model.fits()) return 0.0;
  // The ids that occur are saved with what was read.
  const double seen = static_cast<double>(
      std::min((extent.max_id / 8 + 1) * static_cast<uint64_t>(needs.num_id_sets), id_set_bytes));
  if (!schema.renumbers()) return model.SpreadBytes(false) + seen;
  return Written(model, {model.LogMemory(), model.LogBytes()}, model.SpreadMemory(),
                 model.LogBytes() + renumbered + model.SpreadBytes(true) + seen);
}

}  // namespace edgemill
