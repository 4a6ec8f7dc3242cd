// libFuzzer's entry point for weighted edge lists.
#include "test/fuzz/reader_fuzzing.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  edgemill::FuzzReader(edgemill::EdgeFormat::kWeightedList, {data, size});
  return 0;
}
