#include "cli/ingest/ingest_report.h"

#include <nlohmann/json.hpp>

#include "cli/display/json_text.h"
#include "cli/display/phase_times.h"
#include "cli/display/rate_bounds.h"
#include "cli/graphs/graph_names.h"
#include "common/os/memory_budget.h"
#include "common/strings.h"
#include "common/units.h"

namespace edgemill::cli {
namespace {

using Json = nlohmann::ordered_json;

/// Reasons why the graph may be less than expected.
std::vector<std::string> WarningsOf(const IngestReport& report) {
  if (report.num_vertices > 0) return {};
  return {"the input holds no edges: the graph has no vertices"};
}

std::vector<std::string> EdgeColumnNames(const IngestReport& report) {
  std::vector<std::string> names;
  for (const EdgeColumn& column : report.edge_columns) names.push_back(column.name);
  return names;
}

std::string ReportJson(const GraphRequest& request, const IngestReport& report, double seconds) {
  Json stages = Json::array();
  for (const StageTime& stage : report.stages) {
    stages.push_back({{"name", stage.name}, {"seconds", stage.seconds}});
    if (stage.times.has_value()) stages.back()["times"] = PhaseTimesJson<Json>(*stage.times);
  }
  const Json json = {{"command", request.command},
                     {"graph", request.out},
                     {"uuid", report.uuid.ToString()},
                     {"input_edges", report.input_edges},
                     {"edges", report.num_edges},
                     {"vertices", report.num_vertices},
                     {"directed", report.directed},
                     {"ids", report.name_bytes > 0 ? "strings"
                             : report.sparse_ids   ? "sparse"
                                                   : "dense"},
                     {"id_reason", report.id_reason},
                     {"unused_ids", report.unused_ids},
                     {"renumbering", RenumberingText(report.renumbering)},
                     {"weights", WeightTypeText(report.weights)},
                     {"edge_columns", EdgeColumnNames(report)},
                     {"loops_in", report.loops_in},
                     {"self_loops", report.num_self_loops},
                     {"duplicates", report.num_duplicates},
                     {"merged_duplicates", report.merged_duplicates},
                     {"bad_lines", report.bad_lines},
                     {"input_bytes", report.input_bytes},
                     {"stored_bytes", report.stored_bytes},
                     {"bits_per_edge", report.bits_per_edge},
                     {"spill_bytes_written", report.spill_bytes_written},
                     {"spill_bytes_read", report.spill_bytes_read},
                     {"resumed", report.resumed},
                     {"warnings", WarningsOf(report)},
                     {"notes", report.notes},
                     {"seconds", seconds},
                     {"peak_resident_bytes", PeakResidentBytes()},
                     {"stages", stages}};
  return JsonText(json);
}

/// "7,115 (1,182 unused ids between them; --ids dense keeps them)", "14, ids 0 to 13".
std::string VerticesText(const IngestReport& report) {
  const std::string count = FormatCount(report.num_vertices);
  if (report.num_vertices == 0) return count;
  if (report.name_bytes > 0) {
    const double each =
        static_cast<double>(report.name_bytes) / static_cast<double>(report.num_vertices);
    return StrCat(count, ", by name (", FormatFixed(each, 1), " bytes each in memory)");
  }
  if (!report.sparse_ids) {
    return StrCat(count, ", ids ", report.id_base, " to ",
                  report.id_base + report.num_vertices - 1);
  }
  if (report.max_id >= kMaxVertices) return StrCat(count, ", ids up to ", report.max_id);
  if (report.unused_ids == 0) return count;
  return StrCat(count, " (", FormatCount(report.unused_ids), " unused ",
                report.unused_ids == 1 ? "id" : "ids", " between them; --ids dense keeps ",
                report.unused_ids == 1 ? "it)" : "them)");
}

/// The time. It has a rate if this process has read all edges, and there are enough of them.
std::string TimeText(const IngestReport& report, double seconds) {
  const std::string time = StrCat(FormatFixed(seconds, 1), " s");
  if (report.resumed) return time + " since it was resumed; other figures are of the whole graph";
  if (report.input_edges < kMinEdgesForRates || seconds < kMinSecondsForRates) return time;
  const double rate = static_cast<double>(report.input_edges) / seconds;
  return StrCat(time, ", ", FormatCount(static_cast<uint64_t>(rate)), " edges/s");
}

}  // namespace

Status ReportIngest(const GraphRequest& request, const IngestReport& report, bool verbose,
                    Session& session) {
  const double seconds = request.since_start.seconds();
  session.SetJson(ReportJson(request, report, seconds));
  std::string text;
  const auto line = [&](std::string_view name, std::string_view value) {
    std::string padded(name);
    padded.resize(16, ' ');
    text += StrCat(padded, value, "\n");
  };
  line("graph", request.out);
  for (const std::string& warning : WarningsOf(report)) line("warning", warning);
  for (const std::string& note : report.notes) line("note", note);
  line("vertices", VerticesText(report));
  line("edges", StrCat(FormatCount(report.num_edges),
                       report.directed ? ", directed, from " : ", symmetric, from ",
                       FormatCount(report.input_edges), " read"));
  line("loops", StrCat(FormatCount(report.num_self_loops), " stored, ",
                       FormatCount(report.loops_in), " read"));
  line("duplicates", StrCat(FormatCount(report.num_duplicates), " stored, ",
                            FormatCount(report.merged_duplicates), " merged"));
  if (report.bad_lines > 0) line("bad lines", StrCat(FormatCount(report.bad_lines), " skipped"));
  line("weights", WeightTypeText(report.weights));
  if (!report.edge_columns.empty()) line("columns", EdgeColumnsText(report.edge_columns));
  if (report.chose_renumbering && report.renumbering == Renumbering::kDegree) {
    line("renumbered", "by degree, for near ids are not of neighbours; --renumber none keeps them");
  }
  line("bytes in", FormatBytes(report.input_bytes));
  const bool shows_rates = report.num_edges >= kMinEdgesForRates;
  line("bytes out",
       StrCat(
           FormatBytes(report.stored_bytes),
           shows_rates ? StrCat(", ", FormatFixed(report.bits_per_edge, 2), " bits an edge") : ""));
  line("spilled", StrCat(FormatBytes(report.spill_bytes_written), " written, ",
                         FormatBytes(report.spill_bytes_read), " read"));
  line("time", TimeText(report, seconds));
  PhaseTimes all{.threads = 0};
  for (const StageTime& stage : report.stages) {
    if (stage.times.has_value()) all.Add(*stage.times);
  }
  line("threads", PhaseTimesText(all));
  for (const StageTime& stage : report.stages) {
    if (!verbose) break;
    line("", StrCat(stage.name, " ", FormatFixed(stage.seconds, 1),
                    stage.times.has_value() ? " s, " + PhaseTimesText(*stage.times) : " s"));
  }
  line("memory", StrCat(FormatBytes(PeakResidentBytes()), " at most, of ",
                        FormatBytes(session.memory_bytes())));
  return session.Print(text);
}

}  // namespace edgemill::cli
