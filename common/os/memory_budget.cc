#include "common/os/memory_budget.h"

#include <sys/resource.h>

#include <algorithm>
#include <fstream>
#include <optional>

#include "common/os/control_groups.h"
#include "common/units.h"

namespace edgemill {

MemoryReservation::~MemoryReservation() {
  if (budget_ == nullptr) return;
  MutexLock lock(budget_->mutex_);
  budget_->reserved_bytes_ -= bytes_;
}

MemoryBudget::MemoryBudget(uint64_t total_bytes) : total_bytes_(total_bytes) {}

StatusOr<MemoryReservation> MemoryBudget::Reserve(uint64_t bytes, std::string_view purpose) {
  MutexLock lock(mutex_);
  const uint64_t usable = total_bytes_ > kProcessBytes ? total_bytes_ - kProcessBytes : 0;
  const uint64_t left = usable - std::min(usable, reserved_bytes_);
  if (bytes > left) {
    return BudgetError(
        StrCat("--memory ", FormatBytes(total_bytes_), " is too small: ", purpose, " needs ",
               FormatBytes(bytes), " and ", FormatBytes(left), " is left: give at least --memory ",
               FormatMebibytesUp(std::max(total_bytes_, kProcessBytes) + bytes - left)));
  }
  reserved_bytes_ += bytes;
  return MemoryReservation(this, bytes);
}

uint64_t MemoryBudget::available_bytes() const {
  MutexLock lock(mutex_);
  const uint64_t used = reserved_bytes_ + kProcessBytes;
  return total_bytes_ > used ? total_bytes_ - used : 0;
}

namespace {

/// What /proc/meminfo says of `wanted` ("MemAvailable:"), in bytes.
std::optional<uint64_t> RamBytes(const std::string& root, std::string_view wanted) {
  std::ifstream file(root + "/proc/meminfo");
  std::string name, unit;
  uint64_t kib = 0;
  while (file >> name >> kib) {
    std::getline(file, unit);
    if (name == wanted) return kib << 10;
  }
  return std::nullopt;
}

}  // namespace

uint64_t DefaultMemoryBytes(const std::string& root) {
  const uint64_t free = RamBytes(root, "MemAvailable:").value_or(uint64_t{1} << 30);
  return std::min(free, ControlGroupFreeBytes(root).value_or(free)) / 2;
}

std::string MemoryWarning(uint64_t memory_bytes, const std::string& root) {
  const uint64_t machine = RamBytes(root, "MemTotal:").value_or(~uint64_t{0});
  const uint64_t group = ControlGroupLimitBytes(root).value_or(~uint64_t{0});
  if (memory_bytes <= std::min(machine, group)) return "";
  return StrCat("--memory ", FormatBytes(memory_bytes), " is more than the ",
                FormatBytes(std::min(machine, group)), " that this ",
                group < machine ? "process's control group may use" : "machine has",
                ": the kernel may end the command: give less");
}

uint64_t PeakResidentBytes() {
  std::ifstream file("/proc/self/status");
  std::string line;
  while (std::getline(file, line)) {
    uint64_t kib = 0;
    if (line.rfind("VmHWM:", 0) == 0 &&
        ParseNumber(StripSpace(std::string_view(line).substr(6, line.find("kB") - 6)), &kib)) {
      return kib << 10;
    }
  }
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return static_cast<uint64_t>(usage.ru_maxrss) << 10;
}

}  // namespace edgemill
