// libFuzzer's entry point for edge lists, plain and compressed.
#include "test/fuzz/reader_fuzzing.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  edgemill::FuzzReader(edgemill::EdgeFormat::kEdgeList, {data, size});
  return 0;
}
