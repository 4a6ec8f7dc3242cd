// The name of a type, for messages.
#pragma once

#include <string_view>

namespace edgemill {

/// The name as the compiler writes it, with all namespaces.
template <typename T>
constexpr std::string_view FullTypeName() {
  // "... [with T = edgemill::Visit; ...]" of g++, "... [T = edgemill::Visit]" of clang.
  std::string_view name = __PRETTY_FUNCTION__;
  name.remove_prefix(name.find("T = ") + 4);
  return name.substr(0, name.find_first_of(";]"));
}

/// The name without namespaces: "Visit" for edgemill::Visit, "Shorten<int, float>" for a template.
template <typename T>
constexpr std::string_view TypeName() {
  const std::string_view name = FullTypeName<T>();
  const size_t arguments = name.find('<');
  const size_t scope = name.substr(0, arguments).rfind("::");
  return scope == std::string_view::npos ? name : name.substr(scope + 2);
}

}  // namespace edgemill
