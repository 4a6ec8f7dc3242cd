#include "loaders/ingest/ingest.h"

#include "common/cancel.h"
#include "loaders/ingest/ingest_job.h"
#include "loaders/source/name_hash.h"

namespace edgemill {
namespace {

constexpr std::string_view kInputsKey = "ingest.inputs";
constexpr std::string_view kSourceKey = "ingest.source";

/// The file names of the inputs and their total size, which must be the same for --resume.
std::string DescribeInputs(const EdgeSourceInfo& info) {
  std::string text;
  for (const std::string& name : info.names) {
    text += StrCat(name.substr(name.rfind('/') + 1), ", ");
  }
  return StrCat(text, info.input_bytes, " bytes in all");
}

/// Returns UsageError when `wanted` would make another graph than `begun`.
Status CheckSameShape(IngestOptions wanted, const IngestOptions& begun) {
  wanted.data_directories = begun.data_directories;
  wanted.uuid = begun.uuid;
  wanted.replace = begun.replace;
  wanted.threads = begun.threads;
  wanted.name_seed = begun.name_seed;
  if (wanted.Encode() == begun.Encode()) return OkStatus();
  return UsageError(
      "--resume: the options differ from those that the ingest began with: repeat "
      "those, give none, or start over with --replace");
}

/// Whether the ingest can be resumed after this error.
bool Resumable(const Status& status) {
  return status.code() == Code::kIo || status.code() == Code::kCancelled ||
         status.code() == Code::kMissing || status.code() == Code::kPermission;
}

Status SayHowToResume(const Status& status, const std::string& out_path, bool committed,
                      bool replaces) {
  return status.WithMessage(StrCat(
      status.message(), ": ", out_path, committed ? " may be complete: " : " is unfinished: ",
      "the same command with --resume ", replaces ? "in place of --replace " : "", "goes on"));
}

}  // namespace

std::vector<std::string> IngestNotes(const EdgeSourceInfo& info, EdgeDirection direction) {
  std::vector<std::string> notes = info.notes;
  if (direction == EdgeDirection::kAsSource && !info.called_undirected.empty()) {
    notes.push_back(StrCat(info.called_undirected,
                           ": a comment calls it undirected, each line is read as one directed "
                           "edge: --undirected stores both ways"));
  }
  return notes;
}

StatusOr<IngestReport> IngestInto(EdgeSource& source, GraphWriter& writer,
                                  const IngestOptions& options, MemoryBudget& budget,
                                  Progress& progress) {
  return IngestJob(source, writer, options, budget, progress).Run(false);
}

StatusOr<IngestReport> Ingest(EdgeSource& source, const std::string& out_path,
                              const IngestOptions& wanted, MemoryBudget& budget,
                              Progress& progress) {
  IngestOptions options = wanted;
  if (source.info().named && !options.name_seed.has_value()) options.name_seed = DrawNameSeed();
  CreateOptions create;
  if (options.uuid.has_value()) create.uuid = *options.uuid;
  create.data_directories = options.data_directories;
  create.spill_directories = options.spill_directories;
  create.block_edges = options.block_edges;
  create.page_blocks = options.page_blocks;
  create.replace = options.replace;
  create.replaces = options.replaces;
  create.journal = {{std::string(kIngestOptionsKey), options.Encode()},
                    {std::string(kInputsKey), DescribeInputs(source.info())},
                    {std::string(kSourceKey), source.identity()}};
  ASSIGN_OR_RETURN(std::unique_ptr<GraphWriter> writer, GraphWriter::Create(out_path, create));
  StatusOr<IngestReport> report = IngestInto(source, *writer, options, budget, progress);
  if (report.ok()) return report;
  const bool committed = writer->committed();
  writer.reset();
  if (committed || (Resumable(report.status()) && !options.removes_unfinished)) {
    return SayHowToResume(report.status(), out_path, committed, options.replace);
  }
  RETURN_IF_ERROR(Annotate(RemoveGraph(out_path, options.data_directories),
                           StrCat(report.status().message(), "; then")));
  return report;
}

StatusOr<IngestReport> ResumeIngest(EdgeSource& source, const std::string& out_path,
                                    const ResumeOptions& asked, MemoryBudget& budget,
                                    Progress& progress) {
  const IngestOptions& wanted = asked.options;
  ASSIGN_OR_RETURN(std::unique_ptr<GraphWriter> writer,
                   GraphWriter::Resume(out_path, wanted.data_directories));
  const std::optional<std::string> journal = writer->GetJournal(kIngestOptionsKey);
  if (!journal.has_value()) {
    return BadDataError(StrCat(out_path,
                               ": stopped before anything was kept: start over with "
                               "--replace"));
  }
  ASSIGN_OR_RETURN(IngestOptions options, IngestOptions::Decode(*journal));
  if (asked.compares_options) RETURN_IF_ERROR(CheckSameShape(wanted, options));
  if (wanted.name_seed.has_value() && wanted.name_seed != options.name_seed) {
    return UsageError(
        "--resume: --name-seed differs from the one that the ingest began with: give none");
  }
  const std::optional<std::string> inputs = writer->GetJournal(kInputsKey);
  if (inputs.has_value() && *inputs != DescribeInputs(source.info())) {
    return UsageError(StrCat("--resume: the inputs differ from those that the ingest began with (",
                             *inputs, "): give those, or start over with --replace"));
  }
  // Passes for edge columns read the input again, and must understand it as the first pass did.
  if (!options.edge_columns.empty() && writer->GetJournal(kSourceKey) != source.identity()) {
    return UsageError(
        "--resume: an input, or an option by which it is read, differs from what the ingest began "
        "with: give the same --column and other options, or start over with --replace");
  }
  options.threads = wanted.threads;
  StatusOr<IngestReport> report = IngestJob(source, *writer, options, budget, progress).Run(true);
  if (!report.ok() && (writer->committed() || Resumable(report.status()))) {
    return SayHowToResume(report.status(), out_path, writer->committed(), false);
  }
  return report;
}

}  // namespace edgemill
