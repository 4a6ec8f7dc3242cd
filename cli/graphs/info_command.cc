#include <nlohmann/json.hpp>

#include "cli/command.h"
#include "cli/display/json_text.h"
#include "cli/display/rate_bounds.h"
#include "cli/graphs/graph_names.h"
#include "cli/graphs/graph_opening.h"
#include "common/strings.h"
#include "common/units.h"
#include "engine/graph/names/name_dictionary.h"
#include "storage/checkpoint/checkpoint_store.h"
#include "storage/read/graph_store.h"

namespace edgemill::cli {
namespace {

using Json = nlohmann::ordered_json;

double BitsPerEdge(uint64_t bytes, EdgeIndex edges) {
  return edges == 0 ? 0 : 8.0 * static_cast<double>(bytes) / static_cast<double>(edges);
}

class InfoCommand : public Command {
 public:
  void Declare(OptionSet& options) override {
    options.Positional("GRAPH", &graph_, true, "the graph directory (NAME.mill)");
  }
  SharedChoices shared() const override { return {.memory = true, .threads = false}; }
  Status Run(const OptionSet& options, Session& session) override;

 private:
  Json Describe(const GraphStore& store) const;
  std::string Render(const GraphStore& store) const;
  std::vector<FoundCheckpoint> checkpoints_;

