// How inputs are understood, for people and for programs. `ingest --dry-run` shows it first.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "loaders/source/input_look.h"

namespace edgemill::cli {

/// Format, columns, ids and first rows, as a small table for each input. Of many inputs it shows
/// only the first ones.
std::string InputsText(const std::vector<InputPreview>& looks);
/// The same for all inputs, as an array of objects in one of nlohmann's documents.
template <typename Json>
Json InputsJson(const std::vector<InputPreview>& looks) {
  Json inputs = Json::array();
  for (const InputPreview& look : looks) {
    Json rows = Json::array();
    for (const InputPreview::Row& row : look.rows) {
      Json one = Json::object();
      if (row.line.has_value()) one["line"] = *row.line;
      one["source"] = row.source;
      one["target"] = row.target;
      if (row.weight.has_value()) one["weight"] = *row.weight;
      rows.push_back(std::move(one));
    }
    inputs.push_back({{"name", look.name},
                      {"format", look.format},
                      {"separator", look.separator},
                      {"columns", look.columns},
                      {"base", look.base},
                      {"least_id", look.min_id},
                      {"skipped_lines", look.skipped_lines},
                      {"rows", rows}});
  }
  return inputs;
}

}  // namespace edgemill::cli
