#include <memory>
#include <utility>

#include "cli/ingest/graph_making.h"
#include "common/os/file.h"
#include "edgemill/c/arguments.h"
#include "edgemill/c/caller.h"
#include "edgemill/c/edge_arrays.h"
#include "edgemill/given_edges.h"
#include "edgemill/operation.h"
#include "loaders/context/ingest_plan.h"
#include "loaders/read/edge_reader.h"

namespace edgemill::c {
namespace {

/// A report as a C caller gets it.
struct HeldReport : edgemill_ingest_report {
  explicit HeldReport(IngestReport report)
      : edgemill_ingest_report{.num_vertices = report.num_vertices,
                               .num_edges = report.num_edges,
                               .input_edges = report.input_edges,
                               .stored_bytes = report.stored_bytes,
                               .bad_lines = report.bad_lines},
        texts(std::move(report.notes)),
        pointers(Pointers(texts)) {
    notes = pointers.data();
    num_notes = pointers.size();
  }

  const std::vector<std::string> texts;
  const std::vector<const char*> pointers;
};

Status IngestFrom(EdgeSource& source, const std::string& out, const IngestArguments& arguments,
                  Operation& operation, const edgemill_ingest_report** report) {
  IngestOptions options = arguments.graph;
  options.threads = operation.threads;
  RETURN_IF_ERROR(arguments.flags.CheckSource(source.info(), options));
  for (const std::string& note : IngestNotes(source.info(), options.direction)) {
    operation.progress.Note(note);
  }
  ASSIGN_OR_RETURN(std::optional<IngestReport> made,
                   cli::PlaceGraph(out, source, arguments.flags, options,
                                   {operation.budget, operation.progress, operation.threads}));
  if (report == nullptr) return OkStatus();
  *report = std::make_unique<HeldReport>(std::move(made).value_or(IngestReport())).release();
  return OkStatus();
}

/// Parses the caller's arguments, and makes the graph from the source that `open` returns.
template <typename Open>
Status IngestForC(Caller& caller, bool of_files, const std::string& out,
                  const edgemill_ingest_report** report, const Open& open) {
  IngestArguments arguments(of_files);
  RETURN_IF_ERROR(arguments.Parse(caller.arguments()));
  const Resources resources =
      caller.ResourcesOf(arguments.shared.memory_bytes, arguments.shared.threads);
  return caller.Serve([&]() -> Status {
    Operation operation(resources);
    ASSIGN_OR_RETURN(const std::unique_ptr<EdgeSource> source, open(arguments, operation));
    return IngestFrom(*source, out, arguments, operation, report);
  });
}

/// Gives the edges of `next`, whose arrays may have any number type, in parts.
class CallersEdges {
 public:
  using NextArrays = std::function<Status(edgemill_edges* edges)>;

  CallersEdges(NextArrays next, EdgeKind kind) : next_(std::move(next)), kind_(kind) {}

  EdgeKind kind() const { return kind_; }

  StatusOr<EdgeArrays> Next() {
    while (parts_.AtEnd()) {
      first_edge_ += edges_.count;
      edges_ = {};
      RETURN_IF_ERROR(next_(&edges_));
      if (edges_.count == 0) return EdgeArrays{};
      RETURN_IF_ERROR(parts_.Begin(edges_, kind_, first_edge_));
    }
    return parts_.Next();
  }

 private:
  const NextArrays next_;
  const EdgeKind kind_;
  EdgeParts parts_;
  edgemill_edges edges_ = {};
  uint64_t first_edge_ = 0;  // of edges_
};

Status IngestGiven(Caller& caller, CallersEdges& edges, const std::string& out,
                   const edgemill_ingest_report** report) {
  const NextEdges next = [&] { return edges.Next(); };
  const EdgeKind kind = edges.kind();
  return IngestForC(
      caller, /*of_files=*/false, out, report,
      [&](const IngestArguments& arguments, Operation&) -> StatusOr<std::unique_ptr<EdgeSource>> {
        const bool wants_names = arguments.graph.ids == IdMode::kStrings;
        if (kind.named ? !wants_names && arguments.graph.ids != IdMode::kAuto : wants_names) {
          return UsageError(StrCat("ingest: --ids cannot act on these edges, which have ",
                                   kind.named ? "names" : "numbers as ids", ": leave it out"));
        }
        return std::unique_ptr<EdgeSource>(
            std::make_unique<GivenEdges>(next, kind.weighted, kind.named));
      });
}

/// The edges of an Arrow stream. Calls the stream on the caller's thread.
class StreamEdges {
 public:
  StreamEdges(Caller& caller, ArrowArrayStream* stream) : caller_(caller), stream_(*stream) {
    stream->release = nullptr;  // moved from
  }
  ~StreamEdges() {
    if (array_.release != nullptr) array_.release(&array_);
    if (schema_.release != nullptr) schema_.release(&schema_);
    if (stream_.release != nullptr) stream_.release(&stream_);
  }
  StreamEdges(const StreamEdges&) = delete;
  StreamEdges& operator=(const StreamEdges&) = delete;

