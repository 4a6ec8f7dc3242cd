// The program as a function, so that main() is one line.
#pragma once

namespace edgemill::cli {

/// Runs the command that the arguments name, and returns the exit code. If it is not 0, prints one
/// line on standard error.
int RunProgram(int argc, char** argv);

}  // namespace edgemill::cli
