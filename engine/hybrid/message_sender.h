// Messages on their way to the team that owns their vertices: pairs of a vertex and a message.
//
// A new message for a vertex is combined with the message that waits for it. Messages wait in a
// fixed number of places. If the place of a new message has another vertex, that vertex's message
// moves to a buffer, which is handed over when it is full. So memory is bounded, and messages for
// hubs are mostly combined.
#pragma once

#include <algorithm>
#include <array>
#include <atomic>
#include <bit>
#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "common/check.h"
#include "common/status.h"
#include "common/thread_annotations.h"
#include "engine/program/edge_program.h"
#include "engine/program/pass_coverage.h"

namespace edgemill {

/// The number of slots, which threads share: so many that most threads have their own slot.
inline size_t NumSenderSlots(int threads) { return std::bit_ceil(static_cast<size_t>(threads)); }

inline constexpr int kSenderPlaceBits = 10;
inline constexpr size_t kSenderPlaces = size_t{1} << kSenderPlaceBits;
/// The bytes of a MessageSender, or more: enough for the messages of any program.
inline uint64_t MessageSenderBytes(int threads) {
  constexpr uint64_t kPairBytes = sizeof(VertexId) + kMaxMessageBytes;
  return NumSenderSlots(threads) * (2 * kSenderPlaces * kPairBytes + 256);
}

/// The sender of one team. Threads add at the same time.
template <typename P>
class MessageSender {
 public:
  using Sum = SumOfProgram<P>;
  /// Hands messages over. Thread-safe.
  using Receiver = std::function<Status(std::span<const VertexId>, std::span<const Sum>)>;

  MessageSender(int threads, Receiver receive)
      : receive_(std::move(receive)), slots_(NumSenderSlots(threads)) {
    CHECK_GT(threads, 0);
  }
  MessageSender(const MessageSender&) = delete;
  MessageSender& operator=(const MessageSender&) = delete;

  /// Adds a message. Flush returns the errors of handing over.
  void Add(VertexId vertex, Sum sum) {
    Slot& slot = slots_[SlotOfThread() & (slots_.size() - 1)];
    MutexLock lock(slot.mutex);
    slot.used = true;
    const size_t place = (vertex * 0x9e3779b1u) >> (32 - kSenderPlaceBits);
    VertexId& waits = slot.waiting[place];
    if (waits == vertex) {
      slot.sums[place] = P::Monoid::Combine(slot.sums[place], sum);
      return;
    }
    if (waits != kInvalidVertex) slot.MoveToBuffer(place);
    waits = vertex;
    slot.sums[place] = sum;
    if (slot.out_size == kBufferSize) HandOver(slot);
  }
  /// Hands all messages over. No thread may add at the same time, but threads may add afterwards.
  Status Flush() {
    for (Slot& slot : slots_) {
      MutexLock lock(slot.mutex);
      if (!std::exchange(slot.used, false)) continue;
      for (size_t place = 0; place < kPlaces; ++place) {
        if (slot.waiting[place] == kInvalidVertex) continue;
        slot.MoveToBuffer(place);
        slot.waiting[place] = kInvalidVertex;
        if (slot.out_size == kBufferSize) HandOver(slot);
      }
      if (slot.out_size > 0) HandOver(slot);
      RETURN_IF_ERROR(slot.status);
    }
    return OkStatus();
  }
  /// The number of messages that were handed over.
  uint64_t sent() const { return sent_.load(std::memory_order_relaxed); }

 private:
  static constexpr size_t kPlaces = kSenderPlaces;
  static constexpr size_t kBufferSize = kSenderPlaces;

  /// The places and the buffer of the threads whose numbers, modulo the number of slots, are equal.
  struct alignas(64) Slot {
    Slot() { waiting.fill(kInvalidVertex); }
    void MoveToBuffer(size_t place) REQUIRES(mutex) {
      out_vertices[out_size] = waiting[place];
      out_sums[out_size++] = sums[place];
    }

    Mutex mutex;
    bool used GUARDED_BY(mutex) = false;
    size_t out_size GUARDED_BY(mutex) = 0;
    Status status GUARDED_BY(mutex);
    std::array<VertexId, kPlaces> waiting GUARDED_BY(mutex);
    std::array<Sum, kPlaces> sums GUARDED_BY(mutex);
    std::array<VertexId, kBufferSize> out_vertices GUARDED_BY(mutex);
    std::array<Sum, kBufferSize> out_sums GUARDED_BY(mutex);
  };

  static uint32_t SlotOfThread() {
    static std::atomic<uint32_t> threads{0};
    thread_local const uint32_t number = threads.fetch_add(1, std::memory_order_relaxed);
    return number;
  }
  void HandOver(Slot& slot) REQUIRES(slot.mutex) {
    const size_t size = std::exchange(slot.out_size, 0);
    if (!slot.status.ok()) return;
    sent_.fetch_add(size, std::memory_order_relaxed);
    EM_COVER(sent_to_owner, size);
    slot.status = receive_(std::span(slot.out_vertices).first(size),
                           std::span<const Sum>(slot.out_sums).first(size));
  }

  const Receiver receive_;
  std::vector<Slot> slots_;
  std::atomic<uint64_t> sent_{0};
};

}  // namespace edgemill
