#include "loaders/options/ingest_options.h"

#include "common/state_blob.h"
#include "loaders/options/read_options.h"

namespace edgemill {
namespace {
/// The version of the options and of everything else that the journal keeps.
constexpr uint32_t kJournalVersion = 12;
}  // namespace

template <typename Visitor, typename Options>
void IngestOptions::ListFields(Visitor& visitor, Options& options) {
  visitor.Fields(options.data_directories, options.direction, options.columns, options.weights.kind,
                 options.weights.low, options.weights.high, options.weights.seed,
                 options.weights_in, options.edge_columns, options.ids, options.max_vertex_id,
                 options.num_vertices, options.duplicates, options.keep_loops, options.renumbering,
                 options.renumber_seed, options.compression, options.block_edges,
                 options.page_blocks, options.checkpoint_bytes, options.max_sort_edges,
                 options.spill_memory_bytes, options.narrow_id_limit, options.name_seed);
}

std::string IngestOptions::Encode() const {
  StateWriter out;
  out.Put(kJournalVersion);
  ListFields(out, *this);
  return out.Take();
}

StatusOr<IngestOptions> IngestOptions::Decode(std::string_view bytes) {
  StateReader in(bytes);
  if (in.Get<uint32_t>() != kJournalVersion) {
    return BadDataError(
        "the unfinished ingest was started by another version of this program: "
        "ingest again with --replace");
  }
  IngestOptions options;
  ListFields(in, options);
  RETURN_IF_ERROR(in.Finish());
  return options;
}

void ReadFor(const IngestOptions& options, ReadOptions* read) {
  read->ids = options.ids == IdMode::kStrings ? IdReading::kNames
              : options.ids == IdMode::kAuto  ? IdReading::kAuto
                                              : IdReading::kNumbers;
  read->edge_columns = options.edge_columns;
  using Kind = WeightChoice::Kind;
  switch (options.weights.kind) {
    case Kind::kAuto:
      read->weights = WeightMode::kAuto;
      break;
    case Kind::kNone:
    case Kind::kRandom:
      read->weights = WeightMode::kNone;
      break;
    case Kind::kInt32:
      read->weights = WeightMode::kInt;
      break;
    case Kind::kFloat32:
    case Kind::kFloat64:
      read->weights = WeightMode::kFloat;
      break;
  }
}

}  // namespace edgemill
