// Names of vertices from text.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>
#include <vector>

#include "loaders/formats/lines/number_parser.h"
#include "loaders/source/edge_source.h"
#include "loaders/source/raw_chunk.h"

namespace edgemill {

/// Whether a whole field is a name: 1 to kMaxNameBytes bytes of UTF-8 without NUL or carriage
/// return. False with the error.
bool CheckName(std::string_view field, FieldError* error);

/// Whether all of `field` is a decimal number, of any kind.
bool IsNumber(std::string_view field);

/// Whether `field`, which may be anything, was meant as a name: not as a number, perhaps a wrong
/// one
/// ("-1", "1e5", "2.5", "0x1f"), nor as several with another delimiter between.
bool LooksLikeName(std::string_view field);

/// Whether `field` is a word that programs write where there is no value: NULL, nan, NA, \N ...
bool IsMissing(std::string_view field);

/// Finds the value of the key "weight" in `text`, a dictionary as Python writes it:
/// "{'weight': 4, 'since': 2009}". False with the error when there is none.
bool FindWeight(std::string_view text, std::string_view* value, FieldError* error);

/// Adds edges of names to a chunk. Good for one raw chunk.
class NameSink {
 public:
  NameSink(EdgeChunk* chunk, uint64_t seed) : chunk_(chunk), seed_(seed) {}

  void Add(std::string_view source, std::string_view target) {
    const uint64_t id = AddName(source);
    chunk_->wide.push_back({id, AddName(target)});
  }
  void AddVertex(std::string_view name) { AddName(name); }

 private:
  /// A name that came lately, and so is in the chunk already, is not put there again.
  uint64_t AddName(std::string_view name) {
    const uint64_t id = HashName(name, seed_);
    NameList::Entry& seen = lately_[id % kLately];  // at first an empty name, which none is
    if (seen.id != id || chunk_->names.TextOf(seen) != name) seen = chunk_->names.Add(id, name);
    return id;
  }

  static constexpr size_t kLately = 2048;
  EdgeChunk* chunk_;
  uint64_t seed_;
  std::array<NameList::Entry, kLately> lately_{};
};

}  // namespace edgemill
