#include "cli/graph_making.h"

#include <fcntl.h>
#include <stdio.h>

#include <cerrno>

#include "common/file.h"
#include "common/strings.h"
#include "storage/catalog/graph_state.h"
#include "storage/write/graph_writer.h"

namespace edgemill::cli {
namespace {

/// Puts the graph at `made` where the one at `out` is, and removes that.
Status TakePlace(const std::string& made, const std::string& out,
                 const std::vector<std::string>& data_directories) {
  RETURN_IF_ERROR(InheritPlace(made, out, data_directories));
  if (renameat2(AT_FDCWD, made.c_str(), AT_FDCWD, out.c_str(), RENAME_EXCHANGE) == 0) {
    return RemoveGraph(made, data_directories);
  }
  if (errno != EINVAL && errno != ENOSYS) return ErrnoError(errno, "put in its place", made);
  // The file system cannot exchange two directories in one step.
  RETURN_IF_ERROR(RemoveGraph(out, data_directories));
  return RenameFile(made, out);
}

std::string WithoutTrailingSlashes(std::string path) {
  while (path.size() > 1 && path.ends_with('/')) path.pop_back();
  return path;
}

}  // namespace

std::string ReplacingPath(const std::string& out) {
  return WithoutTrailingSlashes(out) + ".replacing";
}

Status RemoveWithRemains(const std::string& out, const std::vector<std::string>& data_directories) {
  const std::string beside = ReplacingPath(out);
  if (!PathExists(beside)) return RemoveGraph(out, data_directories);
  // First, for it is locked while a --replace is under way.
  RETURN_IF_ERROR(RemoveGraph(beside, data_directories));
  const Status removed = RemoveGraph(out, data_directories);
  // Where two directories cannot change places there is an instant with the new graph alone.
  return removed.code() == Code::kMissing && !PathExists(out) ? OkStatus() : removed;
}

StatusOr<IngestReport> MakeGraph(EdgeSource& source, const std::string& out,
                                 const IngestFlags& flags, const IngestOptions& options,
                                 Session& session) {
  const std::string trimmed = WithoutTrailingSlashes(out);
  const std::string beside = ReplacingPath(trimmed);
  const bool replaces =
      flags.replace() && !options.uuid.has_value() && PathExists(trimmed + "/catalog");
  const bool resumes_beside = flags.resume() && PathExists(beside);
  const std::string target = replaces || resumes_beside ? beside : trimmed;
  if (replaces) {  // what cannot go in the end need not be worked for
    RETURN_IF_ERROR(CheckRemovable(trimmed, options.data_directories));
  }
  ASSIGN_OR_RETURN(IngestReport report,
                   flags.resume()
                       ? ResumeIngest(source, target, options, flags.shapes(), session.budget(),
                                      session.progress())
                       : Ingest(source, target, options, session.budget(), session.progress()));
  if (target == beside) {
    RETURN_IF_ERROR(TakePlace(beside, trimmed, options.data_directories));
  }
  return report;
}

}  // namespace edgemill::cli
