// Durations, silence without a terminal, and the bar on a pseudo terminal.
#include "fineprint/core/progress.h"

#include <thread>

#include <fcntl.h>
#include <gtest/gtest.h>
#include <poll.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "fineprint/core/log.h"

namespace fineprint {
namespace {

TEST(Progress, Durations) {
  EXPECT_EQ(format_duration(0), "0:00");
  EXPECT_EQ(format_duration(64.6), "1:05");
  EXPECT_EQ(format_duration(7384), "2:03:04");
  EXPECT_EQ(format_duration(-1), "?");
  EXPECT_EQ(format_duration(1.0 / 0.0), "?");
}

TEST(Progress, AShortLoopWithoutTerminalSaysNothing) {
  ::testing::internal::CaptureStderr();
  {
    Progress progress("reading", "pages", 3);
    for (int i = 0; i < 3; ++i) progress.advance();
  }
  EXPECT_EQ(::testing::internal::GetCapturedStderr(), "");
}

// Standard error on a pseudo terminal while it lives.
class PseudoTerminal {
 public:
  explicit PseudoTerminal(unsigned short columns) : master_(posix_openpt(O_RDWR | O_NOCTTY)) {
    grantpt(master_);
    unlockpt(master_);
    const int slave = open(ptsname(master_), O_RDWR | O_NOCTTY);
    const winsize size{24, columns, 0, 0};
    ioctl(slave, TIOCSWINSZ, &size);
    saved_ = dup(STDERR_FILENO);
    dup2(slave, STDERR_FILENO);
    close(slave);
  }
  ~PseudoTerminal() { close(master_); }

  std::string finish() {
    std::string text;
    char block[4096];
    pollfd ready{master_, POLLIN, 0};
    while (poll(&ready, 1, 50) > 0 && (ready.revents & POLLIN) != 0) {
      const ssize_t got = read(master_, block, sizeof block);
      if (got <= 0) break;
      text.append(block, static_cast<std::size_t>(got));
    }
    dup2(saved_, STDERR_FILENO);
    close(saved_);
    return text;
  }

 private:
  int master_;
  int saved_ = -1;
};

TEST(Progress, ATerminalGetsABarThatMakesWayForMessages) {
  PseudoTerminal terminal(200);
  {
    Progress progress("reading", "pages", 4);
    std::this_thread::sleep_for(std::chrono::milliseconds(120));
    progress.advance();
    log::warn("w");
    progress.finish();
    progress.advance();
  }
  const std::string text = terminal.finish();
  EXPECT_TRUE(text.starts_with("\r\x1b[Kreading [#####...............] 1/4 pages, ")) << text;
  EXPECT_NE(text.find(" pages/s, 0:00 left\r\x1b[Kwarning: w\r\nreading ["), std::string::npos)
      << text;
  EXPECT_TRUE(text.ends_with("left\r\x1b[K")) << text;
}

TEST(Progress, TheBarNeverWraps) {
  PseudoTerminal terminal(30);
  {
    Progress progress("reading", "pages", 0);
    progress.add_total(100);
    std::this_thread::sleep_for(std::chrono::milliseconds(120));
    progress.advance(50);
  }
  const std::string text = terminal.finish();
  EXPECT_EQ(text, "\r\x1b[Kreading [##########..........\r\x1b[K");
}

TEST(Progress, QuietMeansSilent) {
  log::set_level(log::Level::quiet);
  PseudoTerminal terminal(80);
  {
    Progress progress("reading", "pages", 4);
    std::this_thread::sleep_for(std::chrono::milliseconds(120));
    progress.advance();
  }
  EXPECT_EQ(terminal.finish(), "");
  log::set_level(log::Level::normal);
}

TEST(Progress, CountsWhatComesAfter) {
  PseudoTerminal terminal(100);
  {
    Progress progress("reading", "pages", 2, [] { return TimeAfter{3600, true}; });
    std::this_thread::sleep_for(std::chrono::milliseconds(120));
    progress.advance();
  }
  const std::string shown = terminal.finish();
  EXPECT_NE(shown.find("more than 1:00:0"), std::string::npos) << shown;
  EXPECT_NE(shown.find(" left in all"), std::string::npos) << shown;
}

}  // namespace
}  // namespace fineprint
