// JSON as the program writes it.
#pragma once

#include <string>
#include <variant>
#include <vector>

#include "engine/run/run.h"

namespace edgemill::cli {

/// The text, indented, of a document of nlohmann's. File names that are no UTF-8 get replacement
/// characters.
template <typename Json>
std::string JsonText(const Json& json) {
  return json.dump(2, ' ', false, Json::error_handler_t::replace);
}

/// The numbers of what a run found out, by their names.
template <typename Json>
Json FactsJson(const std::vector<ResultFact>& facts) {
  Json json = Json::object();
  for (const ResultFact& fact : facts) {
    for (const auto& entry : fact.numbers) {
      std::visit([&](auto number) { json[entry.first] = number; }, entry.second);
    }
  }
  return json;
}

}  // namespace edgemill::cli
