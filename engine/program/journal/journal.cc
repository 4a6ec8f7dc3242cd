#include "engine/program/journal/journal.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include "common/check.h"

namespace edgemill {

void Journal::Append(std::span<const std::byte> bytes) {
  while (!bytes.empty() && !lost_) {
    const uint64_t place = size_ % kPartBytes;
    if (place == 0) {
      auto reserved = budget_.Reserve(kPartBytes, "the journal of checkpoints");
      if (!reserved.ok()) {
        lost_ = true;
        return;
      }
      parts_.push_back(
          {std::make_unique<std::array<std::byte, kPartBytes>>(), std::move(*reserved)});
    }
    const size_t some = std::min<size_t>(bytes.size(), kPartBytes - place);
    std::memcpy(parts_.back().bytes->data() + place, bytes.data(), some);
    size_ += some;
    bytes = bytes.subspan(some);
  }
}

bool Journal::Take(std::span<std::byte> bytes) {
  if (bytes.size() > size_ - place_) {
    differs_ = true;
    std::fill(bytes.begin(), bytes.end(), std::byte{0});
    return false;
  }
  while (!bytes.empty()) {
    const uint64_t place = place_ % kPartBytes;
    const size_t some = std::min<size_t>(bytes.size(), kPartBytes - place);
    std::memcpy(bytes.data(), parts_[place_ / kPartBytes].bytes->data() + place, some);
    place_ += some;
    bytes = bytes.subspan(some);
  }
  return true;
}

void Journal::AppendVarint(uint64_t number) {
  std::array<std::byte, 10> bytes;
  size_t count = 0;
  for (; number >= 128; number >>= 7) bytes[count++] = std::byte(number & 127) | std::byte{128};
  bytes[count++] = std::byte(number);
  Append(std::span(bytes).first(count));
}

uint64_t Journal::TakeVarint() {
  uint64_t number = 0;
  for (unsigned shift = 0; shift < 64; shift += 7) {
    std::byte byte{};
    if (!Take({&byte, 1})) return 0;
    number |= uint64_t{std::to_integer<uint8_t>(byte) & 127u} << shift;
    if ((byte & std::byte{128}) == std::byte{0}) return number;
  }
  differs_ = true;
  return 0;
}

void Journal::Pass(JournalTag tag, std::span<std::byte> value) {
  if (!answers_) {
    const auto byte = static_cast<std::byte>(tag);
    Append({&byte, 1});
    AppendVarint(value.size());
    Append(value);
    return;
  }
  std::byte byte{};
  const bool same = !differs_ && Take({&byte, 1}) && byte == static_cast<std::byte>(tag) &&
                    TakeVarint() == value.size();
  if (same && Take(value)) return;
  differs_ = true;
  std::fill(value.begin(), value.end(), std::byte{0});
}

void Journal::PassNumber(JournalTag tag, uint64_t* number) {
  const auto own = static_cast<std::byte>(tag);
  if (!answers_) {
    Append({&own, 1});
    return AppendVarint(*number);
  }
  std::byte byte{};
  const bool same = !differs_ && Take({&byte, 1}) && byte == own;
  *number = same ? TakeVarint() : 0;
  differs_ |= !same;
}

void Journal::Load(std::span<const std::byte> bytes) {
  Append(bytes);
  answers_ = true;
}

}  // namespace edgemill
