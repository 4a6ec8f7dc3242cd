#include <algorithm>

#include "bench/record/result_file.h"
#include "bench/record/sample_statistics.h"
#include "bench/trials/decode_trials.h"
#include "cli/bench/result_page.h"
#include "cli/command.h"
#include "cli/graphs/graph_opening.h"
#include "common/page/text_table.h"
#include "common/strings.h"
#include "common/units.h"

namespace edgemill::cli {
namespace {

using bench::Better;
using bench::DecodePlan;
using bench::DecodeReport;
using bench::DecodeSeries;

/// The payload of the largest block, with its slack, fits in this.
constexpr uint64_t kMinPayload = uint64_t{1} << 20;

class BenchDecodeCommand : public Command {
 public:
  void Declare(OptionSet& options) override {
    options.Positional("GRAPH", &graph_, true, "the graph directory (NAME.mill)");
    options.Section("The trials");
    options.Number("-n,--trials", &plan_.trials, "N", "decode everything so many times",
                   {1, 10'000});
    options.Number("--lists", &plan_.lists, "N", "lists of a trial of random access",
                   {1, 1'000'000'000});
    options.Number("--seed", &plan_.seed, "N", "chooses those lists");
  }
  std::string_view description() const override {
    return "Decodes a graph's packed neighbours on one core, with every instruction set that this\n"
           "processor has: blocks in order, prefix sums added up; the same down to ids, with\n"
           "a value of each neighbour gathered; and lists of vertices drawn at random, each from\n"
           "its own groups. It decodes from memory the first blocks that fit half of\n"
           "--memory. The work to get them there from the stored form (checksum, Zstandard) is\n"
           "a separate figure. Seconds are processor time. All instruction sets must give the\n"
           "same sums.\n"
           "\n"
           "No graph at hand: edgemill generate kron k20.mill --scale 20 makes one in seconds.\n";
  }
  SharedChoices shared() const override { return {.memory = true, .threads = false}; }
  Status Run(const OptionSet& given, Session& session) override;

 private:
  std::string Table(const DecodeReport& report) const;
  bench::BenchmarkResult Result(const DecodeReport& report, const Session& session) const;

  std::string graph_;
  DecodePlan plan_;
};

double BitsAnEdge(uint64_t bytes, const DecodeReport& report) {
  return 8 * static_cast<double>(bytes) / static_cast<double>(report.edges);
}

std::string BenchDecodeCommand::Table(const DecodeReport& report) const {
  TextTable table({"set", "access", "M edges/s", "least", "most", "packed GB/s"}, 2);
  const double bytes_an_edge = BitsAnEdge(report.payload_bytes, report) / 8;
  for (const DecodeSeries& series : report.series) {
    const auto [least, most] =
        std::minmax_element(series.edges_per_second.begin(), series.edges_per_second.end());
    const double median = bench::Median(series.edges_per_second);
    const bool whole = series.access != "random lists";
    table.Add({series.target, series.access, FormatFixed(median * 1e-6, 1),
               FormatFixed(*least * 1e-6, 1), FormatFixed(*most * 1e-6, 1),
               whole ? FormatFixed(median * bytes_an_edge * 1e-9, 2) : ""});
  }
  return StrCat(table.Text(), "\n", FormatCount(report.edges), " edges in ",
                FormatCount(report.blocks), " blocks, ",
                FormatFixed(BitsAnEdge(report.payload_bytes, report), 2), " bits an edge packed, ",
                FormatFixed(BitsAnEdge(report.stored_bytes, report), 2),
                " stored\nstored to packed: ", FormatFixed(report.opened_per_second * 1e-6, 1),
                " M edges/s; lists at random have ", FormatFixed(report.mean_list, 1),
                " edges in the mean\n");
}

bench::BenchmarkResult BenchDecodeCommand::Result(const DecodeReport& report,
                                                  const Session& session) const {
  bench::BenchmarkResult result;
  result.benchmark = "decode";
  result.command = session.command_line();
  bench::DescribeSurroundings({graph_}, &result);
  result.settings = {{"graph", graph_},
                     {"edges", StrCat(report.edges)},
                     {"blocks", StrCat(report.blocks)},
                     {"lists", StrCat(plan_.lists)},
                     {"trials", StrCat(plan_.trials)},
                     {"seed", StrCat(plan_.seed)}};
  result.verified = true;
  for (const DecodeSeries& series : report.series) {
    std::vector<double> rates = series.edges_per_second;
    for (double& rate : rates) rate *= 1e-9;
    result.metrics.push_back({series.Name(), "G edges/s", Better::kMore, rates});
  }
  result.metrics.push_back(
      {"stored to packed", "G edges/s", Better::kMore, {report.opened_per_second * 1e-9}});
  result.metrics.push_back(
      {"packed", "bits an edge", Better::kLess, {BitsAnEdge(report.payload_bytes, report)}});
  result.metrics.push_back(
      {"stored", "bits an edge", Better::kLess, {BitsAnEdge(report.stored_bytes, report)}});
  return result;
}

Status BenchDecodeCommand::Run(const OptionSet& /*given*/, Session& session) {
  const auto least = [&](const GraphStore& store) -> StatusOr<uint64_t> {
    return MemoryBudget::kProcessBytes + store.table_bytes() +
           bench::DecodeOverheadBytes(store, plan_) + kMinPayload;
  };
  ASSIGN_OR_RETURN(const std::unique_ptr<GraphStore> store,
                   OpenGraph(graph_, "bench decode", session, least));
  const uint64_t overhead = bench::DecodeOverheadBytes(*store, plan_);
  const uint64_t available = session.budget().available_bytes();
  plan_.payload_bytes =
      std::min(session.memory_bytes() / 2, available - std::min(available, overhead));
  ASSIGN_OR_RETURN(const DecodeReport report,
                   bench::RunDecodeTrials(*store, plan_, session.budget(), session.progress()));
  return PrintResult(Result(report, session), Table(report), session);
}

}  // namespace

std::unique_ptr<Command> MakeBenchDecodeCommand() { return std::make_unique<BenchDecodeCommand>(); }

}  // namespace edgemill::cli
