// The state of one operator in the model: two copies of every array that a program names.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "common/status.h"
#include "engine/model/model_chance.h"
#include "engine/model/model_rules.h"
#include "engine/program/arrays/fields.h"
#include "engine/program/arrays/lane_view.h"
#include "engine/program/arrays/views.h"

namespace edgemill::model {

/// How a field of a program uses its array.
enum class Access : uint8_t { kNone, kOwn, kRead, kInto, kShared };

template <typename F>
inline constexpr Access kAccessOf = Access::kNone;
template <typename T>
inline constexpr Access kAccessOf<View<T>> = Access::kOwn;
template <typename T>
inline constexpr Access kAccessOf<View<const T>> = Access::kRead;
template <typename T>
inline constexpr Access kAccessOf<LaneView<T>> = std::is_const_v<T> ? Access::kRead : Access::kOwn;
template <typename T>
inline constexpr Access kAccessOf<Anywhere<T>> = Access::kRead;
template <typename M>
inline constexpr Access kAccessOf<Into<M>> = Access::kInto;
template <typename T>
inline constexpr Access kAccessOf<Shared<T>> = Access::kShared;

template <typename F>
inline constexpr bool kIsTally = false;
template <typename M>
inline constexpr bool kIsTally<TallyView<M>> = true;
template <typename F>
inline constexpr bool kIsNumber = std::is_arithmetic_v<F> || std::is_enum_v<F>;

/// The values that a vertex has in the array of a view.
template <typename F>
uint64_t RowOf(const F& view) {
  if constexpr (requires { view.words(); }) return view.words();
  return 1;
}

/// An array and its two copies, one for each processor.
struct ArrayCopies {
  std::byte* original;
  std::string name;
  uint64_t size;
  uint64_t element_bytes;
  std::array<std::vector<std::byte>, 2> copies;
};

struct FieldUse {
  Access access;
  ArrayCopies* array;
  void (*clear)(ArrayCopies&) = nullptr;  // for kInto: fills the second copy with the identity
  void (*merge)(ArrayCopies&) = nullptr;  // for kInto: combines the copies into both of them
};

template <typename M>
void ClearSecond(ArrayCopies& array) {
  auto* const second = reinterpret_cast<typename M::Value*>(array.copies[1].data());
  std::fill_n(second, array.size, M::identity());
}
template <typename M>
void MergeCopies(ArrayCopies& array) {
  auto* const first = reinterpret_cast<typename M::Value*>(array.copies[0].data());
  auto* const second = reinterpret_cast<typename M::Value*>(array.copies[1].data());
  for (uint64_t i = 0; i < array.size; ++i) first[i] = M::Combine(first[i], second[i]);
  array.copies[1] = array.copies[0];
}

/// A program, or a function of an operator such as VertexMap. Each of two processors has its own.
template <typename P>
class Operation {
 public:
  explicit Operation(const P& program) : at_{Bound(program, 0), Bound(program, 1)} {}
  Operation(const Operation&) = delete;
  Operation& operator=(const Operation&) = delete;

  P& at(int processor) { return at_[static_cast<size_t>(processor)]; }
  /// Whether the pass runs on two processors.
  bool two() const { return two_; }
  /// Whether a function may be called on a copy that is overwritten later. This is false for a
  /// program with a tally or an Into view, which would keep a trace of the call.
  bool may_try() const { return may_try_; }
  /// Whether all that a function writes is its own vertex's.
  bool writes_only_own() const {
    return may_try_ && std::none_of(uses_.begin(), uses_.end(), [](const FieldUse& use) {
             return use.access == Access::kShared;
           });
  }

  /// The bytes of `v` in one copy of the arrays that the program writes.
  std::string StateOf(int copy, VertexId v) const {
    std::string bytes;
    for (const FieldUse& use : uses_) {
      if (use.access != Access::kOwn || v >= use.array->size) continue;
      const auto& memory = use.array->copies[static_cast<size_t>(copy)];
      bytes.append(reinterpret_cast<const char*>(memory.data()) + v * use.array->element_bytes,
                   use.array->element_bytes);
    }
    return bytes;
  }

