// What can be read is also found in folders.
#include <set>
#include <string>

#include <gtest/gtest.h>

#include "fineprint/core/formats.h"
#include "fineprint/documents/document_workers.h"
#include "fineprint/markup/markup.h"

#include "support/temp_dir.h"

namespace fineprint::reading {
namespace {

using fineprint::testing::TempDir;

TEST(FoundKinds, TheFilesThatMarkupReadsAreFound) {
  const TempDir dir;
  std::size_t kinds = 0;
  for (const char* extension :
       {".csv", ".tsv", ".tab", ".json", ".rst", ".tex", ".ltx", ".latex", ".eml", ".msg"}) {
    dir.write("file" + std::string(extension), "text");
    ++kinds;
  }
  const documents::Found found = documents::find_documents({dir.path()});
  EXPECT_EQ(found.files.size(), kinds);
  for (const documents::FoundFile& file : found.skipped) ADD_FAILURE() << file.relative;
  for (const documents::FoundFile& file : found.files) {
    EXPECT_TRUE(markup::has_markup_name(file.path)) << file.path;
  }
}

// Both ways: markup reads no file of a format that others open, and has a function for each format
// that the table assigns to it.
TEST(FoundKinds, MarkupReadsWhatTheTableSays) {
  using enum FormatReader;
  const std::set<FormatReader> others = {none, mupdf, webp, heif, package, libreoffice};
  for (const FileFormat& format : file_formats()) {
    for (const std::string_view extension : format.extensions) {
      const std::string name = "file." + std::string(extension);
      EXPECT_EQ(markup::has_markup_name(name), !others.contains(format.reader)) << name;
    }
  }
}

TEST(FoundKinds, FilesOfEveryFormatInTheTableAreFound) {
  const TempDir dir;
  std::size_t kinds = 0;
  for (const FileFormat& format : file_formats()) {
    for (const std::string_view extension : format.extensions) {
      dir.write("file." + std::string(extension), "text");
      ++kinds;
    }
  }
  dir.write("file.exe", "text");
  const documents::Found found = documents::find_documents({dir.path()});
  EXPECT_EQ(found.files.size(), kinds);
  EXPECT_EQ(found.skipped.size(), 1U);
}

}  // namespace
}  // namespace fineprint::reading
