// An edge program's operators on a card: what depends on the program's type.
#pragma once

#include <array>
#include <cstring>
#include <memory>
#include <utility>

#include "engine/gpu/gpu_operators.h"
#include "engine/program/program_calls.h"

namespace edgemill {

/// The totals of a program's or function's tallies, a slot of kTallySlot bytes each.
template <typename P>
class CardTallies {
 public:
  explicit CardTallies(P program) {
    if constexpr (kHasTallies<P>) {
      ForEach(program, [&](auto& field, std::byte* slot) {
        auto sum = field.sum();
        sum.Reset();
        std::memcpy(slot, static_cast<const void*>(&sum), sizeof(sum));
      });
    }
  }
  std::span<std::byte> bytes() { return {slots_.data(), count_ * kTallySlot}; }
  /// Adds what the slots have to the tallies of `program`.
  void MergeInto(P program, std::span<const std::byte> slots) {
    if constexpr (kHasTallies<P>) {
      ForEach(program, [&](auto& field, std::byte* slot) {
        auto sum = field.sum();
        std::memcpy(static_cast<void*>(&sum), slots.data() + (slot - slots_.data()), sizeof(sum));
        field.total()->Merge(sum);
      });
    }
  }

 private:
  template <typename Visit>
  void ForEach(P& program, Visit visit) {
    count_ = 0;
    VisitFields(program, [&](auto& field) {
      if constexpr (AddsToTally<std::remove_cvref_t<decltype(field)>>) {
        visit(field, slots_.data() + count_++ * kTallySlot);
      }
    });
  }

  size_t count_ = 0;
  std::array<std::byte, kMostTallies* kTallySlot> slots_ = {};
};

template <typename P>
class GpuBackend final : public EdgeBackend<P> {
 public:
  /// `kernels`: those of P. Errors of GpuOperators::MakePasses.
  static StatusOr<std::unique_ptr<GpuBackend>> Create(GpuOperators& gpu,
                                                      const EdgeProgramKernels& kernels,
                                                      Directions directions, const P& program) {
    std::unique_ptr<GpuBackend> backend(new GpuBackend(gpu, program));
    constexpr bool kDeposits = requires { Tuning<P>::kSumsWaitIn; };
    ASSIGN_OR_RETURN(backend->passes_, gpu.MakePasses({.kernels = &kernels,
                                                       .traits = PassTraitsOf<P>(directions),
                                                       .weighted = kIsWeighted<P>,
                                                       .consumes = kConsumes<P>,
                                                       .has_cond = HasCond<P>,
                                                       .deposits = kDeposits,
                                                       .sum_bytes = sizeof(SumOfProgram<P>),
                                                       .monoid = &kMonoidTag<typename P::Monoid>,
                                                       .tallies = backend->tallies_.bytes()}));
    return backend;
  }

  Status Begin(const VertexSet& from) override { return passes_->Begin(from); }
  ActiveCounts active() const override { return passes_->active(); }
  ActiveCounts emitted() const override { return passes_->emitted(); }
  Status Pass(const P& program, bool asynchronous, double bound) override {
    ASSIGN_OR_RETURN(const P device, OnDevice(program, gpu_.indexes()));
    RETURN_IF_ERROR(passes_->Pass(&device, asynchronous, bound));
    return KeepTallies(program);
  }
  Status Advance() override { return passes_->Advance(); }
  Status AdvanceBelow(const P& program, double bound) override {
    ASSIGN_OR_RETURN(const P device, ForPriorities(program));
    return passes_->AdvanceBelow(&device, bound);
  }
  Status Split(const P& program, double bound) override {
    ASSIGN_OR_RETURN(const P device, ForPriorities(program));
    return passes_->Split(&device, bound);
  }
  StatusOr<double> LeastWaiting(const P& program, double bound) override {
    ASSIGN_OR_RETURN(const P device, ForPriorities(program));
    return passes_->LeastWaiting(&device, bound);
  }
  Status TakeWaiting(const P& program, double before, double bound) override {
    ASSIGN_OR_RETURN(const P device, ForPriorities(program));
    return passes_->TakeWaiting(&device, before, bound);
  }
  StatusOr<uint64_t> PassesAlone(const P& program, uint64_t most_passes,
                                 BucketBound* bucket) override {
    ASSIGN_OR_RETURN(const P device, OnDevice(program, gpu_.indexes()));
    return passes_->PassesAlone(&device, most_passes, bucket);
  }
  StatusOr<VertexSet> End() override { return passes_->End(); }

  // For passes that another processor shares:
  GpuSharing& sharing() { return passes_->sharing(); }
  /// Adds what passes have added to tallies on the card since the last call.
  Status KeepTallies(const P& program) {
    if constexpr (kHasTallies<P>) {
      ASSIGN_OR_RETURN(const std::span<const std::byte> totals, passes_->TakeTallies());
      tallies_.MergeInto(program, totals);
    }
    return OkStatus();
  }

 private:
  GpuBackend(GpuOperators& gpu, const P& program) : gpu_(gpu), tallies_(program) {}
  StatusOr<P> ForPriorities(const P& program) {
    return OnDevice(program, gpu_.indexes(), /*writes=*/false);
  }

  GpuOperators& gpu_;
  CardTallies<P> tallies_;
  std::unique_ptr<GpuPasses> passes_;
};

}  // namespace edgemill
