// Reads names of vertices from text.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>
#include <vector>

#include "loaders/formats/lines/number_parser.h"
#include "loaders/source/edge_source.h"
#include "loaders/source/raw_chunk.h"

namespace edgemill {

/// Whether the whole field is a name: 1 to kMaxNameBytes bytes of UTF-8 without NUL, line feed
/// or carriage return. If not, sets `error`.
bool CheckName(std::string_view field, FieldError* error);

/// Whether all of `field` is a decimal number, maybe with sign, point or exponent.
bool IsNumber(std::string_view field);

/// Whether `field` was probably meant as a name. It was not if it is a number, maybe a wrong one
/// ("-1", "1e5", "2.5", "0x1f"), or several numbers with another delimiter between them.
bool LooksLikeName(std::string_view field);

/// Whether `field` is a word that programs write for a missing value, such as NULL, nan, NA or \N.
bool IsMissing(std::string_view field);

/// Finds the value of the key "weight" in `text`, a dictionary as Python writes it, such as
/// "{'weight': 4, 'since': 2009}". If there is none, sets `error` and returns false.
bool FindWeight(std::string_view text, std::string_view* value, FieldError* error);

/// Adds edges between names to a chunk. Each raw chunk needs its own sink.
class NameSink {
 public:
  NameSink(EdgeChunk* chunk, uint64_t seed) : chunk_(chunk), seed_(seed) {}

  void Add(std::string_view source, std::string_view target) {
    const uint64_t id = AddName(source);
    chunk_->wide.push_back({id, AddName(target)});
  }
  void AddVertex(std::string_view name) { AddName(name); }

 private:
  /// Adds a name to the chunk, unless it was seen lately and so is in the chunk already.
  uint64_t AddName(std::string_view name) {
    const uint64_t id = HashName(name, seed_);
    // At first the empty name, which is no name.
    NameList::Entry& seen = recent_[id % kRecentNames];
    if (seen.id != id || chunk_->names.TextOf(seen) != name) seen = chunk_->names.Add(id, name);
    return id;
  }

  static constexpr size_t kRecentNames = 2048;
  EdgeChunk* chunk_;
  uint64_t seed_;
  std::array<NameList::Entry, kRecentNames> recent_{};
};

}  // namespace edgemill
