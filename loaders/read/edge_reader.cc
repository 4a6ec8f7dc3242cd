#include "loaders/read/edge_reader.h"

#include <algorithm>
#include <mutex>
#include <utility>

#include "common/cancel.h"
#include "common/thread_annotations.h"
#include "common/threads/turn_queue.h"
#include "loaders/options/label_memory.h"
#include "loaders/read/chunk_ledger.h"
#include "loaders/read/edge_locator.h"
#include "loaders/read/input_plan.h"
#include "loaders/read/open_input.h"
#include "loaders/read/reader_checks.h"
#include "loaders/read/reader_position.h"
#include "loaders/stream/input_stream.h"
#include "loaders/tables/table_engine.h"

namespace edgemill {
namespace {

class EdgeReader final : public EdgeSource {
 public:
  EdgeReader(const std::vector<std::string>& paths, std::vector<std::unique_ptr<Input>> inputs,
             EdgeSourceInfo info, const ReadOptions& options)
      : paths_(paths),
        options_(options),
        inputs_(std::move(inputs)),
        info_(std::move(info)),
        ledger_(options.max_bad_lines, options.bad_lines_file, info_.names,
                [this](size_t input, ReaderPosition* now) { return CheckEnd(input, now); }) {}

  const EdgeSourceInfo& info() const override { return info_; }
  void SetNameSeed(uint64_t seed) override { options_.name_seed = info_.name_seed = seed; }
  uint64_t bad_lines() const override { return ledger_.bad_lines(); }

  SourcePlace place() const override {
    MutexLock lock(mutex_);
    return place_;
  }

  StatusOr<LocatedEdge> Locate(const EdgeMatch& match) const override {
    return LocateEdge(paths_, options_, match);
  }

  StatusOr<std::unique_ptr<EdgeSource>> WithColumn(
      size_t column, std::shared_ptr<TextCodes> codes) const override {
    if (column >= options_.edge_columns.size()) return EdgeSource::WithColumn(column, codes);
    ReadOptions options = options_;
    options.edge_column = column;
    options.text_codes = std::move(codes);
    options.weights_beside =
        std::exchange(options.weights, WeightModeOf(options.edge_columns[column].type));
    options.bad_lines_file.clear();  // the first pass lists them
    return OpenEdgeReader(paths_, options);
  }

  StatusOr<bool> Next(EdgeChunk* chunk) override {
    chunk->sequence = UINT64_MAX;
    RETURN_IF_ERROR(CheckCancelled());
    RawChunk raw;
    LedgerEntry entry;
    uint64_t stored_bytes = 0;
    ASSIGN_OR_RETURN(const bool taken, NextChunk(&raw, &entry, &chunk->sequence, &stored_bytes));
    const uint64_t sequence = chunk->sequence;
    if (!taken) return false;
    if (entry.error.ok()) entry.error = inputs_[entry.input]->Read(&raw);
    // This wait ends, since threads with earlier raw chunks wait only for their reads. After an
    // error, line numbers are not needed.
    turns_.Await(sequence - first_sequence_);
    if (entry.error.ok()) entry.error = inputs_[entry.input]->AssignLineNumbers(&raw);
    turns_.Pass();
    if (entry.error.ok()) {
      chunk->Clear();
      entry.result.max_bad = options_.max_bad_lines;
      entry.error = inputs_[entry.input]->Parse(raw, chunk, &entry.result);
      chunk->input_bytes = raw.text.size() + raw.unread_bytes;
      if (raw.rows != nullptr) chunk->input_bytes += raw.rows->bytes;
      chunk->stored_bytes = stored_bytes;
    }
    entry.end = raw.end;
    entry.ends_input = raw.ends_input;
    chunk->sequence = sequence;
    uint64_t error_sequence = 0;
    Status status = ledger_.Add(sequence, std::move(entry), &error_sequence);
    Finish(std::move(raw), status, error_sequence);
    if (status.ok()) return true;
    chunk->sequence = error_sequence;
    return status;
  }

  std::string identity() const override {
    std::string text = OptionsText();
    for (const EdgeColumnChoice& column : options_.edge_columns) {
      text += StrCat("/column ", QuotedText(column.name), " ", static_cast<int>(column.type));
    }
    text += StrCat("/sql ", QuotedText(options_.sql), "/", QuotedText(options_.vertices_file));
    for (const uint64_t fingerprint : Fingerprints()) text += StrCat("/", fingerprint);
    return text;
  }

  StatusOr<std::string> PositionAfter(uint64_t sequence) override {
    return FormatReaderPosition(ledger_.PositionAfter(sequence), OptionsText(), Fingerprints());
  }

