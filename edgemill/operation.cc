#include "edgemill/operation.h"

#include "common/cancel.h"
#include "common/threads/parallel.h"

namespace edgemill {
namespace {

constexpr double kSecondsBetweenReports = 0.1;

}  // namespace

ReportedProgress::ReportedProgress(const Resources& resources) : resources_(resources) {
  if (resources.progress) thread_ = std::thread([this] { Run(); });
}

ReportedProgress::~ReportedProgress() {
  if (!thread_.joinable()) return;
  {
    const MutexLock lock(mutex_);
    finished_ = true;
    wake_.NotifyAll();
  }
  thread_.join();
  const MutexLock lock(mutex_);
  if (cancelled_) ClearCancel();
}

void ReportedProgress::StartStage(std::string_view name, std::string_view unit,
                                  const StageExtent& extent) {
  const MutexLock lock(mutex_);
  Progress::StartStage(name, unit, extent);
  report_ = {.stage = std::string(name), .unit = std::string(unit), .total = extent.units};
}

void ReportedProgress::Note(std::string_view message) {
  if (resources_.note) resources_.note(message);
}

void ReportedProgress::Run() {
  while (true) {
    ProgressReport report;
    {
      const MutexLock lock(mutex_);
      if (!finished_) wake_.WaitFor(mutex_, kSecondsBetweenReports);
      if (finished_) return;
      report_.done = done();
      report_.iteration = iteration();
      report = report_;
    }
    if (report.stage.empty() || resources_.progress(report)) continue;
    const MutexLock lock(mutex_);
    cancelled_ = true;
    RequestCancel();
    return;
  }
}

Operation::Operation(const Resources& resources)
    : threads(resources.threads > 0 ? resources.threads : AvailableThreads()),
      budget(resources.memory_bytes > 0 ? resources.memory_bytes : DefaultMemoryBytes()),
      progress(resources) {}

}  // namespace edgemill
