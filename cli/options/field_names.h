// Names that the field uses for algorithms where Edgemill has another name, or no such algorithm.
#pragma once

#include <string>
#include <string_view>

namespace edgemill::cli {

/// The hint for a user that gave the algorithm `name`, which is not registered: "did you mean
/// sssp?", or that there is none, and what is near in meaning. Ignores case, blanks, - and _. Empty
/// for a name that the field does not know either.
std::string AboutFieldName(std::string_view name);

}  // namespace edgemill::cli
