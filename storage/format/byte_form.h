// The byte form of a packed payload: the same numbers with whole bytes each, so that Zstandard sees
// that lists repeat (docs/FORMAT.md).
//
// Web graphs repeat neighbour lists, and equal lists have equal gaps. Packed, a gap's bits lie
// elsewhere in every copy, at a width that its group chose; here a gap is the same byte wherever it
// comes. The byte form is only ever seen by Zstandard: a block is rebuilt into its groups, bit for
// bit, when it is read.
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

/// Bytes that must be readable (not meaningful) after a byte form: what the codes of a group, taken
/// on trust, may lead a reader to before it looks where it is.
inline constexpr size_t kByteFormSlackBytes = 4 * kGroupSize + 8;

/// Writes the byte form of `num_groups` groups of `view` from `first_group` on at the start of
/// `memory`, which grows as need be, slack included. Returns it. Pure; thread-safe.
std::span<const std::byte> MakeByteForm(const PackedView& view, uint32_t first_group,
                                        uint32_t num_groups, std::vector<std::byte>* memory);

/// Writes the packed payload of which `form` is the byte form, as this program packs it, to
/// `payload`, 8-byte aligned. `form` must be readable for kByteFormSlackBytes beyond its end.
/// BadDataError (without a place) when `form` is none of `num_values`, or its payload has another
/// length. Cost: 1 to 2 ns a value. Thread-safe.
Status RebuildPacked(std::span<const std::byte> form, uint32_t num_values,
                     std::span<std::byte> payload);

}  // namespace edgemill
