// Names for the vertices of inputs whose ids are numbers, from a file with one name a line.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "common/os/memory_budget.h"
#include "common/status.h"
#include "common/thread_annotations.h"
#include "loaders/options/read_options.h"
#include "loaders/source/input.h"

namespace edgemill {

/// The hashes of names by vertex: line 1 of the file names the first vertex. Shared by the inputs
/// of a reader and its passes. Memory: 8 bytes a vertex, and 8 more until the names are loaded.
/// Thread-safe.
class VertexNames {
 public:
  /// The names in options.names_file. Reads nothing.
  static std::shared_ptr<VertexNames> Make(const ReadOptions& options);

  /// Reserves memory for the names of `vertices` vertices, which the input called `name` has.
  /// UsageError when another input has another number of them; BudgetError.
  Status Expect(const std::string& name, uint64_t vertices);
  /// The hash with `seed` of each vertex's name. The first call reads the file; others wait.
  /// BadDataError for a bad name, for one that two vertices have, and when there are more or fewer
  /// than the vertices.
  StatusOr<std::span<const uint64_t>> Load(uint64_t seed);

 private:
  explicit VertexNames(const ReadOptions& options);
  Status Read(uint64_t seed) REQUIRES(mutex_);
  Status CheckDifferent() REQUIRES(mutex_);

  const std::string path_;
  const int window_log_max_;
  const TableMeans means_;  // the budget and the threads
  Mutex mutex_;
  std::string expected_by_ GUARDED_BY(mutex_);  // the input that has as many vertices
  uint64_t expected_ GUARDED_BY(mutex_) = 0;
  MemoryReservation kept_ GUARDED_BY(mutex_), for_loading_ GUARDED_BY(mutex_);
  bool loaded_ GUARDED_BY(mutex_) = false;
  Status error_ GUARDED_BY(mutex_);
  std::vector<uint64_t> hashes_ GUARDED_BY(mutex_);
};

/// `numbers` with names of `names` in place of its ids. UsageError when its format does not declare
/// how many vertices there are. Otherwise the errors of VertexNames::Expect.
StatusOr<std::unique_ptr<Input>> NameVertices(std::unique_ptr<Input> numbers,
                                              std::shared_ptr<VertexNames> names);

}  // namespace edgemill
