#include "storage/read/block_reader.h"

#include <numeric>
#include <utility>

#include "common/check.h"
#include "common/threads/parallel.h"
#include "storage/io/timeout_engine.h"
#include "storage/read/block_pipeline.h"

namespace edgemill {
namespace {

class PipelineReader final : public BlockReader {
 public:
  explicit PipelineReader(std::unique_ptr<BlockPipeline> pipeline)
      : pipeline_(std::move(pipeline)) {}
  ~PipelineReader() override {
    if (!pipeline_->Stop()) KeepForKernel(std::move(pipeline_));
  }

  std::unique_ptr<BlockStream> Start(std::span<const ColumnKind> columns,
                                     std::vector<uint64_t> blocks) override {
    return pipeline_->Open(columns, std::move(blocks), false);
  }

  StatusOr<BlockLease> ReadOne(ColumnKind column, uint64_t block) override {
    const std::unique_ptr<BlockStream> stream = pipeline_->Open({&column, 1}, {block}, true);
    ASSIGN_OR_RETURN(std::optional<BlockLease> lease, stream->Next());
    CHECK(lease.has_value());
    return std::move(*lease);
  }

  std::vector<uint64_t> CachedBlocks(std::span<const ColumnKind> columns) const override {
    return pipeline_->CachedBlocks(columns);
  }

  std::vector<BusySpan> DrainBusySpans() override { return pipeline_->DrainBusySpans(); }
  const BlockReaderStats& stats() const override { return pipeline_->stats(); }
  std::string engine_name() const override { return pipeline_->engine_name(); }

 private:
  std::unique_ptr<BlockPipeline> pipeline_;
};

}  // namespace

BlockLease::BlockLease() noexcept = default;
BlockLease::BlockLease(BlockLease&&) noexcept = default;
BlockLease& BlockLease::operator=(BlockLease&&) noexcept = default;
BlockLease::~BlockLease() = default;

BlockLease::Release::~Release() {
  if (pipeline != nullptr) pipeline->Return(*this);
}

uint64_t BlockReader::CacheBytes(const GraphStore& store, ColumnKind column) {
  const auto blocks = store.blocks(column);
  return std::accumulate(blocks.begin(), blocks.end(), uint64_t{0},
                         [](uint64_t sum, const BlockLocation& location) {
                           return sum + BlockCache::RoundUp(location.payload_bytes);
                         });
}

uint64_t BlockReader::OverheadBytes(const GraphStore& store, const BlockReaderOptions& options) {
  uint64_t max_blocks = 0;
  for (int column = 0; column < kNumColumns; ++column) {
    max_blocks = std::max(max_blocks, store.column(static_cast<ColumnKind>(column)).num_blocks);
  }
  const uint64_t index = options.cache_bytes == 0 ? 0 : BlockCache::IndexBytes(store);
  return index + max_blocks * (sizeof(uint64_t) + 2 * sizeof(BlockSource));
}

StatusOr<std::unique_ptr<BlockReader>> BlockReader::Create(const GraphStore& store,
                                                           const BlockReaderOptions& options,
                                                           MemoryBudget& budget) {
  BlockReaderOptions resolved = options;
  if (resolved.threads <= 0) resolved.threads = AvailableThreads();
  ASSIGN_OR_RETURN(std::unique_ptr<BlockPipeline> pipeline,
                   BlockPipeline::Create(store, resolved, budget));
  return std::unique_ptr<BlockReader>(std::make_unique<PipelineReader>(std::move(pipeline)));
}

}  // namespace edgemill
