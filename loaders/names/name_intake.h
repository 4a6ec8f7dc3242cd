// What becomes of names while an input is read.
#pragma once

#include "loaders/names/name_filter.h"
#include "loaders/names/name_runs.h"

namespace edgemill {

/// Names go through the filter, on all threads, and those that it does not know to the runs.
struct NameIntake {
  NameFilter filter;
  NameRuns runs;

  /// Leaves names away that the runs have. Thread-safe.
  void DropKnown(NameList* names) {
    constexpr size_t kAhead = 8;
    const std::vector<NameList::Entry>& entries = names->entries();
    size_t next = 0;
    names->DropIf([&](const NameList::Entry& entry) {
      if (++next + kAhead < entries.size()) filter.Prefetch(entries[next + kAhead].id);
      return filter.Add(entry.id, names->TextOf(entry));
    });
  }
};

}  // namespace edgemill
