#include "engine/hybrid/returned_values.h"

#include <algorithm>
#include <cstring>

#include "engine/program/frontier.h"

namespace edgemill {

Status ReturnedValues::Return(ReturnTo to, std::span<const OwnElements> views,
                              std::span<const uint64_t> touched, uint64_t begin, uint64_t end) {
  if (begin >= end || views.empty()) return OkStatus();
  uint64_t count = end - begin, vertex_bytes = 0;
  for (const OwnElements& view : views) vertex_bytes += view.bytes;
  if (!touched.empty()) {
    count = 0;
    for (uint64_t word = begin / 64; word * 64 < end; ++word) {
      count += static_cast<uint64_t>(std::popcount(touched[word] & BitsWithin(word, begin, end)));
    }
  }
  if (count * (sizeof(VertexId) + vertex_bytes) >= (end - begin) * vertex_bytes) {
    for (const OwnElements& view : views) RETURN_IF_ERROR(ReturnRange(to, view, begin, end));
    return OkStatus();
  }
  for (uint64_t word = begin / 64; word * 64 < end;) {
    vertices_.clear();
    for (; word * 64 < end && vertices_.size() + 64 <= kWindow; ++word) {
      uint64_t bits = touched[word] & BitsWithin(word, begin, end);
      for (; bits != 0; bits &= bits - 1) {
        vertices_.push_back(static_cast<VertexId>(word * 64 + std::countr_zero(bits)));
      }
    }
    if (vertices_.empty()) continue;
    bytes_ += vertices_.size() * sizeof(VertexId);
    for (const OwnElements& view : views) {
      const uint64_t most = std::max<uint64_t>(1, kWindow * kMostElementBytes / view.bytes);
      for (size_t i = 0; i < vertices_.size(); i += most) {
        const size_t count = std::min<uint64_t>(most, vertices_.size() - i);
        RETURN_IF_ERROR(ReturnSome(to, view, std::span(vertices_).subspan(i, count)));
      }
    }
  }
  return OkStatus();
}

Status ReturnedValues::ReturnRange(ReturnTo to, const OwnElements& view, uint64_t begin,
                                   uint64_t end) {
  const std::span<std::byte> host = view.Range(begin, end);
  bytes_ += host.size();
  if (to == ReturnTo::kHost) return view.home->CopyToHost(host, view.PlaceOf(host));
  return view.home->CopyToDevice(view.PlaceOf(host), host);
}

Status ReturnedValues::ReturnSome(ReturnTo to, const OwnElements& view,
                                  std::span<const VertexId> vertices) {
  constexpr size_t kGrain = 4096;
  elements_.resize(std::max(elements_.size(), vertices.size() * view.bytes));
  const auto each = [&](auto copy) {
    ForEachChunk(vertices.size(), kGrain, vertices.size() <= kGrain ? 1 : threads_,
                 [&](size_t begin, size_t end) {
                   for (size_t i = begin; i < end; ++i) {
                     copy(elements_.data() + i * view.bytes,
                          view.host + uint64_t{vertices[i]} * view.bytes);
                   }
                 });
  };
  bytes_ += vertices.size() * view.bytes;
  if (to == ReturnTo::kHost) {
    RETURN_IF_ERROR(view.home->Gather(elements_.data(), view.place, view.bytes, vertices));
    each([&](std::byte* element, std::byte* host) { std::memcpy(host, element, view.bytes); });
    return OkStatus();
  }
  each([&](std::byte* element, std::byte* host) { std::memcpy(element, host, view.bytes); });
  return view.home->Scatter(view.place, view.bytes, vertices, elements_.data());
}

}  // namespace edgemill
