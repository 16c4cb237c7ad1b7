// Who is asked to stop with whom, and what is said of the reason.
#include "fineprint/core/stop.h"

#include <gtest/gtest.h>

#include "fineprint/core/budget.h"
#include "fineprint/core/error.h"
#include "fineprint/core/threads.h"

namespace fineprint {
namespace {

using Clock = StopToken::Clock;
using namespace std::chrono_literals;

struct Interrupted {
  Interrupted() { set_interrupted(true); }
  ~Interrupted() { set_interrupted(false); }
};

ErrorCode thrown_by(const StopToken& token) {
  try {
    throw_if_stopped(token);
  } catch (const Error& error) {
    return error.code();
  }
  ADD_FAILURE() << "nothing was thrown";
  return ErrorCode::internal;
}

TEST(Stop, NobodyAsksAtFirst) {
  const StopSource source;
  for (const StopToken& token : {StopToken(), StopToken::of_process(), source.token(),
                                 source.token().until(Clock::now() + 1h)}) {
    EXPECT_FALSE(token.stop_requested());
    EXPECT_FALSE(token.unwanted());
    EXPECT_EQ(token.reason(), StopReason::none);
    EXPECT_NO_THROW(throw_if_stopped(token));
  }
}

TEST(Stop, ASourceStopsItsTokensAndThoseMadeFromThem) {
  const StopSource source, other;
  const StopToken token = source.token(), copy = token;
  const StopToken limited = token.until(Clock::now() + 1h);
  const StopSource child(limited);
  source.request_stop();
  for (const StopToken& one : {token, copy, limited, child.token(), source.token()}) {
    EXPECT_EQ(one.reason(), StopReason::stopped);
    EXPECT_TRUE(one.unwanted());
  }
  EXPECT_FALSE(other.token().stop_requested());
  EXPECT_EQ(thrown_by(token), ErrorCode::interrupted);
}

TEST(Stop, AChildLeavesItsParentAlone) {
  const StopSource parent;
  const StopSource first(parent.token()), second(parent.token());
  first.request_stop();
  EXPECT_TRUE(first.token().stop_requested());
  EXPECT_FALSE(second.token().stop_requested());
  EXPECT_FALSE(parent.token().stop_requested());
}

TEST(Stop, ATokenOutlivesItsSource) {
  StopToken token;
  {
    const StopSource source;
    token = source.token();
    source.request_stop();
  }
  EXPECT_EQ(token.reason(), StopReason::stopped);
}

TEST(Stop, TheEarliestDeadlineCounts) {
  const StopToken late = StopToken().until(Clock::now() - 1s);
  EXPECT_EQ(late.reason(), StopReason::deadline);
  EXPECT_TRUE(late.stop_requested());
  EXPECT_FALSE(late.unwanted()) << "what there is may be wanted";
  EXPECT_EQ(thrown_by(late), ErrorCode::timed_out);
  EXPECT_EQ(late.until(Clock::now() + 1h).reason(), StopReason::deadline);
  EXPECT_EQ(StopToken().until(Clock::now() + 1h).until(Clock::now() - 1s).reason(),
            StopReason::deadline);
  EXPECT_FALSE(StopToken().until(Clock::time_point::max()).stop_requested());
}

TEST(Stop, WhoStopsGoesBeforeTheClock) {
  const StopSource source(StopToken().until(Clock::now() - 1s));
  EXPECT_EQ(source.token().reason(), StopReason::deadline);
  source.request_stop();
  EXPECT_EQ(source.token().reason(), StopReason::stopped);
}

TEST(Stop, AnInterruptStopsAllButTheEmptyToken) {
  const StopSource source;
  const Interrupted interrupted;
  EXPECT_EQ(StopToken().reason(), StopReason::none);
  EXPECT_EQ(StopToken::of_process().reason(), StopReason::interrupted);
  EXPECT_EQ(source.token().reason(), StopReason::interrupted);
  EXPECT_EQ(StopToken().until(Clock::now() - 1s).reason(), StopReason::interrupted);
  EXPECT_EQ(thrown_by(source.token()), ErrorCode::interrupted);
}

TEST(Stop, ABudgetsTimeIsADeadline) {
  EXPECT_EQ(Budget().deadline(), Clock::time_point::max());
  EXPECT_EQ(Budget({.max_seconds = 1e300}).deadline(), Clock::time_point::max());
  const Budget brief({.max_seconds = 0});
  EXPECT_EQ(StopToken().until(brief.deadline()).reason(), StopReason::deadline);
  EXPECT_EQ(brief.refuses_call(), brief.out_of_time());
  const auto before = Clock::now();
  const Budget hour({.max_seconds = 3600});
  EXPECT_GE(hour.deadline(), before + 1h);
  EXPECT_LE(hour.deadline(), Clock::now() + 1h);
}

}  // namespace
}  // namespace fineprint
