// I/O faults on chosen files. A request has only a descriptor, from which the path is looked up.
#pragma once

#include <atomic>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <system_error>
#include <utility>

#include "storage/io/faulty_io_engine.h"

namespace edgemill {

/// A plan that calls `decide` for each attempt of `op` at a file whose path contains `part`.
/// `index` counts these attempts from 0. Several threads may call `decide` at once.
inline std::shared_ptr<IoFaultPlan> FaultsOn(
    IoRequest::Op op, std::string part,
    std::function<std::optional<IoFault>(uint64_t index)> decide) {
  auto count = std::make_shared<std::atomic<uint64_t>>(0);
  return std::make_shared<IoFaultPlan>(
      [op, part = std::move(part), decide = std::move(decide), count](
          const IoAttempt& attempt, uint64_t) -> std::optional<IoFault> {
        if (attempt.op != op) return std::nullopt;
        std::error_code error;
        const std::filesystem::path link = "/proc/self/fd/" + std::to_string(attempt.fd);
        const std::string path = std::filesystem::read_symlink(link, error).string();
        if (path.find(part) == std::string::npos) return std::nullopt;
        return decide(count->fetch_add(1));
      });
}

/// The same fault at the attempt `index` and, when `sticky`, at all later ones.
inline std::shared_ptr<IoFaultPlan> FaultOn(IoRequest::Op op, std::string part, uint64_t index,
                                            IoFault fault, bool sticky = false) {
  return FaultsOn(op, std::move(part), [=](uint64_t now) -> std::optional<IoFault> {
    if (now == index || (sticky && now > index)) return fault;
    return std::nullopt;
  });
}

/// Installs a plan for a scope.
class ScopedIoFaults {
 public:
  explicit ScopedIoFaults(std::shared_ptr<IoFaultPlan> plan) { InstallIoFaults(std::move(plan)); }
  ~ScopedIoFaults() { InstallIoFaults(nullptr); }
  ScopedIoFaults(const ScopedIoFaults&) = delete;
  ScopedIoFaults& operator=(const ScopedIoFaults&) = delete;
};

}  // namespace edgemill
