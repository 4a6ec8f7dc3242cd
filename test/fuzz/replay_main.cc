// Runs fuzz targets without libFuzzer: over files, and over a fixed number of seeded mutations of
// each. So a build by any compiler can replay the corpus, in the same way each time.
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <string_view>
#include <vector>

#include "common/check.h"
#include "common/random.h"
#include "common/strings.h"
#include "test/fuzz/targets.h"

namespace edgemill {
namespace {

using Bytes = std::vector<uint8_t>;

/// `seed` with a few bytes changed, cut out, doubled or replaced by troublesome text.
Bytes Mutate(const Bytes& seed, Random& random) {
  static const std::string* const kTrouble = new std::string[]{
      "-", "1e309", "18446744073709551615", "\n", "\r", "\0", "\xef\xbb\xbf", "\"", ",",
      "%", "p sp"};
  Bytes bytes = seed;
  for (uint64_t changes = 1 + random.Below(6); changes > 0; --changes) {
    const size_t at = random.Below(bytes.size() + 1);
    switch (random.Below(4)) {
      case 0:
        if (at < bytes.size()) bytes[at] ^= static_cast<uint8_t>(1 << random.Below(8));
        break;
      case 1:
        bytes.resize(at);
        break;
      case 2: {
        const size_t length = std::min<size_t>(random.Below(20), bytes.size() - at);
        const Bytes copy(bytes.begin() + static_cast<long>(at),
                         bytes.begin() + static_cast<long>(at + length));
        bytes.insert(bytes.begin() + static_cast<long>(at), copy.begin(), copy.end());
        break;
      }
      default: {
        const std::string& text = kTrouble[random.Below(11)];
        bytes.insert(bytes.begin() + static_cast<long>(at), text.begin(), text.end());
      }
    }
  }
  return bytes;
}

int Replay(std::string_view target, const std::string& path, int mutations) {
  std::ifstream file(path, std::ios::binary);
  Bytes bytes{std::istreambuf_iterator<char>(file), {}};
  CHECK(RunFuzzTarget(target, bytes));
  bytes.insert(bytes.begin(), 0);  // the byte of options
  Random random(bytes.size());
  for (int i = 0; i < mutations; ++i) {
    Bytes mutated = Mutate(bytes, random);
    if (!mutated.empty()) mutated[0] = static_cast<uint8_t>(random.Below(256));
    RunFuzzTarget(target, mutated);
  }
  return 1 + mutations;
}

}  // namespace
}  // namespace edgemill

/// Usage: fuzz_replay TARGET MUTATIONS FILE...
int main(int argc, char** argv) {
  int runs = 0;
  int mutations = 0;
  if (argc < 4 || !edgemill::ParseNumber(argv[2], &mutations)) return 64;
  for (int i = 3; i < argc; ++i) runs += edgemill::Replay(argv[1], argv[i], mutations);
  std::printf("%d inputs\n", runs);
  return runs > 0 ? 0 : 1;
}
