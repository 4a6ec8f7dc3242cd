#include "storage/format/name_coding.h"

#include <algorithm>

#include "common/check.h"

namespace edgemill {
namespace {

void PutLength(size_t length, std::string* out) {
  for (; length >= 0x80; length >>= 7) *out += static_cast<char>(0x80 | (length & 0x7f));
  *out += static_cast<char>(length);
}

/// Takes a length off the front of `*rest`; false when there is none up to kMaxNameBytes.
bool ParseLength(std::string_view* rest, size_t* length) {
  *length = 0;
  for (size_t i = 0; i < 3 && i < rest->size(); ++i) {
    const auto byte = static_cast<uint8_t>((*rest)[i]);
    *length |= size_t{byte & 0x7fu} << 7 * i;
    if (byte >= 0x80) continue;
    rest->remove_prefix(i + 1);
    return *length <= kMaxNameBytes;
  }
  return false;
}

size_t SharedBytes(std::string_view a, std::string_view b) {
  const size_t most = std::min(a.size(), b.size());
  return static_cast<size_t>(std::mismatch(a.begin(), a.begin() + most, b.begin()).first -
                             a.begin());
}

}  // namespace

void NameEncoder::Append(std::string_view name, std::string* out) {
  DCHECK(num_names_ == 0 || previous_ < name);
  size_t shared = 0;
  if (!between_groups()) {
    shared = SharedBytes(previous_, name);
    PutLength(shared, out);
  }
  PutLength(name.size() - shared, out);
  out->append(name.substr(shared));
  previous_.resize(shared);
  previous_ += name.substr(shared);
  ++num_names_;
}

bool NameDecoder::Next(std::string_view* name) {
  size_t shared = 0;
  size_t length = 0;
  const bool first = num_names_ % kNamesPerGroup == 0;
  if (!first && !ParseLength(&rest_, &shared)) return false;
  if (!ParseLength(&rest_, &length) || length > rest_.size()) return false;
  if (shared > name_.size() || shared + length > kMaxNameBytes) return false;
  const std::string_view suffix = rest_.substr(0, length);
  const bool rises = num_names_ == 0 ? length > 0
                     : first         ? std::string_view(name_) < suffix
                                     : std::string_view(name_).substr(shared) < suffix;
  if (!rises) return false;
  name_.resize(shared);
  name_ += suffix;
  rest_.remove_prefix(length);
  ++num_names_;
  *name = name_;
  return true;
}

Status DecodeNameGroup(std::string_view coded, uint64_t count,
                       const std::function<Status(std::string_view)>& visit) {
  NameDecoder decoder(coded);
  std::string_view name;
  for (uint64_t i = 0; i < count; ++i) {
    if (!decoder.Next(&name)) return BadDataError("its names are not coded as names are");
    RETURN_IF_ERROR(visit(name));
  }
  return decoder.rest().empty() ? OkStatus() : BadDataError("its names end before their bytes do");
}

}  // namespace edgemill
