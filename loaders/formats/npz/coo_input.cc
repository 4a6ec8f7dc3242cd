#include <algorithm>
#include <cstring>
#include <optional>
#include <utility>
#include <vector>

#include "loaders/formats/npz/npz_matrix.h"
#include "loaders/formats/rows/csr_input.h"

namespace edgemill {
namespace {

/// A matrix in the format coo: the row and the column of each entry.
class CooInput final : public Input {
 public:
  CooInput(ReopeningStream stream, NpzMatrix matrix, const ReadOptions& options,
           std::vector<std::string> notes)
      : stream_(std::move(stream)), matrix_(std::move(matrix)), base_(options.base) {
    info_.body.line = 0;
    info_.weighted = matrix_.values.keeps_weights;
    info_.integer_weights = info_.weighted && matrix_.values.integers;
    info_.columns = {"row", "column"};
    if (info_.weighted) info_.columns.emplace_back("weight");
    info_.notes = std::move(notes);
    info_.min_id = base_;
    const uint64_t vertices = matrix_.square() ? matrix_.rows : matrix_.rows + matrix_.columns;
    info_.num_vertices = vertices - std::min(vertices, base_);
    info_.expected_edges = matrix_.num_edges;
  }

  const std::string& name() const override { return stream_.name(); }
  const InputInfo& info() const override { return info_; }
  uint64_t stored_bytes() const override { return stream_.stored_bytes(); }
  uint64_t fingerprint() const override { return stream_.fingerprint(); }
  bool seekable() const override { return false; }
  Status CheckEnd(const InputTotals&, InputInfo*) const override { return OkStatus(); }
  std::optional<uint64_t> decompressed_bytes() const override {
    if (matrix_.num_edges == 0) return stored_bytes();
    const double share = static_cast<double>(next_) / static_cast<double>(matrix_.num_edges);
    return static_cast<uint64_t>(share * static_cast<double>(stored_bytes()));
  }
  void CloseWhileIdle() override {
    arrays_.reset();
    stream_.CloseWhileIdle();
  }

  Status Seek(const InputPosition& position) override {
    next_ = position.record;
    if (next_ <= matrix_.num_edges) return OkStatus();
    return RefuseByte(stream_, 0, "fewer edges than when it was read before", kNpzKind);
  }

  /// A raw chunk has the rows of some entries, then their columns, then their weights.
  Status NextChunk(size_t bytes, RawChunk* raw) override {
    raw->begin = raw->end = Position();
    raw->text = {};
    raw->unread_bytes = 0;
    if (!arrays_.has_value()) {
      ASSIGN_OR_RETURN(const InputStream* const archive, stream_.EnsureOpen());
      ASSIGN_OR_RETURN(auto arrays,
                       NpzArrays::Open(*archive, matrix_, matrix_.num_edges, next_, next_));
      arrays_.emplace(std::move(arrays));
    }
    const size_t most = std::max<size_t>(1, bytes / EntryBytes());
    const size_t count = std::min<uint64_t>(most, matrix_.num_edges - next_);
    raw->buffer->Grow(count * EntryBytes() + 1, 0);
    numbers_.resize(count);
    char* into = raw->buffer->data();
    for (NpyReader* const reader : {&arrays_->first(), &arrays_->second()}) {
      RETURN_IF_ERROR(reader->ReadIntegers(numbers_));
      into = std::copy_n(reinterpret_cast<const char*>(numbers_.data()), count * sizeof(uint64_t),
                         into);
    }
    if (info_.weighted) {
      values_.resize(count);
      RETURN_IF_ERROR(ReadNpzValues(matrix_.values, arrays_->data(), values_));
      std::copy_n(reinterpret_cast<const char*>(values_.data()), count * sizeof(double), into);
    }
    raw->text = {raw->buffer->data(), count * EntryBytes()};
    next_ += count;
    raw->end = Position();
    raw->ends_input = next_ == matrix_.num_edges;
    if (!raw->ends_input) return OkStatus();
    RETURN_IF_ERROR(stream_.stream()->CheckSizeUnchanged());
    return arrays_->CheckEnd();
  }

  Status Parse(const RawChunk& raw, EdgeChunk* chunk, ParseResult* result) const override {
    const size_t count = raw.text.size() / EntryBytes();
    const auto load = [&](size_t at) {
      uint64_t value;
      std::memcpy(&value, raw.text.data() + at * sizeof(value), sizeof(value));
      return value;
    };
    EdgeSink sink(chunk);
    const uint64_t shift = matrix_.square() ? 0 : matrix_.rows;
    for (size_t i = 0; i < count; ++i) {
      const uint64_t source = load(i);
      const uint64_t target = load(count + i) + shift;
      const uint64_t entry = raw.begin.record + i;
      if (source >= matrix_.rows) return RefuseIndex(matrix_.first, entry, source);
      if (target - shift >= matrix_.columns) {
        return RefuseIndex(matrix_.second, entry, target - shift);
      }
      if (source < base_ || target < base_) {
        return RefuseByte(stream_, 0, StrCat("entry ", entry, " has id 0 with --base 1"), kNpzKind);
      }
      sink.Add(source - base_, target - base_);
      if (info_.weighted) {
        double weight;
        std::memcpy(&weight, raw.text.data() + (2 * count + i) * sizeof(weight), sizeof(weight));
        sink.AddWeight(weight);
      }
      result->totals.loops += source == target;
    }
    result->totals.edges = result->totals.records = count;
    return OkStatus();
  }

 private:
  size_t EntryBytes() const { return (info_.weighted ? 3 : 2) * sizeof(uint64_t); }
  InputPosition Position() const { return {next_ * 2 * sizeof(uint64_t), 0, next_}; }

  Status RefuseIndex(const ZipMember& member, uint64_t entry, uint64_t index) const {
    return BadDataError(StrCat(name(), ": ", member.name, ": element ", entry, ": the index ",
                               index, " is outside the matrix of ", matrix_.rows, " rows and ",
                               matrix_.columns, " columns: the file is damaged: write it again"))
        .At({.file = name()});
  }

  ReopeningStream stream_;
  const NpzMatrix matrix_;
  InputInfo info_;
  const uint64_t base_;
  std::optional<NpzArrays> arrays_;
  uint64_t next_ = 0;
  std::vector<uint64_t> numbers_;
  std::vector<double> values_;
};

}  // namespace

std::unique_ptr<Input> MakeCooInput(ReopeningStream stream, NpzMatrix matrix,
                                    const ReadOptions& options, std::vector<std::string> notes) {
  return std::make_unique<CooInput>(std::move(stream), std::move(matrix), options,
                                    std::move(notes));
}

}  // namespace edgemill
