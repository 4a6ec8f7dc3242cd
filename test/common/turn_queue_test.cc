#include "common/threads/turn_queue.h"

#include <gtest/gtest.h>

#include <atomic>
#include <cstdint>
#include <thread>
#include <vector>

namespace edgemill {
namespace {

TEST(TurnQueue, ThreadsGoInOrderFromTheFirstTurn) {
  constexpr uint64_t kFirst = 5, kTurns = 2000;
  TurnQueue queue(kFirst);
  std::atomic<uint64_t> next{kFirst};
  std::vector<uint64_t> order;
  std::vector<std::thread> threads;
  for (int i = 0; i < 8; ++i) {
    threads.emplace_back([&] {
      for (uint64_t turn = next++; turn < kFirst + kTurns; turn = next++) {
        ASSERT_TRUE(queue.Await(turn));
        EXPECT_TRUE(queue.IsDue(turn));
        EXPECT_FALSE(queue.IsDue(turn + 1));
        order.push_back(turn);
        queue.Pass();
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  ASSERT_EQ(order.size(), kTurns);
  for (uint64_t i = 0; i < kTurns; ++i) EXPECT_EQ(order[i], kFirst + i);
}

// There are more threads than the queue distinguishes, so some wake up for the turns of others.
TEST(TurnQueue, ManyThreadsWait) {
  constexpr uint64_t kThreads = 200;
  TurnQueue queue;
  std::atomic<uint64_t> passed{0};
  std::vector<std::thread> threads;
  for (uint64_t turn = kThreads; turn-- > 0;) {
    threads.emplace_back([&, turn] {
      ASSERT_TRUE(queue.Await(turn));
      EXPECT_EQ(passed++, turn);
      queue.Pass();
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(passed, kThreads);
}

TEST(TurnQueue, TurnsBeforeTheEndStillCome) {
  TurnQueue queue;
  std::atomic<int> came{0}, ended{0};
  std::vector<std::thread> threads;
  for (uint64_t turn = 1; turn <= 6; ++turn) {
    threads.emplace_back([&, turn] {
      if (!queue.Await(turn)) {
        EXPECT_GE(turn, 4u);
        ++ended;
        return;
      }
      ++came;
      queue.Pass();
    });
  }
  queue.EndAt(4);
  queue.EndAt(5);  // a later end changes nothing
  ASSERT_TRUE(queue.Await(0));
  queue.Pass();
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(came, 3);
  EXPECT_EQ(ended, 3);
}

}  // namespace
}  // namespace edgemill
