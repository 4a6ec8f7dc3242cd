// Processor time that Linux control groups allow.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace edgemill {

/// How many processors the CPU quotas of this process's control groups (v1 and v2) and of their
/// ancestors allow at the most, rounded up; nothing where no group has a quota that can be read.
/// Tests put the trees of /proc and /sys/fs/cgroup below another `root`.
std::optional<uint64_t> CpuQuotaProcessors(const std::string& root = "");

}  // namespace edgemill
