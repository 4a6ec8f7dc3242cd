// What the process does about signals and about standard streams that were never opened.
#pragma once

#include "common/status.h"

namespace edgemill::cli {

/// SIGINT and SIGTERM ask every operation to stop (RequestCancel); a second one exits at once, with
/// its own 130 or 143. SIGPIPE and SIGXFSZ are ignored: the write that meets them returns its error
/// instead.
void InstallSignalHandlers();

/// The process's exit code for how a command ended: the status's own, but 143 for one that SIGTERM
/// has stopped.
int ExitCode(const Status& status);

/// Opens /dev/null for each of standard input, output and error that is closed. Without this the
/// first files opened would take their numbers, and a message would end up in a graph's segment.
void OpenMissingStandardStreams();

}  // namespace edgemill::cli
