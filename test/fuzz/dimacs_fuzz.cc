// libFuzzer's entry point for DIMACS .gr.
#include "test/fuzz/reader_fuzzing.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  edgemill::FuzzReader(edgemill::EdgeFormat::kDimacs, {data, size});
  return 0;
}
