#include "edgemill/shared_blocks.h"

#include <algorithm>
#include <utility>

#include "common/cancel.h"
#include "common/strings.h"
#include "common/threads/parallel.h"
#include "common/units.h"
#include "edgemill/open_graph.h"

namespace edgemill {

Status SharedBlocks::Open(const Graph& graph) {
  // The first opening only counts.
  const OpenOptions counting{
      .data_directories = graph.data_directories(), .weight = graph.weight(), .block_table = false};
  ASSIGN_OR_RETURN(std::unique_ptr<GraphStore> store,
                   GraphStore::Open(graph.path(), counting, budget_));
  const auto directories = static_cast<int>(store->data_directories().size());
  const int threads = 2 * (AvailableThreads() + directories);  // of two runs, or more small ones
  BlockReaderOptions options{.cache_bytes = 1, .threads = threads};
  const uint64_t buffers = BlockReader::MinimumBufferBytes(*store, threads);
  const uint64_t beside = BlockReader::OverheadBytes(*store, options) + buffers;
  const uint64_t least = store->table_bytes() + beside + options.cache_bytes;
  if (budget_.available_bytes() < least) {
    return BudgetError(StrCat(graph.path(), ": a cache that runs share takes at least ",
                              FormatMebibytesUp(least), ", and has ",
                              FormatBytes(budget_.total_bytes() - MemoryBudget::kProcessBytes)));
  }
  ASSIGN_OR_RETURN(store, OpenForRun(graph, budget_));
  const uint64_t spare = budget_.available_bytes() - beside;
  options.buffer_bytes =
      buffers + std::min(spare / 4, std::max(buffers, options.buffer_bytes) - buffers);
  options.cache_bytes = spare - (options.buffer_bytes - buffers);
  ASSIGN_OR_RETURN(reader_, BlockReader::Create(*store, options, budget_));
  store_ = std::move(store);
  cache_bytes_ = options.cache_bytes;
  directories_ = directories;
  most_threads_ = threads_left_ = threads;
  return OkStatus();
}

StatusOr<std::unique_ptr<SharedBlocks::Use>> SharedBlocks::Join(const Graph& graph, int threads) {
  constexpr double kTickSeconds = 0.1;
  const MutexLock lock(mutex_);
  if (store_ == nullptr) RETURN_IF_ERROR(Open(graph));
  RETURN_IF_ERROR(CheckNotReplaced(*store_));
  const int wanted = threads + directories_;
  if (wanted > most_threads_) return std::unique_ptr<Use>();
  while (threads_left_ < wanted) {
    RETURN_IF_ERROR(CheckCancelled());
    left_.WaitFor(mutex_, kTickSeconds);
  }
  threads_left_ -= wanted;
  return std::make_unique<Use>(*this, wanted);
}

void SharedBlocks::Leave(int threads) {
  const MutexLock lock(mutex_);
  threads_left_ += threads;
  left_.NotifyAll();
}

}  // namespace edgemill
