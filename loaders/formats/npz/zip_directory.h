// The directory of a ZIP archive (APPNOTE 6.3).
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "common/status.h"
#include "loaders/stream/input_stream.h"

namespace edgemill {

/// One file in an archive.
struct ZipMember {
  std::string name;
  bool deflated = false;      // else stored as it is
  uint32_t crc = 0;           // CRC-32 of the contents
  uint64_t packed_bytes = 0;  // in the archive
  uint64_t bytes = 0;         // of the contents
  uint64_t offset = 0;        // of the packed bytes in the archive
};

/// Reads the directory at the end of `archive`, which must be seekable, and checks that all members
/// lie in the archive. ZIP64 is read. BadDataError for a damaged directory, and for members that
/// are encrypted or packed in another way than by deflate. Reads at most 1 MiB.
StatusOr<std::vector<ZipMember>> ReadZipDirectory(const InputStream& archive);

}  // namespace edgemill
