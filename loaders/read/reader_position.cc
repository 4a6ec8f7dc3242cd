#include "loaders/read/reader_position.h"

#include <algorithm>
#include <sstream>

namespace edgemill {
namespace {

constexpr const char* kMagic = "edge-reader-6";
constexpr char kBlankInReason = '\x1f';

/// The position's numbers, in the order of the text.
std::vector<uint64_t*> Fields(ReaderPosition* p) {
  return {&p->next_sequence,
          &p->input,
          &p->in_input.offset,
          &p->in_input.line,
          &p->in_input.record,
          &p->in_input.fields,
          &p->in_input.first_field,
          &p->in_input.line_bytes,
          &p->totals.records,
          &p->totals.edges,
          &p->totals.loops,
          &p->totals.bad_lines,
          &p->totals.missing_ids,
          &p->totals.comments,
          &p->totals.leading_comments,
          &p->totals.cleaned_weights,
          &p->totals.skipped_weights,
          &p->totals.filled_weights,
          &p->bad_lines,
          &p->bad_file_bytes,
          &p->symmetric_inputs};
}

}  // namespace

std::string FormatReaderPosition(const ReaderPosition& position, const std::string& options,
                                 const std::vector<uint64_t>& fingerprints) {
  ReaderPosition copy = position;
  std::string text = kMagic;
  for (const uint64_t* field : Fields(&copy)) text += StrCat(" ", *field);
  text += StrCat(" ", fingerprints.size());
  for (const uint64_t fingerprint : fingerprints) text += StrCat(" ", fingerprint);
  // Reasons are texts, in which another character stands for a blank.
  text += StrCat(" ", position.reasons.size());
  for (const auto& [reason, count] : position.reasons) {
    std::string word = reason;
    std::replace(word.begin(), word.end(), ' ', kBlankInReason);
    text += StrCat(" ", count, " ", word);
  }
  return StrCat(text, " ", options);
}

StatusOr<ReaderPosition> ParseReaderPosition(const std::string& text, const std::string& options,
                                             const std::vector<std::string>& names,
                                             const std::vector<uint64_t>& fingerprints) {
  std::istringstream words(text);
  std::string magic;
  words >> magic;
  ReaderPosition position;
  for (uint64_t* field : Fields(&position)) words >> *field;
  size_t count = 0;
  words >> count;
  if (!words || magic != kMagic) {
    return BadDataError("the position where reading stopped is damaged: start again");
  }
  if (count != fingerprints.size()) {
    return UsageError(StrCat("reading stopped with ", count, " inputs, now there are ",
                             fingerprints.size(), ": give the same inputs to resume"));
  }
  for (size_t i = 0; i < count; ++i) {
    uint64_t fingerprint = 0;
    words >> fingerprint;
    if (words && fingerprint == fingerprints[i]) continue;
    return BadDataError(StrCat(names[i],
                               ": the input has changed since reading stopped: give the "
                               "same inputs, or start again"));
  }
  size_t reasons = 0;
  for (words >> reasons; words && reasons > 0; --reasons) {
    uint64_t number = 0;
    std::string reason;
    words >> number >> reason;
    std::replace(reason.begin(), reason.end(), kBlankInReason, ' ');
    position.reasons[reason] = number;
  }
  words.get();
  std::string old_options;
  std::getline(words, old_options);
  if (old_options != options) {
    return UsageError(
        "the options for reading are not those that reading began with: give the same "
        "options to resume");
  }
  return position;
}

}  // namespace edgemill
