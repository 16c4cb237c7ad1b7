// How many are let in, how many wait, and who is refused.
#include "server/gate.h"

#include <atomic>
#include <optional>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

#include "server/refusal.h"

namespace fineprint::server {
namespace {

TEST(Gate, RefusesWhomNobodyCouldServeSoon) {
  Gate gate("questions", 2, 0);
  std::optional<Gate::Pass> first(gate.enter({}));
  const Gate::Pass second = gate.enter({});
  try {
    gate.enter({});
    FAIL() << "a third was let in";
  } catch (const Refusal& refusal) {
    EXPECT_EQ(refusal.status(), 429);
    EXPECT_GE(refusal.retry_after(), 1);
  }
  first.reset();
  EXPECT_NO_THROW(gate.enter({}));
  EXPECT_EQ(gate.load().inside, 1);
}

TEST(Gate, LetsThoseWhoWaitInWhenOthersLeave) {
  Gate gate("questions", 1, 50);
  std::atomic<int> inside = 0, most = 0;
  std::vector<std::thread> threads;
  for (int i = 0; i < 20; ++i) {
    threads.emplace_back([&] {
      const Gate::Pass pass = gate.enter({});
      const int now = ++inside;
      if (now > most) most = now;
      --inside;
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(most, 1);
  EXPECT_EQ(gate.load().inside, 0);
  EXPECT_EQ(gate.load().waiting, 0);
}

TEST(Gate, IsLeftByThoseWhoAreStopped) {
  Gate gate("questions", 1, 1);
  const Gate::Pass pass = gate.enter({});
  const StopSource source;
  std::thread waiting([&] { EXPECT_THROW(gate.enter(source.token()), Error); });
  while (gate.load().waiting == 0) std::this_thread::yield();
  source.request_stop();
  waiting.join();
  EXPECT_EQ(gate.load().waiting, 0);
}

}  // namespace
}  // namespace fineprint::server
