// How the process handles signals, and standard streams that are not open.
#pragma once

#include "common/status.h"

namespace edgemill::cli {

/// SIGINT, SIGTERM and SIGHUP (unless the process inherits that it is ignored) ask every operation
/// to stop (RequestCancel). SIGTERM asks a run with checkpoints to halt (RequestHalt): it writes
/// one more, and then stops. A second signal exits at once, with code 128 + its number. SIGPIPE and
/// SIGXFSZ are ignored: a write that would cause them returns an error instead.
void InstallSignalHandlers();

/// The process's exit code for the status of a command. It is the status's own code, or 128 + the
/// number of the signal that stopped the command.
int ExitCode(const Status& status);

/// Opens /dev/null for each of standard input, output and error that is closed. Otherwise the first
/// files opened would get their numbers, and a message would be written into a graph's segment.
void OpenMissingStandardStreams();

}  // namespace edgemill::cli
