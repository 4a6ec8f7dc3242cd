// What a user may ask of ingest, and what it reports at the end.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "common/os/uuid.h"
#include "common/status.h"
#include "common/thread_times.h"
#include "common/types.h"
#include "loaders/options/edge_column.h"
#include "storage/format/block_format.h"
#include "storage/read/graph_store.h"

namespace edgemill {

/// How an input line becomes edges. The values are stored in the journal: never renumber.
enum class EdgeDirection : uint8_t {
  kAsSource = 0,    // what the input's format says; directed if it says nothing
  kDirected = 1,    // each line is one edge
  kUndirected = 2,  // each line is one edge stored both ways; a loop is stored once
  kSymmetric = 3,   // the input holds both directions; checked
  kSymmetrize = 4,  // the missing directions are added: max(m(u, v), m(v, u)) edges each way
};
enum class ColumnChoice : uint8_t { kBoth = 0, kOut = 1, kIn = 2 };
/// Which ids are vertices. kAuto: those that occur in edges or in lists of vertices, unless the
/// format declares a range or usually has one. kDense: all from 0 to the largest, or from 1 if 0
/// does not occur. kSparse: those that occur. kStrings: names.
enum class IdMode : uint8_t { kAuto = 0, kDense = 1, kSparse = 2, kStrings = 3 };
enum class DuplicateRule : uint8_t { kKeep = 0, kFirst = 1, kMin = 2, kMax = 3, kSum = 4 };

/// Which weights are stored.
struct WeightChoice {
  enum class Kind : uint8_t {
    kAuto = 0,  // the input's, if any, in the smallest type that holds all of them exactly
    kNone = 1,
    kInt32 = 2,
    kFloat32 = 3,
    kFloat64 = 4,
    kRandom =
        5,  // int32 in [low, high], a hash of seed and the two ids, the same for both directions
  } kind = Kind::kAuto;
  int32_t low = 1;
  int32_t high = 255;
  uint64_t seed = 0;
  bool edge_column = false;  // the weights are an edge column's values
};

/// Everything besides the input that decides the stored graph. Saved in the journal for --resume.
struct IngestOptions {
  std::vector<std::string> data_directories;
  /// Directories for temporary files; empty: beside the blocks. A resumed ingest uses those that it
  /// began with.
  std::vector<std::string> spill_directories;
  EdgeDirection direction = EdgeDirection::kAsSource;
  ColumnChoice columns = ColumnChoice::kBoth;  // of directed graphs
  WeightChoice weights;
  /// Which lists have weights, of a directed graph whose both directions are stored. Others have
  /// weights wherever they have lists.
  ColumnChoice weights_in = ColumnChoice::kBoth;
  /// Columns of the input that are kept beside the edges, in addition to the weights.
  std::vector<EdgeColumnChoice> edge_columns;
  IdMode ids = IdMode::kAuto;
  /// A larger id is an error that names the id. Unset: only dense ids above kMaxVertices - 1 are.
  std::optional<ExternalId> max_vertex_id;
  /// The vertices are the ids from 0 to num_vertices - 1. If the id num_vertices occurs and 0 does
  /// not, they are the ids from 1 to num_vertices. Unset: `ids` decides.
  std::optional<uint64_t> num_vertices;
  DuplicateRule duplicates = DuplicateRule::kKeep;
  bool keep_loops = true;
  /// Unset: the first edges of the input decide (id_locality.h).
  std::optional<Renumbering> renumbering = Renumbering::kNone;
  uint64_t renumber_seed = 0;  // of kRandom
  CompressionPolicy compression = CompressionPolicy::kWhereItPays;
  uint32_t block_edges = 1u << 15;
  uint32_t page_blocks = 256;
  std::optional<Uuid> uuid;
  /// The seed of the hash of names, which affects nothing that is stored. Unset: a random seed for
  /// each ingest, so that no input can be made whose names have the same hash. A resumed ingest
  /// keeps its seed.
  std::optional<uint64_t> name_seed;
  bool replace = false;
  std::string replaces;             // the graph that this one replaces in the end, if any
  bool removes_unfinished = false;  // after any error: the ingest will not be resumed
  int threads = 0;                  // 0: as many as the processors that this process may use
  /// Spilled bytes between two checkpoints. With fewer, an interruption loses less work, but there
  /// are more syncs.
  uint64_t checkpoint_bytes = uint64_t{2} << 30;
  /// The most edges that are sorted in memory at a time; 0: as the budget allows. For tests of
  /// spilling.
  uint64_t max_sort_edges = 0;
  /// Bytes of memory for edges on their way to the spill files; 0: as the budget allows. For tests.
  uint64_t spill_memory_bytes = 0;
  /// Ids from this one on are treated as wide ids (external sort); 0: as the budget allows. For
  /// tests.
  uint64_t narrow_id_limit = 0;

  /// The options as bytes for the journal.
  std::string Encode() const;
  /// The options from bytes that Encode made; BadDataError otherwise.
  static StatusOr<IngestOptions> Decode(std::string_view bytes);
  /// Lists what the journal keeps (state_blob.h).
  template <typename Visitor, typename Options>
  static void ListFields(Visitor& visitor, Options& options);
};

struct ReadOptions;

/// Sets how ids and weights of inputs are read, so that a graph by `options` can be made of them.
void ReadFor(const IngestOptions& options, ReadOptions* read);

/// The wall time of one stage in seconds, and how its threads spent their time. For a part of a
/// stage, the seconds are the sum of its threads' wall times.
struct StageTime {
  std::string name;
  double seconds = 0;
  std::optional<PhaseTimes> times;
};

/// What ingest did.
struct IngestReport {
  Uuid uuid;
  uint64_t input_edges = 0;  // lines or records read
  EdgeIndex num_edges = 0;   // stored in one direction
  uint64_t num_vertices = 0;
  Renumbering renumbering = Renumbering::kNone;
  bool chose_renumbering = false;  // the options left it unset
  uint64_t loops_in = 0;           // read
  uint64_t num_self_loops = 0;     // stored
  uint64_t num_duplicates = 0;     // stored
  uint64_t merged_duplicates = 0;  // removed by --merge, in one direction
  uint64_t input_bytes = 0;        // uncompressed, as parsed
  uint64_t stored_bytes = 0;       // of all columns, headers and padding included
  double bits_per_edge = 0;  // stored bytes of all columns over the edges stored in one direction
  uint64_t spill_bytes_written = 0;
  uint64_t spill_bytes_read = 0;
  uint64_t bad_lines = 0;
  bool sparse_ids = false;
  uint64_t name_bytes = 0;  // of the coded names; 0: vertices have numbers
  ExternalId id_base = 0;   // the first of dense ids
  ExternalId max_id = 0;    // the largest that occurs
  uint64_t unused_ids = 0;  // of sparse ids: how many do not occur, from 0, or from 1 without a 0
  std::string id_reason;    // why dense or sparse: "dense: the largest id ... "
  WeightType weights = WeightType::kNone;
  std::vector<EdgeColumn> edge_columns;
  bool directed = true;
  bool resumed = false;
  std::vector<std::string> notes;  // what was guessed, and what is ignored
  std::vector<StageTime> stages;
};

}  // namespace edgemill
