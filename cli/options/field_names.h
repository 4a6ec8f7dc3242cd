// Common names of algorithms for which Edgemill has another name, or no algorithm.
#pragma once

#include <string>
#include <string_view>

namespace edgemill::cli {

/// The hint for the algorithm `name`, which a user gave and which is not registered. It is "did you
/// mean sssp?", or says that there is none and which one is near in meaning. Ignores case, blanks,
/// - and _. Empty for a name that is not common either.
std::string AboutFieldName(std::string_view name);

}  // namespace edgemill::cli
