// Kept states on disk: whole or absent, whatever happens to their files, with many at work.
#include "fineprint/store/prefix_folder.h"

#include <algorithm>
#include <chrono>
#include <csignal>
#include <filesystem>
#include <functional>
#include <random>
#include <thread>

#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "fineprint/core/error.h"
#include "fineprint/core/files.h"
#include "fineprint/core/hash.h"

#include "processes.h"
#include "sample.h"
#include "store/bytes.h"
#include "store/prefix_file.h"
#include "support/as_nobody.h"
#include "support/temp_dir.h"

namespace fineprint::store {
namespace {

namespace fs = std::filesystem;
using fineprint::testing::AsNobody;
using fineprint::testing::TempDir;
using testing::put_sample_state;
using testing::sample_state;

std::string state_path(const TempDir& dir, const std::string& key) {
  return dir.file("states/" + key + ".state");
}

// What is found under a key, as text; "absent" when nothing is.
std::string found_in(const PrefixFolder& folder, const std::string& key) {
  const auto found = folder.find(key);
  if (!found) return "absent";
  return {found->bytes.begin(), found->bytes.end()};
}

void make_older(const std::string& path, std::chrono::minutes age) {
  fs::last_write_time(path, fs::file_time_type::clock::now() - age);
}

std::size_t files_in(const TempDir& dir) {
  std::error_code missing;
  const fs::directory_iterator all(dir.file("states"), missing);
  return missing ? 0 : static_cast<std::size_t>(std::distance(begin(all), end(all)));
}

// What an action says on stderr.
std::string said(const std::function<void()>& action) {
  ::testing::internal::CaptureStderr();
  action();
  return ::testing::internal::GetCapturedStderr();
}

std::size_t lines(const std::string& text) {
  return static_cast<std::size_t>(std::ranges::count(text, '\n'));
}

TEST(PrefixFolder, GivesBackWhatWasPut) {
  const TempDir dir;
  PrefixFolder folder(dir.path(), {.model = "tiny"});
  EXPECT_EQ(found_in(folder, "ab12"), "absent");
  EXPECT_EQ(files_in(dir), 0u);
  EXPECT_TRUE(put_sample_state(folder, "ab12", 100'003));
  EXPECT_TRUE(put_sample_state(folder, "00", 0));
  EXPECT_EQ(found_in(folder, "ab12"), sample_state("ab12", 100'003));
  EXPECT_EQ(found_in(folder, "00"), "");
  const auto found = PrefixFolder(dir.path()).find("ab12");  // as another process
  ASSERT_TRUE(found);
  EXPECT_EQ(reinterpret_cast<std::uintptr_t>(found->bytes.data()) % 64, 0u);
  EXPECT_EQ(files_in(dir), 2u);
  EXPECT_EQ(folder.check(), std::vector<std::string>());
}

TEST(PrefixFolder, TheFirstUnderAKeyStays) {
  const TempDir dir;
  PrefixFolder folder(dir.path());
  EXPECT_TRUE(put_sample_state(folder, "ab", 10));
  EXPECT_TRUE(put_sample_state(folder, "ab", 20));
  EXPECT_EQ(found_in(folder, "ab"), sample_state("ab", 10));
}

TEST(PrefixFolder, TakesOnlyKeysThatAreNames) {
  const TempDir dir;
  PrefixFolder folder(dir.path());
  for (const std::string key : {"", "AB", "../ab", "ab.state", "g", "ab/cd"}) {
    EXPECT_THROW((void)folder.find(key), Error) << key;
    EXPECT_THROW(put_sample_state(folder, key, 1), Error) << key;
  }
  EXPECT_THROW((void)folder.find(std::string(129, 'a')), Error);
}

TEST(PrefixFolder, WhatIsFoundOutlivesItsFile) {
  const TempDir dir;
  PrefixFolder folder(dir.path());
  put_sample_state(folder, "ab", 100'000);
  const auto found = folder.find("ab");
  ASSERT_TRUE(found);
  EXPECT_EQ(folder.prune(0).states, 1);
  EXPECT_EQ(found_in(folder, "ab"), "absent");
  EXPECT_EQ(std::string(found->bytes.begin(), found->bytes.end()), sample_state("ab", 100'000));
}

TEST(PrefixFolder, ATruncatedFileIsAbsentAndReplaced) {
  const TempDir dir;
  for (int tenth = 0; tenth < 10; ++tenth) {
    const std::string key = "a" + std::to_string(tenth);
    PrefixFolder writer(dir.path());
    ASSERT_TRUE(put_sample_state(writer, key, 10'000));
    const auto size = fs::file_size(state_path(dir, key));
    fs::resize_file(state_path(dir, key), size * static_cast<unsigned>(tenth) / 10);
    PrefixFolder folder(dir.path());
    const std::string warning = said([&] {
      EXPECT_EQ(found_in(folder, key), "absent");
      EXPECT_EQ(found_in(folder, key), "absent");
    });
    EXPECT_EQ(lines(warning), 1u) << warning;
    EXPECT_NE(warning.find(state_path(dir, key)), std::string::npos) << warning;
    EXPECT_EQ(folder.check().size(), 1u);
    ASSERT_TRUE(put_sample_state(folder, key, 10'000));
    EXPECT_EQ(found_in(folder, key), sample_state(key, 10'000));
    EXPECT_EQ(found_in(writer, key), sample_state(key, 10'000));
    EXPECT_EQ(folder.check(), std::vector<std::string>());
  }
}

TEST(PrefixFolder, ATooLongFileIsAbsent) {
  const TempDir dir;
  PrefixFolder folder(dir.path());
  put_sample_state(folder, "ab", 1'000);
  fs::resize_file(state_path(dir, "ab"), fs::file_size(state_path(dir, "ab")) + 1);
  EXPECT_EQ(found_in(folder, "ab"), "absent");
}

TEST(PrefixFolder, EveryFlippedBitIsSeen) {
  const TempDir dir;
  PrefixFolder writer(dir.path());
  put_sample_state(writer, "ab", 100);
  const std::string whole = read_file(state_path(dir, "ab"));
  for (std::size_t bit = 0; bit < 8 * whole.size(); ++bit) {
    std::string flipped = whole;
    flipped[bit / 8] = static_cast<char>(flipped[bit / 8] ^ (1 << bit % 8));
    dir.write("states/ab.state", flipped);
    PrefixFolder folder(dir.path());
    std::string found;
    const std::string warning = said([&] { found = found_in(folder, "ab"); });
    ASSERT_EQ(found, "absent") << bit;
    ASSERT_EQ(lines(warning), 1u) << bit;
    if (bit % 101 != 0) continue;
    ASSERT_TRUE(put_sample_state(folder, "ab", 100)) << bit;
    ASSERT_EQ(found_in(folder, "ab"), sample_state("ab", 100)) << bit;
  }
}

TEST(PrefixFolder, AFileThatChangedAfterItWasSeenIsLookedAtAgain) {
  const TempDir dir;
  PrefixFolder folder(dir.path());
  put_sample_state(folder, "ab", 5'000);
  EXPECT_EQ(found_in(folder, "ab"), sample_state("ab", 5'000));
  std::string bytes = read_file(state_path(dir, "ab"));
  bytes[3'000] ^= 1;
  write_file_atomic(state_path(dir, "ab"), bytes);
  EXPECT_EQ(found_in(folder, "ab"), "absent");
}

TEST(PrefixFolder, ForeignFilesAreToldAndLeftAlone) {
  const TempDir dir;
  PrefixFolder folder(dir.path());
  put_sample_state(folder, "ab", 100);
  fs::copy_file(state_path(dir, "ab"), state_path(dir, "cd"));  // of another key
  dir.write("states/ef.state", std::string(500, 'x'));
  dir.write("states/notes.txt", "mine");
  fs::create_directory(state_path(dir, "aa"));
  EXPECT_EQ(found_in(folder, "cd"), "absent");
  EXPECT_EQ(found_in(folder, "ef"), "absent");
  EXPECT_EQ(found_in(folder, "aa"), "absent");
  EXPECT_EQ(folder.check().size(), 4u);
  EXPECT_EQ(folder.summary().unusable.states, 4);
  EXPECT_EQ(folder.remove_unusable().states, 2);
  EXPECT_EQ(folder.check().size(), 2u);
  EXPECT_EQ(folder.prune(0).states, 1);
  EXPECT_TRUE(fs::exists(dir.file("states/notes.txt")));
}

TEST(PrefixFolder, PruningWarnsOfFilesThatKeepItAboveTheLimit) {
  const TempDir dir;
  PrefixFolder folder(dir.path());
  ASSERT_TRUE(put_sample_state(folder, "ab", 1'000));
  EXPECT_EQ(said([&] { EXPECT_EQ(folder.prune(0).states, 1); }), "");
  dir.write("states/notes.txt", "mine");
  const std::string warning = said([&] { EXPECT_EQ(folder.prune(3).states, 0); });
  EXPECT_EQ(lines(warning), 1u) << warning;
  for (const char* part : {"/states: 4 bytes are left", "--states-bytes is 3"}) {
    EXPECT_NE(warning.find(part), std::string::npos) << warning;
  }
  EXPECT_EQ(said([&] { folder.prune(4); }), "");
}

TEST(PrefixFolder, WhatKilledWritersLeftGoesAfterAnHour) {
  const TempDir dir;
  PrefixFolder folder(dir.path());
  put_sample_state(folder, "ab", 100);
  const std::string young = dir.write("states/cd.state.tmp-1-0", "half");
  const std::string old = dir.write("states/ef.state.tmp-1-0", "half");
  make_older(old, std::chrono::minutes(61));
  EXPECT_EQ(folder.check().size(), 1u);
  EXPECT_EQ(folder.remove_unusable().states, 1);
  EXPECT_FALSE(fs::exists(old));
  EXPECT_TRUE(fs::exists(young));
}

TEST(PrefixFolder, SummaryCountsByModel) {
  const TempDir dir;
  PrefixFolder a(dir.path(), {.model = "a"}), b(dir.path(), {.model = std::string(2'000, 'b')});
  put_sample_state(a, "01", 1'000);
  put_sample_state(a, "02", 1'000);
  put_sample_state(b, "03", 1'000);
  const PrefixSummary summary = a.summary();
  ASSERT_EQ(summary.by_model.size(), 2u);
  EXPECT_EQ(summary.by_model.at("a").states, 2);
  EXPECT_GT(summary.by_model.at("a").bytes, 2'000);
  EXPECT_EQ(summary.by_model.at(std::string(1'000, 'b')).states, 1);
  EXPECT_EQ(summary.unusable.states, 0);
}

TEST(PrefixFolder, PrunesByLastUse) {
  const TempDir dir;
  PrefixFolder folder(dir.path());
  for (int i = 0; i < 5; ++i) {
    const std::string key = "0" + std::to_string(i);
    put_sample_state(folder, key, 1'000);
    make_older(state_path(dir, key), std::chrono::minutes(100 - i));
  }
  found_in(folder, "01");
  const auto one = fs::file_size(state_path(dir, "00"));
  const PrefixCount removed = folder.prune(2 * one);
  EXPECT_EQ(removed.states, 3);
  EXPECT_EQ(removed.bytes, static_cast<std::int64_t>(3 * one));
  for (const char* key : {"01", "04"}) EXPECT_TRUE(fs::exists(state_path(dir, key))) << key;
}

TEST(PrefixFolder, StaysWithinItsLimit) {
  const TempDir dir;
  PrefixFolder folder(dir.path(), {.limit_bytes = 50'000});
  for (int i = 10; i < 60; ++i) {
    const std::string key = std::to_string(i);
    ASSERT_TRUE(put_sample_state(folder, key, 4'000));
    make_older(state_path(dir, key), std::chrono::minutes(100 - i));
    std::uintmax_t bytes = 0;
    for (const auto& file : fs::directory_iterator(dir.file("states"))) bytes += file.file_size();
    // Headers come on top of what was counted until the folder is listed again.
    ASSERT_LE(bytes, 50'000u + 12 * 128u);
    EXPECT_EQ(found_in(folder, key), sample_state(key, 4'000));
  }
  EXPECT_EQ(found_in(folder, "10"), "absent");
  EXPECT_NE(found_in(folder, "58"), "absent");
  const std::string warning = said([&] {
    EXPECT_FALSE(put_sample_state(folder, "aa", 50'001));
    EXPECT_FALSE(put_sample_state(folder, "ab", 50'001));
  });
  EXPECT_EQ(lines(warning), 1u) << warning;
  EXPECT_TRUE(put_sample_state(folder, "ac", 4'000));
}

TEST(PrefixFolder, LeavesTheDiskItsFreeBytes) {
  const TempDir dir;
  PrefixFolder folder(dir.path(), {.leave_free_bytes = std::uint64_t{1} << 60});
  const std::string warning = said([&] {
    EXPECT_FALSE(put_sample_state(folder, "ab", 10));
    EXPECT_FALSE(put_sample_state(folder, "cd", 10));
  });
  EXPECT_EQ(lines(warning), 1u) << warning;
  EXPECT_EQ(files_in(dir), 0u);
}

TEST(PrefixFolder, AFullDiskIsWarnedOfOnceAndLosesNothing) {
  const TempDir dir;
  PrefixFolder folder(dir.path());
  put_sample_state(folder, "ab", 1'000);
  // A limit on file size stands in for a full disk: the write fails in the middle.
  rlimit old_limit{};
  getrlimit(RLIMIT_FSIZE, &old_limit);
  rlimit small = old_limit;
  small.rlim_cur = 5'000;
  std::signal(SIGXFSZ, SIG_IGN);
  setrlimit(RLIMIT_FSIZE, &small);
  bool first = true, second = true;
  const std::string warning = said([&] {
    first = put_sample_state(folder, "cd", 100'000);
    second = put_sample_state(folder, "ef", 100);
  });
  setrlimit(RLIMIT_FSIZE, &old_limit);
  EXPECT_FALSE(first || second);
  EXPECT_EQ(lines(warning), 1u) << warning;
  EXPECT_NE(warning.find("File too large"), std::string::npos) << warning;
  EXPECT_EQ(files_in(dir), 1u);
  EXPECT_EQ(found_in(folder, "ab"), sample_state("ab", 1'000));
}

TEST(PrefixFolder, AFolderThatCannotBeWrittenIsWarnedOfOnce) {
  const TempDir dir;
  dir.write("states", "a file where the folder should be");
  PrefixFolder folder(dir.path());
  const std::string warning = said([&] {
    EXPECT_FALSE(put_sample_state(folder, "ab", 10));
    EXPECT_FALSE(put_sample_state(folder, "cd", 10));
    EXPECT_EQ(found_in(folder, "ab"), "absent");
  });
  EXPECT_EQ(lines(warning), 1u) << warning;
}

TEST(PrefixFolder, AReadOnlyFolderIsReadAllTheSame) {
  const TempDir dir;
  PrefixFolder folder(dir.path());
  put_sample_state(folder, "ab", 1'000);
  make_older(state_path(dir, "ab"), std::chrono::minutes(10));
  fs::permissions(dir.file("states"), fs::perms::owner_read | fs::perms::owner_exec);
  const std::string warning = said([&] {
    const AsNobody nobody(dir.path());
    EXPECT_EQ(found_in(folder, "ab"), sample_state("ab", 1'000));
    EXPECT_FALSE(put_sample_state(folder, "cd", 10));
    EXPECT_FALSE(put_sample_state(folder, "ef", 10));
  });
  fs::permissions(dir.file("states"), fs::perms::owner_all);
  EXPECT_EQ(lines(warning), 1u) << warning;
}

// Sound to its checksum, but its bytes would lie where no number can be read in place.
TEST(PrefixFile, HeaderThatEndsAnywhereIsDamage) {
  const TempDir dir;
  const std::string path = dir.file("ab.state");
  write_prefix(path, "ab", "model", {});
  const std::uint64_t size = fs::file_size(path) + 1;
  std::string header = read_file(path).substr(0, size - 1 - sizeof size) + '\0';
  header.replace(8, sizeof size, reinterpret_cast<const char*>(&size), sizeof size);
  const std::uint64_t sum = checksum(header);
  header.append(reinterpret_cast<const char*>(&sum), sizeof sum);
  dir.write("ab.state", header);
  EXPECT_THROW(PrefixFile(path, "ab"), BlobDamage);
}

TEST(PrefixFolder, ServesManyThreads) {
  const TempDir dir;
  PrefixFolder folder(dir.path(), {.limit_bytes = 150'000}), other(dir.path());
  std::vector<std::thread> threads;
  for (unsigned id = 0; id < 8; ++id) {
    threads.emplace_back([&folder, &other, id] {
      std::mt19937 draw(id);
      for (int round = 0; round < 60; ++round) {
        const std::string key = std::to_string(10 + draw() % 30);
        PrefixFolder& mine = draw() % 4 == 0 ? other : folder;
        const std::string found = found_in(mine, key);
        if (found == "absent") {
          put_sample_state(mine, key, 10'000);
        } else {
          EXPECT_EQ(found, sample_state(key, 10'000));
        }
        if (round % 20 == 19) mine.remove_unusable();
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(folder.check(), std::vector<std::string>());
}

pid_t start_states_loop(const std::string& dir) { return testing::start("states-loop", dir); }

// Three processes put and find the same keys; one is killed again and again.
TEST(PrefixFolder, SeveralProcessesMayWriteAtOnce) {
  const TempDir dir;
  const pid_t steady[] = {start_states_loop(dir.path()), start_states_loop(dir.path())};
  std::mt19937 draw(3);
  for (int round = 0; round < 15; ++round) {
    const pid_t victim = start_states_loop(dir.path());
    std::this_thread::sleep_for(std::chrono::milliseconds(10 + draw() % 60));
    kill(victim, SIGKILL);
    int status = 0;
    waitpid(victim, &status, 0);
  }
  for (const pid_t child : steady) {
    int status = -1;
    waitpid(child, &status, 0);
    EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0) << status;
  }
  PrefixFolder folder(dir.path());
  EXPECT_EQ(folder.check(), std::vector<std::string>());
  EXPECT_GT(folder.summary().by_model.at("loop").states, 0);
}

}  // namespace
}  // namespace fineprint::store
