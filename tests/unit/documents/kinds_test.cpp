// Kinds of documents by their names.
#include "fineprint/documents/kinds.h"

#include <gtest/gtest.h>

#include "fineprint/core/formats.h"
#include "fineprint/documents/office.h"

namespace fineprint::documents {
namespace {

TEST(Kinds, AreUsualExtensions) {
  EXPECT_EQ(kind_of("a/Photo.JPEG"), "jpg");
  EXPECT_EQ(kind_of("a.tiff"), "tif");
  EXPECT_EQ(kind_of("a.pdf"), "pdf");
  EXPECT_EQ(kind_of("folder.v2/report"), "pdf");
  EXPECT_EQ(kind_of("a.exe"), "");
}

TEST(Kinds, AreAskedForByExtensionAndByGroup) {
  EXPECT_TRUE(is_of_kind("jpg", "jpeg"));
  EXPECT_TRUE(is_of_kind("jpg", ".JPG"));
  EXPECT_TRUE(is_of_kind("jpg", "image"));
  EXPECT_TRUE(is_of_kind("xlsx", "office"));
  EXPECT_TRUE(is_of_kind("xlsx", "table"));
  EXPECT_FALSE(is_of_kind("pdf", "office"));
  EXPECT_FALSE(is_of_kind("", ""));
}

TEST(Kinds, OnlyWhatIsReadIsKnown) {
  for (const char* name : {"pdf", "DOCX", ".png", "image", "mail", "jpeg"}) {
    EXPECT_TRUE(is_known_kind(name)) << name;
  }
  for (const char* name : {"", ".", "sound", "exe", "a.pdf/b", "images"}) {
    EXPECT_FALSE(is_known_kind(name)) << name;
  }
}

TEST(Kinds, EveryGroupIsOfWhatIsRead) {
  for (const char* kind : {"docx", "odt", "rtf", "ppt"}) {
    EXPECT_TRUE(has_office_name(std::string("a.") + kind));
    EXPECT_TRUE(is_of_kind(kind, "office")) << kind;
  }
  EXPECT_EQ(kind_groups(), "book, image, mail, office, table, text");
}

TEST(Kinds, EveryExtensionInTheTableSelectsItsKind) {
  for (const FileFormat& format : file_formats()) {
    const std::string kind(format.kind());
    for (const std::string_view extension : format.extensions) {
      EXPECT_EQ(kind_of("a." + std::string(extension)), kind);
      EXPECT_TRUE(is_known_kind(std::string(extension))) << extension;
      EXPECT_TRUE(is_of_kind(kind, std::string(extension))) << extension;
    }
    for (const std::string_view group : kFormatGroups) {
      EXPECT_EQ(is_of_kind(kind, std::string(group)), format.is_in(group)) << kind << ", " << group;
    }
    // Whatever LibreOffice opens is an office file to `--kind`, and nothing else is.
    if (!kind.empty()) {
      EXPECT_EQ(has_office_name("a." + kind), format.is_in("office")) << kind;
    }
  }
}

}  // namespace
}  // namespace fineprint::documents
