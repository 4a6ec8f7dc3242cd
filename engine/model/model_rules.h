// Rules that the model checks, and what it says of a function that breaks one: a line with the name
// of the function.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "common/strings.h"
#include "common/thread_annotations.h"
#include "common/type_name.h"
#include "engine/program/arrays/access_guard.h"
#include "engine/program/arrays/fields.h"
#include "engine/program/edge_program.h"

namespace edgemill::model {

/// The first rule that a program broke. Empty while no rule is broken.
inline std::string violation;

/// A function of the algorithm: "Widen" and "Relax", or the name of a function on vertices.
struct CalledFunction {
  std::string_view type;
  std::string_view member;
};
/// The one that the model calls now; empty while it calls none.
inline CalledFunction called;

/// Sets `violation` unless it is set already. Thread-safe.
inline void RecordViolation(std::string_view what) {
  static Mutex mutex;
  MutexLock lock(mutex);
  if (!violation.empty()) return;
  if (!called.type.empty()) violation = called.type;
  if (!called.member.empty()) violation += StrCat("::", called.member);
  violation += StrCat(violation.empty() ? "" : ": ", what);
}
/// The same for a fault at an array: an AccessGuard::Handler.
inline void RecordViolation(std::string_view array, std::string_view what) {
  RecordViolation(StrCat(array, ": ", what));
}

/// Whether P is of a namespace without a name. A file that is compiled twice into one program needs
/// that: views have other types the second time, and the linker keeps one of two functions of one
/// name.
template <typename P>
constexpr bool IsOfFile() {
  constexpr std::string_view kName = FullTypeName<P>();
  return kName.find("anonymous") != kName.npos || kName.find("unnamed") != kName.npos;
}

/// Names a function of P while it is called, and sets the vertices that it may touch.
template <typename P>
class CallScope {
 public:
  /// What follows the name is for AccessScope.
  template <typename... Touches>
  explicit CallScope(std::string_view member, Touches... touches)
      : access_(touches...), before_(called) {
    called = {TypeName<P>(), member};
  }
  ~CallScope() { called = before_; }
  CallScope(const CallScope&) = delete;
  CallScope& operator=(const CallScope&) = delete;

 private:
  const AccessScope access_;
  const CalledFunction before_;
};

/// The numbers that a message is made of. None for a type that shows no fields.
template <typename T>
void AppendNumbers(const T& value, std::vector<long double>* numbers) {
  if constexpr (std::is_enum_v<T>) {
    numbers->push_back(static_cast<long double>(static_cast<std::underlying_type_t<T>>(value)));
  } else if constexpr (std::is_arithmetic_v<T>) {
    numbers->push_back(static_cast<long double>(value));
  } else if constexpr (std::is_aggregate_v<T> && !std::is_array_v<T>) {
    if constexpr (NumFields<T>() <= kMaxFields && !HasArrayField<T>()) {
      T copy = value;
      VisitFields(copy, [&](auto& field) { AppendNumbers(field, numbers); });
    }
  }
}

/// Whether all numbers of two messages are equal, or differ by rounding where `rounded`. Numbers
/// that are none are equal.
template <typename T>
bool Same(const T& a, const T& b, bool rounded = false) {
  constexpr long double kRounding = 1e-5L;  // of a sum of some floats
  std::vector<long double> of_a, of_b;
  AppendNumbers(a, &of_a);
  AppendNumbers(b, &of_b);
  return std::equal(of_a.begin(), of_a.end(), of_b.begin(), of_b.end(),
                    [rounded](long double x, long double y) {
                      if (x == y || (std::isnan(x) && std::isnan(y))) return true;
                      const long double larger = std::max(std::abs(x), std::abs(y));
                      return rounded && std::abs(x - y) <= kRounding * std::max(1.0L, larger);
                    });
}

/// Checks that a monoid is one, by the messages of a pass: they are combined in other orders.
template <typename M>
class MonoidCheck {
 public:
  using Value = typename M::Value;

  /// Takes the next message of a sum.
  void Take(const Value& value) {
    if constexpr (!kIsFirstWins<M>) {
      const CalledFunction before = called;
      called = {TypeName<M>(), "Combine"};
      Check(value);
      called = before;
    }
    last_ = {value, last_[0]};
    ++count_;
  }

 private:
  void Check(const Value& value) {
    if (!Same(M::Combine(M::identity(), value), value) ||
        !Same(M::Combine(value, M::identity()), value)) {
      RecordViolation("identity() changes a value that is combined with it");
    }
    if (kIsIdempotent<M> && !Same(M::Combine(value, value), value)) {
      RecordViolation("a value combined with itself is another, and the monoid says idempotent");
    }
    if (count_ < 1) return;
    const Value pair = M::Combine(last_[0], value);
    if (!Same(pair, M::Combine(value, last_[0]))) {
      RecordViolation("the order of two values matters: it must be commutative");
    }
    if (count_ < 2) return;
    const Value left = M::Combine(M::Combine(last_[1], last_[0]), value);
    if (!Same(left, M::Combine(last_[1], pair), /*rounded=*/true)) {
      RecordViolation("what is combined first matters: it must be associative");
    }
  }

  std::array<Value, 2> last_ = {M::identity(), M::identity()};  // the latest first
  uint64_t count_ = 0;
};

}  // namespace edgemill::model
