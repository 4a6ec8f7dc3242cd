#include "engine/run/run.h"

#include <algorithm>
#include <bit>
#include <span>
#include <utility>
#include <vector>

#include "common/threads/parallel.h"
#include "edgemill/edgemill.h"
#include "edgemill/open_graph.h"
#include "edgemill/operation.h"
#include "edgemill/run_on.h"
#include "engine/cost/calibration_file.h"
#include "engine/graph/names/vertex_called.h"
#include "engine/run/algorithm_help.h"

namespace edgemill {
namespace {

constexpr size_t kCopiedRows = size_t{1} << 17;  // by a thread at a time

Device DeviceOf(RunDevice device) {
  switch (device) {
    case RunDevice::kCpu:
      return Device::kCpu;
    case RunDevice::kGpu:
      return Device::kGpu;
    case RunDevice::kHybrid:
      return Device::kHybrid;
    case RunDevice::kAuto:
      break;
  }
  return Device::kAuto;
}

/// Puts ranks in the place of vertices' names among the values.
Status FindVertices(const GraphStore& store, const std::string& algorithm, Operation& operation,
                    OptionValues* values) {
  const std::optional<AlgorithmHelp> help = AlgorithmCalled(algorithm);
  if (!help.has_value()) return OkStatus();
  for (const OptionDeclaration& option : help->options) {
    if (option.kind != OptionKind::kVertex && option.kind != OptionKind::kVertices) continue;
    const OptionValue* const given = values->Find(option.long_name());
    if (given == nullptr) continue;
    const std::string* const name = std::get_if<std::string>(&given->variant());
    if (name == nullptr) continue;
    ASSIGN_OR_RETURN(const ExternalId id,
                     VertexCalled(*name, store, operation.threads, operation.budget));
    values->Set(option.long_name(), InputVertex{id});
  }
  return OkStatus();
}

/// What CopyColumns takes of the memory: the values, and an id for each vertex.
uint64_t ColumnBytes(uint64_t num_vertices, uint64_t num_headings) {
  return num_vertices * (1 + num_headings) * sizeof(uint64_t);
}

/// Copies the vertices' ids and values to an answer. Ids that are 0, 1, 2, ... are left out.
Status CopyColumns(const RunResult& result, const GraphInfo& graph, Operation& operation,
                   RunAnswer* answer) {
  const uint64_t num_vertices = result.num_vertices();
  const size_t width = answer->headings.size();
  ASSIGN_OR_RETURN(const MemoryReservation memory,
                   operation.budget.Reserve(ColumnBytes(num_vertices, width), "the answer"));
  ASSIGN_OR_RETURN(const AnswerRows rows, result.OpenRows(operation.threads));
  const bool is_real = answer->type == ResultType::kReal;
  answer->num_vertices = num_vertices;
  is_real ? answer->reals.resize(num_vertices * width)
          : answer->integers.resize(num_vertices * width);
  const bool has_ids = graph.sparse_ids || graph.id_base != 0;
  if (has_ids) answer->ids.resize(num_vertices);
  RETURN_IF_ERROR(
      ParallelFor(num_vertices, kCopiedRows, operation.threads, [&](size_t begin, size_t end) {
        std::vector<VertexId> vertices(end - begin);
        std::vector<uint64_t> values(end - begin);
        const std::span<ExternalId> ids =
            has_ids ? std::span(answer->ids).subspan(begin, end - begin) : std::span(values);
        RETURN_IF_ERROR(rows.ReadVertices(begin, ids, vertices));
        for (size_t heading = 0; heading < width; ++heading) {
          rows.Read(vertices, static_cast<uint32_t>(heading), values);
          rows.PutIds(values);
          const size_t at = heading * num_vertices + begin;
          if (!is_real) std::copy(values.begin(), values.end(), answer->integers.begin() + at);
          if (!is_real) continue;
          for (size_t i = 0; i < values.size(); ++i) {
            answer->reals[at + i] = std::bit_cast<double>(values[i]);
          }
        }
        return OkStatus();
      }));
  return OkStatus();
}

}  // namespace

StatusOr<RunAnswer> RunOn(const StoreOfRun& opened, RunOptions options, const cli::AnswerFile& file,
                          Operation& operation) {
  const GraphStore& store = opened.store();
  options.shared_reader = opened.reader();
  if (!file.wanted()) {
    options.writing_bytes = ColumnBytes(store.info().num_vertices, 1);
  } else if (!file.is_file()) {
    return UsageError("--output -: standard output is the program's: name a file");
  } else {
    RETURN_IF_ERROR(file.CheckPath());
    RETURN_IF_ERROR(file.CheckNamesPath(store));
    if (const auto help = AlgorithmCalled(options.algorithm)) {
      options.writing_bytes = file.MemoryBytes(store, help->Column(options.values));
    }
  }
  ASSIGN_OR_RETURN(const std::unique_ptr<RunResult> result,
                   Run(store, options, operation.budget, operation.progress));
  RunAnswer answer;
  answer.column = result->value_name();
  answer.type = result->type();
  answer.top = result->top_kind();
  answer.headings = result->headings();
  if (file.wanted()) {
    RETURN_IF_ERROR(
        file.Write(*result, store, {operation.budget, operation.progress, operation.threads}));
  } else {
    RETURN_IF_ERROR(CopyColumns(*result, store.info(), operation, &answer));
  }
  answer.facts = result->facts();
  answer.warnings = result->warnings();
  answer.iterations = result->report().num_iterations;
  answer.seconds = result->report().run_seconds;
  answer.bytes_read = result->report().bytes_read;
  return answer;
}

StatusOr<RunAnswer> Run(const Graph& graph, const std::string& algorithm,
                        const OptionValues& values, const RunSettings& settings) {
  Operation operation(settings.resources);
  ASSIGN_OR_RETURN(const StoreOfRun opened, StoreOfRun::Open(graph, operation));
  RunOptions options;
  options.algorithm = algorithm;
  options.values = values;
  RETURN_IF_ERROR(FindVertices(opened.store(), algorithm, operation, &options.values));
  options.device = DeviceOf(settings.device);
  options.threads = operation.threads;
  options.verify = settings.verify;
  ASSIGN_OR_RETURN(options.gpu.calibration, CalibrationForRun(""));
  return RunOn(opened, std::move(options), cli::AnswerFile(settings.output), operation);
}

std::string_view Version() { return EDGEMILL_VERSION; }

}  // namespace edgemill
