// What reaches standard error at each level, and how.
#include "fineprint/core/log.h"

#include <functional>

#include <gtest/gtest.h>

namespace fineprint {
namespace {

// Digits as '9', so that a time has one form.
std::string without_digits(std::string text) {
  for (char& c : text) {
    if (c >= '0' && c <= '9') c = '9';
  }
  return text;
}

std::string stderr_of(log::Level level, const std::function<void()>& action) {
  log::set_level(level);
  ::testing::internal::CaptureStderr();
  action();
  std::string text = ::testing::internal::GetCapturedStderr();
  log::set_level(log::Level::normal);
  return text;
}

void one_of_each() {
  log::error("e {}", 1);
  log::warn("w");
  log::note("n");
  log::step("s");
  log::debug("d");
}

TEST(Log, LevelsChooseWhatIsShown) {
  EXPECT_EQ(stderr_of(log::Level::quiet, one_of_each), "error: e 1\n");
  EXPECT_EQ(stderr_of(log::Level::normal, one_of_each), "error: e 1\nwarning: w\nn\n");
}

TEST(Log, VerboseLinesCarryTheTime) {
  const std::string text = stderr_of(log::Level::debug, [] {
    log::step("s");
    log::debug("d");
  });
  EXPECT_EQ(without_digits(text), "99:99:99.999 s\n99:99:99.999 debug: d\n");
}

TEST(Log, TextOfDocumentsCannotFakeLinesOrReachTheTerminal) {
  EXPECT_EQ(stderr_of(log::Level::normal, [] { log::warn("{}", "a\nerror: b\x1b[2J"); }),
            "warning: a error: b [2J\n");
}

TEST(Log, ColoursTheLabelWhenAsked) {
  log::set_color(true);
  const std::string text = stderr_of(log::Level::normal, [] { log::warn("w"); });
  log::set_color(false);
  EXPECT_EQ(text, "\x1b[1;33mwarning:\x1b[0m w\n");
}

}  // namespace
}  // namespace fineprint
