// The values of an answer in the memory of a GPU.
#include <functional>
#include <memory>
#include <thread>
#include <utility>

#include "edgemill/c/answer.h"
#include "edgemill/c/caller.h"
#include "engine/device/gpu.h"
#include "engine/run/gpu_choice.h"

/// A copy of an answer's values. A build without CUDA makes none.
struct edgemill_gpu_values {
#if defined(EDGEMILL_WITH_CUDA)
  ~edgemill_gpu_values() {
    // Freeing has no status to return: an error comes again at the user's next call.
    if (gpu != nullptr) static_cast<void>(gpu->UseInThread());
  }

  std::unique_ptr<edgemill::Gpu> gpu;
  edgemill::DeviceBuffer memory;  // ends before `gpu`
#endif
};

namespace edgemill::c {
namespace {

/// Runs `work` on a thread of its own, because to use a GPU makes it the thread's device, and the
/// caller's threads have devices of their own.
void OnOwnThread(const std::function<void()>& work) { std::thread(work).join(); }

#if defined(EDGEMILL_WITH_CUDA)
StatusOr<std::unique_ptr<edgemill_gpu_values>> CopyOf(const edgemill_answer_info& info,
                                                      int32_t ordinal) {
  if (ordinal < 0) {
    return UsageError(StrCat(ordinal, " is not the number of a GPU: they count from 0"));
  }
  auto copy = std::make_unique<edgemill_gpu_values>();
  ASSIGN_OR_RETURN(copy->gpu, OpenGpu({.ordinal = ordinal}));
  const uint64_t bytes = info.num_vertices * info.num_headings * sizeof(uint64_t);
  ASSIGN_OR_RETURN(copy->memory, DeviceBuffer::Allocate(*copy->gpu, bytes, "an answer"));
  ASSIGN_OR_RETURN(GpuStream stream, GpuStream::Create(*copy->gpu));
  RETURN_IF_ERROR(stream.CopyToDevice(copy->memory.data(), info.values, bytes));
  RETURN_IF_ERROR(stream.Synchronize());
  return copy;
}
#else
StatusOr<std::unique_ptr<edgemill_gpu_values>> CopyOf(const edgemill_answer_info&, int32_t) {
  return OpenGpu({}).status();
}
#endif

}  // namespace
}  // namespace edgemill::c

edgemill_error* edgemill_answer_copy_to_gpu(const edgemill_answer* answer, int32_t gpu,
                                            edgemill_gpu_values** values) {
  return edgemill::c::Guarded([&]() -> edgemill::Status {
    edgemill::Status status;
    edgemill::c::OnOwnThread([&] {
      auto copy = edgemill::c::CopyOf(answer->held->info(), gpu);
      status = copy.status();
      if (copy.ok()) *values = copy->release();
    });
    return status;
  });
}

void* edgemill_gpu_values_address([[maybe_unused]] const edgemill_gpu_values* values) {
#if defined(EDGEMILL_WITH_CUDA)
  return values->memory.data();
#else
  return nullptr;
#endif
}

void edgemill_gpu_values_free(edgemill_gpu_values* values) {
  if (values == nullptr || edgemill::c::IsForked()) return;
  edgemill::c::OnOwnThread([values] { const std::unique_ptr<edgemill_gpu_values> owned(values); });
}
