// Plugins: files with algorithms, which the program loads before it looks at its command.
#pragma once

#include <string>
#include <vector>

#include "cli/options/option_set.h"
#include "common/status.h"

namespace edgemill::cli {

/// Loads the plugins that `arguments` name by --plugin. Their algorithms are in the registry then.
/// Call this before anything asks for an algorithm. Errors: MissingError for a file that is not
/// there; BadDataError for one that is not a plugin, is for another version of Edgemill, or needs
/// what this program does not have.
Status LoadPlugins(const std::vector<std::string>& arguments);
/// Declares --plugin for a command that knows algorithms, so that it is a known option there.
void DeclarePlugins(OptionSet& options, std::vector<std::string>* paths);

}  // namespace edgemill::cli
