#include "loaders/formats/npz/zip_directory.h"

#include <algorithm>
#include <cstring>
#include <set>
#include <span>
#include <string_view>

namespace edgemill {
namespace {

constexpr std::string_view kLocal = "PK\x03\x04", kEntry = "PK\x01\x02", kEnd = "PK\x05\x06";
constexpr std::string_view kLocator64 = "PK\x06\x07", kEnd64 = "PK\x06\x06";
constexpr size_t kZipLocalBytes = 30, kZipEntryBytes = 46, kZipEndBytes = 22;
constexpr size_t kLocator64Bytes = 20, kEnd64Bytes = 56;
constexpr size_t kMaxCommentBytes = 65535;
constexpr uint64_t kMaxDirectoryBytes = uint64_t{1} << 20;
constexpr uint32_t kIn64 = UINT32_MAX;  // the number is in a ZIP64 field
constexpr uint16_t kExtra64 = 1;        // the id of that field
constexpr uint16_t kStored = 0, kDeflated = 8;
constexpr uint16_t kEncrypted = 1;

template <typename T>
T LoadField(std::string_view bytes, size_t at) {
  T value;
  std::memcpy(&value, bytes.data() + at, sizeof(value));
  return value;
}

Status RefuseArchive(const InputStream& archive, uint64_t offset, std::string_view reason) {
  return ByteError(archive.name(), offset,
                   StrCat(reason, ": the ZIP archive is cut short or damaged: write it again"));
}

StatusOr<std::string> BytesAt(const InputStream& archive, uint64_t offset, uint64_t size) {
  const uint64_t all = archive.stored_bytes();
  if (offset > all || size > all - offset) {
    return RefuseArchive(archive, std::min(offset, all), "a part that is not in the file");
  }
  std::string bytes(size, '\0');
  RETURN_IF_ERROR(archive.PeekAt(std::as_writable_bytes(std::span(bytes)), offset));
  return bytes;
}

/// Where the directory is.
struct DirectoryPlace {
  uint64_t entries = 0;
  uint64_t bytes = 0;
  uint64_t offset = 0;
};

StatusOr<DirectoryPlace> FindDirectory(const InputStream& archive) {
  const uint64_t all = archive.stored_bytes();
  const uint64_t tail_bytes = std::min<uint64_t>(all, kZipEndBytes + kMaxCommentBytes);
  ASSIGN_OR_RETURN(const std::string tail, BytesAt(archive, all - tail_bytes, tail_bytes));
  size_t at = tail.rfind(kEnd);
  while (at != tail.npos &&
         (at + kZipEndBytes > tail.size() ||
          at + kZipEndBytes + LoadField<uint16_t>(tail, at + 20) != tail.size())) {
    at = at == 0 ? tail.npos : tail.rfind(kEnd, at - 1);
  }
  if (at == tail.npos) return RefuseArchive(archive, all, "no directory at the end");
  DirectoryPlace place{LoadField<uint16_t>(tail, at + 10), LoadField<uint32_t>(tail, at + 12),
                       LoadField<uint32_t>(tail, at + 16)};
  const uint64_t end = all - tail_bytes + at;
  if (place.offset != kIn64 && place.bytes != kIn64 && place.entries != UINT16_MAX) return place;
  if (end < kLocator64Bytes) return RefuseArchive(archive, end, "no ZIP64 directory");
  ASSIGN_OR_RETURN(const std::string locator,
                   BytesAt(archive, end - kLocator64Bytes, kLocator64Bytes));
  if (!locator.starts_with(kLocator64)) return RefuseArchive(archive, end, "no ZIP64 directory");
  const auto end64 = LoadField<uint64_t>(locator, 8);
  ASSIGN_OR_RETURN(const std::string last, BytesAt(archive, end64, kEnd64Bytes));
  if (!last.starts_with(kEnd64)) return RefuseArchive(archive, end64, "no ZIP64 directory");
  return DirectoryPlace{LoadField<uint64_t>(last, 32), LoadField<uint64_t>(last, 40),
                        LoadField<uint64_t>(last, 48)};
}

/// Replaces the numbers of an entry that are in its ZIP64 field. False if one is missing.
bool ReadExtra64(std::string_view extra, ZipMember* member, uint64_t* local) {
  while (extra.size() >= 4) {
    const size_t size = LoadField<uint16_t>(extra, 2);
    if (size > extra.size() - 4) return false;
    std::string_view field = extra.substr(4, size);
    const bool is_64 = LoadField<uint16_t>(extra, 0) == kExtra64;
    extra.remove_prefix(4 + size);
    if (!is_64) continue;
    for (uint64_t* const number : {&member->bytes, &member->packed_bytes, local}) {
      if (*number != kIn64) continue;
      if (field.size() < 8) return false;
      *number = LoadField<uint64_t>(field, 0);
      field.remove_prefix(8);
    }
    return true;
  }
  return member->bytes != kIn64 && member->packed_bytes != kIn64 && *local != kIn64;
}

/// Sets the place of a member's bytes, behind the header that they have, too.
Status FindContents(const InputStream& archive, uint64_t local, ZipMember* member) {
  ASSIGN_OR_RETURN(const std::string header, BytesAt(archive, local, kZipLocalBytes));
  if (!header.starts_with(kLocal)) {
    return RefuseArchive(archive, local, StrCat("no header of ", QuotedText(member->name)));
  }
  member->offset =
      local + kZipLocalBytes + LoadField<uint16_t>(header, 26) + LoadField<uint16_t>(header, 28);
  const uint64_t all = archive.stored_bytes();
  if (member->offset <= all && member->packed_bytes <= all - member->offset) return OkStatus();
  return RefuseArchive(archive, local,
                       StrCat("the member ", QuotedText(member->name), " ends behind the file"));
}

}  // namespace

StatusOr<std::vector<ZipMember>> ReadZipDirectory(const InputStream& archive) {
  ASSIGN_OR_RETURN(const DirectoryPlace place, FindDirectory(archive));
  if (place.bytes > kMaxDirectoryBytes) {
    return RefuseArchive(archive, place.offset, "a directory of more than 1 MiB");
  }
  ASSIGN_OR_RETURN(const std::string directory, BytesAt(archive, place.offset, place.bytes));
  std::vector<ZipMember> members;
  std::set<std::string> names;
  std::string_view rest = directory;
  while (members.size() < place.entries) {
    const uint64_t at = place.offset + (directory.size() - rest.size());
    if (rest.size() < kZipEntryBytes || !rest.starts_with(kEntry)) {
      return RefuseArchive(archive, at, "a directory that ends too early");
    }
    const size_t name_bytes = LoadField<uint16_t>(rest, 28),
                 extra_bytes = LoadField<uint16_t>(rest, 30);
    const size_t entry_bytes =
        kZipEntryBytes + name_bytes + extra_bytes + LoadField<uint16_t>(rest, 32);
    if (entry_bytes > rest.size()) {
      return RefuseArchive(archive, at, "a directory that ends too early");
    }
    const auto method = LoadField<uint16_t>(rest, 10);
    ZipMember member{.name = std::string(rest.substr(kZipEntryBytes, name_bytes)),
                     .deflated = method == kDeflated,
                     .crc = LoadField<uint32_t>(rest, 16),
                     .packed_bytes = LoadField<uint32_t>(rest, 20),
                     .bytes = LoadField<uint32_t>(rest, 24)};
    uint64_t local = LoadField<uint32_t>(rest, 42);
    if ((LoadField<uint16_t>(rest, 8) & kEncrypted) != 0 ||
        (method != kDeflated && method != kStored)) {
      return ByteError(archive.name(), at,
                       StrCat("the member ", QuotedText(member.name),
                              " is encrypted, or not packed by deflate: write it again by "
                              "scipy.sparse.save_npz"));
    }
    if (!ReadExtra64(rest.substr(kZipEntryBytes + name_bytes, extra_bytes), &member, &local)) {
      return RefuseArchive(archive, at, "no ZIP64 sizes");
    }
    if (!names.insert(member.name).second) {
      return RefuseArchive(archive, at, StrCat("two members called ", QuotedText(member.name)));
    }
    RETURN_IF_ERROR(FindContents(archive, local, &member));
    members.push_back(std::move(member));
    rest.remove_prefix(entry_bytes);
  }
  return members;
}

}  // namespace edgemill
