// Which files of a folder count as documents.
#include <filesystem>

#include <gtest/gtest.h>
#include <sys/stat.h>

#include "fineprint/documents/document_workers.h"

#include "support/temp_dir.h"

namespace fineprint::documents {
namespace {

namespace fs = std::filesystem;
using fineprint::testing::TempDir;

std::vector<std::string> relatives(const std::vector<FoundFile>& files) {
  std::vector<std::string> names;
  for (const FoundFile& file : files) names.push_back(file.relative);
  return names;
}

TEST(FindDocuments, WalksFoldersInOrder) {
  TempDir dir;
  fs::create_directories(dir.file("b/deep"));
  fs::create_directories(dir.file(".hidden"));
  for (const char* name : {"z.pdf", "a.PDF", "b/deep/c.png", "b/a.tiff", "notes.log", "~$lock.pdf",
                           ".x.pdf", ".hidden/y.pdf", "b/archive.tar.gz"}) {
    dir.write(name, "x");
  }
  const auto found = find_documents({dir.path()}).files;
  EXPECT_EQ(relatives(found),
            (std::vector<std::string>{"a.PDF", "b/a.tiff", "b/deep/c.png", "z.pdf"}));
  EXPECT_EQ(found[2].path, dir.file("b/deep/c.png"));
  for (const FoundFile& file : found) EXPECT_EQ(file.problem, "");
}

TEST(FindDocuments, PathsAreSpeltAsOnDisk) {
  TempDir dir;
  // "Ü" and "ë" as macOS writes them
  fs::create_directories(
      dir.file("U\xcc\x88"
               "bung"));
  const std::string path = dir.file(
      "U\xcc\x88"
      "bung/Zoe\xcc\x88.txt");
  dir.write(
      "U\xcc\x88"
      "bung/Zoe\xcc\x88.txt",
      "x");
  const std::string missing = dir.file("Übung/Zoé.txt");
  EXPECT_EQ(spelt_as_on_disk({dir.file("Übung/Zoë.txt"), path, missing, "Übung?"}),
            (std::vector<std::string>{path, path, missing, "Übung?"}));
}

TEST(FindDocuments, KeepsFilesNamedDirectly) {
  TempDir dir;
  const std::string odd = dir.write("report.dat", "x");
  const auto found = find_documents({odd}).files;
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0].relative, "report.dat");
  EXPECT_EQ(found[0].path, odd);
}

TEST(FindDocuments, NamesWhatItSkips) {
  TempDir dir;
  fs::create_directories(dir.file("b"));
  dir.write("a.pdf", "x");
  dir.write("b/film.mp4", "x");
  dir.write("notes", "%PDX-1.4");
  dir.write("report", "%PDF-1.4");
  dir.write(".hidden", "x");
  dir.write("b/picture.ppm", "P6");
  const Found found = find_documents({dir.path(), dir.file("b")});
  EXPECT_EQ(relatives(found.files),
            (std::vector<std::string>{"a.pdf", "b/picture.ppm", "picture.ppm", "report"}));
  EXPECT_EQ(relatives(found.skipped),
            (std::vector<std::string>{"b/film.mp4", "film.mp4", "notes"}));
}

TEST(FindDocuments, AMissingPathIsAProblemBesideOthers) {
  TempDir dir;
  dir.write("a.pdf", "x");
  const Found found = find_documents({dir.file("missing"), dir.file("a.pdf")});
  ASSERT_EQ(found.files.size(), 2U);
  EXPECT_EQ(found.files[0].path, dir.file("missing"));
  EXPECT_TRUE(found.files[0].unseen);
  EXPECT_NE(found.files[0].problem, "");
  EXPECT_EQ(found.files[1].problem, "");
}

TEST(FindDocuments, CountsAFileNamedTwiceOnce) {
  TempDir dir;
  const std::string file = dir.write("a.pdf", "x");
  EXPECT_EQ(find_documents({file, dir.path(), file}).files.size(), 1U);
}

TEST(FindDocuments, ReportsADirectoryNamedLikeADocumentAndWalksIt) {
  TempDir dir;
  fs::create_directory(dir.file("x.pdf"));
  dir.write("x.pdf/inner.png", "x");
  const auto found = find_documents({dir.path()}).files;
  ASSERT_EQ(relatives(found), (std::vector<std::string>{"x.pdf", "x.pdf/inner.png"}));
  EXPECT_EQ(found[0].problem, "is a directory, not a document");
  EXPECT_EQ(found[1].problem, "");
}

TEST(FindDocuments, CutsLoopsAndFollowsLinks) {
  TempDir dir;
  fs::create_directory(dir.file("sub"));
  dir.write("sub/a.pdf", "x");
  fs::create_directory_symlink(dir.path(), dir.file("sub/loop"));
  fs::create_symlink(dir.file("sub/a.pdf"), dir.file("link.pdf"));
  fs::create_symlink(dir.file("nowhere"), dir.file("broken.pdf"));
  const auto found = find_documents({dir.path()}).files;
  ASSERT_EQ(relatives(found), (std::vector<std::string>{"broken.pdf", "link.pdf", "sub/a.pdf"}));
  EXPECT_NE(found[0].problem, "");
}

TEST(FindDocuments, ReportsPipesAndRefusesMissingPaths) {
  TempDir dir;
  ASSERT_EQ(mkfifo(dir.file("pipe.pdf").c_str(), 0600), 0);
  const auto found = find_documents({dir.path()}).files;
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0].problem, "is not a regular file");
  try {
    find_documents({dir.file("missing")});
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::unreadable);
    EXPECT_NE(std::string(error.what()).find("missing"), std::string::npos);
  }
}

}  // namespace
}  // namespace fineprint::documents
