// Files that were opened elsewhere are read instead of what is at their path.
#include "fineprint/core/given_files.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include "fineprint/core/error.h"
#include "fineprint/core/files.h"

#include "support/temp_dir.h"

namespace fineprint {
namespace {

using fineprint::testing::TempDir;

TEST(GivenFiles, AreReadUnderTheirPaths) {
  TempDir dir;
  dir.write("open.txt", "what was opened");
  dir.write("there.txt", "what is there");
  const std::string path = dir.file("there.txt"), missing = dir.file("missing.txt");
  const int opened = open(dir.file("open.txt").c_str(), O_RDONLY | O_CLOEXEC);
  set_given_files({{path, opened}, {missing, dup(opened)}});
  EXPECT_EQ(read_file(path), "what was opened");
  EXPECT_EQ(read_file(path), "what was opened");  // from its beginning again
  EXPECT_EQ(file_head(missing, 4), "what");
  EXPECT_EQ(read_file(dir.file("open.txt")), "what was opened");
  set_given_files({});
  EXPECT_EQ(read_file(path), "what is there");
  EXPECT_THROW(read_file(missing), Error);
  EXPECT_EQ(file_head(missing, 4), "");
  EXPECT_EQ(fcntl(opened, F_GETFD), -1);  // it was closed
}

}  // namespace
}  // namespace fineprint
