// JSON as the program writes it.
#pragma once

#include <string>
#include <variant>
#include <vector>

#include "engine/run/run.h"

namespace edgemill::cli {

/// The indented text of one of nlohmann's documents. Bytes of file names that are not UTF-8 become
/// replacement characters.
template <typename Json>
std::string JsonText(const Json& json) {
  return json.dump(2, ' ', false, Json::error_handler_t::replace);
}

/// The numbers in a run's facts, by their names.
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
