// Parallel loops, their errors, and the flag that stops them.
#include "fineprint/core/threads.h"

#include <atomic>
#include <csignal>
#include <thread>
#include <vector>

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include "fineprint/core/error.h"

namespace fineprint {
namespace {

TEST(ParallelFor, CallsEachIndexOnce) {
  for (const int threads : {-1, 1, 2, 8}) {
    std::vector<std::atomic<int>> calls(1000);
    parallel_for(calls.size(), threads, [&](std::size_t i) { ++calls[i]; });
    for (const auto& count : calls) EXPECT_EQ(count, 1);
  }
  parallel_for(0, 4, [](std::size_t) { ADD_FAILURE(); });
}

TEST(ParallelFor, OneThreadIsTheCallersAndInOrder) {
  std::vector<std::size_t> order;
  const auto caller = std::this_thread::get_id();
  parallel_for(5, 1, [&](std::size_t i) {
    EXPECT_EQ(std::this_thread::get_id(), caller);
    order.push_back(i);
  });
  EXPECT_EQ(order, (std::vector<std::size_t>{0, 1, 2, 3, 4}));
}

TEST(ParallelFor, RethrowsAndStartsNothingNew) {
  std::atomic<int> calls{0};
  const auto body = [&](std::size_t i) {
    ++calls;
    if (i == 3) throw Error(ErrorCode::damaged, "at 3");
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  };
  try {
    parallel_for(100'000, 4, body);
    ADD_FAILURE();
  } catch (const Error& error) {
    EXPECT_STREQ(error.what(), "at 3");
  }
  EXPECT_LT(calls, 1000);
}

TEST(Cores, AtLeastOneAndAtMostTheMachine) {
  EXPECT_GE(usable_cores(), 1);
  EXPECT_LE(usable_cores(), static_cast<int>(std::thread::hardware_concurrency()));
}

TEST(Interrupts, TheFlagThrows) {
  EXPECT_NO_THROW(throw_if_interrupted());
  set_interrupted(true);
  EXPECT_THROW(throw_if_interrupted(), Error);
  set_interrupted(false);
}

TEST(Interrupts, TheFirstSignalAsksTheSecondEnds) {
  ::testing::internal::CaptureStderr();
  const pid_t child = fork();
  if (child == 0) {
    watch_interrupts();
    std::raise(SIGINT);
    if (!interrupted()) _exit(1);
    std::raise(SIGTERM);
    _exit(2);
  }
  int status = 0;
  waitpid(child, &status, 0);
  EXPECT_TRUE(WIFEXITED(status));
  EXPECT_EQ(WEXITSTATUS(status), 130);
  EXPECT_NE(::testing::internal::GetCapturedStderr().find("press again"), std::string::npos);
}

}  // namespace
}  // namespace fineprint
