#include "engine/output/scrub.h"

#include <algorithm>
#include <array>
#include <numeric>

#include "common/cancel.h"
#include "common/random.h"
#include "common/strings.h"
#include "common/threads/parallel.h"
#include "engine/graph/names/name_dictionary.h"
#include "storage/catalog/graph_state.h"

namespace edgemill {
namespace {

/// The blocks that are streamed together: enough to keep the disks busy, and few enough to stop
/// soon.
constexpr uint64_t kBatchBlocks = 512;
constexpr double kSaveInterval = 5;

bool IsOffsets(ColumnKind column) {
  return column == ColumnKind::kOutOffsets || column == ColumnKind::kInOffsets;
}

/// Whether a failed read says something about the block, rather than about this process.
bool IsFault(const Status& status) {
  return !status.out_of_resources() &&
         (status.code() == Code::kBadData || status.code() == Code::kIo ||
          status.code() == Code::kMissing);
}

}  // namespace

uint64_t Scrub::MemoryBytes(const GraphStore& store) {
  return VertexIndex::SizeBytes(store.info());
}

Scrub::Scrub(const GraphContext& context, std::string state_path, ScrubState state)
    : context_(context), state_path_(std::move(state_path)), state_(std::move(state)) {
  state_.graph = context_.store.info().uuid;
}

Status Scrub::Run() {
  for (int kind = std::max(0, state_.column); kind < kNumColumns; ++kind) {
    const auto column = static_cast<ColumnKind>(kind);
    if (context_.store.has(column)) {
      const Status status = CheckColumn(column);
      if (!status.ok()) {
        RETURN_IF_ERROR(SaveState(true));
        return status;
      }
    }
    state_.column = kind + 1;
    state_.next_block = 0;
    state_.column_bad = false;
    state_.last_known = false;
    state_.forward_hash = state_.backward_hash = state_.self_loops = state_.duplicates = 0;
  }
  return state_path_.empty() ? OkStatus() : RemoveFileAndTemporary(state_path_);
}

Status Scrub::CheckIdentity() {
  const Status status = CheckGraphIdentity(context_.store.directory(), context_.store.info().uuid,
                                           context_.store.data_directories().size());
  if (!IsFault(status)) return status;
  state_.AddFault(status);
  return OkStatus();
}

Status Scrub::LoadIndex(ColumnKind column) {
  index_.reset();
  const Direction direction =
      column == ColumnKind::kOutNeighbors ? Direction::kOut : Direction::kIn;
  context_.progress.StartStage("loading the index", "vertices",
                               context_.store.info().num_vertices + 1);
  StatusOr<VertexIndex> index = VertexIndex::Load(context_, direction);
  if (index.ok()) {
    index_ = std::move(*index);
  } else if (IsFault(index.status())) {
    // Damaged offsets that were already reported are not a new fault, but their consequence is
    // reported.
    if (offsets_good_) state_.AddFault(index.status());
    context_.progress.Note(StrCat(
        ColumnName(column), ": without good offsets only checksums and groups can be checked"));
  } else {
    return std::move(index).status();
  }
  return OkStatus();
}

Status Scrub::CheckColumn(ColumnKind column) {
  const uint64_t num_blocks = context_.store.column(column).num_blocks;
  if (IsNeighborColumn(column)) RETURN_IF_ERROR(LoadIndex(column));
  context_.progress.StartStage(StrCat("verify ", ColumnName(column)), "blocks",
                               {.units = num_blocks, .units_before = state_.next_block});
  while (state_.next_block < num_blocks) {
    const uint64_t end = std::min(num_blocks, state_.next_block + kBatchBlocks);
    RETURN_IF_ERROR(CheckBatch(column, state_.next_block, end));
    state_.next_block = end;
    RETURN_IF_ERROR(SaveState(false));
  }
  FinishColumn(column);
  if (IsNeighborColumn(column)) index_.reset();
  return column == ColumnKind::kNameGroups && !state_.column_bad ? CheckNames() : OkStatus();
}

Status Scrub::CheckBatch(ColumnKind column, uint64_t begin, uint64_t end) {
  facts_.assign(end - begin, std::nullopt);
  const Status streamed = CheckStream(column, begin, end);
  if (!streamed.ok() && !IsFault(streamed)) return streamed;
  // A stream ends at its first bad block. The blocks it left out are read one by one, to name each
  // bad one.
  for (uint64_t block = begin; block < end; ++block) {
    if (!facts_[block - begin].has_value()) {
      RETURN_IF_ERROR(CheckCancelled());
      StatusOr<BlockFacts> facts = CheckAlone(column, block);
      if (facts.ok()) {
        facts_[block - begin] = *facts;
      } else if (IsFault(facts.status())) {
        ++state_.blocks_bad;
        state_.AddFault(facts.status());
      } else {
        return std::move(facts).status();
      }
    }
  }
  for (uint64_t block = begin; block < end; ++block) Fold(column, block);
  return OkStatus();
}

Status Scrub::CheckStream(ColumnKind column, uint64_t begin, uint64_t end) {
  std::vector<uint64_t> blocks(end - begin);
  std::iota(blocks.begin(), blocks.end(), begin);
  const std::array<ColumnKind, 1> columns = {column};
  const std::unique_ptr<BlockStream> stream = context_.reader.Start(columns, std::move(blocks));
  std::optional<VertexIndexView> view;
  if (index_.has_value()) view = index_->view();
  return RunThreads(context_.threads, [&](int /*thread*/) -> Status {
    while (true) {
      ASSIGN_OR_RETURN(const std::optional<BlockLease> lease, stream->Next());
      if (!lease.has_value()) return OkStatus();
      const uint64_t block = lease->block();
      StatusOr<BlockFacts> facts =
          CheckPayload(context_.store, column, block, view, lease->payload());
      if (facts.ok()) facts_[block - begin] = *facts;
      context_.progress.Advance(1, context_.store.blocks(column)[block].stored_bytes);
    }
  });
}

StatusOr<BlockFacts> Scrub::CheckAlone(ColumnKind column, uint64_t block) {
  ASSIGN_OR_RETURN(const BlockLease lease, context_.reader.ReadOne(column, block));
  std::optional<VertexIndexView> view;
  if (index_.has_value()) view = index_->view();
  StatusOr<BlockFacts> facts = CheckPayload(context_.store, column, block, view, lease.payload());
  if (facts.ok()) return facts;
  return DamagedBlock(context_.store, column, block, facts.status().message());
}

void Scrub::Fold(ColumnKind column, uint64_t block) {
  const std::optional<BlockFacts>& facts = facts_[block % kBatchBlocks];
  ++state_.blocks_checked;
  state_.bytes_checked += context_.store.blocks(column)[block].stored_bytes;
  const bool rises = column == ColumnKind::kExternalIds || column == ColumnKind::kNameGroups;
  const bool ordered = IsNeighborColumn(column) ? index_.has_value() : rises;
  if (!facts.has_value()) {
    state_.last_known = false;
    return;
  }
  if (ordered && state_.last_known) {
    const bool falls = facts->first < state_.last || (facts->first == state_.last && rises);
    if (falls) {
      ++state_.blocks_bad;
      state_.AddFault(
          DamagedBlock(context_.store, column, block, "it starts below the block before it"));
    }
    state_.duplicates += facts->first == state_.last;
  }
  state_.forward_hash += facts->forward_hash;
  state_.backward_hash += facts->backward_hash;
  state_.self_loops += facts->self_loops;
  state_.duplicates += facts->duplicates;
  state_.last = facts->last;
  state_.last_known = true;
}

void Scrub::FinishColumn(ColumnKind column) {
  if (IsOffsets(column)) offsets_good_ = !state_.column_bad;
  if (state_.column_bad) return;
  if (IsNeighborColumn(column) && index_.has_value()) CheckNeighborSums(column);
  if (column == ColumnKind::kInternalOfRank) {
    uint64_t expected = 0;
    for (uint64_t i = 0; i < context_.store.info().num_vertices; ++i) expected += Mix64(i);
    if (state_.forward_hash != expected) {
      state_.AddFault(BadDataError(StrCat(context_.store.path(), ": ", ColumnName(column),
                                          " is not a permutation: ingest the graph again")));
    }
  }
}

Status Scrub::CheckNames() {
  const uint64_t num_names = context_.store.info().num_vertices;
  context_.progress.StartStage("verify the names", "vertices", num_names);
  NameCursor cursor(context_.store, context_.reader);
  std::optional<uint64_t> bad_block;
  while (cursor.rank() < num_names) {
    const uint64_t rank = cursor.rank();
    const StatusOr<std::string_view> name = cursor.Next();
    Status status = name.status();
    size_t bad = 0;
    if (status.ok() && !IsUtf8(*name, &bad)) {
      status = cursor.Damaged(StrCat("the name of rank ", rank, " is not UTF-8 from byte ", bad));
    }
    context_.progress.Advance(1);
    if (status.ok()) continue;
    if (!IsFault(status)) return status;
    // Blocks that cannot be read were reported before. For a damaged block, only the first fault is
    // reported.
    const bool is_known = std::find(state_.faults.begin(), state_.faults.end(), status.message()) !=
                          state_.faults.end();
    if (!is_known && bad_block != cursor.block()) {
      ++state_.blocks_bad;
      state_.AddFault(status);
      state_.column_bad = false;  // the ends of groups are good: a resumed scrub comes here again
    }
    bad_block = cursor.block();
    cursor.Seek((rank / kNamesPerGroup + 1) * kNamesPerGroup);
  }
  return OkStatus();
}

void Scrub::CheckNeighborSums(ColumnKind column) {
  const GraphInfo& info = context_.store.info();
  const auto fault = [&](std::string_view what) {
    state_.AddFault(BadDataError(StrCat(context_.store.path(), ": ", ColumnName(column), ": ", what,
                                        ": ingest the graph again")));
  };
  if (state_.self_loops != info.num_self_loops) {
    fault(StrCat(state_.self_loops, " loops are stored, the catalog says ", info.num_self_loops));
  }
  if (state_.duplicates != info.num_duplicates) {
    fault(StrCat(state_.duplicates, " duplicates are stored, the catalog says ",
                 info.num_duplicates));
  }
  if (!info.directed && state_.forward_hash != state_.backward_hash) {
    fault("the graph is called symmetric, but its edges are not");
  }
  if (column == ColumnKind::kOutNeighbors) {
    state_.out_forward_hash = state_.forward_hash;
    state_.out_good = true;
  } else if (state_.out_good && state_.forward_hash != state_.out_forward_hash) {
    fault("these are not the edges of out-neighbors");
  }
}

Status Scrub::SaveState(bool now) {
  if (state_path_.empty() || (!now && since_saved_.seconds() < kSaveInterval)) return OkStatus();
  since_saved_.Restart();
  return WriteScrubState(state_path_, state_);
}

}  // namespace edgemill