  /// Reads the schema. UsageError where it is not one of edges.
  Status Open() {
    if (stream_.get_schema(&stream_, &schema_) != 0) return Failed();
    const int64_t count = schema_.n_children;
    if (std::string_view(schema_.format) != "+s" || count < 2 || count > 3) {
      return UsageError(
          StrCat("ingest: the Arrow stream has ", count,
                 " columns: give two, of sources and targets, or three, with weights"));
    }
    std::vector<std::string> titles;
    for (int64_t i = 0; i < count; ++i) {
      const char* const name = schema_.children[i]->name;
      titles.emplace_back(name == nullptr ? "" : name);
    }
    ASSIGN_OR_RETURN(places_, EdgeColumns(titles));
    for (size_t i = 0; i < titles.size(); ++i) {
      RETURN_IF_ERROR(CheckFormat(schema_.children[places_[i]]->format, i < 2 && kind().named,
                                  StrCat("values of the column ", QuotedText(titles[places_[i]]))));
    }
    return OkStatus();
  }
  EdgeKind kind() const {
    return {.weighted = schema_.n_children == 3,
            .named = IsOfNames(schema_.children[places_[0]]->format)};
  }

  Status Next(edgemill_edges* edges) {
    Status status;
    caller_.Ask([&] { status = NextBatch(); });
    RETURN_IF_ERROR(status);
    if (array_.release == nullptr) return OkStatus();
    if (array_.null_count > 0) {
      return BadDataError("ingest: the Arrow stream has rows that are null: leave them out");
    }
    edges->count = static_cast<uint64_t>(array_.length);
    edges->sources = Column(0);
    edges->targets = Column(1);
    if (kind().weighted) edges->weights = Column(2);
    return OkStatus();
  }

 private:
  Status Failed() {
    const char* const why = stream_.get_last_error(&stream_);
    return BadDataError(
        StrCat("ingest: the Arrow stream fails: ", why == nullptr ? "it does not say why" : why));
  }

  /// Reads the next batch with rows, or none at the end.
  Status NextBatch() {
    do {
      if (array_.release != nullptr) array_.release(&array_);
      if (stream_.get_next(&stream_, &array_) != 0) return Failed();
    } while (array_.release != nullptr && array_.length == 0);
    return OkStatus();
  }

  /// The i-th of sources, targets and weights.
  edgemill_array Column(size_t i) const {
    const ArrowArray& child = *array_.children[places_[i]];
    const auto* const valid = static_cast<const uint8_t*>(child.buffers[0]);
    return {.values = child.buffers[1],
            .format = schema_.children[places_[i]]->format,
            .valid = child.null_count == 0 ? nullptr : valid,
            .offset = child.offset + array_.offset,
            .text = child.n_buffers > 2 ? static_cast<const char*>(child.buffers[2]) : nullptr};
  }

  Caller& caller_;
  ArrowArrayStream stream_;
  ArrowSchema schema_ = {};
  ArrowArray array_ = {};
  std::array<size_t, 3> places_ = {0, 1, 2};
};

}  // namespace
}  // namespace edgemill::c

using edgemill::Status;
using edgemill::c::Caller;
using edgemill::c::Guarded;

edgemill_error* edgemill_ingest_files(const char* const* files, size_t num_files, const char* out,
                                      const edgemill_call* call,
                                      const edgemill_ingest_report** report) {
  return Guarded([&] {
    Caller caller(call);
    const std::vector<std::string> inputs(files, files + num_files);
    return edgemill::c::IngestForC(
        caller, /*of_files=*/true, out, report,
        [&](const edgemill::c::IngestArguments& arguments, edgemill::Operation& operation)
            -> edgemill::StatusOr<std::unique_ptr<edgemill::EdgeSource>> {
          if (inputs.empty()) {
            return edgemill::UsageError("ingest: there are no inputs: give the files of the edges");
          }
          RETURN_IF_ERROR(arguments.read_flags.CheckBadLinesFile());
          edgemill::ReadOptions read = arguments.read;
          read.table_means = {&operation.budget, operation.threads,
                              edgemill::LeastIngestBytes(arguments.graph),
                              std::string(out) + ".duckdb"};
          read.copies_directory = edgemill::ParentDirectory(edgemill::WithoutTrailingSlashes(out));
          ASSIGN_OR_RETURN(auto source, edgemill::OpenEdgeReader(inputs, read));
          return std::unique_ptr<edgemill::EdgeSource>(std::move(source));
        });
  });
}

edgemill_error* edgemill_ingest_edges(const edgemill_edge_source* source, const char* out,
                                      const edgemill_call* call,
                                      const edgemill_ingest_report** report) {
  return Guarded([&] {
    Caller caller(call);
    const auto next = [&](edgemill_edges* given) {
      int32_t failed = 0;
      caller.Ask([&] { failed = source->next(source->user, given); });
      return failed == 0 ? edgemill::OkStatus()
                         : edgemill::CancelledError(
                               "the function that gives edges has ended the "
                               "ingest");
    };
    edgemill::c::CallersEdges edges(
        next, {.weighted = source->weighted != 0, .named = source->named != 0});
    return edgemill::c::IngestGiven(caller, edges, out, report);
  });
}

edgemill_error* edgemill_ingest_stream(ArrowArrayStream* stream, const char* out,
                                       const edgemill_call* call,
                                       const edgemill_ingest_report** report) {
  return Guarded([&]() -> Status {
    Caller caller(call);
    edgemill::c::StreamEdges of_stream(caller, stream);
    RETURN_IF_ERROR(of_stream.Open());
    edgemill::c::CallersEdges edges([&](edgemill_edges* given) { return of_stream.Next(given); },
                                    of_stream.kind());
    return edgemill::c::IngestGiven(caller, edges, out, report);
  });
}

void edgemill_ingest_report_free(const edgemill_ingest_report* report) {
  const std::unique_ptr<const edgemill::c::HeldReport> owned(
      static_cast<const edgemill::c::HeldReport*>(report));
}
