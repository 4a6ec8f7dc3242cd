// These tests also run Edgemill as another process. This executable is Edgemill if its first
// argument says so.
#include <gtest/gtest.h>

#include <cstring>

#include "cli/program.h"
#include "test/end_to_end/injected_fault.h"
#include "test/end_to_end/own_program.h"

int main(int argc, char** argv) {
  if (argc > 1 && std::strcmp(argv[1], edgemill::kAsProgram) == 0) {
    argv[1] = argv[0];
    edgemill::InstallFault();
    return edgemill::cli::RunProgram(argc - 1, argv + 1);
  }
  testing::InitGoogleTest(&argc, argv);
  return RUN_ALL_TESTS();
}
