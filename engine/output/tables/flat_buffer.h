// Writes flatbuffers, in which Arrow's IPC format has its metadata.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace edgemill {

/// A flatbuffer, made from its end to its begin: https://flatbuffers.dev/internals. What others
/// refer to comes first. A place is the number of bytes from the begin of an object to the end of
/// the buffer. Integers and places are little-endian.
class FlatBuffer {
 public:
  using Place = uint32_t;

  Place Text(std::string_view text);
  /// A list of places.
  Place List(std::span<const Place> places);
  /// A list of structs with `words` numbers of 64 bits each.
  Place Structs(std::span<const uint64_t> numbers, size_t words);

  /// A table: the values of its fields come between Begin and End.
  void Begin() { begin_ = size(); }
  template <typename T>
  void Number(int field, T value) {
    Align(sizeof(T), sizeof(T));
    Put(&value, sizeof(T));
    fields_.push_back({field, size()});
  }
  void Reference(int field, Place place);
  Place End();

  /// All bytes, a multiple of 8, with `root` as the root table.
  std::string Finish(Place root);

 private:
  Place size() const { return static_cast<Place>(reversed_.size()); }
  /// Adds zeros, so that `bytes` bytes more end at a multiple of `alignment`.
  void Align(size_t alignment, size_t bytes);
  void Put(const void* data, size_t count);
  void PutPlace(Place place);

  std::string reversed_;
  Place begin_ = 0;                            // of the table
  std::vector<std::pair<int, Place>> fields_;  // of the table
};

}  // namespace edgemill
