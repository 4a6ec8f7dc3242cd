#include <unistd.h>

#include <cerrno>
#include <nlohmann/json.hpp>

#include "cli/command.h"
#include "cli/display/json_text.h"
#include "cli/graphs/command_plans.h"
#include "cli/graphs/graph_opening.h"
#include "common/clock.h"
#include "common/os/file.h"
#include "common/strings.h"
#include "common/units.h"
#include "engine/output/place_json.h"
#include "engine/output/scrub.h"

namespace edgemill::cli {
namespace {

class VerifyCommand : public Command {
 public:
  void Declare(OptionSet& options) override {
    options.Positional("GRAPH", &graph_, true, "the graph directory (NAME.mill)");
    options.Flag("--resume", &resume_, "go on where an interrupted verify stopped");
  }
  std::string_view description() const override {
    return "Reads every block of every column and checks its checksum and identity, that every id\n"
           "is below the number of vertices, that lists are sorted and offsets rise, that counts\n"
           "are those of the catalog, that both directions hold the same edges, and that names "
           "are\n"
           "UTF-8 and sorted. The catalog's root hash is checked first, identity files are too.\n"
           "Lists every bad block; exit code 65 when there is one.\n"
           "Progress is kept in GRAPH/runs/ where that can be written, for --resume.\n";
  }
  Status Run(const OptionSet& options, Session& session) override;

 private:
  Status Report(const Scrub& scrub, double seconds, Session& session) const;

  std::string graph_;
  bool resume_ = false;
};

/// The file that keeps progress. Returns an error when it cannot be written.
StatusOr<std::string> StatePath(const GraphStore& store) {
  const std::string runs = store.path() + "/runs";
  RETURN_IF_ERROR(MakeDirectory(runs));
  if (access(runs.c_str(), W_OK) != 0) return ErrnoError(errno, "write in", runs);
  return runs + "/verify.json";
}

Status VerifyCommand::Report(const Scrub& scrub, double seconds, Session& session) const {
  const ScrubState& state = scrub.state();
  nlohmann::ordered_json places = nlohmann::ordered_json::array();
  for (const FaultPlace& place : state.places) {
    places.push_back(PlaceJson<nlohmann::ordered_json>(place));
  }
  const nlohmann::ordered_json json = {{"command", "verify"},
                                       {"graph", graph_},
                                       {"good", state.faults.empty()},
                                       {"blocks_checked", state.blocks_checked},
                                       {"bytes_checked", state.bytes_checked},
                                       {"blocks_bad", state.blocks_bad},
                                       {"faults", state.faults},
                                       {"places", std::move(places)},
                                       {"seconds", seconds}};
  session.SetJson(JsonText(json));
  std::string text;
  for (const std::string& fault : state.faults) text += StrCat("bad: ", fault, "\n");
  text += StrCat("checked ", FormatCount(state.blocks_checked), " blocks, ",
                 FormatBytes(state.bytes_checked), ", in ", FormatFixed(seconds, 1), " s: ",
                 state.faults.empty() ? "all good"
                                      : StrCat(state.blocks_bad,
                                               " bad blocks, faults in all: ", state.faults.size()),
                 "\n");
  RETURN_IF_ERROR(session.Print(text));
  if (state.faults.empty()) return OkStatus();
  const Code code =
      state.first_fault_code == static_cast<int>(Code::kIo) ? Code::kIo : Code::kBadData;
  return Status(code, StrCat(graph_, ": ", state.blocks_bad, " of ", state.blocks_checked,
                             " blocks are bad, faults in all: ", state.faults.size(),
                             ": restore the graph from a copy, or ingest it again"));
}

Status VerifyCommand::Run(const OptionSet& /*options*/, Session& session) {
  Stopwatch watch;
  ASSIGN_OR_RETURN(const OpenedGraph graph,
                   OpenToReadOnce(graph_, "verify", session, [](const GraphStore& opened) {
                     return StatusOr<uint64_t>(Scrub::MemoryBytes(opened));
                   }));
  const std::unique_ptr<GraphStore>& store = graph.store;
  const std::unique_ptr<BlockReader>& reader = graph.reader;
  const StatusOr<std::string> kept = StatePath(*store);
  const std::string state_path = kept.ok() ? *kept : "";
  ScrubState state;
  if (resume_) {
    if (kept.status().code() == Code::kPermission) {
      return PermissionError(StrCat(graph_,
                                    "/runs: cannot be written, so no progress was kept: "
                                    "run verify without --resume"));
    }
    RETURN_IF_ERROR(kept.status());
    ASSIGN_OR_RETURN(const bool exists, Exists(state_path));
    if (!exists) {
      return MissingError(StrCat(state_path,
                                 ": there is no interrupted verify to go on with: run "
                                 "it without --resume"));
    }
    ASSIGN_OR_RETURN(state, ReadScrubState(state_path, store->info().uuid));
  }
  session.Plan(PlanOfVerify(*store));
  Scrub scrub({*store, *reader, session.threads(), session.budget(), session.progress()},
              state_path, std::move(state));
  const Status status = scrub.Run();
  if (status.code() == Code::kCancelled && !state_path.empty()) {
    return CancelledError(StrCat("verify: stopped after ", scrub.state().blocks_checked,
                                 " blocks: go on with edgemill verify ", graph_, " --resume"));
  }
  RETURN_IF_ERROR(status);
  RETURN_IF_ERROR(scrub.CheckIdentity());
  return Report(scrub, watch.seconds(), session);
}

}  // namespace

std::unique_ptr<Command> MakeVerifyCommand() { return std::make_unique<VerifyCommand>(); }

}  // namespace edgemill::cli
