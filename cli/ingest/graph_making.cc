#include "cli/ingest/graph_making.h"

#include <algorithm>
#include <cerrno>
#include <nlohmann/json.hpp>

#include "cli/display/json_text.h"
#include "cli/graphs/command_plans.h"
#include "common/os/file.h"
#include "common/os/file_place.h"
#include "common/strings.h"
#include "storage/catalog/data_directory.h"
#include "storage/catalog/graph_lock.h"
#include "storage/catalog/graph_removal.h"
#include "storage/catalog/graph_state.h"
#include "storage/checkpoint/checkpoint_store.h"
#include "storage/write/graph_writer.h"

namespace edgemill::cli {
namespace {

/// A file that a graph has while it replaces another one. It shows which of two whole graphs is the
/// new one.
std::string MarkOf(const std::string& graph) { return StrCat(graph, "/", kRunsName, "/replacing"); }

/// The state of a graph directory; kEmpty when there is none. Returns an error when it cannot be
/// read.
StatusOr<GraphState> StateOf(const std::string& path) {
  const StatusOr<File> directory = OpenGraphDirectory(path);
  if (directory.status().code() == Code::kMissing) return GraphState::kEmpty;
  if (directory.status().code() == Code::kBadData) return GraphState::kForeign;
  RETURN_IF_ERROR(directory.status());
  ASSIGN_OR_RETURN(const GraphStateReport report, InspectGraph(*directory));
  return report.state;
}

/// Removes the old graph, which the graph at `out` has replaced. Ok when there is none. Prints a
/// note if the old graph is still being read.
Status RemoveReplaced(const std::string& out, const std::vector<std::string>& data_directories,
                      Progress& progress) {
  ASSIGN_OR_RETURN(const bool marked, Exists(MarkOf(out)));
  if (!marked) return OkStatus();
  const std::string beside = ReplacingPath(out);
  ASSIGN_OR_RETURN(const bool exists, Exists(beside));
  const Status removed = exists ? RemoveGraph(beside, data_directories) : OkStatus();
  if (removed.code() == Code::kLocked) {
    progress.Note(StrCat(beside, ": the old graph is in use still: the next --replace, ",
                         "--resume or edgemill remove of ", out, " removes it"));
    return OkStatus();
  }
  if (removed.code() != Code::kMissing) RETURN_IF_ERROR(removed);
  fault::KillPoint("replace.removed");
  return RemoveFile(MarkOf(out));
}

/// Exchanges two graphs, which others may be reading. Commands that remove or make a graph use its
/// path. Both graphs are locked, so that no such command works on the wrong one.
Status ExchangeGraphs(const std::string& a, const std::string& b) {
  std::vector<GraphLock> locks;
  for (const std::string& path : {a, b}) {
    ASSIGN_OR_RETURN(const File directory, OpenGraphDirectory(path));
    ASSIGN_OR_RETURN(GraphLock lock,
                     GraphLock::Acquire(directory, GraphLock::Mode::kShared, /*create=*/true));
    locks.push_back(std::move(lock));
  }
  return ExchangePaths(a, b);
}

/// Puts the graph at `made` in the place of the one at `out`, and removes the old one.
Status MoveIntoPlace(const std::string& made, const std::string& out,
                     const std::vector<std::string>& data_directories, Progress& progress) {
  RETURN_IF_ERROR(InheritPlace(made, out, data_directories));
  fault::KillPoint("replace.inherited");
  RETURN_IF_ERROR(MakeDirectory(StrCat(made, "/", kRunsName)));
  RETURN_IF_ERROR(WriteFileAtomically(MarkOf(made), out));
  fault::KillPoint("replace.marked");
  const Status exchanged = ExchangeGraphs(made, out);
  if (exchanged.code() == Code::kLocked) return WithDoneWork(exchanged, StrCat(made, " is whole"));
  if (!exchanged.ok()) {
    const int error = exchanged.errno_value();
    // The file system cannot exchange directories, or an earlier try has already removed the old
    // one.
    ASSIGN_OR_RETURN(const bool exists, Exists(out));
    if (exists) {
      if (error != EINVAL && error != ENOSYS) return exchanged;
      RETURN_IF_ERROR(RemoveGraph(out, data_directories));
    }
    RETURN_IF_ERROR(RenameFile(made, out));
  }
  RETURN_IF_ERROR(SyncParent(out));
  fault::KillPoint("replace.exchanged");
  return RemoveReplaced(out, data_directories, progress);
}

/// Refuses to make a graph beside the one at `out` when both have the same uuid, and one has blocks
/// outside of its directory. The blocks of both would have the same place, or the same owner.
Status CheckBlocksApart(const std::string& out, const IngestOptions& options) {
  if (!options.uuid.has_value()) return OkStatus();
  ASSIGN_OR_RETURN(const File directory, OpenGraphDirectory(out));
  const StatusOr<GraphIdentity> old = IdentityOf(directory);
  if (!old.ok() || old->graph != *options.uuid) return OkStatus();
  const bool inside = options.data_directories.empty() &&
                      std::none_of(old->directories.begin(), old->directories.end(),
                                   [](const auto& place) { return place.path.starts_with('/'); });
  if (inside) return OkStatus();
  return OutputError(StrCat(out, ": has this --uuid, and blocks of both would lie in data ",
                            "directories by that name: remove it first, or give another --uuid"));
}

}  // namespace

std::string ReplacingPath(const std::string& out) {
  return WithoutTrailingSlashes(out) + ".replacing";
}

namespace {

/// The checkpoints of a graph outside its directory. Nothing where the graph cannot be read.
struct CheckpointsElsewhere {
  std::vector<std::string> directories;
  Uuid graph;
};
CheckpointsElsewhere CheckpointsOf(const std::string& path) {
  const auto directory = OpenGraphDirectory(path);
  if (!directory.ok()) return {};
  const auto identity = IdentityOf(*directory);
  auto noted = NotedCheckpointDirectories(path);
  if (!identity.ok() || !noted.ok()) return {};
  return {*std::move(noted), identity->graph};
}

Status RemoveGraphs(const std::string& out, const std::vector<std::string>& data_directories) {
  const std::string beside = ReplacingPath(out);
  ASSIGN_OR_RETURN(const bool exists, Exists(beside));
  if (!exists) return RemoveGraph(out, data_directories);
  // Checked before anything is removed, so that an error leaves both graphs.
  if (PathExists(out)) RETURN_IF_ERROR(CheckRemovable(out, data_directories));
  // This graph goes first, because it is locked while a --replace is under way.
  RETURN_IF_ERROR(RemoveGraph(beside, data_directories));
  const Status removed = RemoveGraph(out, data_directories);
  // Where directories cannot be exchanged, only the new graph exists for an instant.
  return removed.code() == Code::kMissing && !PathExists(out) ? OkStatus() : removed;
}

}  // namespace

Status RemoveWithRemains(const std::string& out, const std::vector<std::string>& data_directories) {
  const CheckpointsElsewhere checkpoints = CheckpointsOf(out);
  RETURN_IF_ERROR(RemoveGraphs(out, data_directories));
  return WithDoneWork(RemoveCheckpointsIn(checkpoints.directories, checkpoints.graph),
                      "the graph is removed, but not its checkpoints");
}

StatusOr<std::optional<IngestReport>> PlaceGraph(const std::string& out, EdgeSource& source,
                                                 const IngestFlags& flags,
                                                 const IngestOptions& options, const Means& means) {
  std::string trimmed = WithoutTrailingSlashes(out);
  if (IsSymbolicLink(trimmed)) {  // what it points to is made or replaced, and the link stays
    ASSIGN_OR_RETURN(const FilePlace place, PlaceOf(trimmed));
    trimmed = place.path;
  }
  if (const std::string graph = GraphAround(ParentDirectory(trimmed)); !graph.empty()) {
    return OutputError(StrCat(out, ": lies in ", graph,
                              ", which holds a graph and nothing else: name another place"));
  }
  const std::string beside = ReplacingPath(trimmed);
  const std::vector<std::string>& data_directories = options.data_directories;
  ASSIGN_OR_RETURN(const bool marked, Exists(MarkOf(trimmed)));
  const bool replaced = flags.resume() && marked;
  if (flags.replace() || flags.resume()) {
    RETURN_IF_ERROR(RemoveReplaced(trimmed, data_directories, means.progress));
  }
  ASSIGN_OR_RETURN(const bool has_beside, Exists(beside));
  const bool resumes_beside = !replaced && flags.resume() && has_beside;
  GraphState state = GraphState::kEmpty;
  if (resumes_beside) {
    ASSIGN_OR_RETURN(state, StateOf(beside));
  }
  const bool made = state == GraphState::kWhole;
  if (made) {
    RETURN_IF_ERROR(RemoveSpillsOf(beside, data_directories));
    RETURN_IF_ERROR(MoveIntoPlace(beside, trimmed, data_directories, means.progress));
  }
  if (made || replaced) return std::optional<IngestReport>();
  ASSIGN_OR_RETURN(const GraphState old, StateOf(trimmed));
  const bool replaces =
      flags.replace() && (old == GraphState::kWhole || old == GraphState::kDamaged);
  const std::string target = replaces || resumes_beside ? beside : trimmed;
  if (old == GraphState::kWhole && target == trimmed) {
    // Making the graph again is refused. But the command that made it may have been killed at its
    // end.
    const Status cleaned = RemoveSpillsOf(trimmed, data_directories);
    if (cleaned.code() != Code::kLocked) RETURN_IF_ERROR(cleaned);
  }
  IngestOptions making = options;
  if (replaces) {  // checked before any work, because the place must be free at the end
    RETURN_IF_ERROR(CheckRemovable(trimmed, data_directories));
    RETURN_IF_ERROR(CheckBlocksApart(trimmed, options));
    making.replaces = trimmed;
  }
  ASSIGN_OR_RETURN(IngestReport report,
                   flags.resume() ? ResumeIngest(source, target, {making, flags.changes_graph()},
                                                 means.budget, means.progress)
                                  : Ingest(source, target, making, means.budget, means.progress));
  if (target == beside) {
    RETURN_IF_ERROR(MoveIntoPlace(beside, trimmed, data_directories, means.progress));
  }
  return std::optional(std::move(report));
}

Status MakeGraph(const GraphRequest& request, EdgeSource& source, const IngestFlags& flags,
                 const IngestOptions& options, Session& session) {
  const std::string& out = request.out;
  if (const auto schema = DecideSchema(source.info(), options); schema.ok()) {
    session.Plan(PlanOfIngest(source.info(), *schema));
  }
  ASSIGN_OR_RETURN(const std::optional<IngestReport> report,
                   PlaceGraph(out, source, flags, options, session.means()));
  if (!report.has_value()) {
    const nlohmann::ordered_json json = {
        {"command", request.command}, {"graph", out}, {"already_made", true}};
    session.SetJson(JsonText(json));
    return session.Print(StrCat(out, ": had been made, and has taken the old graph's place\n"));
  }
  const Status reported = ReportIngest(request, *report, flags.verbose(), session);
  return WithDoneWork(reported, StrCat(out, " is made and whole"));
}

}  // namespace edgemill::cli
