// Ligra's and PBBS's rows as text (.adj), with white space between words. The words are
// "AdjacencyGraph" or "WeightedAdjacencyGraph", the numbers of vertices and edges, the start of
// each vertex's list, the targets, and perhaps the weights.
#include <cstring>
#include <span>
#include <utility>

#include "common/cancel.h"
#include "loaders/formats/lines/number_parser.h"
#include "loaders/formats/rows/csr_input.h"
#include "loaders/formats/rows/row_formats.h"

namespace edgemill {
namespace {

constexpr std::string_view kLigraKind = "an adjacency graph of Ligra";
constexpr std::string_view kDamaged = "the file is damaged, or not an adjacency graph of Ligra";
constexpr std::string_view kBadOffset = "an offset above the number of edges";
constexpr std::string_view kNoVertex = "a neighbour that is not a vertex";
constexpr std::string_view kPlainLigra = "AdjacencyGraph";
constexpr std::string_view kWeightedLigra = "WeightedAdjacencyGraph";
constexpr uint64_t kHeaderWords = 3;

bool IsWhiteSpace(char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }

/// The words of a text, in order.
class WordStream {
 public:
  explicit WordStream(ReopeningStream stream) : stream_(std::move(stream)) {}

  const ReopeningStream& stream() const { return stream_; }
  /// Bytes of the text that were read since Start.
  uint64_t read_bytes() const { return offset() - start_; }

  /// Goes to the word with this index, from the front. Stops early if the text ends before it.
  Status Start(uint64_t index) {
    ASSIGN_OR_RETURN(opened_, stream_.EnsureOpen());
    for (uint64_t i = 0; i < index; ++i) {
      ASSIGN_OR_RETURN(const std::string_view word, Next());
      if (word.empty()) break;
    }
    start_ = offset();
    return OkStatus();
  }

  /// The next word, valid until the next call; empty at the end.
  StatusOr<std::string_view> Next() {
    while (true) {
      for (; at_ < block_.size() && IsWhiteSpace(block_[at_]); ++at_) {
        if (block_[at_] != '\n') continue;
        ++line_;
        line_at_ = offset() + 1;
      }
      if (at_ < block_.size() || ended_) break;
      RETURN_IF_ERROR(Fill());
    }
    column_ = offset() - line_at_ + 1;
    size_t size = 0;
    while (true) {
      while (at_ + size < block_.size() && !IsWhiteSpace(block_[at_ + size])) ++size;
      if (at_ + size < block_.size() || ended_) break;
      if (size >= kBlockBytes) {
        word_ = {block_.data() + at_, size};
        return Refuse("a word longer than 64 KiB");
      }
      RETURN_IF_ERROR(Fill());
    }
    word_ = {block_.data() + at_, size};
    at_ += size;
    return word_;
  }

  /// The next word as an id of at most `most`. BadDataError at the end, and for any other word.
  StatusOr<uint64_t> NextNumber(uint64_t most, std::string_view too_large) {
    ASSIGN_OR_RETURN(const std::string_view word, Next());
    if (word.empty()) return Refuse("a file cut short");
    uint64_t number = 0;
    FieldError error;
    if (!ParseId(word, &number, &error)) return Refuse("not a whole number");
    if (number > most) return Refuse(too_large);
    return number;
  }

  /// The BadDataError for the last word.
  Status Refuse(std::string_view reason) const { return Refuse(reason, kDamaged); }
  Status Refuse(std::string_view reason, std::string_view advice) const {
    return LineError(stream_.name(), {line_, column_, std::string(reason), std::string(advice),
                                      std::string(word_.substr(0, BadLine::kMaxText))});
  }

  void CloseWhileIdle() {
    stream_.CloseWhileIdle();
    opened_ = nullptr;
    block_.clear();
    at_ = 0;
    block_at_ = line_at_ = start_ = 0;
    line_ = 1;
    ended_ = false;
  }

