#include "engine/output/tables/table_writer.h"

#include <algorithm>
#include <atomic>
#include <bit>
#include <utility>

#include "common/cancel.h"
#include "common/check.h"
#include "common/strings.h"
#include "common/threads/parallel.h"
#include "common/threads/turn_queue.h"

namespace edgemill {
namespace {

/// A row group of Parquet has at most so many rows: DuckDB's own have nearly as many.
constexpr uint64_t kMostRows = uint64_t{1} << 17;
/// Texts take space that is not known before, and their rows must seldom fill OutputRows: what is
/// beyond is made while other threads wait.
constexpr uint64_t kTextRows = uint64_t{1} << 15;
/// What a thread takes: rows, their ids, and their bytes in the file.
constexpr uint64_t kThreadBytes = uint64_t{12} << 20;

/// The .npy file `path` with another suffix.
std::string Beside(const std::string& path, std::string_view suffix) {
  constexpr std::string_view kSuffix = ".npy";
  CHECK(path.ends_with(kSuffix));
  return StrCat(path.substr(0, path.size() - kSuffix.size()), suffix);
}

bool HasTexts(const std::vector<OutputColumn>& columns) {
  return std::any_of(columns.begin(), columns.end(), [](const OutputColumn& column) {
    return column.type == OutputColumn::Type::kText;
  });
}

std::unique_ptr<TableEncoder> MakeEncoder(const TableOptions& options) {
  switch (options.format) {
    case TableFormat::kNumpy:
      return MakeNumpyEncoder(options.columns, options.num_rows);
    case TableFormat::kParquet:
      return MakeParquetEncoder(options.columns);
    case TableFormat::kArrow:
      return MakeArrowEncoder(options.columns);
    case TableFormat::kText:
    case TableFormat::kTabs:
    case TableFormat::kComma:
      break;
  }
  return MakeLineEncoder(options.columns, {.between = FieldEnd(options.format),
                                           .has_header = options.format == TableFormat::kComma,
                                           .missing_number = options.missing_number,
                                           .missing_text = options.missing_text});
}

}  // namespace

StatusOr<TableFormat> TableFormatOf(const std::string& path) {
  const auto has = [&](std::string_view suffix) { return path.ends_with(suffix); };
  if (path == "-" || has(".txt") || IsDeviceName(path)) return TableFormat::kText;
  if (has(".tsv")) return TableFormat::kTabs;
  if (has(".csv")) return TableFormat::kComma;
  if (has(".npy")) return TableFormat::kNumpy;
  if (has(".parquet")) return TableFormat::kParquet;
  if (has(".arrow")) return TableFormat::kArrow;
  return UsageError(StrCat("--output ", path, ": the suffix names no format: end the name in ",
                           kTableSuffixes, ", or give - for standard output"));
}

bool IsText(TableFormat format) {
  return format == TableFormat::kText || format == TableFormat::kTabs ||
         format == TableFormat::kComma;
}

char FieldEnd(TableFormat format) {
  return format == TableFormat::kText ? ' ' : format == TableFormat::kTabs ? '\t' : ',';
}

std::string NumpyIdsPath(const std::string& path) { return Beside(path, ".ids.npy"); }
std::string NumpyNamesPath(const std::string& path) { return Beside(path, ".names"); }

std::vector<std::string> NumpyPathsBeside(const std::string& path) {
  if (!path.ends_with(".npy")) return {};
  return {NumpyIdsPath(path), NumpyNamesPath(path)};
}

TableWriter::TableWriter(TableOptions options)
    : options_(std::move(options)), encoder_(MakeEncoder(options_)) {}

StatusOr<TableWriter> TableWriter::Create(const TableOptions& options) {
  CHECK(options.format != TableFormat::kNumpy || options.path.ends_with(".npy"));
  CHECK(options.format == TableFormat::kNumpy || !options.numpy_labels);
  TableWriter writer(options);
  ASSIGN_OR_RETURN(writer.values_, OutputFile::Open(options.path));
  RETURN_IF_ERROR(writer.values_.Write(writer.encoder_->Begin()));
  if (!options.numpy_labels) return writer;
  writer.has_labels_ = true;
  const bool names = options.columns[0].type == OutputColumn::Type::kText;
  ASSIGN_OR_RETURN(writer.labels_, OutputFile::Open(names ? NumpyNamesPath(options.path)
                                                          : NumpyIdsPath(options.path)));
  if (!names) RETURN_IF_ERROR(writer.labels_.Write(NumpyHeader("<u8", options.num_rows)));
  return writer;
}

/// What a thread works with.
struct TableWriter::Worker {
  int thread;
  const Fill& fill;
  OutputRows rows;
  TablePart part;
};

uint64_t TableWriter::ChunkRows() const {
  const uint64_t fitting = OutputRows::kMostBytes / (options_.columns.size() * sizeof(uint64_t));
  return std::min(std::max(std::bit_floor(fitting), uint64_t{1}),
                  HasTexts(options_.columns) ? kTextRows : kMostRows);
}

Status TableWriter::Write(const WriteMeans& means, const Fill& fill, uint64_t fill_bytes) {
  const uint64_t chunk_rows = ChunkRows();
  const uint64_t chunks = (options_.num_rows + chunk_rows - 1) / chunk_rows;
  const uint64_t thread_bytes = kThreadBytes + fill_bytes;
  uint64_t others = std::min<uint64_t>(static_cast<uint64_t>(TeamFor(chunks, 1, means.threads)) - 1,
                                       means.budget.available_bytes() / thread_bytes);
  const StatusOr<MemoryReservation> memory =
      means.budget.Reserve(others * thread_bytes, "rows that are written");
  if (!memory.ok()) others = 0;  // another thread of the process has taken it since
  std::atomic<uint64_t> next{0};
  TurnQueue turns;
  return ShareWork(static_cast<int>(others) + 1, [&](int thread) -> Status {
    Worker worker{thread, fill, OutputRows(options_.columns.size()), {}};
    while (true) {
      const uint64_t chunk = next.fetch_add(1, std::memory_order_relaxed);
      if (chunk >= chunks) return OkStatus();
      const uint64_t first = chunk * chunk_rows;
      const uint64_t end = std::min(first + chunk_rows, options_.num_rows);
      const StatusOr<bool> goes_on = WriteChunk(chunk, first, end, &turns, &worker);
      if (!goes_on.ok()) turns.EndAt(chunk);
      RETURN_IF_ERROR(goes_on.status());
      if (!*goes_on) return OkStatus();
      means.progress.Advance(end - first);
    }
  });
}

StatusOr<bool> TableWriter::WriteChunk(uint64_t chunk, uint64_t first, uint64_t end,
                                       TurnQueue* turns, Worker* worker) {
  bool has_turn = false;
  while (first < end) {
    RETURN_IF_ERROR(CheckCancelled());
    OutputRows& rows = worker->rows;
    TablePart& part = worker->part;
    rows.Clear();
    RETURN_IF_ERROR(worker->fill(worker->thread, first, end - first, &rows));
    CHECK(rows.num_rows() > 0 && rows.num_rows() <= end - first);
    part.num_rows = rows.num_rows();
    part.bytes.clear();
    part.labels.clear();
    part.sizes.clear();
    part.greatest.clear();
    encoder_->Encode(rows, &part);
    if (!has_turn && !turns->Await(chunk)) return false;
    has_turn = true;
    encoder_->Note(part);
    RETURN_IF_ERROR(values_.Write(part.bytes));
    if (has_labels_) RETURN_IF_ERROR(labels_.Write(part.labels));
    first += part.num_rows;
  }
  if (values_.reader_left()) {
    turns->EndAt(chunk + 1);
    return false;
  }
  turns->Pass();
  return true;
}

Status TableWriter::Finish() {
  RETURN_IF_ERROR(values_.Write(encoder_->End()));
  // Labels are finished first: while the values are missing, the result is known to be unfinished.
  if (has_labels_) RETURN_IF_ERROR(labels_.Finish());
  const Status finished = values_.Finish();
  if (!finished.ok() && has_labels_) labels_.Withdraw();
  return finished;
}

}  // namespace edgemill
