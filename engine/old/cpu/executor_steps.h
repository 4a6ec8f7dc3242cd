// Executor's iteration: what is due, which mode, the sweep, and what is active next. Included by
// engine/old/cpu/executor.h.
#pragma once

#include "engine/old/cpu/executor.h"

namespace edgemill {

template <VertexProgram P>
StatusOr<std::unique_ptr<Executor<P>>> Executor<P>::Create(LoadedGraph& graph, Mode mode,
                                                           Recorder& recorder, uint32_t passes) {
  std::unique_ptr<Executor> executor(new Executor(graph, mode, recorder, passes));
  RETURN_IF_ERROR(executor->rules_.Check(graph.store().path()));
  const uint64_t num_vertices = graph.num_vertices();
  if constexpr (!kTraits.all_active) {
    ASSIGN_OR_RETURN(executor->current_, Frontier::Create(num_vertices, graph.budget()));
    ASSIGN_OR_RETURN(executor->next_, Frontier::Create(num_vertices, graph.budget()));
    if (kTraits.prioritised) {
      ASSIGN_OR_RETURN(executor->waiting_, Frontier::Create(num_vertices, graph.budget()));
    }
    if (NeedsNotified(mode)) {
      ASSIGN_OR_RETURN(executor->notified_, Frontier::Create(num_vertices, graph.budget()));
    }
  }
  if constexpr (kWhole) RETURN_IF_ERROR(graph.KeepBlockIds());
  uint64_t bytes = PartialsBytes(graph.num_blocks());
  if (NeedsAccumulators(mode)) bytes += num_vertices * sizeof(Message);
  ASSIGN_OR_RETURN(executor->reservation_, graph.budget().Reserve(bytes, "partial results"));
  executor->partial_messages_.resize(2 * graph.num_blocks(), P::Identity());
  executor->partial_any_.resize(graph.num_blocks());
  if (NeedsAccumulators(mode)) {
    ASSIGN_OR_RETURN(executor->accumulators_, Array<Message>::Allocate(num_vertices));
    std::fill(executor->accumulators_.begin(), executor->accumulators_.end(), P::Identity());
  }
  return executor;
}

template <VertexProgram P>
Status Executor<P>::Initialise(const P& program) {
  context_ = Context{.iteration = 0, .num_vertices = graph_.num_vertices()};
  const size_t chunk = FirstTouchGrain(graph_.num_vertices(), graph_.threads());
  RETURN_IF_ERROR(
      ParallelFor(graph_.num_vertices(), chunk, graph_.threads(), [&](size_t begin, size_t end) {
        for (size_t i = begin; i < end; ++i) {
          const VertexId vertex = static_cast<VertexId>(i);
          const bool active = program.Initial(vertex, context_);
          if constexpr (!kTraits.all_active) {
            if (active) current_.Add(vertex);
          }
        }
        return OkStatus();
      }));
  return CountActive();
}

template <VertexProgram P>
Status Executor<P>::CountActive() {
  if constexpr (kTraits.all_active) return OkStatus();
  current_.Seal(graph_.threads());
  std::atomic<uint64_t> vertices{0};
  std::atomic<uint64_t> edges{0};
  const bool has_out = graph_.has_index(Direction::kOut);
  const VertexIndexView index = has_out ? graph_.index(Direction::kOut) : VertexIndexView();
  const auto count = [&](uint64_t members, EdgeIndex degrees) {
    vertices.fetch_add(members, std::memory_order_relaxed);
    edges.fetch_add(degrees, std::memory_order_relaxed);
  };
  if (current_.is_sparse()) {
    RETURN_IF_ERROR(current_.ForEach(graph_.threads(), [&](std::span<const VertexId> members) {
      EdgeIndex degrees = 0;
      if (has_out) {
        for (const VertexId vertex : members) degrees += index.degree(vertex);
      }
      count(members.size(), degrees);
    }));
  } else {
    const std::span<const uint64_t> words = current_.words();
    RETURN_IF_ERROR(ParallelFor(
        words.size(), kVertexChunk / 64, graph_.threads(), [&](size_t begin, size_t end) {
          const std::span<const uint64_t> some = words.subspan(begin, end - begin);
          uint64_t members = 0;
          for (const uint64_t word : some) members += static_cast<uint64_t>(std::popcount(word));
          count(members, has_out ? DegreesOf(index, begin, some) : 0);
          return OkStatus();
        }));
  }
  num_active_ = vertices;
  active_edges_ = edges;
  return OkStatus();
}

/// Leaves in current_ what is due, of what became active last, and puts the rest to what waits.
/// When nothing is due, advances the program to the least that waits.
template <VertexProgram P>
Status Executor<P>::TakeDue(P* program) {
  RETURN_IF_ERROR(current_.ForEach(graph_.threads(), [&](std::span<const VertexId> members) {
    FrontierBatch due(next_), waiting(waiting_);
    for (const VertexId vertex : members) (program->IsDue(vertex) ? due : waiting).Add(vertex);
  }));
  std::swap(current_, next_);
  next_.Clear(graph_.threads());
  RETURN_IF_ERROR(CountActive());
  step_edges_.again += active_edges_;
  if (num_active_ > 0) return OkStatus();
  waiting_.Seal(graph_.threads());
  // Of those that wait, some became due since, and have sent: what they were due by tells them.
  const P before = *program;
  std::atomic<double> least{std::numeric_limits<double>::infinity()};
  RETURN_IF_ERROR(waiting_.ForEach(graph_.threads(), [&](std::span<const VertexId> members) {
    double local = std::numeric_limits<double>::infinity();
    for (const VertexId vertex : members) {
      if (!before.IsDue(vertex)) local = std::min(local, program->Priority(vertex));
    }
    double seen = least.load(std::memory_order_relaxed);
    while (local < seen && !least.compare_exchange_weak(seen, local)) {
    }
  }));
  if (least == std::numeric_limits<double>::infinity()) return OkStatus();
  program->Advance(least, step_edges_);
  RETURN_IF_ERROR(waiting_.ForEach(graph_.threads(), [&](std::span<const VertexId> members) {
    FrontierBatch due(current_), waiting(next_);
    for (const VertexId vertex : members) {
      if (!before.IsDue(vertex)) (program->IsDue(vertex) ? due : waiting).Add(vertex);
    }
  }));
  std::swap(waiting_, next_);
  next_.Clear(graph_.threads());
  RETURN_IF_ERROR(CountActive());
  CHECK_GT(num_active_, 0u);
  step_edges_ = {.first = active_edges_};
  return OkStatus();
}

/// Adds what the program measures of every vertex. Chunks are merged in order.
template <VertexProgram P>
Status Executor<P>::Measure(const P& program, Aggregate* total) {
  if constexpr (kTraits.measured) {
    const uint64_t num_chunks = (graph_.num_vertices() + kVertexChunk - 1) / kVertexChunk;
    std::vector<Aggregate> aggregates(num_chunks);
    RETURN_IF_ERROR(ParallelFor(
        graph_.num_vertices(), kVertexChunk, graph_.threads(), [&](size_t begin, size_t end) {
          for (size_t i = begin; i < end; ++i) {
            program.Measure(static_cast<VertexId>(i), &aggregates[begin / kVertexChunk]);
          }
          return OkStatus();
        }));
    for (const Aggregate& aggregate : aggregates) total->Merge(aggregate);
  }
  return OkStatus();
}

template <VertexProgram P>
Status Executor<P>::BeginSweep(P* program, Mode mode) {
  mode_ = mode;
  if (keeps_sent_) sent_.Clear(graph_.threads());
  if constexpr (kTraits.consumes) {
    RETURN_IF_ERROR(current_.ForEach(graph_.threads(), [&](std::span<const VertexId> members) {
      for (const VertexId vertex : members) program->Begin(vertex, context_);
    }));
  }
  aggregates_.assign(static_cast<size_t>(graph_.threads()), Aggregate{});
  if (mode == Mode::kPush) {
    ASSIGN_OR_RETURN(plan_, PlanActive());
  } else {
    if constexpr (!kTraits.all_active) {
      if (notified_only()) RETURN_IF_ERROR(Notify(*program));
    }
    if constexpr (kFirsts) RETURN_IF_ERROR(PullFirsts(*program));
    ASSIGN_OR_RETURN(plan_, PlanReceivers(*program, notified_only()));
  }
  swept_last_ = false;
  return OkStatus();
}

template <VertexProgram P>
Status Executor<P>::SweepBlocks(const P& program, BlockRange range) {
  std::vector<uint64_t> blocks = plan_.Blocks(range.begin, range.end);
  recorder_.AddBlocks(blocks.size());
  swept_last_ |= range.end == graph_.num_blocks();
  if (mode_ != Mode::kPush) return SweepPull(program, std::move(blocks));
  RETURN_IF_ERROR(SweepPush(program, std::move(blocks)));
  recorder_.AddLive(live_vertices_.exchange(0), blocks_again_.exchange(0));
  return OkStatus();
}

template <VertexProgram P>
StatusOr<typename P::Aggregate> Executor<P>::EndSweep(const P& program, uint64_t first_block) {
  Aggregate total{};
  if (mode_ == Mode::kPush) {
    if constexpr (!kTraits.order_independent) return ApplyAccumulators(program);
    return total;
  }
  for (const Aggregate& aggregate : aggregates_) total.Merge(aggregate);
  if (firsts_ != nullptr) firsts_->EndSweep();
  FoldPartials(program, first_block, &total);
  if constexpr (kSettles) {
    const std::span<const uint64_t> words = next_.words();
    ForEachChunk(words.size(), kVertexChunk / 64, graph_.threads(), [&](size_t begin, size_t end) {
      for (size_t word = begin; word < end; ++word) {
        if (words[word] != 0) program.MarkSettled(word, words[word]);
      }
    });
  }
  if (kTraits.all_active && swept_last_) RETURN_IF_ERROR(ApplyBeyondLists(program, &total));
  return total;
}

/// Where this push may reach many vertices, has next_ hold those that want messages before it.
template <VertexProgram P>
void Executor<P>::NoteWants(const P& program) {
  const std::span<uint64_t> words = next_.BeginAssign();
  wants_tell_ = mode_ == Mode::kPush && active_edges_ > words.size();
  if (!wants_tell_) return;
  ForEachChunk(words.size(), kVertexChunk / 64, graph_.threads(), [&](size_t begin, size_t end) {
    for (size_t i = begin; i < end; ++i) words[i] = program.WantsBits(i);
  });
}

/// Leaves in next_ those that do not want them any more.
template <VertexProgram P>
void Executor<P>::TakeFromWants(const P& program) {
  if (!std::exchange(wants_tell_, false)) return;
  const std::span<uint64_t> words = next_.BeginAssign();
  ForEachChunk(words.size(), kVertexChunk / 64, graph_.threads(), [&](size_t begin, size_t end) {
    for (size_t i = begin; i < end; ++i) words[i] &= ~program.WantsBits(i);
  });
  next_.EndAssign(graph_.threads());
}

template <VertexProgram P>
StatusOr<typename P::Aggregate> Executor<P>::Iterate(P* program) {
  RETURN_IF_ERROR(CheckCancelled());
  const Mode mode = rules_.Choose(num_active_, active_edges_, sent_edges_);
  recorder_.Start(mode, num_active(), kTraits.all_active ? graph_.num_edges() : active_edges_);
  RETURN_IF_ERROR(BeginSweep(program, mode));
  if constexpr (kWantsTell) NoteWants(*program);
  RETURN_IF_ERROR(SweepBlocks(*program, {0, graph_.num_blocks()}));
  if constexpr (kWantsTell) TakeFromWants(*program);
  ASSIGN_OR_RETURN(Aggregate aggregate, EndSweep(*program));
  RETURN_IF_ERROR(Measure(*program, &aggregate));
  RETURN_IF_ERROR(EndIteration(program));
  recorder_.Finish();
  return aggregate;
}

template <VertexProgram P>
Status Executor<P>::EndIteration(P* program) {
  sent_edges_ += active_edges_;
  if constexpr (!kTraits.all_active) {
    std::swap(current_, next_);
    next_.Clear(graph_.threads());
    if constexpr (kTraits.prioritised) {
      current_.Seal(graph_.threads());
      RETURN_IF_ERROR(TakeDue(program));
    } else {
      RETURN_IF_ERROR(CountActive());
    }
  }
  ++context_.iteration;
  return OkStatus();
}

}  // namespace edgemill
