#include "cli/ingest/ingest_estimate.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "cli/display/json_text.h"
#include "cli/ingest/ingest_forecast.h"
#include "cli/ingest/input_text.h"
#include "common/os/file_systems.h"
#include "common/strings.h"
#include "common/units.h"
#include "loaders/context/ingest_plan.h"
#include "loaders/ingest/ingest.h"

namespace edgemill::cli {
namespace {

/// Times depend on other work of the machine, so they are given as a range.
constexpr double kRangeLow = 0.6, kRangeHigh = 2.0;

/// A line about a file system that several places share; empty for any other.
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
  // An ingest needs at most two sets of seen ids. This refuses what the ingest would refuse.
  RETURN_IF_ERROR(
      PlanIngest(options, {.weighted = true, .num_id_sets = 2}, session.budget()).status());
  session.progress().StartStage("reading a sample", "edges", 0);
  ASSIGN_OR_RETURN(const IngestForecast estimate,
                   ForecastIngest(source, options, session.budget()));
  const auto whole = [](double value) { return static_cast<uint64_t>(std::max(0.0, value)); };
  const double spill = estimate.temporary_bytes;
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
  const std::string ample = spill == 0
                                ? ""
                                : StrCat("                no temporary files from about --memory ",
                                         FormatMebibytesUp(whole(estimate.ample_memory)), " on\n");
  const std::vector<std::string> notes = IngestNotes(source.info(), options.direction);
  std::string noted;
  for (const std::string& note : notes) noted += StrCat("note            ", note, "\n");
  nlohmann::ordered_json json = {{"command", "ingest"},
                                 {"dry_run", true},
                                 {"inputs", InputsJson<nlohmann::ordered_json>(estimate.previews)},
                                 {"notes", notes},
                                 {"sampled_edges", whole(estimate.sampled_edges)},
                                 {"input_edges", whole(estimate.input_edges)},
                                 {"edges", whole(estimate.stored_edges)},
                                 {"stored_bytes", whole(estimate.stored_bytes)},
                                 {"temporary_bytes", whole(spill)},
                                 {"ample_memory_bytes", whole(estimate.ample_memory)},
                                 {"free_bytes", free_bytes},
                                 {"memory_bytes", session.memory_bytes()},
                                 {"seconds", estimate.seconds},
                                 {"seconds_low", kRangeLow * estimate.seconds},
                                 {"seconds_high", kRangeHigh * estimate.seconds}};
  if (apart) json["spill_free_bytes"] = FreeBytes(for_spills);
  session.SetJson(JsonText(json));
  return session.Print(
      StrCat(InputsText(estimate.previews), noted, "an estimate, from ",
             FormatCount(whole(estimate.sampled_edges)), " edges read\nedges           about ",
             FormatCount(whole(estimate.input_edges)), ", stored as ",
             FormatCount(whole(estimate.stored_edges)), "\ndisk            up to ",
             FormatBytes(whole(estimate.stored_bytes)), disk, ample, sharing,
             "memory          at most ", FormatBytes(session.memory_bytes()),
             " (--memory)\ntime            ", FormatFixed(kRangeLow * estimate.seconds, 1), " to ",
             FormatFixed(kRangeHigh * estimate.seconds, 1), " s\n"));
}

}  // namespace edgemill::cli
