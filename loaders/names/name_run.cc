#include "loaders/names/name_run.h"

#include <algorithm>
#include <cstring>
#include <span>

#include "common/cancel.h"
#include "common/check.h"

namespace edgemill {
namespace {

constexpr size_t kWriteBytes = size_t{64} << 10;
constexpr uint64_t kReadBytes = 2 * kMaxCodedNameBytes;

}  // namespace

Status NameRunWriter::Append(std::string_view name) {
  if (encoder_.num_names() % NameRun::kSectionNames == 0) {
    run_.sections.push_back(run_.stream->size() + coded_.size());
  }
  encoder_.Append(name, &coded_);
  if (coded_.size() < kWriteBytes) return OkStatus();
  RETURN_IF_ERROR(CheckCancelled());
  RETURN_IF_ERROR(run_.stream->Append(std::as_bytes(std::span(coded_))));
  coded_.clear();
  return OkStatus();
}

StatusOr<NameRun> NameRunWriter::Finish() {
  CHECK(run_.stream != nullptr);  // a run is finished once
  RETURN_IF_ERROR(run_.stream->Append(std::as_bytes(std::span(coded_))));
  run_.stream->Seal();
  run_.num_names = encoder_.num_names();
  return std::move(run_);
}

Status NameRunReader::Fill() {
  RETURN_IF_ERROR(CheckCancelled());
  const std::string_view rest = decoder_.rest();
  CHECK_LT(rest.size(), kMaxCodedNameBytes);  // what is left of a buffer is less than a name
  CHECK_LE(read_, stream_.size());
  const uint64_t more = std::min(kReadBytes, stream_.size() - read_);
  if (buffer_.empty()) buffer_.resize(kMaxCodedNameBytes + kReadBytes);
  if (!rest.empty()) std::memmove(buffer_.data(), rest.data(), rest.size());
  const auto into = std::span(buffer_).subspan(rest.size(), more);
  RETURN_IF_ERROR(stream_.Read(read_, std::as_writable_bytes(into)));
  read_ += more;
  decoder_.SetRest({buffer_.data(), rest.size() + more});
  return OkStatus();
}

StatusOr<bool> NameRunReader::Next(std::string_view* name) {
  if (decoder_.rest().size() < kMaxCodedNameBytes && read_ < stream_.size()) {
    RETURN_IF_ERROR(Fill());
  }
  if (decoder_.rest().empty()) return false;
  if (decoder_.Next(name)) return true;
  return stream_.BadAt(read_ - decoder_.rest().size(), "names that begin here: they do not rise");
}

}  // namespace edgemill
