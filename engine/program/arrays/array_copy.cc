#include "engine/program/arrays/array_copy.h"

#include <algorithm>
#include <cstring>

#include "common/check.h"

namespace edgemill {

ArrayCopy* ArrayCopy::Find(const void* host) {
  if (Holds(host)) return this;
  const auto found = std::find_if(all_.begin(), all_.end(),
                                  [host](const ArrayCopy& copy) { return copy.Holds(host); });
  return found == all_.end() ? nullptr : &*found;
}

Status ArrayCopy::status() const {
  for (const ArrayPlace& place : places_) RETURN_IF_ERROR(place.home->status());
  return OkStatus();
}

Status ArrayCopy::CopyWithoutHost(MemoryId memory) {
  if (current_.has(memory) || memory == kHostMemory) return OkStatus();
  const ArrayPlace& to = PlaceIn(memory);
  for (MemoryId other = kFirstOtherMemory; other < num_memories(); ++other) {
    const ArrayPlace& from = PlaceIn(other);
    if (!current_.has(other) || !to.home->Reaches(*from.home)) continue;
    const Status status = to.home->CopyFrom(*from.home, from.address, to.address, host_.size());
    to.home->RecordError(status);
    if (status.ok()) current_ = current_ | MemorySet(memory);
    return status;
  }
  return OkStatus();
}

Status ArrayCopy::Prepare(ElementUse use, MemoryId memory) {
  CHECK(!current_.empty());  // some memory has the elements
  CHECK_LT(memory, num_memories());
  if (use != ElementUse::kReplace) RETURN_IF_ERROR(CopyWithoutHost(memory));
  const ElementStep step = StepOf(current_, use, memory);
  const auto copy = [this](MemoryId other, bool to_host) {
    const ArrayPlace& place = PlaceIn(other);
    const Status status = to_host ? place.home->CopyToHost(host_, place.address)
                                  : place.home->CopyToDevice(place.address, host_);
    place.home->RecordError(status);
    return status;
  };
  if (step.to_host) RETURN_IF_ERROR(copy(current_.first(), /*to_host=*/true));
  if (step.from_host) RETURN_IF_ERROR(copy(memory, /*to_host=*/false));
  // Written only where it changes: other threads may read it at the same time.
  if (current_ != step.next) current_ = step.next;
  return OkStatus();
}

void ArrayCopy::Fill(std::span<const std::byte> element, uint64_t count) {
  CHECK_LE(element.size() * count, host_.size());
  current_ = MemorySet();
  for (MemoryId memory = kFirstOtherMemory; memory < num_memories(); ++memory) {
    const ArrayPlace& place = PlaceIn(memory);
    place.home->RecordError(place.home->Fill(place.address, element, count));
    current_ = current_ | MemorySet(memory);
  }
}

void ArrayCopy::Set(uint64_t index, std::span<const std::byte> element) {
  const uint64_t offset = index * element.size();
  CHECK_LE(offset + element.size(), host_.size());
  if (current_.has(kHostMemory)) {
    std::memcpy(host_.data() + offset, element.data(), element.size());
  }
  for (MemoryId memory = kFirstOtherMemory; memory < num_memories(); ++memory) {
    if (!current_.has(memory)) continue;
    const ArrayPlace& place = PlaceIn(memory);
    place.home->RecordError(place.home->CopyToDevice(place.address + offset, element));
  }
}

void ArrayCopy::Get(std::span<const VertexId> indexes, std::span<std::byte> elements) const {
  if (indexes.empty()) return;
  const size_t element_bytes = elements.size() / indexes.size();
  CHECK_EQ(element_bytes * indexes.size(), elements.size());
  if (!current_.has(kHostMemory)) {
    const ArrayPlace& place = PlaceIn(current_.first());
    place.home->RecordError(place.home->Gather(elements.data(), place.address,
                                               static_cast<uint32_t>(element_bytes), indexes));
    return;
  }
  for (std::byte* element = elements.data(); const VertexId index : indexes) {
    std::memcpy(element, host_.data() + index * element_bytes, element_bytes);
    element += element_bytes;
  }
}

void ArrayCopy::Get(uint64_t index, std::span<std::byte> element) const {
  const uint64_t offset = index * element.size();
  CHECK_LE(offset + element.size(), host_.size());
  if (!current_.has(kHostMemory)) {
    const ArrayPlace& place = PlaceIn(current_.first());
    place.home->RecordError(place.home->CopyToHost(element, place.address + offset));
  } else {
    std::memcpy(element.data(), host_.data() + offset, element.size());
  }
}

}  // namespace edgemill
