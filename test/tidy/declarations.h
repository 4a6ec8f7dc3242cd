// The classes and functions that C++ source declares, with what the rules of size need.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace edgemill::tidy {

/// A class, struct or union. Classes inside it are listed separately.
struct ClassShape {
  std::string name;
  size_t line = 0;            // from 1
  size_t public_methods = 0;  // different names; no constructors, destructors and operators
  size_t data_members = 0;    // without static members
};

/// A declaration or definition of a function, or of a pointer to a function, outside of other
/// functions.
struct Signature {
  std::string name;  // without the name of its class
  size_t line = 0;
  size_t parameters = 0;
};

struct Declarations {
  std::vector<ClassShape> classes;
  std::vector<Signature> functions;
};

/// Finds what `stripped` (from StripSource) declares. Looks at braces and statements, not at the
/// grammar. The result is exact for code with this project's format.
Declarations FindDeclarations(std::string_view stripped);

}  // namespace edgemill::tidy
