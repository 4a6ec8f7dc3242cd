#include "engine/output/scrub_state.h"

#include <nlohmann/json.hpp>

#include "common/file.h"
#include "common/strings.h"

namespace edgemill {
namespace {

using Json = nlohmann::ordered_json;

constexpr size_t kMaxStateBytes = size_t{16} << 20;

/// Calls `visit(name, field)` for each numeric field: the one list that reading and writing share.
template <typename State, typename Visit>
void VisitFields(State& state, Visit visit) {
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

}  // namespace

void ScrubState::AddFault(const Status& fault) {
  if (first_fault_code == 0) first_fault_code = fault.exit_code();
  column_bad = true;
  if (faults.size() < kMaxFaults) faults.emplace_back(fault.message());
}

StatusOr<ScrubState> ReadScrubState(const std::string& path, const Uuid& graph) {
  ASSIGN_OR_RETURN(const std::string text, ReadWholeFile(path, kMaxStateBytes));
  const Status damaged = BadDataError(
      StrCat(path, ": is no state of a scrub of this graph: run verify without --resume"));
  const Json json = Json::parse(text, nullptr, false);
  if (!json.is_object() || json.value("graph", std::string()) != graph.ToString()) return damaged;
  ScrubState state;
  state.graph = graph;
  bool whole = json.contains("faults") && json["faults"].is_array();
  VisitFields(state, [&](const char* name, auto& field) {
    using Field = std::remove_reference_t<decltype(field)>;
    const auto found = json.find(name);
    whole = whole && found != json.end() &&
            (std::is_same_v<Field, bool> ? found->is_boolean() : found->is_number_integer());
    if (whole) field = found->template get<Field>();
  });
  if (!whole) return damaged;
  for (const Json& fault : json["faults"]) {
    if (!fault.is_string()) return damaged;
    state.faults.push_back(fault.get<std::string>());
  }
  return state;
}

Status WriteScrubState(const std::string& path, const ScrubState& state) {
  Json json = {{"graph", state.graph.ToString()}, {"faults", state.faults}};
  VisitFields(state, [&](const char* name, const auto& field) { json[name] = field; });
  return WriteFileAtomically(path, json.dump(1, ' ', false, Json::error_handler_t::replace));
}

}  // namespace edgemill
