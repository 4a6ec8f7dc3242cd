#include <algorithm>
#include <nlohmann/json.hpp>

#include "bench/record/comparison.h"
#include "bench/record/result_file.h"
#include "cli/bench/result_page.h"
#include "cli/command.h"
#include "cli/display/surroundings.h"
#include "common/page/markup.h"
#include "common/page/text_table.h"
#include "common/strings.h"

namespace edgemill::cli {
namespace {

using bench::Comparison;
using bench::MetricChange;
using bench::Verdict;

std::string_view VerdictName(Verdict verdict) {
  switch (verdict) {
    case Verdict::kSame:
      return "same";
    case Verdict::kBetter:
      return "better";
    case Verdict::kWorse:
      return "WORSE";
    case Verdict::kUnknown:
      return "no ratio";
  }
  return "";
}

class BenchCompareCommand : public Command {
 public:
  void Declare(OptionSet& options) override {
    options.Positional("OLD.json", &old_, true, "a benchmark's --json file");
    options.Positional("NEW.json", &new_, true, "another of the same benchmark");
    options.Section("Options");
    options.Real("--least-change", &min_change_, "PERCENT",
                 "changes up to this are never news (default: 5)", {0, 1000});
    options.Flag("--all", &all_, "show metrics that did not change too");
    options.Text("--kind", &kind_, "NAME",
                 "compare only metrics whose names end in \": NAME\", such as time");
    options.Flag("--paired", &paired_,
                 "both files' samples were taken in turns, as bench/paired.sh does: compare the "
                 "first with the first, the second with the second");
    options.Real("--worse", &worse_, "RATIO",
                 "with --paired: the median ratio from which on something is worse (default: 1.03)",
                 {1, 1000});
    options.ActsWith("--worse", "--paired");
    options.Exclude({"--least-change", "--paired"});
    options.Section("What comes of it");
    options.Flag("--markdown", &markdown_, "print the table in Markdown, for reports and issues");
    plot_.Declare(options, "the ratios, with what chance alone may do");
    options.Reads("OLD.json");
    options.Reads("NEW.json");
  }
  SharedChoices shared() const override {
    return {.memory = false, .threads = false, .data_help = ""};
  }
  std::string_view description() const override {
    return "For each metric: the medians, the ratio of new to old, and how far from 1 chance "
           "alone\n"
           "may take it, from the spread of the samples in both files (99.9 %; \"assumed\" where\n"
           "there are too few). What lies beyond is a change for the better or the worse. Exit\n"
           "code 1 when something became worse. Warns when machines or settings differ.\n"
           "\n"
           "--paired judges by the ratios of the pairs: their median, and the 95 % band between "
           "two\n"
           "of them (of nine the second and the eighth), which holds for every distribution. A\n"
           "metric is worse when the median is above --worse and the band lies wholly above 1.\n";
  }
  Status Run(const OptionSet& given, Session& session) override;

 private:
  TextTable Table(const Comparison& comparison) const;
  std::string Text(const Comparison& comparison) const;
  std::string Json(const Comparison& comparison) const;
  ResultPage Page(const Comparison& comparison) const;

