// Programs and functions whose views show another memory, such as a GPU's: the copies that are made
// before an operator there, or before an operator on the CPU.
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

/// One of the memories beside the host's: its number, and the indexes that degree views read there.
struct OtherMemory {
  MemoryId id = kFirstOtherMemory;
  std::span<const IndexCopy> indexes;
};

namespace internal {

/// Whether the operator may write the array that a field, a view, shows. Next may exchange what a
/// program's views show (Swap), so that an array that was only read may be written later.
template <typename P, typename Field>
inline constexpr bool kMayWrite = [] {
  constexpr bool kReads =
      std::is_const_v<std::remove_pointer_t<decltype(std::declval<const Field&>().data())>>;
  constexpr bool kSwaps = kIsReadView<Field> && requires(P & program) { program.Next(); };
  return !kReads || kSwaps;
}();

/// The ArrayCopy that has the memory of a view; null where the array has only the host's memory.
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
    if (field->index().low == nullptr) return;  // an empty view
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
    field->MoveTo(reinterpret_cast<T*>(copy->PlaceOf(field->data(), memory.id)));
  }
}

/// Copies to `memory` the elements that the operator reads through a view. `writes`: the operator
/// may also write through views.
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

/// A copy of `program`, or of a function, with views that show `memory`. The elements that they
/// read must be there. Tallies stay as they are.
template <typename P>
P ShownIn(P program, const OtherMemory& memory) {
  VisitFields(program, [&](auto& field) { internal::ShowIn(memory, &field); });
  return program;
}

/// A copy of `program`, or of a function, with views that show `memory`. Called before an operator
/// there. Copies elements that the views read, unless `memory` has them. Elements that the operator
/// may write are current only there afterwards. If not `writes`, the operator only reads, and other
/// copies stay current. Returns errors of copying, and the first error that an accessor of these
/// arrays kept.
template <typename P>
StatusOr<P> OnDevice(const P& program, const OtherMemory& memory, bool writes = true) {
  if constexpr (requires { program.CheckRows(); }) program.CheckRows();
  Status first;
  VisitFields(program, [&](const auto& field) {
    if (!first.ok()) return;
    const Status status = internal::MoveTo<P>(memory.id, writes, field);
    first = status;
  });
  if (!first.ok()) return first;
  return ShownIn(program, memory);
}

/// Called before an operator on the CPU. Copies elements that the views of `program` show to the
/// host. Elements that the operator may write are current only there afterwards. Costs nothing
/// where no array has a second memory. Returns the errors of OnDevice.
template <typename P>
Status OnHost(const P& program) {
  if constexpr (requires { program.CheckRows(); }) program.CheckRows();
  Status first;
  VisitFields(program, [&](const auto& field) {
    if (!first.ok()) return;
    const Status status = internal::MoveTo<P>(kHostMemory, /*writes=*/true, field);
    first = status;
  });
  return first;
}

}  // namespace edgemill
