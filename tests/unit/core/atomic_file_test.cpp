// Files that come piece by piece.
#include "fineprint/core/atomic_file.h"

#include <filesystem>

#include <gtest/gtest.h>

#include "fineprint/core/error.h"
#include "fineprint/core/files.h"

#include "support/temp_dir.h"

namespace fineprint {
namespace {

std::ptrdiff_t files_in(const std::string& folder) {
  return std::distance(std::filesystem::directory_iterator(folder), {});
}

TEST(AtomicFile, IsThereWholeOnceItIsFinished) {
  const testing::TempDir dir;
  const std::string path = dir.write("a.txt", "before");
  std::string all;
  AtomicFile file(path);
  for (int i = 0; i < 5000; ++i) {
    const std::string piece(static_cast<std::size_t>(i % 40), 'x');
    file.write(piece);
    all += piece;
  }
  EXPECT_EQ(read_file(path), "before");
  file.finish();
  EXPECT_EQ(read_file(path), all);
  EXPECT_EQ(files_in(std::filesystem::path(path).parent_path().string()), 1);
}

TEST(AtomicFile, LeavesNothingBehindWhereItIsNotFinished) {
  const testing::TempDir dir;
  const std::string path = dir.write("a.txt", "before");
  {
    AtomicFile(path).write(std::string(1 << 20, 'x'));
  }
  EXPECT_EQ(read_file(path), "before");
  EXPECT_EQ(files_in(std::filesystem::path(path).parent_path().string()), 1);
}

TEST(AtomicFile, AFolderThatIsMissingIsNamed) {
  const testing::TempDir dir;
  EXPECT_THROW(AtomicFile(dir.file("nowhere/a.txt")), Error);
}

}  // namespace
}  // namespace fineprint
