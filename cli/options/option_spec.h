// One option or argument of a command: its declaration, and what was given.
#pragma once

#include <functional>
#include <limits>
#include <string>
#include <vector>

#include "cli/options/named_files.h"
#include "common/status.h"

namespace edgemill::cli {

/// The numbers that an option accepts, both ends included.
template <typename Value>
struct NumberRange {
  Value least = 0;
  Value most = std::numeric_limits<Value>::max();
};

/// The files that are written besides the file of an option.
using FilesBeside = std::function<std::vector<std::string>(const std::string& path)>;

struct OptionSpec {
  std::string names;
  std::string placeholder;  // "FILE"; where there are choices, "auto|pull|push"
  std::string help;
  std::string section;
  std::function<Status(const std::string&)> assign;  // empty for flags
  bool* flag = nullptr;
  bool positional = false;
  bool repeatable = false;
  FileUse use = FileUse::kNone;
  FilesBeside beside;                 // if use is kWritten
  bool suggested = true;              // error messages may suggest it
  size_t least = 0;                   // positional: how many are required
  const std::string* text = nullptr;  // the value of an option with one text
  std::vector<std::string> given;
  size_t count = 0;

  /// "--output"; for an argument, its name.
  std::string LongName() const {
    const size_t dashes = names.find("--");
    return names.substr(dashes == std::string::npos ? 0 : dashes);
  }
};

}  // namespace edgemill::cli
