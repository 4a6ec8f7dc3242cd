// A team of CPU threads as the main team. It works on another memory of the State's arrays than the
// host's; the CPU can read this memory.
#pragma once

#include <optional>
#include <vector>

#include "common/check.h"
#include "common/thread_annotations.h"
#include "common/threads/wait_gate.h"
#include "engine/cpu/cpu_backend.h"
#include "engine/hybrid/cpu_part.h"
#include "engine/hybrid/team_programs.h"
#include "engine/program/main_team.h"

namespace edgemill {

/// CpuPasses that work on another memory than the host's.
class OtherMemoryPasses final : public OperatorPasses {
 public:
  OtherMemoryPasses(LoadedGraph& graph, Workspace& workspace, Recorder& recorder,
                    const ProgramRef& program, const OtherMemory& memory)
      : program_(program),
        memory_(memory),
        there_{copy_.bytes(), program.traits, program.calls},
        passes_(graph, workspace, recorder, there_) {}

  CpuPasses& passes() { return passes_; }
  const CpuPasses& passes() const { return passes_; }

  Status Begin(const VertexSet& from) override { return passes_.Begin(from); }
  ActiveCounts active() const override { return passes_.active(); }
  ActiveCounts emitted() const override { return passes_.emitted(); }
  Status Pass(bool asynchronous, double bound) override {
    RETURN_IF_ERROR(Copy(/*writes=*/true));
    return passes_.Pass(asynchronous, bound);
  }
  Status Advance() override { return passes_.Advance(); }
  Status Split(double bound) override {
    RETURN_IF_ERROR(Copy(/*writes=*/false));
    return passes_.Split(bound);
  }
  StatusOr<double> LeastWaiting(double bound) override {
    RETURN_IF_ERROR(Copy(/*writes=*/false));
    return passes_.LeastWaiting(bound);
  }
  Status ActivateWaiting(double before, double bound) override {
    RETURN_IF_ERROR(Copy(/*writes=*/false));
    return passes_.ActivateWaiting(before, bound);
  }
  Status ActivateAll(double bound) override {
    RETURN_IF_ERROR(Copy(/*writes=*/false));
    return passes_.ActivateAll(bound);
  }
  StatusOr<VertexSet> End() override { return passes_.End(); }

 private:
  Status Copy(bool writes) {
    return copy_.Make(program_.calls->fields, program_.program, memory_, writes).status();
  }

  const ProgramRef program_;
  const OtherMemory memory_;
  DeviceCopy copy_;  // of the program, with views of `memory_`
  const ProgramRef there_;
  CpuPasses passes_;
};

template <typename P>
class CpuMainTeam final : public MainTeam {
 public:
  using Sum = SumOfProgram<P>;

  /// `workspace` must have one set more than passes and the driver need.
  CpuMainTeam(LoadedGraph& graph, Workspace& workspace, Recorder& recorder,
              const ProgramRef& program, const OtherMemory& memory)
      : memory_(memory), alone_(graph, workspace, recorder, program, memory) {}

  OperatorPasses& alone() override { return alone_; }
  const OtherMemory& memory() const override { return memory_; }
  Mode NextMode() const override { return alone_.passes().NextMode(); }
  StatusOr<uint64_t> ActiveWords(std::span<uint64_t> words) override {
    const Frontier* const from = passes().sets().from();
    CHECK(from != nullptr);
    CHECK_EQ(words.size(), from->words().size());
    std::copy_n(from->words().begin(), words.size(), words.begin());
    return words.size_bytes();
  }
  Status Begin(const void* program, const SharedPass& pass) override;
  Status Work() override;
  Status Receive(std::span<const VertexId> vertices, const void* sums) override;
  Status Take(std::span<const std::byte> border) override;
  StatusOr<uint64_t> TouchedWords(std::span<uint64_t> words) override {
    CHECK(touched_.get() != nullptr);  // Begin has acquired it
    CHECK_EQ(words.size(), touched_.get()->words().size());
    std::copy_n(touched_.get()->words().begin(), words.size(), words.begin());
    return words.size_bytes();
  }
  Status AddActive(const IndexSet& active) override {
    FrontierBatch next(passes().sets().next());
    for (uint64_t word = active.begin / 64; word < active.end_word(); ++word) {
      const uint64_t bits = active.BitsOf(word);
      if (bits != 0) next.AddWord(word, bits);
    }
    return OkStatus();
  }
  Status End() override;

 private:
  using Owning = OwningProgram<P>;

  LoadedGraph& graph() const { return part_->graph(); }
  /// Whether the current pass collects in sums that stay until Take.
  bool KeepsSumsUntilTake(bool two_lists) const {
    return kCollects<P> && (pass_.mode == Mode::kPush || two_lists);
  }
  CpuPasses& passes() { return alone_.passes(); }
  const std::vector<Direction>& Lists() {
    return passes().lists(/*reversed=*/pass_.mode == Mode::kPull);
  }
  void ReceiveOne(Owning& program, VertexId vertex, Sum sum, FrontierBuffer& active);

