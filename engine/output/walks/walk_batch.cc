#include "engine/output/walks/walk_batch.h"

#include <algorithm>
#include <array>

#include "common/cancel.h"
#include "common/check.h"
#include "common/threads/parallel.h"

namespace edgemill {
namespace {

/// Walks that a thread moves in turn, a step each, so that their reads of memory overlap.
constexpr size_t kTeamWalks = 64;
/// Proposals that each walk of a team makes between two looks at cancellation: some milliseconds.
/// Where p and q are far from 1, a step may take a million proposals.
constexpr uint32_t kUncheckedRounds = 4096;

}  // namespace

uint64_t WalkBatch::WalkBytes(const WalkOptions& options) {
  return (options.length + 1) * sizeof(VertexId) + sizeof(uint32_t) + WaitingWalks::kWalkBytes +
         (options.looks_back() ? sizeof(VertexId) + sizeof(uint32_t) : 0);
}

StatusOr<std::unique_ptr<WalkBatch>> WalkBatch::Create(const GraphContext& context,
                                                       const WalkOptions& options,
                                                       ResidentBlocks& blocks, uint64_t capacity) {
  std::unique_ptr<WalkBatch> batch(new WalkBatch(context, options, blocks));
  ASSIGN_OR_RETURN(batch->waiting_,
                   WaitingWalks::Create(context.store.info(), capacity, context.budget));
  Rows& made = batch->rows_;
  const uint64_t bytes = capacity * (WalkBytes(options) - WaitingWalks::kWalkBytes);
  ASSIGN_OR_RETURN(made.reservation, context.budget.Reserve(bytes, "walks"));
  ASSIGN_OR_RETURN(made.vertices, Array<VertexId>::Allocate(capacity * batch->stride()));
  ASSIGN_OR_RETURN(made.steps, Array<uint32_t>::Allocate(capacity));
  if (options.looks_back()) {
    ASSIGN_OR_RETURN(made.candidates, Array<VertexId>::Allocate(capacity));
    ASSIGN_OR_RETURN(made.tries, Array<uint32_t>::Allocate(capacity));
  }
  return batch;
}

Status WalkBatch::Make(std::span<const VertexId> starts, uint64_t first, uint64_t count) {
  first_ = first;
  count_ = count;
  for (uint64_t i = 0; i < count; ++i) {
    rows_.vertices[i * stride()] = starts[(first + i) / options_.walks_per_start];
    rows_.steps[i] = 0;
    if (options_.looks_back()) {
      rows_.candidates[i] = kInvalidVertex;
      rows_.tries[i] = 0;
    }
  }
  for (std::span<const uint32_t> walks = waiting_.StartAll(count); !walks.empty();) {
    RETURN_IF_ERROR(Move(walks));
    ASSIGN_OR_RETURN(walks, waiting_.Take(blocks_));
  }
  return OkStatus();
}

Status WalkBatch::Move(std::span<const uint32_t> walks) {
  return ParallelFor(walks.size(), kTeamWalks, context_.threads, [&](size_t begin, size_t end) {
    return MoveTeam(walks.subspan(begin, end - begin));
  });
}

WalkBatch::MovingWalk WalkBatch::Resume(uint32_t walk) const {
  MovingWalk walker{
      .walk = walk, .steps = rows_.steps[walk], .tries = 0, .candidate = kInvalidVertex};
  walker.vertex = rows_.vertices[walk * stride() + walker.steps];
  walker.degree = 0;
  walker.key = WalkKey(options_.seed, first_ + walk);
  walker.target = nullptr;
  walker.goes_back = false;
  if (options_.looks_back()) {
    walker.tries = rows_.tries[walk];
    walker.candidate = rows_.candidates[walk];
  }
  return walker;
}

Status WalkBatch::MoveTeam(std::span<const uint32_t> walks) {
  std::array<MovingWalk, kTeamWalks> team;
  size_t size = 0;
  uint64_t steps_before = 0, steps = 0, tries = 0;
  const uint32_t* const low = blocks_.index().low;
  for (const uint32_t walk : walks) {
    team[size] = Resume(walk);
    __builtin_prefetch(low + team[size].vertex);
    steps_before += team[size++].steps;
  }
  for (uint32_t round = 0; size > 0; ++round) {
    if (round % kUncheckedRounds == kUncheckedRounds - 1) RETURN_IF_ERROR(CheckCancelled());
    // First all propose, and then all read what was proposed, which is then on its way.
    size_t kept = 0;
    for (size_t i = 0; i < size; ++i) {
      MovingWalk& walker = team[i];
      if (walker.candidate == kInvalidVertex) {
        if (!Propose(&walker)) {
          steps += walker.steps;
          continue;
        }
        ++tries;
        __builtin_prefetch(walker.target);
      }
      team[kept++] = walker;
    }
    size = kept;
    kept = 0;
    for (size_t i = 0; i < size; ++i) {
      MovingWalk& walker = team[i];
      if (walker.candidate == kInvalidVertex) walker.candidate = *walker.target;
      const bool goes_on =
          options_.looks_back() && walker.steps > 0 ? Decide(&walker) : Accept(&walker);
      if (!goes_on) {
        steps += walker.steps;
        continue;
      }
      __builtin_prefetch(low + walker.vertex);
      team[kept++] = walker;
    }
    size = kept;
  }
  total_steps_.fetch_add(steps - steps_before, std::memory_order_relaxed);
  total_tries_.fetch_add(tries, std::memory_order_relaxed);
  context_.progress.Advance(steps - steps_before);
  return OkStatus();
}

bool WalkBatch::Propose(MovingWalk* walker) {
  const VertexIndexView& index = blocks_.index();
  const EdgeIndex first = index.first_edge(walker->vertex);
  const EdgeIndex last = index.first_edge(walker->vertex + 1);
  walker->degree = last - first;
  if (first == last) {
    rows_.steps[walker->walk] = walker->steps;
    return false;
  }
  if (more_back_ > 0 && walker->steps > 0) {
    const double all = static_cast<double>(last - first) * most_ + more_back_;
    walker->goes_back = all * UnitOf(Bits(*walker, 2)) < more_back_;
    if (walker->goes_back) {
      walker->target = RowOf(walker->walk) + walker->steps - 1;
      return true;
    }
  }
  const uint64_t bits = Bits(*walker, 0);
  EdgeIndex edge = first;
  if (options_.weighted) {
    const double share = UnitOf(bits);
    const uint64_t block = blocks_.BlockOfShare(first, last, share);
    if (!blocks_.Has(block)) {
      Wait(*walker, block);
      return false;
    }
    edge = blocks_.EdgeAtShare(block, first, last, share);
    if (edge == last) {
      rows_.steps[walker->walk] = walker->steps;
      return false;
    }
  } else {
    edge += BitsBelow(bits, last - first);
    const uint64_t block = blocks_.BlockOf(edge);
    if (!blocks_.Has(block)) {
      Wait(*walker, block);
      return false;
    }
  }
  walker->target = blocks_.TargetAt(edge);
  return true;
}

bool WalkBatch::Decide(MovingWalk* walker) {
  const VertexId before = RowOf(walker->walk)[walker->steps - 1];
  const double draw = most_ * UnitOf(Bits(*walker, 1));
  const double far = 1 / options_.q;
  bool accepted;
  if (walker->goes_back || walker->degree == 1) {
    accepted = true;  // degree 1: there is no other edge
  } else if (walker->candidate == before) {
    accepted = draw < 1 / options_.p;
  } else if (draw < std::min(1.0, far)) {
    accepted = true;
  } else if (draw >= std::max(1.0, far)) {
    accepted = false;
  } else {
    return DecideByList(walker, before, draw);
  }
  if (accepted) return Accept(walker);
  walker->candidate = kInvalidVertex;
  ++walker->tries;
  return true;
}

bool WalkBatch::DecideByList(MovingWalk* walker, VertexId before, double draw) {
  const VertexIndexView& index = blocks_.index();
  const auto look_in = [&](VertexId list, VertexId neighbor, EdgeIndex* first, EdgeIndex* last) {
    *first = index.first_edge(list);
    *last = index.first_edge(list + 1);
    return blocks_.BlockOfNeighbor(*first, *last, neighbor);
  };
  EdgeIndex first = 0, last = 0;
  VertexId neighbor = walker->candidate;
  uint64_t block = look_in(before, neighbor, &first, &last);
  // An undirected edge is in both lists. The shorter one is searched, or the one in memory.
  if (undirected_ && index.degree(walker->candidate) > 0) {
    EdgeIndex other_first = 0, other_last = 0;
    const uint64_t other = look_in(walker->candidate, before, &other_first, &other_last);
    const bool has = blocks_.Has(block), other_has = blocks_.Has(other);
    if (other_has != has ? other_has : other_last - other_first < last - first) {
      block = other, first = other_first, last = other_last, neighbor = before;
    }
  }
  if (!blocks_.Has(block)) {
    Wait(*walker, block);
    return false;
  }
  const bool is_near = blocks_.HasNeighbor(block, first, last, neighbor);
  if (draw < (is_near ? 1 : 1 / options_.q)) return Accept(walker);
  walker->candidate = kInvalidVertex;
  ++walker->tries;
  return true;
}

bool WalkBatch::Accept(MovingWalk* walker) {
  walker->vertex = walker->candidate;
  walker->candidate = kInvalidVertex;
  walker->tries = 0;
  RowOf(walker->walk)[++walker->steps] = walker->vertex;
  if (walker->steps < options_.length) return true;
  rows_.steps[walker->walk] = walker->steps;
  return false;
}

void WalkBatch::Wait(const MovingWalk& walker, uint64_t block) {
  const uint32_t walk = walker.walk;
  rows_.steps[walk] = walker.steps;
  if (options_.looks_back()) {
    rows_.tries[walk] = walker.tries;
    rows_.candidates[walk] = walker.candidate;
  }
  waiting_.Add(walk, block);
}

}  // namespace edgemill
