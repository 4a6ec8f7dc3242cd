#include "loaders/formats/npz/npy_reader.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <utility>

#include "common/cancel.h"
#include "common/check.h"
#include "common/strings.h"
#include "loaders/formats/lines/number_parser.h"

namespace edgemill {
namespace {

constexpr size_t kPackedBytes = size_t{256} << 10;
constexpr size_t kMaxHeaderBytes = size_t{64} << 10;
constexpr size_t kMaxTextBytes = 64;
constexpr std::string_view kNpyMagic = "\x93NUMPY";
static_assert(std::endian::native == std::endian::little);

/// The text behind "'key':" in a header.
std::string_view ValueOf(std::string_view header, std::string_view key) {
  const size_t at = header.find(StrCat("'", key, "'"));
  if (at == header.npos) return {};
  const size_t colon = header.find(':', at);
  return colon == header.npos ? std::string_view() : StripSpace(header.substr(colon + 1));
}

/// Reads a type such as "'<i8'". False if it is none of a number or text.
bool ReadNpyType(std::string_view text, NpyType* type) {
  if (!text.starts_with('\'')) return false;
  text = text.substr(1, text.find('\'', 1) - 1);
  if (text.size() < 3 || std::string_view("<>|=").find(text[0]) == text.npos) return false;
  type->swapped = text[0] == '>';
  size_t number = 0;
  if (!ParseNumber(text.substr(2), &number) || number > kMaxTextBytes) return false;
  type->bytes = number;
  switch (text[1]) {
    case 'b':
      type->kind = NpyType::Kind::kBool;
      return number == 1;
    case 'i':
    case 'u':
      type->kind = text[1] == 'i' ? NpyType::Kind::kSigned : NpyType::Kind::kUnsigned;
      return number == 1 || number == 2 || number == 4 || number == 8;
    case 'f':
      type->kind = NpyType::Kind::kReal;
      return number == 4 || number == 8;
    case 'S':
    case 'U':
      type->kind = NpyType::Kind::kText;
      type->letter_bytes = text[1] == 'U' ? 4 : 1;
      type->bytes = number * type->letter_bytes;
      return number > 0;
    default:
      return false;
  }
}

/// Reads a shape such as "(5,)". False if it is none.
bool ReadNpyShape(std::string_view text, std::vector<uint64_t>* shape) {
  const size_t end = text.find(')');
  if (!text.starts_with('(') || end == text.npos) return false;
  text = text.substr(1, end - 1);
  while (!StripSpace(text).empty()) {
    const size_t comma = std::min(text.find(','), text.size());
    uint64_t number = 0;
    if (!ParseNumber(StripSpace(text.substr(0, comma)), &number)) return false;
    shape->push_back(number);
    text.remove_prefix(std::min(comma + 1, text.size()));
  }
  return shape->size() <= 2;
}

template <typename T>
void Swap(std::span<std::byte> bytes) {
  for (size_t at = 0; at < bytes.size(); at += sizeof(T)) {
    std::reverse(bytes.begin() + static_cast<ptrdiff_t>(at),
                 bytes.begin() + static_cast<ptrdiff_t>(at + sizeof(T)));
  }
}

template <typename T>
uint64_t Widen(const std::byte* at) {
  T value;
  std::memcpy(&value, at, sizeof(value));
  return static_cast<uint64_t>(value);  // negative numbers become the largest
}

uint64_t LoadInteger(const NpyType& type, const std::byte* at) {
  const bool is_signed = type.kind == NpyType::Kind::kSigned;
  switch (type.bytes) {
    case 1:
      return is_signed ? Widen<int8_t>(at) : Widen<uint8_t>(at);
    case 2:
      return is_signed ? Widen<int16_t>(at) : Widen<uint16_t>(at);
    case 4:
      return is_signed ? Widen<int32_t>(at) : Widen<uint32_t>(at);
    default:
      return Widen<uint64_t>(at);
  }
}

}  // namespace

Status NpyReader::RefuseArray(std::string_view what) const {
  return BadDataError(StrCat(archive_.name(), ": ", member_.name, ": ", what))
      .At({.file = archive_.name()});
}

Status NpyReader::Refuse(uint64_t element, std::string_view what) const {
  return RefuseArray(StrCat("element ", element, ": ", what));
}

StatusOr<std::unique_ptr<NpyReader>> NpyReader::Open(const InputStream& archive,
                                                     const ZipMember& member) {
  std::unique_ptr<NpyReader> reader(new NpyReader(archive, member));
  if (member.deflated) {
    ASSIGN_OR_RETURN(reader->decompressor_, MakeDeflateDecompressor());
  } else if (member.bytes != member.packed_bytes) {
    return reader->RefuseArray("two sizes of a member that is not packed: write the file again");
  }
  RETURN_IF_ERROR(reader->ReadHeader());
  return reader;
}

Status NpyReader::ReadHeader() {
  const char* const kDamaged = "no array of NumPy: the file is damaged, or of another program";
  std::byte start[10];
  RETURN_IF_ERROR(ReadBytes(start));
  const std::string_view begin(reinterpret_cast<const char*>(start), sizeof(start));
  if (!begin.starts_with(kNpyMagic)) return RefuseArray(kDamaged);
  const int version = begin[6];
  uint32_t header_bytes = Widen<uint16_t>(start + 8);
  if (version < 1 || version > 3) return RefuseArray("an unknown version of .npy: write version 1");
  if (version > 1) {
    std::byte more[2];
    RETURN_IF_ERROR(ReadBytes(more));
    header_bytes |= static_cast<uint32_t>(Widen<uint16_t>(more)) << 16;
  }
  if (header_bytes > kMaxHeaderBytes) return RefuseArray(kDamaged);
  std::string header(header_bytes, '\0');
  RETURN_IF_ERROR(ReadBytes(std::as_writable_bytes(std::span(header))));
  const std::string_view descr = ValueOf(header, "descr");
  if (!ReadNpyType(descr, &type_)) {
    return RefuseArray(StrCat("elements of type ", QuotedText(descr.substr(0, descr.find(','))),
                              ", which is not read: convert them to numbers (astype)"));
  }
  if (!ReadNpyShape(ValueOf(header, "shape"), &shape_)) return RefuseArray(kDamaged);
  if (shape_.size() > 1 && !ValueOf(header, "fortran_order").starts_with("False")) {
    return RefuseArray("an array in Fortran's order: write it with numpy.ascontiguousarray");
  }
  size_ = 1;
  uint64_t bytes = 0;
  bool fits = true;
  for (const uint64_t length : shape_) fits &= !__builtin_mul_overflow(size_, length, &size_);
  fits = fits && !__builtin_mul_overflow(size_, type_.bytes, &bytes) &&
         bytes == member_.bytes - bytes_read_;
  if (fits) return OkStatus();
  return RefuseArray("a header that does not fit the size of the array: write the file again");
}

Status NpyReader::ReadBytes(std::span<std::byte> into) {
  if (into.size() > member_.bytes - bytes_read_) {
    return RefuseArray("ends too early: the file is damaged: write it again");
  }
  RETURN_IF_ERROR(Unpack(into));
  bytes_read_ += into.size();
  crc_ = Crc32(crc_, into);
  return OkStatus();
}

Status NpyReader::RefillPacked() {
  packed_.resize(std::min<uint64_t>(kPackedBytes, member_.packed_bytes - packed_read_));
  packed_begin_ = 0;
  RETURN_IF_ERROR(archive_.ReadAt(packed_, member_.offset + packed_read_));
  packed_read_ += packed_.size();
  return OkStatus();
}

Status NpyReader::Unpack(std::span<std::byte> into) {
  if (decompressor_ == nullptr) {
    RETURN_IF_ERROR(archive_.ReadAt(into, member_.offset + packed_read_));
    packed_read_ += into.size();
    return OkStatus();
  }
  for (size_t filled = 0; filled < into.size();) {
    if (packed_begin_ == packed_.size()) RETURN_IF_ERROR(RefillPacked());
    const std::span<const std::byte> rest = std::span(packed_).subspan(packed_begin_);
    const StatusOr<Decompressor::Step> step = decompressor_->Run(rest, into.subspan(filled));
    if (!step.ok()) return RefuseArray(step.status().message());
    packed_begin_ += step->consumed;
    filled += step->produced;
    if (step->consumed + step->produced > 0) continue;
    return Refuse(next_, "the compressed data ends too early: the file is damaged: write it again");
  }
  return OkStatus();
}

Status NpyReader::ReadPlain(size_t count, std::vector<std::byte>* into) {
  CHECK_LE(count, size_ - next_);
  into->resize(count * type_.bytes);
  RETURN_IF_ERROR(ReadBytes(*into));
  next_ += count;
  if (!type_.swapped) return OkStatus();
  if (type_.bytes == 2) Swap<uint16_t>(*into);
  if (type_.bytes == 4) Swap<uint32_t>(*into);
  if (type_.bytes == 8) Swap<uint64_t>(*into);
  return OkStatus();
}

Status NpyReader::ReadIntegers(std::span<uint64_t> into) {
  CHECK(type_.is_integer());
  const uint64_t first = next_;
  std::vector<std::byte> bytes;
  RETURN_IF_ERROR(ReadPlain(into.size(), &bytes));
  const bool is_signed = type_.kind == NpyType::Kind::kSigned;
  for (size_t i = 0; i < into.size(); ++i) {
    into[i] = LoadInteger(type_, bytes.data() + i * type_.bytes);
    if (is_signed && into[i] > INT64_MAX) {
      return Refuse(first + i, "a negative number: the file is damaged: write it again");
    }
  }
  return OkStatus();
}

StatusOr<std::string> NpyReader::ReadText() {
  if (type_.kind != NpyType::Kind::kText || size_ != 1) {
    return RefuseArray("no text: the file is damaged, or of another program");
  }
  std::vector<std::byte> bytes(type_.bytes);
  RETURN_IF_ERROR(ReadBytes(bytes));
  ++next_;
  std::string text;
  const size_t letter_bytes = type_.letter_bytes;
  for (size_t at = type_.swapped ? letter_bytes - 1 : 0; at < bytes.size(); at += letter_bytes) {
    if (bytes[at] != std::byte{0}) text += static_cast<char>(bytes[at]);
  }
  return text;
}

Status NpyReader::Skip(uint64_t count) {
  CHECK_LE(count, size_ - next_);
  std::vector<std::byte> skipped;
  const uint64_t at_once = kPackedBytes / type_.bytes;
  while (count > 0) {
    RETURN_IF_ERROR(CheckCancelled());
    const uint64_t some = std::min(count, at_once);
    RETURN_IF_ERROR(ReadPlain(some, &skipped));
    count -= some;
  }
  return OkStatus();
}

Status NpyReader::CheckEnd() {
  CHECK_EQ(next_, size_);
  // The packed data may have its end mark still before it.
  std::byte more;
  while (decompressor_ != nullptr && !decompressor_->AtBoundary()) {
    if (packed_begin_ == packed_.size() && packed_read_ < member_.packed_bytes) {
      RETURN_IF_ERROR(RefillPacked());
    }
    const std::span<const std::byte> rest = std::span(packed_).subspan(packed_begin_);
    const StatusOr<Decompressor::Step> step = decompressor_->Run(rest, {&more, 1});
    if (!step.ok()) return RefuseArray(step.status().message());
    packed_begin_ += step->consumed;
    if (step->produced == 0 && step->consumed > 0) continue;
    if (decompressor_->AtBoundary() && step->produced == 0) break;
    return RefuseArray("has more bytes than the archive says: write the file again");
  }
  if (crc_ == member_.crc) return OkStatus();
  return RefuseArray("its checksum does not match: the file is damaged: write or fetch it again");
}

}  // namespace edgemill