  Status Resume(const std::string& text) override {
    ASSIGN_OR_RETURN(const ReaderPosition position,
                     ParseReaderPosition(text, OptionsText(), info_.names, Fingerprints()));
    MutexLock lock(mutex_);
    CHECK_EQ(next_.sequence, 0u);
    if (position.input > inputs_.size()) return BadDataError("the reader's position is damaged");
    next_ = {position.input, position.next_sequence};
    first_sequence_ = position.next_sequence;
    const bool inside = position.in_input.offset > 0 || position.in_input.record > 0;
    if (next_.input < inputs_.size() && inside) {
      RETURN_IF_ERROR(inputs_[next_.input]->Seek(position.in_input));
      const bool seekable = inputs_[next_.input]->seekable();
      (seekable ? place_.stored_bytes : place_.repeated_bytes) = position.in_input.offset;
    }
    for (size_t i = 0; i < next_.input; ++i) place_.stored_bytes += inputs_[i]->stored_bytes();
    ledger_.Start(position);
    return OkStatus();
  }

 private:
  /// The first of several errors in input order.
  struct FirstError {
    Status status;
    uint64_t sequence = 0;  // of the raw chunk that it is about
    void Record(const Status& error, uint64_t of) {
      if (!status.ok() && sequence <= of) return;
      status = error;
      sequence = of;
    }
  };
  /// The raw chunk to be taken next.
  struct NextPlace {
    size_t input = 0;
    uint64_t sequence = 0;
    uint64_t decompressed = 0;  // stored bytes before it, if its input is compressed
  };

  /// Takes the next raw chunk; false when there is none. An input's error goes into `entry`.
  StatusOr<bool> NextChunk(RawChunk* raw, LedgerEntry* entry, uint64_t* sequence,
                           uint64_t* stored_bytes) {
    MutexLock lock(mutex_);
    *sequence = error_.sequence;
    RETURN_IF_ERROR(error_.status);
    if (next_.input == inputs_.size()) {
      buffers_.clear();  // another reader of the input may follow
      return false;
    }
    if (!buffers_.empty()) {
      raw->buffer = std::move(buffers_.back());
      buffers_.pop_back();
    } else {
      raw->buffer = std::make_unique<RawBuffer>();
    }
    *sequence = next_.sequence++;
    raw->name_seed = options_.name_seed;
    entry->input = next_.input;
    entry->error = inputs_[next_.input]->NextChunk(options_.chunk_bytes, raw);
    if (!entry->error.ok()) error_.Record(entry->error, *sequence);
    *stored_bytes = CountStored(*raw);
    if (raw->ends_input) ++next_.input;
    return true;
  }

  /// The stored bytes of a raw chunk that was taken from next_.input.
  uint64_t CountStored(const RawChunk& raw) REQUIRES(mutex_) {
    uint64_t bytes = raw.text.size() + raw.unread_bytes;
    if (const auto decompressed = inputs_[next_.input]->decompressed_bytes()) {
      bytes = *decompressed - std::exchange(next_.decompressed, raw.ends_input ? 0 : *decompressed);
    }
    place_.stored_bytes += bytes;
    // The earlier process counted the bytes that are read again after a resume.
    return std::exchange(place_.repeated_bytes, 0) > 0 ? 0 : bytes;
  }

  /// Keeps the buffer for the next raw chunk, and an error for every further call.
  void Finish(RawChunk raw, const Status& status, uint64_t sequence) {
    MutexLock lock(mutex_);
    // A buffer that one long line made large goes back to the system.
    if (raw.buffer->capacity() <= 2 * options_.chunk_bytes + 64) {
      buffers_.push_back(std::move(raw.buffer));
    }
    if (!status.ok()) error_.Record(status, sequence);
  }

  /// Called by the ledger when all of an input is parsed.
  Status CheckEnd(size_t input, ReaderPosition* now) {
    const InputTotals& totals = now->totals;
    InputInfo learnt = inputs_[input]->info();
    RETURN_IF_ERROR(inputs_[input]->CheckEnd(totals, &learnt));
    const size_t known = inputs_[input]->info().notes.size();
    info_.notes.insert(info_.notes.end(), learnt.notes.begin() + static_cast<ptrdiff_t>(known),
                       learnt.notes.end());
    now->symmetric_inputs += learnt.symmetric && totals.bad_lines == 0;
    NoteLeftOut(info_.names[input], learnt, totals);
    if (input + 1 == inputs_.size()) {
      info_.symmetric = now->symmetric_inputs == inputs_.size();
      for (const auto& [reason, count] : now->reasons) {
        info_.notes.push_back(
            StrCat(count, " of ", now->bad_lines, " bad lines skipped: ", reason));
      }
    }
    inputs_[input]->CloseWhileIdle();
    return OkStatus();
  }

