// Lines that survive crashes, full disks, threads and second writers.
#include <algorithm>
#include <csignal>
#include <set>
#include <sstream>
#include <thread>
#include <vector>

#include <gtest/gtest.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "fineprint/core/error.h"
#include "fineprint/core/files.h"

#include "support/temp_dir.h"

namespace fineprint {
namespace {

TEST(LineAppender, AppendsToWhatIsThere) {
  const testing::TempDir folder;
  const std::string path = folder.file("a.jsonl");
  LineAppender(path).append("one");
  LineAppender(path).append("two");
  EXPECT_EQ(read_file(path), "one\ntwo\n");
  EXPECT_THROW(LineAppender(path).append("a\nb"), Error);
}

TEST(LineAppender, CutsATornLastLine) {
  const testing::TempDir folder;
  const std::string torn(200'000, 'x');  // longer than a block of the search
  for (const std::string whole : {"", "one\n", "one\n\n"}) {
    const std::string path = folder.write("a", whole + torn);
    LineAppender(path).append("two");
    EXPECT_EQ(read_file(path), whole + "two\n");
  }
}

TEST(LineAppender, ASecondWriterIsRefused) {
  const testing::TempDir folder;
  const std::string path = folder.file("a");
  const LineAppender first(path);
  try {
    const LineAppender second(path);
    ADD_FAILURE();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::input);
    EXPECT_NE(std::string(error.what()).find(path), std::string::npos);
  }
}

TEST(LineAppender, AFullDiskLeavesNoHalfLine) {
  const testing::TempDir folder;
  const std::string path = folder.file("a");
  LineAppender file(path);
  file.append("one");
  rlimit old_limit{};
  getrlimit(RLIMIT_FSIZE, &old_limit);
  rlimit small = old_limit;
  small.rlim_cur = 100;
  std::signal(SIGXFSZ, SIG_IGN);
  setrlimit(RLIMIT_FSIZE, &small);
  EXPECT_THROW(file.append(std::string(500, 'x')), Error);
  setrlimit(RLIMIT_FSIZE, &old_limit);
  EXPECT_EQ(read_file(path), "one\n");
  file.append("two");
  EXPECT_EQ(read_file(path), "one\ntwo\n");
}

TEST(LineAppender, ThreadsDoNotMixLines) {
  const testing::TempDir folder;
  const std::string path = folder.file("a");
  {
    LineAppender file(path);
    std::vector<std::thread> threads;
    for (int t = 0; t < 4; ++t) {
      threads.emplace_back([&file, t] {
        for (int i = 0; i < 20; ++i) file.append(std::string(50, static_cast<char>('a' + t)));
      });
    }
    for (std::thread& thread : threads) thread.join();
  }
  std::istringstream lines(read_file(path));
  int count = 0;
  for (std::string line; std::getline(lines, line); ++count) {
    EXPECT_EQ(line, std::string(50, line[0]));
  }
  EXPECT_EQ(count, 80);
}

TEST(LineAppender, KilledAtRandomMomentsItRepeatsAndLosesNothing) {
  const testing::TempDir folder;
  const std::string path = folder.file("a");
  for (int round = 0; round < 10; ++round) {
    const pid_t child = fork();
    if (child == 0) {
      LineAppender file(path);
      const std::string text = read_file(path);
      auto next = std::count(text.begin(), text.end(), '\n');
      for (;; ++next) file.append(std::to_string(next) + " " + std::string(3000, 'x'));
    }
    usleep(static_cast<useconds_t>(20'000 + round * 3'000));
    kill(child, SIGKILL);
    waitpid(child, nullptr, 0);
  }
  LineAppender(path).append("end");
  std::istringstream lines(read_file(path));
  long expected = 0;
  for (std::string line; std::getline(lines, line) && line != "end"; ++expected) {
    EXPECT_EQ(line, std::to_string(expected) + " " + std::string(3000, 'x'));
  }
  EXPECT_GT(expected, 0);
}

}  // namespace
}  // namespace fineprint
