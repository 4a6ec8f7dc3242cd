// Arbitrary bytes as a checkpoint, and as the table of one, whose checksum is then right. They are
// refused, or all that the reader gives is there.
#include <fcntl.h>
#include <unistd.h>

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "common/check.h"
#include "common/strings.h"
#include "storage/checkpoint/checkpoint_file.h"
#include "test/fuzz/targets.h"

namespace edgemill {
namespace {

/// A file of this process, which goes with it. Its path leads to no other file.
const File& Scratch() {
  static const File file = [] {
    const std::string path = StrCat("/tmp/edgemill-fuzz-", getpid());
    StatusOr<File> made = File::Open(path, O_RDWR | O_CREAT | O_TRUNC);
    CHECK(made.ok());
    return *std::move(made);
  }();
  return file;
}

void Try(std::string_view bytes) {
  CHECK(Scratch().Truncate(0).ok());
  CHECK(Scratch().WriteAt(std::as_bytes(std::span(bytes)), 0).ok());
  const auto reader = CheckpointReader::OpenWhole(Scratch().path(), 1);
  if (!reader.ok()) {
    CHECK(reader.status().code() == Code::kBadData);
    return;
  }
  for (const CheckpointSection& section : reader->table().sections) {
    uint64_t read = 0;
    const Status status = reader->Visit(section, 1, [&](uint64_t offset, auto part) {
      CHECK_EQ(offset, read);
      read += part.size();
      return OkStatus();
    });
    CHECK(status.ok());
    CHECK_EQ(read, section.bytes);
  }
}

}  // namespace

void FuzzCheckpoint(FuzzInput data) {
  const std::string bytes(reinterpret_cast<const char*>(data.data()), data.size());
  Try(bytes);
  Try(CheckpointEnd(bytes, 0));
  // The first half as blocks, the other half as the table.
  const size_t half = bytes.size() / 2;
  Try(bytes.substr(0, half) + CheckpointEnd(bytes.substr(half), half));
}

}  // namespace edgemill