  /// Adds notes about the lines that were left out.
  void NoteLeftOut(const std::string& name, const InputInfo& input, const InputTotals& totals) {
    const char* const what = input.only_vertices ? "vertices" : "edges";
    const auto note_comments = [&](uint64_t lines, const char* where, const char* advice) {
      if (lines == 0) return;
      const bool one = lines == 1;
      info_.notes.push_back(
          StrCat(name, ": ", lines, one ? " line " : " lines ", where, " the ", what,
                 one ? " begins as a comment does, and is" : " begin as comments do, and are",
                 " left out", advice));
    };
    if (input.reports_comments) {
      note_comments(input.leading_comments + totals.leading_comments, "before", "");
    }
    note_comments(totals.comments, "among", ": --comment says what begins one");
    NoteWeights(name, totals);
    if (totals.missing_ids == 0) return;
    info_.notes.push_back(
        StrCat(name, ": ", totals.missing_ids, " of ", totals.bad_lines,
               " bad lines have no id, or a mark of a missing value such as NULL"));
  }

  /// Adds notes about the weights that were not read as they are.
  void NoteWeights(const std::string& name, const InputTotals& totals) {
    const auto note = [&](uint64_t count, std::string_view one, std::string_view many) {
      if (count > 0) info_.notes.push_back(StrCat(name, ": ", count, count == 1 ? one : many));
    };
    note(totals.cleaned_weights,
         " weight has a separator of thousands, a decimal comma or a currency, which is understood",
         " weights have separators of thousands, decimal commas or currencies, which are "
         "understood");
    note(totals.skipped_weights, " edge without a weight is left out (--empty-weight skip)",
         " edges without a weight are left out (--empty-weight skip)");
    note(totals.filled_weights, " edge without a weight has weight 1 (--empty-weight 1)",
         " edges without a weight have weight 1 (--empty-weight 1)");
  }

  std::string OptionsText() const {
    std::string text =
        StrCat(static_cast<int>(options_.format), "/", options_.base, "/",
               static_cast<int>(options_.weights), "/", static_cast<int>(options_.header), "/",
               options_.chunk_bytes, "/", options_.max_line_bytes, "/", options_.max_bad_lines, "/",
               QuotedText(options_.comment), "/", QuotedText(options_.delimiter), "/",
               static_cast<int>(options_.quote), "/", options_.skip_lines, "/",
               static_cast<int>(options_.empty_weight), "/", options_.decimal_comma);
    for (const std::string& column : options_.csv_columns) text += "/" + column;
    if (info_.named) text += StrCat("/names/", options_.name_seed);
    return text;
  }

  std::vector<uint64_t> Fingerprints() const {
    std::vector<uint64_t> fingerprints;
    for (const auto& input : inputs_) fingerprints.push_back(input->fingerprint());
    return fingerprints;
  }

  const std::vector<std::string> paths_;
  ReadOptions options_;
  std::vector<std::unique_ptr<Input>> inputs_;
  EdgeSourceInfo info_;
  ChunkLedger ledger_;
  TurnQueue turns_;              // the order in which raw chunks get their line numbers
  uint64_t first_sequence_ = 0;  // the raw chunk with the first turn

