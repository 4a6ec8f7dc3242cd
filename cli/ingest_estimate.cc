#include "cli/ingest_estimate.h"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "common/clock.h"
#include "common/file.h"
#include "common/strings.h"
#include "common/units.h"
#include "loaders/ingest_plan.h"

namespace edgemill::cli {
namespace {

constexpr int kSampleChunks = 16;
/// What text of ids usually shrinks to; only inputs that are compressed and declare no count need
/// it.
constexpr double kTypicalGzip = 4;
constexpr double kTypicalZstd = 8;
/// Sorting and encoding take about as long as parsing text does, and half as long again for spills.
constexpr double kStagesPerParse = 2.5;

struct Sample {
  double edges = 0;
  double input_bytes = 0;
  double seconds = 0;
  ExternalId max_id = 0;
  bool whole = false;  // the sample is all there is
};

StatusOr<Sample> TakeSample(EdgeSource& source) {
  Sample sample;
  Stopwatch watch;
  EdgeChunk chunk;
  for (int i = 0; i < kSampleChunks && !sample.whole; ++i) {
    ASSIGN_OR_RETURN(const bool more, source.Next(&chunk));
    sample.whole = !more;
    if (!more) break;
    sample.edges += static_cast<double>(chunk.num_edges());
    sample.input_bytes += static_cast<double>(chunk.input_bytes);
    for (const NarrowEdge& edge : chunk.narrow) {
      sample.max_id = std::max<ExternalId>(sample.max_id, std::max(edge.source, edge.target));
    }
    for (const WideEdge& edge : chunk.wide) {
      sample.max_id = std::max({sample.max_id, edge.source, edge.target});
    }
  }
  sample.seconds = watch.seconds();
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

Estimate Extrapolate(const Sample& sample, const EdgeSourceInfo& info, const IngestOptions& options,
                     int threads) {
  Estimate estimate;
  estimate.input_edges = sample.edges;
  if (!sample.whole && info.expected_edges.has_value()) {
    estimate.input_edges = static_cast<double>(*info.expected_edges);
  } else if (!sample.whole && sample.input_bytes > 0) {
    const double bytes = static_cast<double>(info.input_bytes) * TypicalCompression(info);
    estimate.input_edges = std::max(sample.edges, bytes * sample.edges / sample.input_bytes);
  }
  const bool doubled = options.direction == EdgeDirection::kUndirected ||
                       options.direction == EdgeDirection::kSymmetrize ||
                       (options.direction == EdgeDirection::kAsSource && info.undirected);
  const bool symmetric =
      doubled || info.symmetric || options.direction == EdgeDirection::kSymmetric;
  const bool two_columns = !symmetric && options.columns == ColumnChoice::kBoth;
  const bool weighted = options.weights.kind == WeightChoice::Kind::kRandom ||
                        (info.weighted && options.weights.kind != WeightChoice::Kind::kNone);
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
  const double bits = gap_bits + (weighted ? 10 : 0) + 8 / std::max(0.1, degree);
  estimate.stored_bytes = estimate.stored_edges * bits / 8 * (two_columns ? 2 : 1);
  estimate.spill_bytes = estimate.stored_edges * (weighted ? 16 : 8) * (two_columns ? 2 : 1);
  const double parse_seconds =
      sample.edges == 0 ? 0 : sample.seconds * estimate.input_edges / sample.edges;
  estimate.seconds = parse_seconds * kStagesPerParse / threads *
                     (estimate.stored_edges / std::max(1.0, estimate.input_edges)) *
                     (two_columns ? 1.5 : 1);
  return estimate;
}

/// The nearest folder at or above `path` that exists.
std::string ExistingPlace(std::string path) {
  while (!path.empty() && !PathExists(path)) {
    const size_t slash = path.find_last_of('/');
    if (slash == std::string::npos) return ".";
    path.resize(slash);
  }
  return path.empty() ? "/" : path;
}

}  // namespace

Status EstimateIngest(EdgeSource& source, const std::string& out, const IngestOptions& options,
                      Session& session) {
  // Two sets of seen ids are what ingest needs at most: this refuses what ingest would refuse.
  RETURN_IF_ERROR(
      PlanIngest(options, {.weighted = true, .num_id_sets = 2}, session.budget()).status());
  ASSIGN_OR_RETURN(const Sample sample, TakeSample(source));
  const Estimate estimate = Extrapolate(sample, source.info(), options, session.threads());
  const auto whole = [](double value) { return static_cast<uint64_t>(std::max(0.0, value)); };
  // What fits the budget's spill share is never written.
  const double in_memory = static_cast<double>(session.budget().available_bytes()) * 5 / 16;
  const double spill = estimate.spill_bytes > in_memory ? estimate.spill_bytes : 0;
  std::vector<std::string> places = options.data_directories;
  if (places.empty()) places.push_back(out);
  uint64_t free_bytes = 0;
  for (const std::string& place : places) {
    ASSIGN_OR_RETURN(const uint64_t free, FreeDiskBytes(ExistingPlace(place)));
    free_bytes += free;
  }
  const nlohmann::ordered_json json = {{"command", "ingest"},
                                       {"dry_run", true},
                                       {"sampled_edges", whole(sample.edges)},
                                       {"input_edges", whole(estimate.input_edges)},
                                       {"edges", whole(estimate.stored_edges)},
                                       {"stored_bytes", whole(estimate.stored_bytes)},
                                       {"temporary_bytes", whole(spill)},
                                       {"free_bytes", free_bytes},
                                       {"memory_bytes", session.memory_bytes()},
                                       {"seconds", estimate.seconds}};
  session.SetJson(json.dump(2));
  return session.Print(
      StrCat("an estimate, from ", FormatCount(whole(sample.edges)),
             " edges read\nedges           about ", FormatCount(whole(estimate.input_edges)),
             ", stored as ", FormatCount(whole(estimate.stored_edges)), "\ndisk            about ",
             FormatBytes(whole(estimate.stored_bytes)), ", and ", FormatBytes(whole(spill)),
             " while it runs; ", FormatBytes(free_bytes), " are free\nmemory          at most ",
             FormatBytes(session.memory_bytes()), " (--memory)\ntime            about ",
             FormatFixed(std::max(0.1, estimate.seconds), 1), " s\n"));
}

}  // namespace edgemill::cli
