#include "loaders/formats/named/named_input.h"

#include <algorithm>
#include <utility>

#include "common/strings.h"
#include "common/threads/parallel.h"
#include "common/threads/parallel_sort.h"
#include "loaders/formats/lines/name_parser.h"
#include "loaders/source/name_hash.h"
#include "loaders/stream/input_stream.h"
#include "loaders/stream/stream_lines.h"

namespace edgemill {
namespace {

class NamedInput final : public Input {
 public:
  NamedInput(std::unique_ptr<Input> numbers, std::shared_ptr<VertexNames> names)
      : numbers_(std::move(numbers)),
        names_(std::move(names)),
        first_id_(numbers_->info().first_id),
        info_(numbers_->info()) {
    info_.named = true;
    info_.num_vertices.reset();
    info_.first_id = info_.min_id = 0;
    info_.usually_dense = info_.has_vertex_list = false;
  }

  const std::string& name() const override { return numbers_->name(); }
  const InputInfo& info() const override { return info_; }
  uint64_t stored_bytes() const override { return numbers_->stored_bytes(); }
  uint64_t fingerprint() const override { return numbers_->fingerprint(); }
  std::optional<uint64_t> decompressed_bytes() const override {
    return numbers_->decompressed_bytes();
  }
  bool seekable() const override { return numbers_->seekable(); }
  Status NextChunk(size_t bytes, RawChunk* raw) override { return numbers_->NextChunk(bytes, raw); }
  Status Read(RawChunk* raw) const override { return numbers_->Read(raw); }
  Status AssignLineNumbers(RawChunk* raw) override { return numbers_->AssignLineNumbers(raw); }
  Status Seek(const InputPosition& position) override { return numbers_->Seek(position); }
  std::optional<uint64_t> LineOf(const RawChunk& raw, size_t edge) const override {
    return numbers_->LineOf(raw, edge);
  }
  Status CheckEnd(const InputTotals& totals, InputInfo* info) const override {
    return numbers_->CheckEnd(totals, info);
  }
  void CloseWhileIdle() override { numbers_->CloseWhileIdle(); }

  Status Parse(const RawChunk& raw, EdgeChunk* chunk, ParseResult* result) const override {
    ASSIGN_OR_RETURN(const std::span<const uint64_t> hashes, names_->Load(raw.name_seed));
    RETURN_IF_ERROR(numbers_->Parse(raw, chunk, result));
    chunk->wide.reserve(chunk->num_edges());
    for (const NarrowEdge& edge : chunk->narrow) {
      chunk->wide.push_back({edge.source, edge.target});
    }
    chunk->narrow.clear();
    uint64_t largest = 0;
    for (WideEdge& edge : chunk->wide) {
      const uint64_t source = edge.source - first_id_, target = edge.target - first_id_;
      largest = std::max({largest, source, target});
      if (largest >= hashes.size()) break;
      edge = {hashes[source], hashes[target]};
    }
    for (const ExternalId vertex : chunk->vertices) largest = std::max(largest, vertex - first_id_);
    chunk->vertices.clear();  // the file of names lists all
    if (largest < hashes.size() || (chunk->wide.empty() && largest == 0)) return OkStatus();
    return BadDataError(StrCat(name(), ": vertex ", largest + first_id_, " has no name: ",
                               "--names-file has ", hashes.size(), " lines: correct it"))
        .At({.file = name()});
  }

