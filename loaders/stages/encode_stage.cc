#include "loaders/stages/encode_stage.h"

#include <algorithm>

#include "common/check.h"

namespace edgemill {

Status EncodeColumns(const IngestContext& context, const EncodeOrder& order, BucketSet& set,
                     EncodedGraph* graph) {
  const IngestPlan& plan = context.plan;
  const SortPlan& sort = plan.sort;
  const bool in_columns = order.in_columns;
  CHECK(order.checkpoint_bytes == 0 || order.checkpoint);
  const PhaseTimer timer(plan.threads);
  EdgeEncoder::Options options;
  options.columns = in_columns ? kInColumns : kOutColumns;
  if (order.edge_column.has_value()) {
    options.columns.weights = ValuesColumn(*order.edge_column, in_columns);
    options.only_weights = true;
    options.text_ranks = order.text_ranks;
  }
  options.rules = order.rules;
  options.stores_weights = order.stores_weights;
  options.compression = order.compression;
  // No more than the largest bucket needs.
  uint64_t most = 1;
  for (const Bucket& bucket : set.buckets()) most = std::max(most, bucket.count());
  options.max_sort_edges = std::min(most, std::max(sort.max_edges, order.largest_sortable_bucket));
  // As many blocks as a whole bucket and its offsets have, if memory allows. With fewer, a worker
  // waits for its turn in the middle of a bucket, and encodes the rest while all others wait.
  options.max_waiting_blocks =
      std::min(sort.max_waiting_blocks, 2 * (options.max_sort_edges / sort.block_edges + 2));
  const uint64_t encode_bytes = sort.EncodeBytes(options.max_waiting_blocks);
  options.checkpoint_bytes = order.checkpoint_bytes;
  const EdgeEncoder* running = nullptr;
  options.checkpoint = [&] { return order.checkpoint(*running); };
  EdgeEncoder encoder(context.writer, set, options);
  running = &encoder;
  if (!order.encoder_state.empty()) {
    StateReader in(order.encoder_state);
    RETURN_IF_ERROR(encoder.SetState(&in));
  }
  const EncodedTotals& before = encoder.totals();
  const uint64_t edges_before = before.num_edges + before.merged;
  context.progress.StartStage(
      in_columns ? "sorting in-edges" : "sorting out-edges", "edges",
      {.units = edges_before + set.num_edges(), .units_before = edges_before});
  // Buckets that an earlier process cut may be larger than this process planned.
  const uint64_t each =
      encode_bytes + SortedBucket::MemoryBytes(options.max_sort_edges, order.rules.weighted());
  RETURN_IF_ERROR(context.CheckMemory(each, "sorting a bucket of edges"));
  const uint64_t workers = std::clamp<uint64_t>(context.budget.available_bytes() / each, 1,
                                                static_cast<uint64_t>(sort.workers));
  ASSIGN_OR_RETURN(const MemoryReservation encoding,
                   context.budget.Reserve(encode_bytes * workers, "blocks being encoded"));
  std::vector<SortedBucket> memory;
  for (uint64_t i = 0; i < workers; ++i) {
    ASSIGN_OR_RETURN(
        SortedBucket sorted,
        SortedBucket::Create(options.max_sort_edges, order.rules.weighted(), context.budget));
    memory.push_back(std::move(sorted));
  }
  RETURN_IF_ERROR(encoder.Run(std::move(memory), context.progress));
  RETURN_IF_ERROR(encoder.Finish(order.num_vertices));
  graph->crossings[in_columns ? 1 : 0] = encoder.crossings();
  graph->totals = encoder.totals();
  context.AddTime(in_columns ? "sort and encode in-edges" : "sort and encode out-edges",
                  timer.Times());
  context.AddThreadSeconds("- sort, thread seconds", encoder.seconds().sort);
  context.AddThreadSeconds("- encode, thread seconds", encoder.seconds().encode);
  context.AddThreadSeconds("- append, thread seconds", encoder.seconds().append);
  return OkStatus();
}

}  // namespace edgemill
