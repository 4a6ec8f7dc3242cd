// libFuzzer's entry point for serialized graphs (.sg).
#include "test/fuzz/reader_fuzzing.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  edgemill::FuzzReader(edgemill::EdgeFormat::kSerialized, {data, size});
  return 0;
}
