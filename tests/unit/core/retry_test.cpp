// Pauses between attempts, and what servers say about them.
#include "fineprint/core/retry.h"

#include <gtest/gtest.h>

namespace fineprint {
namespace {

using namespace std::chrono_literals;

TEST(Retry, Pauses) {
  EXPECT_EQ(pause_after(1, 0), 250ms);
  EXPECT_EQ(pause_after(1, 1), 500ms);
  EXPECT_EQ(pause_after(3, 0), 1s);
  EXPECT_EQ(pause_after(60, 1), 30s);
  for (const int status : {408, 409, 425, 429, 500, 502, 503, 504, 529}) {
    EXPECT_TRUE(is_passing(status)) << status;
  }
  for (const int status : {200, 301, 400, 401, 403, 404, 413, 422}) {
    EXPECT_FALSE(is_passing(status)) << status;
  }
}

TEST(Retry, RetryAfter) {
  const auto now = std::chrono::sys_days(std::chrono::year(1994) / 11 / 6) + 8h + 49min + 30s;
  EXPECT_EQ(parse_retry_after("120", now), 120s);
  EXPECT_EQ(parse_retry_after("0", now), 0s);
  EXPECT_EQ(parse_retry_after("Sun, 06 Nov 1994 08:49:37 GMT", now), 7s);
  EXPECT_EQ(parse_retry_after("Sun, 06 Nov 1994 08:49:37 GMT", now + 1h), 0s);
  for (const char* wrong : {"", "soon", "-1", "1.5", "Sun, 06 Nov 1994 08:49:37 CET",
                            "Sun, 31 Feb 1994 08:49:37 GMT", "Sun, 06 Nov 1994 0x:49:37 GMT"}) {
    EXPECT_EQ(parse_retry_after(wrong, now), std::nullopt) << wrong;
  }
}

TEST(Retry, SleepsEndEarly) {
  const Waiting waiting = real_waiting();
  const auto start = std::chrono::steady_clock::now();
  EXPECT_FALSE(waiting.sleep(10s, [] { return true; }));
  EXPECT_LT(std::chrono::steady_clock::now() - start, 1s);
  EXPECT_TRUE(waiting.sleep(30ms, [] { return false; }));
}

}  // namespace
}  // namespace fineprint
