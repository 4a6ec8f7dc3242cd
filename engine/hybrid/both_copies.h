// The two copies of what a program's views show: made alike before a pass that two teams share, and
// after it.
#pragma once

#include <algorithm>
#include <cstring>
#include <span>
#include <vector>

#include "common/parallel.h"
#include "engine/program/arrays/on_device.h"
#include "engine/program/sharing.h"

namespace edgemill {

/// Before a shared pass: `program` with views that lead to the second memory, once both copies have
/// what it reads. An array that is combined into (Into) is current in the second memory alone.
template <typename P>
StatusOr<P> OnBoth(P program, std::span<const IndexCopy> indexes) {
  Status status;
  VisitFields(program, [&](auto& field) {
    using Field = std::remove_cvref_t<decltype(field)>;
    if (!status.ok()) return;
    if constexpr (std::is_same_v<Field, DegreeView>) {
      status = internal::MoveToDevice<P>(indexes, false, &field);
    } else if constexpr (ShowsArray<Field>) {
      if (!field) return;
      ArrayCopy* const copy = internal::CopyBehind(field);
      if (copy == nullptr) {
        internal::AuthorMistake(
            StrCat(field.array()->name, ": an array without a place in the second memory"));
      }
      if constexpr (kIsIntoView<Field>) {
        status = copy->Prepare(ElementUse::kWriteOnDevice);
      } else {
        status = copy->Prepare(ElementUse::kReadOnHost);
        if (status.ok()) status = copy->Prepare(ElementUse::kReadOnDevice);
      }
      using T = std::remove_pointer_t<decltype(field.data())>;
      field = Field(reinterpret_cast<T*>(copy->PlaceOf(field.data())), field.array());
    }
  });
  if (!status.ok()) return status;
  return program;
}

/// Elements of one View<T>, by vertex, in both memories.
struct OwnElements {
  std::byte* host;
  std::byte* place;
  uint64_t count;
  uint32_t bytes;  // of one
  ArrayHome* home;

  /// Those of the vertices [begin, end), or [first, last) where the array has fewer.
  std::span<std::byte> Range(uint64_t begin, uint64_t end) const {
    const uint64_t first = std::min(begin, count), last = std::min(end, count);
    return {host + first * bytes, (last - first) * bytes};
  }
  std::byte* PlaceOf(std::span<const std::byte> range) const {
    return place + (range.data() - host);
  }
};

/// The views by which `program`, as the driver gave it, writes own vertices: each memory once.
template <typename P>
std::vector<OwnElements> OwnElementsOf(P program) {
  std::vector<OwnElements> all;
  VisitFields(program, [&](auto& field) {
    if constexpr (kIsOwnView<std::remove_cvref_t<decltype(field)>>) {
      if (!field) return;
      ArrayCopy* const copy = internal::CopyBehind(field);
      if (copy == nullptr) return;  // OnBoth says so
      auto* const host = reinterpret_cast<std::byte*>(field.data());
      const OwnElements elements{host, copy->PlaceOf(host), field.array()->size,
                                 sizeof(*field.data()), &copy->home()};
      const auto is_same = [&](const OwnElements& other) {
        return other.host == host && other.bytes == elements.bytes;
      };
      if (std::none_of(all.begin(), all.end(), is_same)) all.push_back(elements);
    }
  });
  return all;
}

/// Before the first shared pass of an operator: the host's copies of arrays that are combined into
/// hold identities, to which the helper adds.
template <typename P>
void BeginInto(P program, int threads) {
  VisitFields(program, [&](auto& field) {
    using Field = std::remove_cvref_t<decltype(field)>;
    if constexpr (kIsIntoView<Field>) {
      if (!field) return;
      ForEachChunk(field.array()->size, kVertexChunk, threads, [&](size_t begin, size_t end) {
        std::fill(field.data() + begin, field.data() + end, Field::Monoid::identity());
      });
    }
  });
}

/// When the operator ends: combines both copies, on the host.
template <typename P>
Status EndInto(P program) {
  constexpr uint64_t kAtOnce = 4096;
  Status status;
  std::vector<const void*> merged;
  VisitFields(program, [&](auto& field) {
    using Field = std::remove_cvref_t<decltype(field)>;
    if constexpr (kIsIntoView<Field>) {
      using T = std::remove_pointer_t<decltype(field.data())>;
      if (!field || std::find(merged.begin(), merged.end(), field.data()) != merged.end()) return;
      merged.push_back(field.data());
      ArrayCopy* const copy = internal::CopyBehind(field);
      std::vector<T> other(std::min(kAtOnce, field.array()->size));
      for (uint64_t i = 0; i < field.array()->size && status.ok(); i += kAtOnce) {
        const uint64_t count = std::min(kAtOnce, field.array()->size - i);
        T* const here = field.data() + i;
        status = copy->home().CopyToHost(std::as_writable_bytes(std::span(other).first(count)),
                                         copy->PlaceOf(here));
        for (uint64_t j = 0; j < count; ++j) here[j] = Field::Monoid::Combine(other[j], here[j]);
      }
      if (status.ok()) status = copy->Prepare(ElementUse::kReplaceOnHost);
    }
  });
  return status;
}

}  // namespace edgemill
