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
#include "storage/format/block_format.h"
#include "storage/read/graph_store.h"

namespace edgemill {

/// How an input line becomes edges. The values are stored in the journal: never renumber.
enum class EdgeDirection : uint8_t {
  kAsSource = 0,    // as the input's format says, otherwise directed
  kDirected = 1,    // each line is one edge
  kUndirected = 2,  // each line is one edge stored both ways; a loop is stored once
  kSymmetric = 3,   // the input holds both directions; checked
  kSymmetrize = 4,  // the missing directions are added: max(m(u, v), m(v, u)) edges each way
};
enum class ColumnChoice : uint8_t { kBoth = 0, kOut = 1, kIn = 2 };
/// Which ids are vertices. kAuto: those that occur, in edges or in lists of vertices, unless the
/// input's format declares or customarily keeps a range. kDense: a range from 0 (1, where there is
/// no 0) to the largest. kSparse: those that occur. kStrings: names.
enum class IdMode : uint8_t { kAuto = 0, kDense = 1, kSparse = 2, kStrings = 3 };
enum class DuplicateRule : uint8_t { kKeep = 0, kFirst = 1, kMin = 2, kMax = 3, kSum = 4 };

/// Which weights are stored.
struct WeightChoice {
  enum class Kind : uint8_t {
    kAuto = 0,  // the input's, in the smallest type that holds all exactly; none when it has none
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
};

/// Everything that decides the stored graph, besides the input. Saved in the journal for --resume.
struct IngestOptions {
  std::vector<std::string> data_directories;
  /// For temporary files; empty: beside the blocks. An ingest that is resumed keeps its own.
  std::vector<std::string> spill_directories;
  EdgeDirection direction = EdgeDirection::kAsSource;
  ColumnChoice columns = ColumnChoice::kBoth;  // of directed graphs
  WeightChoice weights;
  IdMode ids = IdMode::kAuto;
  /// Ids beyond this are an error that names the id; unset: dense ones beyond kMaxVertices - 1 are.
  std::optional<ExternalId> max_vertex_id;
  /// The vertices are the ids from 0 to num_vertices - 1, or from 1 to num_vertices where that
  /// occurs and 0 does not. Unset: as `ids` says.
  std::optional<uint64_t> num_vertices;
  DuplicateRule duplicates = DuplicateRule::kKeep;
  bool keep_loops = true;
  /// Unset: as the first edges of the input suggest (id_locality.h).
  std::optional<Renumbering> renumbering = Renumbering::kNone;
  CompressionPolicy compression = CompressionPolicy::kWhereItPays;
  uint32_t block_edges = 1u << 15;
  uint32_t page_blocks = 256;
  std::optional<Uuid> uuid;
  /// The seed of the hash of names, which affects nothing that is stored. Unset: drawn for each
  /// ingest, so that no input can be made of names with one hash. An ingest that is resumed keeps
  /// its own.
  std::optional<uint64_t> name_seed;
  bool replace = false;
  std::string replaces;  // the graph whose place this one takes in the end, if any
  int threads = 0;       // 0: the processors one may use
  /// Bytes of spill between two checkpoints; smaller ones lose less work and cost more syncs.
  uint64_t checkpoint_bytes = uint64_t{2} << 30;
  /// The most edges that are sorted in memory at a time; 0: as the budget allows. For tests of
  /// spilling.
  uint64_t max_sort_edges = 0;
  /// Bytes of memory for edges on their way to the spill files; 0: as the budget allows. For tests.
  uint64_t spill_memory_bytes = 0;
  /// Ids from here on go the way of wide ids (external sort); 0: as the budget allows. For tests.
  uint64_t narrow_id_limit = 0;

  /// As bytes for the journal, and back. BadDataError when the bytes are none of Encode's.
  std::string Encode() const;
  static StatusOr<IngestOptions> Decode(std::string_view bytes);
  /// What the journal keeps (state_blob.h).
  template <typename Visitor, typename Options>
  static void ListFields(Visitor& visitor, Options& options);
};

/// What one stage took: seconds of wall time, and where its threads' time went. For a part of a
/// stage, the wall time of its threads added up.
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
  bool chose_renumbering = false;  // the options leave it open
  uint64_t loops_in = 0;                         // read
  uint64_t num_self_loops = 0;                   // stored
  uint64_t num_duplicates = 0;                   // stored
  uint64_t merged_duplicates = 0;                // taken away by --merge, in one direction
  uint64_t input_bytes = 0;                      // uncompressed, as parsed
  uint64_t stored_bytes = 0;                     // of all columns, headers and padding included
  double bits_per_edge = 0;  // stored bytes of all columns over the edges stored in one direction
  uint64_t spill_bytes_written = 0;
  uint64_t spill_bytes_read = 0;
  uint64_t bad_lines = 0;
  bool sparse_ids = false;
  uint64_t name_bytes = 0;  // of names, coded; 0: vertices have numbers
  ExternalId id_base = 0;   // of dense ids: the first
  ExternalId max_id = 0;    // the largest that occurs
  uint64_t unused_ids = 0;  // of sparse ids: how many from 0, or 1 where 0 does not occur, are none
  std::string id_reason;    // why dense or sparse: "dense: the largest id ... "
  WeightType weights = WeightType::kNone;
  bool directed = true;
  bool resumed = false;
  std::vector<std::string> notes;  // what was guessed, and what is ignored
  std::vector<StageTime> stages;
};

}  // namespace edgemill
