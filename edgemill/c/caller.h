// The caller of an operation of the C interface: its arguments, its functions and its thread.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "common/status.h"
#include "common/thread_annotations.h"
#include "edgemill/c_api.h"
#include "edgemill/edgemill.h"

struct edgemill_error {
  edgemill::Status status;
  std::string message;
};

namespace edgemill::c {

/// Runs `operation`. Exceptions of the standard library become errors. So does a process that was
/// forked from one that used the library, since it lacks the threads of RocksDB.
Status Guard(const std::function<Status()>& operation) noexcept;

/// Runs `operation` as Guard does. Returns its error for a C caller, or null.
edgemill_error* Guarded(const std::function<Status()>& operation) noexcept;

/// The texts for a C caller. They must outlive the pointers.
std::vector<const char*> Pointers(const std::vector<std::string>& texts);

/// Whether this process was forked from one that used the library. Then it frees nothing.
bool IsForked();

/// Runs an operation on a thread of its own. The caller's functions run on the caller's thread,
/// since many languages know only their own threads.
class Caller {
 public:
  /// `call` may be null; else it must outlive this.
  explicit Caller(const edgemill_call* call) : call_(call == nullptr ? kNothing : *call) {}

  std::vector<std::string> arguments() const;
  /// What the operation may use; 0 means the default. It calls the caller's functions.
  Resources ResourcesOf(uint64_t memory_bytes, uint64_t threads);
  /// Runs `operation`, and meanwhile what it asks for by Ask.
  Status Serve(const std::function<Status()>& operation);
  /// Runs `errand` on the thread in Serve, and waits for it. For all threads of the operation.
  void Ask(const std::function<void()>& errand);

 private:
  static constexpr edgemill_call kNothing = {};

  /// The next errand; null when the operation has ended. Waits for either.
  const std::function<void()>* NextErrand();

  const edgemill_call& call_;
  Mutex turn_;  // of the threads that ask
  Mutex mutex_;
  CondVar changed_;
  const std::function<void()>* errand_ GUARDED_BY(mutex_) = nullptr;
  bool ended_ GUARDED_BY(mutex_) = false;
};

}  // namespace edgemill::c
