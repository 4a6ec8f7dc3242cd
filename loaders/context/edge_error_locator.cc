#include "loaders/context/edge_error_locator.h"

#include "common/strings.h"

namespace edgemill {

Status EdgeErrorLocator::At(const EdgeMatch& match, const Status& error) const {
  const StatusOr<LocatedEdge> place = source_.Locate(match);
  if (!place.ok() || place->where.empty()) return error;
  return error.WithMessage(StrCat(place->where, ": ", error.message())).At(place->place);
}

Status EdgeErrorLocator::AtEdge(ExternalId source, ExternalId target, const Status& error) const {
  return At([=](const LocatedEdge& edge) { return edge.source == source && edge.target == target; },
            error);
}

Status EdgeErrorLocator::LocateFirstError(const EdgeRules& rules, const Status& error) {
  MutexLock lock(refused_mutex_);
  if (refused_.has_value()) return *refused_;
  refused_ = error;
  const StatusOr<LocatedEdge> place =
      source_.Locate([&rules](const LocatedEdge& edge) { return !CheckEdge(rules, edge).ok(); });
  if (place.ok() && !place->where.empty()) {
    const Status first = CheckEdge(rules, *place);
    refused_ = first.WithMessage(StrCat(place->where, ": ", first.message())).At(place->place);
  }
  return *refused_;
}

}  // namespace edgemill
