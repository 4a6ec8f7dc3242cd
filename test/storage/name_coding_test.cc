// Names come back as they were coded. Other bytes are refused, or give names in ascending order.
#include "storage/format/name_coding.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "test/graphs/random_names.h"

namespace edgemill {
namespace {

/// The coded bytes of each group.
std::vector<std::string> Groups(const std::vector<std::string>& names) {
  std::vector<std::string> groups;
  NameEncoder encoder;
  for (const std::string& name : names) {
    if (encoder.between_groups()) groups.emplace_back();
    encoder.Append(name, &groups.back());
  }
  EXPECT_EQ(encoder.num_names(), names.size());
  EXPECT_EQ(groups.size(), NumNameGroups(names.size()));
  return groups;
}

Status Decode(std::string_view coded, uint64_t count, std::vector<std::string>* names) {
  return DecodeNameGroup(coded, count, [names](std::string_view name) {
    names->emplace_back(name);
    return OkStatus();
  });
}

void ExpectRoundTrip(const std::vector<std::string>& names) {
  std::vector<std::string> back;
  std::string all;
  for (const std::string& group : Groups(names)) {
    EXPECT_LE(group.size(), kMaxNameGroupBytes);
    const uint64_t count = std::min<uint64_t>(kNamesPerGroup, names.size() - back.size());
    const Status status = Decode(group, count, &back);
    ASSERT_TRUE(status.ok()) << status.message();
    all += group;
  }
  EXPECT_TRUE(back == names);
  // The groups are adjacent, so one decoder reads all of them.
  NameDecoder decoder(all);
  std::string_view name;
  for (const std::string& expected : names) {
    ASSERT_TRUE(decoder.Next(&name));
    EXPECT_EQ(name, expected);
  }
  EXPECT_TRUE(decoder.rest().empty());
  EXPECT_FALSE(decoder.Next(&name));
}

TEST(NameCoding, RandomNamesComeBack) {
  for (uint64_t seed = 0; seed < 40; ++seed) ExpectRoundTrip(RandomNames(1 + seed * 13, seed));
}

TEST(NameCoding, NamesOfTheGreatestLengthComeBack) {
  std::vector<std::string> names;
  for (char c = 'a'; c < 'u'; ++c) names.push_back(std::string(kMaxNameBytes - 1, 'x') + c);
  ExpectRoundTrip(names);
  for (size_t i = 0; i < names.size(); ++i) names[i][0] = static_cast<char>('a' + i);
  ExpectRoundTrip(names);
}

TEST(NameCoding, AByteTakesPartInNothingButItsName) {
  std::vector<std::string> names;
  for (int byte = 0; byte < 256; ++byte) names.emplace_back(1, static_cast<char>(byte));
  ExpectRoundTrip(names);
}

TEST(NameCoding, BytesThatAreNoGroupAreRefused) {
  std::vector<std::string> names;
  const auto refused = [&names](std::string_view coded, uint64_t count) {
    names.clear();
    return Decode(coded, count, &names).code() == Code::kBadData;
  };
  using namespace std::string_view_literals;
  EXPECT_FALSE(refused("\1a\1\1b"sv, 2));  // a, ab
  EXPECT_TRUE(refused(""sv, 1));
  EXPECT_TRUE(refused("\0"sv, 1));               // an empty name
  EXPECT_TRUE(refused("\2a"sv, 1));              // a name longer than its bytes
  EXPECT_TRUE(refused("\1a\2\1b"sv, 2));         // shares more than the name before it has
  EXPECT_TRUE(refused("\1b\0\1a"sv, 2));         // names in descending order
  EXPECT_TRUE(refused("\1a\0\1a"sv, 2));         // the same name twice
  EXPECT_TRUE(refused("\1a\1\0"sv, 2));          // the same name, wholly shared
  EXPECT_TRUE(refused("\1ab"sv, 1));             // bytes are left
  EXPECT_TRUE(refused("\1a"sv, 2));              // a name is missing
  EXPECT_TRUE(refused("\x80\x80\x80\1a"sv, 1));  // a length of four bytes
  EXPECT_TRUE(refused("\x81\x80\4" + std::string(kMaxNameBytes + 1, 'a'), 1)) << "too long";
  std::string sum = "\x80\x80\4" + std::string(kMaxNameBytes, 'a') + "\x80\x80\4\1b";
  EXPECT_TRUE(refused(sum, 2)) << "too long together";
}

TEST(NameCoding, CutAndChangedGroupsNeverGiveFallingNames) {
  const std::vector<std::string> names = RandomNames(16, 9);
  const std::string group = Groups(names)[0];
  for (size_t size = 0; size < group.size(); ++size) {
    std::vector<std::string> back;
    EXPECT_EQ(Decode(group.substr(0, size), 16, &back).code(), Code::kBadData) << size;
  }
  Random random(1);
  for (int i = 0; i < 20000; ++i) {
    std::string changed = group;
    for (uint64_t j = 1 + random.Below(3); j > 0; --j) {
      changed[random.Below(changed.size())] = static_cast<char>(random());
    }
    std::vector<std::string> back;
    const bool decoded = Decode(changed, 16, &back).ok();
    EXPECT_TRUE(!decoded || back.size() == 16);
    EXPECT_TRUE(std::is_sorted(back.begin(), back.end()));
  }
}

TEST(NameCoding, TheVisitorsErrorEndsIt) {
  int visits = 0;
  const std::string group = Groups(RandomNames(16, 2))[0];
  const Status status = DecodeNameGroup(
      group, 16, [&](std::string_view) { return ++visits < 3 ? OkStatus() : IoError("enough"); });
  EXPECT_EQ(status.message(), "enough");
  EXPECT_EQ(visits, 3);
}

TEST(Utf8, IsWhatRfc3629Says) {
  size_t bad = 0;
  for (const char* good :
       {"", "abc", "\x7f", "\xc2\x80", "\xdf\xbf", "\xe0\xa0\x80", "\xed\x9f\xbf", "\xee\x80\x80",
        "\xef\xbf\xbf", "\xf0\x90\x80\x80", "\xf4\x8f\xbf\xbf", "a\xc3\xa9z"}) {
    EXPECT_TRUE(IsUtf8(good, &bad)) << good;
  }
  EXPECT_TRUE(IsUtf8(std::string_view("\0", 1), &bad));
  const std::pair<const char*, size_t> faults[] = {
      {"\x80", 0},          // a continuation alone
      {"a\xbf", 1},         //
      {"\xc0\x80", 0},      // overlong: two bytes
      {"\xc1\xbf", 0},      //
      {"\xe0\x9f\xbf", 0},  // three
      {"\xf0\x8f\xbf\xbf", 0},
      {"\xed\xa0\x80", 0},          // a surrogate
      {"x\xed\xbf\xbf", 1},         //
      {"\xf4\x90\x80\x80", 0},      // above 10ffff
      {"\xf5\x80\x80\x80", 0},      //
      {"\xff", 0},                  //
      {"ab\xc3", 2},                // cut
      {"ab\xe4\xb8", 2},            //
      {"\xf0\x9f\x98", 0},          //
      {"\xc3\xa9\xc3(", 2},         // not continued
      {"\xe4\xb8\x96\xe4(\x96", 3}  //
  };
  for (const auto& [text, at] : faults) {
    bad = 99;
    EXPECT_FALSE(IsUtf8(text, &bad)) << text;
    EXPECT_EQ(bad, at) << text;
  }
}

}  // namespace
}  // namespace edgemill
