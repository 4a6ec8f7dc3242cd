// The rules of style that a program can check.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace edgemill::tidy {

/// One broken rule: "storage/file.cc:12: what is wrong".
using Faults = std::vector<std::string>;

/// Checks one file. `path` is relative to the root of the source tree, such as
/// "storage/io/io_engine.cc".
void CheckFile(const std::string& path, std::string_view text, Faults* faults);

/// Checks that only one source file of each folder includes a foreign header.
void CheckForeignHeaders(const std::map<std::string, std::string>& texts, Faults* faults);

/// Checks that no two files define classes of the same name in one namespace. The linker would use
/// the destructor of one class for both.
void CheckClassNames(const std::map<std::string, std::string>& texts, Faults* faults);

}  // namespace edgemill::tidy
