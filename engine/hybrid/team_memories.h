// Copies of the elements that a program's views show, one in the memory of each team. All copies
// are equal before a shared pass, and again after it.
#pragma once

#include <algorithm>
#include <cstring>
#include <span>
#include <vector>

#include "common/check.h"
#include "common/threads/parallel.h"
#include "engine/program/arrays/on_device.h"
#include "engine/program/sharing.h"

namespace edgemill {

/// The memory of each team, the main team's first.
using TeamMemories = std::span<const MemoryId>;

/// Called before a shared pass. Copies to each memory the elements that `program` reads; its views
/// show the host's memory. An array that it combines into (Into) is then current only in the main
/// team's memory.
template <typename P>
Status Align(const P& program, TeamMemories memories) {
  CHECK(!memories.empty());  // the main team's is the first
  Status status;
  VisitFields(program, [&](const auto& field) {
    using Field = std::remove_cvref_t<decltype(field)>;
    if constexpr (ShowsArray<Field>) {
      if (!status.ok() || !field) return;
      ArrayCopy* const copy = internal::CopyBehind(field);
      if (copy == nullptr) {
        internal::AuthorMistake(
            StrCat(field.array()->name, ": an array without a place in the other memories"));
      }
      if constexpr (kIsIntoView<Field>) {
        status = copy->Prepare(ElementUse::kWrite, memories.front());
      } else {
        for (size_t i = memories.size(); i-- > 0 && status.ok();) {  // the main team's memory last
          status = copy->Prepare(ElementUse::kRead, memories[i]);
        }
      }
    }
  });
  return status;
}

/// The elements of one View<T>, one for each vertex, in all memories.
struct OwnElements {
  std::byte* host;
  ArrayCopy* copy;
  uint64_t count;
  uint32_t bytes;  // of one element

  /// The elements of the vertices [begin, end), as far as the array has them.
  std::span<std::byte> Range(uint64_t begin, uint64_t end) const {
    CHECK_LE(begin, end);
    const uint64_t first = std::min(begin, count), last = std::min(end, count);
    return {host + first * bytes, (last - first) * bytes};
  }
};

/// The elements of the views by which `program`, as the driver gave it, writes its own vertices.
/// Each array comes once.
template <typename P>
std::vector<OwnElements> OwnElementsOf(P program) {
  std::vector<OwnElements> all;
  VisitFields(program, [&](auto& field) {
    if constexpr (kIsOwnView<std::remove_cvref_t<decltype(field)>>) {
      if (!field) return;
      ArrayCopy* const copy = internal::CopyBehind(field);
      if (copy == nullptr) return;  // Align reports this
      const OwnElements elements{reinterpret_cast<std::byte*>(field.data()), copy,
                                 field.array()->size, sizeof(*field.data())};
      const auto is_same = [&](const OwnElements& other) {
        return other.host == elements.host && other.bytes == elements.bytes;
      };
      if (std::none_of(all.begin(), all.end(), is_same)) all.push_back(elements);
    }
  });
  return all;
}

namespace internal {

/// How many elements of arrays that programs combine into are moved at a time.
inline constexpr uint64_t kIntoChunk = 4096;

/// Calls `visit(field, copy)` for each array that `program` combines into, once.
template <typename P, typename Visit>
void ForEachInto(const P& program, Visit visit) {
  std::vector<const void*> visited;
  VisitFields(program, [&](const auto& field) {
    if constexpr (kIsIntoView<std::remove_cvref_t<decltype(field)>>) {
      if (!field || std::find(visited.begin(), visited.end(), field.data()) != visited.end())
        return;
      visited.push_back(field.data());
      visit(field, *CopyBehind(field));
    }
  });
}

}  // namespace internal

/// Called before the first shared pass of an operator. Sets the host teams' copies of arrays that
/// the program combines into to identities, so that these teams can add to them.
template <typename P>
Status BeginInto(const P& program, TeamMemories memories, int threads) {
  CHECK(!memories.empty() && memories.front() != kHostMemory);  // the main team's is current
  Status status;
  internal::ForEachInto(program, [&](const auto& field, ArrayCopy& copy) {
    using Monoid = typename std::remove_cvref_t<decltype(field)>::Monoid;
    using T = std::remove_pointer_t<decltype(field.data())>;
    const uint64_t size = field.array()->size;
    for (const MemoryId memory : memories.subspan(1)) {
      if (memory == kHostMemory) {
        ForEachChunk(size, kVertexChunk, threads, [&](size_t begin, size_t end) {
          std::fill(field.data() + begin, field.data() + end, Monoid::identity());
        });
        continue;
      }
      const std::vector<T> identities(std::min(internal::kIntoChunk, size), Monoid::identity());
      for (uint64_t i = 0; i < size && status.ok(); i += internal::kIntoChunk) {
        const auto some = std::span(identities).first(std::min(internal::kIntoChunk, size - i));
        status = copy.home(memory).CopyToDevice(copy.PlaceOf(field.data() + i, memory),
                                                std::as_bytes(some));
      }
    }
  });
  return status;
}

/// Called when the operator ends. Combines all copies of these arrays on the host.
template <typename P>
Status EndInto(const P& program, TeamMemories memories) {
  Status status;
  internal::ForEachInto(program, [&](const auto& field, ArrayCopy& copy) {
    using Monoid = typename std::remove_cvref_t<decltype(field)>::Monoid;
    using T = std::remove_pointer_t<decltype(field.data())>;
    const uint64_t size = field.array()->size;
    const bool host_has_some =
        std::find(memories.begin(), memories.end(), kHostMemory) != memories.end();
    std::vector<T> other(std::min(internal::kIntoChunk, size));
    for (uint64_t i = 0; i < size && status.ok(); i += internal::kIntoChunk) {
      const uint64_t count = std::min(internal::kIntoChunk, size - i);
      T* const here = field.data() + i;
      if (!host_has_some) std::fill_n(here, count, Monoid::identity());
      for (const MemoryId memory : memories) {
        if (memory == kHostMemory || !status.ok()) continue;
        status = copy.home(memory).CopyToHost(std::as_writable_bytes(std::span(other).first(count)),
                                              copy.PlaceOf(here, memory));
        for (uint64_t j = 0; j < count; ++j) here[j] = Monoid::Combine(other[j], here[j]);
      }
    }
    if (status.ok()) status = copy.Prepare(ElementUse::kReplace, kHostMemory);
  });
  return status;
}

}  // namespace edgemill
