#include "loaders/context/ingest_plan.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <optional>

#include "common/check.h"
#include "common/threads/parallel.h"
#include "common/units.h"
#include "loaders/ids/id_ranks.h"
#include "loaders/names/name_filter.h"
#include "loaders/names/name_runs.h"
#include "loaders/sort/record_sort.h"
#include "loaders/sort/sorted_bucket.h"
#include "loaders/spill/spill_space.h"

namespace edgemill {
namespace {

/// The least memory in which the passes can work, beside that of the writer and of the process.
constexpr uint64_t kMinBytes = 24 * kMebibyte;
constexpr uint64_t kMinPageBytes = 16 << 10;
/// Large pages pack an edge in a quarter of a byte less, and are read again in large chunks.
constexpr uint64_t kMaxPageBytes = 256 << 10;
constexpr uint64_t kMinWorkerBytes = 6 * kMebibyte;
/// Larger buckets would sort no faster, and would leave threads idle at the end.
constexpr uint64_t kMaxBucketEdges = 1 << 20;
constexpr size_t kMaxStreams = 1024;
constexpr uint64_t kMinSortEdges = 65536;
/// One bit for each id of 32 bits.
constexpr uint64_t kMaxIdSetBytes = uint64_t{1} << 29;

/// The filter of names has one byte for this many bytes of input, but at most kMaxFilterBytes.
constexpr uint64_t kInputBytesPerFilterByte = 16;
constexpr uint64_t kMaxFilterBytes = uint64_t{512} << 20;

/// Memory of blocks that the writer has not written yet.
constexpr uint64_t kWriterBytes = 8 * kMebibyte;

}  // namespace

uint64_t PagePlan::PageBytes(size_t streams) const {
  const uint64_t share =
      std::clamp(bytes / (4 * std::max<size_t>(streams, 1)), kSpillAlignment, kMaxPageBytes);
  // A page is a whole number of chunks, each with its own checksum.
  return share < kMaxCheckedBytes ? std::bit_floor(share)
                                  : share / kMaxCheckedBytes * kMaxCheckedBytes;
}

void PagePlan::SetTotal(uint64_t total) {
  table_bytes = total / 16;
  bytes = total - table_bytes;
}

uint64_t PagePlan::HoldingBytes(uint64_t spilled, size_t streams) {
  const uint64_t pages = spilled + std::min(spilled / 3, streams * kMaxPageBytes);
  return pages + pages / 32;
}

uint64_t PagePlan::FitTables(uint64_t spilled) {
  CHECK_GE(max_streams, 4u);
  uint64_t page_bytes = kMinPageBytes;
  while (page_bytes < kMaxPageBytes &&
         spilled / page_bytes * SpillTableBytes(page_bytes) > bytes / 4) {
    page_bytes *= 2;
  }
  max_streams = std::clamp<size_t>(bytes / (4 * page_bytes), 4, max_streams);
  return PageBytes(max_streams);
}

void IngestPlan::GivePages(uint64_t bytes, const Reserve& reserve, uint64_t available) {
  const uint64_t had = pages.total_bytes();
  if (bytes <= had || bytes + reserve.bytes > available ||
      bytes - had + reserve.bytes > pass_bytes) {
    return;
  }
  IngestPlan grown = *this;
  grown.pages.SetTotal(bytes);
  grown.pass_bytes -= bytes - had;
  // No byte is given away twice.
  CHECK_EQ(grown.pages.total_bytes() + grown.pass_bytes, had + pass_bytes);
  grown.chunk_bytes = std::min(chunk_bytes, grown.pass_bytes);
  // Some of the reserve may still be in use when edges are sorted.
  grown.sort.bytes = std::min(sort.bytes, (grown.pass_bytes - reserve.bytes) * 15 / 16);
  for (int workers = sort.workers; workers >= reserve.min_workers; --workers) {
    if (!grown.sort.SetWorkers(workers) || grown.sort.bucket_edges < reserve.min_bucket_edges) {
      continue;
    }
    grown.sort.bytes = std::min(sort.bytes, grown.pass_bytes * 15 / 16);
    if (grown.sort.SetWorkers(workers)) *this = grown;
    return;
  }
}

void IngestPlan::GrowPages(uint64_t bytes, size_t streams, uint64_t beside, uint64_t available) {
  if (!pages.may_grow) return;
  // Writers take at most a sixteenth of the pages' memory, and tables a sixteenth of the sum.
  const uint64_t all = PagePlan::HoldingBytes(bytes, streams) * 16 / 15 * 16 / 15 + 1;
  GivePages(all,
            {.bytes = beside,
             .min_workers = (sort.workers + 1) / 2,
             .min_bucket_edges = sort.bucket_edges / 2},
            available);
  // Page tables take memory of the rest when their own is not enough.
  const uint64_t tables = bytes / kMinPageBytes * SpillTableBytes(kMinPageBytes);
  const Reserve as_now{
      .bytes = beside + tables, .min_workers = sort.workers, .min_bucket_edges = sort.bucket_edges};
  constexpr uint64_t kSteps = 32;
  for (uint64_t i = kSteps; i > 0 && pages.total_bytes() < all; --i) {
    GivePages(std::min(all, available_bytes / kSteps * i), as_now, available);
  }
}

uint64_t SortPlan::EncodeBytes(size_t waiting_blocks) const {
  // The memory has the blocks that wait, the block being made with its weights as stored, and the
  // carry: the edges of a block, and the offsets that come in, are encoded and are passed on.
  return (waiting_blocks + 4) * block_bytes + 2 * block_edges * edge_bytes +
         3 * block_edges * sizeof(uint32_t);
}

uint64_t SortPlan::LeastBytes() const { return EncodeBytes(1) + kMinSortEdges * edge_bytes; }

bool SortPlan::SetWorkers(int new_workers) {
  CHECK_GT(new_workers, 0);
  CHECK(block_bytes > 0 && edge_bytes > 0);
  workers = new_workers;
  const uint64_t worker_bytes = bytes / static_cast<uint64_t>(workers);
  // Waiting blocks get a sixth of the worker's memory, of which offsets take three blocks.
  max_waiting_blocks = std::max<size_t>(worker_bytes / 6 / block_bytes, 4) - 3;
  const uint64_t encode_bytes = EncodeBytes(max_waiting_blocks);
  if (worker_bytes < encode_bytes + kMinSortEdges * edge_bytes) return false;
  max_edges = (worker_bytes - encode_bytes) / edge_bytes;
  if (edges_limit > 0) max_edges = std::min(max_edges, edges_limit);
  bucket_edges = std::clamp<uint64_t>(max_edges / 2, 1, kMaxBucketEdges);
  return true;
}

namespace {

/// Makes a plan for `available` bytes. Returns no plan when they are too few.
std::optional<IngestPlan> PlanOn(uint64_t available, const IngestOptions& options,
                                 const IngestNeeds& needs) {
  if (available < kMinBytes + kWriterBytes) return std::nullopt;
  IngestPlan plan;
  plan.writer_bytes = kWriterBytes;
  available -= kWriterBytes;
  plan.available_bytes = available;
  plan.threads = options.threads > 0 ? options.threads : AvailableThreads();
  plan.num_vertices = needs.num_vertices;
  if (needs.num_id_sets > 0) {
    plan.id_set_bytes =
        std::min(available / 8 / static_cast<uint64_t>(needs.num_id_sets), kMaxIdSetBytes);
  }
  const uint64_t id_bytes = plan.id_set_bytes * static_cast<uint64_t>(needs.num_id_sets);
  if (needs.named) {
    const uint64_t most = std::max(std::min(available / 8, kMaxFilterBytes), NameFilter::kMinBytes);
    const uint64_t wanted =
        needs.input_bytes > 0 ? needs.input_bytes / kInputBytesPerFilterByte : most;
    plan.name_filter_bytes = std::clamp(wanted, NameFilter::kMinBytes, most);
    plan.name_bytes = std::max(available / 8, NameRuns::kMinBytes);
  }
  // A sparse map of ids has counts of ranks in addition to the ids (IdRanks::Sparse).
  uint64_t paging_bytes = available * 5 / 16;
  plan.pass_bytes = available - paging_bytes - id_bytes - IdRanks::CountBytes(id_bytes) -
                    plan.name_filter_bytes - plan.name_bytes;
  if (plan.pass_bytes < needs.renumbering_bytes) return std::nullopt;
  plan.chunk_bytes = available / 4;
  PagePlan& pages = plan.pages;
  pages.may_grow = options.spill_memory_bytes == 0;
  if (!pages.may_grow) paging_bytes = std::min(paging_bytes, options.spill_memory_bytes);
  pages.SetTotal(paging_bytes);
  pages.max_streams = std::clamp<size_t>(pages.bytes / (4 * kMinPageBytes), 4, kMaxStreams);

  // When sorting starts, chunks are freed. Ids and, for small inputs, spill pages are not.
  SortPlan& sort = plan.sort;
  sort.bytes = plan.pass_bytes * 15 / 16;
  sort.edge_bytes = 2 * (needs.weighted ? sizeof(WeightedKey) : sizeof(uint64_t));
  sort.block_bytes = uint64_t{options.block_edges} * (needs.weighted ? 12 : 4) + 1024;
  sort.block_edges = options.block_edges;
  sort.edges_limit = options.max_sort_edges;
  const auto workers = static_cast<int>(std::clamp<uint64_t>(
      sort.bytes / kMinWorkerBytes, 1, static_cast<uint64_t>(plan.threads) + 1));
  if (!sort.SetWorkers(workers) && !sort.SetWorkers(1)) return std::nullopt;
  return plan;
}

}  // namespace

uint64_t LeastIngestBytes(const IngestOptions& options) {
  constexpr int kMostIdSets = 2;
  const IngestNeeds needs{.weighted = true, .num_id_sets = kMostIdSets, .named = true};
  uint64_t bytes = kMebibyte;
  while (!PlanOn(bytes, options, needs).has_value()) bytes += kMebibyte;
  return bytes;
}

StatusOr<IngestPlan> PlanIngest(const IngestOptions& options, const IngestNeeds& needs,
                                const MemoryBudget& budget) {
  const uint64_t available = budget.available_bytes();
  std::optional<IngestPlan> plan = PlanOn(available, options, needs);
  if (plan.has_value()) return *plan;
  // The least budget that works is found by trial: shares and rounding have no simple inverse.
  uint64_t more = 0;
  while (!plan.has_value()) {
    more += kMebibyte;
    plan = PlanOn(available + more, options, needs);
  }
  const uint64_t total = std::max(budget.total_bytes(), MemoryBudget::kProcessBytes);
  return BudgetError(
      StrCat("--memory ", FormatBytes(budget.total_bytes()), " is too small to ingest ",
             needs.renumbering_bytes > kMinBytes
                 ? StrCat("and renumber, which takes ", FormatBytes(needs.renumbering_bytes))
                 : StrCat("with blocks of ", options.block_edges, " edges"),
             ": give at least --memory ", FormatMebibytesUp(total + more)));
}

Status CheckMemory(const IngestPlan& plan, const MemoryBudget& budget, uint64_t bytes,
                   std::string_view what) {
  // If ids and pages have not reserved their memory yet, it is not free either.
  const uint64_t left = std::min(budget.available_bytes(), plan.pass_bytes);
  if (bytes <= left) return OkStatus();
  const uint64_t taken = plan.pass_bytes - left;
  // Ids and pages take their share of added memory, too.
  const double share =
      static_cast<double>(plan.pass_bytes) / static_cast<double>(plan.available_bytes);
  const auto wanted = static_cast<uint64_t>(static_cast<double>(taken + bytes) / share);
  return BudgetError(StrCat("--memory ", FormatBytes(budget.total_bytes()), " is too small: ", what,
                            " needs ", FormatBytes(bytes), ", and ", FormatBytes(left),
                            " is left: give at least --memory ",
                            FormatMebibytesUp(budget.total_bytes() + wanted - plan.available_bytes +
                                              (uint64_t{1} << 20))));
}

Status FitSorting(const MemoryBudget& budget, IngestPlan* plan) {
  SortPlan& sort = plan->sort;
  const uint64_t left = std::min(budget.available_bytes(), plan->pass_bytes) * 15 / 16;
  if (left >= sort.bytes) return OkStatus();
  sort.bytes = left;
  for (int workers = sort.workers; workers > 0; --workers) {
    if (sort.SetWorkers(workers)) return OkStatus();
  }
  return CheckMemory(*plan, budget, sort.LeastBytes() * 16 / 15 + 1,
                     "sorting with the ids of vertices in memory");
}

double SpilledRecordEstimate(double num_ids, double num_buckets, SpilledWeight weight) {
  // The keys of a bucket differ in `key_bits` bits. A small page is sorted by 13 of these bits, and
  // stores them in 2 bits. Small weights take 9 bits.
  const double key_bits =
      2 * std::log2(std::max(num_ids, 1.0)) - std::log2(std::max(num_buckets, 1.0));
  const double weight_bits = weight == SpilledWeight::kInt32 ? 9 : 8 * SpilledWeightBytes(weight);
  return (std::clamp(key_bits - 13, 0.0, 62.0) + 2 + weight_bits) / 8;
}

StatusOr<ThreadMemory> ReserveThreads(const IngestPlan& plan, MemoryBudget& budget,
                                      uint64_t each_bytes) {
  CHECK_GT(each_bytes, 0u);
  RETURN_IF_ERROR(CheckMemory(plan, budget, each_bytes, "a chunk of this input"));
  const uint64_t most = std::min(plan.chunk_bytes, budget.available_bytes());
  const uint64_t threads =
      std::clamp<uint64_t>(most / each_bytes, 1, static_cast<uint64_t>(plan.threads));
  ThreadMemory reserved{.threads = static_cast<int>(threads)};
  ASSIGN_OR_RETURN(reserved.memory, budget.Reserve(each_bytes * threads, "chunks of input"));
  return reserved;
}

}  // namespace edgemill