  std::string graph_;
};

uint64_t TotalBytes(const GraphStore& store) {
  uint64_t total = store.catalog_bytes();
  for (int kind = 0; kind < kNumColumns; ++kind) {
    total += store.column(static_cast<ColumnKind>(kind)).stored_bytes;
  }
  return total;
}

/// The stored bytes of a name; 0 where there are no names.
double BytesPerName(const GraphStore& store) {
  if (!HasNames(store)) return 0;
  const uint64_t bytes = store.column(ColumnKind::kNames).stored_bytes +
                         store.column(ColumnKind::kNameGroups).stored_bytes;
  return static_cast<double>(bytes) / static_cast<double>(store.info().num_vertices);
}

Json InfoCommand::Describe(const GraphStore& store) const {
  const GraphInfo& info = store.info();
  Json columns = Json::array();
  for (int kind = 0; kind < kNumColumns; ++kind) {
    const auto column = static_cast<ColumnKind>(kind);
    if (!store.has(column)) continue;
    const ColumnInfo& sizes = store.column(column);
    columns.push_back({{"name", ColumnName(column)},
                       {"codec", CodecText(column, info)},
                       {"values", sizes.num_values},
                       {"blocks", sizes.num_blocks},
                       {"pages", store.pages(column).size()},
                       {"payload_bytes", sizes.payload_bytes},
                       {"stored_bytes", sizes.stored_bytes},
                       {"bits_per_edge", BitsPerEdge(sizes.stored_bytes, info.num_edges)}});
  }
  Json edge_columns = Json::array();
  for (const EdgeColumn& column : info.edge_columns) {
    edge_columns.push_back({{"name", column.name},
                            {"kind", ValueKindText(column.kind)},
                            {"type", WeightTypeText(column.type)},
                            {"texts", column.texts.size()}});
  }
  Json directories = Json::array();
  for (const DataDirectoryInfo& directory : store.data_directories()) {
    directories.push_back({{"path", directory.path},
                           {"uuid", directory.uuid.ToString()},
                           {"stored_bytes", directory.stored_bytes}});
  }
  Json checkpoints = Json::array();
  for (const FoundCheckpoint& found : checkpoints_) {
    checkpoints.push_back({{"path", found.path},
                           {"run", found.run},
                           {"passes", found.passes},
                           {"bytes", found.bytes},
                           {"damage", found.damage}});
  }
  return {{"command", "info"},
          {"graph", store.path()},
          {"uuid", info.uuid.ToString()},
          {"vertices", info.num_vertices},
          {"edges", info.num_edges},
          {"directed", info.directed},
          {"ids", HasNames(store)   ? "strings"
                  : info.sparse_ids ? "sparse"
                                    : "dense"},
          {"names", HasNames(store) ? info.num_vertices : 0},
          {"bytes_per_name", BytesPerName(store)},
          {"id_base", info.id_base},
          {"renumbering", RenumberingText(info.renumbering)},
          {"weights", WeightTypeText(info.weights)},
          {"weights_in", WeightedListsText(store)},
          {"negative_weights", info.has_negative_weight},
          {"edge_columns", edge_columns},
          {"self_loops", info.num_self_loops},
          {"duplicates", info.num_duplicates},
          {"block_edges", info.block_edges},
          {"page_edges", uint64_t{info.block_edges} * info.page_blocks},
          {"columns", columns},
          {"catalog_bytes", store.catalog_bytes()},
          {"total_bytes", TotalBytes(store)},
          {"bits_per_edge", BitsPerEdge(TotalBytes(store), info.num_edges)},
          {"data_directories", directories},
          {"checkpoints", checkpoints}};
}

/// `text` with blanks on its left, up to `width`.
std::string Right(std::string_view text, size_t width) {
  return std::string(width - std::min(width, text.size()), ' ') + std::string(text);
}

std::string Left(std::string_view text, size_t width) {
  std::string padded(text);
  padded.resize(std::max(width, padded.size()), ' ');
  return padded;
}

std::string IdsText(const GraphStore& store) {
  if (HasNames(store)) {
    return StrCat("strings: ", FormatCount(store.info().num_vertices), " names, ",
                  FormatFixed(BytesPerName(store), 1), " bytes each as stored");
  }
  return store.info().sparse_ids ? "sparse" : StrCat("dense, from ", store.info().id_base);
}

/// What to say of a graph whose lists of one direction lack weights.
std::string OneWayText(const GraphStore& store) {
  const std::string_view lists = WeightedListsText(store);
  const bool stores_both =
      store.has(ColumnKind::kOutNeighbors) && store.has(ColumnKind::kInNeighbors);
  return stores_both && (lists == "out" || lists == "in") ? StrCat(", of ", lists, "-lists alone")
                                                          : "";
}

std::string InfoCommand::Render(const GraphStore& store) const {
  const GraphInfo& info = store.info();
  std::string text =
      StrCat("graph       ", store.path(), "\nuuid        ", info.uuid.ToString(), "\nvertices    ",
             FormatCount(info.num_vertices), "\nedges       ", FormatCount(info.num_edges),
             info.directed ? ", directed" : ", symmetric (each direction counted)",
             "\nloops       ", FormatCount(info.num_self_loops), "\nduplicates  ",
             FormatCount(info.num_duplicates), "\nids         ", IdsText(store), "\nrenumbered  ",
             RenumberingText(info.renumbering), "\nweights     ", WeightTypeText(info.weights),
             OneWayText(store), info.has_negative_weight ? ", some negative" : "", "\ncolumns     ",
             EdgeColumnsText(info.edge_columns), "\nblocks of   ", FormatCount(info.block_edges),
             " values, pages of ", FormatCount(uint64_t{info.block_edges} * info.page_blocks),
             " edges\n\n");
  const bool shows_rates = info.num_edges >= kMinEdgesForRates;
  text += StrCat(Left("column", 18), Left("codec", 26), Right("values", 15), Right("blocks", 9),
                 Right("stored", 11), shows_rates ? Right("bits/edge", 11) : "", "\n");
  const auto row = [&](std::string_view name, const std::string& codec, const std::string& values,
                       const std::string& blocks, uint64_t bytes) {
    text += StrCat(Left(name, 18), Left(codec, 26), Right(values, 15), Right(blocks, 9),
                   Right(FormatBytes(bytes), 11),
                   shows_rates ? Right(FormatFixed(BitsPerEdge(bytes, info.num_edges), 2), 11) : "",
                   "\n");
  };
  for (int kind = 0; kind < kNumColumns; ++kind) {
    const auto column = static_cast<ColumnKind>(kind);
    if (!store.has(column)) continue;
    const ColumnInfo& sizes = store.column(column);
    std::string codec = CodecText(column, info);
    // Padding makes a stored block longer than its payload; only Zstandard makes it shorter.
    if (sizes.stored_bytes < sizes.payload_bytes) codec += " + Zstandard";
    row(ColumnName(column), codec, FormatCount(sizes.num_values), FormatCount(sizes.num_blocks),
        sizes.stored_bytes);
  }
  row("catalog", "RocksDB", "", "", store.catalog_bytes());
  row("total", "", "", "", TotalBytes(store));
  text += "\n";
  uint64_t blocks_total = 0;
  for (const DataDirectoryInfo& directory : store.data_directories()) {
    blocks_total += directory.stored_bytes;
  }
  for (const DataDirectoryInfo& directory : store.data_directories()) {
    const double share = blocks_total == 0 ? 0
                                           : 100 * static_cast<double>(directory.stored_bytes) /
                                                 static_cast<double>(blocks_total);
    text += StrCat("data directory  ", directory.path, "  ", FormatBytes(directory.stored_bytes),
                   "  ", FormatFixed(share, 1), " %\n");
  }
  for (const FoundCheckpoint& found : checkpoints_) {
    const std::string what =
        found.damage.empty() ? StrCat("after ", FormatCount(found.passes), " passes of ", found.run)
                             : found.damage;
    text += StrCat("checkpoint  ", found.path, "  ", FormatBytes(found.bytes), "  ", what, "\n");
  }
  return text;
}

Status InfoCommand::Run(const OptionSet& /*options*/, Session& session) {
  ASSIGN_OR_RETURN(const std::unique_ptr<GraphStore> store,
                   OpenGraph(graph_, "info", session, [](const GraphStore& opened) {
                     return StatusOr<uint64_t>(MemoryBudget::kProcessBytes + opened.table_bytes());
                   }));
  ASSIGN_OR_RETURN(checkpoints_, FindCheckpoints(store->path(), store->info().uuid));
  session.SetJson(JsonText(Describe(*store)));
  return session.Print(Render(*store));
}

}  // namespace

std::unique_ptr<Command> MakeInfoCommand() { return std::make_unique<InfoCommand>(); }

}  // namespace edgemill::cli
