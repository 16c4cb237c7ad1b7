// Which file names are documents.
#include "documents/formats.h"

#include <gtest/gtest.h>

#include "support/temp_dir.h"

namespace fineprint::documents {
namespace {

using fineprint::testing::TempDir;

TEST(Formats, KnowsTheNamesOfDocuments) {
  for (const char* name : {"a.pdf", "b/c.PNG", "x.tar.epub", "scan.Tiff", "a.jp2", "x.xhtml",
                           "t.CSV", "m.eml", "a.docx", "a.rst"}) {
    EXPECT_TRUE(has_document_name(name)) << name;
  }
  for (const char* name : {"a", ".pdf", "dir.pdf/readme", "a.pdf.bak", "pdf", "", "a.zip"}) {
    EXPECT_FALSE(has_document_name(name)) << name;
  }
}

TEST(Formats, ScansInFormatsThatAreNotReadAreNotPassedOver) {
  for (const char* name : {"a.webp", "a.HEIC", "a.avif", "a.djvu"}) {
    EXPECT_TRUE(has_document_name(name)) << name;
  }
}

TEST(Formats, APdfNeedsNoExtension) {
  const TempDir dir;
  EXPECT_TRUE(is_nameless_pdf(dir.write("report", "%PDF-1.7\n")));
  EXPECT_FALSE(is_nameless_pdf(dir.write("report.old", "%PDF-1.7\n")));
  EXPECT_FALSE(is_nameless_pdf(dir.write("short", "%PD")));
  EXPECT_FALSE(is_nameless_pdf(dir.file("not-there")));
}

}  // namespace
}  // namespace fineprint::documents
