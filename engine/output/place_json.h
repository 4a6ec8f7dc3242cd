// The place of an error, as JSON.
#pragma once

#include <type_traits>

#include "common/status.h"

namespace edgemill {

/// An object with the fields of `place` that are known: {"file": "a.el", "line": 3, "column": 1}.
template <typename Json>
Json PlaceJson(const FaultPlace& place) {
  Json json = Json::object();
  FaultPlace::VisitFields(place, [&]<typename T>(const char* name, const T& field) {
    if constexpr (std::is_same_v<T, std::string>) {
      if (!field.empty()) json[name] = field;
    } else {
      if (field.has_value()) json[name] = *field;
    }
  });
  return json;
}

}  // namespace edgemill
