// A second team of CPU threads that leads: it works on the second memory of the State's arrays,
// which the host can read.
#pragma once

#include <optional>
#include <vector>

#include "engine/cpu/cpu_backend.h"
#include "engine/hybrid/cpu_part.h"
#include "engine/hybrid/leading_team.h"
#include "engine/hybrid/team_programs.h"
#include "engine/hybrid/wait_gate.h"

namespace edgemill {

/// CpuBackend on the second memory.
template <typename P>
class SecondMemoryBackend final : public EdgeBackend<P> {
 public:
  SecondMemoryBackend(CpuBackend<P>& backend, std::span<const IndexCopy> indexes)
      : backend_(backend), indexes_(indexes) {}

  Status Begin(const VertexSet& from) override { return backend_.Begin(from); }
  ActiveCounts active() const override { return backend_.active(); }
  ActiveCounts emitted() const override { return backend_.emitted(); }
  Status Pass(const P& program, bool asynchronous, double bound) override {
    ASSIGN_OR_RETURN(const P there, OnDevice(program, indexes_));
    return backend_.Pass(there, asynchronous, bound);
  }
  Status Advance() override { return backend_.Advance(); }
  Status Split(const P& program, double bound) override {
    ASSIGN_OR_RETURN(const P there, OnDevice(program, indexes_, /*writes=*/false));
    return backend_.Split(there, bound);
  }
  StatusOr<double> LeastWaiting(const P& program, double bound) override {
    ASSIGN_OR_RETURN(const P there, OnDevice(program, indexes_, /*writes=*/false));
    return backend_.LeastWaiting(there, bound);
  }
  Status TakeWaiting(const P& program, double before, double bound) override {
    ASSIGN_OR_RETURN(const P there, OnDevice(program, indexes_, /*writes=*/false));
    return backend_.TakeWaiting(there, before, bound);
  }
  StatusOr<VertexSet> End() override { return backend_.End(); }

 private:
  CpuBackend<P>& backend_;
  const std::span<const IndexCopy> indexes_;
};

template <typename P>
class CpuLeader final : public LeadingTeam<P> {
 public:
  using Sum = SumOfProgram<P>;

  /// `workspace` has room for one set beside those of passes and the driver.
  CpuLeader(LoadedGraph& graph, Workspace& workspace, Recorder& recorder, Directions directions,
            std::span<const IndexCopy> indexes)
      : workspace_(workspace),
        recorder_(recorder),
        indexes_(indexes),
        backend_(graph, workspace, recorder, directions),
        alone_(backend_, indexes) {}

  EdgeBackend<P>& alone() override { return alone_; }
  std::span<const IndexCopy> indexes() const override { return indexes_; }
  Mode NextMode() const override { return backend_.NextMode(); }
  StatusOr<uint64_t> ActiveWords(std::span<uint64_t> words) override {
    const Frontier* const from = backend_.sets().from();
    CHECK(from != nullptr);
    std::copy_n(from->words().begin(), words.size(), words.begin());
    return words.size_bytes();
  }
  Status Begin(const P& program, const SharedPass& pass) override;
  Status Work() override;
  Status Receive(std::span<const VertexId> vertices, std::span<const Sum> sums) override;
  Status Take(const BorderSum<P>& border) override;
  StatusOr<uint64_t> TouchedWords(std::span<uint64_t> words) override {
    std::copy_n(touched_.get()->words().begin(), words.size(), words.begin());
    return words.size_bytes();
  }
  Status AddActive(VertexId first, std::span<const uint64_t> words) override {
    FrontierBatch active(backend_.sets().next());
    for (uint64_t word = first / 64; word < words.size(); ++word) {
      const uint64_t bits = words[word] & BitsWithin(word, first, words.size() * 64);
      if (bits != 0) active.AddWord(word, bits);
    }
    return OkStatus();
  }
  Status End() override;

 private:
  using Owning = OwningProgram<P>;

  LoadedGraph& graph() const { return part_->graph(); }
  /// Beside the pass that is under way.
  bool OwnsSums(bool two_lists) const {
    return kCollects<P> && (pass_.mode == Mode::kPush || two_lists);
  }
  std::vector<Direction> Lists() const {
    return backend_.Lists(/*reversed=*/pass_.mode == Mode::kPull);
  }
  void ReceiveOne(Owning& program, VertexId vertex, Sum sum, FrontierBuffer& active);

