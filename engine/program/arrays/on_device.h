// Programs and functions whose views lead to another memory, as a GPU's: what happens before an
// operator there, and before one on the CPU.
#pragma once

#include <span>
#include <type_traits>

#include "common/strings.h"
#include "engine/program/arrays/array_copy.h"
#include "engine/program/arrays/value_fields.h"

namespace edgemill {

/// An index of the graph on the host, and its copy in another memory.
struct IndexCopy {
  VertexIndexView host;
  VertexIndexView device;
};

/// One of the memories beside the host's: which it is to arrays, and the indexes for degree views
/// there.
struct OtherMemory {
  MemoryId id = kFirstOtherMemory;
  std::span<const IndexCopy> indexes;
};

namespace internal {

/// Whether the operator may write the array behind a field, a view. Next may exchange what a
/// program's views show (Swap), so that an array to read becomes one to write.
template <typename P, typename Field>
inline constexpr bool kMayWrite = [] {
  constexpr bool kReads =
      std::is_const_v<std::remove_pointer_t<decltype(std::declval<const Field&>().data())>>;
  constexpr bool kSwaps = kIsReadView<Field> && requires(P & program) { program.Next(); };
  return !kReads || kSwaps;
}();

/// Where the memory of a view is known; null where its array has none but the host's.
template <typename Field>
ArrayCopy* CopyBehind(const Field& view) {
  if (view.data() == nullptr || view.array()->copy == nullptr) return nullptr;
  ArrayCopy* const copy = view.array()->copy->Find(view.data());
  if (copy == nullptr) {
    AuthorMistake(StrCat(view.array()->name, ": a view of memory that no array of its State has"));
  }
  return copy;
}

/// Sets a view to show `memory`, where the elements must be already.
template <typename Field>
void ShowIn(const OtherMemory& memory, Field* field) {
  if constexpr (std::is_same_v<Field, DegreeView>) {
    for (const IndexCopy& index : memory.indexes) {
      if (index.host.low != field->index().low) continue;
      *field = Field(index.device);
      return;
    }
    AuthorMistake("degrees of an index that is not on the GPU");
  } else if constexpr (ShowsArray<Field>) {
    if (!*field) return;
    ArrayCopy* const copy = CopyBehind(*field);
    if (copy == nullptr) {
      AuthorMistake(StrCat(field->array()->name, ": an array without a place on the GPU"));
    }
    using T = std::remove_pointer_t<decltype(field->data())>;
    *field = Field(reinterpret_cast<T*>(copy->PlaceOf(field->data(), memory.id)), field->array());
  }
}

/// Copies to `memory` what the operator reads by a view. `writes`: also what it may write.
template <typename P, typename Field>
Status MoveTo(MemoryId memory, bool writes, const Field& field) {
  if constexpr (ShowsArray<Field>) {
    ArrayCopy* const copy = CopyBehind(field);
    if (copy == nullptr) return OkStatus();
    RETURN_IF_ERROR(copy->status());
    writes &= kMayWrite<P, Field>;
    return copy->Prepare(writes ? ElementUse::kWrite : ElementUse::kRead, memory);
  }
  return OkStatus();
}

}  // namespace internal

/// `program`, or a function, with views that show `memory`, which must have what they read.
/// Tallies stay as they are.
template <typename P>
P ShownIn(P program, const OtherMemory& memory) {
  VisitFields(program, [&](auto& field) { internal::ShowIn(memory, &field); });
  return program;
}

/// Before an operator in `memory`: `program`, or a function, with views that show it. Elements that
/// they read are copied there where they lack. Elements that they may write are current only there
/// from now on. Not `writes`: only priorities are read, and other copies stay current. Returns the
/// first error that an accessor of these arrays kept; the errors of copying.
template <typename P>
StatusOr<P> OnDevice(const P& program, const OtherMemory& memory, bool writes = true) {
  Status first;
  VisitFields(program, [&](const auto& field) {
    if (!first.ok()) return;
    const Status status = internal::MoveTo<P>(memory.id, writes, field);
    first = status;
  });
  if (!first.ok()) return first;
  return ShownIn(program, memory);
}

/// Before an operator on the CPU: what the views of `program` show is on the host, and current
/// there alone where they may write it. Costs nothing where no array has a second memory. The
/// errors of OnDevice.
template <typename P>
Status OnHost(const P& program) {
  Status first;
  VisitFields(program, [&](const auto& field) {
    if (!first.ok()) return;
    const Status status = internal::MoveTo<P>(kHostMemory, /*writes=*/true, field);
    first = status;
  });
  return first;
}

}  // namespace edgemill
