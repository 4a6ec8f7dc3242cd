// One ingest under way: its stages, and the state that lets it go on after a crash.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "common/thread_times.h"
#include "loaders/encode/edge_encoder.h"
#include "loaders/ingest/chunk_pump.h"
#include "loaders/ingest/edge_intake.h"
#include "loaders/ingest/edge_places.h"
#include "loaders/ingest/ingest.h"
#include "loaders/ingest/ingest_plan.h"
#include "loaders/ingest/vertex_names.h"
#include "loaders/spill/bucket_partitioner.h"
#include "loaders/spill/bucket_set.h"
#include "loaders/spill/id_map.h"
#include "loaders/spill/spill_space.h"

namespace edgemill {

/// Where the journal has the options that an ingest was begun with.
inline constexpr std::string_view kIngestOptionsKey = "ingest.options";

/// The error of an edge with a vertex that the list of vertices lacks.
Status UnlistedError(ExternalId source, ExternalId target, ExternalId missing);

class IngestJob {
 public:
  IngestJob(EdgeSource& source, GraphWriter& writer, const IngestOptions& options,
            MemoryBudget& budget, Progress& progress);
  ~IngestJob();

  /// Runs all stages that are left and commits. `resume`: goes on from the writer's journal.
  StatusOr<IngestReport> Run(bool resume);

 private:
  /// What is to be done next. The values are stored in the journal.
  enum class Stage : uint8_t {
    kRead = 0,
    kPrepare = 1,
    kEncodeOut = 2,
    kEncodeIn = 3,
    kCommit = 4
  };
  /// One worker's memory in the partition pass.
  struct Partitioner {
    ChunkFacts facts;
    EdgeBatch batch;
    BucketScatter forward;
    BucketScatter reversed;
    SpillCopies copies;  // of what both have placed; goes first
  };

  // ingest_job.cc
  Status Decide();
  Status OpenSpace(size_t streams);
  Status Commit();
  Status SaveState(Stage next);
  Status LoadState();
  Status SaveIdSets();
  void AddTime(std::string_view stage, const PhaseTimes& times) {
    report_.stages.push_back({std::string(stage), times.wall_seconds, times});
  }
  /// A part of the stage before.
  void AddThreadSeconds(std::string_view part, double seconds) {
    report_.stages.push_back({std::string(part), seconds, std::nullopt});
  }
  /// BudgetError with a budget that works when `bytes`, for `what`, are more than is left.
  Status CheckRoom(uint64_t bytes, std::string_view what) const;
  /// Plans sorting anew, with what ids and renumbering have left.
  Status FitSorting();
  // read_stage.cc: pass 1
  Status ReadInput();
  Status MakeIdSets();
  uint64_t ExpectedEdges(const ChunkPump& pump) const;
  /// Makes the sets that the rules want, cut by `sample` for `expected` edges.
  Status MakeBuckets(std::span<const NarrowEdge> sample, uint64_t expected);
  Status RunPartition(ChunkPump& pump, int threads, bool first_reading);
  /// Bytes of an edge as a key with its weight, and sorted by bucket; `twice`: both ways.
  uint64_t KeyBytes(bool twice) const;
  /// Reserves memory for threads with a chunk each, until EndThreads; sets how much of a chunk is
  /// made keys at a time. Returns how many threads there may be.
  StatusOr<int> ReserveChunks(uint64_t chunk_bytes, uint64_t chunk_edges);
  /// The same for threads that take `each` bytes.
  StatusOr<int> ReserveThreads(uint64_t each);
  void EndThreads();
  Status PrepareChunk(Partitioner& worker, EdgeChunk& chunk, bool first_reading);
  /// Makes keys of up to slice_edges_ edges of `chunk` from `first` on.
  void PrepareSlice(Partitioner& worker, const EdgeChunk& chunk, size_t first);
  Status AppendChunk(Partitioner& worker, const EdgeChunk& chunk);
  Status CommitChunk(Partitioner& worker, EdgeChunk& chunk, bool first_reading);
  /// Starts a new last bucket for larger keys when the last is full: inputs that come sorted fill
  /// one after the other.
  void CutLastIfFull(BucketSet& set);
  Status CheckpointReading(uint64_t sequence);

