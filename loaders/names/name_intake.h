// What becomes of names while an input is read.
#pragma once

#include "loaders/names/name_filter.h"
#include "loaders/names/name_runs.h"

namespace edgemill {

/// All threads pass their names through the filter. The names that it does not know go to the runs.
struct NameIntake {
  NameFilter filter;
  NameRuns runs;

  /// Removes from `names` those that the filter knows: the runs have them. Thread-safe.
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
