#include "cli/display/estimate_text.h"

#include <cmath>
#include <nlohmann/json.hpp>
#include <string_view>

#include "cli/display/json_text.h"
#include "common/strings.h"
#include "common/units.h"

namespace edgemill::cli {
namespace {

/// Two digits: estimates are not more exact.
std::string About(double value) {
  if (value <= 0) return "0";
  const double unit = std::pow(10, std::floor(std::log10(value)) - 1);
  const double rounded = std::round(value / unit) * unit;
  if (rounded >= 10) return FormatCount(static_cast<uint64_t>(std::llround(rounded)));
  return FormatFixed(rounded, rounded >= 1 ? 1 : rounded >= 0.1 ? 2 : 3);
}

std::string AboutSeconds(double seconds) {
  constexpr double kMinute = 60, kHour = 3600;
  if (seconds >= 2 * kHour) return StrCat(About(seconds / kHour), " hours");
  if (seconds >= 2 * kMinute) return StrCat(About(seconds / kMinute), " minutes");
  return StrCat(About(seconds), " s");
}

std::string EdgesText(const RunEstimate& estimate) {
  const std::string bytes = FormatBytes(estimate.edge_bytes);
  if (!estimate.fits) return bytes;
  if (estimate.kept_share >= 1) return StrCat(bytes, ", which stay in memory once read");
  return StrCat(bytes, ", of which ", static_cast<int>(100 * estimate.kept_share),
                " % stay in memory once read");
}

}  // namespace

std::string EstimateText(const RunEstimate& estimate, const RunOptions& options,
                         uint64_t memory_bytes) {
  std::string text;
  const auto line = [&](std::string_view name, std::string_view value) {
    std::string padded(name);
    padded.resize(16, ' ');
    text += StrCat(padded, value, "\n");
  };
  line("least memory", StrCat("--memory ", FormatMebibytesUp(estimate.least_memory_bytes)));
  line("memory",
       StrCat(FormatBytes(memory_bytes), ": the run ", estimate.fits ? "fits" : "does not fit"));
  line("vertices", StrCat(FormatBytes(estimate.vertex_bytes), " of index, state and answer"));
  line("edges", EdgesText(estimate));
  if (!estimate.fits) return text;
  if (!estimate.work.has_value()) {
    line("time", "not known: no run of this algorithm on such a graph was measured");
    return text;
  }
  const ExpectedWork& work = *estimate.work;
  line("iterations",
       StrCat("about ", FormatCount(work.iterations), ", as on graphs like ", work.kind));
  line("bytes read", StrCat("about ", FormatBytes(work.bytes_read)));
  if (!work.seconds.has_value()) {
    line("time", "not estimated where a GPU is used");
    return text;
  }
  line("time", StrCat("about ", AboutSeconds(*work.seconds), " on ", options.threads,
                      options.threads == 1 ? " thread" : " threads",
                      options.gpu.calibration.built_in
                          ? ", by figures of another machine: edgemill calibrate measures this one"
                          : ""));
  return text;
}

std::string EstimateJson(const RunEstimate& estimate) {
  nlohmann::ordered_json json = {{"command", "run"},
                                 {"dry_run", true},
                                 {"least_memory_bytes", estimate.least_memory_bytes},
                                 {"fits", estimate.fits},
                                 {"vertex_bytes", estimate.vertex_bytes},
                                 {"edge_bytes", estimate.edge_bytes},
                                 {"kept_share", estimate.kept_share},
                                 {"mean_degree", estimate.shape.mean_degree},
                                 {"neighbor_bits", estimate.shape.neighbor_bits}};
  if (estimate.work.has_value()) {
    const ExpectedWork& work = *estimate.work;
    json["like"] = work.kind;
    json["iterations"] = work.iterations;
    json["passes"] = work.passes;
    json["bytes_read"] = work.bytes_read;
    if (work.seconds.has_value()) json["seconds"] = *work.seconds;
  }
  return JsonText(json);
}

}  // namespace edgemill::cli
