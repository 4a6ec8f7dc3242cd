// The rules of Markdown files that a program can check.
#pragma once

#include <filesystem>
#include <map>
#include <string>

#include "test/tidy/rules.h"

namespace edgemill::tidy {

/// Checks every page of `pages`, which maps paths relative to `root` to texts. Lines have at most
/// 120 columns, sentences at most 30 words, and links lead to files and headings that exist.
void CheckMarkdown(const std::filesystem::path& root,
                   const std::map<std::string, std::string>& pages, Faults* faults);

}  // namespace edgemill::tidy
