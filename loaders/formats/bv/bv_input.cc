#include "loaders/formats/bv/bv_input.h"

#include <algorithm>
#include <deque>
#include <map>
#include <utility>
#include <vector>

#include "common/check.h"
#include "common/os/file.h"
#include "common/random.h"
#include "common/strings.h"
#include "loaders/formats/bv/bv_list.h"
#include "loaders/formats/bv/bv_places.h"
#include "loaders/formats/bv/bv_shape.h"

namespace edgemill {
namespace {

/// Lists before a chunk may be found if they begin at one of so many places.
constexpr uint64_t kMaxPlacesBefore = uint64_t{1} << 16;
/// The most neighbours in lists that a thread keeps, for others to refer to.
constexpr uint64_t kMaxKept = uint64_t{1} << 25;
/// The code of a list has at most so many bits.
constexpr uint64_t kMaxListBits = uint64_t{1} << 31;
/// Trailing bytes that fill a word, as webgraph-rs writes them.
constexpr uint64_t kMaxPadding = 15;

/// How far back the lists lie that a chain of references reaches.
uint64_t PlacesBefore(const BvShape& shape) {
  if (shape.window == 0 || shape.max_chain == 0) return 0;
  if (shape.max_chain > kMaxPlacesBefore / shape.window) return kMaxPlacesBefore;
  return shape.window * shape.max_chain;
}

/// What NextChunk tells Parse: the bits of the chunk's lists, and where the lists before begin.
struct ChunkPlaces : RawRows {
  uint64_t first_vertex = 0;
  uint64_t end_vertex = 0;
  uint64_t end_bit = 0;
  std::vector<uint64_t> begins;  // of the last vertices before first_vertex, and of itself

  uint64_t first_bit() const { return begins.back(); }
  /// Whether the place of the list of `vertex`, which comes before the chunk's, is known.
  bool Knows(uint64_t vertex) const { return first_vertex - vertex < begins.size(); }
  uint64_t BeginOf(uint64_t vertex) const {
    return begins[begins.size() - 1 - (first_vertex - vertex)];
  }
};

/// Decodes the lists of a chunk.
class ChunkDecoder {
 public:
  ChunkDecoder(const BvShape& shape, const InputStream& stream, const ChunkPlaces& places)
      : shape_(shape), stream_(stream), places_(places), recent_(shape.window + 1) {}

  /// Calls add(vertex, list) for each list.
  template <typename Add>
  Status Decode(const Add& add) {
    const uint64_t first_bit = places_.first_bit();
    std::vector<uint8_t> bytes;
    RETURN_IF_ERROR(ReadBits(first_bit, places_.end_bit, &bytes));
    BitReader bits(bytes, first_bit / 8, first_bit);
    BvListReader list(shape_);
    for (uint64_t v = places_.first_vertex; v < places_.end_vertex; ++v) {
      std::vector<uint64_t>& own = recent_[v % recent_.size()];
      RETURN_IF_ERROR(DecodeList(v, bits, list, &own));
      add(v, own);
    }
    if (bits.bit() == places_.end_bit) return OkStatus();
    return RefuseEnd(places_.end_bit, places_.end_vertex - 1);
  }

 private:
  Status ReadBits(uint64_t begin, uint64_t end, std::vector<uint8_t>* bytes) const {
    bytes->resize((end + 7) / 8 - begin / 8);
    return stream_.ReadAt(std::as_writable_bytes(std::span(*bytes)), begin / 8);
  }

  Status DecodeList(uint64_t vertex, BitReader& bits, BvListReader& list,
                    std::vector<uint64_t>* own) {
    const uint64_t begin = bits.bit();
    std::string_view wrong = list.ReadFront(bits, vertex);
    if (wrong.empty()) {
      std::span<const uint64_t> referred;
      if (list.reference() > 0) {
        ASSIGN_OR_RETURN(referred, ListOf(vertex - list.reference()));
      }
      kept_ -= std::min<uint64_t>(kept_, own->size());
      own->clear();
      wrong = list.ReadRest(bits, referred, own);
      kept_ += own->size();
    }
    if (!wrong.empty()) return RefuseBvList(stream_.name(), begin, vertex, wrong);
    if (kept_ <= kMaxKept) return OkStatus();
    return BudgetError(StrCat(stream_.name(), ": lists to which others refer have more than ",
                              kMaxKept, " neighbours near vertex ", vertex,
                              ": compress the graph with a smaller window"));
  }

