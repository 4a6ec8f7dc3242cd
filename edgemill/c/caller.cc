#include "edgemill/c/caller.h"

#include <unistd.h>

#include <atomic>
#include <exception>
#include <memory>
#include <new>
#include <system_error>
#include <thread>

#include "common/strings.h"

namespace edgemill::c {
namespace {

/// The first process that used the library; 0: none yet.
std::atomic<pid_t> first_process{0};

const Status& NoMemory() {
  static const Status status = BudgetError(
      "the system refused memory: raise the limit (ulimit -v, -d), or give less memory "
      "and fewer threads");
  return status;
}

/// The error of a caller that has no memory for one; it is never freed.
edgemill_error& NoMemoryError() {
  static edgemill_error error = {NoMemory(), std::string(NoMemory().message())};
  return error;
}

Status CheckProcess() {
  pid_t first = 0;
  first_process.compare_exchange_strong(first, getpid());
  if (!IsForked()) return OkStatus();
  return UsageError(
      "this process was forked from one that uses Edgemill: start processes by spawn, or fork "
      "before the first use");
}

}  // namespace

bool IsForked() {
  const pid_t first = first_process;
  return first != 0 && first != getpid();
}

Status Guard(const std::function<Status()>& operation) noexcept {
  try {
    RETURN_IF_ERROR(CheckProcess());
    return operation();
  } catch (const std::bad_alloc&) {
    return NoMemory();
  } catch (const std::system_error& error) {
    return BudgetError(StrCat("the system refused a thread: ", error.code().message(),
                              ": raise the limit (ulimit -u, -v or pids.max), or give fewer "
                              "threads"));
  } catch (const std::exception& error) {
    return InternalError(
        StrCat("an exception, which is a defect: please report it: ", error.what()));
  }
}

edgemill_error* Guarded(const std::function<Status()>& operation) noexcept {
  const Status status = Guard(operation);
  if (status.ok()) return nullptr;
  try {
    return std::make_unique<edgemill_error>(edgemill_error{status, std::string(status.message())})
        .release();
  } catch (const std::bad_alloc&) {
    return &NoMemoryError();
  }
}

std::vector<const char*> Pointers(const std::vector<std::string>& texts) {
  std::vector<const char*> pointers;
  for (const std::string& text : texts) pointers.push_back(text.c_str());
  return pointers;
}

std::vector<std::string> Caller::arguments() const {
  return {call_.arguments, call_.arguments + call_.num_arguments};
}

Resources Caller::ResourcesOf(uint64_t memory_bytes, uint64_t threads) {
  Resources resources{.memory_bytes = memory_bytes, .threads = static_cast<int>(threads)};
  if (call_.progress != nullptr) {
    resources.progress = [this](const ProgressReport& report) {
      const edgemill_progress progress = {report.stage.c_str(), report.unit.c_str(), report.done,
                                          report.total, report.iteration};
      bool goes_on = true;
      Ask([&] { goes_on = call_.progress(call_.user, &progress) != 0; });
      return goes_on;
    };
  }
  if (call_.note != nullptr) {
    resources.note = [this](std::string_view message) {
      const std::string text(message);
      Ask([&] { call_.note(call_.user, text.c_str()); });
    };
  }
  return resources;
}

Status Caller::Serve(const std::function<Status()>& operation) {
  Status status;
  std::thread thread([&] {
    status = Guard(operation);
    const MutexLock lock(mutex_);
    ended_ = true;
    changed_.NotifyAll();
  });
  while (const std::function<void()>* const errand = NextErrand()) {
    (*errand)();
    const MutexLock lock(mutex_);
    errand_ = nullptr;
    changed_.NotifyAll();
  }
  thread.join();
  return status;
}

void Caller::Ask(const std::function<void()>& errand) {
  const MutexLock turn(turn_);
  const MutexLock lock(mutex_);
  errand_ = &errand;
  changed_.NotifyAll();
  while (errand_ != nullptr) changed_.Wait(mutex_);
}

const std::function<void()>* Caller::NextErrand() {
  const MutexLock lock(mutex_);
  while (errand_ == nullptr && !ended_) changed_.Wait(mutex_);
  return errand_;
}

}  // namespace edgemill::c

uint32_t edgemill_abi_version(void) { return EDGEMILL_ABI_VERSION; }

const char* edgemill_version(void) { return edgemill::Version().data(); }

int32_t edgemill_error_code(const edgemill_error* error) { return error->status.exit_code(); }

const char* edgemill_error_message(const edgemill_error* error) { return error->message.c_str(); }

void edgemill_error_free(edgemill_error* error) {
  if (error == &edgemill::c::NoMemoryError()) return;
  const std::unique_ptr<edgemill_error> owned(error);
}
