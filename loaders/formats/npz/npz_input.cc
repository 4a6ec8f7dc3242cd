#include "loaders/formats/npz/npz_input.h"

#include <algorithm>
#include <cstring>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "loaders/formats/npz/npz_matrix.h"
#include "loaders/formats/rows/csr_input.h"

namespace edgemill {
namespace {

constexpr uint64_t kEndsAtOnce = 8192;

/// The lists of a matrix in the formats csr (rows) and csc (columns).
class NpzLists final : public CsrLists {
 public:
  NpzLists(ReopeningStream stream, NpzMatrix matrix, const CsrShape& shape)
      : CsrLists(shape), stream_(std::move(stream)), matrix_(std::move(matrix)) {}

  const ReopeningStream& stream() const override { return stream_; }
  bool seekable() const override { return false; }
  std::optional<uint64_t> decompressed_bytes() const override {
    if (!arrays_.has_value() || shape_.num_edges == 0) return stream_.stored_bytes();
    const double share =
        static_cast<double>(arrays_->second().next()) / static_cast<double>(shape_.num_edges);
    return static_cast<uint64_t>(share * static_cast<double>(stream_.stored_bytes()));
  }

  Status Start(uint64_t vertex, uint64_t edge) override {
    ASSIGN_OR_RETURN(const InputStream* const archive, stream_.EnsureOpen());
    ASSIGN_OR_RETURN(auto arrays,
                     NpzArrays::Open(*archive, matrix_, shape_.num_vertices + 1, 0, edge));
    arrays_.emplace(std::move(arrays));
    uint64_t start = 0;
    RETURN_IF_ERROR(arrays_->first().ReadIntegers({&start, 1}));
    if (start != 0) return arrays_->first().Refuse(0, "a first offset that is not 0");
    return arrays_->first().Skip(vertex);
  }

  StatusOr<uint64_t> NextEnd() override {
    if (ends_at_ == ends_.size()) {
      NpyReader& reader = arrays_->first();
      ends_.resize(std::min(kEndsAtOnce, reader.size() - reader.next()));
      ends_at_ = 0;
      RETURN_IF_ERROR(reader.ReadIntegers(ends_));
    }
    return ends_[ends_at_++];
  }

  Status ReadEdges(size_t count, char* into) override {
    indices_.resize(count);
    RETURN_IF_ERROR(arrays_->second().ReadIntegers(indices_));
    for (size_t i = 0; i < count; ++i, into += shape_.target_bytes) {
      const uint64_t target = indices_[i];
      // Numbers that do not fit are refused by their place, when the edge is made.
      const auto narrow = static_cast<uint32_t>(std::min<uint64_t>(target, UINT32_MAX));
      if (shape_.target_bytes == 4) std::memcpy(into, &narrow, sizeof(narrow));
      if (shape_.target_bytes == 8) std::memcpy(into, &target, sizeof(target));
    }
    if (arrays_->data() == nullptr) return OkStatus();
    values_.resize(count);
    RETURN_IF_ERROR(ReadNpzValues(matrix_.values, arrays_->data(), values_));
    std::copy_n(reinterpret_cast<const char*>(values_.data()), count * sizeof(double), into);
    return OkStatus();
  }

  Status CheckEnd() override {
    RETURN_IF_ERROR(stream_.stream()->CheckSizeUnchanged());
    return arrays_->CheckEnd();
  }
  void CloseWhileIdle() override {
    arrays_.reset();
    ends_.clear();
    ends_at_ = 0;
    stream_.CloseWhileIdle();
  }

  Status RefuseEnd(uint64_t vertex, std::string_view reason) const override {
    return RefuseAt(matrix_.first, vertex + 1, reason);
  }
  Status RefuseEdge(uint64_t edge, std::string_view reason) const override {
    return RefuseAt(matrix_.second, edge, reason);
  }

 private:
  Status RefuseAt(const ZipMember& member, uint64_t element, std::string_view reason) const {
    return BadDataError(StrCat(stream_.name(), ": ", member.name, ": element ", element, ": ",
                               reason, ": the file is damaged, or not ", kNpzKind))
        .At({.file = stream_.name()});
  }

  ReopeningStream stream_;
  const NpzMatrix matrix_;
  std::optional<NpzArrays> arrays_;
  std::vector<uint64_t> ends_;
  size_t ends_at_ = 0;
  std::vector<uint64_t> indices_;
  std::vector<double> values_;
};

/// The form of the lists of a matrix.
CsrShape ShapeOf(const NpzMatrix& matrix) {
  const bool by_column = matrix.format == "csc";
  CsrShape shape{.kind = kNpzKind,
                 .num_vertices = by_column ? matrix.columns : matrix.rows,
                 .num_edges = matrix.num_edges,
                 .keeps_weights = matrix.values.keeps_weights,
                 .weights_apart = true};
  shape.sides.lists_hold_sources = by_column;
  const uint64_t others = by_column ? matrix.rows : matrix.columns;
  shape.target_bytes = others < UINT32_MAX ? 4 : 8;
  if (!matrix.square()) {
    shape.sides.bipartite = true;
    shape.sides.others = others;
    (by_column ? shape.sides.list_shift : shape.sides.target_shift) = matrix.rows;
  }
  // The values are converted, and are exact.
  if (shape.keeps_weights) shape.weight = CsrWeight::kFloat64;
  shape.integer_weights = shape.keeps_weights && matrix.values.integers;
  shape.stored_edge_bytes = shape.edge_bytes();
  return shape;
}

}  // namespace

bool IsNpz(std::string_view head) {
  constexpr size_t kNameAt = 30;
  if (!head.starts_with("PK\x03\x04") || head.size() < kNameAt) return false;
  uint16_t name_bytes;
  std::memcpy(&name_bytes, head.data() + 26, sizeof(name_bytes));
  return head.substr(kNameAt, name_bytes).ends_with(".npy");
}

StatusOr<std::unique_ptr<Input>> MakeNpzInput(ReopeningStream stream, const ReadOptions& options) {
  if (!stream.seekable()) {
    return UsageError(StrCat(stream.name(),
                             ": a .npz archive is read in several places at once: give a file that "
                             "is not compressed"));
  }
  ASSIGN_OR_RETURN(const InputStream* const archive, stream.EnsureOpen());
  ASSIGN_OR_RETURN(NpzMatrix matrix, ReadNpzMatrix(*archive));
  std::vector<std::string> notes;
  ASSIGN_OR_RETURN(matrix.values, DecideNpzValues(*archive, matrix.data, options, &notes));
  if (!matrix.square()) {
    notes.push_back(StrCat(stream.name(), ": a matrix of ", matrix.rows, " rows and ",
                           matrix.columns,
                           " columns is a bipartite graph: row i is vertex i, column j is vertex ",
                           matrix.rows, " + j; --undirected stores both directions"));
  }
  if (matrix.format == "coo") {
    return MakeCooInput(std::move(stream), std::move(matrix), options, std::move(notes));
  }
  const CsrShape shape = ShapeOf(matrix);
  return MakeCsrInput(std::make_unique<NpzLists>(std::move(stream), std::move(matrix), shape),
                      options, std::move(notes));
}

}  // namespace edgemill