  /// The list of a vertex to which another refers. Lists before the chunk are decoded when they are
  /// needed. Each of them may refer to one before it.
  StatusOr<std::span<const uint64_t>> ListOf(uint64_t vertex) {
    if (vertex >= places_.first_vertex) {
      return std::span<const uint64_t>(recent_[vertex % recent_.size()]);
    }
    // From the vertex back to one whose list is known, or refers to none; then forth again.
    std::vector<uint64_t> chain;
    for (uint64_t v = vertex; !before_.contains(v);) {
      if (!places_.Knows(v)) {
        if (PlacesBefore(shape_) < kMaxPlacesBefore) {
          return RefuseBvList(stream_.name(), places_.first_bit(), places_.first_vertex,
                              "or one after it depends on more lists than a chain has");
        }
        return UsageError(StrCat(stream_.name(), ": the list of vertex ", places_.first_vertex,
                                 ", or one after it, depends on one more than ", kMaxPlacesBefore,
                                 " vertices before: compress the graph with a bound of chains"));
      }
      chain.push_back(v);
      ASSIGN_OR_RETURN(const uint64_t reference, ReferenceOf(v));
      if (reference == 0) break;
      v -= reference;
    }
    for (; !chain.empty(); chain.pop_back()) {
      const uint64_t v = chain.back();
      std::vector<uint64_t> own;
      RETURN_IF_ERROR(ReadBefore(v, [&](BitReader& bits, BvListReader& list) {
        RETURN_IF_ERROR(DecodeList(v, bits, list, &own));
        return bits.bit() == places_.BeginOf(v + 1) ? OkStatus() : RefuseEnd(bits.bit(), v);
      }));
      before_[v] = std::move(own);
    }
    return std::span<const uint64_t>(before_[vertex]);
  }

  Status RefuseEnd(uint64_t bit, uint64_t vertex) const {
    return RefuseBvList(stream_.name(), bit, vertex,
                        "does not end where the next one begins by the file of offsets");
  }

  /// Calls read(bits, list) with readers that stand at the list of a vertex before the chunk.
  template <typename Read>
  Status ReadBefore(uint64_t vertex, const Read& read) const {
    const uint64_t begin = places_.BeginOf(vertex);
    std::vector<uint8_t> bytes;
    RETURN_IF_ERROR(ReadBits(begin, places_.BeginOf(vertex + 1), &bytes));
    BitReader bits(bytes, begin / 8, begin);
    BvListReader list(shape_);
    return read(bits, list);
  }

  StatusOr<uint64_t> ReferenceOf(uint64_t vertex) const {
    uint64_t reference = 0;
    RETURN_IF_ERROR(ReadBefore(vertex, [&](BitReader& bits, BvListReader& list) {
      const std::string_view wrong = list.ReadFront(bits, vertex);
      reference = list.reference();
      if (wrong.empty()) return OkStatus();
      return RefuseBvList(stream_.name(), places_.BeginOf(vertex), vertex, wrong);
    }));
    return reference;
  }

  const BvShape& shape_;
  const InputStream& stream_;
  const ChunkPlaces& places_;
  std::vector<std::vector<uint64_t>> recent_;         // of the window's vertices in the chunk
  std::map<uint64_t, std::vector<uint64_t>> before_;  // of vertices before the chunk
  uint64_t kept_ = 0;                                 // neighbours in both
};

class BvInput final : public Input {
 public:
  BvInput(ReopeningStream stream, std::optional<ReopeningStream> offsets, const BvShape& shape,
          uint64_t base)
      : stream_(std::move(stream)), offsets_(std::move(offsets)), shape_(shape), base_(base) {
    info_.body.line = 0;
    info_.columns = {"vertex", "neighbours"};
    info_.min_id = base_;
    info_.num_vertices = shape_.num_vertices - std::min(shape_.num_vertices, base_);
    info_.expected_edges = shape_.num_edges;
    if (!offsets_.has_value()) {
      info_.notes.push_back(StrCat(stream_.name(), ": without ",
                                   BvFileBeside(stream_.name(), ".offsets"),
                                   ", one thread finds where lists begin"));
    }
  }

