// Prose in comments: the length of sentences, and words for which there is a better word.
#pragma once

#include <string>
#include <string_view>

#include "test/tidy/rules.h"

namespace edgemill::tidy {

/// Checks that sentences in comments have at most 30 words, as in Markdown. Also checks that
/// comments have none of the words that comments.cc lists.
void CheckComments(const std::string& path, std::string_view text, Faults* faults);

}  // namespace edgemill::tidy
