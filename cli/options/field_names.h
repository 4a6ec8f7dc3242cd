// What the field calls algorithms, where Edgemill has another name for one, or has none such.
#pragma once

#include <string>
#include <string_view>

namespace edgemill::cli {

/// What to tell someone who asked for the algorithm `name`, which nobody registered: "did you mean
/// sssp?", or that it is not there and what is near in meaning. Case, blanks, - and _ are the same.
/// Empty for a name that the field does not know either.
std::string AboutFieldName(std::string_view name);

}  // namespace edgemill::cli
