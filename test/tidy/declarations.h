// The classes and functions that C++ source declares, as far as rules of size want to know them.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace edgemill::tidy {

/// A class, struct or union. Classes inside it are listed apart.
struct ClassShape {
  std::string name;
  size_t line = 0;            // from 1
  size_t public_methods = 0;  // by name; without constructors, destructors and operators
  size_t data_members = 0;    // without static ones
};

/// A function, or a pointer to one, at each place where it is declared or defined outside of other
/// functions.
struct Signature {
  std::string name;  // without its class's
  size_t line = 0;
  size_t parameters = 0;
};

struct Declarations {
  std::vector<ClassShape> classes;
  std::vector<Signature> functions;
};

/// What `stripped` (from StripSource) declares. By braces and statements, not by grammar: exact for
/// code formatted as ours is.
Declarations FindDeclarations(std::string_view stripped);

}  // namespace edgemill::tidy
