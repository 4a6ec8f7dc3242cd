#include "loaders/read/reader_checks.h"

#include <algorithm>
#include <filesystem>
#include <utility>

#include "loaders/formats/named/named_input.h"
#include "loaders/read/input_plan.h"
#include "loaders/stream/input_copies.h"
#include "loaders/tables/table_engine.h"
#include "loaders/tables/table_input.h"

namespace edgemill {

StatusOr<ReadOptions> SelectRows(const std::vector<std::string>& paths,
                                 const ReadOptions& options) {
  ReadOptions all = options;
  const std::string condition = std::exchange(all.where, {});
  if (!options.sql.empty()) {
    return UsageError("--where cannot act with --sql: put the condition into the query");
  }
  ASSIGN_OR_RETURN(const std::vector<PlannedInput> plan, PlanInputs(paths, all));
  std::string files;
  for (const PlannedInput& planned : plan) {
    if (planned.role == PlannedInput::Role::kVertices) continue;
    std::error_code ignored;
    if (!std::filesystem::exists(planned.path, ignored)) {
      return MissingError(StrCat(planned.path, ": there is no such file: check the name"));
    }
    if (planned.format != EdgeFormat::kParquet) {
      return UsageError(StrCat(planned.path == "-" ? "standard input" : planned.path,
                               ": --where selects rows of Parquet files: select lines of other "
                               "files with --sql"));
    }
    RETURN_IF_ERROR(CheckNoPattern(planned.path));
    files += StrCat(files.empty() ? "" : ", ", SqlText(planned.path));
    all.selected_files.push_back(planned.path);
  }
  all.sql = StrCat("SELECT * FROM read_parquet([", files, "]) WHERE (", condition, "\n)");
  all.format = EdgeFormat::kAuto;
  return all;
}

Status PrepareReadAgain(const std::vector<std::string>& paths, ReadOptions* options) {
  if (options->edge_columns.empty() || options->copies != nullptr) return OkStatus();
  if (options->empty_weight != EmptyWeight::kError) {
    return UsageError(
        "--empty-weight cannot be given with --column, which needs every value: correct the lines, "
        "leave them out with --sql, or skip them with --bad-lines");
  }
  std::vector<std::string> all = paths;
  if (!options->vertices_file.empty()) all.push_back(options->vertices_file);
  auto copies = std::make_shared<InputCopies>();
  for (const std::string& path : all) {
    std::error_code ignored;
    if (path != "-" && (!std::filesystem::exists(path, ignored) ||
                        std::filesystem::is_regular_file(path, ignored) ||
                        std::filesystem::is_directory(path, ignored))) {
      continue;
    }
    if (options->copies_directory.empty()) {
      return UsageError(StrCat(path == "-" ? "standard input" : path,
                               ": can be read only once, and --column reads the input again for ",
                               "each column: give a file"));
    }
    if (copies->contains(path)) return UsageError(StrCat(path, ": is given twice: give it once"));
    ASSIGN_OR_RETURN((*copies)[path], CopyInput(path, options->copies_directory));
  }
  options->copies = std::move(copies);
  return OkStatus();
}

Status TakeNamesFile(ReadOptions* options) {
  if (options->names_file.empty() || options->vertex_names != nullptr) return OkStatus();
  if (options->ids == IdReading::kNumbers) {
    return UsageError("--names-file gives vertices names: leave out --ids, or say --ids strings");
  }
  if (!options->vertices_file.empty()) {
    return UsageError("--names-file lists all vertices: leave out --vertices-file");
  }
  std::error_code ignored;
  if (options->names_file == "-" ||
      (std::filesystem::exists(options->names_file, ignored) &&
       !std::filesystem::is_regular_file(options->names_file, ignored))) {
    return UsageError(
        StrCat(options->names_file, ": --names-file is read twice: give a file, and no pipe"));
  }
  options->vertex_names = VertexNames::Make(*options);
  return OkStatus();
}

Status CombineInputs(const InputInfo& input, const std::string& name, bool first,
                     EdgeSourceInfo* info) {
  if (first) {
    info->weighted = input.weighted;
    info->integer_weights = input.integer_weights;
    info->values = input.values;
    info->value_name = input.value_name;
    info->undirected = input.undirected;
    info->symmetric = input.symmetric;
    info->usually_dense = input.usually_dense;
    info->least_id = input.min_id;
    return OkStatus();
  }
  info->least_id = std::min(info->least_id, input.min_id);
  if (input.weighted != info->weighted) {
    return UsageError(
        StrCat(name, ": has ", input.weighted ? "weights" : "no weights",
               ", unlike the inputs before it: read all with --weights none, or ingest "
               "them apart"));
  }
  if (input.values != info->values) {
    return UsageError(StrCat(name, ": column ", input.value_name, " looks like another kind of ",
                             "values than in the inputs before it: say --column ", info->value_name,
                             ":text, or another type"));
  }
  if (input.undirected != info->undirected) {
    return UsageError(StrCat(name, ": is ", input.undirected ? "undirected" : "directed",
                             ", unlike the inputs before it: ingest them apart"));
  }
  info->integer_weights = info->integer_weights && input.integer_weights;
  info->symmetric = info->symmetric && input.symmetric;
  info->usually_dense = info->usually_dense && input.usually_dense;
  return OkStatus();
}

}  // namespace edgemill