  // prepare_stage.cc: between the passes
  Status Prepare();
  Status DecideIds();
  Status DecideWeights();
  Status ExplainAsymmetry();
  /// The error of the edge u -> v, as keys have it, of a --symmetric input.
  Status OneWay(uint32_t u, uint32_t v, std::string_view what) const;
  /// Names the first edge that has the vertex `missing`.
  Status ExplainUnlisted(ExternalId missing);
  /// The same of an edge that occurs too often to be sorted.
  Status CompareRepeated(const Bucket& bucket) const;
  Status CompareWeights(const SortedBucket& forward, const SortedBucket& backward) const;
  Status SplitLargeBuckets(BucketSet& set);
  Status SplitBucket(BucketSet& set, size_t index);
  /// That the directions of edges too many to be sorted agree on their weights, for -s.
  Status CheckRepeatedEdges(const BucketSet& set) const;

  // encode_stage.cc: pass 2
  BucketRules RulesOfBuckets() const;
  Status Encode(bool in_columns);

  // wide_stage.cc: ids beyond the set of ids seen
  Status LogWide(const EdgeChunk& chunk);
  Status ResolveWideIds();
  /// Marks the targets of edges read before the first wide id, which a --symmetric input's intake
  /// leaves out.
  Status MarkTargets();
  Status LogRanks();
  Status SpillWideIds(BucketSet& ids);
  Status RunWideLists(const std::function<Status(std::span<const uint64_t>)>& visit);
  Status RunWideLog(
      const std::function<Status(std::span<const WideEdge>, std::vector<double>)>& visit);
  Status RepartitionWide();

  // renumber_stage.cc
  Status Renumber();
  Status Repartition(const std::function<uint32_t(uint32_t)>& map);

  EdgeSource& source_;
  GraphWriter& writer_;
  const IngestOptions options_;
  MemoryBudget& budget_;
  Progress& progress_;
  EdgePlaces places_;
  IngestReport report_;

  // Decided before reading.
  bool weighted_ = false;
  bool directed_ = true;
  bool symmetrize_ = false;
  bool write_out_ = true;
  bool write_in_ = false;
  bool both_ways_ = false;  // --undirected
  bool raw_first_ = false;  // edges go to one log first, since ids are not final when read
  SpilledWeight spilled_weight_ = SpilledWeight::kNone;
  IntakeRules rules_;
  IngestPlan plan_;
  MemoryReservation chunk_reservation_;

  // State.
  Stage stage_ = Stage::kRead;
  IntakeStats stats_;
  std::optional<SeenIds> seen_;
  std::optional<SeenIds> listed_;
  std::unique_ptr<SpillSpace> space_;                   // outlives the streams, which follow
  std::vector<std::unique_ptr<SpillStream>> id_files_;  // the id sets as the journal knows them
  VertexNames names_;
  std::optional<BucketSet> forward_;
  std::optional<BucketSet> reversed_;  // of directed graphs with in-columns
  /// Edges as read from the first chunk with a wide id on: sources on side 0, targets on side 1.
  std::optional<BucketSet> wide_;
  /// Wide ids that a vertex list names.
  std::optional<BucketSet> wide_listed_;
  std::vector<BucketSet> retired_;   // no longer needed once the next state is saved
  size_t slice_edges_ = ~size_t{0};  // of a chunk that are keys at a time
  bool durable_ = false;             // the buckets are in files, and the journal has them
  std::string source_position_;      // to resume reading at; empty: from the start
  uint64_t spilled_at_checkpoint_ = 0;
  std::optional<uint64_t> last_read_;           // sequence of the last chunk that is in the buckets
  std::function<uint32_t(uint32_t)> final_id_;  // in Repartition: from ids as spilled to final ones

  WeightType weight_type_ = WeightType::kNone;
  EncodedTotals totals_;
  std::array<std::vector<VertexId>, 2> crossings_;
  EdgeEncoder* encoder_ = nullptr;          // the one that runs
  const BucketSet* encoded_set_ = nullptr;  // what it encodes
  uint64_t saved_sort_edges_ = 0;           // the largest bucket that the process before could sort
  std::string encoder_state_;               // to resume it with
};

}  // namespace edgemill