  Workspace& workspace_;
  Recorder& recorder_;
  const std::span<const IndexCopy> indexes_;
  CpuBackend<P> backend_;
  SecondMemoryBackend<P> alone_;
  WaitGate may_receive_;
  // Of the shared pass under way.
  SharedPass pass_;
  PooledSet touched_;
  OwnedVertices<P> owned_;
  PartialSum<Owning> beyond_;  // of the list that goes on in the helper's blocks
  std::optional<EdgePass<Owning>> part_;
  std::optional<VertexSums<Owning>> sums_;
};

template <typename P>
Status CpuLeader<P>::Begin(const P& program, const SharedPass& pass) {
  pass_ = pass;
  const ActiveCounts active = backend_.active();
  recorder_.Start(pass.mode, active.vertices, active.edges);
  ActiveSets& sets = backend_.sets();
  if (touched_.get() == nullptr) {
    ASSIGN_OR_RETURN(touched_, PooledSet::Take(workspace_.sets()));
  }
  touched_.get()->Clear(backend_.graph().threads());
  owned_ = {.touched = touched_.get()};
  beyond_ = {};
  EdgePass<P> consuming(backend_.graph(), workspace_, program, sets.from(), &sets.next(), nullptr);
  RETURN_IF_ERROR(consuming.Consume(sets.from()));
  consuming.copies().End();
  Owning owning;
  static_cast<P&>(owning) = program;
  owning.owned = &owned_;
  const bool all = !kTakesFirst<P> && sets.has_all_edges();
  part_.emplace(backend_.graph(), workspace_, owning, all ? nullptr : sets.from(), &sets.next(),
                backend_.closed());
  part_->set_blocks({0, pass.first});
  if constexpr (kCollects<P>) {
    if (OwnsSums(Lists().size() > 1)) {
      sums_.emplace(*part_);
      RETURN_IF_ERROR(sums_->Prepare());
    }
  }
  // What pulls take is one thread's, so that nothing may come meanwhile.
  may_receive_.Set(pass.mode == Mode::kPush);
  return OkStatus();
}

template <typename P>
Status CpuLeader<P>::Work() {
  const bool repeats = pass_.asynchronous && pass_.mode == Mode::kPush;
  CpuPart<Owning> part{*part_, recorder_, repeats ? workspace_.options().async_passes : 0,
                       sums_.has_value() ? &*sums_ : nullptr,
                       pass_.owns_lists ? &beyond_ : nullptr};
  const auto emitted = part.Run(pass_, Lists());
  may_receive_.Set(true);  // after an error too: the helper must not wait for ever
  if (!emitted.ok()) return emitted.status();
  backend_.CountEmitted(*emitted);
  return OkStatus();
}

template <typename P>
Status CpuLeader<P>::Receive(std::span<const VertexId> vertices, std::span<const Sum> sums) {
  may_receive_.Wait();
  Owning program = part_->program();
  {
    FrontierBuffer active(part_->next(), /*taken=*/pass_.asynchronous);
    for (size_t i = 0; i < vertices.size(); ++i) {
      ReceiveOne(program, vertices[i], sums[i], active);
    }
  }
  part_->copies().KeepTallies(program);
  return OkStatus();
}

template <typename P>
void CpuLeader<P>::ReceiveOne(Owning& program, VertexId vertex, Sum sum, FrontierBuffer& active) {
  if constexpr (kCollects<P>) {
    if constexpr (sizeof(Sum) <= kMostSumBytes) {
      CombineInto<typename P::Monoid>(&sums_->of(vertex), sum);
      if (sums_->received() != nullptr) sums_->received()->Add(vertex);
    } else {
      sums_->Add(vertex, sum);  // pulls send each vertex one sum
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
Status CpuLeader<P>::Take(const BorderSum<P>& border) {
  if (pass_.splits_list) {
    const VertexId vertex = pass_.first_vertex - 1;
    PullTarget<Owning> target(*part_, Lists()[0], {});
    Owning program = part_->program();
    if (border.any) beyond_.Add(border.sum);
    if (target.Receives(program, vertex)) target.Take(program, vertex, beyond_, part_->next());
    part_->copies().KeepTallies(program);
  }
  if constexpr (kCollects<P>) {
    if (sums_.has_value()) RETURN_IF_ERROR(sums_->Take());
    sums_.reset();
  }
  return OkStatus();
}

template <typename P>
Status CpuLeader<P>::End() {
  if (ClosedBits* const closed = backend_.closed()) {
    closed->EndPass(backend_.sets().next(), HasCond<P>);
    closed->Clear();
  }
  part_->copies().End();
  part_.reset();
  recorder_.Finish();
  return OkStatus();
}

}  // namespace edgemill
