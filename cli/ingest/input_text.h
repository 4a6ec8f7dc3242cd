// How inputs are understood, for people and for programs. `ingest --dry-run` shows it first.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "loaders/source/input_preview.h"

namespace edgemill::cli {

/// Format, columns, ids and first rows, as a small table for each input. Of many inputs it shows
/// only the first ones.
std::string InputsText(const std::vector<InputPreview>& previews);
/// The same for all inputs, as an array of objects in one of nlohmann's documents.
template <typename Json>
Json InputsJson(const std::vector<InputPreview>& previews) {
  Json inputs = Json::array();
  for (const InputPreview& preview : previews) {
    Json rows = Json::array();
    for (const InputPreview::Row& row : preview.rows) {
      Json one = Json::object();
      if (row.line.has_value()) one["line"] = *row.line;
      one["source"] = row.source;
      one["target"] = row.target;
      if (row.weight.has_value()) one["weight"] = *row.weight;
      rows.push_back(std::move(one));
    }
    inputs.push_back({{"name", preview.name},
                      {"format", preview.format},
                      {"separator", preview.separator},
                      {"columns", preview.columns},
                      {"base", preview.base},
                      {"least_id", preview.min_id},
                      {"skipped_lines", preview.skipped_lines},
                      {"rows", rows}});
  }
  return inputs;
}

}  // namespace edgemill::cli
