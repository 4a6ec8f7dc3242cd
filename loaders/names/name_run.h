// Names in rising order, in a stream of temporary data. They are coded as in the graph's column of
// names.
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "common/state_blob.h"
#include "common/status.h"
#include "loaders/spill/spill_space.h"
#include "storage/format/name_coding.h"

namespace edgemill {

/// All names in a stream, each once, in rising order. A section can be read without the others.
struct NameRun {
  /// Names of each section except the last.
  static constexpr uint64_t kSectionNames = uint64_t{1} << 16;

  std::unique_ptr<SpillStream> stream;
  uint64_t num_names = 0;
  std::vector<uint64_t> sections;  // where each begins in the stream

  uint64_t SectionNames(size_t section) const {
    return std::min(kSectionNames, num_names - section * kSectionNames);
  }
  /// Lists what the journal keeps (state_blob.h), except the stream.
  template <typename Visitor, typename Run>
  static void ListFields(Visitor& visitor, Run& run) {
    visitor.Fields(run.num_names, run.sections);
  }
};

/// Writes a run.
class NameRunWriter {
 public:
  explicit NameRunWriter(SpillSpace& space) { run_.stream = space.NewStream(); }
  /// Appends `name`, which must be greater than the name before. Errors are those of
  /// SpillStream::Append, and CancelledError.
  Status Append(std::string_view name);
  StatusOr<NameRun> Finish();

 private:
  NameRun run_;
  NameEncoder encoder_;
  std::string coded_;
};

/// Reads a run from its front, or from where a section begins.
class NameRunReader {
 public:
  /// Memory of one reader, in bytes.
  static constexpr uint64_t kBytes = 3 * kMaxCodedNameBytes;

  explicit NameRunReader(const SpillStream& stream, uint64_t from = 0)
      : stream_(stream), read_(from), decoder_({}) {}
  /// Reads the next name, which is valid until the next call; false at the end. BadDataError when
  /// the stream holds no run. Other errors are those of SpillStream::Read, and CancelledError.
  StatusOr<bool> Next(std::string_view* name);

 private:
  Status Fill();

  const SpillStream& stream_;
  std::vector<char> buffer_;
  uint64_t read_;  // offset in the stream at which the next read begins
  NameDecoder decoder_;
};

}  // namespace edgemill
