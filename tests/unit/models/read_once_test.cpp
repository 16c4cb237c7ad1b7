// For which files a finding is remembered, and for how long.
#include "models/read_once.h"

#include <cstdlib>
#include <filesystem>

#include <gtest/gtest.h>

#include "fineprint/core/files.h"

#include "support/temp_dir.h"

namespace fineprint::models {
namespace {

using namespace std::chrono_literals;

class ReadOnceTest : public ::testing::Test {
 protected:
  ReadOnceTest() {
    setenv("XDG_CACHE_HOME", dir_.file("cache").c_str(), 1);
    write_file_atomic(path_, "weights");
  }
  ~ReadOnceTest() override { unsetenv("XDG_CACHE_HOME"); }

  ReadOnce at(std::chrono::seconds later, const std::string& about = "bert") const {
    return ReadOnce(about, {path_}, ReadOnce::Clock::now() + later);
  }

  const testing::TempDir dir_;
  const std::string path_ = dir_.file("model.safetensors");
};

TEST_F(ReadOnceTest, RemembersWhatWasFound) {
  EXPECT_FALSE(at(10s).find("hash"));
  at(10s).keep("hash", "0123");
  EXPECT_EQ(at(11s).find("hash"), "0123");
  EXPECT_FALSE(at(11s).find("finite"));
  EXPECT_FALSE(at(11s, "bert int8").find("hash"));
}

TEST_F(ReadOnceTest, ForgetsAboutFilesThatChanged) {
  at(10s).keep("hash", "0123");
  const auto time = std::filesystem::last_write_time(path_);
  write_file_atomic(path_, "WEIGHTS");  // as long as before
  std::filesystem::last_write_time(path_, time);
  EXPECT_FALSE(at(10s).find("hash"));
  std::filesystem::remove(path_);
  EXPECT_FALSE(at(10s).find("hash"));
  at(10s).keep("hash", "4567");  // of nothing
  EXPECT_FALSE(at(10s).find("hash"));
}

// The same bytes elsewhere are read again, because a copy may have failed.
TEST_F(ReadOnceTest, ForgetsAboutFilesThatMoved) {
  at(10s).keep("hash", "0123");
  const std::string moved = dir_.file("moved.safetensors");
  std::filesystem::rename(path_, moved);
  EXPECT_FALSE(ReadOnce("bert", {moved}, ReadOnce::Clock::now() + 10s).find("hash"));
}

TEST_F(ReadOnceTest, ForgetsAfterADay) {
  at(10s).keep("hash", "0123");
  EXPECT_TRUE(at(23h).find("hash"));
  EXPECT_FALSE(at(25h).find("hash"));
  EXPECT_FALSE(at(-1h).find("hash"));  // the clock was set back
}

TEST_F(ReadOnceTest, DoesNotTrustAFileThatHasJustChanged) {
  at(0s).keep("hash", "0123");
  EXPECT_FALSE(at(0s).find("hash"));
  EXPECT_FALSE(at(10s).find("hash"));
}

TEST_F(ReadOnceTest, TakesNoTornFinding) {
  at(10s).keep("hash", "0123");
  for (const auto& entry :
       std::filesystem::directory_iterator(dir_.file("cache/fineprint/read-once"))) {
    std::filesystem::resize_file(entry.path(), 2);
  }
  EXPECT_FALSE(at(10s).find("hash"));
}

TEST_F(ReadOnceTest, DoesWithoutACacheFolder) {
  write_file_atomic(dir_.file("cache"), "a file in its place");
  at(10s).keep("hash", "0123");
  EXPECT_FALSE(at(10s).find("hash"));
}

}  // namespace
}  // namespace fineprint::models
