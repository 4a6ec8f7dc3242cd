// Programs and functions whose views lead to a card's memory: what happens before an operator
// there, and before one on the CPU.
#pragma once

#include <span>
#include <type_traits>

#include "common/strings.h"
#include "engine/program/arrays/array_copy.h"
#include "engine/program/arrays/value_fields.h"

namespace edgemill {

/// An index of the graph on the host, and its copy on the card.
struct IndexCopy {
  VertexIndexView host;
  VertexIndexView device;
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

/// Has a view lead to the card, once that has what the operator reads. `writes`: also what it may
/// write.
template <typename P, typename Field>
Status MoveToDevice(std::span<const IndexCopy> indexes, bool writes, Field* field) {
  if constexpr (std::is_same_v<Field, DegreeView>) {
    for (const IndexCopy& index : indexes) {
      if (index.host.low != field->index().low) continue;
      *field = Field(index.device);
      return OkStatus();
    }
    AuthorMistake("degrees of an index that is not on the card");
  } else if constexpr (ShowsArray<Field>) {
    if (!*field) return OkStatus();
    ArrayCopy* const copy = CopyBehind(*field);
    if (copy == nullptr) {
      AuthorMistake(StrCat(field->array()->name, ": an array without a place on the card"));
    }
    RETURN_IF_ERROR(copy->home().status());
    writes &= kMayWrite<P, Field>;
    RETURN_IF_ERROR(copy->Prepare(writes ? ElementUse::kWriteOnDevice : ElementUse::kReadOnDevice));
    using T = std::remove_pointer_t<decltype(field->data())>;
    *field = Field(reinterpret_cast<T*>(copy->PlaceOf(field->data())), field->array());
  }
  return OkStatus();
}

/// Has the host have what the operator reads there.
template <typename P, typename Field>
Status MoveToHost(const Field& field) {
  if constexpr (ShowsArray<Field>) {
    ArrayCopy* const copy = CopyBehind(field);
    if (copy == nullptr) return OkStatus();
    RETURN_IF_ERROR(copy->home().status());
    constexpr bool kWrites = kMayWrite<P, Field>;
    return copy->Prepare(kWrites ? ElementUse::kWriteOnHost : ElementUse::kReadOnHost);
  }
  return OkStatus();
}

}  // namespace internal

/// Before an operator on a card: `program`, or a function, with views that lead there. What they
/// read is copied there where the card lacks it; what they may write is current on the card alone
/// from now on. Degrees come of the index on the card that `indexes` name; tallies stay as they
/// are. Not `writes`: it is asked for priorities alone, and the host's copy stays current. The
/// first error that an accessor of these arrays kept; the errors of copying.
template <typename P>
StatusOr<P> OnDevice(P program, std::span<const IndexCopy> indexes, bool writes = true) {
  Status first;
  VisitFields(program, [&](auto& field) {
    if (!first.ok()) return;
    const Status status = internal::MoveToDevice<P>(indexes, writes, &field);
    first = status;
  });
  if (!first.ok()) return first;
  return program;
}

/// Before an operator on the CPU: what the views of `program` show is on the host, and current
/// there alone where they may write it. Costs nothing where no array has a second memory. The
/// errors of OnDevice.
template <typename P>
Status OnHost(const P& program) {
  Status first;
  VisitFields(program, [&](const auto& field) {
    if (!first.ok()) return;
    const Status status = internal::MoveToHost<P>(field);
    first = status;
  });
  return first;
}

}  // namespace edgemill
