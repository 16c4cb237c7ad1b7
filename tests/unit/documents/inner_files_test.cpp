// Files inside documents are read as further pages of them, or named.
#include <algorithm>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "fineprint/core/format.h"
#include "fineprint/documents/document_workers.h"

#include "support/temp_dir.h"

namespace fineprint::documents {
namespace {

using fineprint::testing::TempDir;

std::string stream_object(int number, const std::string& entries, const std::string& bytes) {
  return format("{} 0 obj<<{}/Length {}>>stream\n", number, entries, bytes.size()) + bytes +
         "\nendstream endobj\n";
}

// A PDF of one page with this text; MuPDF rebuilds the missing table of objects. Further objects
// are numbered from 10.
std::string pdf(const std::string& text, const std::string& catalog = "",
                const std::string& objects = "") {
  return "%PDF-1.7\n1 0 obj<</Type/Catalog/Pages 2 0 R" + catalog +
         ">>endobj\n2 0 obj<</Type/Pages/Kids[3 0 R]/Count 1>>endobj\n"
         "3 0 obj<</Type/Page/Parent 2 0 R/MediaBox[0 0 400 200]/Contents 4 0 R/Resources<</Font<<"
         "/F1<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>>>>>>>endobj\n" +
         stream_object(4, "", "BT /F1 12 Tf 20 150 Td (" + text + ") Tj ET") + objects +
         "trailer<</Root 1 0 R>>\n%%EOF\n";
}

// Parts of mail, which must not contain the boundary of the mail around them.
std::string mail_part(const std::string& name, const std::string& bytes,
                      const std::string& boundary = "outer") {
  return "--" + boundary +
         "\nContent-Type: application/octet-stream\nContent-Disposition: attachment; filename=\"" +
         name + "\"\nContent-Transfer-Encoding: binary\n\n" + bytes + "\n";
}

std::string mail(const std::string& text, const std::string& parts,
                 const std::string& boundary = "outer") {
  return "Subject: Order\nMIME-Version: 1.0\nContent-Type: multipart/mixed; boundary=" + boundary +
         "\n\n--" + boundary + "\nContent-Type: text/plain\n\n" + text + "\n" + parts + "--" +
         boundary + "--\n";
}

std::string text_of(const Page& page) {
  std::string text;
  for (const Word& word : page.words) text += (text.empty() ? "" : " ") + word.text;
  return text;
}

class InnerFiles : public ::testing::Test {
 protected:
  InnerFiles() : workers_(one_worker()) {}

  static DocumentWorkerOptions one_worker() {
    DocumentWorkerOptions options;
    options.workers = 1;
    return options;
  }

  void read(const std::string& name, const std::string& bytes) {
    const std::string path = dir_.write(name, bytes);
    info_ = workers_.info(path, {});
    workers_.read_pages(path, info_, {}, [&](Page page) { pages_.push_back(std::move(page)); });
  }

