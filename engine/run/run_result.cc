#include "engine/run/run_result.h"

#include <algorithm>
#include <atomic>
#include <bit>
#include <functional>
#include <limits>
#include <type_traits>
#include <utility>
#include <vector>

#include "common/check.h"
#include "common/thread_annotations.h"
#include "engine/api/algorithm.h"
#include "engine/api/top_list.h"
#include "engine/graph/id_map.h"

namespace edgemill {
namespace {

/// The most threads that read ids. Each has a block of ids, half a megabyte, which is not reserved.
constexpr int kMaxIdThreads = 8;
/// How many values Visit gives at a time: lists of all vertices of a block of ids could take
/// gigabytes.
constexpr size_t kMostValues = size_t{1} << 16;
constexpr ExternalId kNoId = std::numeric_limits<ExternalId>::max();

}  // namespace

RunResult::RunResult(const GraphStore& store, MemoryBudget& budget, const ResultColumn& column,
                     AnswerSource source, Answer answer)
    : store_(store),
      budget_(budget),
      column_(column),
      source_(std::move(source)),
      answer_(std::move(answer)) {
  CHECK(source_.graph != nullptr && source_.state != nullptr);
  if (answer_.column != column_.name) {
    internal::AuthorMistake(StrCat("the driver fills the column \"", answer_.column,
                                   "\" of its answer, and declares \"", column_.name, "\""));
  }
  const bool may_be_real = column_.type == ResultType::kReal || column_.real_like_weights;
  const bool may_be_whole = column_.type != ResultType::kReal;
  if (is_real() ? may_be_real : may_be_whole) return;
  internal::AuthorMistake(
      StrCat(column_.name, ": the driver fills it with ", is_real() ? "real" : "whole",
             " numbers: declare .type = ResultType::", is_real() ? "kReal" : "kCount or kId"));
}

VertexValue RunResult::Value(ExternalId id, VertexId vertex) const {
  VertexValue value{.id = id};
  if (is_real()) {
    value.real = answer_.real(vertex);
    value.reached = value.real != std::numeric_limits<double>::infinity();
  } else {
    value.integer = answer_.integer(vertex);
    value.reached = value.integer != kUnreachedInteger;
  }
  return value;
}

std::optional<VertexId> RunResult::AsVertex(uint64_t value) const {
  if (value == kUnreachedInteger) return std::nullopt;
  if (value < num_vertices()) return static_cast<VertexId>(value);
  internal::AuthorMistake(
      StrCat("the column \"", column_.name, "\" holds ", value, ", which is not a vertex"));
}

uint64_t AnswerRows::size() const { return result_.num_vertices(); }

Status AnswerRows::ReadVertices(uint64_t first_row, std::span<ExternalId> ids,
                                std::span<VertexId> vertices) const {
  return IdMap(result_.store_, result_.reader()).Read(first_row, ids, vertices);
}

uint64_t AnswerRows::unreached() const {
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  return result_.is_real() ? std::bit_cast<uint64_t>(kInfinity) : kUnreachedInteger;
}

void AnswerRows::Read(std::span<const VertexId> vertices, uint32_t heading,
                      std::span<uint64_t> values) const {
  CHECK_EQ(vertices.size(), values.size());
  const Answer& answer = result_.answer_;
  if (answer.list != nullptr) {
    for (size_t i = 0; i < values.size(); ++i) values[i] = answer.list(vertices[i], heading);
  } else if (result_.is_real()) {
    for (size_t i = 0; i < values.size(); ++i) {
      values[i] = std::bit_cast<uint64_t>(answer.real(vertices[i]));
    }
  } else {
    for (size_t i = 0; i < values.size(); ++i) values[i] = answer.integer(vertices[i]);
  }
}

void AnswerRows::PutIds(std::span<uint64_t> values) const {
  if (id_of_.empty()) return;
  for (uint64_t& value : values) {
    const std::optional<VertexId> vertex = result_.AsVertex(value);
    if (vertex.has_value()) value = id_of_[*vertex];
  }
}

Status RunResult::LoadIds(int threads, std::span<ExternalId> ids) const {
  std::fill(ids.begin(), ids.end(), kNoId);
  IdMap map(store_, *reader_);
  return map.VisitInParallel(
      std::min(threads, kMaxIdThreads),
      [&](uint64_t, std::span<const ExternalId> run, std::span<const VertexId> vertices) {
        for (size_t i = 0; i < run.size(); ++i) {
          if (column_.top != TopKind::kGroups) {
            ids[vertices[i]] = run[i];
            continue;
          }
          // A component goes by the least id of its members.
          const std::optional<VertexId> group = AsVertex(answer_.integer(vertices[i]));
          if (group.has_value()) AtomicMin(&ids[*group], run[i]);
        }
        return OkStatus();
      });
}

StatusOr<AnswerRows> RunResult::OpenRows(int threads) const {
  CHECK(reader_ != nullptr);  // after Finish
  AnswerRows rows(*this);
  if (column_.type != ResultType::kId) return rows;
  ASSIGN_OR_RETURN(rows.reservation_, budget_.Reserve(num_vertices() * 8, "ids of the answer"));
  ASSIGN_OR_RETURN(rows.id_of_, Array<ExternalId>::Allocate(num_vertices()));
  RETURN_IF_ERROR(LoadIds(threads, rows.id_of_.span()));
  return rows;
}

Status RunResult::Visit(const Visitor& visit) const {
  ASSIGN_OR_RETURN(const AnswerRows rows, OpenRows(/*threads=*/1));
  const size_t width = answer_.list == nullptr ? 1 : answer_.headings.size();
  const size_t most_rows = std::max<size_t>(kMostValues / width, 1);
  std::vector<uint64_t> column;
  std::vector<VertexValue> values;
  IdMap map(store_, *reader_);
  return map.Visit(
      [&](uint64_t, std::span<const ExternalId> ids, std::span<const VertexId> vertices) {
        for (size_t begin = 0; begin < ids.size(); begin += most_rows) {
          const size_t count = std::min(most_rows, ids.size() - begin);
          column.resize(count);
          values.assign(count * width, {});
          for (size_t heading = 0; heading < width; ++heading) {
            rows.Read(vertices.subspan(begin, count), static_cast<uint32_t>(heading), column);
            for (size_t i = 0; i < count; ++i) {
              VertexValue& value = values[i * width + heading];
              value.id = ids[begin + i];
              value.reached = column[i] != rows.unreached();
              if (is_real()) value.real = std::bit_cast<double>(column[i]);
            }
            if (is_real()) continue;
            rows.PutIds(column);
            for (size_t i = 0; i < count; ++i) values[i * width + heading].integer = column[i];
          }
          RETURN_IF_ERROR(visit(values));
        }
        return OkStatus();
      });
}

template <typename T, typename Better>
StatusOr<std::vector<TopEntry>> RunResult::BestValues(uint32_t count, int threads) {
  CHECK_GT(count, 0u);
  Mutex mutex;
  TopList<T, Better> best(count);
  // Values that are not as good are not among the first, so most vertices need one comparison.
  using Limits = std::numeric_limits<T>;
  std::atomic<T> last{Better()(T{1}, T{0}) ? Limits::lowest() : Limits::max()};
  IdMap map(store_, *reader_);
  RETURN_IF_ERROR(map.VisitInParallel(
      std::min(threads, kMaxIdThreads),
      [&](uint64_t, std::span<const ExternalId> ids, std::span<const VertexId> vertices) {
        TopList<T, Better> of_block(count);
        const T known = last.load(std::memory_order_relaxed);
        for (size_t i = 0; i < ids.size(); ++i) {
          const VertexValue found = Value(ids[i], vertices[i]);
          const T value = std::is_same_v<T, double> ? T(found.real) : T(found.integer);
          if (found.reached && !Better()(known, value)) of_block.Add({value, ids[i]});
        }
        MutexLock lock(mutex);
        best.Add(of_block);
        if (best.full()) last = best.last();
        return OkStatus();
      }));
  std::vector<TopEntry> entries;
  for (const auto& [value, id] : best.Sorted()) entries.push_back({id, value});
  return entries;
}

StatusOr<Array<uint32_t>> RunResult::CountMembers(MemoryReservation* reservation) {
  CHECK(!is_real());  // groups are named by a vertex
  ASSIGN_OR_RETURN(*reservation, budget_.Reserve(num_vertices() * 4, "sizes of components"));
  ASSIGN_OR_RETURN(Array<uint32_t> members, Array<uint32_t>::Allocate(num_vertices()));
  for (uint64_t vertex = 0; vertex < num_vertices(); ++vertex) {
    const std::optional<VertexId> group = AsVertex(answer_.integer(static_cast<VertexId>(vertex)));
    if (group.has_value()) ++members[*group];
  }
  return members;
}

StatusOr<std::map<uint64_t, uint64_t>> RunResult::GroupSizes() {
  CHECK(IsOfGroups(column_.top));
  MemoryReservation reservation;
  ASSIGN_OR_RETURN(const Array<uint32_t> members, CountMembers(&reservation));
  std::map<uint64_t, uint64_t> sizes;
  for (uint64_t vertex = 0; vertex < num_vertices(); ++vertex) {
    if (members[vertex] > 0) ++sizes[members[vertex]];
  }
  return sizes;
}

StatusOr<Histogram> RunResult::CountValues(int threads) {
  if (IsOfGroups(column_.top)) {
    ASSIGN_OR_RETURN(const auto sizes, GroupSizes());
    Histogram histogram = BinCounts(sizes);
    histogram.of_groups = true;
    return histogram;
  }
  CHECK(column_.type != ResultType::kId);
  if (is_real()) {
    return CountReals(
        num_vertices(), [this](uint64_t i) { return answer_.real(static_cast<VertexId>(i)); },
        threads);
  }
  const uint64_t width = headings().size();
  return CountIntegers(
      width * num_vertices(),
      [this, width](uint64_t i) {
        const auto vertex = static_cast<VertexId>(i / width);
        return width == 1 ? answer_.integer(vertex)
                          : answer_.list(vertex, static_cast<uint32_t>(i % width));
      },
      threads);
}

StatusOr<std::vector<TopEntry>> RunResult::LargestGroups(uint32_t count) {
  MemoryReservation reservation;
  ASSIGN_OR_RETURN(Array<uint32_t> members, CountMembers(&reservation));
  TopList<uint64_t> top(count);
  IdMap map(store_, *reader_);
  RETURN_IF_ERROR(
      map.Visit([&](uint64_t, std::span<const ExternalId> ids, std::span<const VertexId> vertices) {
        for (size_t i = 0; i < ids.size(); ++i) {
          // Ids rise: the first member that is met has the group's id.
          const std::optional<VertexId> group = column_.top == TopKind::kGroups
                                                    ? AsVertex(answer_.integer(vertices[i]))
                                                    : std::optional(vertices[i]);
          if (!group.has_value() || members[*group] == 0) continue;
          top.Add({std::exchange(members[*group], 0), ids[i]});
        }
        return OkStatus();
      }));
  std::vector<TopEntry> entries;
  for (const auto& [size, id] : top.Sorted()) entries.push_back({id, size});
  return entries;
}

StatusOr<std::vector<TopEntry>> RunResult::Top(std::optional<uint32_t> count, int threads) {
  const uint32_t most = count.value_or(column_.default_top);
  if (most == 0) return std::vector<TopEntry>();
  CHECK(reader_ != nullptr);
  switch (column_.top) {
    case TopKind::kValues:
      return is_real() ? BestValues<double, std::greater<>>(most, threads)
                       : BestValues<uint64_t, std::greater<>>(most, threads);
    case TopKind::kGroups:
    case TopKind::kLabels:
      return LargestGroups(most);
    case TopKind::kNone:
      break;
  }
  return std::vector<TopEntry>();
}

StatusOr<std::vector<TopEntry>> RunResult::Bottom(uint32_t count, int threads) {
  if (count == 0) return std::vector<TopEntry>();
  CHECK(reader_ != nullptr && column_.top == TopKind::kValues);
  return is_real() ? BestValues<double, std::less<>>(count, threads)
                   : BestValues<uint64_t, std::less<>>(count, threads);
}

}  // namespace edgemill
