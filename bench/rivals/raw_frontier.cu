#include <thrust/iterator/counting_iterator.h>

#include <algorithm>
#include <cstring>
#include <cub/device/device_scan.cuh>
#include <cub/device/device_select.cuh>

#include "bench/rivals/raw_frontier.h"
#include "bench/rivals/raw_kernels.cuh"

namespace edgemill::bench {
namespace {

/// The status of a CUB call, which may fail before it launches a kernel.
Status CheckCub(cudaError_t error, std::string_view what) {
  if (error == cudaSuccess) return OkStatus();
  return GpuError(StrCat(what, ": ", cudaGetErrorString(error)));
}

using Vertices = thrust::counting_iterator<VertexId>;

__global__ void DegreesKernel(const uint64_t* list_offsets, const VertexId* list, uint64_t first,
                              uint64_t count, uint64_t* degrees) {
  for (uint64_t i = ThreadNumber(); i <= count; i += NumThreads()) {
    if (i == count) {
      degrees[i] = 0;  // becomes the sum
      continue;
    }
    const uint64_t vertex = list == nullptr ? first + i : list[first + i];
    degrees[i] = list_offsets[vertex + 1] - list_offsets[vertex];
  }
}

__global__ void CountBelowKernel(const VertexId* vertices, uint64_t count, const VertexId* list,
                                 uint64_t size, uint64_t* places) {
  for (uint64_t i = ThreadNumber(); i < count; i += NumThreads()) {
    const VertexId vertex = vertices[i];
    uint64_t low = 0, high = size;
    if (list == nullptr) low = high = min(uint64_t{vertex}, size);
    while (low < high) {
      const uint64_t middle = (low + high) / 2;
      if (list[middle] < vertex) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    places[i] = low;
  }
}

template <typename Reading>
__global__ void RequestsKernel(const uint64_t* list_offsets, const VertexId* list, uint64_t size,
                               bool weighted, unsigned long long* sums) {
  constexpr uint64_t kLists = WarpLists<Reading>::kLists;
  RequestCounts counts;
  for (uint64_t warp = ThreadNumber(); warp * kLists < size; warp += NumThreads()) {
    WarpLists<Reading> lists;
    for (uint64_t i = 0; i < kLists && warp * kLists + i < size; ++i) {
      const uint64_t item = warp * kLists + i, vertex = list == nullptr ? item : list[item];
      lists.begin[i] = list_offsets[vertex];
      lists.end[i] = list_offsets[vertex + 1];
    }
    AddRequests<typename Reading::Edge>(lists, &counts);
    if (weighted) AddRequests<int32_t>(lists, &counts);
  }
  for (uint32_t i = 0; i < 4; ++i) {
    AddToTotal<unsigned long long>(counts.of_sectors[i], &sums[i]);
  }
}

template <typename Edge>
auto RequestsKernelOf(RawReading way) {
  if (way == RawReading::kStrided) return RequestsKernel<StridedReading<Edge>>;
  if (way == RawReading::kMerged) return RequestsKernel<MergedReading<Edge>>;
  return RequestsKernel<AlignedReading<Edge>>;
}

__global__ void TakeActiveKernel(RawLists lists, uint8_t* flags, uint32_t* chosen,
                                 unsigned long long* count) {
  const uint32_t lane = threadIdx.x % kWarpSize;
  for (uint64_t first = ThreadNumber() - lane; first < lists.num_items; first += NumThreads()) {
    const uint64_t i = first + lane;
    const uint64_t vertex = i < lists.num_items ? VertexOf(lists, ItemAt(lists, i)) : 0;
    const bool active = i < lists.num_items && flags[vertex] != 0;
    const uint32_t all = __ballot_sync(kAllLanes, active);
    if (all == 0) continue;
    unsigned long long place = 0;
    if (lane == 0) place = atomicAdd(count, __popc(all));
    place = __shfl_sync(kAllLanes, place, 0);
    if (!active) continue;
    flags[vertex] = 0;
    chosen[place + __popc(all & ((1u << lane) - 1))] = static_cast<uint32_t>(i);
  }
}

__global__ void DegreeSumKernel(const uint64_t* list_offsets, const VertexId* list, uint64_t size,
                                unsigned long long* sum) {
  unsigned long long edges = 0;
  for (uint64_t i = ThreadNumber(); i < size; i += NumThreads()) {
    const uint64_t vertex = list == nullptr ? i : list[i];
    edges += list_offsets[vertex + 1] - list_offsets[vertex];
  }
  AddToTotal(edges, sum);
}

}  // namespace

void RawFrontier::Plan(uint64_t num_vertices, uint64_t max_scanned, DeviceArena* arena) {
  num_vertices_ = num_vertices;
  size_t selecting = 0, scanning = 0;
  (void)cub::DeviceSelect::Flagged(nullptr, selecting, Vertices(0), flags_, list_, count_,
                                   static_cast<int64_t>(num_vertices));
  (void)cub::DeviceScan::ExclusiveSum(nullptr, scanning, count_, count_,
                                      static_cast<int64_t>(max_scanned));
  scratch_bytes_ = std::max(selecting, scanning);
  arena->Plan(&flags_, num_vertices);
  arena->Plan(&list_, num_vertices);
  arena->Plan(&count_, 1);
  arena->Plan(&scratch_, scratch_bytes_);
}

Status RawFrontier::Start(Gpu& gpu, bool keeps_flags, GpuStream& stream) {
  gpu_ = &gpu;
  keeps_flags_ = keeps_flags;
  ASSIGN_OR_RETURN(host_count_, PinnedBuffer::Allocate(gpu, sizeof(uint64_t), 1));
  return stream.Fill(flags_, 0, num_vertices_);
}

Status RawFrontier::Advance(GpuStream& stream) {
  all_ = false;
  size_t bytes = scratch_bytes_;
  RETURN_IF_ERROR(
      CheckCub(cub::DeviceSelect::Flagged(scratch_, bytes, Vertices(0), flags_, list_, count_,
                                          static_cast<int64_t>(num_vertices_), stream.handle()),
               "listing active vertices"));
  RETURN_IF_ERROR(gpu_->AfterLaunch("list active vertices"));
  if (!keeps_flags_) RETURN_IF_ERROR(stream.Fill(flags_, 0, num_vertices_));
  ASSIGN_OR_RETURN(size_, Count(stream));
  return OkStatus();
}

StatusOr<uint64_t> RawFrontier::Count(GpuStream& stream) {
  uint64_t count = 0;
  RETURN_IF_ERROR(stream.CopyToHost(host_count_.data(), count_, sizeof(count)));
  RETURN_IF_ERROR(stream.Synchronize());
  std::memcpy(&count, host_count_.data(), sizeof(count));
  return count;
}

Status RawFrontier::ActivateAll(GpuStream& stream) {
  size_ = num_vertices_;
  all_ = true;
  return keeps_flags_ ? stream.Fill(flags_, 1, num_vertices_) : OkStatus();
}

StatusOr<uint64_t> RawFrontier::TakeActive(const RawLists& lists, uint32_t* chosen,
                                           GpuStream& stream) {
  RETURN_IF_ERROR(stream.Fill(count_, 0, sizeof(*count_)));
  TakeActiveKernel<<<RawGrid(*gpu_), kRawThreads, 0, stream.handle()>>>(
      lists, flags_, chosen, reinterpret_cast<unsigned long long*>(count_));
  RETURN_IF_ERROR(gpu_->AfterLaunch("take active vertices"));
  return Count(stream);
}

Status RawFrontier::ScanDegrees(const uint64_t* list_offsets, uint64_t first, uint64_t count,
                                uint64_t* offsets, GpuStream& stream) {
  DegreesKernel<<<RawGrid(*gpu_), kRawThreads, 0, stream.handle()>>>(list_offsets, list(), first,
                                                                     count, offsets);
  RETURN_IF_ERROR(gpu_->AfterLaunch("degrees"));
  size_t bytes = scratch_bytes_;
  RETURN_IF_ERROR(
      CheckCub(cub::DeviceScan::ExclusiveSum(scratch_, bytes, offsets, offsets,
                                             static_cast<int64_t>(count + 1), stream.handle()),
               "adding up degrees"));
  return gpu_->AfterLaunch("add up degrees");
}

Status RawFrontier::CountBelow(const VertexId* vertices, uint64_t count, uint64_t* places,
                               GpuStream& stream) {
  CountBelowKernel<<<RawGrid(*gpu_), kRawThreads, 0, stream.handle()>>>(vertices, count, list(),
                                                                        size_, places);
  return gpu_->AfterLaunch("count active vertices");
}

Status RawFrontier::CountEdges(const uint64_t* list_offsets, unsigned long long* edges,
                               GpuStream& stream) {
  RETURN_IF_ERROR(stream.Fill(edges, 0, sizeof(*edges)));
  DegreeSumKernel<<<RawGrid(*gpu_), kRawThreads, 0, stream.handle()>>>(list_offsets, list(), size_,
                                                                       edges);
  return gpu_->AfterLaunch("count active edges");
}

Status RawFrontier::AddRequestsOf(const RawReads& reads, const uint64_t* list_offsets,
                                  unsigned long long* sums, GpuStream& stream) {
  const auto kernel =
      reads.wide ? RequestsKernelOf<uint64_t>(reads.way) : RequestsKernelOf<VertexId>(reads.way);
  kernel<<<RawGrid(*gpu_), kRawThreads, 0, stream.handle()>>>(list_offsets, list(), size_,
                                                              reads.weighted, sums);
  return gpu_->AfterLaunch("count requests");
}

}  // namespace edgemill::bench
