// The values of an answer in the memory of a GPU.
#include <memory>
#include <utility>

#include "edgemill/c/answer.h"
#include "edgemill/c/caller.h"
#include "engine/device/gpu.h"
#include "engine/run/gpu_choice.h"

struct edgemill_gpu_values {
  std::unique_ptr<edgemill::Gpu> gpu;
  edgemill::DeviceBuffer memory;  // ends before `gpu`
};

namespace edgemill::c {
namespace {

Status CopyValues(const edgemill_answer_info& info, int32_t gpu, edgemill_gpu_values* values) {
#if defined(EDGEMILL_WITH_CUDA)
  if (gpu < 0) return UsageError(StrCat(gpu, " is not the number of a GPU: they count from 0"));
  ASSIGN_OR_RETURN(values->gpu, OpenGpu({.ordinal = gpu}));
  const GpuScope scope(*values->gpu);
  const uint64_t bytes = info.num_vertices * info.num_headings * sizeof(uint64_t);
  ASSIGN_OR_RETURN(values->memory, DeviceBuffer::Allocate(*values->gpu, bytes, "an answer"));
  ASSIGN_OR_RETURN(GpuStream stream, GpuStream::Create(*values->gpu));
  RETURN_IF_ERROR(stream.CopyToDevice(values->memory.data(), info.values, bytes));
  return stream.Synchronize();
#else
  static_cast<void>(info);
  static_cast<void>(values);
  return OpenGpu({.ordinal = gpu}).status();
#endif
}

}  // namespace
}  // namespace edgemill::c

edgemill_error* edgemill_answer_copy_to_gpu(const edgemill_answer* answer, int32_t gpu,
                                            edgemill_gpu_values** values) {
  return edgemill::c::Guarded([&]() -> edgemill::Status {
    auto copy = std::make_unique<edgemill_gpu_values>();
    RETURN_IF_ERROR(edgemill::c::CopyValues(answer->held->info(), gpu, copy.get()));
    *values = copy.release();
    return edgemill::OkStatus();
  });
}

void* edgemill_gpu_values_address(const edgemill_gpu_values* values) {
  return values->memory.data();
}

void edgemill_gpu_values_free(edgemill_gpu_values* values) {
  if (edgemill::c::IsForked()) return;
  const std::unique_ptr<edgemill_gpu_values> owned(values);
}
