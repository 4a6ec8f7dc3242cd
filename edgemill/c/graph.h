// An open graph of the C interface.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "cli/session.h"
#include "common/thread_annotations.h"
#include "edgemill/c_api.h"
#include "edgemill/edgemill.h"

namespace edgemill::c {

/// Names of vertices, one after the other.
struct Names {
  std::vector<int64_t> offsets = {0};
  std::string text;

  void Add(std::string_view name) {
    text += name;
    offsets.push_back(static_cast<int64_t>(text.size()));
  }
  std::string_view Of(uint64_t i) const {
    return std::string_view(text).substr(offsets[i], offsets[i + 1] - offsets[i]);
  }
  uint64_t size() const { return offsets.size() - 1; }
};

/// The names as a C caller gets them. The caller frees them.
const edgemill_names* GiveNames(std::shared_ptr<const Names> names);

/// A graph, with what its runs may use. Thread-safe.
class OpenedGraph {
 public:
  OpenedGraph(std::unique_ptr<Graph> graph, const cli::SharedOptions& shared);

  const edgemill_graph_info& info() const { return info_; }
  /// The graph, which stays open meanwhile. UsageError once it is closed.
  StatusOr<std::shared_ptr<const Graph>> graph();
  void Close();
  /// The memory and the threads of the graph, where `given` has none.
  cli::SharedOptions With(cli::SharedOptions given) const;
  /// The names of all vertices. They are read again once all copies are freed. The errors of
  /// ReadNames, and of graph().
  StatusOr<std::shared_ptr<const Names>> AllNames();
  /// The names of the vertices with these ids. UsageError for an id that is no vertex, or a graph
  /// that is closed.
  StatusOr<Names> NamesOf(std::span<const ExternalId> ids);

 private:
  StatusOr<std::shared_ptr<const Graph>> LockedGraph() const REQUIRES(mutex_);

  const cli::SharedOptions shared_;
  const std::string path_;
  const std::string uuid_;
  edgemill_graph_info info_;
  Mutex mutex_;
  std::shared_ptr<const Graph> graph_ GUARDED_BY(mutex_);  // null: closed; shared with runs
  std::weak_ptr<const Names> names_ GUARDED_BY(mutex_);
};

}  // namespace edgemill::c

struct edgemill_graph {
  std::shared_ptr<edgemill::c::OpenedGraph> opened;  // shared with answers, which may need names
};
