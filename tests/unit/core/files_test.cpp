// Reads, maps and atomic writes, with the failures that disks and names bring.
#include "fineprint/core/files.h"

#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <functional>

#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "fineprint/core/error.h"

#include "support/temp_dir.h"

namespace fineprint {
namespace {

std::string message_of(const std::function<void()>& action) {
  try {
    action();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::unreadable);
    return error.what();
  }
  return "";
}

std::size_t entries(const testing::TempDir& folder) {
  const std::filesystem::directory_iterator all(folder.path());
  return static_cast<std::size_t>(std::distance(begin(all), end(all)));
}

TEST(Files, ReadsWholeFilesAndSpecialOnes) {
  const testing::TempDir folder;
  const std::string bytes("a\0b\n", 4);
  EXPECT_EQ(read_file(folder.write("a", bytes)), bytes);
  EXPECT_EQ(read_file(folder.write("empty", "")), "");
  EXPECT_FALSE(read_file("/proc/self/status").empty());  // says it has size 0
}

TEST(Files, TheHeadOfAFileIsAtMostTheFile) {
  const testing::TempDir folder;
  const std::string path = folder.write("a", std::string("a\0bc", 4));
  EXPECT_EQ(file_head(path, 3), std::string("a\0b", 3));
  EXPECT_EQ(file_head(path, 10).size(), 4U);
  EXPECT_EQ(file_head(folder.file("absent"), 3), "");
  EXPECT_EQ(file_head(folder.path(), 3), "");
}

TEST(Files, ErrorsNameThePathAndTheReason) {
  const testing::TempDir folder;
  const std::string absent = folder.file("absent");
  EXPECT_EQ(message_of([&] { read_file(absent); }),
            "cannot open " + absent + ": No such file or directory");
  EXPECT_EQ(message_of([&] { read_file(folder.path()); }),
            "cannot read " + folder.path() + ": it is a directory");
  EXPECT_EQ(message_of([&] { MappedFile map(folder.path()); }),
            "cannot read " + folder.path() + ": it is a directory");
}

TEST(Files, MapsAndMoves) {
  const testing::TempDir folder;
  MappedFile map(folder.write("a", "hello"));
  MappedFile other(folder.write("empty", ""));
  EXPECT_TRUE(other.bytes().empty());
  other = std::move(map);
  ASSERT_EQ(other.bytes().size(), 5u);
  EXPECT_EQ(other.bytes()[4], 'o');
  const MappedFile last = std::move(other);
  EXPECT_EQ(last.bytes()[0], 'h');
}

TEST(Files, ReplacesWholeOrNotAtAll) {
  const testing::TempDir folder;
  const std::string path = folder.write("a", "old");
  write_file_atomic(path, "new");
  EXPECT_EQ(read_file(path), "new");
  EXPECT_EQ(entries(folder), 1u);

  const std::string in_nothing = folder.file("absent/a");
  EXPECT_NE(message_of([&] { write_file_atomic(in_nothing, "x"); }).find(in_nothing),
            std::string::npos);
}

// Of a killed process that had the same number, as in a container.
TEST(Files, WhatAKilledWriteLeftBehindIsNoHindrance) {
  const testing::TempDir folder;
  const std::string path = folder.file("a");
  for (int i = 0; i < 200; ++i) {
    folder.write("a.tmp-" + std::to_string(getpid()) + "-" + std::to_string(i), "torn");
  }
  write_file_atomic(path, "whole");
  EXPECT_EQ(read_file(path), "whole");
}

TEST(Files, AFullDiskLeavesTheOldFileAndNoTemporary) {
  const testing::TempDir folder;
  const std::string path = folder.write("a", "old");
  // A limit on file size stands in for a full disk: the write fails in the middle.
  rlimit old_limit{};
  getrlimit(RLIMIT_FSIZE, &old_limit);
  rlimit small = old_limit;
  small.rlim_cur = 1000;
  std::signal(SIGXFSZ, SIG_IGN);
  setrlimit(RLIMIT_FSIZE, &small);
  const std::string message =
      message_of([&] { write_file_atomic(path, std::string(10'000, 'x')); });
  setrlimit(RLIMIT_FSIZE, &old_limit);
  EXPECT_NE(message.find("File too large"), std::string::npos) << message;
  EXPECT_EQ(read_file(path), "old");
  EXPECT_EQ(entries(folder), 1u);
}

TEST(Files, MakesFoldersAndThoseAbove) {
  const testing::TempDir folder;
  make_folders(folder.file("a/b/c"));
  make_folders(folder.file("a/b/c/"));
  EXPECT_TRUE(std::filesystem::is_directory(folder.file("a/b/c")));
  folder.write("file", "x");
  const std::string blocked = folder.file("file/below");
  EXPECT_NE(message_of([&] { make_folders(blocked); }).find(blocked), std::string::npos);
}

TEST(Files, FoldersOfThisUser) {
  setenv("HOME", "/home/someone", 1);
  setenv("XDG_CACHE_HOME", "/var/cache/someone", 1);
  setenv("XDG_CONFIG_HOME", "relative", 1);  // to be ignored, says the specification
  EXPECT_EQ(user_cache_dir(), "/var/cache/someone/fineprint");
  EXPECT_EQ(user_config_dir(), "/home/someone/.config/fineprint");
  unsetenv("XDG_CACHE_HOME");
  EXPECT_EQ(user_cache_dir(), "/home/someone/.cache/fineprint");
  unsetenv("HOME");
  EXPECT_TRUE(user_cache_dir().starts_with("/"));
}

}  // namespace
}  // namespace fineprint
