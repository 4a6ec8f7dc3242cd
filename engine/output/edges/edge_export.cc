#include "engine/output/edges/edge_export.h"

#include <algorithm>
#include <charconv>
#include <cstring>
#include <limits>
#include <numeric>
#include <optional>
#include <utility>

#include "common/cancel.h"
#include "common/strings.h"
#include "common/threads/parallel.h"
#include "engine/graph/names/name_text.h"
#include "engine/graph/source_walk.h"
#include "storage/format/group_codec.h"

namespace edgemill {
namespace {

/// The most bytes that an edge takes as text: two ids of 20 digits, a weight of 24, three
/// separators. Names may take more: then only a part of a block's edges is written at a time.
constexpr uint64_t kMaxEdgeBytes = 68;

/// The most bytes that a number or a time takes as text, with the separator.
constexpr uint64_t kMaxValueBytes = 28;

/// The most bytes of an edge as text, with `num_values` beside it. Texts may take more, as names.
uint64_t EdgeBytes(size_t num_values) { return kMaxEdgeBytes + num_values * kMaxValueBytes; }

/// The memory for one block's edges while they are written.
uint64_t TextBytes(const GraphInfo& info, size_t num_values) {
  return info.block_edges *
         (EdgeBytes(num_values) + std::max<size_t>(num_values, 1) * sizeof(double));
}

/// Whether the lists of a direction lack values that the other's have.
bool LacksValues(const GraphStore& store, const std::vector<EdgeValues>& values) {
  return store.info().num_edges > 0 &&
         std::any_of(values.begin(), values.end(),
                     [&](const EdgeValues& one) { return !store.has(one.column); });
}

template <typename Word>
void AppendWord(uint64_t value, std::string* text) {
  const Word word = static_cast<Word>(value);
  text->append(reinterpret_cast<const char*>(&word), sizeof(word));
}

void AppendId(ExternalId id, char end, std::string* text) {
  char digits[24];
  text->append(digits, std::to_chars(digits, digits + sizeof(digits), id).ptr);
  *text += end;
}

}  // namespace

StatusOr<uint64_t> EdgeExport::MemoryBytes(const GraphStore& store, const ExportOptions& options) {
  const GraphInfo& info = store.info();
  if (options.once && info.directed) {
    return UsageError(
        "export: --undirected is for symmetric graphs, and this one is directed: "
        "leave it out");
  }
  if (options.format == ExportFormat::kWeightedList && info.weights == WeightType::kNone) {
    return UsageError("export: the graph has no weights: export it as .el");
  }
  const bool binary =
      options.format == ExportFormat::kPairs32 || options.format == ExportFormat::kPairs64;
  if (binary && HasNames(store)) {
    return UsageError(
        "export: the vertices have names, and this format holds only numbers: export the graph "
        "as .el or .wel");
  }
  return VertexIndex::SizeBytes(info) + ExternalIds::SizeBytes(store) +
         LoadedNames::SizeBytes(store) + VertexMarks::SizeBytes(info.num_vertices) +
         TextBytes(info, ValuesOf(store, options, /*incoming=*/false).size());
}

std::vector<EdgeValues> EdgeExport::ValuesOf(const GraphStore& store, const ExportOptions& options,
                                             bool incoming) {
  if (options.format == ExportFormat::kWeightedList) return ValuesBeside(store, incoming, false);
  if (options.format == ExportFormat::kCsv) return ValuesBeside(store, incoming, true);
  return {};
}

StatusOr<EdgeExport> EdgeExport::Create(const GraphContext& context, const ExportOptions& options) {
  const auto& [store, reader, threads, budget, progress] = context;
  EdgeExport result(store, reader, options);
  const GraphInfo& info = store.info();
  RETURN_IF_ERROR(MemoryBytes(store, options).status());
  result.threads_ = threads;
  // A graph without edges has offsets too.
  result.lists_.incoming = !store.has(ColumnKind::kOutOffsets) ||
                           LacksValues(store, ValuesOf(store, options, /*incoming=*/false));
  result.lists_.values = ValuesOf(store, options, result.lists_.incoming);
  progress.StartStage("loading the index", "vertices", info.num_vertices + 1);
  ASSIGN_OR_RETURN(
      result.index_,
      VertexIndex::Load(context, result.lists_.incoming ? Direction::kIn : Direction::kOut));
  if (info.sparse_ids) progress.StartStage("loading the ids", "vertices", 0);
  ASSIGN_OR_RETURN(result.ids_, ExternalIds::Load(store, reader, threads, budget));
  if (HasNames(store)) progress.StartStage("loading the names", "vertices", 0);
  ASSIGN_OR_RETURN(result.names_, LoadedNames::Load(store, reader, threads, budget));
  ASSIGN_OR_RETURN(result.named_, VertexMarks::Allocate(info.num_vertices, budget,
                                                        "marks of vertices with edges"));
  // The text of some blocks is held, so that it can be written in order: as many as fit in half of
  // the memory that is left.
  const uint64_t block_bytes = TextBytes(info, result.lists_.values.size());
  const uint64_t fitting = budget.available_bytes() / 2 / block_bytes;
  result.window_blocks_ =
      std::max<uint64_t>(1, std::min<uint64_t>(fitting, static_cast<uint64_t>(threads) * 4));
  ASSIGN_OR_RETURN(result.reservation_,
                   budget.Reserve(result.window_blocks_ * block_bytes, "edges to be written"));
  return result;
}

Status EdgeExport::Run(OutputFile& output, Progress& progress) {
  const ColumnKind column = lists_.incoming ? ColumnKind::kInNeighbors : ColumnKind::kOutNeighbors;
  const uint64_t num_blocks = store_.column(column).num_blocks;
  progress.StartStage("export", "edges", store_.info().num_edges);
  if (options_.format == ExportFormat::kCsv) {
    std::string header = "source,target";
    for (const EdgeValues& values : lists_.values) AppendNameField(values.name(), &(header += ','));
    RETURN_IF_ERROR(output.Write(header + '\n'));
  }
  for (uint64_t block = 0; block < num_blocks && !output.reader_left();) {
    const uint64_t end = std::min(num_blocks, block + window_blocks_);
    RETURN_IF_ERROR(WriteWindow(block, end, output, progress));
    block = end;
  }
  return OkStatus();
}

std::vector<ColumnKind> EdgeExport::Columns() const {
  std::vector<ColumnKind> columns = {lists_.incoming ? ColumnKind::kInNeighbors
                                                     : ColumnKind::kOutNeighbors};
  if (!lists_.values.empty()) columns.push_back(lists_.values[0].column);
  return columns;
}

Status EdgeExport::ReadValues(size_t i, uint64_t begin, std::vector<BlockText>* texts) {
  std::vector<uint64_t> blocks(texts->size());
  std::iota(blocks.begin(), blocks.end(), begin);
  const std::vector<ColumnKind> columns = {lists_.values[i].column};
  const std::unique_ptr<BlockStream> stream = reader_.Start(columns, std::move(blocks));
  return RunThreads(threads_, [&](int /*thread*/) -> Status {
    while (true) {
      ASSIGN_OR_RETURN(const std::optional<BlockLease> lease, stream->Next());
      if (!lease.has_value()) return OkStatus();
      ASSIGN_OR_RETURN(
          (*texts)[lease->block() - begin].values[i],
          DecodeValues(lists_.values[i], store_.block_values(columns[0], lease->block()),
                       lease->payload(0)));
    }
  });
}

Status EdgeExport::WriteWindow(uint64_t begin, uint64_t end, OutputFile& output,
                               Progress& progress) {
  const std::vector<ColumnKind> columns = Columns();
  std::vector<uint64_t> blocks(end - begin);
  std::iota(blocks.begin(), blocks.end(), begin);
  std::vector<BlockText> texts(end - begin);
  for (BlockText& text : texts) text.values.resize(lists_.values.size());
  for (size_t i = 1; i < lists_.values.size(); ++i) RETURN_IF_ERROR(ReadValues(i, begin, &texts));
  const std::unique_ptr<BlockStream> stream = reader_.Start(columns, std::move(blocks));
  RETURN_IF_ERROR(RunThreads(threads_, [&](int /*thread*/) -> Status {
    while (true) {
      ASSIGN_OR_RETURN(const std::optional<BlockLease> lease, stream->Next());
      if (!lease.has_value()) return OkStatus();
      RETURN_IF_ERROR(FormatBlock(*lease, &texts[lease->block() - begin]));
    }
  }));
  for (uint64_t block = begin; block < end; ++block) {
    BlockText& text = texts[block - begin];
    for (uint32_t first = 0;; first = text.next) {
      RETURN_IF_ERROR(output.Write(text.text));
      num_written_ += text.edges;
      progress.Advance(text.next - first, text.text.size());
      if (text.next == store_.block_values(columns[0], block)) break;
      // Long names: the block is read again for the rest of its edges.
      const std::unique_ptr<BlockStream> rest = reader_.Start(columns, {block});
      ASSIGN_OR_RETURN(const std::optional<BlockLease> lease, rest->Next());
      RETURN_IF_ERROR(FormatBlock(lease.value(), &text));
    }
    text = BlockText();
  }
  return OkStatus();
}

void EdgeExport::AppendVertex(VertexId vertex, char end, CachedName* cached_name,
                              std::string* text) const {
  const ExternalId id = ids_.Of(vertex);
  if (names_.empty()) return AppendId(id, end, text);
  AppendNameField(cached_name->Of(names_, id), text);
  *text += end;
}

Status EdgeExport::AppendValues(uint32_t edge, char separator, BlockText* result) const {
  for (size_t i = 0; i < lists_.values.size(); ++i) {
    result->text += separator;
    RETURN_IF_ERROR(AppendValue(lists_.values[i], result->values[i][edge], &result->text));
  }
  result->text += '\n';
  return OkStatus();
}

Status EdgeExport::AppendEdge(VertexId source, VertexId target, uint32_t edge,
                              BlockText* result) const {
  std::string* const text = &result->text;
  switch (options_.format) {
    case ExportFormat::kEdgeList:
      AppendVertex(source, ' ', &result->source, text);
      AppendVertex(target, '\n', &result->target, text);
      break;
    case ExportFormat::kWeightedList:
    case ExportFormat::kCsv: {
      const char separator = options_.format == ExportFormat::kCsv ? ',' : ' ';
      AppendVertex(source, separator, &result->source, text);
      AppendVertex(target, separator, &result->target, text);
      text->pop_back();
      return AppendValues(edge, separator, result);
    }
    case ExportFormat::kPairs32: {
      const ExternalId larger = std::max(ids_.Of(source), ids_.Of(target));
      if (larger > std::numeric_limits<uint32_t>::max()) {
        return BadDataError(
            StrCat("export: id ", larger, " does not fit 32 bits: export as .bin64"));
      }
      AppendWord<uint32_t>(ids_.Of(source), text);
      AppendWord<uint32_t>(ids_.Of(target), text);
      break;
    }
    case ExportFormat::kPairs64:
      AppendWord<uint64_t>(ids_.Of(source), text);
      AppendWord<uint64_t>(ids_.Of(target), text);
      break;
  }
  return OkStatus();
}

Status EdgeExport::FormatBlock(const BlockLease& lease, BlockText* result) {
  const ColumnKind column = lists_.incoming ? ColumnKind::kInNeighbors : ColumnKind::kOutNeighbors;
  const uint32_t num_values = store_.block_values(column, lease.block());
  const EdgeIndex begin = lease.block() * store_.info().block_edges;
  const auto damaged = [&](std::string_view what) {
    return DamagedBlock(store_, column, lease.block(), what);
  };
  const StatusOr<PackedView> view = PackedView::Open(lease.payload(0), num_values);
  if (!view.ok()) return damaged(view.status().message());
  if (!lists_.values.empty()) {
    ASSIGN_OR_RETURN(result->values[0],
                     DecodeValues(lists_.values[0], num_values, lease.payload(1)));
  }
  const VertexIndexView index = index_.view();
  SourceWalk walk(index, begin);
  const uint64_t edge_bytes = EdgeBytes(lists_.values.size());
  const uint64_t max_bytes = store_.info().block_edges * edge_bytes;
  const uint32_t first = std::exchange(result->next, num_values);
  result->edges = 0;
  result->text.clear();
  result->text.reserve(max_bytes);
  Status status;
  const auto source_of = [&](uint32_t edge) { return walk.At(begin + edge); };
  VisitNeighbors(*view, 0, num_values, source_of,
                 [&](uint32_t edge, VertexId vertex, VertexId neighbor) {
                   if (!status.ok() || edge < first || edge >= result->next) return;
                   if (result->text.size() + edge_bytes > max_bytes && edge > first) {
                     result->next = edge;
                     return;
                   }
                   if (options_.once && neighbor < vertex) return;
                   if (neighbor >= index.num_vertices) {
                     status = damaged(StrCat("edge ", begin + edge, " leads to no vertex"));
                     return;
                   }
                   named_.Add(vertex);
                   named_.Add(neighbor);
                   const VertexId source = lists_.incoming ? neighbor : vertex;
                   const VertexId target = lists_.incoming ? vertex : neighbor;
                   status = AppendEdge(source, target, edge, result);
                   ++result->edges;
                 });
  return status;
}

Status EdgeExport::WriteVertices(OutputFile& output, Progress& progress) const {
  progress.StartStage("writing the vertices", "vertices", store_.info().num_vertices);
  constexpr size_t kTextBytes = size_t{1} << 16;
  std::string text;
  CachedName name;
  for (uint64_t vertex = 0; vertex < store_.info().num_vertices; ++vertex) {
    AppendVertex(static_cast<VertexId>(vertex), '\n', &name, &text);
    progress.Advance(1);
    if (text.size() < kTextBytes) continue;
    RETURN_IF_ERROR(CheckCancelled());
    RETURN_IF_ERROR(output.Write(text));
    text.clear();
  }
  return output.Write(text);
}

}  // namespace edgemill