 private:
  const std::unique_ptr<Input> numbers_;
  const std::shared_ptr<VertexNames> names_;
  const ExternalId first_id_;
  InputInfo info_;
};

}  // namespace

VertexNames::VertexNames(const ReadOptions& options)
    : path_(options.names_file),
      window_log_max_(options.window_log_max),
      means_(options.table_means) {}

std::shared_ptr<VertexNames> VertexNames::Make(const ReadOptions& options) {
  return std::shared_ptr<VertexNames>(new VertexNames(options));
}

Status VertexNames::Expect(const std::string& name, uint64_t vertices) {
  MutexLock lock(mutex_);
  if (!expected_by_.empty()) {
    if (vertices == expected_) return OkStatus();
    return UsageError(StrCat(name, ": has ", vertices, " vertices, and ", expected_by_, " has ",
                             expected_, ": --names-file names those of one graph"));
  }
  expected_by_ = name;
  expected_ = vertices;
  if (means_.budget == nullptr) return OkStatus();
  const uint64_t bytes = vertices * sizeof(uint64_t);
  constexpr std::string_view kPurpose = "the names of vertices";
  if (means_.budget->available_bytes() < 2 * bytes + means_.beside_bytes) {
    return means_.budget
        ->Reserve(2 * bytes + means_.beside_bytes, "naming vertices, with the ingest behind it,")
        .status();
  }
  ASSIGN_OR_RETURN(kept_, means_.budget->Reserve(bytes, kPurpose));
  ASSIGN_OR_RETURN(for_loading_, means_.budget->Reserve(bytes, kPurpose));
  return OkStatus();
}

StatusOr<std::span<const uint64_t>> VertexNames::Load(uint64_t seed) {
  MutexLock lock(mutex_);
  if (!loaded_) {
    loaded_ = true;
    error_ = Read(seed);
    if (error_.ok()) error_ = CheckDifferent();
    for_loading_ = MemoryReservation();
  }
  if (!error_.ok()) return error_;
  return std::span<const uint64_t>(hashes_);
}

Status VertexNames::Read(uint64_t seed) {
  ASSIGN_OR_RETURN(const auto stream,
                   InputStream::Open(path_, /*trust_suffix=*/false, window_log_max_));
  const uint64_t expected = expected_;
  const std::string graph = expected_by_;
  std::vector<uint64_t> hashes;
  hashes.reserve(expected);
  RETURN_IF_ERROR(ForEachLine(
      *stream, "give a file with one name a line", [&](uint64_t number, std::string_view line) {
        const std::string_view name = StripSpace(line);
        FieldError error;
        if (!CheckName(name, &error)) {
          return BadDataError(StrCat(path_, ":", number, ":1: ", error.reason, " (",
                                     QuotedText(line.substr(0, 200)), "): each line names a ",
                                     "vertex: ", error.advice))
              .At({.file = path_, .line = number, .column = 1});
        }
        if (hashes.size() < expected) hashes.push_back(HashName(name, seed));
        if (number <= expected) return OkStatus();
        return BadDataError(StrCat(path_, ":", number, ":1: a name beyond the ", expected,
                                   " vertices of ", graph, ": give the graph's own file of names"))
            .At({.file = path_, .line = number, .column = 1});
      }));
  if (hashes.size() == expected) {
    hashes_ = std::move(hashes);
    return OkStatus();
  }
  return BadDataError(StrCat(path_, ": has ", hashes.size(), " names, and ", expected_by_, " has ",
                             expected, " vertices: give the graph's own file of names"))
      .At({.file = path_});
}

Status VertexNames::CheckDifferent() {
  std::vector<uint64_t> sorted = hashes_;
  const int threads = means_.threads > 0 ? means_.threads : AvailableThreads();
  ParallelSort(std::span(sorted), threads, std::less<>());
  const auto twice = std::adjacent_find(sorted.begin(), sorted.end());
  if (twice == sorted.end()) return OkStatus();
  const auto first = std::find(hashes_.begin(), hashes_.end(), *twice);
  const auto second = std::find(first + 1, hashes_.end(), *twice);
  const auto line = static_cast<uint64_t>(second - hashes_.begin()) + 1;
  return BadDataError(StrCat(path_, ":", line, ":1: the name of line ", first - hashes_.begin() + 1,
                             " again: vertices have different names"))
      .At({.file = path_, .line = line, .column = 1});
}

StatusOr<std::unique_ptr<Input>> NameVertices(std::unique_ptr<Input> numbers,
                                              std::shared_ptr<VertexNames> names) {
  const InputInfo& info = numbers->info();
  if (!info.num_vertices.has_value()) {
    return UsageError(StrCat(numbers->name(), ": --names-file is for formats that declare how ",
                             "many vertices there are, such as BV graphs: name the vertices in ",
                             "the edges, or leave it out"));
  }
  RETURN_IF_ERROR(names->Expect(numbers->name(), *info.num_vertices));
  return std::unique_ptr<Input>(std::make_unique<NamedInput>(std::move(numbers), std::move(names)));
}

}  // namespace edgemill
