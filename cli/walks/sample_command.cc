// edgemill sample: samples of the neighbourhoods of given vertices.
#include <algorithm>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <utility>

#include "cli/command.h"
#include "cli/display/json_text.h"
#include "cli/graphs/graph_opening.h"
#include "cli/walks/vertex_list.h"
#include "cli/walks/walk_file.h"
#include "cli/walks/walk_summary.h"
#include "common/clock.h"
#include "common/strings.h"
#include "common/units.h"
#include "engine/output/walks/neighbor_samples.h"

namespace edgemill::cli {
namespace {

/// The fan-outs in `text`, such as 25,10.
StatusOr<std::vector<uint64_t>> ParseFanouts(std::string_view text) {
  std::vector<uint64_t> fanouts;
  while (true) {
    const size_t end = std::min(text.find(','), text.size());
    uint64_t fanout = 0;
    if (!ParseNumber(text.substr(0, end), &fanout) || fanout == 0 || fanout > kMostFanout) {
      return UsageError(StrCat("sample: --fanout: ", QuotedText(text.substr(0, end)),
                               " is not a number from 1 to ", FormatCount(kMostFanout),
                               ": give one for each hop, such as 25,10"));
    }
    fanouts.push_back(fanout);
    if (end == text.size()) break;
    text.remove_prefix(end + 1);
  }
  if (fanouts.size() > kMostHops) {
    return UsageError(
        StrCat("sample: --fanout: ", fanouts.size(), " hops are more than ", kMostHops));
  }
  return fanouts;
}

class SampleCommand : public Command {
 public:
  void Declare(OptionSet& options) override {
    options.Positional("GRAPH", &graph_, true, "the graph directory (NAME.mill)");
    options.Section("Samples");
    options.Text("--fanout", &fanout_, "N,N,...",
                 "edges to take of each vertex, in each hop (default 25,10)");
    options.Text("--from", &from_, "FILE",
                 "sample around the vertices in FILE, an id or a name a line, or - for standard "
                 "input (default: all vertices)");
    options.Reads("--from");
    options.Flag("--replace", &sample_.replace, "draw edges anew each time: one may come twice");
    options.Choice("--neighbors", &neighbors_, {"out", "in"},
                   "which edges of a directed graph lead to the neighbours of a vertex");
    options.Number("--seed", &sample_.seed, "N", "which samples, of all that could be (default 0)");
    options.Section("Answer");
    options.Text("-o,--output", &output_, "FILE",
                 "write the samples, an edge a line: .txt, .tsv or .csv, or - for standard output");
    options.WritesTo("--output");
    options.Flag("--force", &force_, "replace files that exist");
    options.NeverSuggest("--force");
  }
  std::string_view description() const override {
    return "A line has the number of the sample, from 0 on, the hop, from 1 on, a vertex, and the "
           "neighbour\n"
           "that was taken of it. Hop 1 takes neighbours of the start. Each further hop takes "
           "neighbours of\n"
           "those that were found first in the hop before. Without --replace, all edges are taken "
           "of a\n"
           "vertex with no more than the fan-out. Parallel edges are edges of their own. A seed "
           "gives the\n"
           "same samples for any --threads and --memory. Works on processors alone.\n";
  }
  Status Run(const OptionSet& options, Session& session) override;

 private:
  Status Write(uint64_t count, const SampleSink::At& at, const VertexText& names, char between,
               LineFile* file) const;
  /// `seconds` are those of sampling, without writing.
  Status Report(const SampleCounts& counts, double all_seconds, double seconds,
                Session& session) const;

