#include "engine/output/walks/resident_blocks.h"

#include <algorithm>
#include <cmath>
#include <memory>
#include <numeric>
#include <utility>

#include "common/check.h"
#include "common/strings.h"

namespace edgemill {

uint64_t ResidentBlocks::FixedBytes(const GraphInfo& info, const Needs& needs) {
  const uint64_t each = sizeof(uint32_t) + sizeof(uint64_t) +
                        (needs.borders ? sizeof(VertexId) : 0) +
                        (needs.weights ? 2 * sizeof(double) : 0);
  return VertexIndex::SizeBytes(info) + each * info.num_blocks();
}

ResidentBlocks::ResidentBlocks(const GraphContext& context, const Needs& needs)
    : context_(context),
      needs_(needs),
      block_shift_(std::countr_zero(context.store.info().block_edges)),
      indexes_(context.store.info()),
      blocks_({context.store, context.reader, context.threads, context.budget, reading_},
              indexes_) {}

StatusOr<std::unique_ptr<ResidentBlocks>> ResidentBlocks::Create(const GraphContext& context,
                                                                 const Needs& needs) {
  const GraphInfo& info = context.store.info();
  CHECK(std::has_single_bit(info.block_edges));
  if (needs.weights && info.weights == WeightType::kNone) {
    return UsageError("the graph has no weights");
  }
  if (needs.weights && LacksWeights(context.store, needs.direction)) {
    return UsageError("the graph has no weights in lists of this direction");
  }
  if (needs.weights && info.has_negative_weight) {
    return UsageError("the graph has weights below 0");
  }
  std::unique_ptr<ResidentBlocks> made(new ResidentBlocks(context, needs));
  const bool is_out = needs.direction == Direction::kOut || !info.directed;
  RETURN_IF_ERROR(made->indexes_.Load(context, {.out_index = is_out, .in_index = !is_out}));
  made->index_ = made->indexes_.view(needs.direction);
  ASSIGN_OR_RETURN(made->reservation_,
                   context.budget.Reserve(FixedBytes(info, needs) - VertexIndex::SizeBytes(info),
                                          "the tables of blocks"));
  made->slots_.of_block.assign(info.num_blocks(), kNoSlot);
  if (needs.borders) made->borders_.resize(info.num_blocks());
  if (needs.weights) {
    made->split_.heads.resize(info.num_blocks());
    made->split_.tails.resize(info.num_blocks());
  }
  return made;
}

Status ResidentBlocks::Prepare(uint64_t num_slots) {
  CHECK_EQ(slots_.count, uint64_t{0});
  const GraphInfo& info = context_.store.info();
  slots_.count = std::min(num_slots, num_blocks());
  if (num_blocks() == 0) return OkStatus();
  CHECK_GT(slots_.count, uint64_t{0});
  CHECK_LT(slots_.count, uint64_t{kNoSlot});
  ASSIGN_OR_RETURN(
      slots_.reservation,
      context_.budget.Reserve(slots_.count * SlotBytes(info, needs_), "blocks of edges"));
  const uint64_t edges = slots_.count << block_shift_;
  ASSIGN_OR_RETURN(slots_.targets, Array<VertexId>::Allocate(edges));
  if (needs_.weights) {
    ASSIGN_OR_RETURN(slots_.sums, Array<double>::Allocate(edges));
  }
  slots_.held.assign(slots_.count, num_blocks());
  const bool keeps_all = slots_.count == num_blocks();
  if (!keeps_all && !needs_.borders && !needs_.weights) return OkStatus();
  context_.progress.StartStage("reading the graph", "blocks", num_blocks());
  for (uint64_t first = 0; first < num_blocks(); first += slots_.count) {
    std::vector<uint64_t> some(std::min(slots_.count, num_blocks() - first));
    std::iota(some.begin(), some.end(), first);
    RETURN_IF_ERROR(Load(some));
    context_.progress.Advance(some.size());
  }
  return needs_.weights ? JoinSums() : OkStatus();
}

Status ResidentBlocks::Load(std::span<const uint64_t> blocks) {
  CHECK_LE(blocks.size(), slots_.count);
  std::vector<uint64_t> missing;
  for (const uint64_t block : blocks) {
    if (!Has(block)) missing.push_back(block);
  }
  if (missing.empty()) return OkStatus();
  auto next = missing.begin();
  for (uint32_t slot = 0; slot < slots_.count && next != missing.end(); ++slot) {
    const uint64_t held = slots_.held[slot];
    if (held != num_blocks()) {
      if (std::binary_search(blocks.begin(), blocks.end(), held)) continue;
      slots_.of_block[held] = kNoSlot;
    }
    slots_.held[slot] = *next;
    slots_.of_block[*next] = slot;
    ++next;
  }
  CHECK(next == missing.end());
  blocks_read_ += missing.size();
  return blocks_.Visit(
      needs_.direction, needs_.weights, std::move(missing),
      [this](int, const BlockEdges& block) -> StatusOr<bool> { return Decode(block); });
}

StatusOr<bool> ResidentBlocks::Decode(const BlockEdges& block) {
  ListCursor<NoWeight> cursor(block, context_.store.info().num_vertices);
  VertexId* const targets = slots_.targets.data() + PlaceOf(block.begin);
  const bool is_sound =
      VisitVertices(block, index_, [&](VertexId vertex, EdgeIndex first, EdgeIndex last) {
        VertexId* out = targets + (std::max(first, block.begin) - block.begin);
        return cursor.VisitList(vertex, first, last, [&](const ListChunk<NoWeight>& chunk) {
          for (uint32_t i = 0; i < chunk.size; ++i) *out++ = chunk.target(i);
          return true;
        });
      });
  if (!is_sound) return false;
  if (needs_.borders) borders_[block.block] = targets[0];
  if (!needs_.weights) return true;
  switch (block.weights) {
    case WeightType::kInt32:
      RETURN_IF_ERROR(SumWeights<int32_t>(block));
      break;
    case WeightType::kFloat32:
      RETURN_IF_ERROR(SumWeights<float>(block));
      break;
    default:
      RETURN_IF_ERROR(SumWeights<double>(block));
  }
  return true;
}

template <typename Weight>
Status ResidentBlocks::SumWeights(const BlockEdges& block) {
  double* const sums = slots_.sums.data() + PlaceOf(block.begin);
  ListCursor<Weight> cursor(block, context_.store.info().num_vertices);
  double sum = 0;
  bool is_right = true, is_finite = true, is_first = block.continues;
  VisitVertices(block, index_, [&](VertexId vertex, EdgeIndex first, EdgeIndex last) {
    double* out = sums + (std::max(first, block.begin) - block.begin);
    sum = 0;
    cursor.VisitList(vertex, first, last, [&](const ListChunk<Weight>& chunk) {
      for (uint32_t i = 0; i < chunk.size; ++i) {
        const auto weight = static_cast<double>(chunk.weight(i));
        is_right = is_right && weight >= 0 && std::isfinite(weight);
        *out++ = sum += weight;
      }
      return true;
    });
    is_finite = is_finite && std::isfinite(sum);
    if (std::exchange(is_first, false)) {
      if (first < block.begin && !split_.joined) split_.heads[block.block] = sum;
    }
    return is_right;
  });
  if (!split_.joined) split_.tails[block.block] = sum;
  if (!is_right) {
    return DamagedBlock(context_.store, WeightColumn(context_.store.info(), needs_.direction),
                        block.block, "a weight is below 0 or not finite");
  }
  return is_finite ? OkStatus() : InfiniteSum();
}

Status ResidentBlocks::InfiniteSum() const {
  return BadDataError(StrCat(context_.store.path(),
                             ": the weights at a vertex sum to more than the greatest "
                             "floating-point number: divide all weights by a number, and ingest "
                             "the graph again"));
}

Status ResidentBlocks::JoinSums() {
  split_.joined = true;
  for (uint64_t block = 1; block < num_blocks(); ++block) {
    const BlockEdges extent = indexes_.Extent(needs_.direction, block);
    if (!extent.continues) continue;
    split_.heads[block] += SumThrough(index_.first_edge(extent.owned_begin - 1), block - 1);
    if (!std::isfinite(split_.heads[block])) return InfiniteSum();
  }
  return OkStatus();
}

uint64_t ResidentBlocks::BlockOfNeighbor(EdgeIndex first, EdgeIndex last, VertexId neighbor) const {
  uint64_t begin = BlockOf(first), end = BlockOf(last - 1) + 1;
  while (end - begin > 1) {
    const uint64_t middle = begin + (end - begin) / 2;
    if (borders_[middle] <= neighbor) {
      begin = middle;
    } else {
      end = middle;
    }
  }
  return begin;
}

bool ResidentBlocks::HasNeighbor(uint64_t block, EdgeIndex first, EdgeIndex last,
                                 VertexId neighbor) const {
  const EdgeIndex begin = std::max(first, block << block_shift_);
  const EdgeIndex end = std::min(last, (block + 1) << block_shift_);
  const VertexId* const targets = TargetAt(begin);
  return std::binary_search(targets, targets + (end - begin), neighbor);
}

uint64_t ResidentBlocks::BlockOfShare(EdgeIndex first, EdgeIndex last, double share) const {
  uint64_t begin = BlockOf(first), end = BlockOf(last - 1);
  if (begin == end) return begin;
  const double sought = share * SumThrough(first, end);
  while (begin < end) {  // the first block whose sum is above what is sought
    const uint64_t middle = begin + (end - begin) / 2;
    if (SumThrough(first, middle) > sought) {
      end = middle;
    } else {
      begin = middle + 1;
    }
  }
  return begin;
}

EdgeIndex ResidentBlocks::EdgeAtShare(uint64_t block, EdgeIndex first, EdgeIndex last,
                                      double share) const {
  const EdgeIndex begin = std::max(first, block << block_shift_);
  const EdgeIndex end = std::min(last, (block + 1) << block_shift_);
  const double* const sums = slots_.sums.data() + PlaceOf(begin);
  const uint64_t last_block = BlockOf(last - 1);
  const double total =
      BlockOf(first) == last_block ? sums[end - begin - 1] : SumThrough(first, last_block);
  if (total == 0) return last;
  const double before = block == BlockOf(first) ? 0 : SumThrough(first, block - 1);
  const double sought = std::max(share * total - before, 0.0);
  const double* const found = std::upper_bound(sums, sums + (end - begin), sought);
  // Rounding may put the sought weight at the end of the part: it is then of the last edge of this
  // part with a weight.
  if (found != sums + (end - begin)) return begin + static_cast<EdgeIndex>(found - sums);
  const double* const top = std::lower_bound(sums, found, sums[end - begin - 1]);
  return begin + static_cast<EdgeIndex>(top - sums);
}

}  // namespace edgemill
