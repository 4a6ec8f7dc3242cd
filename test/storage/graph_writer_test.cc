#include "storage/write/graph_writer.h"

#include <gtest/gtest.h>

#include "test/written_graph.h"

namespace edgemill {
namespace {

using std::filesystem::exists;

TEST(GraphWriter, WrittenGraphsOpenWithOneToFourDataDirectories) {
  for (int count = 0; count <= 4; ++count) {
    TemporaryDirectory temporary;
    std::vector<std::string> directories;
    for (int i = 0; i < count; ++i) directories.push_back(temporary / StrCat("disk", i));
    const TestGraph graph{};
    const Status written = WriteGraph(temporary / "g.mill", graph, directories);
    ASSERT_TRUE(written.ok()) << written.message();
    const Status checked = CheckGraph(temporary / "g.mill", graph);
    EXPECT_TRUE(checked.ok()) << checked.message();
    const Status removed = RemoveGraph(temporary / "g.mill", {});
    EXPECT_TRUE(removed.ok()) << removed.message();
    EXPECT_TRUE(std::filesystem::is_empty(temporary.path()));
  }
}

}  // namespace
}  // namespace edgemill