  std::string graph_;
  SampleOptions sample_;
  std::string fanout_ = "25,10";
  std::string from_;
  std::string neighbors_ = "out";
  std::string output_;
  bool force_ = false;
};

Status SampleCommand::Write(uint64_t count, const SampleSink::At& at, const VertexText& names,
                            char between, LineFile* file) const {
  const auto append = [&](uint64_t i, uint64_t begin, uint64_t end, std::string* text) {
    const NeighborSample sample = at(i);
    size_t hop = 0;
    for (; begin < end && !LineFile::IsFull(*text); ++begin) {
      while (begin >= sample.hop_ends[hop]) ++hop;
      *text += StrCat(sample.number);
      *text += between;
      *text += StrCat(hop + 1);
      *text += between;
      names.Append(sample.edges[begin].vertex, text);
      *text += between;
      names.Append(sample.edges[begin].neighbor, text);
      *text += '\n';
    }
    return begin;
  };
  return file->WriteLines({.count = count,
                           .num_parts = [&](uint64_t i) { return at(i).edges.size(); },
                           .append = append});
}

Status SampleCommand::Report(const SampleCounts& counts, double all_seconds, double seconds,
                             Session& session) const {
  nlohmann::ordered_json json = {{"command", "sample"},
                                 {"graph", graph_},
                                 {"samples", counts.samples},
                                 {"edges", counts.edges},
                                 {"fanout", sample_.fanouts},
                                 {"replace", sample_.replace},
                                 {"neighbors", neighbors_},
                                 {"seed", sample_.seed},
                                 {"batches", counts.batches},
                                 {"blocks", counts.blocks},
                                 {"blocks_read", counts.blocks_read},
                                 {"seconds", all_seconds},
                                 {"sampling_seconds", seconds}};
  if (!output_.empty()) json["output"] = output_;
  session.SetJson(JsonText(json));
  const WalkSummary summary{.made = "samples",
                            .num_made = counts.samples,
                            .parts = "edges",
                            .num_parts = counts.edges,
                            .seconds = seconds,
                            .batches = counts.batches,
                            .blocks = counts.blocks,
                            .blocks_read = counts.blocks_read};
  return session.Print(summary.Text());
}

Status SampleCommand::Run(const OptionSet& /*options*/, Session& session) {
  Stopwatch watch;
  ASSIGN_OR_RETURN(sample_.fanouts, ParseFanouts(fanout_));
  sample_.neighbors = neighbors_ == "in" ? Direction::kIn : Direction::kOut;
  TableFormat format = TableFormat::kText;
  if (!output_.empty()) {
    ASSIGN_OR_RETURN(format, CheckTextOutput("sample", output_, force_));
    if (output_ == "-") session.ReserveStandardOutput();
  }
  // No number above this is of use, and sums of it do not overflow.
  constexpr uint64_t kMostBytes = uint64_t{1} << 60;
  ASSIGN_OR_RETURN(
      const OpenedGraph graph,
      OpenToReadOnce(graph_, "sample", session, [&](const GraphStore& store) -> StatusOr<uint64_t> {
        uint64_t bytes = std::min(SampleMemoryBytes(store.info(), sample_), kMostBytes);
        if (!output_.empty()) {
          bytes += VertexText::SizeBytes(store) + LineFile::MemoryBytes(session.threads());
        }
        return BytesWithStarts(from_, store, bytes);
      }));
  const GraphStore& store = *graph.store;
  ASSIGN_OR_RETURN(const VertexList starts,
                   from_.empty() ? AllVertices(store, *graph.reader, session.means())
                                 : ReadVertexList(from_, store, *graph.reader, session.means()));
  std::optional<LineFile> file;
  VertexText names;
  if (!output_.empty()) {
    ASSIGN_OR_RETURN(names, VertexText::Load(store, *graph.reader, session.means()));
    ASSIGN_OR_RETURN(file, LineFile::Open(output_, session.means()));
    if (format == TableFormat::kComma) {
      RETURN_IF_ERROR(file->Write("sample,hop,vertex,neighbor\n"));
    }
  }
  Stopwatch sampling;
  double writing_seconds = 0;
  const SampleSink sink = {[&](uint64_t count, const SampleSink::At& at) -> StatusOr<bool> {
    if (!file.has_value()) return true;
    const Stopwatch writing;
    RETURN_IF_ERROR(Write(count, at, names, FieldEnd(format), &*file));
    writing_seconds += writing.seconds();
    return !file->reader_left();
  }};
  ASSIGN_OR_RETURN(const SampleCounts counts,
                   SampleNeighbors({store, *graph.reader, session.threads(), session.budget(),
                                    session.progress()},
                                   starts.vertices.span(), sample_, sink));
  const double seconds = sampling.seconds() - writing_seconds;
  if (file.has_value()) RETURN_IF_ERROR(file->Finish());
  return Report(counts, watch.seconds(), seconds, session);
}

}  // namespace

std::unique_ptr<Command> MakeSampleCommand() { return std::make_unique<SampleCommand>(); }

}  // namespace edgemill::cli
