// The help text about a command's options and arguments.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "cli/options/option_spec.h"

namespace edgemill::cli {

/// The lines that explain arguments and options.
std::string OptionHelp(const std::vector<OptionSpec>& specs);

/// The lines of only the options `names` ("-r", "--parents").
std::string OptionHelpOn(const std::vector<OptionSpec>& specs,
                         const std::vector<std::string_view>& names);

/// "-i, --iterations N": an option's names and the placeholder of its value.
std::string OptionUsage(const OptionSpec& spec);

/// Appends `left`, then `text` in a column of its own from `indent` on, wrapped to 100 columns.
void AppendEntry(std::string* out, const std::string& left, std::string_view text,
                 size_t indent = 30);

/// "INPUT... OUT": the positional arguments as a usage line shows them.
std::string PositionalUsage(const std::vector<OptionSpec>& specs);

}  // namespace edgemill::cli
