#include <algorithm>

#include "bench/record/result_file.h"
#include "bench/record/sample_statistics.h"
#include "bench/scaling/memory_probe.h"
#include "bench/scaling/scaling.h"
#include "cli/bench/result_page.h"
#include "cli/command.h"
#include "common/page/text_table.h"
#include "common/strings.h"

namespace edgemill::cli {
namespace {

using bench::Median;
using bench::MemorySeries;

class BenchMemoryCommand : public Command {
 public:
  void Declare(OptionSet& options) override {
    options.Section("What to measure");
    options.Bytes("--copy-bytes", &probe_.copy_bytes,
                  "to copy and to first touch in a trial (default: 1GiB)");
    options.Bytes("--gather-bytes", &probe_.gather_bytes,
                  "of the array that gathers read (default: 256MiB)");
    options.Number("-n,--trials", &probe_.trials, "N", "measure everything so many times",
                   {1, 1000});
  }
  SharedChoices shared() const override { return {.data_help = ""}; }
  std::string_view description() const override {
    return "Measures the host's memory with 1, 2, 4, ... threads up to --threads: what scaling\n"
           "can reach (bench scaling).\n"
           "  arithmetic        mixes of 64-bit numbers, without memory\n"
           "  copy              bytes copied, each counted once\n"
           "  first touch       fresh memory, with huge pages and with small ones\n"
           "  random gathers    independent 4-byte reads from an array of --gather-bytes\n"
           "  random atomic or  bits set in a bitmap with a bit for each value of that array\n"
           "Each has a trial as warm-up first. Thread counts take turns. Results are checked.\n"
           "Memory of twice --copy-bytes, or of --gather-bytes, must fit --memory.\n";
  }
  Status Run(const OptionSet& given, Session& session) override;

 private:
  bench::BenchmarkResult Result(const std::vector<MemorySeries>& all, const Session& session) const;

  bench::MemoryProbeOptions probe_;
};

std::string Table(const std::vector<MemorySeries>& all) {
  TextTable table({"work", "unit", "threads", "median", "least", "most", "speed-up"}, 2);
  double one_thread = 0;
  for (const MemorySeries& series : all) {
    const auto [least, most] = std::minmax_element(series.rates.begin(), series.rates.end());
    const double median = Median(series.rates);
    if (series.threads == 1) one_thread = median;
    table.Add({std::string(series.work), std::string(series.unit), StrCat(series.threads),
               FormatFixed(median, 3), FormatFixed(*least, 3), FormatFixed(*most, 3),
               FormatFixed(median / one_thread, 2)});
  }
  return table.Text();
}

bench::BenchmarkResult BenchMemoryCommand::Result(const std::vector<MemorySeries>& all,
                                                  const Session& session) const {
  bench::BenchmarkResult result;
  result.benchmark = "memory";
  result.command = session.command_line();
  bench::DescribeSurroundings({}, &result);
  result.settings = {{"copy_bytes", StrCat(probe_.copy_bytes)},
                     {"gather_bytes", StrCat(probe_.gather_bytes)},
                     {"threads", StrCat(probe_.threads)},
                     {"trials", StrCat(probe_.trials)}};
  result.verified = true;  // the probe ends with an error where a result is wrong
  for (const MemorySeries& series : all) {
    result.metrics.push_back({StrCat(bench::NameWithThreads(series.work, series.threads), ": rate"),
                              std::string(series.unit), bench::Better::kMore, series.rates});
  }
  return result;
}

Status BenchMemoryCommand::Run(const OptionSet& /*given*/, Session& session) {
  probe_.threads = session.threads();
  ASSIGN_OR_RETURN(const std::vector<MemorySeries> all,
                   bench::ProbeMemory(probe_, session.budget(), session.progress()));
  return PrintResult(Result(all, session), Table(all), session);
}

}  // namespace

std::unique_ptr<Command> MakeBenchMemoryCommand() { return std::make_unique<BenchMemoryCommand>(); }

}  // namespace edgemill::cli
