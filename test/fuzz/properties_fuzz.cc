// libFuzzer's entry point for Graphalytics sets: the bytes are a .properties file beside a small .v
// and .e.
#include <string>
#include <string_view>

#include "test/reader_testing.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  static const edgemill::TemporaryDirectory directory;
  static const std::string edges = directory.Write("g.e", "1 2\n2 3\n");
  static const std::string vertices = directory.Write("g.v", "1\n2\n3\n");
  const std::string path =
      directory.Write("g.properties", std::string_view(reinterpret_cast<const char*>(data), size));
  const edgemill::ReadAll all = edgemill::Read({path});
  if (all.status.ok()) CHECK_EQ(all.edges.size(), 2u);
  return 0;
}
