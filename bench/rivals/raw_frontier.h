// The active vertices, on the GPU: flags, and a list that is made from them in the order of ids.
#pragma once

#include <cstdint>

#include "bench/rivals/raw_reading.h"
#include "engine/device/device_arena.h"
#include "engine/device/gpu.h"

namespace edgemill::bench {

/// What kernels read of each list.
struct RawReads {
  RawReading way = RawReading::kAligned;
  bool wide = false;      // neighbours have 8 bytes
  bool weighted = false;  // there are weights too, of 4 bytes
};

/// The active vertices of an iteration. One thread drives it.
class RawFrontier {
 public:
  /// Plans flags, list and scratch memory for `num_vertices` vertices and scans of up to
  /// `max_scanned` numbers.
  void Plan(uint64_t num_vertices, uint64_t max_scanned, DeviceArena* arena);
  /// Clears all flags. Call it after the arena's allocation. If `keeps_flags`, Advance does not
  /// clear flags, and TakeActive does.
  Status Start(Gpu& gpu, bool keeps_flags, GpuStream& stream);

  /// The flags of the next iteration's active vertices: one byte for each vertex.
  uint8_t* flags() const { return flags_; }
  /// Queues the flagging of one vertex.
  Status Flag(VertexId vertex, GpuStream& stream) { return stream.Fill(flags_ + vertex, 1, 1); }
  /// Makes the flagged vertices the active ones, and clears the flags; waits.
  Status Advance(GpuStream& stream);
  /// Makes all vertices active, without a list. Flags them if flags are kept.
  Status ActivateAll(GpuStream& stream);
  /// Writes the numbers, from first_item on, of the items of `lists` whose vertices are flagged to
  /// `chosen` in any order, and clears their flags. Returns how many there are; waits.
  StatusOr<uint64_t> TakeActive(const RawLists& lists, uint32_t* chosen, GpuStream& stream);

  uint64_t size() const { return size_; }
  /// The active vertices in ascending order; null when all are active.
  const VertexId* list() const { return all_ ? nullptr : list_; }
  /// The active vertices as items without edges.
  RawLists items() const { return {.vertices = list(), .num_items = size_}; }

  /// Queues a scan of the degrees of the active lists [first, first + count). offsets[i] gets the
  /// number of edges before the i-th of them, and offsets[count] gets the number of edges in
  /// all of them.
  /// `list_offsets` has the offsets of the lists. These are Subway's steps 4 and 5.
  Status ScanDegrees(const uint64_t* list_offsets, uint64_t first, uint64_t count,
                     uint64_t* offsets, GpuStream& stream);
  /// Queues a count: for each of `count` vertices, places[i] gets the number of active vertices
  /// below vertices[i].
  Status CountBelow(const VertexId* vertices, uint64_t count, uint64_t* places, GpuStream& stream);
  /// Queues a count: `*edges`, which is on the GPU, gets the number of edges of the active lists.
  Status CountEdges(const uint64_t* list_offsets, unsigned long long* edges, GpuStream& stream);
  /// Queues this: to the four sums, which are on the GPU, are added the requests of 32, 64, 96 and
  /// 128 bytes that cross the link when the active lists are read.
  Status AddRequestsOf(const RawReads& reads, const uint64_t* list_offsets,
                       unsigned long long* sums, GpuStream& stream);

 private:
  /// What is in count_; waits.
  StatusOr<uint64_t> Count(GpuStream& stream);

  Gpu* gpu_ = nullptr;
  uint64_t num_vertices_ = 0;
  bool keeps_flags_ = false;
  uint64_t size_ = 0;
  bool all_ = false;
  uint8_t* flags_ = nullptr;
  VertexId* list_ = nullptr;
  uint64_t* count_ = nullptr;
  std::byte* scratch_ = nullptr;
  uint64_t scratch_bytes_ = 0;
  PinnedBuffer host_count_;
};

}  // namespace edgemill::bench