  const std::string& name() const override { return stream_.name(); }
  const InputInfo& info() const override { return info_; }
  uint64_t stored_bytes() const override { return stream_.stored_bytes(); }
  uint64_t fingerprint() const override {
    const uint64_t offsets = offsets_.has_value() ? offsets_->fingerprint() : 0;
    return Mix64(stream_.fingerprint() ^ Mix64(offsets ^ Mix64(shape_.num_edges)));
  }
  /// Bytes of the graph's file before the next chunk: raw chunks have none of them.
  std::optional<uint64_t> decompressed_bytes() const override {
    return begins_.empty() ? 0 : begins_.back() / 8;
  }
  /// What comes before a place is passed over to get there.
  bool seekable() const override { return false; }

  Status Seek(const InputPosition& position) override {
    if (position.record > shape_.num_vertices) {
      return BadDataError(StrCat(name(), ": has fewer vertices than when it was read before"));
    }
    first_ = position.record;
    return OkStatus();
  }

  Status NextChunk(size_t bytes, RawChunk* raw) override {
    RETURN_IF_ERROR(Start());
    const uint64_t most = std::max<uint64_t>(1, bytes / sizeof(NarrowEdge));
    auto places = std::make_unique<ChunkPlaces>();
    places->first_vertex = vertex_;
    places->begins.assign(begins_.begin(), begins_.end());
    raw->begin = Position();
    // As many edges as a chunk of pairs has, or a list. Lists without edges have bits too.
    for (uint64_t edges = 0; vertex_ < shape_.num_vertices && edges < most &&
                             vertex_ - places->first_vertex < most &&
                             begins_.back() - places->first_bit() < 8 * bytes;) {
      RETURN_IF_ERROR(Advance(&edges));
    }
    places->end_vertex = vertex_;
    places->end_bit = begins_.back();
    places->bytes = places->end_bit / 8 - places->first_bit() / 8;
    raw->end = Position();
    raw->text = {};
    raw->rows = std::move(places);
    raw->unread_bytes = 0;
    raw->ends_input = vertex_ == shape_.num_vertices;
    return raw->ends_input ? CheckFile() : OkStatus();
  }

  Status Parse(const RawChunk& raw, EdgeChunk* chunk, ParseResult* result) const override {
    if (raw.rows == nullptr) return OkStatus();
    EdgeSink sink(chunk);
    ChunkDecoder decoder(shape_, *stream_.stream(), static_cast<const ChunkPlaces&>(*raw.rows));
    bool has_0 = false;
    RETURN_IF_ERROR(decoder.Decode([&](uint64_t vertex, const std::vector<uint64_t>& list) {
      if (list.empty()) return;
      has_0 |= vertex == 0 || list.front() == 0;
      for (const uint64_t target : list) sink.Add(vertex - base_, target - base_);
      result->totals.edges += list.size();
      result->totals.loops += std::binary_search(list.begin(), list.end(), vertex) ? 1 : 0;
    }));
    result->totals.records = result->totals.edges;
    if (has_0 && base_ > 0) {
      return RefuseBvList(name(), 8 * raw.begin.offset, raw.begin.record,
                          "or one after it has the id 0, which --base 1 excludes");
    }
    return OkStatus();
  }

  Status CheckEnd(const InputTotals& totals, InputInfo*) const override {
    if (totals.edges == shape_.num_edges) return OkStatus();
    return BadDataError(StrCat(name(), ": has ", totals.edges, " edges, and its .properties say ",
                               shape_.num_edges, ": the file is damaged"))
        .At({.file = name()});
  }

  void CloseWhileIdle() override {
    places_.reset();
    begins_.clear();
    stream_.CloseWhileIdle();
    if (offsets_.has_value()) offsets_->CloseWhileIdle();
  }

