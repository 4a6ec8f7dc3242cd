#include "loaders/formats/npz/npz_matrix.h"

#include <utility>
#include <vector>

#include "loaders/formats/rows/csr_input.h"

namespace edgemill {
namespace {

/// Opens a member whose elements are integers.
StatusOr<std::unique_ptr<NpyReader>> OpenIntegers(const InputStream& archive,
                                                  const ZipMember& member, uint64_t size) {
  ASSIGN_OR_RETURN(auto reader, NpyReader::Open(archive, member));
  if (!reader->type().is_integer() || reader->shape().size() != 1) {
    return reader->RefuseArray("no list of integers: write the file by scipy.sparse.save_npz");
  }
  if (reader->size() != size) {
    return reader->RefuseArray(StrCat("has ", reader->size(), " elements where the matrix has ",
                                      size, ": write the file again"));
  }
  return reader;
}

/// The members of an archive by their names.
class NpzMembers {
 public:
  NpzMembers(const InputStream& archive, std::vector<ZipMember> members)
      : archive_(archive), members_(std::move(members)) {}

  StatusOr<ZipMember> Find(std::string_view name) const {
    const std::string file = StrCat(name, ".npy");
    for (const ZipMember& member : members_) {
      if (member.name == file) return member;
    }
    return BadDataError(StrCat(archive_.name(), ": has no ", file, ", so it is not ", kNpzKind,
                               ": write it by scipy.sparse.save_npz"));
  }

 private:
  const InputStream& archive_;
  std::vector<ZipMember> members_;
};

}  // namespace

StatusOr<NpzArrays> NpzArrays::Open(const InputStream& archive, const NpzMatrix& matrix,
                                    uint64_t first_size, uint64_t first_at, uint64_t edge) {
  NpzArrays arrays;
  ASSIGN_OR_RETURN(arrays.first_, OpenIntegers(archive, matrix.first, first_size));
  ASSIGN_OR_RETURN(arrays.second_, OpenIntegers(archive, matrix.second, matrix.num_edges));
  RETURN_IF_ERROR(arrays.first_->Skip(first_at));
  RETURN_IF_ERROR(arrays.second_->Skip(edge));
  if (!matrix.values.keeps_weights) return arrays;
  ASSIGN_OR_RETURN(arrays.data_, NpyReader::Open(archive, matrix.data));
  if (arrays.data_->shape().size() != 1 || arrays.data_->size() != matrix.num_edges) {
    return arrays.data_->RefuseArray(
        "does not have one value for each index: write the file again");
  }
  RETURN_IF_ERROR(arrays.data_->Skip(edge));
  return arrays;
}

Status NpzArrays::CheckEnd() const {
  RETURN_IF_ERROR(first_->CheckEnd());
  RETURN_IF_ERROR(second_->CheckEnd());
  return data_ == nullptr ? OkStatus() : data_->CheckEnd();
}

StatusOr<NpzMatrix> ReadNpzMatrix(const InputStream& archive) {
  ASSIGN_OR_RETURN(std::vector<ZipMember> all, ReadZipDirectory(archive));
  const NpzMembers members(archive, std::move(all));
  NpzMatrix matrix;
  ASSIGN_OR_RETURN(const ZipMember format, members.Find("format"));
  ASSIGN_OR_RETURN(const auto format_reader, NpyReader::Open(archive, format));
  ASSIGN_OR_RETURN(matrix.format, format_reader->ReadText());
  RETURN_IF_ERROR(format_reader->CheckEnd());
  const bool is_coo = matrix.format == "coo";
  if (matrix.format != "csr" && matrix.format != "csc" && !is_coo) {
    return UsageError(StrCat(archive.name(), ": a matrix in the format ", QuotedText(matrix.format),
                             " is not read: write it by save_npz(FILE, matrix.tocsr())"));
  }
  ASSIGN_OR_RETURN(const ZipMember shape, members.Find("shape"));
  ASSIGN_OR_RETURN(const auto sizes, OpenIntegers(archive, shape, 2));
  uint64_t numbers[2];
  RETURN_IF_ERROR(sizes->ReadIntegers(numbers));
  RETURN_IF_ERROR(sizes->CheckEnd());
  if (numbers[0] > kMaxCsrNumbers || numbers[1] > kMaxCsrNumbers) {
    return sizes->RefuseArray("more than 2^48 rows or columns: the file is damaged");
  }
  matrix.rows = numbers[0];
  matrix.columns = numbers[1];
  ASSIGN_OR_RETURN(matrix.first, members.Find(is_coo ? "row" : "indptr"));
  ASSIGN_OR_RETURN(matrix.second, members.Find(is_coo ? "col" : "indices"));
  ASSIGN_OR_RETURN(matrix.data, members.Find("data"));
  ASSIGN_OR_RETURN(const auto second, NpyReader::Open(archive, matrix.second));
  matrix.num_edges = second->size();
  return matrix;
}

}  // namespace edgemill
