// Which engine brings a block to a GPU: the choice, as plain arithmetic over counts.
#pragma once

#include <cstdint>

#include "engine/transfer.h"

namespace edgemill {

/// A block that an iteration wants and that is not on the card.
struct BlockSituation {
  uint32_t num_groups = 0;
  uint32_t wanted_groups = 0;
  bool room_on_card = false;  // for it to stay
};

/// Blocks with at most this share of their groups wanted are read across the link by the kernels:
/// a kernel that reads everything so takes 1.65 times a copy and a kernel (H200, Kronecker 25).
inline constexpr double kZeroCopyFraction = 0.5;

/// The engine for a block: `asked`, or with kAuto the one that should take the least time. Never
/// kAuto. kResident means: to stay where there is room, else whole and forgotten.
constexpr Transfer ChooseTransfer(Transfer asked, const BlockSituation& block) {
  if (asked != Transfer::kAuto) return asked;
  if (block.room_on_card) return Transfer::kResident;
  const double wanted = static_cast<double>(block.wanted_groups);
  return wanted <= kZeroCopyFraction * static_cast<double>(block.num_groups) ? Transfer::kZeroCopy
                                                                             : Transfer::kFilter;
}

}  // namespace edgemill
