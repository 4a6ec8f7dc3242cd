// Operating errors: what went wrong, and the exit code that the program documents for it.
//
// A message says operation, path, offset, length, cause, then what the user can do. Programmer
// errors are CHECKs (common/check.h), never a Status. Abseil's types are not used: Debian's build
// of Abseil has a string_view of its own, and nvcc compiles the types here.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "common/check.h"
#include "common/strings.h"

namespace edgemill {

/// The kinds of operating error; each value is the program's exit code for it (sysexits, but for
/// kRegression, which is diff's "they differ", and kUnfinished, a free number between them).
enum class Code : int {
  kOk = 0,
  kRegression = 1,   // a comparison found something that became worse
  kUsage = 64,       // the command line, or an option's value, is wrong
  kBadData = 65,     // the input's contents are wrong, or a checksum does not match
  kMissing = 66,     // an input file, a graph or a data directory is missing
  kGpu = 69,         // no usable GPU, or a CUDA error
  kInternal = 70,    // a defect of Edgemill's own
  kBudget = 71,      // a memory budget or an allocation is too small
  kOutput = 73,      // the output exists or cannot be created
  kIo = 74,          // a device failed, or a disk filled up midway
  kLocked = 75,      // another process holds the lock
  kUnfinished = 76,  // the graph's ingest was interrupted, and can go on with --resume
  kPermission = 77,  // permission denied
  kCancelled = 130,  // stopped by Ctrl-C; the program makes it 143 after SIGTERM
};

/// Where an error was met: the place that the message gives in words, as fields for programs.
/// Unknown fields are empty.
struct FaultPlace {
  std::string file;
  std::optional<uint64_t> line;    // of a text, from 1
  std::optional<uint64_t> column;  // byte of the line, from 1
  std::optional<uint64_t> offset;  // byte of the file, or of a compressed file's contents
  std::string block_of;            // whose block is bad: "out-neighbors"
  std::optional<uint64_t> block;   // of these
  bool operator==(const FaultPlace&) const = default;

  /// Calls `visit` with the name and a reference of each field.
  template <typename Place, typename F>
  static void VisitFields(Place& place, F visit) {
    visit("file", place.file);
    visit("line", place.line);
    visit("column", place.column);
    visit("offset", place.offset);
    visit("block_of", place.block_of);
    visit("block", place.block);
  }
};

/// Ok, or a code and a message. Cheap to move and to test; copyable.
class [[nodiscard]] Status {
 public:
  Status() = default;
  Status(Code code, std::string_view message, int errno_value = 0)
      : error_(std::make_shared<const Error>(Error{code, errno_value, std::string(message), {}})) {}

  bool ok() const { return error_ == nullptr; }
  Code code() const { return ok() ? Code::kOk : error_->code; }
  /// Empty when ok.
  std::string_view message() const {
    return ok() ? std::string_view() : std::string_view(error_->message);
  }
  /// The errno of the system call that failed; 0 where it was none.
  int errno_value() const { return ok() ? 0 : error_->errno_value; }
  /// Whether a disk, or the user's share of it, is full.
  bool disk_full() const;
  /// Whether this process or the system had no more descriptors, memory or threads. The file itself
  /// may be good.
  bool out_of_resources() const;
  /// Where the error was met. Empty fields when ok, and where the place was not recorded.
  const FaultPlace& place() const;
  /// The same error with another message, or with empty fields of its place filled from `place`.
  /// Not for ok.
  Status WithMessage(std::string_view message) const;
  Status At(const FaultPlace& place) const;
  /// The program's exit code: 0 when ok.
  int exit_code() const { return static_cast<int>(code()); }

