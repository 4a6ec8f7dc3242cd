// Arrays of NumPy (.npy) that are members of a ZIP archive.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "common/status.h"
#include "loaders/formats/npz/zip_directory.h"
#include "loaders/stream/decompressor.h"
#include "loaders/stream/input_stream.h"

namespace edgemill {

/// The type of an array's elements.
struct NpyType {
  enum class Kind : uint8_t { kBool, kSigned, kUnsigned, kReal, kText };
  Kind kind = Kind::kBool;
  size_t bytes = 1;         // of an element
  bool swapped = false;     // big-endian
  size_t letter_bytes = 1;  // of text: 1, or 4 where a letter is a code point

  bool is_integer() const { return kind == Kind::kSigned || kind == Kind::kUnsigned; }
};

/// Reads one array from its first element to its last, in bounded memory. Not thread-safe.
class NpyReader {
 public:
  /// Reads the header of the array. `archive` must outlive the reader. BadDataError for a header
  /// that is damaged or does not fit the size of the member, and for types such as objects.
  static StatusOr<std::unique_ptr<NpyReader>> Open(const InputStream& archive,
                                                   const ZipMember& member);

  const NpyType& type() const { return type_; }
  const std::vector<uint64_t>& shape() const { return shape_; }
  /// The number of elements, and of those that were read.
  uint64_t size() const { return size_; }
  uint64_t next() const { return next_; }

  /// The next elements of an array of integers. BadDataError for a negative number.
  Status ReadIntegers(std::span<uint64_t> into);
  /// The next elements of an array of booleans or numbers, in their own size and in this machine's
  /// byte order.
  Status ReadPlain(size_t count, std::vector<std::byte>* into);
  /// The text of an array with one element.
  StatusOr<std::string> ReadText();
  /// Passes over elements. Their checksum counts, so they are read.
  Status Skip(uint64_t count);
  /// Checks, after the last element, that the checksum is that of the archive.
  Status CheckEnd();

  /// "NAME: MEMBER: element N: WHAT" as a BadDataError.
  Status Refuse(uint64_t element, std::string_view what) const;
  /// "NAME: MEMBER: WHAT".
  Status RefuseArray(std::string_view what) const;

 private:
  NpyReader(const InputStream& archive, const ZipMember& member)
      : archive_(archive), member_(member) {}
  Status ReadHeader();
  Status ReadBytes(std::span<std::byte> into);
  Status Unpack(std::span<std::byte> into);
  Status RefillPacked();

  const InputStream& archive_;
  const ZipMember member_;
  std::unique_ptr<Decompressor> decompressor_;  // null: the member is stored as it is
  std::vector<std::byte> packed_;
  size_t packed_begin_ = 0;
  uint64_t packed_read_ = 0;  // bytes of the member that were read into packed_
  uint64_t bytes_read_ = 0;   // of the contents
  uint32_t crc_ = 0;
  NpyType type_;
  std::vector<uint64_t> shape_;
  uint64_t size_ = 0;
  uint64_t next_ = 0;
};

}  // namespace edgemill
