// Messages to another team are combined and bounded. None is lost, and errors are kept.
#include "engine/hybrid/message_sender.h"

#include <gtest/gtest.h>

#include <map>

#include "common/random.h"
#include "common/threads/parallel.h"

namespace edgemill {
namespace {

struct Adds {
  using Monoid = Sum<uint64_t>;
  View<uint64_t> value;
  uint64_t Emit(VertexId) const { return 1; }
  bool Apply(VertexId, uint64_t) { return true; }
};

TEST(MessageSender, LosesNothingAndCombines) {
  for (const int threads : {1, 4}) {
    Mutex mutex;
    std::map<VertexId, uint64_t> got;
    uint64_t handed_over = 0;
    MessageSender<Adds> sender(threads, [&](auto vertices, auto sums) {
      EXPECT_LE(vertices.size(), 1024u);
      EXPECT_EQ(vertices.size(), sums.size());
      MutexLock lock(mutex);
      handed_over += vertices.size();
      for (size_t i = 0; i < vertices.size(); ++i) got[vertices[i]] += sums[i];
      return OkStatus();
    });
    constexpr uint64_t kMessages = 100'000, kHubs = 10;
    const Status status = RunThreads(threads, [&](int thread) {
      Random random(static_cast<uint64_t>(thread));
      for (uint64_t i = 0; i < kMessages; ++i) {
        const bool hub = i % 2 == 0;
        sender.Add(static_cast<VertexId>(random.Below(hub ? kHubs : 1'000'000)), i);
      }
      return OkStatus();
    });
    ASSERT_TRUE(status.ok());
    ASSERT_TRUE(sender.Flush().ok());
    uint64_t sum = 0;
    for (const auto& [vertex, value] : got) sum += value;
    const auto n = static_cast<uint64_t>(threads);
    EXPECT_EQ(sum, n * (kMessages * (kMessages - 1) / 2));
    EXPECT_EQ(sender.sent(), handed_over);
    EXPECT_LT(handed_over, n * kMessages * 3 / 4);  // messages for hubs were combined
    // A second Flush has nothing to send.
    ASSERT_TRUE(sender.Flush().ok());
    EXPECT_EQ(sender.sent(), handed_over);
  }
}

TEST(MessageSender, KeepsTheFirstError) {
  uint64_t calls = 0;
  MessageSender<Adds> sender(1, [&](auto, auto) -> Status {
    ++calls;
    return InternalError("refused");
  });
  for (VertexId v = 0; v < 10'000; ++v) sender.Add(v, 1);
  EXPECT_FALSE(sender.Flush().ok());
  EXPECT_EQ(calls, 1u);
}

}  // namespace
}  // namespace edgemill
