#include "loaders/stream/reopening_stream.h"

#include <utility>

namespace edgemill {

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
  ASSIGN_OR_RETURN(stream_,
                   InputStream::Open(spec_.path, spec_.trust_suffix, spec_.window_log_max));
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
