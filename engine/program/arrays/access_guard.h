// Checks, in debug builds, that the functions of a program touch the state that they may touch.
//
// A function writes only its own vertex. It reads its own vertex or, through View<const T>, both
// ends of its edge, or the corners of its triangle (see views.h). The engine sets these vertices
// before each call, and a view reports each index that is read or written. Release builds do
// neither.
#pragma once

#include <algorithm>
#include <array>
#include <string>
#include <string_view>

#include "common/check.h"
#include "common/types.h"

// Whether views check. Types with and without checks have different names for the linker. So one
// test program can hold checked code and a library without checks.
#if !defined(EDGEMILL_CHECK_VIEWS)
#if defined(NDEBUG) || defined(__CUDA_ARCH__)
#define EDGEMILL_CHECK_VIEWS 0
#else
#define EDGEMILL_CHECK_VIEWS 1
#endif
#endif
#if EDGEMILL_CHECK_VIEWS
#define EM_VIEWS_NAMESPACE checked_views
#else
#define EM_VIEWS_NAMESPACE plain_views
#endif

namespace edgemill {
inline namespace EM_VIEWS_NAMESPACE {

/// The vertices that the function which this thread calls may touch.
class AccessGuard {
 public:
  /// Called when a rule is broken, with the name of the array and the fault. Ends the process
  /// unless replaced.
  using Handler = void (*)(std::string_view array, std::string_view what);

  static AccessGuard& OfThread() {
    static thread_local AccessGuard guard;
    return guard;
  }
  static Handler& handler() {
    static Handler current = [](std::string_view array, std::string_view what) {
      internal::AuthorMistake(std::string(array) + ": " + std::string(what));
    };
    return current;
  }

  /// Checks an access by a View<T> (`is_view`) or by a View<const T>.
  void Touch(const char* array, uint64_t index, uint64_t size, bool is_view) const {
    if (index >= size) {
      handler()(array, "an index beyond the array");
    } else if (pure_ && is_view) {
      handler()(array, "Emit reads by a View what Apply may write: take a View<const T>");
    } else if (on_ && index != own_ && (is_view || !IsEnd(index))) {
      handler()(array, is_view ? "not the function's own vertex: read others by Anywhere<T>, write "
                                 "them by Into<M> or Shared<T>"
                               : "not a vertex of this call: read others by Anywhere<T>");
    }
  }
  /// Checks an access by Anywhere, Into or Shared, which may touch any index of the array.
  void TouchAnywhere(const char* array, uint64_t index, uint64_t size) const {
    if (index >= size) handler()(array, "an index beyond the array");
  }

 private:
  friend class AccessScope;

  bool IsEnd(uint64_t index) const {
    return std::find(ends_.begin(), ends_.end(), index) != ends_.end();
  }

  bool on_ = false;
  bool pure_ = false;
  VertexId own_ = kInvalidVertex;
  std::array<VertexId, 3> ends_{kInvalidVertex, kInvalidVertex, kInvalidVertex};
};

/// Sets the vertices that a function may touch, for as long as this lives.
class AccessScope {
 public:
  /// `pure`: the function is an Emit that runs while other threads call Apply. It may only read
  /// const views.
  explicit AccessScope(VertexId own, bool pure = false) : AccessScope(own, own, own) {
    AccessGuard::OfThread().pure_ = pure;
  }
  /// A function on an edge or a triangle: it may read const views of the ends or corners.
  AccessScope(VertexId own, VertexId from, VertexId to, VertexId third = kInvalidVertex)
      : before_(AccessGuard::OfThread()) {
    AccessGuard& guard = AccessGuard::OfThread();
    guard.on_ = true;
    guard.pure_ = false;
    guard.own_ = own;
    guard.ends_ = {from, to, third};
  }
  ~AccessScope() { AccessGuard::OfThread() = before_; }
  AccessScope(const AccessScope&) = delete;
  AccessScope& operator=(const AccessScope&) = delete;

 private:
  const AccessGuard before_;
};

}  // namespace EM_VIEWS_NAMESPACE
}  // namespace edgemill
