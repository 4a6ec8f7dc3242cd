#include "loaders/options/ingest_options.h"

#include "common/state_blob.h"

namespace edgemill {
namespace {
/// Of the options, and of all else that the journal keeps.
constexpr uint32_t kJournalVersion = 8;
}  // namespace

std::string IngestOptions::Encode() const {
  StateWriter out;
  out.Put(kJournalVersion);
  out.Put<uint64_t>(data_directories.size());
  for (const std::string& directory : data_directories) out.PutText(directory);
  out.Put(direction);
  out.Put(columns);
  out.Put(weights.kind);
  out.Put(weights.low);
  out.Put(weights.high);
  out.Put(weights.seed);
  out.Put(ids);
  out.Put(max_vertex_id.has_value());
  out.Put(max_vertex_id.value_or(0));
  out.Put(num_vertices.has_value());
  out.Put(num_vertices.value_or(0));
  out.Put(duplicates);
  out.Put(keep_loops);
  out.Put(renumbering);
  out.Put(compression);
  out.Put(block_edges);
  out.Put(page_blocks);
  out.Put(checkpoint_bytes);
  out.Put(max_sort_edges);
  out.Put(spill_memory_bytes);
  out.Put(narrow_id_limit);
  out.Put(name_seed.has_value());
  out.Put(name_seed.value_or(0));
  return out.Take();
}

StatusOr<IngestOptions> IngestOptions::Decode(std::string_view bytes) {
  StateReader in(bytes);
  IngestOptions options;
  if (in.Get<uint32_t>() != kJournalVersion) {
    return BadDataError(
        "the unfinished ingest was begun by another version of this program: "
        "ingest again with --replace");
  }
  const uint64_t num_directories = in.Get<uint64_t>();
  for (uint64_t i = 0; i < num_directories && in.ok(); ++i) {
    options.data_directories.push_back(in.GetText());
  }
  options.direction = in.Get<EdgeDirection>();
  options.columns = in.Get<ColumnChoice>();
  options.weights.kind = in.Get<WeightChoice::Kind>();
  options.weights.low = in.Get<int32_t>();
  options.weights.high = in.Get<int32_t>();
  options.weights.seed = in.Get<uint64_t>();
  options.ids = in.Get<IdMode>();
  const bool has_max_vertex_id = in.Get<bool>();
  const ExternalId max_vertex_id = in.Get<ExternalId>();
  if (has_max_vertex_id) options.max_vertex_id = max_vertex_id;
  const bool has_num_vertices = in.Get<bool>();
  const uint64_t num_vertices = in.Get<uint64_t>();
  if (has_num_vertices) options.num_vertices = num_vertices;
  options.duplicates = in.Get<DuplicateRule>();
  options.keep_loops = in.Get<bool>();
  options.renumbering = in.Get<Renumbering>();
  options.compression = in.Get<CompressionPolicy>();
  options.block_edges = in.Get<uint32_t>();
  options.page_blocks = in.Get<uint32_t>();
  options.checkpoint_bytes = in.Get<uint64_t>();
  options.max_sort_edges = in.Get<uint64_t>();
  options.spill_memory_bytes = in.Get<uint64_t>();
  options.narrow_id_limit = in.Get<uint64_t>();
  const bool has_name_seed = in.Get<bool>();
  const uint64_t name_seed = in.Get<uint64_t>();
  if (has_name_seed) options.name_seed = name_seed;
  RETURN_IF_ERROR(in.Finish());
  return options;
}

}  // namespace edgemill