  TempDir dir_;
  DocumentWorkers workers_;
  DocumentInfo info_;
  std::vector<Page> pages_;
};

TEST_F(InnerFiles, AttachmentsOfMailFollowIt) {
  read("a.eml", mail("See the bill.", mail_part("bill.pdf", pdf("The fee is 312 crowns.")) +
                                          mail_part("tons.csv", "Port,Tons\nAldwick,12\n") +
                                          mail_part("notes.xyz", "Plain words.")));
  ASSERT_EQ(pages_.size(), 4U);
  EXPECT_NE(text_of(pages_[0]).find("Attachment: bill.pdf"), std::string::npos);
  EXPECT_EQ(text_of(pages_[1]), "The fee is 312 crowns.");
  EXPECT_EQ(text_of(pages_[2]), "Port Tons Aldwick 12");
  EXPECT_EQ(text_of(pages_[3]), "Plain words.");
  for (int i = 0; i < 4; ++i) {
    EXPECT_EQ(pages_[static_cast<std::size_t>(i)].number, i + 1);
    EXPECT_EQ(pages_[static_cast<std::size_t>(i)].problem, "");
  }
  const auto entry = std::ranges::find(info_.outline, "tons.csv", &OutlineEntry::title);
  ASSERT_NE(entry, info_.outline.end());
  EXPECT_EQ(entry->page, 3);
  const Image drawn = workers_.raster(dir_.file("a.eml"), 2, 72, true, {});
  EXPECT_EQ(drawn.width, 400);
  EXPECT_EQ(drawn.height, 200);
}

TEST_F(InnerFiles, APortfolioIsReadWithItsFiles) {
  const std::string names = "/Names<</EmbeddedFiles<</Names[(a)10 0 R(b)12 0 R]>>>>";
  read("p.pdf",
       pdf("Open this in another program.", "/Collection<</View/D>>" + names,
           "10 0 obj<</Type/Filespec/F(ferry.pdf)/UF(ferry.pdf)/EF<</F 11 0 R>>>>endobj\n" +
               stream_object(11, "/Type/EmbeddedFile", pdf("The ferry was built in 1987.")) +
               "12 0 obj<</Type/Filespec/F(all.zip)/EF<</F 13 0 R>>>>endobj\n" +
               stream_object(13, "/Type/EmbeddedFile", "PK\3\4 no document")));
  ASSERT_EQ(pages_.size(), 2U);
  EXPECT_EQ(text_of(pages_[0]), "Open this in another program.");
  EXPECT_EQ(text_of(pages_[1]), "The ferry was built in 1987.");
  EXPECT_TRUE(pages_[0].problem.starts_with("unsupported: ")) << pages_[0].problem;
  EXPECT_NE(pages_[0].problem.find("all.zip"), std::string::npos) << pages_[0].problem;
  EXPECT_EQ(pages_[1].problem, "");
}

TEST_F(InnerFiles, AFormThatShowsOnlyANoticeIsReadFromItsData) {
  const std::string xml =
      "<xdp><template><subform><draw><value><text>Harbour office</text></value></draw>"
      "<field name=\"vessel\"><caption><value><text>Name of the vessel</text></value></caption>"
      "</field></subform></template><datasets><data><form><vessel>Merry Heron</vessel>"
      "<owner>Ines Farrow</owner></form></data></datasets></xdp>";
  read("f.pdf", pdf("Please wait...", "/AcroForm<</Fields[]/XFA 10 0 R>>/NeedsRendering true",
                    stream_object(10, "", xml)));
  ASSERT_EQ(pages_.size(), 2U);
  EXPECT_EQ(pages_[0].problem, "");
  EXPECT_EQ(text_of(pages_[1]),
            "Harbour office Name of the vessel: Merry Heron owner: Ines Farrow");
}

TEST_F(InnerFiles, AFormWithoutTextsIsNamed) {
  read("f.pdf",
       pdf("Please wait...", "/AcroForm<</Fields[]/XFA 10 0 R>>", stream_object(10, "", "<xdp/>")));
  ASSERT_EQ(pages_.size(), 1U);
  EXPECT_NE(pages_[0].problem.find("dynamic XFA"), std::string::npos) << pages_[0].problem;
}

TEST_F(InnerFiles, FilesInFilesAreReadToALimit) {
  std::string inner = mail("The innermost.", "");
  for (int i = 0; i < 5; ++i) {
    const std::string boundary = format("level-{}", i);
    inner = mail(format("Level {}.", i), mail_part("in.eml", inner, boundary), boundary);
  }
  read("deep.eml", inner);
  ASSERT_EQ(pages_.size(), 4U);
  EXPECT_NE(text_of(pages_[3]).find("Level 1."), std::string::npos) << text_of(pages_[3]);
  EXPECT_NE(pages_[0].problem.find("too_large"), std::string::npos) << pages_[0].problem;
}

TEST_F(InnerFiles, ManyFilesAreReadToALimit) {
  std::string parts;
  for (int i = 0; i < 120; ++i) parts += mail_part(format("{}.txt", i), "Words.");
  read("many.eml", mail("Text.", parts));
  EXPECT_GE(pages_.size(), 101U);
  EXPECT_NE(pages_[0].problem.find("further files"), std::string::npos) << pages_[0].problem;
}

}  // namespace
}  // namespace fineprint::documents