  std::string old_;
  std::string new_;
  double min_change_ = 5;
  bool all_ = false;
  std::string kind_;
  bool paired_ = false;
  double worse_ = 1.03;
  bool markdown_ = false;
  PlotFlag plot_;
};

/// `value` with about four significant digits.
std::string Figure(double value) {
  return FormatFixed(value, value >= 1000 ? 0 : value >= 10 ? 2 : 4);
}

size_t Count(const Comparison& comparison, Verdict verdict) {
  return static_cast<size_t>(
      std::count_if(comparison.changes.begin(), comparison.changes.end(),
                    [&](const MetricChange& change) { return change.verdict == verdict; }));
}

std::string FromTo(double low, double high, int digits) {
  return StrCat(FormatFixed(low, digits), " to ", FormatFixed(high, digits));
}

/// "12 metrics: 1 worse and 2 better beyond noise, 9 the same".
std::string CountsText(const Comparison& comparison) {
  const size_t unknown = Count(comparison, Verdict::kUnknown);
  return StrCat(comparison.changes.size(), " metrics: ", Count(comparison, Verdict::kWorse),
                " worse and ", Count(comparison, Verdict::kBetter), " better beyond noise, ",
                Count(comparison, Verdict::kSame), " the same",
                unknown > 0 ? StrCat(", ", unknown, " without a ratio") : "");
}

/// Of each of two results, the commit, the time and the machine.
std::string BothSurroundings(const bench::BenchmarkResult& old_result,
                             const bench::BenchmarkResult& new_result) {
  if (!(old_result.machine == new_result.machine)) {
    return StrCat(SurroundingsText(old_result, "old "), SurroundingsText(new_result, "new "));
  }
  return StrCat("old commit   ", old_result.commit, ", ", old_result.time, "\n",
                SurroundingsText(new_result, "new "));
}

TextTable BenchCompareCommand::Table(const Comparison& comparison) const {
  TextTable table({"metric", "unit", "old", "new", "ratio", paired_ ? "95 % band" : "noise", ""},
                  2);
  for (const MetricChange& change : comparison.changes) {
    if (!all_ && change.verdict == Verdict::kSame) continue;
    table.Add({change.name, change.unit, Figure(change.old_median), Figure(change.new_median),
               FormatFixed(change.ratio, 3),
               paired_ ? FromTo(change.band.low, change.band.high, 3)
                       : StrCat(FromTo(1 / change.noise, change.noise, 2),
                                change.noise_known ? "" : " (assumed)"),
               std::string(VerdictName(change.verdict))});
  }
  return table;
}

std::string BenchCompareCommand::Text(const Comparison& comparison) const {
  const TextTable table = Table(comparison);
  std::string text;
  if (table.size() > 0) text = StrCat(markdown_ ? table.Markdown() : table.Text(), "\n");
  text += StrCat(CountsText(comparison), "\n");
  for (const std::string& warning : comparison.warnings) {
    text += markdown_ ? StrCat("* Warning: ", EscapeMarkdown(warning), "\n")
                      : StrCat("! ", warning, "\n");
  }
  return text;
}

ResultPage BenchCompareCommand::Page(const Comparison& comparison) const {
  constexpr size_t kMostRows = 60;
  RangeChart chart{.title = paired_ ? "Ratio of new to old, and its 95 % band"
                                    : "Ratio of new to old, and how far chance may take it",
                   .x = {.label = "ratio, from 0.1 to 10", .logarithmic = true},
                   .reference = 1};
  const auto within = [](double ratio) { return std::clamp(ratio, 0.1, 10.0); };
  size_t left_out = 0;
  for (const MetricChange& change : comparison.changes) {
    if (change.ratio <= 0 || (!all_ && change.verdict == Verdict::kSame)) continue;
    if (chart.rows.size() == kMostRows) {
      ++left_out;
      continue;
    }
    const double low = paired_ ? change.band.low : change.ratio / change.noise;
    const double high = paired_ ? change.band.high : change.ratio * change.noise;
    chart.rows.push_back(
        {.name = change.name,
         .hue = change.verdict == Verdict::kBetter  ? kBlue
                : change.verdict == Verdict::kWorse ? kVermilion
                                                    : kGrey,
         .low = within(low),
         .middle = within(change.ratio),
         .high = within(high),
         .text = StrCat(FormatFixed(change.ratio, 3), ", ", VerdictName(change.verdict))});
  }
  ResultPage page{.title = StrCat("From ", old_, " to ", new_),
                  .lead = StrCat(CountsText(comparison), "."),
                  .tables = {{all_ ? "All metrics" : "Metrics that changed", Table(comparison)}},
                  .remarks = comparison.warnings};
  if (!chart.rows.empty()) page.drawings = {DrawRanges(chart)};
  if (left_out > 0) page.remarks.push_back(StrCat(left_out, " more metrics are in the table."));
  return page;
}

std::string BenchCompareCommand::Json(const Comparison& comparison) const {
  nlohmann::ordered_json changes = nlohmann::ordered_json::array();
  for (const MetricChange& change : comparison.changes) {
    nlohmann::ordered_json entry = {{"name", change.name},
                                    {"unit", change.unit},
                                    {"old", change.old_median},
                                    {"new", change.new_median},
                                    {"ratio", change.ratio}};
    if (paired_) {
      entry["band"] = {change.band.low, change.band.high};
    } else {
      entry["noise"] = change.noise;
      entry["noise_known"] = change.noise_known;
    }
    entry["verdict"] = VerdictName(change.verdict);
    changes.push_back(std::move(entry));
  }
  const nlohmann::ordered_json json = {{"command", "bench compare"},
                                       {"old", old_},
                                       {"new", new_},
                                       {"worse", Count(comparison, Verdict::kWorse)},
                                       {"better", Count(comparison, Verdict::kBetter)},
                                       {"changes", std::move(changes)},
                                       {"warnings", comparison.warnings}};
  return json.dump(1, ' ', false, nlohmann::ordered_json::error_handler_t::replace);
}

/// Reads the result file at `path`. Keeps only its metrics of `kind`, unless `kind` is empty.
StatusOr<bench::BenchmarkResult> ReadKind(const std::string& path, const std::string& kind) {
  ASSIGN_OR_RETURN(bench::BenchmarkResult result, bench::ReadResultFile(path));
  if (!kind.empty()) {
    std::erase_if(result.metrics, [&](const bench::Metric& metric) {
      return !metric.name.ends_with(StrCat(": ", kind));
    });
  }
  return result;
}

Status BenchCompareCommand::Run(const OptionSet& /*given*/, Session& session) {
  RETURN_IF_ERROR(plot_.Check("bench compare"));
  ASSIGN_OR_RETURN(const bench::BenchmarkResult old_result, ReadKind(old_, kind_));
  ASSIGN_OR_RETURN(const bench::BenchmarkResult new_result, ReadKind(new_, kind_));
  const StatusOr<Comparison> comparison =
      bench::Compare(old_result, new_result,
                     {.min_change = min_change_ / 100, .in_pairs = paired_, .worse_ratio = worse_});
  if (!comparison.ok()) return Annotate(comparison.status(), StrCat(old_, ", ", new_));
  session.SetJson(Json(*comparison));
  if (plot_.wanted()) RETURN_IF_ERROR(plot_.Write(Page(*comparison), new_result));
  const std::string where = BothSurroundings(old_result, new_result);
  RETURN_IF_ERROR(session.Print(
      StrCat(Text(*comparison), markdown_ ? StrCat("\n```\n", where, "```\n") : where)));
  const size_t worse = Count(*comparison, Verdict::kWorse);
  if (worse == 0) return OkStatus();
  return Status(Code::kRegression,
                StrCat(new_, ": ", worse, worse == 1 ? " metric is" : " metrics are",
                       " worse than in ", old_, " beyond noise"));
}

}  // namespace

std::unique_ptr<Command> MakeBenchCompareCommand() {
  return std::make_unique<BenchCompareCommand>();
}

}  // namespace edgemill::cli
