#include "bench/scaling/peak_memory.h"

#include <fcntl.h>

#include <span>
#include <string_view>

#include "common/os/file.h"

namespace edgemill::bench {

Status ResetPeakResident() {
  constexpr std::string_view kResetPeak = "5";
  ASSIGN_OR_RETURN(const File file, File::Open("/proc/self/clear_refs", O_WRONLY));
  return file.WriteAll(std::as_bytes(std::span(kResetPeak)));
}

}  // namespace edgemill::bench