 private:
  static constexpr size_t kBlockBytes = size_t{64} << 10;

  uint64_t offset() const { return block_at_ + at_; }

  /// Reads the next block, and keeps the bytes that were not used yet.
  Status Fill() {
    RETURN_IF_ERROR(CheckCancelled());
    block_.erase(0, at_);
    block_at_ += std::exchange(at_, 0);
    const size_t kept = block_.size();
    block_.resize(kept + kBlockBytes);
    size_t filled = 0;
    const Status status =
        opened_->Read(std::as_writable_bytes(std::span(block_).subspan(kept)), &filled);
    block_.resize(kept + filled);
    ended_ = filled < kBlockBytes;
    return status;
  }

  ReopeningStream stream_;
  InputStream* opened_ = nullptr;
  std::string block_;
  size_t at_ = 0;          // in block_
  uint64_t block_at_ = 0;  // offset of block_ in the text
  uint64_t start_ = 0;
  bool ended_ = false;
  std::string_view word_;
  uint64_t line_ = 1;
  uint64_t line_at_ = 0;
  uint64_t column_ = 1;
};

class LigraLists final : public CsrLists {
 public:
  LigraLists(ReopeningStream targets, ReopeningStream ends, const CsrShape& shape,
             const ReadOptions& options)
      : CsrLists(shape),
        targets_(std::move(targets)),
        ends_(std::move(ends)),
        base_(options.base),
        integer_weights_(options.weights == WeightMode::kInt) {}

  /// Sets the stream of the weights. Only called if weights are read.
  void ReadWeightsFrom(ReopeningStream stream) { weights_.emplace(std::move(stream)); }

  const ReopeningStream& stream() const override { return targets_.stream(); }
  /// False, since the place of a number depends on the numbers before it.
  bool seekable() const override { return false; }
  /// For a text that is not compressed, the bytes read, since raw chunks have a different size.
  std::optional<uint64_t> decompressed_bytes() const override {
    if (!stream().seekable()) return stream().decompressed_bytes();
    return ends_.read_bytes() + targets_.read_bytes() +
           (weights_.has_value() ? weights_->read_bytes() : 0);
  }

  Status Start(uint64_t vertex, uint64_t edge) override {
    next_vertex_ = vertex;
    RETURN_IF_ERROR(ends_.Start(kHeaderWords + vertex));
    if (vertex < shape_.num_vertices) {
      ASSIGN_OR_RETURN(const uint64_t first, ends_.NextNumber(shape_.num_edges, kBadOffset));
      if (vertex == 0 && first != 0) return ends_.Refuse("a first offset that is not 0");
    }
    const uint64_t targets_at = kHeaderWords + shape_.num_vertices;
    RETURN_IF_ERROR(targets_.Start(targets_at + edge));
    if (!weights_.has_value()) return OkStatus();
    return weights_->Start(targets_at + shape_.num_edges + edge);
  }

  StatusOr<uint64_t> NextEnd() override {
    if (++next_vertex_ == shape_.num_vertices) return shape_.num_edges;
    return ends_.NextNumber(shape_.num_edges, kBadOffset);
  }

  Status ReadEdges(size_t count, char* into) override {
    for (size_t i = 0; i < count; ++i, into += sizeof(uint64_t)) {
      ASSIGN_OR_RETURN(const uint64_t target,
                       targets_.NextNumber(shape_.num_vertices - 1, kNoVertex));
      if (target < base_) return targets_.Refuse("id 0 with --base 1");
      std::memcpy(into, &target, sizeof(target));
    }
    for (size_t i = 0; i < count && weights_.has_value(); ++i, into += sizeof(double)) {
      ASSIGN_OR_RETURN(const std::string_view word, weights_->Next());
      if (word.empty()) return weights_->Refuse("a file cut short");
      double weight = 0;
      FieldError error;
      if (!ParseWeight(word, {.integer_only = integer_weights_}, &weight, &error)) {
        return weights_->Refuse(error.reason, error.advice);
      }
      std::memcpy(into, &weight, sizeof(weight));
    }
    return OkStatus();
  }

