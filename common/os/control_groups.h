// What Linux control groups, version 1 and 2, allow this process. A limit holds for all groups
// below it, so each function looks at this process's own group and at all its ancestors. Tests put
// the trees of /proc and /sys/fs/cgroup below another `root`.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace edgemill {

/// The most processors that the CPU quotas allow, rounded up. Nullopt where no group has a readable
/// quota.
std::optional<uint64_t> CpuQuotaProcessors(const std::string& root = "");

/// The most bytes that the groups may use. Nullopt where no group has a readable limit.
std::optional<uint64_t> ControlGroupLimitBytes(const std::string& root = "");

/// How many bytes the groups may still use. Nullopt where no group has a readable limit. The page
/// cache counts as free, since the kernel takes it back before it refuses memory.
std::optional<uint64_t> ControlGroupFreeBytes(const std::string& root = "");

}  // namespace edgemill
