#include "engine/output/scrub_state.h"

#include <nlohmann/json.hpp>
#include <type_traits>

#include "common/os/file.h"
#include "common/strings.h"
#include "engine/output/place_json.h"
#include "storage/format/block_format.h"

namespace edgemill {
namespace {

using Json = nlohmann::ordered_json;

constexpr size_t kMaxStateBytes = size_t{16} << 20;

/// Calls `visit(name, field)` for each numeric field: the one list that reading and writing share.
template <typename State, typename Visit>
void VisitLines(State& state, Visit visit) {
  visit("column", state.column);
  visit("next_block", state.next_block);
  visit("last", state.last);
  visit("last_known", state.last_known);
  visit("forward_hash", state.forward_hash);
  visit("backward_hash", state.backward_hash);
  visit("self_loops", state.self_loops);
  visit("duplicates", state.duplicates);
  visit("column_bad", state.column_bad);
  visit("out_forward_hash", state.out_forward_hash);
  visit("out_good", state.out_good);
  visit("blocks_checked", state.blocks_checked);
  visit("bytes_checked", state.bytes_checked);
  visit("blocks_bad", state.blocks_bad);
  visit("first_fault_code", state.first_fault_code);
}

FaultPlace PlaceFrom(const Json& json) {
  FaultPlace place;
  FaultPlace::VisitFields(place, [&]<typename T>(const char* name, T& field) {
    if (!json.contains(name)) return;
    if constexpr (std::is_same_v<T, std::string>) {
      field = json[name].get<std::string>();
    } else {
      field = json[name].get<uint64_t>();
    }
  });
  return place;
}

/// The first line of the file: the checksum of what follows. States of other versions use other
/// seeds.
std::string ChecksumLine(std::string_view text) {
  constexpr uint64_t kVersion = 2;
  return StrCat(Checksum64(std::as_bytes(std::span(text)), kVersion), "\n");
}

}  // namespace

void ScrubState::AddFault(const Status& fault) {
  if (first_fault_code == 0) first_fault_code = fault.exit_code();
  column_bad = true;
  if (faults.size() == kMaxFaults) return;
  faults.emplace_back(fault.message());
  places.push_back(fault.place());
}

StatusOr<ScrubState> ReadScrubState(const std::string& path, const Uuid& graph) {
  ASSIGN_OR_RETURN(const std::string text, ReadWholeFile(path, kMaxStateBytes));
  const Status damaged = BadDataError(
      StrCat(path, ": is not a state of a scrub of this graph: run verify without --resume"));
  const size_t line = text.find('\n') + 1;
  if (line == 0 || text.substr(0, line) != ChecksumLine(std::string_view(text).substr(line))) {
    return damaged;
  }
  // A text with the right checksum was written by the function below, so parsing cannot fail.
  const Json json = Json::parse(text.begin() + static_cast<ptrdiff_t>(line), text.end());
  if (json["graph"] != graph.ToString()) return damaged;
  ScrubState state;
  state.graph = graph;
  VisitLines(state, [&](const char* name, auto& field) { json[name].get_to(field); });
  json["faults"].get_to(state.faults);
  for (const Json& place : json["places"]) state.places.push_back(PlaceFrom(place));
  return state;
}

Status WriteScrubState(const std::string& path, const ScrubState& state) {
  Json json = {{"graph", state.graph.ToString()}, {"faults", state.faults}};
  json["places"] = Json::array();
  for (const FaultPlace& place : state.places) json["places"].push_back(PlaceJson<Json>(place));
  VisitLines(state, [&](const char* name, const auto& field) { json[name] = field; });
  const std::string text = json.dump(1, ' ', false, Json::error_handler_t::replace);
  return WriteFileAtomically(path, ChecksumLine(text) + text);
}

}  // namespace edgemill
