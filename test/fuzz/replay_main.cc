// Runs a fuzz target without libFuzzer: over files, and over a fixed number of seeded mutations of
// each. So every compiler's build replays the corpus, the same way each time.
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "common/random.h"
#include "common/strings.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size);

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

int Replay(const std::string& path, int mutations) {
  std::ifstream file(path, std::ios::binary);
  Bytes bytes{std::istreambuf_iterator<char>(file), {}};
  LLVMFuzzerTestOneInput(bytes.data(), bytes.size());
  bytes.insert(bytes.begin(), 0);  // the byte of options
  Random random(bytes.size());
  for (int i = 0; i < mutations; ++i) {
    Bytes mutated = Mutate(bytes, random);
    if (!mutated.empty()) mutated[0] = static_cast<uint8_t>(random.Below(256));
    LLVMFuzzerTestOneInput(mutated.data(), mutated.size());
  }
  return 1 + mutations;
}

}  // namespace
}  // namespace edgemill

/// Usage: replay MUTATIONS FILE...
int main(int argc, char** argv) {
  int runs = 0;
  int mutations = 0;
  if (argc < 3 || !edgemill::ParseNumber(argv[1], &mutations)) return 64;
  for (int i = 2; i < argc; ++i) runs += edgemill::Replay(argv[i], mutations);
  std::printf("%d inputs\n", runs);
  return runs > 0 ? 0 : 1;
}
