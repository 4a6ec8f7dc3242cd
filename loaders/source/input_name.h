// What an input calls a vertex.
#pragma once

#include <string>

#include "common/strings.h"
#include "common/types.h"

namespace edgemill {

/// The id that a source gives a vertex, which finds it in the input, and its name for people.
struct InputName {
  InputName() = default;
  explicit InputName(ExternalId number) : id(number), text(StrCat(number)) {}
  InputName(ExternalId hash, std::string_view name) : id(hash), text(QuotedText(name)) {}

  ExternalId id = 0;
  std::string text;
};

}  // namespace edgemill
