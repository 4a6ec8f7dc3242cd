#include "bench/papers/paper_quantities.h"

#include <algorithm>
#include <numeric>

#include "bench/record/sample_statistics.h"

namespace edgemill::bench::quantities {
namespace {

/// The blocks that one engine brought, as a share of those that all but the resident ones brought.
template <Transfer kTransfer>
double BroughtShare(const IterationReport& iteration, const PaperGraph&) {
  const TransferAccounts& transfers = iteration.transfers;
  const uint64_t brought = transfers.total().blocks - transfers[Transfer::kResident].blocks;
  if (brought == 0) return 0;
  return 100 * static_cast<double>(transfers[kTransfer].blocks) / static_cast<double>(brought);
}

double VertexShare(const IterationReport& iteration, const PaperGraph& graph) {
  return 100 * static_cast<double>(iteration.active_vertices) / std::max(graph.vertices(), 1.0);
}

double EdgeShare(const IterationReport& iteration, const PaperGraph& graph) {
  return 100 * static_cast<double>(iteration.active_edges) / std::max(graph.edges_sent(), 1.0);
}

using IterationFigure = double (*)(const IterationReport& iteration, const PaperGraph& graph);

/// The mean over all iterations. A report of several is their sum.
template <IterationFigure kFigure>
double MeanOf(const PaperRun& run, const PaperGraph& graph) {
  double sum = 0, count = 0;
  for (const IterationReport& iteration : run.iterations) {
    sum += kFigure(iteration, graph);
    count += static_cast<double>(iteration.iterations);
  }
  return sum / std::max(count, 1.0);
}

/// The greatest of single iterations.
template <IterationFigure kFigure>
double MostOf(const PaperRun& run, const PaperGraph& graph) {
  double most = 0;
  for (const IterationReport& iteration : run.iterations) {
    if (iteration.iterations == 1) most = std::max(most, kFigure(iteration, graph));
  }
  return most;
}

double CountIf(const PaperRun& run, auto condition) {
  return static_cast<double>(
      std::count_if(run.iterations.begin(), run.iterations.end(), condition));
}

double RawActiveBytes(const IterationReport& iteration, const PaperGraph& graph) {
  return static_cast<double>(iteration.active_edges) * graph.raw_bytes() /
         std::max(graph.edges(), 1.0);
}

double RequestsOf(const PaperRun& run) {
  return std::accumulate(run.requests.begin(), run.requests.end(), 0.0);
}

/// The requests of one size, as a share of all.
template <size_t kSize>
double RequestShare(const PaperRun& run, const PaperGraph&) {
  return 100 * run.requests[kSize] / std::max(RequestsOf(run), 1.0);
}

double MedianSeconds(const PaperRun& run, const PaperGraph&) { return Median(run.seconds); }

}  // namespace

const PaperQuantity kSeconds{.unit = "s", .decimals = 4, .of_run = MedianSeconds};
const PaperQuantity kMilliseconds{
    .unit = "ms",
    .decimals = 2,
    .of_run = [](const PaperRun& run,
                 const PaperGraph& graph) { return 1e3 * MedianSeconds(run, graph); },
    .of_iteration = [](const IterationReport& iteration,
                       const PaperGraph&) { return 1e3 * iteration.seconds; }};
const PaperQuantity kIterations{
    .of_run = [](const PaperRun& run, const PaperGraph&) { return Median(run.num_iterations); }};
const PaperQuantity kLinkGigabytes{
    .unit = "GB", .decimals = 3, .of_run = [](const PaperRun& run, const PaperGraph&) {
      return 1e-9 * Median(run.link_bytes);
    }};
const PaperQuantity kLinkRate{
    .unit = "GB/s", .decimals = 1, .of_run = [](const PaperRun& run, const PaperGraph& graph) {
      return 1e-9 * Median(run.link_bytes) / MedianSeconds(run, graph);
    }};
const PaperQuantity kMovedShare{
    .unit = "x", .decimals = 2, .of_run = [](const PaperRun& run, const PaperGraph& graph) {
      return Median(run.link_bytes) / std::max(graph.raw_bytes(), 1.0);
    }};
const PaperQuantity kMegaRequests{
    .unit = "M", .decimals = 2, .of_run = [](const PaperRun& run, const PaperGraph&) {
      return 1e-6 * RequestsOf(run);
    }};
const PaperQuantity kRequests32{.unit = "%", .decimals = 1, .of_run = RequestShare<0>};
const PaperQuantity kRequests64{.unit = "%", .decimals = 1, .of_run = RequestShare<1>};
const PaperQuantity kRequests96{.unit = "%", .decimals = 1, .of_run = RequestShare<2>};
const PaperQuantity kRequests128{.unit = "%", .decimals = 1, .of_run = RequestShare<3>};
const PaperQuantity kTransferSeconds{
    .unit = "s", .decimals = 4, .of_run = [](const PaperRun& run, const PaperGraph&) {
      double seconds = 0;
      for (const IterationReport& iteration : run.iterations) {
        seconds += iteration.transfers.total().measured_seconds;
      }
      return seconds;
    }};
const PaperQuantity kGigabytesRead{
    .unit = "GB", .decimals = 3, .of_run = [](const PaperRun& run, const PaperGraph&) {
      return 1e-9 * Median(run.bytes_read);
    }};
const PaperQuantity kMegaEdgesPerSecond{
    .unit = "M/s", .decimals = 1, .of_run = [](const PaperRun& run, const PaperGraph&) {
      return 1e-6 * Median(run.edges_per_second);
    }};
const PaperQuantity kMakeCellMilliseconds{
    .unit = "ms", .decimals = 1, .of_run = [](const PaperRun& run, const PaperGraph&) {
      return 1e3 * run.cells.make_seconds;
    }};
const PaperQuantity kMakeCellShare{
    .unit = "x", .decimals = 2, .of_run = [](const PaperRun& run, const PaperGraph& graph) {
      return run.cells.make_seconds / MedianSeconds(run, graph);
    }};
const PaperQuantity kCellBytes{
    .unit = "x", .decimals = 2, .of_run = [](const PaperRun& run, const PaperGraph& graph) {
      return static_cast<double>(run.cells.bytes) / (4 * graph.edges() + 8 * graph.vertices());
    }};
const PaperQuantity kMeanActiveVertices{.unit = "%", .decimals = 1, .of_run = MeanOf<VertexShare>};
const PaperQuantity kMostActiveVertices{.unit = "%", .decimals = 1, .of_run = MostOf<VertexShare>};
const PaperQuantity kMeanActiveEdges{.unit = "%", .decimals = 1, .of_run = MeanOf<EdgeShare>};
const PaperQuantity kMostActiveEdges{.unit = "%", .decimals = 1, .of_run = MostOf<EdgeShare>};
const PaperQuantity kIterationsAbove80{.of_run = [](const PaperRun& run, const PaperGraph& graph) {
  return CountIf(run, [&](const IterationReport& iteration) {
    return iteration.iterations == 1 && EdgeShare(iteration, graph) > 80;
  });
}};
const PaperQuantity kIterationsBeyondGpu{
    .of_run = [](const PaperRun& run, const PaperGraph& graph) {
      return CountIf(run, [&](const IterationReport& iteration) {
        return iteration.iterations == 1 &&
               RawActiveBytes(iteration, graph) > static_cast<double>(graph.gpu_memory_bytes);
      });
    }};
const PaperQuantity kMeanCopies{
    .decimals = 2,
    .of_run = [](const PaperRun& run, const PaperGraph&) { return run.mean_copies; }};
const PaperQuantity kPageMilliseconds{
    .unit = "ms", .decimals = 3, .of_page = [](double seconds) { return 1e3 * seconds; }};
const PaperQuantity kMode{
    .text_of_iteration = [](const IterationReport& iteration) { return ModeName(iteration.mode); }};
const PaperQuantity kActiveVertices{
    .of_iteration = [](const IterationReport& iteration, const PaperGraph&) {
      return static_cast<double>(iteration.active_vertices);
    }};
const PaperQuantity kActiveEdges{
    .of_iteration = [](const IterationReport& iteration, const PaperGraph&) {
      return static_cast<double>(iteration.active_edges);
    }};
const PaperQuantity kActiveEdgeShare{.unit = "%", .decimals = 2, .of_iteration = EdgeShare};
const PaperQuantity kVisitedBlockShare{
    .unit = "%",
    .decimals = 2,
    .of_iteration = [](const IterationReport& iteration, const PaperGraph& graph) {
      const uint64_t blocks =
          (graph.info.num_edges + graph.info.block_edges - 1) / graph.info.block_edges;
      return 100 * static_cast<double>(iteration.blocks) /
             std::max(static_cast<double>(blocks), 1.0);
    }};
const PaperQuantity kFilterShare{
    .unit = "%", .decimals = 1, .of_iteration = BroughtShare<Transfer::kFilter>};
const PaperQuantity kCompactionShare{
    .unit = "%", .decimals = 1, .of_iteration = BroughtShare<Transfer::kCompaction>};
const PaperQuantity kZeroCopyShare{
    .unit = "%", .decimals = 1, .of_iteration = BroughtShare<Transfer::kZeroCopy>};

}  // namespace edgemill::bench::quantities