  const OtherMemory memory_;
  OtherMemoryPasses alone_;
  WaitGate may_receive_;
  // Of the current shared pass.
  SharedPass pass_;
  PooledSet touched_;
  OwnedVertices<P> owned_;
  PartialSum<Owning> beyond_;  // of the list that goes on in a host team's blocks
  std::optional<EdgePass<Owning>> part_;
  std::optional<VertexSums<Owning>> sums_;
  Mutex wide_sums_;
};

template <typename P>
Status CpuMainTeam<P>::Begin(const void* bytes, const SharedPass& pass) {
  CHECK(!part_.has_value());  // the last pass has ended
  CHECK(pass.mode == Mode::kPush || pass.mode == Mode::kPull);
  pass_ = pass;
  const P& program = *static_cast<const P*>(bytes);
  LoadedGraph& graph = passes().graph();
  Workspace& workspace = passes().workspace();
  const ActiveCounts active = passes().active();
  passes().recorder().Start(pass.mode, active.vertices, active.edges);
  ActiveSets& sets = passes().sets();
  if (touched_.get() == nullptr) {
    ASSIGN_OR_RETURN(touched_, PooledSet::Acquire(workspace.sets()));
  }
  touched_.get()->Clear(graph.threads());
  owned_ = {.touched = touched_.get()};
  beyond_ = {};
  EdgePass<P> consuming(graph, workspace, program, {sets.from(), &sets.next()});
  RETURN_IF_ERROR(consuming.Consume(sets.from()));
  consuming.copies().End();
  Owning owning;
  static_cast<P&>(owning) = program;
  owning.owned = &owned_;
  const bool all = !kTakesFirst<P> && sets.has_all_edges();
  part_.emplace(graph, workspace, owning,
                PassSets{all ? nullptr : sets.from(), &sets.next(), passes().closed()});
  part_->set_blocks({pass.main_share().begin, pass.main_share().end});
  if constexpr (kCollects<P>) {
    if (KeepsSumsUntilTake(Lists().size() > 1)) {
      sums_.emplace(*part_);
      RETURN_IF_ERROR(sums_->Prepare());
    }
  }
  // In a pull, only one thread works on a vertex, so Receive must wait until the pull has ended.
  may_receive_.Set(pass.mode == Mode::kPush);
  return OkStatus();
}

template <typename P>
Status CpuMainTeam<P>::Work() {
  CHECK(part_.has_value());  // after Begin
  const bool repeats = pass_.asynchronous && pass_.mode == Mode::kPush;
  const uint32_t async_passes = passes().workspace().options().async_passes;
  CpuPart<Owning> part{*part_, passes().recorder(), repeats ? async_passes : 0,
                       sums_.has_value() ? &*sums_ : nullptr,
                       pass_.owns_lists ? &beyond_ : nullptr};
  const auto emitted = part.Run(pass_, Lists());
  may_receive_.Set(true);  // also after an error: host teams must not wait for ever
  if (!emitted.ok()) return emitted.status();
  passes().CountEmitted(*emitted);
  return OkStatus();
}

template <typename P>
Status CpuMainTeam<P>::Receive(std::span<const VertexId> vertices, const void* bytes) {
  const Sum* const sums = static_cast<const Sum*>(bytes);
  may_receive_.Wait();
  CHECK(part_.has_value());  // between Begin and End
  Owning program = part_->program();
  {
    FrontierBuffer active(part_->next(), /*with_removals=*/pass_.asynchronous);
    for (size_t i = 0; i < vertices.size(); ++i) {
      ReceiveOne(program, vertices[i], sums[i], active);
    }
  }
  part_->copies().AddTallies(program);
  return OkStatus();
}

template <typename P>
void CpuMainTeam<P>::ReceiveOne(Owning& program, VertexId vertex, Sum sum, FrontierBuffer& active) {
  if constexpr (kCollects<P>) {
    if constexpr (sizeof(Sum) <= kMaxSumBytes) {
      CombineInto<typename P::Monoid>(&sums_->of(vertex), sum);
      if (sums_->received() != nullptr) sums_->received()->Add(vertex);
    } else {
      MutexLock lock(wide_sums_);  // several host teams may each send a vertex one sum
      sums_->Add(vertex, sum);
    }
  } else {
    if constexpr (kTakesFirst<P>) {
      if (!CallCond(program, vertex)) return;
      ClosedBits& closed = *part_->closed();
      if (!AtomicSetBit(closed.words().data(), vertex)) return;
      const bool is_in = CallApply(program, vertex, sum);
      closed.NoteTaken(program, vertex, is_in);
      if (is_in) active.Add(vertex);
    } else {
      if (CallRelax(program, vertex, sum)) active.Add(vertex);
    }
  }
}

template <typename P>
Status CpuMainTeam<P>::Take(std::span<const std::byte> border) {
  if (pass_.main_share().splits) {
    const auto last = static_cast<VertexId>(pass_.main_share().end_vertex - 1);
    TakeSplitList(*part_, Lists()[0], last, beyond_, border);
  }
  if constexpr (kCollects<P>) {
    if (sums_.has_value()) RETURN_IF_ERROR(sums_->Take());
    sums_.reset();
  }
  return OkStatus();
}

template <typename P>
Status CpuMainTeam<P>::End() {
  CHECK(part_.has_value() && !sums_.has_value());  // after Take
  if (ClosedBits* const closed = passes().closed()) {
    closed->EndPass(passes().sets().next(), HasCond<P>);
    closed->Clear();
  }
  part_->copies().End();
  part_.reset();
  passes().recorder().Finish();
  return OkStatus();
}

}  // namespace edgemill
