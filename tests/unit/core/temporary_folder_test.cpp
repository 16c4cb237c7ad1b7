// Temporary folders.
#include "fineprint/core/temporary_folder.h"

#include <cstdlib>
#include <filesystem>
#include <fstream>

#include <gtest/gtest.h>

#include "fineprint/core/error.h"

namespace fineprint {
namespace {

namespace fs = std::filesystem;

TEST(TemporaryFolders, ArePrivateAndGoWithTheirContents) {
  std::string path;
  {
    const TemporaryFolder folder("test", "a test"), other("test", "a test");
    path = folder.path();
    EXPECT_NE(path, other.path());
    EXPECT_EQ(fs::status(path).permissions(), fs::perms::owner_all);
    std::ofstream(path + "/file") << "x";
    EXPECT_TRUE(fs::exists(path + "/file"));
  }
  EXPECT_FALSE(fs::exists(path));
}

TEST(TemporaryFolders, SayWhatIsMissing) {
  const char* before = std::getenv("TMPDIR");
  const std::string kept = before == nullptr ? "" : before;
  setenv("TMPDIR", "/nowhere/at/all", 1);
  try {
    const TemporaryFolder folder("test", "a test");
    ADD_FAILURE() << folder.path();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::unreadable);
    EXPECT_NE(std::string(error.what()).find("a temporary folder for a test"), std::string::npos);
    EXPECT_NE(std::string(error.what()).find("TMPDIR"), std::string::npos);
  }
  before == nullptr ? unsetenv("TMPDIR") : setenv("TMPDIR", kept.c_str(), 1);
}

}  // namespace
}  // namespace fineprint
