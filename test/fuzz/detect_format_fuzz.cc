// libFuzzer's entry point for inputs whose format is told by content.
#include "test/fuzz/reader_fuzzing.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  edgemill::FuzzReader(edgemill::EdgeFormat::kAuto, {data, size});
  return 0;
}
