#include "cli/graph_making.h"

#include <fcntl.h>
#include <stdio.h>

#include <cerrno>

#include "common/file.h"
#include "common/strings.h"
#include "storage/graph_writer.h"

namespace edgemill::cli {
namespace {

/// Puts the graph at `made` where the one at `out` is, and removes that.
Status TakePlace(const std::string& made, const std::string& out,
                 const std::vector<std::string>& data_directories) {
  if (renameat2(AT_FDCWD, made.c_str(), AT_FDCWD, out.c_str(), RENAME_EXCHANGE) == 0) {
    return RemoveGraph(made, data_directories);
  }
  if (errno != EINVAL && errno != ENOSYS) return ErrnoError(errno, "put in its place", made);
  // The file system cannot exchange two directories in one step.
  RETURN_IF_ERROR(RemoveGraph(out, data_directories));
  return RenameFile(made, out);
}

}  // namespace

StatusOr<IngestReport> MakeGraph(EdgeSource& source, const std::string& out,
                                 const IngestFlags& flags, const IngestOptions& options,
                                 Session& session) {
  std::string trimmed = out;
  while (trimmed.size() > 1 && trimmed.back() == '/') trimmed.pop_back();
  const std::string beside = trimmed + ".replacing";
  const bool replaces =
      flags.replace() && !options.uuid.has_value() && PathExists(trimmed + "/catalog");
  const bool resumes_beside = flags.resume() && PathExists(beside);
  const std::string target = replaces || resumes_beside ? beside : trimmed;
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
