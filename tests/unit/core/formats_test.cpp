// The table of formats: what would make a row ambiguous, unreachable or undocumented.
#include "fineprint/core/formats.h"

#include <algorithm>
#include <map>
#include <set>
#include <string>

#include <gtest/gtest.h>

#include "fineprint/core/files.h"

namespace fineprint {
namespace {

// The beginning of a file that has this signature and nothing else.
std::string head_with(const FileSignature& signature) {
  return std::string(signature.at, '\1') + std::string(signature.bytes);
}

// What messages call a file that begins with `head`: by the first format that fits.
std::string name_by_order(std::string_view head) {
  for (const FileFormat& format : file_formats()) {
    if (format.fits(head)) return std::string(format.name_of(head));
  }
  return "";
}

TEST(FileFormats, NoExtensionIsThereTwice) {
  std::set<std::string_view> seen;
  for (const FileFormat& format : file_formats()) {
    for (const std::string_view extension : format.extensions) {
      EXPECT_TRUE(seen.insert(extension).second) << extension;
      EXPECT_EQ(format_of_extension(extension), &format) << extension;
      EXPECT_EQ(extension_of("a." + std::string(extension)), extension);
    }
  }
  EXPECT_GT(seen.size(), 50U);
}

TEST(FileFormats, EveryRowHasANameAndAWayToRecogniseIt) {
  for (const FileFormat& format : file_formats()) {
    EXPECT_FALSE(format.name.empty()) << format.kind();
    EXPECT_FALSE(format.extensions.empty() && format.signatures.empty()) << format.name;
    // A format that only its first bytes show has no kind, so no group can select it.
    EXPECT_FALSE(format.extensions.empty() && !format.groups.empty()) << format.name;
  }
}

TEST(FileFormats, GroupsAreKnownAndNoneIsEmpty) {
  std::map<std::string_view, int> formats_in;
  for (const FileFormat& format : file_formats()) {
    for (const std::string_view group : format.groups) {
      EXPECT_NE(std::ranges::find(kFormatGroups, group), kFormatGroups.end()) << format.name;
      EXPECT_TRUE(format.is_in(group));
      ++formats_in[group];
    }
  }
  for (const std::string_view group : kFormatGroups) {
    EXPECT_GT(formats_in[group], 1) << group;
    EXPECT_EQ(format_of_extension(group), nullptr) << group << " would mean two things";
  }
  EXPECT_TRUE(std::ranges::is_sorted(kFormatGroups)) << "messages list groups in this order";
}

// The same signature may be in several rows if it has the same name, for example that of ZIP.
TEST(FileFormats, NoSignatureHidesALaterOne) {
  for (const FileFormat& format : file_formats()) {
    for (const FileSignature& signature : format.signatures) {
      const std::string head = head_with(signature);
      ASSERT_FALSE(signature.bytes.empty()) << format.name;
      EXPECT_TRUE(signature.fits(head)) << format.name;
      EXPECT_LE(head.size(), kSignatureBytes) << format.name;
      EXPECT_EQ(name_by_order(head), signature.name.empty() ? format.name : signature.name);
      EXPECT_FALSE(signature.fits(head.substr(0, head.size() - 1))) << format.name;
    }
  }
}

TEST(FileFormats, TheMoreSpecialSignatureComesFirst) {
  const std::string zip = "PK\3\4" + std::string(26, '\0');
  EXPECT_EQ(name_by_order(zip + "word/document.xml"), "a ZIP archive");
  EXPECT_EQ(name_by_order(zip + "mimetypeapplication/vnd.oasis.opendocument.text"),
            "an OpenDocument file");
  EXPECT_EQ(name_by_order("RIFF\1\2\3\4WEBPVP8L"), "WebP");
  EXPECT_EQ(name_by_order("\1\2\3\4WEBP"), "") << "at another place";
  EXPECT_EQ(name_by_order(""), "");
  const auto reader_of = [](std::string_view head) {
    const auto formats = file_formats();
    const auto found =
        std::ranges::find_if(formats, [&](const FileFormat& format) { return format.fits(head); });
    return found == formats.end() ? FormatReader::none : found->reader;
  };
  EXPECT_EQ(reader_of("\1\1\1\1ftypheic"), FormatReader::heif);
  EXPECT_EQ(reader_of("\1\1\1\1ftyphevm"), FormatReader::none);
}

TEST(FileFormats, AreFoundByNameInAnyCase) {
  ASSERT_NE(format_of_name("a/Photo.JPEG"), nullptr);
  EXPECT_EQ(format_of_name("a/Photo.JPEG")->kind(), "jpg");
  for (const char* name :
       {"", "pdf", ".pdf", "a/.pdf", "a.pdf/b", "a.pdf.bak", "a.", "a.j2\u212A"}) {
    EXPECT_EQ(format_of_name(name), nullptr) << name;
  }
}

// "jpg (jpeg, jpe, jfif), tif (tiff)" for the formats that `wanted` selects.
template <class Wanted>
std::string listed(const Wanted& wanted) {
  std::string list;
  for (const FileFormat& format : file_formats()) {
    if (format.extensions.empty() || !wanted(format)) continue;
    list += (list.empty() ? "" : ", ") + std::string(format.kind());
    for (std::size_t i = 1; i < format.extensions.size(); ++i) {
      list += (i == 1 ? " (" : ", ") + std::string(format.extensions[i]);
    }
    if (format.extensions.size() > 1) list += ")";
  }
  return list;
}

TEST(FileFormats, TheReadmeListsThem) {
  const std::string path = FINEPRINT_TEST_DATA "/../../src/documents/README.md";
  const std::string readme = read_file(path);
  const auto expect_row = [&](const std::string& name, const std::string& list) {
    const std::string row = "\n| " + name + " | " + list + " | ";
    EXPECT_NE(readme.find(row), std::string::npos) << path << " lacks:" << row;
  };
  for (const std::string_view group : kFormatGroups) {
    expect_row("`" + std::string(group) + "`",
               listed([&](const FileFormat& format) { return format.is_in(group); }));
  }
  const auto is_refused = [](const FileFormat& format) {
    return format.reader == FormatReader::none;
  };
  expect_row("in no group", listed([&](const FileFormat& format) {
               return format.groups.empty() && !is_refused(format);
             }));
  expect_row("refused", listed(is_refused));
}

}  // namespace
}  // namespace fineprint
