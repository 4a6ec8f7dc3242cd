// libFuzzer's entry point for bin64.
#include "test/fuzz/reader_fuzzing.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  edgemill::FuzzReader(edgemill::EdgeFormat::kPairs64, {data, size});
  return 0;
}
