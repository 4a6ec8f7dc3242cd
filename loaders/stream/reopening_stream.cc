#include "loaders/stream/reopening_stream.h"

#include <utility>

namespace edgemill {

StatusOr<std::unique_ptr<InputStream>> InputSpec::Open() const {
  const File* copy = nullptr;
  if (copies != nullptr) {
    const auto found = copies->find(path);
    if (found != copies->end()) copy = &found->second;
  }
  return InputStream::Open(path, trust_suffix, window_log_max, copy);
}

ReopeningStream::ReopeningStream(InputSpec spec, std::unique_ptr<InputStream> stream)
    : spec_(std::move(spec)),
      stream_(std::move(stream)),
      name_(stream_->name()),
      stored_bytes_(stream_->stored_bytes()),
      fingerprint_(stream_->fingerprint()),
      regular_(stream_->regular()),
      seekable_(stream_->seekable()) {}

StatusOr<InputStream*> ReopeningStream::EnsureOpen() {
  if (stream_ != nullptr) return stream_.get();
  ASSIGN_OR_RETURN(stream_, spec_.Open());
  if (stream_->fingerprint() != fingerprint_) {
    return BadDataError(StrCat(name_,
                               ": the file changed since it was opened: start again when "
                               "nothing writes to it"));
  }
  return stream_.get();
}

void ReopeningStream::CloseWhileIdle() {
  if (regular_) stream_.reset();
}

}  // namespace edgemill
