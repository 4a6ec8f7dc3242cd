// The command line `edgemill` as a function: a program that links algorithms of its own has them
// in each command.
#pragma once

#include "cli/program.h"

namespace edgemill {

using cli::RunProgram;

}  // namespace edgemill
