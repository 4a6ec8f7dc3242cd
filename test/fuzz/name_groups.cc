// Arbitrary bytes as a group of coded names. They are refused, or the names come back after coding.
#include <string>
#include <string_view>
#include <vector>

#include "common/check.h"
#include "storage/format/name_coding.h"
#include "test/fuzz/targets.h"

namespace edgemill {
namespace {

/// Decodes the names of a group. Returns false if the bytes are not a group.
bool Decode(std::string_view coded, uint64_t count, std::vector<std::string>* names) {
  return DecodeNameGroup(coded, count,
                         [names](std::string_view name) {
                           CHECK(!name.empty() && name.size() <= kMaxNameBytes);
                           CHECK(names->empty() || names->back() < name);
                           names->emplace_back(name);
                           return OkStatus();
                         })
      .ok();
}

}  // namespace

void FuzzNameGroups(FuzzInput data) {
  if (data.empty()) return;
  const uint64_t count = 1 + data[0] % kNamesPerGroup;
  const std::string_view coded(reinterpret_cast<const char*>(data.data()) + 1, data.size() - 1);
  size_t bad = 0;
  if (!IsUtf8(coded, &bad)) {
    CHECK_LT(bad, coded.size());
    size_t unused = 0;
    CHECK(IsUtf8(coded.substr(0, bad), &unused));
  }
  std::vector<std::string> names;
  if (!Decode(coded, count, &names)) return;
  CHECK_EQ(names.size(), count);
  NameEncoder encoder;
  std::string again;
  for (const std::string& name : names) encoder.Append(name, &again);
  CHECK_LE(again.size(), coded.size());
  std::vector<std::string> same;
  CHECK(Decode(again, count, &same));
  CHECK(same == names);
}

}  // namespace edgemill
