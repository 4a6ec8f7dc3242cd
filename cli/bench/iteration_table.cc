#include "cli/bench/iteration_table.h"

#include <algorithm>

#include "cli/options/name_list.h"
#include "cli/run/iteration_json.h"
#include "common/page/text_table.h"
#include "common/strings.h"
#include "common/units.h"

namespace edgemill::cli {
namespace {

using bench::TrialSeries;

/// "filter 3, zero-copy 120": the visited blocks by how they came.
std::string BlocksByTransfer(const TransferAccounts& transfers) {
  std::vector<std::string> texts;
  for (int i = 0; i < kNumTransfers; ++i) {
    const Transfer transfer = static_cast<Transfer>(i);
    if (transfers[transfer].blocks == 0) continue;
    texts.push_back(StrCat(TransferName(transfer), " ", transfers[transfer].blocks));
  }
  return JoinNames(texts, ", ");
}

std::string Megabytes(uint64_t bytes) { return FormatFixed(static_cast<double>(bytes) * 1e-6, 2); }

/// "7", or "7-12" for several in one.
std::string Numbers(uint64_t first, uint64_t count) {
  return count == 1 ? StrCat(first) : StrCat(first, "-", first + count - 1);
}

std::vector<std::string> Cells(const TrialSeries& series, uint64_t first,
                               const IterationReport& iteration, bool with_gpu) {
  std::vector<std::string> cells = {
      Numbers(first, iteration.iterations),   series.Name(),
      std::string(ModeName(iteration.mode)),  FormatFixed(iteration.seconds * 1e3, 2),
      FormatCount(iteration.active_vertices), FormatCount(iteration.active_edges),
      FormatCount(iteration.blocks),          Megabytes(iteration.bytes_read),
      FormatCount(iteration.cache_hits)};
  if (with_gpu) {
    cells.push_back(std::string(ProcessorsName(ProcessorsUsed(iteration))));
    cells.push_back(Megabytes(iteration.transfers.total().bytes));
    cells.push_back(BlocksByTransfer(iteration.transfers));
  }
  return cells;
}

std::string TableOf(const std::vector<const TrialSeries*>& ways) {
  const bool with_gpu = std::any_of(ways.begin(), ways.end(),
                                    [](const TrialSeries* series) { return !series->gpu.empty(); });
  std::vector<std::string> header = {"iteration",    "way",    "mode",    "ms",  "active vertices",
                                     "active edges", "blocks", "MB read", "hits"};
  if (with_gpu) header.insert(header.end(), {"processor", "MB to GPU", "blocks by transfer"});
  TextTable table(std::move(header), 3);
  std::vector<uint64_t> started(ways.size(), 1);
  size_t most = 0;
  for (const TrialSeries* const series : ways) most = std::max(most, series->iterations.size());
  for (size_t row = 0; row < most; ++row) {
    for (size_t i = 0; i < ways.size(); ++i) {
      if (row >= ways[i]->iterations.size()) continue;
      const IterationReport& iteration = ways[i]->iterations[row];
      table.Add(Cells(*ways[i], started[i], iteration, with_gpu));
      started[i] += iteration.iterations;
    }
  }
  return table.Text();
}

}  // namespace

std::string IterationTables(const std::vector<TrialSeries>& all) {
  std::string text;
  std::vector<std::string> done;
  for (const TrialSeries& first : all) {
    if (std::find(done.begin(), done.end(), first.group) != done.end()) continue;
    done.push_back(first.group);
    std::vector<const TrialSeries*> ways;
    for (const TrialSeries& series : all) {
      if (series.group == first.group) ways.push_back(&series);
    }
    text += StrCat("\n", TableOf(ways));
  }
  return text;
}

}  // namespace edgemill::cli
