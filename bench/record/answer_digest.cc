#include "bench/record/answer_digest.h"

#include <cmath>

#include "bench/plain/plain_algorithms.h"
#include "common/random.h"

namespace edgemill::bench {
namespace {

constexpr uint64_t kClasses = 4096;
constexpr double kRankTolerance = 1e-5;

}  // namespace

void AnswerDigest::AddValue(uint64_t vertex, uint64_t value) {
  hash_ += Mix64(Mix64(vertex) ^ value);  // a sum: the order does not matter
}

void AnswerDigest::AddRank(uint64_t vertex, double rank) {
  if (ranks_.empty()) ranks_.resize(kClasses);
  ranks_[Mix64(vertex) % kClasses] += rank;
}

StatusOr<AnswerDigest> AnswerDigest::Of(RunResult& result, uint64_t id_base) {
  AnswerDigest digest;
  RETURN_IF_ERROR(result.Visit([&](std::span<const VertexValue> values) {
    for (const VertexValue& value : values) {
      const uint64_t vertex = value.id - id_base;
      if (result.type() == ResultType::kReal) {
        digest.AddRank(vertex, value.real);
      } else if (!value.reached) {
        digest.AddValue(vertex, kPlainUnreached);
      } else {
        const bool names_vertex = result.top_kind() == TopKind::kGroups;
        digest.AddValue(vertex, value.integer - (names_vertex ? id_base : 0));
      }
    }
    return OkStatus();
  }));
  return digest;
}

AnswerDigest AnswerDigest::Of(std::span<const uint32_t> values) {
  AnswerDigest digest;
  for (uint64_t vertex = 0; vertex < values.size(); ++vertex) {
    digest.AddValue(vertex, values[vertex]);
  }
  return digest;
}

AnswerDigest AnswerDigest::Of(std::span<const float> ranks) {
  AnswerDigest digest;
  for (uint64_t vertex = 0; vertex < ranks.size(); ++vertex) digest.AddRank(vertex, ranks[vertex]);
  return digest;
}

bool AnswerDigest::Agrees(const AnswerDigest& other) const {
  if (hash_ != other.hash_ || ranks_.size() != other.ranks_.size()) return false;
  double apart = 0;
  for (size_t i = 0; i < ranks_.size(); ++i) apart += std::abs(ranks_[i] - other.ranks_[i]);
  return apart <= kRankTolerance;
}

}  // namespace edgemill::bench
