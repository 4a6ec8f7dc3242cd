// edgemill pairs: similarities of given pairs of vertices.
#include <algorithm>
#include <bit>
#include <charconv>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "cli/command.h"
#include "cli/display/json_text.h"
#include "cli/graphs/graph_opening.h"
#include "cli/pairs/pair_flags.h"
#include "cli/pairs/pairs_file.h"
#include "common/buffer.h"
#include "common/clock.h"
#include "common/random.h"
#include "common/strings.h"
#include "common/units.h"
#include "engine/api/top_list.h"
#include "engine/graph/loaded_graph.h"
#include "engine/graph/names/name_text.h"
#include "engine/output/output_file.h"
#include "engine/output/pairs/pair_similarity.h"
#include "engine/output/tables/table_writer.h"
#include "engine/verify/pair_check.h"

namespace edgemill::cli {
namespace {

class PairsCommand : public Command {
 public:
  void Declare(OptionSet& options) override {
    options.Positional("GRAPH", &graph_, true, "the graph directory (NAME.mill)");
    options.Positional("PAIRS", &pairs_, true,
                       "a file with two vertices a line, by ids or names, or - for standard input");
    options.Reads("PAIRS");
    flags_.Declare(options);
    options.Text("-o,--output", &output_, "FILE",
                 StrCat("write the pairs and their values, in the order of PAIRS: ", kRowSuffixes,
                        ", or - for standard output"));
    options.WritesTo("--output");
    options.Number("--top", &top_, "N", "show the N pairs of greatest value (default 5)",
                   {.least = 0, .most = 1000000});
    options.Flag("-v,--verify", &verify_,
                 "check values by their definition: of all pairs, or of 64 of them");
    options.Flag("--force", &force_, "replace files that exist");
    options.NeverSuggest("--force");
  }
  std::string_view description() const override {
    return "Neighbours are distinct vertices: duplicates of an edge count once, loops never. A "
           "pair that\n"
           "shares no neighbour has 0. edgemill help run similarity explains the measures, and "
           "that\n"
           "algorithm compares one vertex with all others. A vertex may be compared with itself "
           "here.\n"
           "Lists of the vertices in pairs are read into --memory, 4 bytes a neighbour. If they do "
           "not all\n"
           "fit, they are read in parts, several times. Values do not depend on that, or on "
           "threads.\n";
  }
  Status Run(const OptionSet& options, Session& session) override;

 private:
  Status Write(const InputPairs& pairs, std::span<const double> values, TableFormat format,
               const Means& means) const;
  /// Puts the pairs of greatest value into `text` and `json`.
  void ShowTop(const InputPairs& pairs, std::span<const double> values, std::string* text,
               nlohmann::ordered_json* json) const;