  Status BeginPass(bool two_processors) {
    called = {TypeName<P>(), {}};  // what no call breaks, the type does
    uses_.clear();
    may_try_ = true;
    VisitFields(at_[0], [&](auto& field) { AddUse(field); });
    two_ = two_processors && std::none_of(uses_.begin(), uses_.end(), [](const FieldUse& use) {
             return use.access == Access::kShared;
           });
    for (const FieldUse& use : uses_) {
      if (use.access == Access::kInto && two_) use.clear(*use.array);
    }
    before_ = {FieldsOf(at_[0]), FieldsOf(at_[1])};
    const Status status = CheckUses();
    called = {};
    return status;
  }
  /// Makes both copies equal. The values of `touched` vertices come from their owners' copies, and
  /// sums combine both copies.
  Status EndPass(const Bits& touched, const Bits& owners) {
    for (const FieldUse& use : uses_) {
      ArrayCopies& array = *use.array;
      if (use.access == Access::kInto && two_) use.merge(array);
      if (use.access == Access::kShared || (use.access == Access::kInto && !two_)) {
        array.copies[1] = array.copies[0];
      }
      if (use.access == Access::kOwn) SendOwned(array, touched, owners);
    }
    called = {TypeName<P>(), {}};
    if (before_ != std::array{FieldsOf(at_[0]), FieldsOf(at_[1])}) {
      RecordViolation("a function changes a field of its own: the engine copies programs");
    }
    for (const auto& array : arrays_) {
      if (array->copies[0] != array->copies[1]) RecordViolation(array->name, "the copies differ");
    }
    called = {};
    return violation.empty() ? OkStatus() : InternalError(violation);
  }
  /// Copies arrays and tallies back to the driver's state.
  void End() {
    for (const auto& array : arrays_) {
      std::memcpy(array->original, array->copies[0].data(), array->copies[0].size());
    }
    for (P& program : at_) {
      VisitFields(program, [](auto& field) {
        if constexpr (kIsTally<std::remove_reference_t<decltype(field)>>) {
          field.total()->Merge(field.sum());
          field.sum().Reset();
        }
      });
    }
  }

 private:
  P Bound(P program, size_t copy) {
    VisitFields(program, [&](auto& field) {
      using F = std::remove_reference_t<decltype(field)>;
      if constexpr (kAccessOf<F> != Access::kNone) {
        if (field.data() == nullptr) return;
        using T = std::remove_pointer_t<decltype(field.data())>;
        std::byte* const bytes = CopiesOf(field).copies[copy].data();
        field.MoveTo(reinterpret_cast<T*>(bytes));
      } else {
        static_assert(kIsTally<F> || kIsNumber<F> || std::is_same_v<F, DegreeView>,
                      "a field is a view or a number");
      }
    });
    return program;
  }
  template <typename F>
  ArrayCopies& CopiesOf(const F& view) {
    auto* const original =
        reinterpret_cast<std::byte*>(const_cast<void*>(static_cast<const void*>(view.data())));
    for (const auto& array : arrays_) {
      if (array->original == original) return *array;
    }
    const ArrayInfo& info = *view.array();
    // A view may divide an array into elements that are smaller than the array's own.
    const uint64_t row = RowOf(view), bytes = sizeof(*view.data());
    arrays_.push_back(std::make_unique<ArrayCopies>(
        ArrayCopies{original, info.name, info.size / row, bytes * row, {}}));
    for (auto& copy : arrays_.back()->copies) copy.assign(original, original + info.size * bytes);
    return *arrays_.back();
  }
  template <typename F>
  void AddUse(const F& field) {
    if constexpr (kIsTally<F>) may_try_ = false;
    if constexpr (kAccessOf<F> != Access::kNone) {
      for (const auto& array : arrays_) {
        if (static_cast<const void*>(field.data()) != array->copies[0].data()) continue;
        FieldUse use{kAccessOf<F>, array.get()};
        if constexpr (kAccessOf<F> == Access::kInto) {
          use.clear = ClearSecond<typename F::Monoid>;
          use.merge = MergeCopies<typename F::Monoid>;
          may_try_ = false;
        }
        uses_.push_back(use);
      }
    }
  }
  /// Checks that a program has only one view of an array that it writes.
  Status CheckUses() const {
    for (size_t i = 0; i < uses_.size(); ++i) {
      for (size_t j = 0; j < i; ++j) {
        if (uses_[i].array != uses_[j].array) continue;
        if (uses_[i].access == Access::kRead && uses_[j].access == Access::kRead) continue;
        RecordViolation(uses_[i].array->name, "two views of an array that one writes");
        return InternalError(violation);
      }
    }
    return OkStatus();
  }
  static void SendOwned(ArrayCopies& array, const Bits& touched, const Bits& owners) {
    const uint64_t bytes = array.element_bytes;
    for (uint64_t v = 0; v < std::min<uint64_t>(touched.size(), array.size); ++v) {
      if (touched[v] == 0) continue;
      const auto& from = array.copies[owners[v]];
      auto& to = array.copies[1 - owners[v]];
      std::memcpy(to.data() + v * bytes, from.data() + v * bytes, bytes);
    }
  }
  /// The bytes of the numbers and pointers in a program's fields.
  static std::string FieldsOf(P& program) {
    std::string bytes;
    VisitFields(program, [&](auto& field) {
      using F = std::remove_reference_t<decltype(field)>;
      if constexpr (kIsNumber<F>) {
        bytes.append(reinterpret_cast<const char*>(&field), sizeof(F));
      } else if constexpr (kAccessOf<F> != Access::kNone) {
        const void* const data = field.data();
        bytes.append(reinterpret_cast<const char*>(&data), sizeof(data));
      }
    });
    return bytes;
  }

  std::vector<std::unique_ptr<ArrayCopies>> arrays_;  // declared before at_, which points there
  std::array<P, 2> at_;
  std::vector<FieldUse> uses_;
  std::array<std::string, 2> before_;
  bool two_ = false;
  bool may_try_ = true;
};

}  // namespace edgemill::model
