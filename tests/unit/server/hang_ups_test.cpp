// Clients that go.
#include "server/http/hang_ups.h"

#include <chrono>
#include <thread>

#include <gtest/gtest.h>
#include <sys/socket.h>
#include <unistd.h>

namespace fineprint::server {
namespace {

struct Pair {
  Pair() { EXPECT_EQ(::socketpair(AF_UNIX, SOCK_STREAM, 0, ends), 0); }
  ~Pair() {
    ::close(ends[0]);
    if (ends[1] >= 0) ::close(ends[1]);
  }
  void hang_up() {
    ::close(ends[1]);
    ends[1] = -1;
  }
  int ends[2] = {-1, -1};
};

bool stops_soon(const StopToken& token) {
  for (int i = 0; i < 1000 && !token.stop_requested(); ++i) {
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
  return token.stop_requested();
}

TEST(HangUps, StopWhatNobodyWaitsForAnyMore) {
  HangUps hang_ups;
  Pair leaves, stays;
  const StopSource first, second;
  const HangUps::Watched watched(hang_ups, leaves.ends[0], first);
  const HangUps::Watched other(hang_ups, stays.ends[0], second);
  leaves.hang_up();
  EXPECT_TRUE(stops_soon(first.token()));
  EXPECT_FALSE(second.token().stop_requested());
}

TEST(HangUps, DoNotMindWhatIsSentMeanwhile) {
  HangUps hang_ups;
  Pair pair;
  const StopSource source;
  const HangUps::Watched watched(hang_ups, pair.ends[0], source);
  ASSERT_EQ(::send(pair.ends[1], "more", 4, 0), 4);
  std::this_thread::sleep_for(std::chrono::milliseconds(300));
  EXPECT_FALSE(source.token().stop_requested());
}

TEST(HangUps, ForgetThoseWhoHaveBeenAnswered) {
  HangUps hang_ups;
  Pair pair;
  const StopSource source;
  {
    const HangUps::Watched watched(hang_ups, pair.ends[0], source);
  }
  pair.hang_up();
  std::this_thread::sleep_for(std::chrono::milliseconds(300));
  EXPECT_FALSE(source.token().stop_requested());
}

}  // namespace
}  // namespace fineprint::server
