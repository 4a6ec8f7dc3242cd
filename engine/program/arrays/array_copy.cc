#include "engine/program/arrays/array_copy.h"

#include <algorithm>
#include <cstring>

namespace edgemill {

ArrayCopy* ArrayCopy::Find(const void* host) {
  if (Holds(host)) return this;
  const auto found = std::find_if(all_.begin(), all_.end(),
                                  [host](const ArrayCopy& copy) { return copy.Holds(host); });
  return found == all_.end() ? nullptr : &*found;
}

Status ArrayCopy::Prepare(ElementUse use) {
  const ElementStep step = StepOf(at_, use);
  Status status;
  if (step.move == ElementMove::kToHost) status = home_.CopyToHost(host_, place_);
  if (step.move == ElementMove::kToDevice) status = home_.CopyToDevice(place_, host_);
  home_.Keep(status);
  // Not written where it stays: threads may be asking at once.
  if (status.ok() && at_ != step.next) at_ = step.next;
  return status;
}

void ArrayCopy::Fill(std::span<const std::byte> element, uint64_t count) {
  Use(ElementUse::kReplaceOnDevice);
  home_.Keep(home_.Fill(place_, element, count));
}

void ArrayCopy::Set(uint64_t index, std::span<const std::byte> element) {
  const uint64_t offset = index * element.size();
  if (at_ != ElementsAt::kDevice) {
    std::memcpy(host_.data() + offset, element.data(), element.size());
  }
  if (at_ != ElementsAt::kHost) home_.Keep(home_.CopyToDevice(place_ + offset, element));
}

void ArrayCopy::Get(std::span<const VertexId> indexes, std::span<std::byte> elements) const {
  if (indexes.empty()) return;
  const size_t element_bytes = elements.size() / indexes.size();
  if (at_ == ElementsAt::kDevice) {
    home_.Keep(
        home_.Gather(elements.data(), place_, static_cast<uint32_t>(element_bytes), indexes));
    return;
  }
  for (std::byte* element = elements.data(); const VertexId index : indexes) {
    std::memcpy(element, host_.data() + index * element_bytes, element_bytes);
    element += element_bytes;
  }
}

void ArrayCopy::Get(uint64_t index, std::span<std::byte> element) const {
  const uint64_t offset = index * element.size();
  if (at_ == ElementsAt::kDevice) {
    home_.Keep(home_.CopyToHost(element, place_ + offset));
  } else {
    std::memcpy(element.data(), host_.data() + offset, element.size());
  }
}

}  // namespace edgemill
