// Names for tests. Many have a long common prefix, or characters with a meaning in text formats.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "common/random.h"

namespace edgemill {

/// `count` different names in UTF-8 without line ends, in ascending order. A few have thousands of
/// bytes.
inline std::vector<std::string> RandomNames(size_t count, uint64_t seed) {
  static const std::string_view kParts[] = {"a",
                                            "b",
                                            "ab",
                                            "42",
                                            " ",
                                            "\"",
                                            ",",
                                            "\t",
                                            "\x01",
                                            "\x7f",
                                            "\xc3\xa9",
                                            "\xe4\xb8\x96",
                                            "\xf0\x9f\x98\x80",
                                            "inf",
                                            "#",
                                            "node-",
                                            "Z",
                                            "http://x.org/"};
  Random random(seed);
  std::set<std::string> names;
  std::string last = "x";
  while (names.size() < count) {
    // Most names begin like the name before. The common prefix ends where a character ends.
    std::string name = last.substr(0, random.Below(last.size() + 1));
    while (!name.empty() && (static_cast<uint8_t>(name.back()) & 0x80) != 0) name.pop_back();
    for (uint64_t parts = 1 + random.Below(6); parts > 0; --parts) {
      name += kParts[random.Below(std::size(kParts))];
    }
    if (random.Below(400) == 0) name.append(random.Below(3000), 'q');
    names.insert(name);
    last = random.Below(20) == 0 ? "x" : name;
  }
  return {names.begin(), names.end()};
}

}  // namespace edgemill
