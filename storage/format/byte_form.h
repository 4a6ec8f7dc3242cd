// The byte form of a packed payload: the same numbers in whole bytes, so that Zstandard finds
// repeated lists (docs/FORMAT.md).
//
// Web graphs repeat neighbour lists, and equal lists have equal gaps. In packed form, a gap has
// other bit positions in each copy, and the width of its group. In byte form, equal gaps are equal
// bytes everywhere. Only Zstandard sees the byte form: when a block is read, its groups are rebuilt
// bit for bit.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "common/status.h"
#include "storage/format/group_codec.h"

namespace edgemill {

/// The most bytes that the byte form of `num_values` can take.
constexpr size_t MaxByteFormBytes(uint32_t num_values) {
  return size_t{NumGroups(num_values)} * (1 + 5 * (1 + kGroupSize));
}

/// Bytes that must be readable (not meaningful) after a byte form: a reader trusts the codes of one
/// group before it checks its position.
inline constexpr size_t kByteFormSlackBytes = 4 * kGroupSize + 8;

/// Writes the byte form of `num_groups` groups of `view` from `first_group` on at the start of
/// `memory`, which grows if need be, slack included. Returns the form. Pure; thread-safe.
std::span<const std::byte> MakeByteForm(const PackedView& view, uint32_t first_group,
                                        uint32_t num_groups, std::vector<std::byte>* memory);

/// Rebuilds the packed payload from its byte form, as this program packs it, in `payload`, which is
/// 8-byte aligned. `form` must be readable for kByteFormSlackBytes beyond its end. BadDataError
/// (without a place) when `form` is not a byte form of `num_values` values, or its payload has
/// another length. Cost: 1 to 2 ns a value. Thread-safe.
Status RebuildPacked(std::span<const std::byte> form, uint32_t num_values,
                     std::span<std::byte> payload);

}  // namespace edgemill
