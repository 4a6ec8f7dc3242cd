// Errors of edges that were read well say where: the input is read once more to find the line.
#include "loaders/ingest/ingest_job.h"

namespace edgemill {

Status IngestJob::At(const EdgeMatch& match, const Status& error) const {
  const StatusOr<EdgePlace> place = source_.Locate(match);
  // An input that can no longer be read leaves the error as it is.
  if (!place.ok() || place->where.empty()) return error;
  return error.WithMessage(StrCat(place->where, ": ", error.message()));
}

Status IngestJob::AtEdge(ExternalId source, ExternalId target, const Status& error) const {
  return At([=](const EdgePlace& edge) { return edge.source == source && edge.target == target; },
            error);
}

Status IngestJob::ExplainRefused(const Status& error) {
  // Threads that meet several such edges wait for one answer.
  MutexLock lock(refused_mutex_);
  if (refused_.has_value()) return *refused_;
  refused_ = error;
  const StatusOr<EdgePlace> place =
      source_.Locate([this](const EdgePlace& edge) { return !CheckEdge(rules_, edge).ok(); });
  if (place.ok() && !place->where.empty()) {
    const Status first = CheckEdge(rules_, *place);
    refused_ = first.WithMessage(StrCat(place->where, ": ", first.message()));
  }
  return *refused_;
}

}  // namespace edgemill
