#include "bench/scaling.h"

#include "common/strings.h"

namespace edgemill::bench {

std::string OnThreads(std::string_view what, int threads) {
  return StrCat(what, ", ", threads, threads == 1 ? " thread" : " threads");
}

}  // namespace edgemill::bench
