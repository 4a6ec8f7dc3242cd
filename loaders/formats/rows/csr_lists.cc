// Rows of binary files. A file is read in two or three places at once, its offsets block by block.
#include <algorithm>
#include <cstring>
#include <span>
#include <utility>

#include "common/check.h"
#include "loaders/formats/rows/csr_input.h"

namespace edgemill {
namespace {

class BinaryCsrLists final : public CsrLists {
 public:
  BinaryCsrLists(ReopeningStream targets, ReopeningStream ends,
                 std::optional<ReopeningStream> weights, const CsrShape& shape,
                 const CsrPlaces& places)
      : CsrLists(shape),
        targets_stream_(std::move(targets)),
        ends_stream_(std::move(ends)),
        weights_stream_(std::move(weights)),
        places_(places) {}

  const ReopeningStream& stream() const override { return targets_stream_; }

  Status Start(uint64_t vertex, uint64_t edge) override {
    ASSIGN_OR_RETURN(targets_, targets_stream_.EnsureOpen());
    ASSIGN_OR_RETURN(ends_, ends_stream_.EnsureOpen());
    RETURN_IF_ERROR(ends_->Seek(places_.ends + 8 * vertex - (places_.starts_at_0 ? 8 : 0)));
    if (places_.starts_at_0) {
      ASSIGN_OR_RETURN(const uint64_t first, NextEnd());
      if (vertex == 0 && first != 0) {
        return RefuseByte(stream(), places_.ends - 8, "a first offset that is not 0", shape_.kind);
      }
    }
    if (weights_stream_.has_value()) {
      ASSIGN_OR_RETURN(weights_, weights_stream_->EnsureOpen());
      RETURN_IF_ERROR(weights_->Seek(places_.weights + edge * shape_.weight_bytes()));
    }
    return targets_->Seek(places_.targets + edge * TargetBytes());
  }

  StatusOr<uint64_t> NextEnd() override {
    if (block_at_ == block_.size()) {
      block_.resize(size_t{64} << 10);
      const uint64_t rest = places_.ends + 8 * shape_.num_vertices - ends_->offset();
      const size_t wanted = std::min<uint64_t>(block_.size(), rest);
      size_t filled = 0;
      RETURN_IF_ERROR(
          ends_->Read(std::as_writable_bytes(std::span(block_).first(wanted)), &filled));
      if (filled < 8 || filled % 8 != 0) {
        return RefuseByte(stream(), ends_->offset(), "offsets cut short", shape_.kind);
      }
      block_.resize(filled);
      block_at_ = 0;
    }
    uint64_t end;
    std::memcpy(&end, &block_[block_at_], sizeof(end));
    block_at_ += sizeof(end);
    return end;
  }

  Status ReadEdges(size_t count, char* into) override {
    CHECK(targets_ != nullptr);  // Start comes first
    RETURN_IF_ERROR(ReadAll(targets_, {into, count * TargetBytes()}));
    if (weights_ == nullptr) return OkStatus();
    return ReadAll(weights_, {into + count * TargetBytes(), count * shape_.weight_bytes()});
  }

  /// The size of a compressed file is known only at its end.
  Status CheckEnd() override {
    if (targets_stream_.seekable()) return targets_->CheckSizeUnchanged();
    RETURN_IF_ERROR(targets_->Seek(places_.file_bytes));
    std::byte more;
    size_t filled = 0;
    RETURN_IF_ERROR(targets_->Read({&more, 1}, &filled));
    if (filled == 0) return OkStatus();
    return RefuseByte(stream(), places_.file_bytes, "bytes behind the last edge", shape_.kind);
  }

  void CloseWhileIdle() override {
    targets_stream_.CloseWhileIdle();
    ends_stream_.CloseWhileIdle();
    if (weights_stream_.has_value()) weights_stream_->CloseWhileIdle();
    targets_ = ends_ = weights_ = nullptr;
    block_.clear();
    block_at_ = 0;
  }

  Status RefuseEnd(uint64_t vertex, std::string_view reason) const override {
    return RefuseByte(stream(), places_.ends + 8 * vertex, reason, shape_.kind);
  }
  Status RefuseEdge(uint64_t edge, std::string_view reason) const override {
    return RefuseByte(stream(), places_.targets + edge * TargetBytes(), reason, shape_.kind);
  }

 private:
  /// Bytes from one target to the next.
  size_t TargetBytes() const {
    return weights_stream_.has_value() ? shape_.target_bytes : shape_.edge_bytes();
  }

  Status ReadAll(InputStream* stream, std::span<char> into) const {
    size_t filled = 0;
    RETURN_IF_ERROR(stream->Read(std::as_writable_bytes(into), &filled));
    if (filled == into.size()) return OkStatus();
    return RefuseByte(this->stream(), stream->offset(), "a file cut short", shape_.kind);
  }

  ReopeningStream targets_stream_;
  ReopeningStream ends_stream_;
  std::optional<ReopeningStream> weights_stream_;
  CsrPlaces places_;
  InputStream* targets_ = nullptr;
  InputStream* ends_ = nullptr;
  InputStream* weights_ = nullptr;
  std::vector<char> block_;
  size_t block_at_ = 0;
};

}  // namespace

StatusOr<ReopeningStream> OpenAgain(const InputSpec& spec) {
  ASSIGN_OR_RETURN(auto stream, spec.Open());
  return ReopeningStream(spec, std::move(stream));
}

Status RefusePipe(const ReopeningStream& stream, std::string_view kind) {
  if (stream.regular()) return OkStatus();
  return UsageError(StrCat(stream.name(), ": ", kind,
                           " is read in several places at once, which a pipe does not allow: give "
                           "a file"));
}

Status RefuseByte(const ReopeningStream& stream, uint64_t offset, std::string_view reason,
                  std::string_view kind) {
  return ByteError(stream.name(), offset, StrCat(reason, ": the file is damaged, or not ", kind));
}

StatusOr<std::unique_ptr<CsrLists>> OpenBinaryCsrLists(ReopeningStream stream,
                                                       const InputSpec& spec, const CsrShape& shape,
                                                       const CsrPlaces& places) {
  ASSIGN_OR_RETURN(ReopeningStream ends, OpenAgain(spec));
  std::optional<ReopeningStream> weights;
  if (shape.weights_apart && shape.weight != CsrWeight::kNone) {
    ASSIGN_OR_RETURN(weights, OpenAgain(spec));
  }
  return std::unique_ptr<CsrLists>(std::make_unique<BinaryCsrLists>(
      std::move(stream), std::move(ends), std::move(weights), shape, places));
}

}  // namespace edgemill
