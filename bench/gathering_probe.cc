#include "bench/gathering_probe.h"

#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cstring>
#include <span>
#include <vector>

#include "common/buffer.h"
#include "common/clock.h"
#include "common/parallel.h"
#include "common/random.h"
#include "common/units.h"
#include "engine/graph/loaded_graph.h"
#include "kernels/group_gathering.h"

namespace edgemill::bench {
namespace {

constexpr size_t kLeastRepeats = 8;
constexpr uint64_t kLeastCacheBytes = 256 * kMebibyte;  // where the kernel does not tell
constexpr int kStarts = 51;
constexpr size_t kGatherBytes = 4 * kMebibyte;

/// A block's payload in memory, with the slack that decoders may read.
struct Payload {
  std::vector<uint64_t> words;
  size_t bytes = 0;
};

/// What gathering took: wall-clock, and bytes gathered.
struct Gathering {
  double seconds = 0;
  double bytes = 0;
};

/// Gathers each block's groups, one in `one_in` of them wanted, `repeats` times on `threads`
/// threads, each into a buffer beyond its caches.
StatusOr<Gathering> Gather(const std::vector<Payload>& payloads, uint32_t num_values,
                           uint32_t one_in, size_t repeats, int threads) {
  const uint32_t num_groups = NumGroups(num_values);
  const size_t most = MaxPackedBytes(num_values);
  std::vector<uint32_t> groups((num_groups + 31) / 32);
  Random random(one_in);
  for (uint32_t group = 0; group < num_groups; ++group) {
    if (random.Below(one_in) == 0) groups[group / 32] |= 1u << group % 32;
  }
  ASSIGN_OR_RETURN(Buffer out, Buffer::Allocate(static_cast<size_t>(threads) * kGatherBytes));
  std::memset(out.data(), 1, out.size());
  std::atomic<uint64_t> bytes{0};
  const Stopwatch watch;
  RETURN_IF_ERROR(RunThreads(threads, [&](int thread) -> Status {
    std::byte* const mine = out.data() + static_cast<size_t>(thread) * kGatherBytes;
    uint64_t sum = 0;
    size_t at = 0;
    for (size_t i = static_cast<size_t>(thread); i < payloads.size() * repeats;
         i += static_cast<size_t>(threads)) {
      const Payload& payload = payloads[i % payloads.size()];
      ASSIGN_OR_RETURN(
          const PackedView view,
          PackedView::Open(std::as_bytes(std::span(payload.words)).first(payload.bytes),
                           num_values));
      if (at + most > kGatherBytes) at = 0;
      const uint64_t size = GatheredBytes(view, groups.data(), 0);
      GatherGroups(view, groups.data(), 0, mine + at);
      sum += size;
      at += (size + 127) / 128 * 128;
    }
    bytes += sum;
    return OkStatus();
  }));
  return Gathering{watch.seconds(), static_cast<double>(bytes.load())};
}

/// Until threads are at work and have ended: the median of many times.
Status MeasureStart(int threads, double* seconds) {
  std::vector<double> times;
  for (int i = 0; i < kStarts; ++i) {
    const Stopwatch watch;
    RETURN_IF_ERROR(RunThreads(threads, [](int) { return OkStatus(); }));
    times.push_back(watch.seconds());
  }
  std::nth_element(times.begin(), times.begin() + kStarts / 2, times.end());
  *seconds = times[kStarts / 2];
  return OkStatus();
}

/// Adds copies of the payloads until they are more than the caches hold, or take half of what is
/// left of `budget`: a graph's blocks come from memory.
StatusOr<MemoryReservation> FillBeyondCaches(MemoryBudget& budget, std::vector<Payload>* payloads) {
  const auto cache = static_cast<uint64_t>(std::max(0L, sysconf(_SC_LEVEL3_CACHE_SIZE)));
  uint64_t bytes = 0;
  for (const Payload& payload : *payloads) bytes += payload.words.size() * sizeof(uint64_t);
  const uint64_t wanted =
      std::min(2 * std::max(cache, kLeastCacheBytes), budget.available_bytes() / 2);
  const uint64_t copies = std::max<uint64_t>(1, wanted / std::max<uint64_t>(1, bytes));
  ASSIGN_OR_RETURN(MemoryReservation reservation,
                   budget.Reserve((copies - 1) * bytes, "blocks to gather from"));
  const size_t num_payloads = payloads->size();
  payloads->reserve(num_payloads * copies);
  for (size_t i = num_payloads; i < num_payloads * copies; ++i) {
    payloads->push_back((*payloads)[i - num_payloads]);
  }
  return reservation;
}

}  // namespace

Status ProbeGathering(const GraphStore& store, int threads, MemoryBudget& budget,
                      Progress& progress, Calibration* calibration) {
  const uint32_t num_values = store.info().block_edges;
  ASSIGN_OR_RETURN(
      const auto reader,
      BlockReader::Create(store, {.buffer_bytes = 64 * kMebibyte, .threads = threads}, budget));
  progress.StartStage("loading the index", "vertices", store.info().num_vertices + 1);
  ASSIGN_OR_RETURN(const auto loaded, LoadedGraph::Load(store, *reader, {.out_index = true},
                                                        threads, budget, progress));
  const uint64_t num_blocks = store.info().num_edges / num_values;  // whole ones
  std::vector<Payload> payloads(num_blocks);
  progress.StartStage("reading blocks", "edges", store.info().num_edges);
  RETURN_IF_ERROR(
      loaded->SweepAll(Direction::kOut, false, [&](int, const BlockEdges& edges) -> StatusOr<bool> {
        if (edges.block >= num_blocks) return true;
        Payload& payload = payloads[edges.block];
        payload.bytes = edges.payload.size();
        payload.words.resize((payload.bytes + kDecodeSlackBytes + 7) / sizeof(uint64_t));
        std::memcpy(payload.words.data(), edges.payload.data(), payload.bytes);
        return true;
      }));
  ASSIGN_OR_RETURN(const MemoryReservation copies, FillBeyondCaches(budget, &payloads));
  const size_t repeats =
      std::max<size_t>(1, kLeastRepeats * num_blocks / std::max<size_t>(1, payloads.size()));
  progress.StartStage("measuring how blocks are gathered", "trials", threads > 1 ? 4 : 2);
  std::vector<Curve::Point> points;
  for (const int gathering : {1, threads}) {
    if (!points.empty() && gathering == 1) break;
    ASSIGN_OR_RETURN(const Gathering few, Gather(payloads, num_values, 64, repeats, gathering));
    progress.Advance(1);
    ASSIGN_OR_RETURN(const Gathering many, Gather(payloads, num_values, 2, repeats, gathering));
    progress.Advance(1);
    const double blocks = static_cast<double>(payloads.size() * repeats) / gathering;
    if (gathering == 1) {
      const double rate = (many.bytes - few.bytes) / std::max(many.seconds - few.seconds, 1e-9);
      calibration->gather_block_seconds = std::max(1e-8, (few.seconds - few.bytes / rate) / blocks);
    }
    const double of_blocks = blocks * calibration->gather_block_seconds;
    // At least a third is moving bytes, whatever the noise.
    points.emplace_back(gathering,
                        many.bytes / std::max(many.seconds - of_blocks, many.seconds / 3));
  }
  calibration->gather_rate = Curve(std::move(points));
  return MeasureStart(threads, &calibration->gather_start_seconds);
}

}  // namespace edgemill::bench
