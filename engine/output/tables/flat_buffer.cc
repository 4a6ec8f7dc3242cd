#include "engine/output/tables/flat_buffer.h"

#include <algorithm>
#include <bit>

#include "common/check.h"

namespace edgemill {

void FlatBuffer::Align(size_t alignment, size_t bytes) {
  while ((reversed_.size() + bytes) % alignment != 0) reversed_ += '\0';
}

void FlatBuffer::Put(const void* data, size_t count) {
  static_assert(std::endian::native == std::endian::little);
  const std::string_view bytes(static_cast<const char*>(data), count);
  reversed_.append(bytes.rbegin(), bytes.rend());
}

void FlatBuffer::PutPlace(Place place) {
  const uint32_t distance = size() + uint32_t{sizeof(distance)} - place;
  Put(&distance, sizeof(distance));
}

FlatBuffer::Place FlatBuffer::Text(std::string_view text) {
  Align(sizeof(uint32_t), text.size() + 1);
  reversed_ += '\0';
  Put(text.data(), text.size());
  const auto length = static_cast<uint32_t>(text.size());
  Put(&length, sizeof(length));
  return size();
}

FlatBuffer::Place FlatBuffer::List(std::span<const Place> places) {
  Align(sizeof(uint32_t), 0);
  for (auto place = places.rbegin(); place != places.rend(); ++place) PutPlace(*place);
  const auto count = static_cast<uint32_t>(places.size());
  Put(&count, sizeof(count));
  return size();
}

FlatBuffer::Place FlatBuffer::Structs(std::span<const uint64_t> numbers, size_t words) {
  CHECK_EQ(numbers.size() % words, 0u);
  Align(sizeof(uint64_t), 0);
  Put(numbers.data(), numbers.size_bytes());
  const auto count = static_cast<uint32_t>(numbers.size() / words);
  Put(&count, sizeof(count));
  return size();
}

void FlatBuffer::Reference(int field, Place place) {
  Align(sizeof(uint32_t), 0);
  PutPlace(place);
  fields_.push_back({field, size()});
}

FlatBuffer::Place FlatBuffer::End() {
  // The table begins with the distance to its list of fields, which stands before the table.
  Align(sizeof(int32_t), 0);
  Put("\0\0\0", sizeof(int32_t));
  const Place table = size();
  int last = -1;
  for (const auto& [field, place] : fields_) last = std::max(last, field);
  std::vector<uint16_t> entries(static_cast<size_t>(last + 3));
  entries[0] = static_cast<uint16_t>(entries.size() * sizeof(uint16_t));
  entries[1] = static_cast<uint16_t>(table - begin_);
  for (const auto& [field, place] : fields_) {
    entries[static_cast<size_t>(field + 2)] = static_cast<uint16_t>(table - place);
  }
  Put(entries.data(), entries.size() * sizeof(uint16_t));
  const auto distance = static_cast<int32_t>(size() - table);
  char bytes[sizeof(distance)];
  std::memcpy(bytes, &distance, sizeof(distance));
  std::reverse_copy(bytes, bytes + sizeof(distance), reversed_.data() + table - sizeof(distance));
  fields_.clear();
  return table;
}

std::string FlatBuffer::Finish(Place root) {
  Align(sizeof(uint64_t), sizeof(uint32_t));
  PutPlace(root);
  return std::string(reversed_.rbegin(), reversed_.rend());
}

}  // namespace edgemill