 private:
  struct Error {
    Code code;
    int errno_value;
    std::string message;
    FaultPlace place;
  };
  std::shared_ptr<const Error> error_;  // shared: a failed queue hands one error to all its users
};

inline Status OkStatus() { return Status(); }

/// A T, or the Status (not ok) that says why there is no T.
template <typename T>
class [[nodiscard]] StatusOr {
 public:
  StatusOr(Status status) : status_(std::move(status)) { CHECK(!status_.ok()); }
  template <typename U = T>
  requires(std::is_constructible_v<T, U&&> && !std::is_same_v<std::remove_cvref_t<U>, Status> &&
           !std::is_same_v<std::remove_cvref_t<U>, StatusOr>) StatusOr(U&& value)
      : value_(std::forward<U>(value)) {}

  bool ok() const { return status_.ok(); }
  const Status& status() const& { return status_; }
  Status status() && { return std::move(status_); }
  T& value() & { return Checked(); }
  const T& value() const& { return const_cast<StatusOr*>(this)->Checked(); }
  T&& value() && { return std::move(Checked()); }
  T& operator*() & { return Checked(); }
  const T& operator*() const& { return const_cast<StatusOr*>(this)->Checked(); }
  T&& operator*() && { return std::move(Checked()); }
  T* operator->() { return &Checked(); }
  const T* operator->() const { return &const_cast<StatusOr*>(this)->Checked(); }

 private:
  T& Checked() {
    if (!ok()) [[unlikely]]
      internal::CheckFailed(__FILE__, __LINE__, "StatusOr has a value", status_.message());
    return *value_;
  }
  Status status_;
  std::optional<T> value_;
};

inline Status UsageError(std::string_view message) { return Status(Code::kUsage, message); }
inline Status BadDataError(std::string_view message) { return Status(Code::kBadData, message); }
inline Status MissingError(std::string_view message) { return Status(Code::kMissing, message); }
inline Status GpuError(std::string_view message) { return Status(Code::kGpu, message); }
inline Status InternalError(std::string_view message) { return Status(Code::kInternal, message); }
inline Status BudgetError(std::string_view message) { return Status(Code::kBudget, message); }
inline Status OutputError(std::string_view message) { return Status(Code::kOutput, message); }
inline Status IoError(std::string_view message) { return Status(Code::kIo, message); }
inline Status LockedError(std::string_view message) { return Status(Code::kLocked, message); }
inline Status UnfinishedError(std::string_view message) {
  return Status(Code::kUnfinished, message);
}
inline Status PermissionError(std::string_view message) {
  return Status(Code::kPermission, message);
}
inline Status CancelledError(std::string_view message) { return Status(Code::kCancelled, message); }

/// BadDataError "FILE: byte OFFSET: WHAT", with its place.
Status ByteError(const std::string& file, uint64_t offset, std::string_view what);

/// The error for `errno_value` met during `operation` ("read") on `path`: EACCES, EPERM and EROFS
/// are kPermission, ENOENT kMissing, EEXIST kOutput, ENOMEM kBudget; the rest, ENOSPC and EIO too,
/// kIo. Its place is `path`.
Status ErrnoError(int errno_value, std::string_view operation, std::string_view path);

/// `status` with `prefix` and ": " put before its message; same code. Ok stays ok.
Status Annotate(const Status& status, std::string_view prefix);

}  // namespace edgemill

#define EM_CONCAT_INNER(a, b) a##b
#define EM_CONCAT(a, b) EM_CONCAT_INNER(a, b)

/// Returns from the enclosing function when `expression` (a Status) is not ok.
#define RETURN_IF_ERROR(expression)                                                     \
  do {                                                                                  \
    if (::edgemill::Status em_status = (expression); !em_status.ok()) return em_status; \
  } while (false)

/// Declares or assigns `target` from a StatusOr, or returns its error.
#define ASSIGN_OR_RETURN(target, expression) \
  ASSIGN_OR_RETURN_INNER(EM_CONCAT(em_or_, __LINE__), target, expression)
#define ASSIGN_OR_RETURN_INNER(holder, target, expression) \
  auto holder = (expression);                              \
  if (!holder.ok()) return std::move(holder).status();     \
  target = std::move(holder).value()
