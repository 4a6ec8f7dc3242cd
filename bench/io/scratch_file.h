// Files that a benchmark reads and writes: they have no name, so that nothing is left of them
// however the program ends.
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
  uint64_t device = 0;     // st_dev: directories of one device share it
  bool direct = true;      // whether its files take O_DIRECT
  bool in_memory = false;  // tmpfs or ramfs: not a disk
  File read_file;          // stamped contents
  File write_file;         // empty at first
};

/// Opens both files in `path`, and removes what processes that were killed left there. MissingError
/// when there is no such directory, PermissionError when nothing can be made in it.
StatusOr<ScratchDirectory> OpenScratchDirectory(const std::string& path);

/// IoError with both numbers and `advice` unless `bytes` are free at `path`.
Status CheckFreeDisk(const std::string& path, uint64_t bytes, std::string_view advice);

/// The stamp of the 4 KiB of a file that start at `offset`: its first 8 bytes. A read of the wrong
/// place, or of what was never written, shows in it.
uint64_t StampOf(uint64_t offset);
/// Stamps `memory` as what is to be written at `offset`. Both are multiples of 4 KiB.
void Stamp(std::span<std::byte> memory, uint64_t offset);
/// BadDataError that says where unless `memory`, read at `offset` of `path`, has its stamps: all
/// of them, or those of its first and last 4 KiB.
Status CheckStamps(std::span<const std::byte> memory, uint64_t offset, const std::string& path,
                   bool all);

/// Fills `memory` with bytes that no device can pack.
void FillRandom(std::span<std::byte> memory);

/// Writes `size` stamped bytes to `file` from `memory`, and syncs. Both sizes are multiples of
/// 4 KiB. CancelledError on Ctrl-C.
Status FillStamped(const File& file, uint64_t size, std::span<std::byte> memory,
                   Progress& progress);

}  // namespace edgemill::bench
