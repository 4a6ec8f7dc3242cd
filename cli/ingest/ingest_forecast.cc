#include "cli/ingest/ingest_forecast.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

#include "cli/ingest/ingest_sample.h"
#include "loaders/context/spill_forecast.h"
#include "loaders/stream/input_stream.h"

namespace edgemill::cli {
namespace {

constexpr uint64_t kMaxMemory = uint64_t{1} << 44;
/// The usual ratio by which gzip compresses text of ids. It is needed only for compressed inputs
/// that declare no count.
constexpr double kTypicalGzip = 4;
/// The same of bzip2, xz and Zstandard.
constexpr double kTypicalOthers = 8;
/// Spreading edges over buckets, and writing blocks, take about as long as sorting and packing.
constexpr double kStagesPerSort = 2;
/// The rate of writing and reading temporary files and blocks: that of a slow disk.
constexpr double kDiskBytesPerSecond = 400e6;
/// The least bits of an edge in any packed list.
constexpr double kMinEdgeBits = 1.5;
/// The factors from predicted bytes on disk to their bounds. Tests check that a bound is at least
/// what is taken, and at most 1.3 times as much.
constexpr double kStoredMargin = 1.1, kTemporaryMargin = 1.12;
/// The time for directories, the catalog and syncs.
constexpr double kFixedSeconds = 0.4;

double TypicalCompression(const EdgeSourceInfo& info) {
  double ratio = 1;
  for (const std::string& name : info.names) {
    InputCompression compression;
    StripCompression(name, &compression);
    if (compression == InputCompression::kNone) continue;
    ratio = std::max(ratio, compression == InputCompression::kGzip ? kTypicalGzip : kTypicalOthers);
  }
  return ratio;
}

double EdgesOf(const IngestSample& sample, const EdgeSourceInfo& info) {
  if (sample.whole) return sample.edges;
  if (info.expected_edges.has_value()) return static_cast<double>(*info.expected_edges);
  // Lines of a crawl get longer, so the rest is assumed to be like the last part of the sample. A
  // compressed input says how many of its own bytes the sample took, once it has read that far.
  const double factor = sample.stored_bytes > 0 ? sample.stored_bytes / sample.input_bytes
                                                : 1 / TypicalCompression(info);
  const double each = sample.last_input_bytes * factor / std::max(1.0, sample.last_edges);
  if (each == 0) return sample.edges;
  const double left = static_cast<double>(info.input_bytes) - sample.input_bytes * factor;
  return sample.edges + std::max(0.0, left) / each;
}

double Doublings(double from, double to) {
  return std::log2(std::max(1.0, to) / std::max(1.0, from));
}

/// The length of the range of ids in `edges` edges. It grows if the first half of the sample has
/// smaller ids than the whole sample, as in a crawl.
double RangeOf(const IngestSample& sample, double edges) {
  const double range = static_cast<double>(sample.max_id) + 1;
  constexpr double kGrows = 1.1;
  const double growth = std::clamp(range / (static_cast<double>(sample.half_max_id) + 1), 1.0, 2.0);
  return growth < kGrows ? range
                         : range * std::pow(growth, std::max(0.0, Doublings(sample.edges, edges)));
}

/// The vertices that occur in `edges` edges. Suppose that twice as many edges have a share r more
/// vertices. A second doubling then adds r^2 if all vertices are equally likely, and r in a crawl.
/// A quarter and a half of the sample show which power it is.
double VerticesOf(const IngestSample& sample, const EdgeSourceInfo& info,
                  const IngestOptions& options, double edges) {
  if (options.num_vertices.has_value()) return static_cast<double>(*options.num_vertices);
  if (info.num_vertices.has_value() && options.ids != IdMode::kSparse) {
    return static_cast<double>(*info.num_vertices);
  }
  if (sample.edges == 0) return 0;
  const auto more = [](double from, double to) {
    return std::clamp(to / std::max(1.0, from) - 1, 1e-6, 1 - 1e-6);
  };
  const double before = more(sample.quarter_vertices, sample.half.vertices);
  double rate = more(sample.half.vertices, sample.packed.vertices);
  const double power = std::clamp(std::log(rate) / std::log(before), 1.0, 2.0);
  double vertices = sample.packed.vertices;
  for (double left = Doublings(sample.edges, edges); left > 0; --left) {
    rate = std::pow(rate, power);
    vertices *= 1 + rate * std::min(1.0, left);
  }
  if (info.named) return vertices;
  const double range = RangeOf(sample, edges);
  const bool keeps_range = options.ids == IdMode::kDense || info.usually_dense;
  return keeps_range && options.ids != IdMode::kSparse ? range : std::min(range, vertices);
}

/// Bytes of a name. The more names there are, the more bytes each shares with the one before.
double NameBytes(const IngestSample& sample, double names) {
  constexpr double kMin = 2;  // its two lengths
  const double change = std::min(0.0, sample.name_bytes - sample.half_name_bytes);
  return std::max(kMin, sample.name_bytes + change * Doublings(sample.names, names));
}

/// Bits of an edge in all columns of a graph of `edges`, without its weight. A gap between random
/// neighbors takes a constant and log2(V / (1 + d)), with V vertices and d edges in a list. In a
/// crawl, gaps stay as they are. The halves of the sample show how much of each applies.
double EdgeBits(const IngestSample& sample, const GraphSchema& schema, double columns, double edges,
                double vertices) {
  const double directions = schema.both_ways || schema.symmetrize ? 2 : 1;
  constexpr double kMinDifference = 0.1;
  const PackedSample& packed = sample.packed;
  const auto at_random = [&](double some_edges, double some_vertices) {
    return std::log2(some_vertices / (1 + directions * some_edges / some_vertices));
  };
  if (packed.vertices == 0) return 0;
  const double before = at_random(packed.edges, packed.vertices);
  const double of_half = before - at_random(sample.half.edges, sample.half.vertices);
  const double found = (packed.neighbor_bits - sample.half.neighbor_bits) / columns;
  const double change = at_random(edges, std::max(packed.vertices, vertices)) - before;
  // If the halves differ too little to show this, takes the greater result.
  const double random = std::abs(of_half) < kMinDifference ? (change > 0 ? 1 : 0)
                                                           : std::clamp(found / of_half, 0.0, 1.0);
  const double more = random * change;
  return columns * std::max(kMinEdgeBits, packed.neighbor_bits / columns + more);
}

/// Bits of the edge columns of an edge in all columns: they are not sampled, and most values are
/// amounts, times or kinds.
double EdgeColumnBits(const GraphSchema& schema) {
  constexpr double kTypicalBits = 32;
  const double lists = schema.columns.out && schema.columns.in ? 2 : 1;
  return kTypicalBits * lists * static_cast<double>(schema.columns.edge_columns);
}

/// Bits of the weight of an edge in all columns.
double WeightBits(const IngestSample& sample, const GraphSchema& schema) {
  using Kind = WeightChoice::Kind;
  if (!schema.weighted) return 0;
  const double columns = schema.columns.out_weights && schema.columns.in_weights ? 2 : 1;
  switch (schema.weights.kind) {
    case Kind::kRandom:
      return columns * (std::log2(std::max(1.0, static_cast<double>(schema.weights.high))) + 1);
    case Kind::kFloat32:
      return columns * 32;
    case Kind::kFloat64:
      return columns * 64;
    default:
      return sample.packed.weight_bits;
  }
}

/// Bits of a vertex in the indexes of all columns. A list that is twice as long takes one bit more.
double OffsetBits(const IngestSample& sample, double columns, double edges, double vertices) {
  const PackedSample& packed = sample.packed;
  const double degree = edges / std::max(1.0, vertices);
  const double sampled = std::max(1.0, packed.edges) / std::max(1.0, packed.vertices);
  return packed.offset_bits + columns * std::max(0.0, std::log2(degree / sampled));
}

StatusOr<IngestForecast> Extrapolate(const IngestSample& sample, const EdgeSourceInfo& info,
                                     const GraphSchema& schema, const IngestOptions& options,
                                     const MemoryBudget& budget) {
  GraphSchema largest = schema;  // of all passes, in temporary bytes
  if (schema.columns.edge_columns > 0) largest.spilled_weight = SpilledWeight::kFloat64;
  IngestForecast estimate;
  estimate.input_edges = EdgesOf(sample, info);
  const bool doubled = schema.both_ways || schema.symmetrize;
  const double columns = schema.columns.out && schema.columns.in ? 2 : 1;
  estimate.stored_edges = estimate.input_edges * (doubled ? 2 : 1);
  estimate.vertices = VerticesOf(sample, info, options, estimate.input_edges);
  const double edge_bits =
      EdgeBits(sample, schema, columns, estimate.input_edges, estimate.vertices) +
      WeightBits(sample, schema) + EdgeColumnBits(schema);
  const double vertex_bits = OffsetBits(sample, columns, estimate.input_edges, estimate.vertices);
  double bytes = (estimate.stored_edges * edge_bits + estimate.vertices * vertex_bits) / 8;
  const double name_bytes = NameBytes(sample, estimate.vertices) * estimate.vertices;
  if (info.named) {
    bytes += name_bytes * sample.stored_name_share;
  } else if (options.ids != IdMode::kDense && sample.packed.vertices > 0) {
    const double gap = sample.half_id_bits - sample.id_bits;  // more bits if half as many occur
    const double more = Doublings(sample.packed.vertices, estimate.vertices);
    bytes += estimate.vertices * std::max(1.0, sample.id_bits - std::max(0.0, gap * more)) / 8;
  }
  if (schema.renumbers()) bytes += estimate.vertices * std::log2(1 + estimate.vertices) / 8;
  estimate.stored_bytes = kStoredMargin * bytes;
  const InputExtent extent{.edges = estimate.input_edges,
                           .vertices = estimate.vertices,
                           .name_bytes = name_bytes,
                           .max_id = sample.max_id,
                           .keys = sample.keys};
  ASSIGN_OR_RETURN(const double spilled, ForecastSpills(info, largest, options, extent, budget));
  estimate.temporary_bytes = kTemporaryMargin * spilled;
  InputExtent any = extent;
  any.keys = {};  // whether there are files does not depend on them
  double left = spilled;
  for (uint64_t memory = budget.total_bytes(); left > 0 && memory < kMaxMemory;) {
    memory += memory / 4;
    estimate.ample_memory = static_cast<double>(memory);
    ASSIGN_OR_RETURN(left, ForecastSpills(info, largest, options, any, MemoryBudget(memory)));
  }
  const double parse_seconds =
      sample.edges == 0 ? 0 : sample.seconds * estimate.input_edges / sample.edges;
  const double sort_seconds =
      sample.edges == 0 ? 0 : sample.sort_seconds * estimate.input_edges / sample.edges;
  const auto passes = static_cast<double>(1 + schema.columns.edge_columns);
  estimate.seconds = passes * (parse_seconds + kStagesPerSort * sort_seconds) / options.threads +
                     (estimate.stored_bytes + passes * 2 * spilled) / kDiskBytesPerSecond +
                     kFixedSeconds;
  return estimate;
}

}  // namespace

StatusOr<IngestForecast> ForecastIngest(EdgeSource& source, const IngestOptions& options,
                                        const MemoryBudget& budget) {
  ASSIGN_OR_RETURN(GraphSchema schema, DecideSchema(source.info(), options));
  ASSIGN_OR_RETURN(IngestSample sample, DrawSample(source, &schema));
  ASSIGN_OR_RETURN(IngestForecast forecast,
                   Extrapolate(sample, source.info(), schema, options, budget));
  forecast.sampled_edges = sample.edges;
  forecast.previews = std::move(sample.previews);
  return forecast;
}

}  // namespace edgemill::cli
