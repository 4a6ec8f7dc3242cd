#include <algorithm>

#include "bench/record/result_file.h"
#include "bench/record/sample_statistics.h"
#include "cli/bench/result_page.h"
#include "cli/command.h"
#include "common/page/text_table.h"
#include "common/strings.h"
#include "common/units.h"
#include "engine/cost/link_points.h"
#include "engine/gpu/probes/link_probe.h"
#include "engine/run/gpu_choice.h"

namespace edgemill::cli {
namespace {

/// The rates of one way across the link, in all trials.
struct LinkSeries {
  LinkPath path = LinkPath::kCopyTo;
  uint64_t size_bytes = 0;
  uint64_t span_bytes = 0;
  std::vector<double> gigabytes_per_second;

  std::string Name() const {
    const bool random = path == LinkPath::kReadRandom;
    return StrCat(LinkPathName(path), ", ", FormatBytes(size_bytes),
                  random ? StrCat(" within ", FormatBytes(span_bytes)) : "");
  }
};

class BenchTransferCommand : public Command {
 public:
  void Declare(OptionSet& options) override {
    options.Section("What to measure");
    options.Bytes("--pinned", &max_bytes_,
                  "of the host's memory to pin (default: 4GiB, or three quarters of --memory)");
    options.Number("-n,--trials", &trials_, "N", "measure everything so many times", {1, 1000});
  }
  SharedChoices shared() const override { return {.data_help = ""}; }
  std::string_view description() const override {
    return "Measures the link between host and GPU: copies of pinned memory by their size, to the\n"
           "GPU, from it, and both at once; kernels that read pinned memory themselves, by how\n"
           "many bytes lie together, in order and at random within growing spans (beyond the\n"
           "GPU's TLB coverage short reads collapse); unified memory at its first touch; pinning.\n"
           "edgemill calibrate takes the rates of copies, and TLB coverage, for runs.\n";
  }
  Status Run(const OptionSet& given, Session& session) override;

 private:
  std::string Table(const std::string& gpu, const std::vector<LinkSeries>& all) const;
  bench::BenchmarkResult Result(const std::string& gpu, const std::vector<LinkSeries>& all,
                                const Session& session) const;

  uint64_t max_bytes_ = 0;
  uint64_t trials_ = 3;
};

std::string BenchTransferCommand::Table(const std::string& gpu,
                                        const std::vector<LinkSeries>& all) const {
  TextTable table({"way", "bytes together", "within", "GB/s", "least", "most"}, 1);
  for (const LinkSeries& series : all) {
    const auto& rates = series.gigabytes_per_second;
    const auto [least, most] = std::minmax_element(rates.begin(), rates.end());
    const bool random = series.path == LinkPath::kReadRandom;
    table.Add({std::string(LinkPathName(series.path)), FormatBytes(series.size_bytes),
               random ? FormatBytes(series.span_bytes) : "", FormatFixed(bench::Median(rates), 2),
               FormatFixed(*least, 2), FormatFixed(*most, 2)});
  }
  return StrCat(gpu, "\n\n", table.Text());
}

bench::BenchmarkResult BenchTransferCommand::Result(const std::string& gpu,
                                                    const std::vector<LinkSeries>& all,
                                                    const Session& session) const {
  bench::BenchmarkResult result;
  result.benchmark = "transfer";
  result.command = session.command_line();
  bench::DescribeSurroundings({}, &result);
  result.settings = {{"gpu", gpu}, {"trials", StrCat(trials_)}};
  result.verified = true;  // there is no answer to check
  for (const LinkSeries& series : all) {
    result.metrics.push_back(
        {series.Name(), "GB/s", bench::Better::kMore, series.gigabytes_per_second});
  }
  return result;
}

StatusOr<std::vector<LinkPoint>> Probe(Gpu& gpu, const LinkProbeOptions& options,
                                       MemoryBudget& budget) {
#if defined(EDGEMILL_WITH_CUDA)
  return ProbeLink(gpu, options, budget);
#else
  (void)gpu, (void)options, (void)budget;
  return GpuError("this build has no code for GPUs");
#endif
}

Status BenchTransferCommand::Run(const OptionSet& given, Session& session) {
  RunOptions run;
  run.device = Device::kGpu;
  ASSIGN_OR_RETURN(const std::unique_ptr<Gpu> gpu, OpenGpu(run.gpu.gpu));
  LinkProbeOptions options{.threads = session.threads()};
  const uint64_t available = session.budget().available_bytes();
  options.max_bytes =
      given.Given("--pinned") ? max_bytes_ : std::min(options.max_bytes, available / 4 * 3);
  constexpr uint64_t kMin = uint64_t{256} << 20;
  if (options.max_bytes < kMin) {
    return BudgetError(StrCat("bench transfer pins at least ", FormatBytes(kMin),
                              ": give --memory 512MiB or more"));
  }
  options.max_bytes = options.max_bytes / kMin * kMin;
  std::vector<LinkSeries> all;
  for (uint64_t trial = 0; trial < trials_; ++trial) {
    ASSIGN_OR_RETURN(const std::vector<LinkPoint> points, Probe(*gpu, options, session.budget()));
    all.resize(points.size());
    for (size_t i = 0; i < points.size(); ++i) {
      all[i].path = points[i].path;
      all[i].size_bytes = points[i].size_bytes;
      all[i].span_bytes = points[i].span_bytes;
      all[i].gigabytes_per_second.push_back(points[i].bytes_per_second * 1e-9);
    }
  }
  const GpuProperties& properties = gpu->properties();
  const std::string name =
      StrCat(properties.name, properties.link.empty() ? "" : ", ", properties.link);
  return PrintResult(Result(name, all, session), Table(name, all), session);
}

}  // namespace

std::unique_ptr<Command> MakeBenchTransferCommand() {
  return std::make_unique<BenchTransferCommand>();
}

}  // namespace edgemill::cli
