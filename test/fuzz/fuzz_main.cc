// libFuzzer's entry points: fuzz TARGET [OPTION OF LIBFUZZER...] [CORPUS...]. Without arguments it
// lists the targets.
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>

#include "test/fuzz/targets.h"

namespace {
std::string& Target() {
  static std::string target;
  return target;
}
}  // namespace

extern "C" int LLVMFuzzerInitialize(int* argc, char*** argv) {
  if (*argc < 2) {
    edgemill::PrintFuzzTargets();
    std::exit(std::fflush(stdout) == 0 ? 0 : 1);
  }
  Target() = (*argv)[1];
  if (!edgemill::RunFuzzTarget(Target(), {})) {
    std::fprintf(stderr, "no fuzz target is called %s\n", (*argv)[1]);
    std::_Exit(64);
  }
  // libFuzzer ignores arguments that begin with two dashes, so such an argument replaces TARGET.
  static char taken[] = "--taken";
  (*argv)[1] = taken;
  return 0;
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  edgemill::RunFuzzTarget(Target(), {data, size});
  return 0;
}
