#include "cli/ingest/ingest_flags.h"

#include <bit>
#include <vector>

#include "common/strings.h"
#include "loaders/context/graph_schema.h"
#include "storage/catalog/catalog_records.h"

namespace edgemill::cli {

void IngestFlags::EdgeFlags::Declare(OptionSet& options) {
  options.Section("What the edges mean");
  options.Flag("--directed", &directed,
               "each line is one edge (default, unless the format says "
               "otherwise)");
  options.Flag("--undirected", &undirected, "each line is one edge, stored both ways");
  options.Flag("--symmetric", &symmetric,
               "the input holds both directions: checked, and stored once");
  options.Flag("-s,--symmetrize", &symmetrize, "add the directions that are missing");
  options.Choice("--ids", &ids, {"auto", "dense", "sparse", "strings"},
                 "sparse: vertices are the ids that occur, any below 2^64 - 1; dense: all from 0 "
                 "(1, if there is no 0) to the largest; strings: ids are names, UTF-8 of up to 64 "
                 "KiB; auto: strings where the first lines have words for ids, else sparse, but of "
                 "formats that have a range of ids (.sg .mtx .graph .gr .bin32 .bin64) that range");
  options.Number("--vertices", &num_vertices, "N",
                 "vertices are 0 to N - 1, or 1 to N where N occurs and 0 does not",
                 {1, kMaxVertices});
  options.Number("--max-vertex-id", &max_vertex_id, "ID", "a larger id is an error");
  options.Flag("--keep-duplicates", &keep_duplicates, "keep equal edges (default)");
  options.Choice("--merge", &merge, {"first", "min", "max", "sum"},
                 "replace equal edges by one, with this of their weights");
  options.Flag("--keep-loops", &keep_loops, "keep edges from a vertex to itself (default)");
  options.Flag("--drop-loops", &drop_loops, "leave them out");
  options.Texts("--column", &columns, "NAME[:TYPE]",
                "keep a column of CSV, Parquet or --sql beside the edges (repeatable), for run "
                "--weight NAME; TYPE is int32, int64, float, float64, datetime or text (default: "
                "found). The input is read once more for each");
  options.Exclude({"--directed", "--undirected", "--symmetric", "--symmetrize"});
  options.Exclude({"--keep-loops", "--drop-loops"});
  options.Exclude({"--keep-duplicates", "--merge"});
  options.ActsWith("--vertices", "--ids", {"auto", "dense"});
  options.ActsWith("--max-vertex-id", "--ids", {"auto", "dense", "sparse"});
}

void IngestFlags::ExperimentFlags::Declare(OptionSet& options) {
  options.Section("For experiments");
  options.Choice("--codec", &codec, {"auto", "packed"},
                 "auto puts Zstandard over packed blocks where it saves enough");
  options.Number("--block-edges", &block_edges, "N", "edges a block, a power of two", {128, 65536});
  options.Number("--page-edges", &page_edges, "N", "edges a page, a multiple of --block-edges",
                 {1});
  options.Text("--uuid", &uuid, "UUID", "the graph's uuid, for files that come out the same");
}

void IngestFlags::Declare(OptionSet& options, bool own_ids) {
  own_ids_ = own_ids;
  if (own_ids) edges_.Declare(options);
  options.Section("How the graph is stored");
  options.Text("--weights", &weights_, "KIND",
               "none, auto (the input's), int, float, float32, or random:LO:HI:SEED, which gives "
               "both directions of an edge the same weight");
  options.Choice("--columns", &columns_, {"both", "out", "in"},
                 "which directions of a directed graph are stored");
  options.Choice("--weights-in", &weights_in_, {"both", "out", "in"},
                 "which lists of a directed graph have weights");
  options.Choice("--renumber", &renumber_.kind, {"auto", "none", "degree", "hub", "random"},
                 "internal order of vertices; answers stay in the input's ids. auto: by degree, "
                 "unless ids that are near each other are of neighbours");
  options.Number("--renumber-seed", &renumber_.seed, "N", "decides the random order (default 0)");
  options.ActsWith("--renumber-seed", "--renumber", {"random"});
  options.Flag("--resume", &resume_, "go on where an interrupted run of the same command stopped");
  options.Flag("--replace", &replace_, "replace a graph at OUT, once the new one is whole");
  options.NeverSuggest("--replace");
  options.Flag("-v,--verbose", &verbose_, "say how long each stage took");
  options.Texts("--spill", &spill_directories_, "DIR",
                "where edges wait that do not fit --memory (repeatable; default: where blocks go)");
  options.Makes("--spill");
  experiments_.Declare(options);
  options.Exclude({"--resume", "--replace"});
}

StatusOr<WeightChoice> ParseWeights(std::string_view text) {
  using Kind = WeightChoice::Kind;
  WeightChoice choice;
  if (text == "auto") return choice;
  if (text == "none" || text == "int" || text == "float" || text == "float32" ||
      text == "float64") {
    choice.kind = text == "none"      ? Kind::kNone
                  : text == "int"     ? Kind::kInt32
                  : text == "float32" ? Kind::kFloat32
                                      : Kind::kFloat64;
    return choice;
  }
  std::vector<std::string_view> parts;
  for (std::string_view rest = text;;) {
    const size_t colon = rest.find(':');
    parts.push_back(rest.substr(0, colon));
    if (colon == std::string_view::npos) break;
    rest.remove_prefix(colon + 1);
  }
  choice.kind = Kind::kRandom;
  if (parts.size() != 4 || parts[0] != "random" || !ParseNumber(parts[1], &choice.low) ||
      !ParseNumber(parts[2], &choice.high) || !ParseNumber(parts[3], &choice.seed) ||
      choice.low > choice.high) {
    return UsageError(StrCat("--weights: \"", text,
                             "\" is not valid: give none, auto, int, float, float32 or "
                             "random:LO:HI:SEED with whole numbers LO <= HI, such as "
                             "random:1:255:7"));
  }
  return choice;
}

Status IngestFlags::EdgeFlags::Parse(const OptionSet& given, IngestOptions* options) const {
  if (directed) options->direction = EdgeDirection::kDirected;
  if (undirected) options->direction = EdgeDirection::kUndirected;
  if (symmetric) options->direction = EdgeDirection::kSymmetric;
  if (symmetrize) options->direction = EdgeDirection::kSymmetrize;
  options->keep_loops = !drop_loops;
  if (merge == "first") options->duplicates = DuplicateRule::kFirst;
  if (merge == "min") options->duplicates = DuplicateRule::kMin;
  if (merge == "max") options->duplicates = DuplicateRule::kMax;
  if (merge == "sum") options->duplicates = DuplicateRule::kSum;
  if (ids == "dense") options->ids = IdMode::kDense;
  if (ids == "sparse") options->ids = IdMode::kSparse;
  if (ids == "strings") options->ids = IdMode::kStrings;
  if (given.Given("--max-vertex-id")) options->max_vertex_id = max_vertex_id;
  if (given.Given("--vertices")) options->num_vertices = num_vertices;
  for (const std::string& column : columns) {
    ASSIGN_OR_RETURN(options->edge_columns.emplace_back(), ParseEdgeColumn(column));
  }
  return OkStatus();
}

Status IngestFlags::ExperimentFlags::Parse(IngestOptions* options) const {
  if (!std::has_single_bit(block_edges)) {
    return UsageError(StrCat("--block-edges: ", block_edges,
                             " is not a power of two: give one from 128 to 65536"));
  }
  options->block_edges = static_cast<uint32_t>(block_edges);
  if (page_edges > 0) {
    const uint64_t page_blocks = page_edges / block_edges;
    if (page_edges % block_edges != 0 || page_blocks > kMaxPageBlocks) {
      return UsageError(StrCat("--page-edges: ", page_edges,
                               " is not valid: give a multiple of --block-edges, from ",
                               block_edges, " to ", block_edges * kMaxPageBlocks));
    }
    options->page_blocks = static_cast<uint32_t>(page_blocks);
  }
  if (codec == "packed") options->compression = CompressionPolicy::kNever;
  return OkStatus();
}

Status IngestFlags::CheckSource(const EdgeSourceInfo& info, const IngestOptions& options) const {
  ASSIGN_OR_RETURN(const GraphSchema schema, DecideSchema(info, options));
  const auto refuse = [](std::string_view option, std::string_view value, std::string_view why) {
    return UsageError(StrCat(option, " ", value, " is for ", why, ": leave it out"));
  };
  constexpr std::string_view kSymmetric = "directed graphs, and this one is symmetric";
  if (columns_ != "both" && !schema.directed) return refuse("--columns", columns_, kSymmetric);
  if (weights_in_ == "both") return OkStatus();
  if (!schema.weighted && schema.columns.edge_columns == 0) {
    return refuse("--weights-in", weights_in_, "graphs with weights, and this one has none");
  }
  if (!schema.directed) return refuse("--weights-in", weights_in_, kSymmetric);
  if (columns_ == "both" || columns_ == weights_in_) return OkStatus();
  return UsageError(StrCat("--weights-in ", weights_in_, " cannot act with --columns ", columns_,
                           ", which stores no ", weights_in_, "-lists: leave one of them out"));
}

StatusOr<IngestOptions> IngestFlags::Parse(const OptionSet& given,
                                           const std::vector<std::string>& data_directories,
                                           int threads) {
  for (const std::string_view name :
       {"--directed", "--undirected", "--symmetric", "--symmetrize", "--ids", "--max-vertex-id",
        "--keep-duplicates", "--merge", "--keep-loops", "--drop-loops", "--column", "--weights",
        "--columns", "--weights-in", "--renumber", "--renumber-seed", "--codec", "--block-edges",
        "--page-edges"}) {
    changes_graph_ |= given.Given(name);
  }
  IngestOptions options;
  options.data_directories = data_directories;
  options.spill_directories = spill_directories_;
  options.threads = threads;
  options.replace = replace_;
  if (own_ids_) {  // --vertices of generate is another option
    changes_graph_ |= given.Given("--vertices");
    RETURN_IF_ERROR(edges_.Parse(given, &options));
  }
  RETURN_IF_ERROR(experiments_.Parse(&options));
  if (columns_ == "out") options.columns = ColumnChoice::kOut;
  if (columns_ == "in") options.columns = ColumnChoice::kIn;
  if (weights_in_ == "out") options.weights_in = ColumnChoice::kOut;
  if (weights_in_ == "in") options.weights_in = ColumnChoice::kIn;
  if (renumber_.kind == "auto") options.renumbering.reset();
  if (renumber_.kind == "degree") options.renumbering = Renumbering::kDegree;
  if (renumber_.kind == "hub") options.renumbering = Renumbering::kHub;
  if (renumber_.kind == "random") options.renumbering = Renumbering::kRandom;
  options.renumber_seed = renumber_.seed;
  ASSIGN_OR_RETURN(options.weights, ParseWeights(weights_));
  if (!experiments_.uuid.empty()) {
    ASSIGN_OR_RETURN(options.uuid, Uuid::Parse(experiments_.uuid));
  }
  return options;
}

}  // namespace edgemill::cli
