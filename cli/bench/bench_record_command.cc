#include "bench/record/result_file.h"
#include "bench/scaling/recorded_reports.h"
#include "cli/command.h"
#include "common/strings.h"
#include "engine/output/output_file.h"

namespace edgemill::cli {
namespace {

class BenchRecordCommand : public Command {
 public:
  void Declare(OptionSet& options) override {
    options.Positional("OUT.json", &out_, true, "the result file to make");
    options.WritesTo("OUT.json");
    options.Positionals(
        "REPORT.json...", &reports_, 1,
        "what ingest, generate, run, verify or a benchmark wrote with --json; several "
        "of one command are its trials; NAME@N=REPORT.json: named so, on N threads");
    options.Reads("REPORT.json...");
    options.Section("Options");
    options.Text("--name", &name_, "NAME", "the benchmark's name (default: recorded)");
    options.Text("--how", &how_, "TEXT", "the command that gave the reports");
    options.Texts("--setting", &settings_, "NAME=VALUE",
                  "something else that figures depend on (repeatable)");
    options.Flag("--by-folder", &by_folder_,
                 "begin the names of a report's metrics and settings with that of its folder, and "
                 "take of each metric of a benchmark the median");
    options.Flag("--force", &force_, "replace an OUT.json that exists");
    options.NeverSuggest("--force");
  }
  SharedChoices shared() const override {
    return {.memory = false, .threads = false, .data_help = ""};
  }
  std::string_view description() const override {
    return "Makes a result file, as bench compare takes it, of reports: with commit, machine and\n"
           "settings. It is \"verified\" when every run had -v, every graph a verify after its "
           "ingest,\n"
           "and every benchmark was. Of a bench run with NAME@N, the first trial is kept apart: "
           "it\n"
           "reads what the others find in the cache. bench scaling prints such figures by "
           "threads.\n";
  }
  Status Run(const OptionSet& given, Session& session) override;

 private:
  std::string out_;
  std::vector<std::string> reports_;
  std::string name_ = "recorded";
  std::string how_;
  std::vector<std::string> settings_;
  bool by_folder_ = false;
  bool force_ = false;
};

Status BenchRecordCommand::Run(const OptionSet& /*given*/, Session& session) {
  RETURN_IF_ERROR(CheckOutputPath(out_, force_));
  std::vector<std::string> graphs;
  std::vector<bench::RecordedFile> files;
  for (const std::string& report : reports_) {
    files.push_back(bench::ParseRecordedFile(report, by_folder_));
  }
  ASSIGN_OR_RETURN(bench::BenchmarkResult result, bench::CollectReports(files, &graphs));
  result.benchmark = name_;
  result.command = how_.empty() ? session.command_line() : how_;
  for (const std::string& setting : settings_) {
    const size_t sign = setting.find('=');
    if (sign == 0 || sign == std::string::npos) {
      return UsageError(
          StrCat("bench record: --setting \"", setting, "\" is not valid: write it like cold=yes"));
    }
    result.settings.emplace_back(setting.substr(0, sign), setting.substr(sign + 1));
  }
  const std::string commit = result.commit;
  bench::DescribeSurroundings(graphs, &result);
  if (!commit.empty()) result.commit = commit;  // of the program that wrote the reports
  const std::string text = bench::ToJson(result);
  session.SetJson(text);
  RETURN_IF_ERROR(WriteTextOutput(out_, text + "\n"));
  return session.Print(StrCat("recorded ", result.metrics.size(), " metrics of ", reports_.size(),
                              " reports in ", out_,
                              result.verified ? ", verified\n" : ", not verified\n"));
}

}  // namespace

std::unique_ptr<Command> MakeBenchRecordCommand() { return std::make_unique<BenchRecordCommand>(); }

}  // namespace edgemill::cli
