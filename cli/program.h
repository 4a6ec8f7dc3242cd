// The program as a function, so that main() is one line.
#pragma once

namespace edgemill::cli {

/// Runs the command that the arguments name. Returns the exit code; prints one line on standard
/// error when it is not 0.
int RunProgram(int argc, char** argv);

}  // namespace edgemill::cli
