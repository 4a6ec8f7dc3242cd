// The targets of fuzzing. Each takes arbitrary bytes, and aborts if a promise is broken.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

namespace edgemill {

using FuzzInput = std::span<const uint8_t>;

/// A stored block (block_decoder.cc).
void FuzzBlockDecoder(FuzzInput data);
/// Lists of a BV graph (bv_lists.cc).
void FuzzBvLists(FuzzInput data);
/// The catalog's keys and values, and identity files (catalog_records.cc).
void FuzzCatalogRecords(FuzzInput data);
/// A run's checkpoint (checkpoint.cc).
void FuzzCheckpoint(FuzzInput data);
/// A group of names, and text as UTF-8 (name_groups.cc).
void FuzzNameGroups(FuzzInput data);
/// A Graphalytics set's .properties file (edge_formats.cc).
void FuzzProperties(FuzzInput data);

/// A page of spilled records (spill_page.cc).
void FuzzSpillPage(FuzzInput data);

/// Runs the target `name`. Returns false if there is none.
bool RunFuzzTarget(std::string_view name, FuzzInput data);

/// Prints the names of all targets, one a line.
void PrintFuzzTargets();

}  // namespace edgemill
