#include "engine/plan/pull_kernel.h"

namespace edgemill {

std::string_view PullKernelName(PullKernel kernel) {
  switch (kernel) {
    case PullKernel::kAuto:
      return "auto";
    case PullKernel::kLists:
      return "lists";
    case PullKernel::kDense:
      return "dense";
  }
  return "unknown";
}

}  // namespace edgemill
