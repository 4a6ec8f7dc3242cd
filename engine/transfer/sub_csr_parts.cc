#include "engine/transfer/sub_csr_parts.h"

#include "common/check.h"
#include "common/threads/parallel.h"
#include "engine/plan/staging_layout.h"

namespace edgemill {
namespace {

/// The least share of a part for a thread, as for blocks that are visited (GraphBlocks).
constexpr EdgeIndex kEdgesAThread = EdgeIndex{1} << 11;

const SubCsr& SubCsrOf(const StagedBatch& part, size_t place) {
  return *reinterpret_cast<const SubCsr*>(part.places()[place].bytes.neighbors);
}

}  // namespace

StatusOr<std::unique_ptr<SubCsrParts>> SubCsrParts::Create(uint64_t bytes, int threads,
                                                           MemoryBudget& budget) {
  CHECK_GT(bytes / kSubCsrParts, StagingLayout::HostBytes(0));
  std::unique_ptr<SubCsrParts> parts(new SubCsrParts(threads));
  ASSIGN_OR_RETURN(parts->reservation_, budget.Reserve(bytes, "SubCSRs"));
  std::array<std::byte*, kSubCsrParts> memory;
  for (size_t i = 0; i < memory.size(); ++i) {
    ASSIGN_OR_RETURN(parts->memory_[i], Buffer::Allocate(bytes / kSubCsrParts));
    memory[i] = parts->memory_[i].data();
  }
  const uint64_t part_bytes = bytes / kSubCsrParts - StagingLayout::HostBytes(0);
  parts->queue_.emplace(memory, StagingLimits{.buffer_bytes = part_bytes}, parts->clock_);
  return parts;
}

Status SubCsrParts::Run(const Pass& pass) {
  queue_->Reset();
  return RunThreads(2, [&](int thread) {
    if (thread == 1) return Build(pass);
    const Status used = Use(pass);
    if (!used.ok()) queue_->Fail();
    return used;
  });
}

Status SubCsrParts::Build(const Pass& pass) {
  const Status read = pass.read([&](int thread, const BlockEdges& edges) -> StatusOr<bool> {
    ASSIGN_OR_RETURN(const SubCsrBuilder::Outcome outcome, pass.builder.Put(edges, *queue_));
    if (outcome == SubCsrBuilder::Outcome::kWhole) return pass.whole(thread, edges);
    return outcome == SubCsrBuilder::Outcome::kBuilt;
  });
  queue_->EndFilling();
  return read;
}

Status SubCsrParts::Use(const Pass& pass) {
  while (StagedBatch* const part = queue_->NextFull(/*may_wait=*/true).full) {
    EdgeIndex edges = 0;
    for (uint32_t i = 0; i < part->num_blocks; ++i) edges += SubCsrOf(*part, i).num_edges;
    RETURN_IF_ERROR(ParallelFor(part->num_blocks, 1, TeamFor(edges, kEdgesAThread, threads_),
                                [&](size_t begin, size_t end) {
                                  for (size_t i = begin; i < end; ++i) pass.use(SubCsrOf(*part, i));
                                  return OkStatus();
                                }));
    queue_->Submitted(*part);
    queue_->Free(*part);
  }
  return OkStatus();
}

}  // namespace edgemill
