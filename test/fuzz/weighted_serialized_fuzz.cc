// libFuzzer's entry point for weighted serialized graphs (.wsg).
#include "test/fuzz/reader_fuzzing.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  edgemill::FuzzReader(edgemill::EdgeFormat::kSerializedWeighted, {data, size});
  return 0;
}
