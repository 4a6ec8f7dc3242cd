// Files that a benchmark reads and writes. They have no name, so they are gone when the program
// ends, even if it is killed.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "common/os/file.h"
#include "common/progress.h"
#include "common/status.h"

namespace edgemill::bench {

/// A directory to measure.
struct ScratchDirectory {
  std::string path;
  uint64_t device = 0;     // st_dev, the same for all directories of one device
  bool direct = true;      // whether its files accept O_DIRECT
  bool in_memory = false;  // tmpfs or ramfs: not a disk
  File read_file;          // stamped contents
  File write_file;         // empty at first
};

/// Opens both files in `path`. Also removes the files that killed processes left there. Returns
/// MissingError when there is no such directory, and PermissionError when no file can be made in
/// it.
StatusOr<ScratchDirectory> OpenScratchDirectory(const std::string& path);

/// Returns IoError, with both numbers and `advice`, unless `bytes` are free at `path`.
Status CheckFreeDisk(const std::string& path, uint64_t bytes, std::string_view advice);

/// The stamp of the 4 KiB at `offset` of a file, which is in their first 8 bytes. A wrong stamp
/// shows that a read got the wrong place, or data that was never written.
uint64_t StampOf(uint64_t offset);
/// Puts the stamps of the data for `offset` into `memory`. Its size and `offset` are multiples of 4
/// KiB.
void Stamp(std::span<std::byte> memory, uint64_t offset);
/// Checks the stamps in `memory`, which was read at `offset` of `path`: all of them, or only those
/// of its first and last 4 KiB. Returns BadDataError, with the place, for a wrong stamp.
Status CheckStamps(std::span<const std::byte> memory, uint64_t offset, const std::string& path,
                   bool all);

/// Fills `memory` with random bytes, which no device can compress.
void FillRandom(std::span<std::byte> memory);

/// Writes `size` stamped bytes to `file`, and syncs it. `memory` is the buffer. Both sizes are
/// multiples of 4 KiB. Returns CancelledError on Ctrl-C.
Status FillStamped(const File& file, uint64_t size, std::span<std::byte> memory,
                   Progress& progress);

}  // namespace edgemill::bench
