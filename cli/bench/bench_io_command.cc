#include <algorithm>
#include <nlohmann/json.hpp>

#include "bench/io/io_grid_run.h"
#include "bench/record/result_file.h"
#include "bench/record/sample_statistics.h"
#include "cli/bench/io_page.h"
#include "cli/bench/result_page.h"
#include "cli/command.h"
#include "common/strings.h"
#include "common/units.h"

namespace edgemill::cli {
namespace {

using bench::Better;
using bench::IoGridRunResult;
using bench::IoMeasurement;
using bench::Median;

class BenchIoCommand : public Command {
 public:
  void Declare(OptionSet& options) override;
  SharedChoices shared() const override { return {.threads = false, .data_help = ""}; }
  std::string_view description() const override;
  Status Run(const OptionSet& given, Session& session) override;

 private:
  StatusOr<bench::IoGridRunOptions> ParseOptions() const;
  std::string Table(const IoGridRunResult& result) const;
  bench::BenchmarkResult Result(const IoGridRunResult& measured, const Session& session) const;

  std::vector<std::string> directories_;
  std::string operations_;
  std::string sizes_;
  std::string depths_;
  std::string engine_ = "auto";
  uint64_t trials_ = 3;
  double duration_ = 0;
  uint64_t file_bytes_ = uint64_t{1} << 30;
  PlotFlag plot_;
};

void BenchIoCommand::Declare(OptionSet& options) {
  options.Positionals("DIR...", &directories_, 1, "the directories to measure, one a disk");
  options.Section("What to measure");
  options.Text("--operations", &operations_, "LIST",
               "of sequential, random (reads) and write (default: all three)");
  options.Text("--sizes", &sizes_, "LIST",
               "bytes of a request, such as 4K,1MiB (default: 4K,64K,1M,8M)");
  options.Text("--depths", &depths_, "LIST",
               "requests under way on each directory (default: 1,8,32,256, without those that "
               "have more than 64 MiB under way)");
  options.Choice("--engine", &engine_, {"auto", "uring", "pread"}, "how to reach the disks");
  options.Section("How long");
  options.Number("-n,--trials", &trials_, "N", "measure everything so many times, in turn",
                 {1, 1000});
  options.Real("--duration", &duration_, "SECONDS",
               "of one trial of one point (default: what makes about a minute in all)",
               {0.05, 3600});
  options.Bytes("--file-size", &file_bytes_,
                "of each of the two files in each directory (default: 1GiB)");
  options.Section("What comes of it");
  plot_.Declare(options, "rates and latencies by the size of requests");
}

std::string_view BenchIoCommand::description() const {
  return "Reads and writes files of its own in each directory, alone and then all together, "
         "through\n"
         "the I/O engine that runs use. \"write\" appends and syncs as ingest does; depth is that "
         "of\n"
         "each directory. \"share\" is of what threads reach that only pread 1 MiB with O_DIRECT, "
         "32\n"
         "a directory, measured before and after every four points. Latency is from submission to\n"
         "notice. \"CPU\" is this process's. \"balance\" is the fastest directory's rate over the\n"
         "mean. What a read returns is checked. Stalls and slow stretches are listed by "
         "themselves.\n"
         "\n"
         "The files have no name, so none is left however the program ends. Twice --file-size and\n"
         "256 MiB must be free in each directory. Virtual disks may hold new files in their "
         "host's\n"
         "memory: give a --file-size beyond it to see the disk behind.\n";
}

StatusOr<bench::IoGridRunOptions> BenchIoCommand::ParseOptions() const {
  bench::IoGridRunOptions options;
  options.directories = directories_;
  options.trials = trials_;
  options.seconds = duration_;
  options.file_bytes = file_bytes_;
  if (engine_ == "uring") options.engine = IoEngineKind::kUring;
  if (engine_ == "pread") options.engine = IoEngineKind::kPread;
  const auto take = [](std::string_view option, const std::string& text, auto parse, auto* list) {
    if (text.empty()) return OkStatus();
    auto parsed = parse(text);
    if (!parsed.ok()) return Annotate(parsed.status(), StrCat("bench io: ", option));
    *list = std::move(*parsed);
    return OkStatus();
  };
  bench::IoGrid& grid = options.grid;
  RETURN_IF_ERROR(take("--operations", operations_, bench::ParseIoPatterns, &grid.patterns));
  RETURN_IF_ERROR(take("--sizes", sizes_, bench::ParseIoSizes, &grid.sizes));
  RETURN_IF_ERROR(take("--depths", depths_, bench::ParseIoDepths, &grid.depths));
  if (bench::PointsOf(grid).empty()) {
    return UsageError("bench io: nothing is left to measure: give both --sizes and --depths");
  }
  return options;
}

std::string BenchIoCommand::Table(const IoGridRunResult& result) const {
  std::string text = StrCat("engine ", result.engine, result.direct ? ", O_DIRECT" : "", ", ",
                            trials_, " trials of ", FormatFixed(result.seconds_per_trial, 2),
                            " s, files of ", FormatBytes(result.file_bytes), "\n");
  for (const bench::PlainMeasurement& plain : result.plain) {
    const auto& rates = plain.bytes_per_second;
    text +=
        StrCat("\n", plain.where, ": plain O_DIRECT reads ", FormatFixed(Median(rates) / 1e9, 2),
               " GB/s (", FormatFixed(*std::min_element(rates.begin(), rates.end()) / 1e9, 2),
               " to ", FormatFixed(*std::max_element(rates.begin(), rates.end()) / 1e9, 2), ")\n");
    text += IoTable(result, plain.where).Text();
  }
  text += result.remarks.empty() ? "\nno stalls, no slow stretches\n" : "\n";
  for (const std::string& remark : result.remarks) text += StrCat("! ", remark, "\n");
  return text;
}

std::vector<double> Scaled(std::vector<double> values, double factor) {
  for (double& value : values) value *= factor;
  return values;
}

nlohmann::ordered_json Details(const IoGridRunResult& measured) {
  nlohmann::ordered_json points = nlohmann::ordered_json::array();
  for (const IoMeasurement& point : measured.measurements) {
    const double rate = Median(point.bytes_per_second);
    points.push_back({{"where", point.where},
                      {"operation", bench::PatternName(point.point.pattern)},
                      {"size_bytes", point.point.size_bytes},
                      {"depth", point.point.depth},
                      {"gb_per_second", rate / 1e9},
                      {"iops", rate / static_cast<double>(point.point.size_bytes)},
                      {"share_of_plain", Median(point.plain_share)},
                      {"latency_seconds",
                       {{"p50", point.latency.Quantile(0.5)},
                        {"p90", point.latency.Quantile(0.9)},
                        {"p99", point.latency.Quantile(0.99)},
                        {"p99.9", point.latency.Quantile(0.999)},
                        {"max", point.latency.max_seconds()}}},
                      {"requests", point.latency.count()},
                      {"cpu_seconds_per_gb", Median(point.cpu_seconds_per_gb)},
                      {"balance", Median(point.balance)},
                      {"slowest_sync_seconds", point.slowest_sync_seconds}});
  }
  return points;
}

bench::BenchmarkResult BenchIoCommand::Result(const IoGridRunResult& measured,
                                              const Session& session) const {
  bench::BenchmarkResult result;
  result.benchmark = "io";
  result.command = session.command_line();
  bench::DescribeSurroundings(directories_, &result);
  result.settings = {{"engine", measured.engine},
                     {"direct", StrCat(measured.direct)},
                     {"trials", StrCat(trials_)},
                     {"seconds_per_trial", StrCat(measured.seconds_per_trial)},
                     {"file_bytes", StrCat(measured.file_bytes)}};
  result.verified = true;  // the measurement ends with an error where a read is wrong
  result.remarks = measured.remarks;
  for (const bench::PlainMeasurement& plain : measured.plain) {
    result.metrics.push_back({StrCat(plain.where, ", plain O_DIRECT reads: rate"), "GB/s",
                              Better::kMore, Scaled(plain.bytes_per_second, 1e-9)});
  }
  for (const IoMeasurement& point : measured.measurements) {
    const auto add = [&](std::string_view what, std::string_view unit, Better better,
                         const std::vector<double>& samples, double factor) {
      result.metrics.push_back({StrCat(point.where, ", ", point.point.Name(), ": ", what),
                                std::string(unit), better, Scaled(samples, factor)});
    };
    add("rate", "GB/s", Better::kMore, point.bytes_per_second, 1e-9);
    add("share", "of plain", Better::kMore, point.plain_share, 1);
    add("p50", "ms", Better::kLess, point.p50_seconds, 1e3);
    add("p99", "ms", Better::kLess, point.p99_seconds, 1e3);
    add("CPU", "s/GB", Better::kLess, point.cpu_seconds_per_gb, 1);
  }
  result.details = Details(measured).dump();
  return result;
}

Status BenchIoCommand::Run(const OptionSet& /*given*/, Session& session) {
  RETURN_IF_ERROR(plot_.Check("bench io"));
  ASSIGN_OR_RETURN(const bench::IoGridRunOptions options, ParseOptions());
  ASSIGN_OR_RETURN(const IoGridRunResult measured,
                   bench::RunIoGrid(options, session.budget(), session.progress()));
  const bench::BenchmarkResult result = Result(measured, session);
  if (plot_.wanted()) RETURN_IF_ERROR(plot_.Write(IoPage(measured), result));
  return PrintResult(result, Table(measured), session);
}

}  // namespace

std::unique_ptr<Command> MakeBenchIoCommand() { return std::make_unique<BenchIoCommand>(); }

}  // namespace edgemill::cli
