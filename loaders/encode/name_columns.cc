#include "loaders/encode/name_columns.h"

#include <algorithm>
#include <cstring>
#include <span>

#include "common/check.h"

namespace edgemill {

Status NameColumns::Append(std::string_view name) {
  encoder_.Append(name, &coded_);
  return encoder_.between_groups() ? EndGroup() : OkStatus();
}

Status NameColumns::Finish() {
  if (!encoder_.between_groups()) RETURN_IF_ERROR(EndGroup());
  RETURN_IF_ERROR(WriteNames(1));
  CHECK(coded_.empty());  // all bytes are in blocks
  return WriteGroups();
}

Status NameColumns::EndGroup() {
  // The first value of a block is an end and not a gap, so that each block can be decoded alone.
  const uint64_t end = bytes();
  CHECK_GT(end, last_end_);  // no group is empty
  group_gaps_.push_back(group_gaps_.empty() ? end : end - last_end_);
  last_end_ = end;
  if (group_gaps_.size() == groups_.block_values()) RETURN_IF_ERROR(WriteGroups());
  return WriteNames(names_.block_values());
}

Status NameColumns::WriteNames(size_t least) {
  size_t taken = 0;
  while (coded_.size() - taken >= least) {
    const auto count =
        static_cast<uint32_t>(std::min<size_t>(coded_.size() - taken, names_.block_values()));
    std::byte* const payload = names_.Scratch(count);
    std::memcpy(payload, coded_.data() + taken, count);
    RETURN_IF_ERROR(names_.Append({Codec::kRaw8, count}, {payload, count}));
    taken += count;
  }
  coded_.erase(0, taken);
  written_ += taken;
  return OkStatus();
}

Status NameColumns::WriteGroups() {
  if (group_gaps_.empty()) return OkStatus();
  CHECK_LE(group_gaps_.size(), groups_.block_values());
  const auto bytes = std::as_bytes(std::span(group_gaps_));
  std::byte* const payload = groups_.Scratch(bytes.size());
  std::copy(bytes.begin(), bytes.end(), payload);
  RETURN_IF_ERROR(groups_.Append({Codec::kRaw64Gaps, static_cast<uint32_t>(group_gaps_.size())},
                                 {payload, bytes.size()}));
  group_gaps_.clear();
  return OkStatus();
}

}  // namespace edgemill