  /// Checks nothing if unwanted weights follow the targets.
  Status CheckEnd() override {
    WordStream& last = weights_.has_value() ? *weights_ : targets_;
    if (shape_.weights_apart && !weights_.has_value()) return OkStatus();
    ASSIGN_OR_RETURN(const std::string_view word, last.Next());
    return word.empty() ? OkStatus() : last.Refuse("a word behind the last number");
  }

  void CloseWhileIdle() override {
    targets_.CloseWhileIdle();
    ends_.CloseWhileIdle();
    if (weights_.has_value()) weights_->CloseWhileIdle();
  }

  Status RefuseEnd(uint64_t, std::string_view reason) const override {
    return ends_.Refuse(reason);
  }
  Status RefuseEdge(uint64_t edge, std::string_view reason) const override {
    return BadDataError(
        StrCat(stream().name(), ": edge ", edge, " (from 0): ", reason, ": ", kDamaged));
  }

 private:
  WordStream targets_;
  WordStream ends_;
  std::optional<WordStream> weights_;
  uint64_t base_;
  bool integer_weights_;
  uint64_t next_vertex_ = 0;
};

/// The first words of the head.
std::vector<std::string_view> FirstWords(std::string_view text) {
  std::vector<std::string_view> words;
  for (size_t at = 0; words.size() < kHeaderWords;) {
    while (at < text.size() && IsWhiteSpace(text[at])) ++at;
    const size_t begin = at;
    while (at < text.size() && !IsWhiteSpace(text[at])) ++at;
    if (at == begin) break;
    words.push_back(text.substr(begin, at - begin));
  }
  return words;
}

}  // namespace

bool IsLigra(const TextHead& head) {
  const std::vector<std::string_view> words = FirstWords(head.text.substr(0, 256));
  return !words.empty() && (words[0] == kPlainLigra || words[0] == kWeightedLigra);
}

StatusOr<std::unique_ptr<Input>> MakeLigraInput(const TextHead& head, ReopeningStream stream,
                                                InputSpec spec, const ReadOptions& options) {
  RETURN_IF_ERROR(RefusePipe(stream, kLigraKind));
  const std::vector<std::string_view> words = FirstWords(head.text);
  CsrShape shape{.kind = kLigraKind, .target_bytes = 8, .stored_edge_bytes = 2};
  FieldError error;
  if (!IsLigra(head) || words.size() < kHeaderWords ||
      !ParseId(words[1], &shape.num_vertices, &error) ||
      !ParseId(words[2], &shape.num_edges, &error) || shape.num_vertices > kMaxCsrNumbers ||
      shape.num_edges > kMaxCsrNumbers || (shape.num_vertices == 0 && shape.num_edges > 0)) {
    return BadDataError(StrCat(head.name,
                               ":1:1: not the front of an adjacency graph of Ligra: it is "
                               "'AdjacencyGraph' or 'WeightedAdjacencyGraph', the number of "
                               "vertices and that of edges"));
  }
  shape.weights_apart = words[0] == kWeightedLigra;
  shape.keeps_weights = shape.weights_apart && options.weights != WeightMode::kNone;
  if (shape.keeps_weights) shape.weight = CsrWeight::kFloat64;
  ASSIGN_OR_RETURN(ReopeningStream ends, OpenAgain(spec));
  auto lists = std::make_unique<LigraLists>(std::move(stream), std::move(ends), shape, options);
  if (shape.keeps_weights) {
    ASSIGN_OR_RETURN(ReopeningStream weights, OpenAgain(spec));
    lists->ReadWeightsFrom(std::move(weights));
  }
  return MakeCsrInput(std::move(lists), options);
}

}  // namespace edgemill
