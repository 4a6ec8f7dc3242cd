// A card that leads shared passes: it works on its copy of the State's arrays.
#pragma once

#include <memory>
#include <utility>

#include "engine/gpu/gpu_backend.h"
#include "engine/hybrid/leading_team.h"
#include "engine/hybrid/wait_gate.h"

namespace edgemill {

template <typename P>
class CardLeader final : public LeadingTeam<P> {
 public:
  using Sum = SumOfProgram<P>;

  /// `gpu` must outlive it.
  CardLeader(std::unique_ptr<GpuBackend<P>> backend, GpuOperators& gpu)
      : backend_(std::move(backend)), gpu_(gpu) {}

  EdgeBackend<P>& alone() override { return *backend_; }
  std::span<const IndexCopy> indexes() const override { return gpu_.indexes(); }
  Mode NextMode() const override { return sharing().NextMode(); }
  StatusOr<uint64_t> ActiveWords(std::span<uint64_t> words) override {
    return sharing().ActiveWords(words);
  }
  Status Begin(const P& program, const SharedPass& pass) override {
    program_ = program;
    // Pulls add to sums that are put aside as if nobody else did.
    may_receive_.Set(!kCollects<P> || pass.mode == Mode::kPush);
    return sharing().Begin(&program_, pass);
  }
  Status Work() override {
    const Status status = sharing().Work();
    may_receive_.Set(true);  // after an error too: the helper must not wait for ever
    return status;
  }
  Status Receive(std::span<const VertexId> vertices, std::span<const Sum> sums) override {
    may_receive_.Wait();
    return sharing().Receive(vertices, sums.data());
  }
  Status Take(const BorderSum<P>& border) override {
    return sharing().Take(border.any ? std::as_bytes(std::span(&border.sum, 1))
                                     : std::span<const std::byte>());
  }
  StatusOr<uint64_t> TouchedWords(std::span<uint64_t> words) override {
    return sharing().TouchedWords(words);
  }
  Status AddActive(VertexId first, std::span<const uint64_t> words) override {
    return sharing().AddActive(first, words);
  }
  Status End() override {
    RETURN_IF_ERROR(sharing().End());
    return backend_->KeepTallies(program_);
  }

 private:
  GpuSharing& sharing() const { return backend_->sharing(); }

  const std::unique_ptr<GpuBackend<P>> backend_;
  GpuOperators& gpu_;
  WaitGate may_receive_;
  P program_;  // of the pass under way, with views of the card's memory
};

}  // namespace edgemill
