#include "bench/scaling/scaling.h"

#include <algorithm>
#include <optional>

#include "bench/record/sample_statistics.h"
#include "bench/scaling/memory_probe.h"
#include "bench/trials/known_algorithms.h"
#include "common/strings.h"

namespace edgemill::bench {
namespace {

/// A metric's name in parts: "FIGURE, N threads: KIND".
struct ThreadedName {
  std::string figure;
  int threads = 0;
  std::string kind;
};

std::optional<ThreadedName> ParseName(std::string_view name) {
  const size_t colon = name.rfind(": ");
  if (colon == std::string_view::npos) return std::nullopt;
  const size_t comma = name.rfind(", ", colon);
  if (comma == std::string_view::npos) return std::nullopt;
  const std::string_view count = name.substr(comma + 2, colon - comma - 2);
  ThreadedName parts{std::string(name.substr(0, comma)), 0, std::string(name.substr(colon + 2))};
  const bool has_threads = ParseNumber(count.substr(0, count.find(' ')), &parts.threads) &&
                           NameWithThreads(parts.figure, parts.threads) == name.substr(0, colon);
  return has_threads ? std::optional(parts) : std::nullopt;
}

class BoundFinder {
 public:
  explicit BoundFinder(const BenchmarkResult& result) : result_(result) {}

  /// Adds the nearest bound, and the speed-up, to a row that has its seconds.
  void Complete(ScalingRow* row) const;

 private:
  /// The median of a metric; 0 where there is none.
  double Of(std::string_view name) const {
    for (const Metric& metric : result_.metrics) {
      if (metric.name == name) return Median(metric.samples);
    }
    return 0;
  }
  double Of(std::string_view what, int threads, std::string_view kind) const {
    return Of(StrCat(NameWithThreads(what, threads), ": ", kind));
  }
  /// The highest rate of plain reads of a directory, or of all together.
  double DiskRate() const {
    double rate = 0;
    for (const Metric& metric : result_.metrics) {
      if (!metric.name.ends_with(kPlainReads)) continue;
      rate = std::max(rate, Median(metric.samples));
    }
    return rate;
  }

  static constexpr std::string_view kPlainReads = ", plain O_DIRECT reads: rate";
  const BenchmarkResult& result_;
};

void BoundFinder::Complete(ScalingRow* row) const {
  const int threads = row->threads;
  const double one_thread = Of(row->figure, 1, "time");
  row->speed_up = one_thread / row->seconds;
  const auto consider = [&](std::string_view bound, double work, double rate) {
    if (rate <= 0 || work / rate <= row->bound_seconds) return;
    row->bound = bound;
    row->bound_seconds = work / rate;
  };
  if (threads > 1) consider("cores", one_thread, threads);  // one thread is no bound of itself
  const double input = Of(row->figure, threads, "input");
  consider("disk", input, DiskRate());
  consider("copy", input, Of(kCopy, threads, "rate"));
  consider("first touch", Of(row->figure, threads, "memory"), Of(kTouchHugePages, threads, "rate"));
  const KnownAlgorithm* const known = FindKnown(row->figure);
  if (known != nullptr && known->gathers) {
    consider("random gathers", Of(row->figure, threads, "edges"), Of(kGather, threads, "rate"));
  }
}

}  // namespace

std::string NameWithThreads(std::string_view what, int threads) {
  return StrCat(what, ", ", threads, threads == 1 ? " thread" : " threads");
}

std::vector<ScalingRow> ScalingRows(const BenchmarkResult& result) {
  std::vector<ScalingRow> rows;
  const BoundFinder bounds(result);
  for (const Metric& metric : result.metrics) {
    const std::optional<ThreadedName> name = ParseName(metric.name);
    if (!name.has_value() || name->kind != "time") continue;
    const auto [least, most] = std::minmax_element(metric.samples.begin(), metric.samples.end());
    ScalingRow row{.figure = name->figure,
                   .threads = name->threads,
                   .seconds = Median(metric.samples),
                   .min_seconds = *least,
                   .max_seconds = *most};
    bounds.Complete(&row);
    rows.push_back(std::move(row));
  }
  std::stable_sort(rows.begin(), rows.end(), [&](const ScalingRow& a, const ScalingRow& b) {
    return a.figure != b.figure ? a.figure < b.figure : a.threads < b.threads;
  });
  return rows;
}

}  // namespace edgemill::bench
