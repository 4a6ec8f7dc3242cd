#include "cli/program.h"

int main(int argc, char** argv) { return edgemill::cli::RunProgram(argc, argv); }
