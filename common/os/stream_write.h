// Writes to pipes, sockets and terminals, which may stop accepting data for ever.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>

#include "common/os/file.h"
#include "common/status.h"

namespace edgemill {

/// Writes all of `bytes` to `fd`, called `name` in errors. Waits without using the processor while
/// nothing is read, whether `fd` is blocking or not. CancelledError when a stop is requested
/// meanwhile. EPIPE in errno_value() when the reader has closed its end. Regular files are written
/// as by File::WriteAll.
Status WriteStream(int fd, std::string_view name, std::span<const std::byte> bytes);

/// Opens a device or a pipe for WriteStream. Waits for a reader of a named pipe.
/// CancelledError when a stop is requested meanwhile.
StatusOr<File> OpenStream(const std::string& path);

}  // namespace edgemill
