// What changes in folders, once it rests.
#include "fineprint/documents/folder_watch.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <set>

#include <gtest/gtest.h>

#include "fineprint/core/error.h"

#include "support/temp_dir.h"

namespace fineprint::documents {
namespace {

namespace fs = std::filesystem;
using namespace std::chrono_literals;

// Gathers what is told until all that is expected was, or a minute has passed.
class FolderWatchTest : public ::testing::Test {
 protected:
  FolderWatchTest() : root_(dir_.file("docs")) { fs::create_directory(root_); }

  std::set<std::string> told(FolderWatch& watch, const std::set<std::string>& expected) {
    std::set<std::string> all;
    for (int i = 0; i < 60 && !std::ranges::includes(all, expected); ++i) {
      if (const auto changes = watch.wait(1s)) {
        for (const std::string& path : changes->paths) all.insert(fs::relative(path, root_));
      }
    }
    return all;
  }

  void write(const std::string& name, const std::string& text = "text") {
    std::ofstream(root_ + "/" + name) << text;
  }

  testing::TempDir dir_;
  std::string root_;
  Rest rest_{.closed = 50ms, .open = 60s};
};

using Paths = std::set<std::string>;

TEST_F(FolderWatchTest, FilesThatComeChangeAndGoAreTold) {
  write("was.txt");
  FolderWatch watch({root_}, rest_);
  write("new.txt");
  write("was.txt", "more");
  EXPECT_EQ(told(watch, {"new.txt", "was.txt"}), (Paths{"new.txt", "was.txt"}));
  fs::remove(root_ + "/was.txt");
  fs::rename(root_ + "/new.txt", root_ + "/newer.txt");
  EXPECT_EQ(told(watch, {"was.txt", "new.txt", "newer.txt"}),
            (Paths{"was.txt", "new.txt", "newer.txt"}));
  EXPECT_FALSE(watch.wait(200ms));
}

TEST_F(FolderWatchTest, FoldersThatComeAreWatchedAndThoseThatGoAreNot) {
  FolderWatch watch({root_}, rest_);
  fs::create_directories(root_ + "/a/b");
  EXPECT_TRUE(told(watch, {"a"}).contains("a"));
  write("a/b/deep.txt");
  EXPECT_TRUE(told(watch, {"a/b/deep.txt"}).contains("a/b/deep.txt"));
  fs::rename(root_ + "/a", dir_.file("elsewhere"));
  EXPECT_TRUE(told(watch, {"a"}).contains("a"));
  std::ofstream(dir_.file("elsewhere/b/unseen.txt")) << "text";
  EXPECT_FALSE(watch.wait(300ms));
}

TEST_F(FolderWatchTest, HiddenFilesAndLocksAreNotTold) {
  fs::create_directory(root_ + "/.hidden");
  FolderWatch watch({root_}, rest_);
  write(".hidden/a.txt");
  write(".a.txt");
  write("~$a.docx");
  EXPECT_FALSE(watch.wait(300ms));
}

TEST_F(FolderWatchTest, WhatIsOpenForWritingWaits) {
  FolderWatch watch({root_}, rest_);
  std::ofstream slow(root_ + "/slow.txt");
  slow << "half" << std::flush;
  EXPECT_FALSE(watch.wait(300ms));
  slow << "whole";
  slow.close();
  EXPECT_EQ(told(watch, {"slow.txt"}), Paths{"slow.txt"});
}

TEST_F(FolderWatchTest, AFolderThatGoesIsWatchedAgainOnceItIsBack) {
  FolderWatch watch({root_}, rest_);
  fs::remove_all(root_);
  watch.wait(300ms);
  fs::create_directory(root_);
  EXPECT_TRUE(told(watch, {"."}).contains("."));
  write("back.txt");
  EXPECT_TRUE(told(watch, {"back.txt"}).contains("back.txt"));
}

// More than the kernel keeps for one watcher.
TEST_F(FolderWatchTest, LostEventsAreTold) {
  FolderWatch watch({root_}, rest_);
  std::ifstream limit("/proc/sys/fs/inotify/max_queued_events");
  int most = 16384;
  limit >> most;
  for (int i = 0; i < most / 3 + 100; ++i) {
    const std::string name = root_ + "/" + std::to_string(i);
    std::ofstream(name) << "text";
    fs::remove(name);
  }
  bool all = false;
  for (int i = 0; i < 60 && !all; ++i) {
    if (const auto changes = watch.wait(1s)) all = changes->all;
  }
  EXPECT_TRUE(all);
}

TEST_F(FolderWatchTest, WhatIsNoFolderIsRefused) {
  EXPECT_THROW(FolderWatch({dir_.file("nowhere")}), Error);
  EXPECT_THROW(FolderWatch({dir_.write("file.txt", "text")}), Error);
}

}  // namespace
}  // namespace fineprint::documents
