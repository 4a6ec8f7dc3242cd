// Suggests the known word that a user most likely meant by an unknown one.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace edgemill::cli {

/// The candidate that `text` was most likely meant to be; empty when none is near.
std::string Nearest(std::string_view text, const std::vector<std::string>& candidates);

/// "did you mean info?", or `otherwise` when none is near.
std::string DidYouMean(std::string_view text, const std::vector<std::string>& candidates,
                       std::string_view otherwise);

}  // namespace edgemill::cli