  mutable Mutex mutex_;
  NextPlace next_ GUARDED_BY(mutex_);
  SourcePlace place_ GUARDED_BY(mutex_);
  std::vector<std::unique_ptr<RawBuffer>> buffers_ GUARDED_BY(mutex_);
  FirstError error_ GUARDED_BY(mutex_);  // what further calls return
};

/// An input that was opened, and how it is understood.
struct OpenedInput {
  std::unique_ptr<Input> input;
  InputPreview preview;
};

/// Opens all of `plan`.
StatusOr<std::vector<OpenedInput>> OpenInputs(const std::vector<PlannedInput>& plan,
                                              const ReadOptions& given) {
  ReadOptions options = given;
  std::vector<OpenedInput> opened;
  for (const PlannedInput& planned : plan) {
    InputPreview preview;
    const bool is_previewed = opened.size() < EdgeSourceInfo::kMaxPreviews;
    ASSIGN_OR_RETURN(std::unique_ptr<Input> input,
                     OpenInput(planned, options, is_previewed ? &preview : nullptr));
    if (options.ids == IdReading::kNames && !input->info().named) {
      return UsageError(StrCat(input->name(), ": has numbers as ids by its format: names are read ",
                               "from edge lists (el, wel, csv) and lists of vertices"));
    }
    options = OptionsAfter(input->info(), options);
    input->CloseWhileIdle();
    opened.push_back({std::move(input), std::move(preview)});
  }
  return opened;
}

/// The same. If some inputs have names, numbers in the other inputs are names too. Then sets
/// `options->ids`, and adds the reason to `notes`.
StatusOr<std::vector<OpenedInput>> OpenWithSameIds(const std::vector<PlannedInput>& plan,
                                                   ReadOptions* options,
                                                   std::vector<std::string>* notes) {
  ASSIGN_OR_RETURN(std::vector<OpenedInput> opened, OpenInputs(plan, *options));
  const auto named = [](const OpenedInput& one) { return one.input->info().named; };
  const auto some = std::find_if(opened.begin(), opened.end(), named);
  if (some == opened.end()) return opened;
  options->ids = IdReading::kNames;
  const std::string& because = some->input->info().named_because;
  if (!because.empty()) notes->push_back(because);
  if (std::all_of(opened.begin(), opened.end(), named)) return opened;
  for (const PlannedInput& planned : plan) {
    if (planned.path != "-") continue;
    return UsageError(
        StrCat(some->input->name(), ": has names, other inputs have numbers: give --ids strings"));
  }
  return OpenInputs(plan, *options);
}

}  // namespace

StatusOr<std::unique_ptr<EdgeSource>> OpenEdgeReader(const std::vector<std::string>& paths,
                                                     const ReadOptions& options) {
  if (paths.empty() && options.sql.empty()) {
    return UsageError("no input: give files, or - for standard input");
  }
  if (!options.where.empty()) {
    ASSIGN_OR_RETURN(const ReadOptions selected, SelectRows(paths, options));
    return OpenEdgeReader({}, selected);
  }
  if (options.base > 1) return UsageError("--base is 0 or 1");
  ReadOptions alike = options;
  RETURN_IF_ERROR(PrepareReadAgain(paths, &alike));
  if (alike.tables == nullptr) alike.tables = std::make_shared<TableEngine>(options.table_means);
  if (alike.label_memory == nullptr) {
    alike.label_memory = std::make_shared<LabelMemory>(options.table_means.budget);
  }
  RETURN_IF_ERROR(TakeNamesFile(&alike));
  ASSIGN_OR_RETURN(const std::vector<PlannedInput> plan, PlanInputs(paths, options));
  EdgeSourceInfo info;
  ASSIGN_OR_RETURN(std::vector<OpenedInput> opened, OpenWithSameIds(plan, &alike, &info.notes));
  info.named = alike.ids == IdReading::kNames;
  info.name_seed = alike.name_seed;
  std::vector<std::unique_ptr<Input>> inputs;
  size_t with_edges = 0;
  size_t with_count = 0;
  bool all_listed = true;
  bool edges_known = true;
  for (size_t i = 0; i < plan.size(); ++i) {
    const PlannedInput& planned = plan[i];
    std::unique_ptr<Input> input = std::move(opened[i].input);
    const bool is_previewed = info.previews.size() < info.kMaxPreviews;
    const InputInfo& one = input->info();
    info.names.push_back(input->name());
    info.input_bytes += input->stored_bytes();
    const bool is_extra_list = one.only_vertices && !planned.lists_all_vertices;
    all_listed = all_listed && (planned.lists_all_vertices || is_extra_list);
    if (!one.only_vertices) {
      RETURN_IF_ERROR(CombineInputs(one, input->name(), with_edges++ == 0, &info));
      if (is_previewed) {
        info.previews.push_back(std::move(opened[i].preview));
        info.notes.insert(info.notes.end(), one.notes.begin(), one.notes.end());
        if (one.called_undirected && info.called_undirected.empty()) {
          info.called_undirected = input->name();
        }
      }
      edges_known = edges_known && one.expected_edges.has_value();
      if (edges_known) info.expected_edges = info.expected_edges.value_or(0) + *one.expected_edges;
    }
    if (one.num_vertices && (with_count == 0 || one.first_id == info.first_id)) {
      info.num_vertices = std::max(info.num_vertices.value_or(0), *one.num_vertices);
      info.first_id = one.first_id;
      ++with_count;
    }
    inputs.push_back(std::move(input));
  }
  if (!edges_known) info.expected_edges.reset();
  if (with_count != with_edges) {  // an input has no vertex count, or another first id
    info.num_vertices.reset();
    info.first_id = 0;
  }
  info.has_vertex_list = all_listed;
  info.ordered = options.sql.empty();
  return std::unique_ptr<EdgeSource>(
      std::make_unique<EdgeReader>(paths, std::move(inputs), std::move(info), alike));
}

}  // namespace edgemill