  std::string graph_;
  std::string pairs_;
  PairFlags flags_;
  std::string output_;
  uint64_t top_ = 5;
  bool verify_ = false;
  bool force_ = false;
};

/// All pairs, or as many as are checked at a time, chosen at random.
std::vector<CheckedPair> PairsToCheck(std::span<const VertexPair> pairs,
                                      std::span<const double> values) {
  std::vector<CheckedPair> chosen;
  Random random(pairs.size());
  const size_t count = std::min(pairs.size(), kMostCheckedPairs);
  for (size_t i = 0; i < count; ++i) {
    const size_t pair = count == pairs.size() ? i : random.Below(pairs.size());
    chosen.push_back({pairs[pair].one, pairs[pair].other, values[pair]});
  }
  return chosen;
}

/// Vertex `i` of the pairs, two for each, as a field of a text file.
void AppendVertex(const InputPairs& pairs, size_t i, std::string* text) {
  if (!pairs.name_ends.empty()) return AppendNameField(pairs.NameOf(i), text);
  char digits[24];
  const ExternalId id = i % 2 == 0 ? pairs.ids[i / 2].first : pairs.ids[i / 2].second;
  text->append(digits, std::to_chars(digits, digits + sizeof(digits), id).ptr);
}

/// Sets rows of pairs from `first` on.
Status FillRows(const InputPairs& pairs, std::span<const double> values, uint64_t first,
                uint64_t count, OutputRows* rows) {
  const bool has_names = !pairs.name_ends.empty();
  if (has_names) {
    const uint64_t most = count;
    for (count = 0; count < most && !rows->is_full(); ++count) {
      rows->AddText(0, pairs.NameOf(2 * (first + count)));
      rows->AddText(1, pairs.NameOf(2 * (first + count) + 1));
    }
  }
  rows->SetRows(count);
  const std::span<uint64_t> words = rows->Words(2);
  for (size_t i = 0; i < count; ++i) words[i] = std::bit_cast<uint64_t>(values[first + i]);
  if (has_names) return OkStatus();
  const std::span<uint64_t> one = rows->Words(0), other = rows->Words(1);
  for (size_t i = 0; i < count; ++i) std::tie(one[i], other[i]) = pairs.ids[first + i];
  return OkStatus();
}

Status PairsCommand::Write(const InputPairs& pairs, std::span<const double> values,
                           TableFormat format, const Means& means) const {
  const auto type =
      pairs.name_ends.empty() ? OutputColumn::Type::kUint64 : OutputColumn::Type::kText;
  ASSIGN_OR_RETURN(
      TableWriter writer,
      TableWriter::Create(
          {.path = output_,
           .format = format,
           .columns = {{"u", type}, {"v", type}, {"similarity", OutputColumn::Type::kReal}},
           .num_rows = values.size()}));
  RETURN_IF_ERROR(
      writer.Write({means.threads, means.budget, means.progress},
                   [&](int /*thread*/, uint64_t first, uint64_t count, OutputRows* rows) {
                     return FillRows(pairs, values, first, count, rows);
                   }));
  return writer.Finish();
}

void PairsCommand::ShowTop(const InputPairs& pairs, std::span<const double> values,
                           std::string* text, nlohmann::ordered_json* json) const {
  TopList<double> best(top_);
  for (size_t i = 0; i < values.size(); ++i) best.Add({values[i], i});
  nlohmann::ordered_json list = nlohmann::ordered_json::array();
  std::string label = "top pairs";
  for (const auto& [value, pair] : best.Sorted()) {
    nlohmann::ordered_json entry;
    std::string vertices;
    for (const size_t i : {2 * pair, 2 * pair + 1}) {
      if (!vertices.empty()) vertices += ' ';
      AppendVertex(pairs, i, &vertices);
      const char* const key = i % 2 == 0 ? "u" : "v";
      if (!pairs.name_ends.empty()) {
        entry[key] = std::string(pairs.NameOf(i));
      } else {
        entry[key] = i % 2 == 0 ? pairs.ids[pair].first : pairs.ids[pair].second;
      }
    }
    entry["similarity"] = value;
    list.push_back(std::move(entry));
    label.resize(16, ' ');
    *text += StrCat(label, vertices, ": ", FormatSignificant(value), "\n");
    label.clear();
  }
  (*json)["top"] = std::move(list);
}

Status PairsCommand::Run(const OptionSet& /*options*/, Session& session) {
  Stopwatch watch;
  TableFormat format = TableFormat::kText;
  if (!output_.empty()) {
    ASSIGN_OR_RETURN(format, TableFormatOf(output_));
    if (format == TableFormat::kNumpy) {
      return UsageError(StrCat("pairs: --output ", output_,
                               ": a .npy file has no pairs: end the name in ", kRowSuffixes));
    }
    if (output_ == "-") session.ReserveStandardOutput();
    if (output_ != "-") RETURN_IF_ERROR(CheckOutputPath(output_, force_));
  }
  const PairOptions pair_options = flags_.Options();
  ASSIGN_OR_RETURN(
      const OpenedGraph graph,
      OpenToReadOnce(graph_, "pairs", session, [&](const GraphStore& store) -> StatusOr<uint64_t> {
        const uint64_t bytes = PairMemoryBytes(store, /*num_pairs=*/1, pair_options);
        if (!verify_) return bytes;
        return std::max(bytes, VertexIndex::SizeBytes(store.info()) + PairCheckBytes(store.info()));
      }));
  const GraphStore& store = *graph.store;
  ASSIGN_OR_RETURN(const InputPairs pairs,
                   ReadPairs(pairs_, store, *graph.reader, session.means()));
  ASSIGN_OR_RETURN(
      const MemoryReservation memory,
      session.budget().Reserve(pairs.ids.size() * sizeof(double), "the values of pairs"));
  ASSIGN_OR_RETURN(Array<double> values, Array<double>::Allocate(pairs.ids.size()));
  Stopwatch comparing;
  RETURN_IF_ERROR(FindSimilarities(
      {store, *graph.reader, session.threads(), session.budget(), session.progress()},
      pairs.vertices, pair_options, values.span()));
  const double seconds = comparing.seconds();
  if (verify_) {
    const bool is_out = pair_options.neighbors == Direction::kOut || !store.info().directed;
    ASSIGN_OR_RETURN(const std::unique_ptr<LoadedGraph> loaded,
                     LoadedGraph::Load({store, *graph.reader, session.threads(), session.budget(),
                                        session.progress()},
                                       {.out_index = is_out, .in_index = !is_out}));
    RETURN_IF_ERROR(CheckPairs(*loaded, flags_.measure(), !is_out,
                               PairsToCheck(pairs.vertices, values.span())));
  }
  if (!output_.empty()) {
    session.progress().StartStage("writing the answer", "pairs", values.size());
    RETURN_IF_ERROR(Write(pairs, values.span(), format, session.means()));
  }
  nlohmann::ordered_json json = {{"command", "pairs"},          {"graph", graph_},
                                 {"measure", flags_.measure()}, {"pairs", values.size()},
                                 {"seconds", watch.seconds()},  {"comparing_seconds", seconds}};
  if (!output_.empty()) json["output"] = output_;
  const double rate = seconds > 0 ? static_cast<double>(values.size()) / seconds : 0;
  std::string text = StrCat("pairs           ", FormatCount(values.size()), "\ntime            ",
                            FormatFixed(seconds, 3), " s, ", FormatSignificant(rate), " pairs/s\n");
  if (verify_) {
    const size_t checked = std::min(values.size(), kMostCheckedPairs);
    text += StrCat("verified        yes, ", checked, " pairs\n");
    json["verified_pairs"] = checked;
  }
  ShowTop(pairs, values.span(), &text, &json);
  session.SetJson(JsonText(json));
  return session.Print(text);
}

}  // namespace

std::unique_ptr<Command> MakePairsCommand() { return std::make_unique<PairsCommand>(); }

}  // namespace edgemill::cli
