#include "edgemill/program.h"

int main(int argc, char** argv) { return edgemill::RunProgram(argc, argv); }
