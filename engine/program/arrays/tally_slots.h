// The totals of a program's or function's tallies as bytes, to which a GPU adds.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>

#include "common/check.h"
#include "engine/program/arrays/value_fields.h"

namespace edgemill {

/// The bytes of a tally's total on a GPU, and the most tallies of a program.
inline constexpr uint32_t kTallySlot = 32;
inline constexpr uint32_t kMaxTallies = 12;

/// A slot for each tally, in the order of the fields.
class TallySlots {
 public:
  std::span<std::byte> bytes() { return {slots_.data(), count_ * kTallySlot}; }
  std::span<const std::byte> bytes() const { return {slots_.data(), count_ * kTallySlot}; }

  /// Sets the slots to the initial totals of the tallies of `program`.
  template <typename P>
  void Begin(P program) {
    count_ = 0;
    ForEachTally(program, [&](auto& field) {
      auto sum = field.sum();
      sum.Reset();
      CHECK_LE((count_ + 1) * kTallySlot, slots_.size());
      std::memcpy(slots_.data() + count_++ * kTallySlot, static_cast<const void*>(&sum),
                  sizeof(sum));
    });
  }
  /// Sets the slots to the present totals of the tallies of `program`, with what was added before.
  template <typename P>
  void Save(P program) {
    count_ = 0;
    ForEachTally(program, [&](auto& field) {
      CHECK_LE((count_ + 1) * kTallySlot, slots_.size());
      std::memcpy(slots_.data() + count_++ * kTallySlot, static_cast<const void*>(field.total()),
                  sizeof(*field.total()));
    });
  }
  /// Sets the totals of the tallies of `program` to those of a Save.
  template <typename P>
  void Load(P program) const {
    size_t slot = 0;
    ForEachTally(program, [&](auto& field) {
      CHECK_LE((slot + 1) * kTallySlot, slots_.size());
      std::memcpy(static_cast<void*>(field.total()), slots_.data() + slot++ * kTallySlot,
                  sizeof(*field.total()));
    });
  }
  size_t count() const { return count_; }
  /// Adds `totals`, one slot for each tally, to the tallies of `program`.
  template <typename P>
  static void Merge(P program, std::span<const std::byte> totals) {
    size_t slot = 0;
    ForEachTally(program, [&](auto& field) {
      auto sum = field.sum();
      CHECK_LE((slot + 1) * kTallySlot, totals.size());
      std::memcpy(static_cast<void*>(&sum), totals.data() + slot++ * kTallySlot, sizeof(sum));
      field.total()->Merge(sum);
    });
  }

 private:
  template <typename P, typename Visit>
  static void ForEachTally(P& program, Visit visit) {
    if constexpr (kHasTallies<P>) {
      VisitFields(program, [&](auto& field) {
        if constexpr (AddsToTally<std::remove_cvref_t<decltype(field)>>) visit(field);
      });
    }
  }

  size_t count_ = 0;
  std::array<std::byte, kMaxTallies* kTallySlot> slots_ = {};
};

}  // namespace edgemill
