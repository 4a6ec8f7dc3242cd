#include <nlohmann/json.hpp>

#include "bench/record/result_file.h"
#include "bench/scaling/scaling.h"
#include "cli/command.h"
#include "cli/display/surroundings.h"
#include "common/page/text_table.h"
#include "common/strings.h"

namespace edgemill::cli {
namespace {

using bench::ScalingRow;

class BenchScalingCommand : public Command {
 public:
  void Declare(OptionSet& options) override {
    options.Positional("RESULT.json", &path_, true, "what bench record made of NAME@N=REPORT.json");
    options.Reads("RESULT.json");
  }
  SharedChoices shared() const override {
    return {.memory = false, .threads = false, .data_help = ""};
  }
  std::string_view description() const override {
    return "For each figure and number of threads: the median time, the speed-up over one thread,\n"
           "and the nearest bound, which is the largest of the times that cannot be undercut:\n"
           "  cores           the time on one thread over the number of threads\n"
           "  disk            bytes of input files over the rate of plain reads\n"
           "  copy            the same bytes over the rate of copying\n"
           "  first touch     the peak of memory over the rate of touching huge pages first\n"
           "  random gathers  of PageRank: edges over the rate of 4-byte gathers. A share above 1\n"
           "                  is possible, for values of hubs stay in caches.\n"
           "The share is the bound's time over the measured time. Rates are those that bench "
           "memory\n"
           "and bench io measured, where their results are recorded too. bench/scaling.sh "
           "measures\n"
           "and records everything.\n";
  }
  Status Run(const OptionSet& given, Session& session) override;

 private:
  std::string Json(const std::vector<ScalingRow>& rows) const;

  std::string path_;
};

std::string Table(const std::vector<ScalingRow>& rows) {
  TextTable table(
      {"figure", "threads", "s", "least", "most", "speed-up", "nearest bound", "bound s", "share"},
      1);
  for (const ScalingRow& row : rows) {
    const bool bounded = !row.bound.empty();
    table.Add({row.figure, StrCat(row.threads), FormatFixed(row.seconds, 4),
               FormatFixed(row.min_seconds, 4), FormatFixed(row.max_seconds, 4),
               row.speed_up > 0 ? FormatFixed(row.speed_up, 2) : "", row.bound,
               bounded ? FormatFixed(row.bound_seconds, 4) : "",
               bounded ? FormatFixed(row.bound_seconds / row.seconds, 2) : ""});
  }
  return table.Text();
}

std::string BenchScalingCommand::Json(const std::vector<ScalingRow>& rows) const {
  nlohmann::ordered_json figures = nlohmann::ordered_json::array();
  for (const ScalingRow& row : rows) {
    figures.push_back({{"figure", row.figure},
                       {"threads", row.threads},
                       {"seconds", row.seconds},
                       {"speed_up", row.speed_up},
                       {"bound", row.bound},
                       {"bound_seconds", row.bound_seconds}});
  }
  const nlohmann::ordered_json json = {
      {"command", "bench scaling"}, {"result", path_}, {"figures", std::move(figures)}};
  return json.dump(1, ' ', false, nlohmann::ordered_json::error_handler_t::replace);
}

Status BenchScalingCommand::Run(const OptionSet& /*given*/, Session& session) {
  ASSIGN_OR_RETURN(const bench::BenchmarkResult result, bench::ReadResultFile(path_));
  const std::vector<ScalingRow> rows = bench::ScalingRows(result);
  if (rows.empty()) {
    return BadDataError(StrCat(path_,
                               ": has no times by the number of threads: give what bench "
                               "record made of NAME@N=REPORT.json"));
  }
  session.SetJson(Json(rows));
  return session.Print(StrCat(Table(rows), SurroundingsText(result)));
}

}  // namespace

std::unique_ptr<Command> MakeBenchScalingCommand() {
  return std::make_unique<BenchScalingCommand>();
}

}  // namespace edgemill::cli
