// Which files hold what other programs have read.
#include "fineprint/documents/parsed_files.h"

#include <gtest/gtest.h>

#include "support/temp_dir.h"

namespace fineprint::documents {
namespace {

using fineprint::testing::TempDir;

constexpr const char* kDocling = R"({"schema_name": "DoclingDocument", "version": "1.8.0"})";
constexpr const char* kPages = R"({"pdf_info": []})";
constexpr const char* kList = R"([{"type": "text", "text": "x", "page_idx": 0}])";

TEST(ParsedFiles, AreKnownByNameAndContent) {
  const TempDir dir;
  EXPECT_EQ(parsed_form(dir.write("a.json", kDocling)), ParsedForm::docling);
  EXPECT_EQ(parsed_form(dir.write("b_middle.json", kPages)), ParsedForm::mineru_pages);
  EXPECT_EQ(parsed_form(dir.write("b_content_list.json", kList)), ParsedForm::mineru_list);
  EXPECT_EQ(parsed_form(dir.write("c.json", R"({"schema_name": "other"})")), ParsedForm::none);
  EXPECT_EQ(parsed_form(dir.write("c_middle.json", R"({"pages": []})")), ParsedForm::none);
  EXPECT_EQ(parsed_form(dir.write("c.txt", kDocling)), ParsedForm::none);
  EXPECT_EQ(parsed_form(dir.file("missing.json")), ParsedForm::none);
}

TEST(ParsedFiles, BelongToThePdfOfTheirName) {
  const TempDir dir;
  const std::string pdf = dir.write("report.pdf", "%PDF-1.7");
  EXPECT_EQ(parsed_beside(pdf), "");
  const std::string list = dir.write("report_content_list.json", kList);
  EXPECT_EQ(parsed_beside(pdf), list);
  const std::string pages = dir.write("report_middle.json", kPages);
  EXPECT_EQ(parsed_beside(pdf), pages);
  const std::string docling = dir.write("report.json", kDocling);
  EXPECT_EQ(parsed_beside(pdf), docling);
  EXPECT_TRUE(belongs_to_pdf(list) && belongs_to_pdf(pages) && belongs_to_pdf(docling));
}

TEST(ParsedFiles, ACopyOfThePdfIsOneToo) {
  const TempDir dir;
  const std::string pdf = dir.write("x_origin.pdf", "%PDF-1.7");
  const std::string pages = dir.write("x_middle.json", kPages);
  EXPECT_EQ(parsed_beside(pdf), pages);
  EXPECT_TRUE(belongs_to_pdf(pages));
}

TEST(ParsedFiles, AloneTheyAreDocumentsButForTheLesserOfTwo) {
  const TempDir dir;
  const std::string list = dir.write("x_content_list.json", kList);
  EXPECT_FALSE(belongs_to_pdf(list));
  EXPECT_FALSE(belongs_to_pdf(dir.write("x_middle.json", kPages)));
  EXPECT_TRUE(belongs_to_pdf(list));
  EXPECT_FALSE(belongs_to_pdf(dir.write("plain.json", "{}")));
}

}  // namespace
}  // namespace fineprint::documents
