#include "engine/gpu/gpu_buckets.h"

#include <utility>

#include "common/check.h"

namespace edgemill {

Status GpuBuckets::Clear() {
  if (arrays().sets.waiting == nullptr) return OkStatus();
  return workspace_.main().Fill(arrays().sets.waiting, 0,
                                DeviceSets::SetBytes(workspace_.graph().info()));
}

Status GpuBuckets::Split(const void* program, double bound) {
  CHECK(kernels_.split != nullptr);  // compiled where there is a Priority
  RETURN_IF_ERROR(sets_.ClaimCleared(arrays().sets.next));
  kernels_.split(program,
                 {num_vertices(), arrays().sets.current, arrays().sets.next, arrays().sets.waiting},
                 bound, on());
  RETURN_IF_ERROR(workspace_.gpu().AfterLaunch("split"));
  std::swap(arrays().sets.current, arrays().sets.next);
  return OkStatus();
}

StatusOr<double> GpuBuckets::Least(const void* program, double bound) {
  CHECK(kernels_.least != nullptr);
  auto* const least = &arrays().counters->least;
  RETURN_IF_ERROR(workspace_.main().Fill(least, 0xff, sizeof(*least)));
  kernels_.least(program, {.num_vertices = num_vertices(), .waiting = arrays().sets.waiting}, bound,
                 least, on());
  RETURN_IF_ERROR(workspace_.gpu().AfterLaunch("find the least"));
  ASSIGN_OR_RETURN(const PassCounters counters, workspace_.ReadCounters());
  return counters.least == ~0ull ? kNoBound : FromOrderedBits(counters.least);
}

Status GpuBuckets::Activate(const void* program, double before, double bound, uint32_t* due) {
  CHECK(kernels_.activate_waiting != nullptr);
  RETURN_IF_ERROR(sets_.ClaimCleared(due));
  kernels_.activate_waiting(
      program, {.num_vertices = num_vertices(), .due = due, .waiting = arrays().sets.waiting},
      before, bound, on());
  return workspace_.gpu().AfterLaunch("activate the waiting vertices");
}

Status GpuBuckets::ActivateWaiting(const void* program, double before, double bound) {
  return Activate(program, before, bound, arrays().sets.current);
}

Status GpuBuckets::DropWaiting(const void* program, double before) {
  return Activate(program, before, before, arrays().sets.next);
}

}  // namespace edgemill
