// Scripts that complete command lines in shells, made from the declarations of commands.
#pragma once

#include <string>
#include <string_view>

namespace edgemill::cli {

/// The script for bash, zsh or fish that completes the command lines of `program`: commands,
/// algorithms, options, choices and files.
std::string BashCompletion(std::string_view program);
std::string ZshCompletion(std::string_view program);
std::string FishCompletion(std::string_view program);

}  // namespace edgemill::cli
