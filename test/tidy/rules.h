// The rules of style that a program can check.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace edgemill::tidy {

/// One broken rule: "storage/file.cc:12: what is wrong".
using Faults = std::vector<std::string>;

/// Checks one file; `path` is relative to the source tree's root ("storage/io/io_engine.cc").
void CheckFile(const std::string& path, std::string_view text, Faults* faults);

/// Checks what concerns several files: foreign headers that belong in one source file a folder.
void CheckForeignHeaders(const std::map<std::string, std::string>& texts, Faults* faults);

/// Checks that no two files define a class of one name in one namespace: the linker would take the
/// destructor of one for both.
void CheckClassNames(const std::map<std::string, std::string>& texts, Faults* faults);

}  // namespace edgemill::tidy
