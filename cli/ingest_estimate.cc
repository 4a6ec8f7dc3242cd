#include "cli/ingest_estimate.h"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <optional>
#include <span>
#include <vector>

#include "cli/input_text.h"
#include "cli/json_text.h"
#include "common/clock.h"
#include "common/file_systems.h"
#include "common/strings.h"
#include "common/units.h"
#include "loaders/buckets/bucket_set.h"
#include "loaders/ingest/ingest.h"
#include "loaders/means/ingest_plan.h"
#include "loaders/means/ingest_shape.h"
#include "loaders/sort/record_sort.h"
#include "storage/format/group_codec.h"

namespace edgemill::cli {
namespace {

constexpr int kSampleChunks = 16;
/// What text of ids usually shrinks to; only inputs that are compressed and declare no count need
/// it.
constexpr double kTypicalGzip = 4;
constexpr double kTypicalZstd = 8;
/// Spreading edges over buckets, and writing blocks, take about as long as sorting and packing.
constexpr double kStagesPerSort = 2;
/// Temporary files and blocks, written and read: a disk of the slower kind.
constexpr double kDiskBytesPerSecond = 400e6;
/// What Zstandard leaves of packed lists that are near each other.
constexpr double kZstdOfCrawls = 0.8;
/// Buckets that are split are written again.
constexpr double kSpilledTwice = 2;
/// Sorted names share much of their bytes.
constexpr double kBytesPerName = 8;
/// Directories, the catalog and syncs.
constexpr double kFixedSeconds = 0.4;
/// Times depend on what else the machine does: they are given as a range.
constexpr double kRangeLow = 0.6, kRangeHigh = 2.0;

struct Sample {
  double edges = 0;
  double input_bytes = 0;
  double seconds = 0;
  ExternalId max_id = 0;       // of names: how many less 1
  bool whole = false;          // the sample is all there is
  std::vector<uint64_t> keys;  // of its edges; wide ids are cut
  double sort_seconds = 0;     // sorting and packing them
  double packed_bits = 0;      // an edge of them
  std::vector<InputLook> looks;
};

void AddKey(uint64_t key, Sample* sample) {
  constexpr size_t kMostKeys = 1 << 20;  // 8 MiB
  if (sample->keys.size() < kMostKeys) sample->keys.push_back(key);
}

/// Sorts and packs the sample's edges, as the ingest will, for time and size.
void PackSample(Sample* sample) {
  if (sample->keys.empty()) return;
  constexpr size_t kBlockEdges = 32768;
  Stopwatch watch;
  const std::span<uint64_t> keys(sample->keys);
  SortNumbers(keys);
  std::vector<uint64_t> packed(MaxPackedBytes(kBlockEdges) / sizeof(uint64_t) + 1);
  double bytes = 0;
  for (size_t first = 0; first < keys.size(); first += kBlockEdges) {
    const auto block = keys.subspan(first, std::min(kBlockEdges, keys.size() - first));
    const auto previous = first == 0 ? std::nullopt : std::optional(keys[first - 1]);
    bytes += static_cast<double>(
        PackNeighbors(block, previous, reinterpret_cast<std::byte*>(packed.data())));
  }
  const auto num_keys = static_cast<double>(keys.size());
  sample->packed_bits = 8 * bytes / num_keys;
  sample->sort_seconds = watch.seconds() * sample->edges / num_keys;
  sample->keys = {};
}

StatusOr<Sample> TakeSample(EdgeSource& source) {
  Sample sample;
  sample.looks = source.info().looks;
  const bool named = source.info().named;
  std::vector<uint64_t> names;  // by hash
  Stopwatch watch;
  EdgeChunk chunk;
  for (int i = 0; i < kSampleChunks && !sample.whole; ++i) {
    ASSIGN_OR_RETURN(const bool more, source.Next(&chunk));
    sample.whole = !more;
    if (!more) break;
    // Of formats without lines the look has no rows yet.
    if (!sample.looks.empty() && sample.looks[0].separator.empty()) {
      sample.looks[0].AddRows(chunk, std::nullopt);
    }
    sample.edges += static_cast<double>(chunk.num_edges());
    sample.input_bytes += static_cast<double>(chunk.input_bytes);
    for (const NameList::Entry& name : chunk.names.entries()) names.push_back(name.id);
    for (const NarrowEdge& edge : chunk.narrow) {
      sample.max_id = std::max<ExternalId>(sample.max_id, std::max(edge.source, edge.target));
      AddKey(EdgeKey(edge.source, edge.target), &sample);
    }
    for (const WideEdge& edge : chunk.wide) {
      if (!named) sample.max_id = std::max({sample.max_id, edge.source, edge.target});
      AddKey(EdgeKey(static_cast<uint32_t>(edge.source), static_cast<uint32_t>(edge.target)),
             &sample);
    }
  }
  sample.seconds = watch.seconds();
  std::sort(names.begin(), names.end());
  const auto end = std::unique(names.begin(), names.end());
  if (end != names.begin()) sample.max_id = static_cast<uint64_t>(end - names.begin()) - 1;
  PackSample(&sample);
  return sample;
}

double TypicalCompression(const EdgeSourceInfo& info) {
  const auto any = [&](std::string_view suffix) {
    return std::any_of(info.names.begin(), info.names.end(),
                       [&](const std::string& name) { return name.ends_with(suffix); });
  };
  return any(".zst") ? kTypicalZstd : any(".gz") ? kTypicalGzip : 1;
}

struct Estimate {
  double input_edges = 0;
  double stored_edges = 0;
  double vertices = 0;
  double stored_bytes = 0;
  double spill_bytes = 0;
  double seconds = 0;
};

Estimate Extrapolate(const Sample& sample, const EdgeSourceInfo& info, const IngestShape& shape,
                     int threads) {
  Estimate estimate;
  estimate.input_edges = sample.edges;
  if (!sample.whole && info.expected_edges.has_value()) {
    estimate.input_edges = static_cast<double>(*info.expected_edges);
  } else if (!sample.whole && sample.input_bytes > 0) {
    const double bytes = static_cast<double>(info.input_bytes) * TypicalCompression(info);
    estimate.input_edges = std::max(sample.edges, bytes * sample.edges / sample.input_bytes);
  }
  const bool doubled = shape.both_ways || shape.symmetrize;
  const bool two_columns = shape.write_out && shape.write_in;
  estimate.stored_edges = estimate.input_edges * (doubled ? 2 : 1);
  // Ids of a sample of a crawl lie low: at least one vertex in 64 edges is assumed.
  estimate.vertices =
      info.num_vertices.has_value()
          ? static_cast<double>(*info.num_vertices)
          : std::min(estimate.input_edges * 2,
                     std::max(static_cast<double>(sample.max_id) + 1, estimate.input_edges / 64));
  const double degree = estimate.stored_edges / std::max(1.0, estimate.vertices);
  // Random targets: a gap takes log2(V / degree) bits and about 2 more for its spread.
  const double gap_bits = std::log2(std::max(1.0, estimate.vertices / std::max(1.0, degree))) + 2;
  // Lists of a crawl come whole in the sample and pack better than random ones.
  const double edge_bits = std::min(gap_bits, sample.packed_bits * kZstdOfCrawls);
  const double bits = edge_bits + (shape.weighted ? 10 : 0) + 8 / std::max(0.1, degree);
  estimate.stored_bytes = estimate.stored_edges * bits / 8 * (two_columns ? 2 : 1);
  estimate.spill_bytes = estimate.stored_edges * (two_columns ? 2 : 1) *
                         SpilledRecordEstimate(estimate.vertices, 1, shape.spilled_weight);
  if (info.named) {
    estimate.stored_bytes += kBytesPerName * estimate.vertices;
    // Edges by hash; names come several times.
    estimate.spill_bytes += 16 * estimate.input_edges + 2 * kBytesPerName * estimate.vertices;
  }
  const double parse_seconds =
      sample.edges == 0 ? 0 : sample.seconds * estimate.input_edges / sample.edges;
  const double sort_seconds =
      sample.edges == 0 ? 0 : sample.sort_seconds * estimate.stored_edges / sample.edges;
  estimate.seconds =
      (parse_seconds + kStagesPerSort * sort_seconds * (two_columns ? 2 : 1)) / threads +
      (estimate.stored_bytes + 2 * estimate.spill_bytes) / kDiskBytesPerSecond + kFixedSeconds;
  return estimate;
}

/// What there is to say of a file system that several places share; else nothing.
std::string DescribeSharing(const FileSystem& file_system) {
  const size_t count = file_system.places.size();
  if (count < 2) return "";
  std::string text = "                ";
  for (size_t i = 0; i < count; ++i) {
    text += StrCat(i == 0 ? "" : i + 1 == count ? " and " : ", ", file_system.places[i]);
  }
  return text + " share a file system\n";
}

}  // namespace

Status EstimateIngest(EdgeSource& source, const std::string& out, const IngestOptions& options,
                      Session& session) {
  // Two sets of seen ids are what ingest needs at most: this refuses what ingest would refuse.
  RETURN_IF_ERROR(
      PlanIngest(options, {.weighted = true, .num_id_sets = 2}, session.budget()).status());
  ASSIGN_OR_RETURN(const IngestShape shape, DecideShape(source.info(), options));
  session.progress().StartStage("reading a sample", "edges", 0);
  ASSIGN_OR_RETURN(const Sample sample, TakeSample(source));
  const Estimate estimate = Extrapolate(sample, source.info(), shape, session.threads());
  const auto whole = [](double value) { return static_cast<uint64_t>(std::max(0.0, value)); };
  const double spill = kSpilledTwice * estimate.spill_bytes;
  std::vector<std::string> places = options.data_directories;
  if (places.empty()) places.push_back(out);
  ASSIGN_OR_RETURN(const std::vector<FileSystem> file_systems, FileSystemsOf(places));
  ASSIGN_OR_RETURN(const std::vector<FileSystem> for_spills,
                   FileSystemsOf(options.spill_directories));
  std::string sharing;
  for (const auto* some : {&file_systems, &for_spills}) {
    for (const FileSystem& file_system : *some) sharing += DescribeSharing(file_system);
  }
  const uint64_t free_bytes = FreeBytes(file_systems);
  const bool apart = !options.spill_directories.empty();
  const std::string disk =
      apart ? StrCat("; ", FormatBytes(free_bytes), " are free\ntemporary       up to ",
                     FormatBytes(whole(spill)), " while it runs; ",
                     FormatBytes(FreeBytes(for_spills)), " are free (--spill)\n")
            : StrCat(", and up to ", FormatBytes(whole(spill)), " while it runs; ",
                     FormatBytes(free_bytes), " are free\n");
  const std::vector<std::string> notes = IngestNotes(source.info(), options.direction);
  std::string noted;
  for (const std::string& note : notes) noted += StrCat("note            ", note, "\n");
  nlohmann::ordered_json json = {{"command", "ingest"},
                                 {"dry_run", true},
                                 {"inputs", InputsJson<nlohmann::ordered_json>(sample.looks)},
                                 {"notes", notes},
                                 {"sampled_edges", whole(sample.edges)},
                                 {"input_edges", whole(estimate.input_edges)},
                                 {"edges", whole(estimate.stored_edges)},
                                 {"stored_bytes", whole(estimate.stored_bytes)},
                                 {"temporary_bytes", whole(spill)},
                                 {"free_bytes", free_bytes},
                                 {"memory_bytes", session.memory_bytes()},
                                 {"seconds", estimate.seconds},
                                 {"seconds_low", kRangeLow * estimate.seconds},
                                 {"seconds_high", kRangeHigh * estimate.seconds}};
  if (apart) json["spill_free_bytes"] = FreeBytes(for_spills);
  session.SetJson(JsonText(json));
  return session.Print(StrCat(
      InputsText(sample.looks), noted, "an estimate, from ", FormatCount(whole(sample.edges)),
      " edges read\nedges           about ", FormatCount(whole(estimate.input_edges)),
      ", stored as ", FormatCount(whole(estimate.stored_edges)), "\ndisk            about ",
      FormatBytes(whole(estimate.stored_bytes)), disk, sharing, "memory          at most ",
      FormatBytes(session.memory_bytes()), " (--memory)\ntime            ",
      FormatFixed(kRangeLow * estimate.seconds, 1), " to ",
      FormatFixed(kRangeHigh * estimate.seconds, 1), " s\n"));
}

}  // namespace edgemill::cli