 private:
  InputPosition Position() const { return {begins_.back() / 8, 0, vertex_}; }

  /// Goes to the first vertex of the first chunk.
  Status Start() {
    if (places_ != nullptr) return OkStatus();
    ASSIGN_OR_RETURN(const InputStream* const graph, stream_.EnsureOpen());
    if (offsets_.has_value()) {
      ASSIGN_OR_RETURN(const InputStream* const offsets, offsets_->EnsureOpen());
      places_ = PlacesInOffsets(shape_, *offsets, *graph);
    } else {
      places_ = PlacesInGraph(shape_, *graph);
    }
    begins_ = {0};
    vertex_ = 0;
    for (uint64_t edges = 0; vertex_ < first_;) RETURN_IF_ERROR(Advance(&edges));
    return OkStatus();
  }

  /// Goes to the next vertex, and adds the degree of this one to `edges`.
  Status Advance(uint64_t* edges) {
    ASSIGN_OR_RETURN(const BvPlace place, places_->Next());
    if (place.end > 8 * stream_.stored_bytes() || place.end - begins_.back() > kMaxListBits) {
      return RefuseBvList(name(), begins_.back(), vertex_, "ends behind the file, or is too long");
    }
    *edges += place.degree;
    begins_.push_back(place.end);
    if (begins_.size() > PlacesBefore(shape_) + 1) begins_.pop_front();
    ++vertex_;
    return OkStatus();
  }

  /// The last bits of the file fill a byte.
  Status CheckFile() const {
    const uint64_t bytes = (begins_.back() + 7) / 8;
    if (stream_.stored_bytes() - bytes <= kMaxPadding) {
      return stream_.stream()->CheckSizeUnchanged();
    }
    return ByteError(name(), bytes, "bytes behind the last list: the file is damaged");
  }

  ReopeningStream stream_;
  std::optional<ReopeningStream> offsets_;
  const BvShape shape_;
  const uint64_t base_;
  InputInfo info_;
  std::unique_ptr<BvPlaces> places_;  // null: not started
  std::deque<uint64_t> begins_;       // of the last lists before vertex_, and of its own
  uint64_t vertex_ = 0;               // of the next chunk
  uint64_t first_ = 0;                // of the first chunk
};

Status RefusePacked(const ReopeningStream& stream) {
  if (stream.seekable()) return OkStatus();
  return UsageError(StrCat(stream.name(),
                           ": a BV graph is read in several places at once: give a "
                           "file that is not compressed"));
}

}  // namespace

std::string BvFileBeside(const std::string& graph_path, std::string_view suffix) {
  constexpr std::string_view kSuffix = ".graph";
  std::string path = graph_path;
  if (path.ends_with(kSuffix)) path.resize(path.size() - kSuffix.size());
  return path += suffix;
}

StatusOr<std::unique_ptr<Input>> MakeBvInput(ReopeningStream stream, const InputSpec& spec,
                                             const ReadOptions& options) {
  RETURN_IF_ERROR(RefusePacked(stream));
  const std::string properties = BvFileBeside(spec.path, ".properties");
  ASSIGN_OR_RETURN(const bool described, Exists(properties));
  if (!described) {
    return MissingError(StrCat(properties, ": no such file: a BV graph has it beside its .graph"));
  }
  ASSIGN_OR_RETURN(const BvShape shape, ReadBvShape(properties));
  InputSpec beside = spec;
  beside.path = BvFileBeside(spec.path, ".offsets");
  std::optional<ReopeningStream> offsets;
  ASSIGN_OR_RETURN(const bool exists, Exists(beside.path));
  if (exists) {
    ASSIGN_OR_RETURN(auto opened, InputStream::Open(beside.path, true, spec.window_log_max));
    offsets.emplace(beside, std::move(opened));
    RETURN_IF_ERROR(RefusePacked(*offsets));
  }
  return std::unique_ptr<Input>(
      std::make_unique<BvInput>(std::move(stream), std::move(offsets), shape, options.base));
}

}  // namespace edgemill
